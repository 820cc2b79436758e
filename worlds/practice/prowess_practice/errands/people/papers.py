"""What is written down about the people: tasks, notes and files."""

from __future__ import annotations

from prowess_practice.errands.people.plan import PeopleOutcome
from prowess_practice.errands.people.slots import (
    DUE,
    FOLDER,
    NEW_FILE,
    NEW_PROJECT,
    OWN_FILE,
    OWN_NOTE,
    PRIORITY,
    PROJECT,
    TASK,
    TITLE,
    VERB,
)

_PROJECT = (
    "    own_projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
    '    target_id = next(one["project_id"] for one in own_projects if one["name"] == project)\n'
)
_TASK = (
    "    own_tasks = all_pages(apis.todo.search_tasks, access_token=todo_token, query=own_task)\n"
    '    task_id = next(one["task_id"] for one in own_tasks if one["title"] == own_task and not one["done"])\n'
)
_NOTE = (
    "    own_notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=own_note)\n"
    '    own_note_id = next(one["note_id"] for one in own_notes if one["title"] == own_note)\n'
)

PAPERS = (
    PeopleOutcome(
        word="plan_task_for",
        apps=("todo",),
        needs=("name",),
        each=(
            'apis.todo.create_task(access_token=todo_token, title=f"{verb} {name}", due_date=due_day,'
            " priority=priority)",
        ),
        about="Create a task for PEOPLE; return how many.",
        wordings=(
            'Create a todo task "{verb} NAME" with priority {priority}, due on {due_day}, for WHO (NAME is the'
            " full name).",
            'INTRO For REF put a task into my todo app: title "{verb} NAME" with the full name, due {due_day},'
            " priority {priority}.",
            "Concerning ALL: one todo task per person, due {due_day} and of priority {priority}, titled"
            ' "{verb}", a space'
            " and the full name.",
        ),
        slots=(VERB, DUE, PRIORITY),
    ),
    PeopleOutcome(
        word="plan_collecting_from",
        apps=("todo",),
        needs=("name",),
        uses="sum",
        each=('apis.todo.create_task(access_token=todo_token, title=f"{verb} {name}: <shown>", labels=["people"])',),
        about="Create a task with the sum for PEOPLE; return how many.",
        wordings=(
            'Create a todo task labeled "people" with the title "{verb} NAME: NUMBER" for WHO. NAME is the full'
            " name, and"
            " NUMBER is TOTALFORM.",
            'INTRO For REF put a task with the label "people" into my todo app, titled "{verb} NAME: NUMBER": the full'
            " name, and TOTALFORM.",
            'Concerning ALL: my todo list needs one task per person, labeled "people" and titled "{verb} NAME: NUMBER",'
            " with the full name and TOTALFORM.",
        ),
        slots=(VERB,),
    ),
    PeopleOutcome(
        word="plan_counted",
        apps=("todo",),
        needs=("name",),
        uses="number",
        each=('apis.todo.create_task(access_token=todo_token, title=name, description=f"Times: <shown>")',),
        about="Create a task that tells the number for PEOPLE; return how many.",
        wordings=(
            'Create a todo task titled with just the full name for WHO. Its description says "Times: NUMBER", where'
            " NUMBER is TOTAL.",
            'INTRO For REF put a task into my todo app: the full name as its title, "Times: NUMBER" as its description,'
            " NUMBER being TOTAL.",
            "Concerning ALL: my todo app needs one task per person. The title is the full name, the description is"
            ' "Times: NUMBER", and NUMBER is TOTAL.',
        ),
    ),
    PeopleOutcome(
        word="plan_in_project_for",
        apps=("todo",),
        needs=("name",),
        before=_PROJECT,
        each=('apis.todo.create_task(access_token=todo_token, title=f"{verb} {name}", project_id=target_id)',),
        about="Create a task in a project for PEOPLE; return how many.",
        wordings=(
            'In my todo project "{project}", create a task titled "{verb} NAME" for WHO, NAME being the full name.',
            'INTRO Then add a task "{verb} NAME" (with the full name) to my todo project "{project}" for REF.',
            'My todo project "{project}" needs new tasks, each titled "{verb}", a space and a full name: one for WHO.',
        ),
        slots=(VERB, PROJECT),
        not_from=("helpers",),
    ),
    PeopleOutcome(
        word="make_project_of",
        apps=("todo",),
        needs=("name",),
        before='    new_id = apis.todo.create_project(access_token=todo_token, name=new_project)["project_id"]\n',
        each=("apis.todo.create_task(access_token=todo_token, title=name, project_id=new_id)",),
        about="Create a project with a task for PEOPLE; return how many.",
        wordings=(
            'Make a new todo project "{new_project}" with a task for WHO: the title of the task is the full name.',
            'INTRO I want a new todo project called "{new_project}" that has a task for REF, titled with the'
            " full name.",
            'Start a todo project named "{new_project}". Its tasks are the full names of ALL, one task per person.',
        ),
        slots=(NEW_PROJECT,),
        single=False,
    ),
    PeopleOutcome(
        word="add_steps_for",
        apps=("todo",),
        needs=("name",),
        before=_TASK,
        after=(
            "    for name in <names>:\n"
            "        apis.todo.add_subtask(access_token=todo_token, task_id=task_id, title=name)\n"
        ),
        about="Add PEOPLE as subtasks of a task, sorted by name; return how many.",
        wordings=(
            'Add subtasks to my open todo task "{own_task}": the full name of WHO, one subtask each, in the order of'
            " the alphabet.",
            'INTRO Then give my open todo task "{own_task}" a subtask for REF, titled with the full name, from A to Z.',
            'My open todo task "{own_task}" is about ALL: add one subtask per person, titled with the full name, sorted'
            " alphabetically.",
        ),
        slots=(TASK,),
        single=False,
        not_from=("helpers",),
    ),
    PeopleOutcome(
        word="comment_task_with",
        apps=("todo",),
        needs=("name",),
        before=_TASK,
        after='    apis.todo.add_comment(access_token=todo_token, task_id=task_id, text=", ".join(<names>))\n',
        about="Comment on a task with the names of PEOPLE; return how many.",
        wordings=(
            'Write a comment under my open todo task "{own_task}" with the full names of ALL, from A to Z,'
            ' joined by ", ".',
            'INTRO Then write one comment under my open todo task "{own_task}", with names sorted alphabetically'
            ' and ", "'
            " between them: the full name of REF.",
            'It is about ALL. Under my open todo task "{own_task}", leave one comment with their full names, in'
            ' alphabetical order, separated by ", ".',
        ),
        slots=(TASK,),
        single=False,
        not_from=("helpers",),
    ),
    PeopleOutcome(
        word="note_down",
        apps=("notes",),
        needs=("name",),
        after='    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(<names>))\n',
        about="Write the names of PEOPLE into a new note; return how many.",
        wordings=(
            'Write a note titled "{title}" with the full names of ALL, one per line, from A to Z.',
            'INTRO I want a new note "{title}" with the full name of REF on a line of its own, in alphabetical order.',
            'Make a note of WHO: title "{title}", and as content just the full names, sorted, each name on its own line'
            " and only once.",
        ),
        slots=(TITLE,),
        single=False,
    ),
    PeopleOutcome(
        word="note_sums_of",
        apps=("notes",),
        needs=("name",),
        uses="sum",
        after=(
            "    lines = <lines>\n"
            '    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(lines))\n'
        ),
        about="Write names and sums of PEOPLE into a new note; return how many.",
        wordings=(
            'Write a note "{title}" with a line "NAME: NUMBER" for WHO, sorted by full name: NUMBER is TOTALFORM.',
            'INTRO Then create the note "{title}": for REF one line with the full name, a colon, a space and TOTALFORM,'
            " in alphabetical order of the names.",
            'I need a note titled "{title}" about ALL. Each line is "NAME: NUMBER" with the full name and TOTALFORM;'
            " names from A to Z.",
        ),
        slots=(TITLE,),
        single=False,
    ),
    PeopleOutcome(
        word="note_numbers_of",
        apps=("notes",),
        needs=("name",),
        uses="number",
        after=(
            "    lines = <lines>\n"
            '    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(lines))\n'
        ),
        about="Write names and numbers of PEOPLE into a new note; return how many.",
        wordings=(
            'Write a note "{title}" with a line "NAME: NUMBER" for WHO, sorted by full name: NUMBER is TOTAL.',
            'INTRO Then create the note "{title}": for REF one line with the full name, a colon, a space and TOTAL,'
            " in alphabetical order of the names.",
            'I need a note titled "{title}" about ALL. Each line is "NAME: NUMBER" with the full name and TOTAL;'
            " names from A to Z.",
        ),
        slots=(TITLE,),
        single=False,
    ),
    PeopleOutcome(
        word="append_to_note",
        apps=("notes",),
        needs=("name",),
        before=_NOTE,
        after=(
            '    text = "\\n".join(<names>)\n'
            "    apis.notes.append_to_note(access_token=notes_token, note_id=own_note_id, text=text)\n"
        ),
        about="Append the names of PEOPLE to a note; return how many.",
        wordings=(
            'Append to my note "{own_note}" the full names of ALL, one per line, from A to Z.',
            'INTRO At the end of my note "{own_note}", add line by line and alphabetically the full name of REF.',
            'Think of ALL. At the end of my note "{own_note}", add their full names: one line per person, in'
            " alphabetical order.",
        ),
        slots=(OWN_NOTE,),
        single=False,
        not_from=("guests",),
    ),
    PeopleOutcome(
        word="file_names_of",
        apps=("files",),
        needs=("name",),
        after='    apis.files.create_file(access_token=files_token, file_path=new_file, content="\\n".join(<names>))\n',
        about="Write the names of PEOPLE into a new file; return how many.",
        wordings=(
            'Create the file "{new_file}" with the full names of ALL, one per line, from A to Z.',
            'INTRO Then write a new file "{new_file}": the full name of REF, each on its own line, in'
            " alphabetical order.",
            'It is about ALL. I want a text file "{new_file}" with their full names, sorted alphabetically, one'
            " to a line.",
        ),
        slots=(NEW_FILE,),
        single=False,
    ),
    PeopleOutcome(
        word="file_sums_of",
        apps=("files",),
        needs=("name",),
        uses="sum",
        after=(
            "    lines = <lines>\n"
            '    apis.files.create_file(access_token=files_token, file_path=new_file, content="\\n".join(lines))\n'
        ),
        about="Write names and sums of PEOPLE into a new file; return how many.",
        wordings=(
            'Create the file "{new_file}" with a line "NAME: NUMBER" for WHO, by full name from A to Z: NUMBER is'
            " TOTALFORM.",
            'INTRO Then write a new file "{new_file}": for REF a line with the full name, a colon, a space and'
            " TOTALFORM,"
            " sorted by name.",
            'I want a file "{new_file}" about ALL: "NAME: NUMBER" on each line, the full name and TOTALFORM, in'
            " alphabetical order.",
        ),
        slots=(NEW_FILE,),
        single=False,
    ),
    PeopleOutcome(
        word="file_card_of",
        apps=("files",),
        needs=("name",),
        uses="sum",
        before="    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n",
        each=(
            'path = f"{new_folder}/{name}.txt"',
            'apis.files.create_file(access_token=files_token, file_path=path, content=f"<shown>")',
        ),
        about="Write the sum of PEOPLE into a file each; return how many.",
        wordings=(
            'Make the folder "{new_folder}" and in it a file "NAME.txt" for WHO, NAME being the full name. All'
            " that such a"
            " file says is TOTALFORM.",
            'INTRO For REF write a file named after the full name plus ".txt" into a new folder, "{new_folder}". Its'
            " content: TOTALFORM.",
            'Concerning ALL: I want one file per person in "{new_folder}", a folder that you have to create first. The'
            ' file is "NAME.txt", with the full name, and in it is nothing but TOTALFORM.',
        ),
        slots=(FOLDER,),
    ),
    PeopleOutcome(
        word="append_to_file",
        apps=("files",),
        needs=("name",),
        after='    apis.files.append_to_file(access_token=files_token, file_path=own_file, text="\\n".join(<names>))\n',
        about="Append the names of PEOPLE to a file; return how many.",
        wordings=(
            'Append to my file "{own_file}" the full names of ALL, one per line, from A to Z, as one text.',
            'INTRO Then add the full name of REF to the end of my file "{own_file}", in one go, line by line in'
            " alphabetical order.",
            'My file "{own_file}" should end with a list of WHO: append the full names sorted, one to a line,'
            " all at once.",
        ),
        slots=(OWN_FILE,),
        single=False,
    ),
)
