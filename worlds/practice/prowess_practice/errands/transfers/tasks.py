"""Tasks: what their projects, subtasks, comments and other apps say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listings_within import WITHIN
from prowess_practice.drills.listings_work import LABEL, RAISE, RANK, TASK, WORK
from prowess_practice.errands.transfers.parts import RowPool, RowSink, Slot, Tie, calling, gathering, one_of, own, pool
from prowess_practice.errands.transfers.scene import (
    alarms_of,
    also_files,
    also_tasks,
    more_tasks,
    notes_of,
    own_folder,
    requests_of,
    tasks_of,
)
from prowess_practice.errands.transfers.sinks import COUNT, acting, each, filing, naming, noting, telling_apart, waking

_TODO_TOKEN = "access_token=todo_token"
_TODO = 'login(app="todo")'
_LISTED = {listing.word: listing for listing in WORK}
_WHEN = _LISTED["tasks"].conditions
TASKS = pool(_LISTED["tasks"], shuns=("same_due_day",))
OPEN = RowPool(
    app="todo",
    word="open_tasks",
    row="task",
    one="open task in my todo app",
    many="open tasks in my todo app",
    reading=f"    tasks = all_pages(apis.todo.list_tasks, {_TODO_TOKEN}, done=False)\n",
    name="title",
    conditions=(_WHEN[0], _WHEN[3], _WHEN[4], _WHEN[6]),
    has=("open",),
)
DONE = RowPool(
    app="todo",
    word="done_tasks",
    row="task",
    one="done task in my todo app",
    many="done tasks in my todo app",
    reading=f"    tasks = all_pages(apis.todo.list_tasks, {_TODO_TOKEN}, done=True)\n",
    name="title",
    conditions=(_WHEN[5],),
    has=("open",),
    shuns=("same_due_day", "with_open_step"),
)
IN_PROJECT = pool(
    WITHIN[2], conditions=(), shuns=("in_colored", "in_busy_project", "in_archived_project", "same_due_day")
)
URGENT = RowPool(
    app="todo",
    word="tasks_of_priority",
    row="task",
    one="task of priority {priority} in my todo app",
    many="tasks of priority {priority} in my todo app",
    reading=f"    tasks = all_pages(apis.todo.list_tasks, {_TODO_TOKEN}, priority=priority)\n",
    name="title",
    slots=(one_of("priority", 1, 2, 3, 4),),
    shuns=("same_due_day", "in_archived_project"),
)

COLORED = Tie(
    word="in_colored",
    yes='in an unarchived project of the colour "{color}"',
    no='outside my unarchived projects of the colour "{color}"',
    whether='its project is not archived and has the colour "{color}"',
    test='ROW["project_id"] IN colored',
    prelude=(
        f"    projects = all_pages(apis.todo.list_projects, {_TODO_TOKEN})\n"
        '    colored = {project["project_id"] for project in projects if project["color"] == color}\n'
    ),
    slots=(own("color", f'[one["color"] for one in all_pages(apis.todo.list_projects, access_token={_TODO})]'),),
)
ARCHIVED = Tie(
    word="in_archived_project",
    yes="in an archived project",
    no="in a project that is not archived",
    whether="its project is archived",
    test='ROW["project_id"] IN archived',
    prelude=(
        f"    projects = all_pages(apis.todo.list_projects, {_TODO_TOKEN}, archived=True)\n"
        '    archived = {project["project_id"] for project in projects}\n'
    ),
)
BUSY = Tie(
    word="in_busy_project",
    yes="in one of my unarchived projects with more than {open_tasks} open tasks",
    no="outside my unarchived projects with more than {open_tasks} open tasks",
    whether="it is in an unarchived project with more than {open_tasks} open tasks",
    test='ROW["project_id"] IN busy',
    prelude=(
        f"    projects = all_pages(apis.todo.list_projects, {_TODO_TOKEN})\n"
        '    busy = {project["project_id"] for project in projects if project["open_tasks"] > open_tasks}\n'
    ),
    slots=(one_of("open_tasks", 1, 2, 3),),
)
STEPS = Tie(
    word="with_open_step",
    yes="with at least one open subtask",
    no="without any open subtask",
    whether="it has an open subtask",
    test='ROW["task_id"] IN unfinished',
    prelude=(
        "    unfinished = set()\n"
        f"    for each in all_pages(apis.todo.search_tasks, {_TODO_TOKEN}):\n"
        f'        steps = apis.todo.show_task({_TODO_TOKEN}, task_id=each["task_id"])["subtasks"]\n'
        '        if any(not step["done"] for step in steps):\n'
        '            unfinished.add(each["task_id"])\n'
    ),
)
REMARKED = Tie(
    word="with_comment",
    yes="with comments",
    no="without comments",
    whether="it has any comments",
    test=f'all_pages(apis.todo.list_comments, {_TODO_TOKEN}, task_id=ROW["task_id"])',
)
SAME_DAY = Tie(
    word="same_due_day",
    yes="due on the same day as another open task",
    no="not due on the same day as another open task",
    whether="another open task is due on the same day",
    test='days.count(ROW["due_date"]) > 1',
    prelude=(
        f"    planned = all_pages(apis.todo.list_tasks, {_TODO_TOKEN}, done=False)\n"
        '    days = [each["due_date"] for each in planned if each["due_date"]]\n'
    ),
    scene=more_tasks,
)
NOTED = Tie(
    word="with_note",
    yes="with exactly the title of one of my notes (archived or not)",
    no="without a note of exactly the same title (archived or not)",
    whether="one of my notes, archived or not, has exactly its title",
    test='ROW["title"] IN noted',
    app="notes",
    prelude=gathering("noted", "notes.search_notes", "title"),
    scene=also_tasks(notes_of),
)
RINGING = Tie(
    word="with_alarm",
    yes="with exactly the label of one of my alarms as the title",
    no="without an alarm labelled exactly like the title",
    whether="one of the alarms on my phone is labelled exactly like it",
    test='ROW["title"] IN labels',
    app="phone",
    prelude=gathering("labels", "phone.show_alarms", "label"),
    scene=also_tasks(alarms_of),
)
ASKED = Tie(
    word="with_request",
    yes="titled exactly like the note of a pending payment request to me on the wallet",
    no="not titled like the note of any pending payment request to me on the wallet",
    whether="a pending payment request to me on the wallet has exactly its title as the note",
    test='ROW["title"] IN asked',
    app="wallet",
    prelude=(
        '    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")\n'
        '    asked = {request["note"] for request in requests}\n'
    ),
    scene=also_tasks(requests_of),
)
FILED = Tie(
    word="with_file",
    yes='with a file TITLE.txt (TITLE being the title of the task) in my folder "{folder}"',
    no='without a file TITLE.txt (TITLE being the title of the task) in my folder "{folder}"',
    whether='my folder "{folder}" has a file called like it, plus .txt',
    test="f\"{ROW['title']}.txt\" IN names",
    app="files",
    prelude=(
        '    paths = apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]\n'
        '    names = {path.split("/")[-1] for path in paths}\n'
    ),
    slots=(Slot(name="folder", choose=own_folder),),
    scene=also_files(tasks_of),
)
RARE = Tie(
    word="with_common_label",
    yes="that have a label which more than {others} tasks have",
    no="that have no label which more than {others} tasks have",
    whether="it has a label which more than {others} tasks have",
    test='common.intersection(ROW["labels"])',
    prelude=(
        f"    counts = apis.todo.list_labels({_TODO_TOKEN})\n"
        '    common = {one["label"] for one in counts if one["tasks"] > others}\n'
    ),
    slots=(one_of("others", 2, 3, 4, 5, 6),),
)
TIES = (COLORED, ARCHIVED, BUSY, STEPS, REMARKED, SAME_DAY, NOTED, RINGING, ASKED, FILED, RARE)

NEXT = own("other_project", f'[one["name"] for one in all_pages(apis.todo.list_projects, access_token={_TODO})]')
UNFINISHED = Tie(word="open", yes="still to do", no="done already", whether="it is done", test='ROW["done"] is False')
SINKS = (
    each(
        "todo", "mark_task_done", TASK, "tick off ALL", word="finish", needs=((UNFINISHED, True),), bars=("done_tasks",)
    ),
    COUNT,
    acting("todo", LABEL, 'give the label "{new_label}" to ALL', word="label"),
    noting("TITLE (priority NUMBER)", "f\"{ROW['title']} (priority {ROW['priority']})\""),
    naming("title", "title"),
    each("todo", "delete_task", TASK, "delete ALL"),
    acting("todo", RANK, "set to {new_priority} the priority of ALL", word="rank", bars=("tasks_of_priority",)),
    waking("its title", 'ROW["title"]', bars=("with_alarm",)),
    each(
        "todo",
        "add_comment",
        f"{TASK}, text=comment",
        'write the comment "{comment}" under each of ALL',
        word="comment",
        slots=(one_of("comment", "Checked.", "Who does this?", "Ask again.", "Almost there.", "Look into it."),),
        bars=("with_comment",),
    ),
    RowSink(
        word="move",
        about="move ALL to a project",
        do='move ALL to my project "{other_project}" (skip any that are in it already)',
        code=(
            f"    every = all_pages(apis.todo.list_projects, {_TODO_TOKEN})\n"
            '    target_id = next(one["project_id"] for one in every if one["name"] == other_project)\n'
            '    moved = [ROW for ROW in found if ROW["project_id"] != target_id]\n'
            "    for ROW in moved:\n" + calling("todo.move_task", f"{TASK}, project_id=target_id")
        ),
        returns="len(moved)",
        slots=(NEXT,),
    ),
    filing("TITLE - PRIORITY", "f\"{ROW['title']} - {ROW['priority']}\""),
    acting("todo", RAISE, "raise by one level (to 1 at most) the priority of ALL", word="raise"),
    each(
        "todo",
        "add_subtask",
        f"{TASK}, title=step",
        'add the subtask "{step}" to each of ALL',
        word="add_step_to",
        slots=(one_of("step", "Check the result", "Ask around", "Write it down", "Plan it"),),
        bars=("with_open_step",),
    ),
    each(
        "todo",
        "reopen_task",
        TASK,
        "reopen ALL",
        needs=((UNFINISHED, False),),
        bars=("open_tasks", "same_due_day", "with_open_step"),
    ),
    RowSink(
        word="labels_of",
        about="return the labels of ALL",
        do="answer with a list of the labels, each of them once, of ALL",
        question="which labels occur among the ALL (a list, each once)",
        returns='sorted({label for ROW in found for label in ROW["labels"]})',
        gives="list",
        bars=("by_label", "with_label", "with_common_label", "plain_tasks"),
    ),
    telling_apart("priority", "priority number", bars=("equal_tasks", "tasks_of_priority")),
)
REMINDED = RowSink(
    word="remind_of",
    app="phone",
    about="set an alarm for each of ALL and label it",
    do='set an alarm at "{time}" without repeat days, labelled like the task, and give the task the label "alarm",'
    " for each of ALL",
    code=(
        "    for ROW in found:\n"
        '        apis.phone.create_alarm(access_token=phone_token, label=ROW["title"], time=time)\n'
        f'        apis.todo.label_task({_TODO_TOKEN}, {TASK}, label="alarm")\n'
    ),
    slots=(one_of("time", "07:05", "08:40", "12:30", "18:50"),),
    drops=(('label="alarm")', 'label="")'),),
    bars=("with_alarm",),
)
WRITTEN = RowSink(
    word="write_up",
    app="notes",
    about="make a note of each of ALL and tick it off",
    do='make a note for each of ALL, titled like the task and with the text "{words}", and then tick the task off',
    code=(
        "    for ROW in found:\n"
        '        apis.notes.create_note(access_token=notes_token, title=ROW["title"], content=words)\n'
        f"        apis.todo.mark_task_done({_TODO_TOKEN}, {TASK})\n"
    ),
    slots=(one_of("words", "Moved here from my tasks.", "To be thought about.", "Idea, no task.", "Not now."),),
    needs=((UNFINISHED, True),),
    bars=("done_tasks", "with_note"),
)
ALL = (*SINKS, REMINDED, WRITTEN)
