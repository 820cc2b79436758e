"""Tasks brought in line with each other, doubles removed, open ones and done ones compared."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.within import PROJECT
from prowess_practice.errands.transfers.align import written
from prowess_practice.errands.transfers.parts import Slot, inside, one_of, own
from prowess_practice.errands.transfers.scenes import doubled_tasks, more_tasks, own_folder

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
