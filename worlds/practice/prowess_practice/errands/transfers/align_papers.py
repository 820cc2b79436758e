"""Tasks, notes, files and alarms brought in line with each other, or compared, and doubles removed."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.listing import PROJECT
from prowess_practice.errands.transfers.parts import Slot, inside, one_of, own, written
from prowess_practice.errands.transfers.scene import (
    doubled_alarms,
    doubled_files,
    doubled_tasks,
    more_tasks,
    own_folder,
    twin_folders,
)

_LABEL = own("label", 'sorted({one["label"] for one in apis.todo.list_labels(access_token=login(app="todo"))})')
_TAG = own("tag", 'sorted({one["tag"] for one in apis.notes.list_tags(access_token=login(app="notes"))})')
_PROJECT = inside(PROJECT)
_FOLDER = Slot(name="folder", choose=own_folder)
_OTHER = replace(_FOLDER, name="other_folder")
_DAY = one_of("day", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FINDS = PROJECT.finds.lstrip("\n")
_LABELLED = "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, label=label, done=False)\n"
_NOTES = "    notes = all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag)\n"


TASKS = (
    *(
        written(
            f"align_due_dates_to_{word}",
            f"give the open tasks with a label the {word} due date among them; return how many were changed",
            _LABELLED
            + f"""    target = {pick}(task["due_date"] for task in tasks if task["due_date"])
    changed = [task for task in tasks if task["due_date"] != target]
    for task in changed:
        apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], due_date=target)
    return len(changed)
""",
            (
                f'Give all my open tasks labelled "{{label}}" the same due date: the {word} one that any of them has.'
                " That includes those without a due date.",
                f'What is the {word} due date among my open tasks with the label "{{label}}"? All the others with this'
                " label, also those that are not due at all yet, should be due on that day, too.",
                f'My open "{{label}}" tasks (the label, in the todo app) are to be done on one day. Take the {word} day'
                " on which one of them is due now and set it as the due date of every one of them.",
            ),
            apps=("todo",),
            slots=(_LABEL,),
            matters=((f"target = {pick}(", f"target = {'min' if pick == 'max' else 'max'}("), (", label=label", "")),
            scenes=(more_tasks,),
        )
        for word, pick in (("latest", "max"), ("earliest", "min"))
    ),
    written(
        "align_priorities_in_project",
        "give the open tasks of a project the most urgent priority among them; return how many were changed",
        _FINDS
        + """    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id, done=False)
    best = min(task["priority"] for task in tasks)
    others = [task for task in tasks if task["priority"] != best]
    for task in others:
        apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], priority=best)
    return len(others)
""",
        (
            'Set all open tasks in my project "{project}" to the most urgent priority that one of them has (1 is the'
            " most urgent).",
            'Find the smallest priority number among the open tasks of my todo project "{project}" and give it to'
            " every open task there.",
            'In "{project}", my todo project, one open task is as urgent as the next: they should all have the'
            " priority of the most urgent one of them. Done tasks stay as they are.",
        ),
        apps=("todo",),
        slots=(_PROJECT,),
        matters=(("best = min(", "best = max("), (", done=False", "")),
    ),
    written(
        "fill_due_dates_in_project",
        "make open tasks of a project without due date due on the last day one of them is; return how many",
        _FINDS
        + """    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id, done=False)
    last = max(task["due_date"] for task in tasks if task["due_date"])
    undated = [task for task in tasks if not task["due_date"]]
    for task in undated:
        apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], due_date=last)
    return len(undated)
""",
        (
            'Some open tasks in my project "{project}" have no due date. Give them the latest due date that an open'
            " task of this project has.",
            'In my todo project "{project}", on which day is the last of the open tasks due? Make all open tasks'
            " there that have no due date due on that day.",
            'No open task in "{project}" (a project in my todo app) should be without a due date. Where it is'
            " missing, use the latest one among the other open tasks of the project.",
        ),
        apps=("todo",),
        slots=(_PROJECT,),
        matters=(("last = max(", "last = min("), (' if not task["due_date"]', "")),
    ),
    written(
        "gather_label_in_one_project",
        "move the open tasks with a label to the project that most of them are in; return how many were moved",
        _LABELLED
        + """    counts: dict = {}
    for task in tasks:
        counts[task["project_id"]] = counts.get(task["project_id"], 0) + 1
    most = max(counts, key=lambda project_id: (counts[project_id], project_id))
    others = [task for task in tasks if task["project_id"] != most]
    for task in others:
        apis.todo.move_task(access_token=todo_token, task_id=task["task_id"], project_id=most)
    return len(others)
""",
        (
            'Move all open tasks labelled "{label}" to the project in which most of them are already. If several'
            " projects have equally many of them, take the one with the greatest id.",
            'My open tasks with the label "{label}" are spread over several projects. Find the project that has the'
            " most of them (the highest project id decides between equals) and move the others there.",
            'Count my open "{label}" tasks (the label) by project. Whatever is not in the project with the greatest'
            " number of them should be moved to that one; among projects with the same number, the one with the"
            " larger id wins.",
        ),
        apps=("todo",),
        slots=(_LABEL,),
        matters=(("most = max(", "most = min("), (", label=label", "")),
        scenes=(more_tasks,),
    ),
    written(
        "spread_labels_in_project",
        "give every open task of a project all labels that occur among them; return how many were changed",
        _FINDS
        + """    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id, done=False)
    labels = sorted({label for task in tasks for label in task["labels"]})
    changed = [task for task in tasks if sorted(task["labels"]) != labels]
    for task in changed:
        apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], labels=labels)
    return len(changed)
""",
        (
            'Every open task in my project "{project}" should have all labels that any open task there has. Please'
            " add what is missing.",
            'Collect the labels of the open tasks in my todo project "{project}" and give each of these tasks all of'
            " them.",
            'Which labels occur among the open tasks of "{project}", a project in my todo app? Each open task of the'
            " project is to carry every one of these labels.",
        ),
        apps=("todo",),
        slots=(_PROJECT,),
        matters=((", done=False", ""),),
    ),
    written(
        "delete_doubled_tasks",
        "delete the open tasks of a project whose title an older open task of it has; return how many",
        _FINDS
        + """    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id, done=False)
    known = set()
    doubles = []
    for task in sorted(tasks, key=lambda task: task["created_at"]):
        if task["title"] in known:
            doubles.append(task)
        known.add(task["title"])
    for task in doubles:
        apis.todo.delete_task(access_token=todo_token, task_id=task["task_id"])
    return len(doubles)
""",
        (
            'My project "{project}" has several open tasks with the same title. Keep only the oldest of each (by when'
            " it was created) and delete the others.",
            'Delete the doubles in my todo project "{project}": of all open tasks there with exactly the same title,'
            " just the one that was created first survives.",
            'In "{project}", a project of my todo app, no title should occur twice among the open tasks. Wherever it'
            " does, delete all but the one created earliest.",
        ),
        apps=("todo",),
        slots=(_PROJECT,),
        matters=((', key=lambda task: task["created_at"])', ', key=lambda task: task["created_at"], reverse=True)'),),
        scenes=(doubled_tasks,),
    ),
    written(
        "open_minus_done_with_label",
        "return how many more open than done tasks with a label there are",
        """
    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, label=label)
    done = [task for task in tasks if task["done"]]
    pending = [task for task in tasks if not task["done"]]
    return len(pending) - len(done)
""",
        (
            'How many more open tasks than done tasks do I have with the label "{label}"? Give a negative number if'
            " there are fewer open ones.",
            'Count my open tasks labelled "{label}", subtract the number of done tasks with the same label, and'
            " answer with the result.",
            'For the label "{label}" in my todo app: what is the number of open tasks minus the number of done ones?',
        ),
        apps=("todo",),
        slots=(_LABEL,),
        matters=((" - len(done)", ""),),
        asks=True,
    ),
    written(
        "task_for_projects_without_open_tasks",
        "create a task in each unarchived project with fewer than so many open tasks; return how many",
        """
    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
    quiet = [project for project in projects if project["open_tasks"] < fewer_than]
    for project in quiet:
        title = f"Plan {project['name']}"
        apis.todo.create_task(access_token=todo_token, title=title, project_id=project["project_id"])
    return len(quiet)
""",
        (
            "Each unarchived project of mine with fewer than {fewer_than} open tasks should get a new task, titled"
            ' "Plan " and then the name of the project.',
            "Look at how many open tasks my projects have, archived ones aside. Where there are fewer than"
            ' {fewer_than}, create a task in that project called "Plan NAME", NAME being the name of the project.',
            'Create a task "Plan NAME" (with the name of the project) inside every project of mine that is not'
            " archived and has less than {fewer_than} open tasks.",
        ),
        apps=("todo",),
        slots=(one_of("fewer_than", 2, 3, 4),),
        matters=((' if project["open_tasks"] < fewer_than', ""),),
    ),
)


NOTES = (
    written(
        "archive_all_but_newest_note",
        "archive the notes with a tag but for the one changed last; return how many",
        _NOTES
        + """    newest = max(notes, key=lambda note: note["updated_at"])
    others = [note for note in notes if note["note_id"] != newest["note_id"]]
    for note in others:
        apis.notes.archive_note(access_token=notes_token, note_id=note["note_id"])
    return len(others)
""",
        (
            'Archive all my notes tagged "{tag}" except the one that was changed last.',
            'Of my notes with the tag "{tag}" that are not archived yet, only the most recently changed one should'
            " stay outside the archive. Put the others into it.",
            'Which of my unarchived "{tag}" notes (the tag) was changed last? Keep that one as it is and archive the'
            " rest of them.",
        ),
        apps=("notes",),
        slots=(_TAG,),
        matters=(("newest = max(", "newest = min("), (", tag=tag", "")),
    ),
    written(
        "pin_oldest_note_only",
        "pin the oldest note with a tag and unpin the others; return how many were changed",
        _NOTES
        + """    oldest = min(notes, key=lambda note: note["created_at"])
    pinned = [note for note in notes if note["pinned"] and note["note_id"] != oldest["note_id"]]
    for note in pinned:
        apis.notes.unpin_note(access_token=notes_token, note_id=note["note_id"])
    if not oldest["pinned"]:
        apis.notes.pin_note(access_token=notes_token, note_id=oldest["note_id"])
    return len(pinned) + 1
""",
        (
            'Among my unarchived notes tagged "{tag}", the one created first should be pinned and no other. Unpin and'
            " pin as needed.",
            'Pin the oldest (by creation) of my notes with the tag "{tag}" that are outside the archive, unless it is'
            " pinned already, and take the pin off all others with this tag outside the archive.",
            'Just one of my "{tag}" notes (the tag, archived ones aside) should have a pin: the one that was created'
            " earliest. Please see to it.",
        ),
        apps=("notes",),
        slots=(_TAG,),
        matters=(("oldest = min(", "oldest = max("),),
    ),
    written(
        "share_tags_of_latest_note",
        "give the notes with a tag all tags of the one changed last; return how many tags were added",
        _NOTES
        + """    latest = max(notes, key=lambda note: note["updated_at"])
    added = 0
    for note in notes:
        for missing in sorted(set(latest["tags"]) - set(note["tags"])):
            apis.notes.tag_note(access_token=notes_token, note_id=note["note_id"], tag=missing)
            added += 1
    return added
""",
        (
            'Give each of my unarchived notes tagged "{tag}" all the tags that the most recently changed of them has.',
            'Find the note with the tag "{tag}" that was changed last (archived ones do not count). All other'
            " unarchived notes with this tag should get its tags, too, and keep their own.",
            'The last changed one of my "{tag}" notes (the tag, outside the archive) has the right tags. Add them to'
            " the rest of these notes wherever they are missing.",
        ),
        apps=("notes",),
        slots=(_TAG,),
        matters=(("latest = max(", "latest = min("), (", tag=tag", "")),
    ),
    written(
        "task_for_stale_notes",
        "create a task for each note with a tag that lags behind the others; return how many",
        """
    notes = all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag)
    latest = max(note["updated_at"] for note in notes)
    limit = (datetime.fromisoformat(latest) - timedelta(days=days)).isoformat()
    stale = [note for note in notes if note["updated_at"] < limit]
    for note in stale:
        apis.todo.create_task(access_token=todo_token, title=f"Update {note['title']}")
    return len(stale)
""",
        (
            'Create a task "Update TITLE" (with the title of the note) for every unarchived note of mine tagged'
            ' "{tag}" that was last changed more than {days} days of 24 hours before the most recently changed one of'
            " them.",
            'When was the latest change to one of my unarchived notes with the tag "{tag}"? Those of them that were'
            " last changed more than {days} times 24 hours before that each need a task in my todo app, titled"
            ' "Update " and the note\'s title.',
            'Some of my "{tag}" notes (the tag, archived ones aside) lag behind: their last change lies more than'
            " {days} days (24 hours each) before the last change of the newest of them. Make a task for each in the"
            ' todo app that says "Update TITLE", with its title.',
        ),
        apps=("notes", "todo"),
        slots=(_TAG, one_of("days", 60, 90, 120, 200)),
        matters=((' if note["updated_at"] < limit', ""), (", tag=tag", "")),
    ),
)
FILES = (
    written(
        "delete_newer_copies",
        "delete the files of a folder whose text an older file of it has; return how many",
        """
    files = all_pages(apis.files.search_files, access_token=files_token, directory_path=folder, sort_by="created_at")
    known = set()
    doubles = []
    for file in files:
        content = apis.files.show_file(access_token=files_token, file_path=file["path"])["content"]
        if content in known:
            doubles.append(file["path"])
        known.add(content)
    for path in doubles:
        apis.files.delete_file(access_token=files_token, file_path=path)
    return len(doubles)
""",
        (
            'Some files in my folder "{folder}" have exactly the same text. Of each such set keep the one that was'
            " created first and delete the others.",
            'Delete the doubles in "{folder}": whenever several files there hold the same text, only the oldest by'
            " creation stays.",
            'In my folder "{folder}" every text should exist just once. Where it does not, delete all files with that'
            " text but the one created earliest.",
        ),
        apps=("files",),
        slots=(_FOLDER,),
        matters=((', sort_by="created_at"', ', sort_by="-created_at"'),),
        scenes=(doubled_files,),
    ),
    *(
        written(
            name,
            about,
            f"""
    here = apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]
    there = apis.files.show_directory(access_token=files_token, directory_path=other_folder)["files"]
    names = {{path.split("/")[-1] for path in there}}
    found = [path for path in here if path.split("/")[-1] {sign} names]
    for path in found:
{act}    return len(found)
""",
            wordings,
            apps=("files",),
            slots=(_FOLDER, _OTHER),
            matters=((f' if path.split("/")[-1] {sign} names', ""),),
            scenes=(twin_folders,),
        )
        for name, about, sign, act, wordings in (
            (
                "delete_files_with_namesake",
                "delete the files of `folder` whose name a file of `other_folder` has, too; return how many",
                "in",
                "        apis.files.delete_file(access_token=files_token, file_path=path)\n",
                (
                    'Delete from my folder "{folder}" every file that has a namesake in my folder "{other_folder}".',
                    'Whatever is called the same in "{folder}" and "{other_folder}" should only stay in the latter.'
                    " Delete these files from the former.",
                    'Compare the file names in my folders "{folder}" and "{other_folder}". Those that both have are'
                    " to be deleted from the first folder.",
                ),
            ),
            (
                "copy_missing_files",
                "copy the files of `folder` whose name `other_folder` lacks to it; return how many",
                "not in",
                "        target = f\"{other_folder}/{path.split('/')[-1]}\"\n"
                "        apis.files.copy_file(access_token=files_token, file_path=path, destination_path=target)\n",
                (
                    'Copy every file of my folder "{folder}" that has no namesake in my folder "{other_folder}"'
                    " there, under the same name.",
                    'My folder "{other_folder}" should have everything that "{folder}" has, going by file names. Copy'
                    " what is missing and keep the names.",
                    'Which file names occur in "{folder}", but not in "{other_folder}"? Put copies of these files'
                    " into the latter folder, names unchanged.",
                ),
            ),
            (
                "move_new_files",
                "move the files of `folder` whose name `other_folder` lacks to it; return how many",
                "not in",
                "        target = f\"{other_folder}/{path.split('/')[-1]}\"\n"
                "        apis.files.move_file(access_token=files_token, file_path=path, destination_path=target)\n",
                (
                    'Move the files of my folder "{folder}" to my folder "{other_folder}", names kept, but leave'
                    " those where they are for which there is a file of the same name already.",
                    'Everything in "{folder}" that "{other_folder}" has no file of the same name for should be moved'
                    " there, with its name.",
                    'Go through my folder "{folder}": a file whose name is not taken in "{other_folder}" is to be'
                    " moved into that folder, the others stay.",
                ),
            ),
        )
    ),
)
ALARMS = (
    written(
        "switch_off_equal_alarms",
        "switch off the alarms of a day that ring when another of them does; return how many",
        """
    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token, is_enabled=True)
    ringing = [alarm for alarm in alarms if day in alarm["repeat_days"]]
    times = set()
    doubles = []
    for alarm in sorted(ringing, key=lambda alarm: alarm["label"]):
        if alarm["time"] in times:
            doubles.append(alarm)
        times.add(alarm["time"])
    for alarm in doubles:
        apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm["alarm_id"], is_enabled=False)
    return len(doubles)
""",
        (
            'Of my active alarms that repeat on "{day}", several may ring at the same time. For each such time leave'
            " only the one on whose label comes first in the alphabet and switch the others off.",
            'No two active alarms of mine that ring every "{day}" should have the same time. Where they do, switch'
            " off all of them but the one with the first label by alphabet.",
            'Look at the alarms that are on and repeat on "{day}". At any one time just one of them, the first by'
            " label, may stay on. Turn off the rest.",
        ),
        apps=("phone",),
        slots=(_DAY,),
        matters=((', key=lambda alarm: alarm["label"])', ', key=lambda alarm: alarm["label"], reverse=True)'),),
        scenes=(doubled_alarms,),
    ),
    written(
        "align_snooze_of_day",
        "give the alarms of a day the snooze of the earliest of them; return how many were changed",
        """
    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token)
    ringing = [alarm for alarm in alarms if day in alarm["repeat_days"]]
    earliest = min(ringing, key=lambda alarm: alarm["time"])
    others = [alarm for alarm in ringing if alarm["snooze_minutes"] != earliest["snooze_minutes"]]
    for alarm in others:
        apis.phone.update_alarm(
            access_token=phone_token, alarm_id=alarm["alarm_id"], snooze_minutes=earliest["snooze_minutes"]
        )
    return len(others)
""",
        (
            'Give all alarms of mine that repeat on "{day}", on or off, the same snooze as the one of them that rings'
            " first in the day.",
            'Which of my alarms (active or not) with "{day}" among their days rings earliest? Its number of snooze'
            " minutes should hold for all alarms of that day.",
            'For my "{day}" alarms, whether switched on or not: bring their snooze in line with that of the earliest'
            " among them.",
        ),
        apps=("phone",),
        slots=(_DAY,),
        matters=(("earliest = min(", "earliest = max("), (' if day in alarm["repeat_days"]', "")),
    ),
    written(
        "alarm_for_first_due_task",
        "set an alarm for the open task with a label that is due first; return 1",
        """
    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, label=label, done=False)
    first = min((task for task in tasks if task["due_date"]), key=lambda task: (task["due_date"], task["title"]))
    weekday = datetime.fromisoformat(first["due_date"]).strftime("%A").lower()
    apis.phone.create_alarm(access_token=phone_token, label=first["title"], time=time, repeat_days=[weekday])
    return 1
""",
        (
            'Set an alarm at "{time}" for the open task labelled "{label}" that is due first (of those due on the'
            " same day, the first by title). Label it like the task and let it repeat on the weekday on which the"
            " task is due.",
            'Which of my open tasks with the label "{label}" has the earliest due date, and, among equal dates, the'
            ' first title by alphabet? I need an alarm with its title as the label, at "{time}", repeating on the'
            " weekday of that date.",
            'Create an alarm at "{time}" that repeats on just one weekday: the one on which my first open "{label}"'
            " task (the label) is due. Its label is the title of the task; if two are due that day, take the one that"
            " comes first by title.",
        ),
        apps=("todo", "phone"),
        slots=(_LABEL, one_of("time", "06:35", "07:25", "08:05", "17:15", "19:55")),
        matters=(("first = min(", "first = max("), (", label=label", "")),
    ),
)
