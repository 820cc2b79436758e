"""Train families of the todo app: projects, tasks, labels, subtasks and comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps.todo import (
    COLORS,
    Project,
    Subtask,
    TaskComment,
    TodoTask,
    add_project,
    comment,
    edit_task,
    finish,
    inbox,
    label,
    project_named,
    remove_project,
    remove_task,
    task_titled,
)
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import CHORES, older_twin, planned, projects_of
from prowess_desk.families.scene import ago
from prowess_desk.families.toolbox import all_pages, apis, login


def stepped(draw: Draw, task: TodoTask, steps: Sequence[str], ticked: Sequence[str]) -> TodoTask:
    """A task with steps, some of them done."""
    return draw.state[TodoTask].change(
        task.id, subtasks=tuple(Subtask(title=step, done=step in ticked) for step in steps)
    )


JOBS = {
    "Repaint the bedroom": "move the bed|tape the edges|fill the holes|sand the walls|first coat|second coat|tidy up",
    "Host the quiz night": "write questions|book a room|print sheets|buy prizes|find a judge|test the bell|invite",
    "Set up the market stall": "rent a table|bake bread|get change|paint the sign|load the van|order bags|hang lights",
    "Build the rabbit hutch": "draw the plan|buy boards|cut the wire|saw the frame|assemble it|stain it|add a lock",
    "Sort the family photos": "collect albums|scan slides|name faces|bin doubles|choose frames|back up|order prints",
    "Launch the newsletter": "pick a name|write issue one|ask for feedback|set up the list|test it|announce it|reply",
}


# Finish the tasks of a project that are due before a day.


def _make_finish_due_tasks(draw: Draw) -> Values | None:
    rng = draw.rng
    project, other = projects_of(draw, 2)
    chores = iter(rng.sample(CHORES, 13))
    day = draw.state.now.date() + timedelta(days=rng.randint(-4, 10))
    for n in range(7):
        planned(draw, project, next(chores), due=day - timedelta(days=3 * n + 1), days=60 - n)
    planned(draw, project, next(chores), due=day)
    planned(draw, project, next(chores), due=day + timedelta(days=rng.randint(1, 9)))
    planned(draw, project, next(chores))  # never due
    planned(draw, project, next(chores), due=day - timedelta(days=5), done=True)  # doing it again is refused
    for _ in range(2):
        planned(draw, other, next(chores), due=day - timedelta(days=rng.randint(1, 9)))
    return {
        "project": project.name,
        "day": day.isoformat(),
        "other_project": other.name,
        "other_day": (day - timedelta(days=4)).isoformat(),
    }


def _solve_finish_due_tasks(state: State, me: Person, values: Values) -> Json:
    project, day = project_named(state, me.id, values["project"]), date.fromisoformat(values["day"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and not task.done and task.due is not None and task.due < day:
            finish(state, task.id)


def finish_tasks_due_before(project: str, day: str) -> int:
    """Mark the open tasks of a project that are due before a day (YYYY-MM-DD) as done and return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False)
    due = [task for task in tasks if task["due_date"] and task["due_date"] < day]
    for task in due:
        apis.todo.mark_task_done(access_token=token, task_id=task["task_id"])
    return len(due)


finish_due_tasks = Family(
    name="finish_due_tasks",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"project": str, "day": str},
    wordings=(
        'Mark all tasks of my todo project "{project}" that are due before {day} as done.',
        'Everything in "{project}" with a due date earlier than {day} has been taken care of. Please tick those tasks'
        " off in the todo app.",
        'I have caught up with my "{project}" tasks: whatever in that project was due before {day} (not on the day'
        " itself) can be set to done.",
    ),
    make=_make_finish_due_tasks,
    solve=_solve_finish_due_tasks,
    program=Program(
        functions=(finish_tasks_due_before,), call="finish_tasks_due_before(project={project!r}, day={day!r})"
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="that_day_too", old='task["due_date"] < day', new='task["due_date"] <= day'),
        Mistake(name="never_due_too", old='task["due_date"] and', new='not task["due_date"] or'),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(name="every_project", old="project_id=project_id, done=False", new="done=False"),
    ),
)


# Make the tasks with a label more urgent.


def _make_raise_priority(draw: Draw) -> Values | None:
    rng = draw.rng
    first, second = projects_of(draw, 2)
    label, other = rng.sample(LABELS, 2)
    level = rng.choice((2, 3))
    chores = iter(rng.sample(CHORES, 14))
    for n in range(7):
        priority = rng.randint(level + 1, 4)
        planned(draw, rng.choice((first, second)), next(chores), priority=priority, labels=[label], days=70 - n)
    planned(draw, second, next(chores), priority=1, labels=[label, other])  # more urgent already
    planned(draw, first, next(chores), priority=level - 1, labels=[label])
    planned(draw, first, next(chores), priority=4, labels=[label], done=True)
    planned(draw, second, next(chores), priority=4, labels=[other])
    planned(draw, second, f"{next(chores)} ({label})", priority=4)  # not a label
    return {"label": label, "level": level, "other_label": other, "other_level": level - 1}


def _solve_raise_priority(state: State, me: Person, values: Values) -> Json:
    for task in state[TodoTask].of(me.id):
        if not task.done and values["label"] in task.labels:
            edit_task(state, task.id, priority=min(task.priority, values["level"]))


def raise_priority_of_label(label: str, priority: int) -> int:
    """Give the open tasks with a label that are less urgent than a priority that priority; return how many."""
    token = login(app="todo")
    tasks = all_pages(apis.todo.list_tasks, access_token=token, label=label, done=False)
    lower = [task for task in tasks if task["priority"] > priority]
    for task in lower:
        apis.todo.update_task(access_token=token, task_id=task["task_id"], priority=priority)
    return len(lower)


raise_priority = Family(
    name="raise_priority",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"label": str, "level": int},
    wordings=(
        'Raise all open tasks labelled "{label}" to priority {level}. 1 is the most urgent: those that are more urgent'
        " already keep theirs.",
        'No unfinished task with the label "{label}" should have a priority below {level} in my todo app (1 is the'
        " highest, 4 the lowest). Set the ones that do to {level} and leave the rest.",
        'Please go through my todo tasks that carry the label "{label}" and are not done yet, and change the priority'
        " to {level} wherever it is less urgent than that, a larger number being less urgent.",
    ),
    make=_make_raise_priority,
    solve=_solve_raise_priority,
    program=Program(
        functions=(raise_priority_of_label,), call="raise_priority_of_label(label={label!r}, priority={level!r})"
    ),
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="a_level_higher", swap={"level": "other_level"}),
        Mistake(name="urgent_ones_lowered", old=' if task["priority"] > priority', new=""),
        Mistake(name="wrong_way_round", old='task["priority"] > priority', new='task["priority"] < priority'),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Delete the archived projects in which nothing is left to do, but those of one color.

_PAST = """Old flat|Choir tour|Half marathon|Book club|Allotment|Boat license|Robot kit|School reunion|Charity run|
Language course|Kitchen remodel|Exhibition|Scout camp|Beehives""".replace("\n", "").split("|")
"""Names of projects that nobody has at first, as below."""


def _make_clear_project_archive(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    color, other, third = rng.sample(COLORS, 3)
    names, chores = iter(rng.sample(_PAST, 13)), iter(rng.sample(CHORES, 32))
    shelf = [(third, 0)] * 4 + [(other, 0)] * 2 + [(color, 0)] * 2 + [(color, 1), (other, 2), (third, 1)]
    for shade, left in rng.sample(shelf, len(shelf)):
        project = add_project(state, me.id, next(names), shade)
        for n in range(rng.randint(0, 2) + left):
            planned(draw, project, next(chores), done=n >= left, days=200)
        state[Project].change(project.id, archived=True)
    for shade in (third, other):  # nothing left to do, but not archived
        planned(draw, add_project(state, me.id, next(names), shade), next(chores), done=True)
    planned(draw, inbox(state, me.id), next(chores))
    return {"color": color, "other_color": other}


def _solve_clear_project_archive(state: State, me: Person, values: Values) -> Json:
    busy = {task.project_id for task in state[TodoTask].of(me.id) if not task.done}
    for project in state[Project].of(me.id):
        if project.archived and project.id not in busy and project.color != values["color"]:
            remove_project(state, project.id)


def delete_settled_projects(spared_color: str) -> int:
    """Delete the archived projects without open tasks, except those of a color, and return how many."""
    token = login(app="todo")
    archived = all_pages(apis.todo.list_projects, access_token=token, archived=True)
    settled = [each for each in archived if each["open_tasks"] == 0 and each["color"] != spared_color]
    for project in settled:
        apis.todo.delete_project(access_token=token, project_id=project["project_id"])
    return len(settled)


clear_project_archive = Family(
    name="clear_project_archive",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"color": str},
    wordings=(
        "Delete all archived projects in my todo app that have no open task, empty ones too, except the {color} ones.",
        "The archive of my todo app is too full. Whatever project lies there with nothing left to do in it (or with no"
        " task at all) can be deleted for good. I am keeping {color} projects, though, so spare those.",
        "Unless it is {color}, throw away each of my archived todo projects whose number of open tasks is zero."
        " Projects outside the archive are not meant.",
    ),
    make=_make_clear_project_archive,
    solve=_solve_clear_project_archive,
    program=Program(functions=(delete_settled_projects,), call="delete_settled_projects(spared_color={color!r})"),
    mistakes=(
        Mistake(name="another_color", swap={"color": "other_color"}),
        Mistake(name="nothing_spared", old=' and each["color"] != spared_color', new=""),
        Mistake(name="unsettled_ones_too", old='each["open_tasks"] == 0 and ', new=""),
        Mistake(name="outside_the_archive", old=", archived=True", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_projects, ", new="apis.todo.list_projects("),
        Mistake(
            name="taken_out_instead",
            old='delete_project(access_token=token, project_id=project["project_id"])',
            new='update_project(access_token=token, project_id=project["project_id"], archived=False)',
        ),
    ),
)


# Replace labels that few tasks have by another.

_RARE = ("attic", "heavy", "rainy day", "borrowed", "for two", "fragile", "by bike", "tools", "noisy", "upstairs")


_CATCHALL = ("misc", "various", "sundry", "odds and ends", "unsorted", "leftover")


def _make_fold_rare_labels(draw: Draw) -> Values | None:
    rng = draw.rng
    projects, chores = projects_of(draw, 3), iter(rng.sample(CHORES, 16))
    count = rng.randint(3, 4)
    one, few, some, enough, many = rng.sample(_RARE, 5)
    label, other = rng.sample(_CATCHALL, 2)
    rows: list[tuple[list[str], bool]] = [([one, few], False), ([some, many], True), ([some, label], False)]
    rows += [([few], False)] * (count - 2) + [([some], False)] * (count - 3)
    rows += [([enough], n == 0) for n in range(count)] + [([many], False)] * count
    rows += [([label], False)]  # few tasks have it so far
    for labels, done in rng.sample(rows, len(rows)):
        planned(draw, rng.choice(projects), next(chores), labels=labels, done=done, days=rng.randint(5, 90))
    return {"count": count, "label": label, "other_count": count + 1, "other_label": other}


def _solve_fold_rare_labels(state: State, me: Person, values: Values) -> Json:
    mine = state[TodoTask].of(me.id)
    every = [label for task in mine for label in task.labels]
    kept = {label for label in every if every.count(label) >= values["count"]} | {values["label"]}
    for task in mine:
        if not kept >= set(task.labels):
            edit_task(state, task.id, labels=tuple(sorted({*kept.intersection(task.labels), values["label"]})))


def replace_rare_labels(least: int, label: str) -> int:
    """Put a label in the place of each other label that fewer tasks than this have and return how many it replaced."""
    token = login(app="todo")
    counts = apis.todo.list_labels(access_token=token)
    rare = [each["label"] for each in counts if each["tasks"] < least and each["label"] != label]
    for name in rare:
        for task in all_pages(apis.todo.list_tasks, access_token=token, label=name):
            apis.todo.label_task(access_token=token, task_id=task["task_id"], label=label)
            apis.todo.unlabel_task(access_token=token, task_id=task["task_id"], label=name)
    return len(rare)


fold_rare_labels = Family(
    name="fold_rare_labels",
    split="train",
    difficulty=3,
    apps=("todo",),
    slots={"count": int, "label": str},
    wordings=(
        "Replace every label that fewer than {count} of my todo tasks have, done tasks counted as well, by the label"
        ' "{label}". Do it on done tasks, too. "{label}" itself stays where it is.',
        "I have too many labels in the todo app. Those that are on less than {count} tasks (open and done ones taken"
        ' together) should go: take them off, and give each task that had one "{label}" instead. All other labels stay,'
        " and so does that one, even where it was before.",
        'Let us have "{label}" as the label for all that is rare: where a todo task, finished or not, carries a label'
        " that does not reach {count} tasks in all, swap that label for it. Labels on {count} tasks or more stay.",
    ),
    make=_make_fold_rare_labels,
    solve=_solve_fold_rare_labels,
    program=Program(functions=(replace_rare_labels,), call="replace_rare_labels(least={count!r}, label={label!r})"),
    mistakes=(
        Mistake(name="another_number", swap={"count": "other_count"}),
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="that_many_too", old='each["tasks"] < least', new='each["tasks"] <= least'),
        Mistake(name="only_open_ones", old="label=name):", new="label=name, done=False):"),
        Mistake(name="itself_too", old=' and each["label"] != label', new=""),
        Mistake(
            name="other_labels_lost",
            old='apis.todo.unlabel_task(access_token=token, task_id=task["task_id"], label=name)',
            new='apis.todo.update_task(access_token=token, task_id=task["task_id"], labels=[label])',
        ),
    ),
)


def _remarked(draw: Draw, task: TodoTask, text: str, when: datetime) -> None:
    """A comment of the past."""
    draw.state[TaskComment].put(replace(comment(draw.state, task.id, text), written_at=when))


# Prepare a task that was done for its next round.

_ROUTINES = {
    "Pack for the cabin": "fill the cooler|load the skis|check the tyres|lock the shed|take the maps|charge the lamps",
    "Monthly accounts": "download statements|sort receipts|enter cash|compare totals|send the summary|file it all",
    "Clean the aquarium": "unplug the heater|scrape the glass|change the water|rinse the filter|trim plants|feed fish",
    "Choir evening": "warm up the hall|set out chairs|copy the scores|tune the piano|make tea|lock up",
    "Winter check of the car": "measure the tread|top up coolant|test the battery|new wipers|salt mats|lock spray",
    "Big spring clean": "wash the curtains|move the sofa|wax the floor|beat the rugs|wipe the shelves|air the beds",
}


_REMARKS = """Started late this time.|Took longer than planned.|Borrowed a ladder from next door.|Half of it is done.|
Ran out of soap.|Asked for help.|Continued on Saturday.|Almost there.|Found what was missing.|Much easier with two.|
Moved to next week.|Called to say it is ready.|Photos are on my phone.|Left the keys at work.""".replace("\n", "")


def _make_reset_routine_task(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    title, project = rng.choice(list(_ROUTINES)), rng.choice(projects_of(draw, 2))
    steps, twin = rng.sample(_ROUTINES[title].split("|"), 6), older_twin(title)
    for name, days in ((twin, 390), (title, 40)):
        task = planned(draw, project, name, due=(now - timedelta(days=days // 2)).date(), done=True, days=days)
        stepped(draw, task, steps, [step for step in steps if step != steps[days % 5]])
        for n, text in enumerate(rng.sample(_REMARKS.split("|"), rng.randint(6, 8))):
            _remarked(draw, task, text, now - timedelta(days=days - n, minutes=rng.randint(1, 600)))
    day = now.date() + timedelta(days=rng.randint(3, 60))
    return {"title": title, "day": str(day), "other_day": str(day + timedelta(days=1))}


def _solve_reset_routine_task(state: State, me: Person, values: Values) -> Json:
    task = task_titled(state, me.id, values["title"])
    steps = tuple(Subtask(title=step.title) for step in task.subtasks)
    due = date.fromisoformat(values["day"])
    state[TodoTask].change(task.id, subtasks=steps, due=due, done=False, completed_at=None)
    for one in state[TaskComment].of(me.id):
        if one.task_id == task.id:
            state[TaskComment].remove(one.id)


def start_task_over(title: str, due_date: str) -> int:
    """Reopen a done task, due on a day, with no subtask done and no comments; return how many comments it had."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    apis.todo.reopen_task(access_token=token, task_id=task_id)
    apis.todo.update_task(access_token=token, task_id=task_id, due_date=due_date)
    for step in apis.todo.show_task(access_token=token, task_id=task_id)["subtasks"]:
        number = step["subtask_number"]
        apis.todo.update_subtask(access_token=token, task_id=task_id, subtask_number=number, done=False)
    comments = all_pages(apis.todo.list_comments, access_token=token, task_id=task_id)
    for each in comments:
        apis.todo.delete_comment(access_token=token, comment_id=each["comment_id"])
    return len(comments)


reset_routine_task = Family(
    name="reset_routine_task",
    split="train",
    difficulty=3,
    apps=("todo",),
    slots={"title": str, "day": str},
    wordings=(
        'Reset my todo task "{title}" for the next time: reopen it, set all its subtasks to not done, delete all its'
        " comments and make it due on {day}.",
        'It is time for "{title}" again, by {day}. The task is in my todo app, marked as done since last time. Open it'
        " once more with that due date, untick every subtask, and clear away the comments.",
        'I reuse the todo task "{title}". Please get it ready: no comments left, no step checked off, the task itself'
        " not done any more, new due date {day}.",
    ),
    make=_make_reset_routine_task,
    solve=_solve_reset_routine_task,
    program=Program(functions=(start_task_over,), call="start_task_over(title={title!r}, due_date={day!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="first_match", old=' if task["title"] == title', new=""),
        Mistake(name="first_comments", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
        Mistake(name="comments_kept", old="        apis.todo.delete_comment(", new="        dict("),
        Mistake(name="steps_ticked", old="subtask_number=number, done=False)", new="subtask_number=number)"),
        Mistake(name="still_done", old="apis.todo.reopen_task(access_token=token, task_id=task_id)", new="pass"),
    ),
)


# What did I write last about a task before some day?


def _make_last_remark_before(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    title = rng.choice((*CHORES, *JOBS))
    project, (twin, back) = rng.choice(projects_of(draw, 2)), (older_twin(title), rng.randint(3, 25))
    day = now.date() - timedelta(days=back)
    remarks = rng.sample(_REMARKS.split("|"), 14)
    for name in (twin, title):
        task = planned(draw, project, name, days=90 if name == title else 110)
        gaps = sorted(rng.sample(range(1, 40), rng.randint(6, 7)), reverse=True) if name == title else [8, 1]
        for gap in (*gaps, 0, -1):  # before, that very day, and after
            when = datetime.combine(day - timedelta(days=gap), time(rng.randint(7, 21), rng.randint(0, 59)))
            _remarked(draw, task, remarks.pop(), when)
    return {"title": title, "day": str(day), "other_title": twin, "other_day": str(day + timedelta(days=1))}


def _solve_last_remark_before(state: State, me: Person, values: Values) -> Json:
    task, day = task_titled(state, me.id, values["title"]), date.fromisoformat(values["day"])
    mine = [one for one in state[TaskComment].of(me.id) if one.task_id == task.id and one.written_at.date() < day]
    return max(mine, key=lambda one: one.written_at).text


def last_comment_before(title: str, day: str) -> str:
    """Return the text of the last comment that a task got before a day (YYYY-MM-DD)."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    comments = all_pages(apis.todo.list_comments, access_token=token, task_id=task_id)
    earlier = [comment for comment in comments if comment["written_at"][:10] < day]
    return max(earlier, key=lambda comment: comment["written_at"])["text"]


last_remark_before = Family(
    name="last_remark_before",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"title": str, "day": str},
    wordings=(
        'What is the text of the last comment I wrote on the todo task "{title}" before {day}?',
        'I comment on my todo tasks as I go along. Look under "{title}": which comment was the most recent one when'
        " {day} began? Give me its exact words.",
        'Among the comments of my task "{title}" in the todo app that are dated earlier than {day}, not on the day'
        " itself, find the latest and tell me what it says, word for word.",
    ),
    make=_make_last_remark_before,
    solve=_solve_last_remark_before,
    program=Program(functions=(last_comment_before,), call="last_comment_before(title={title!r}, day={day!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_task", swap={"title": "other_title"}),
        Mistake(name="that_day_too", swap={"day": "other_day"}),
        Mistake(name="the_very_last", old=' if comment["written_at"][:10] < day', new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
        Mistake(name="the_first", old="return max(", new="return min("),
    ),
)


# Delete what is done and has a word in its title.

_THINGS = {"boat": "houseboat", "pan": "panel", "bell": "doorbell", "rug": "rugby ball", "rack": "tracksuit"}
_THINGS |= {"coat": "raincoat", "mast": "mastiff", "tub": "tuba", "harp": "harpoon", "cart": "cartridge"}
"""A thing, and another whose name holds it."""


_DEEDS = """call about the {0}|clean the {0}|photograph the {0}|ask Jo for the {0} key|{0}: compare offers|
insure the {0}|measure the {0}|move the {0}|sell that old {0}|pay for the {0}|pick up {0} and cover|
thank Lee for the {0}|read the {0} manual|repair the {0}|write an ad: {0} wanted""".replace("\n", "").split("|")


def _make_purge_done_mentions(draw: Draw) -> Values | None:
    rng, projects = draw.rng, projects_of(draw, 3)
    word, other = rng.sample(list(_THINGS), 2)
    deeds = rng.sample(_DEEDS, 15)
    count = rng.randint(6, 11)
    for n, deed in enumerate(deeds[:12]):
        title = deed.format(word.capitalize() if n % 4 == 1 else word)
        planned(draw, rng.choice(projects), title, done=n < count, days=rng.randint(5, 300))
    planned(draw, projects[0], deeds[12].format(_THINGS[word]), done=True)  # part of a longer word
    planned(draw, projects[1], deeds[13].format(other), done=True)
    task = planned(draw, projects[2], rng.choice(CHORES), done=True)
    draw.state[TodoTask].change(task.id, description=f"Before the {word} arrives.")  # not in its title
    return {"word": word, "other_word": other}


def _solve_purge_done_mentions(state: State, me: Person, values: Values) -> Json:
    found = [task for task in state[TodoTask].of(me.id) if task.done]
    found = [task for task in found if values["word"] in re.split(r"[^a-z]+", task.title.lower())]
    for task in found:
        remove_task(state, task.id)
    return len(found)


def delete_done_tasks_titled(word: str) -> int:
    """Delete the done tasks with a whole word in their title, in any capitalization, and return how many."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=word)
    titled = [task for task in found if re.search(rf"\b{re.escape(word)}\b", task["title"], re.IGNORECASE)]
    done = [task for task in titled if task["done"]]
    for task in done:
        apis.todo.delete_task(access_token=token, task_id=task["task_id"])
    return len(done)


purge_done_mentions = Family(
    name="purge_done_mentions",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"word": str},
    wordings=(
        'Delete every done task in my todo app that has the word "{word}" in its title, in any capitalization but not'
        " as part of a longer word, and tell me how many you deleted.",
        'How many of the tasks that I have finished mention "{word}" in the title? Only the whole word counts,'
        " capitals or not, and descriptions do not matter. Delete those tasks from my todo app and give me the number.",
        'I am through with much of what had to do with "{word}". Look for todo tasks whose title contains that as a'
        " word of its own (upper or lower case), delete the ones that are done already, and answer with their number.",
    ),
    make=_make_purge_done_mentions,
    solve=_solve_purge_done_mentions,
    program=Program(functions=(delete_done_tasks_titled,), call="delete_done_tasks_titled(word={word!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(name="open_ones_too", old=' if task["done"]', new=""),
        Mistake(name="longer_words", old=r'rf"\b{re.escape(word)}\b"', new="re.escape(word)"),
        Mistake(name="capitals_missed", old=", re.IGNORECASE", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.search_tasks, ", new="apis.todo.search_tasks("),
        Mistake(name="only_counted", old="        apis.todo.delete_task(", new="        dict("),
    ),
)


# Move what is due on a weekend to the Monday after.


def _make_weekend_tasks_to_monday(draw: Draw) -> Values | None:
    rng = draw.rng
    project, other = projects_of(draw, 2)
    label, *free = rng.sample(LABELS, len(LABELS))
    chores = iter(rng.sample(CHORES, 15))
    saturday = draw.state.now.date() + timedelta(days=rng.choice((6, 13, 20)))
    for n in range(4):
        for due in (saturday + timedelta(days=7 * n), saturday + timedelta(days=7 * n + 1)):
            planned(draw, project, next(chores), due=due, labels=free[: n % 3], days=60 - n)
    for fine in (saturday - timedelta(days=1), saturday + timedelta(days=2), None):
        planned(draw, project, next(chores), due=fine)
    planned(draw, project, next(chores), due=saturday, labels=[label])
    planned(draw, project, next(chores), due=saturday + timedelta(days=1), done=True)
    planned(draw, other, next(chores), due=saturday)
    return {"project": project.name, "label": label, "other_project": other.name, "other_label": free[0]}


def _solve_weekend_tasks_to_monday(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and not task.done and task.due and values["label"] not in task.labels:
            late = {5: 2, 6: 1}.get(task.due.weekday(), 0)
            edit_task(state, task.id, due=task.due + timedelta(days=late))


def put_off_weekends(project: str, kept_label: str) -> int:
    """Make the open tasks of a project due on weekends, but for a label, due the Monday after; return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    moved = 0
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False):
        if task["due_date"] is None or kept_label in task["labels"]:
            continue
        due = date.fromisoformat(task["due_date"])
        if due.weekday() >= 5:
            monday = due + timedelta(days=7 - due.weekday())
            apis.todo.update_task(access_token=token, task_id=task["task_id"], due_date=monday.isoformat())
            moved += 1
    return moved


weekend_tasks_to_monday = Family(
    name="weekend_tasks_to_monday",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"project": str, "label": str},
    wordings=(
        'No weekends for "{project}": all open tasks of this todo project that are due on a Saturday or Sunday get the'
        ' Monday right after it as their due date. Leave those with the label "{label}".',
        'Go through the unfinished tasks in my todo project "{project}". Where the due date falls on a weekend, put it'
        ' off to the next Monday, unless the task is labelled "{label}".',
        'I do not want to work on Saturdays and Sundays any more, except on things labelled "{label}". Could you shift'
        ' every other open task in "{project}" (todo app) that is due on such a day to the Monday that follows?',
        'Tasks labelled "{label}" can stay where they are. All others in my todo project "{project}" that are not done'
        " and have a Saturday or a Sunday as their due date should be due on the Monday after that instead.",
        'In the todo app, look for open tasks of "{project}" due on any weekend, whether it is past or to come. Make'
        ' them due one or two days later, so that it is a Monday. The label "{label}" on a task means hands off.',
    ),
    make=_make_weekend_tasks_to_monday,
    solve=_solve_weekend_tasks_to_monday,
    program=Program(functions=(put_off_weekends,), call="put_off_weekends(project={project!r}, kept_label={label!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="sundays_only", old="weekday() >= 5", new="weekday() > 5"),
        Mistake(name="two_days_later", old="days=7 - due.weekday()", new="days=2"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Make labels of the marked words in titles.


def _make_labels_from_titles(draw: Draw) -> Values | None:
    rng, (project, other) = draw.rng, projects_of(draw, 2)
    mark, chores, labels = rng.choice("#@+%"), iter(rng.sample(CHORES, 14)), rng.sample(LABELS, 4)
    for n in range(7):
        one, two = rng.sample(labels, 2)
        start, rest = next(chores).split(" ", 1)
        title = f"{start} {rest} {mark}{one}" if n % 2 else f"{start} {mark}{one} {rest} {mark}{two}"
        planned(draw, project, title, labels=rng.sample(LABELS, 1), days=60 - n)
    planned(draw, project, f"{mark}{labels[0]} {next(chores)}")
    for text in (f"{next(chores)} {mark}{rng.randint(2, 90)}", next(chores), f"{next(chores)}{mark} {labels[1]}"):
        planned(draw, project, text, labels=labels[:1])
    planned(draw, project, f"{next(chores)} {mark}{labels[2]}", done=True)
    planned(draw, other, f"{next(chores)} {mark}{labels[3]}")
    return {"project": project.name, "mark": mark, "other_project": other.name}


def _solve_labels_from_titles(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and not task.done:
            words = task.title.split(" ")
            marked = [word for word in words if word[0] == values["mark"] and word[1:].isalpha()]
            for word in marked:
                label(state, task.id, word[1:])
            edit_task(state, task.id, title=" ".join(word for word in words if word not in marked))


def label_marked(project: str, mark: str) -> int:
    """Turn the words after a mark in titles of a project's open tasks into labels; return how many tasks changed."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    changed = 0
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False):
        words = task["title"].split()
        marked = [word for word in words if re.fullmatch(re.escape(mark) + "[A-Za-z]+", word)]
        for word in marked:
            apis.todo.label_task(access_token=token, task_id=task["task_id"], label=word.removeprefix(mark))
        if marked:
            title = " ".join(word for word in words if word not in marked)
            apis.todo.update_task(access_token=token, task_id=task["task_id"], title=title)
            changed += 1
    return changed


labels_from_titles = Family(
    name="labels_from_titles",
    split="train",
    difficulty=2,
    apps=("todo",),
    slots={"project": str, "mark": str},
    wordings=(
        'In the open tasks of my todo project "{project}", turn each word of the title that starts with "{mark}" into'
        ' a label: "call Ann {mark}home" becomes "call Ann" with the label home. Labels that are there stay, and'
        ' "{mark}" with a number is no label.',
        'I wrote labels into the titles of my "{project}" tasks in todo, marked with "{mark}" as in {mark}garden. Where'
        " a task is not done yet, give it these as real labels on top of those it has, and take them with their mark"
        " out of the title. Marked numbers stay in.",
        'Please tidy the titles in "{project}", a project in my todo app. A "{mark}" with a word of letters right after'
        " it does not belong there: remove both and add the word to the labels of the task. Done tasks do not matter,"
        " nor do numbers after the mark.",
        'For every unfinished task in "{project}" (todo app): words in its title with "{mark}" directly before them'
        " become labels, besides its present ones, and go from the title, mark included. Leave figures like {mark}12.",
        'The mark is "{mark}", the project is "{project}" in todo. Words so marked in the titles of open tasks become'
        " labels, without the mark, and disappear from the title; other labels and marked numbers remain.",
    ),
    make=_make_labels_from_titles,
    solve=_solve_labels_from_titles,
    program=Program(functions=(label_marked,), call="label_marked(project={project!r}, mark={mark!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="numbers_too", old='"[A-Za-z]+"', new='"[A-Za-z0-9]+"'),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="titles_kept", old="            apis.todo.update_task(", new="            dict("),
        Mistake(name="only_at_the_end", old="for word in words if re", new="for word in words[-1:] if re"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Color the project in which tasks took the longest on average.


def _make_project_that_drags(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    slow, large, few, late = chosen = papers.projects_of(draw, 4)
    for row in state[TodoTask].of(draw.me.id):
        if row.project_id in {project.id for project in chosen}:
            remove_task(state, row.id)
    least, days, chores = rng.randint(2, 4), rng.randint(25, 60), iter(rng.sample(papers.CHORES, 32))
    since = state.now.date() - timedelta(days=days)

    def took(project: Project, length: int, part: float, count: int) -> None:
        for _ in range(count):
            papers.planned(draw, project, next(chores), days=days * part + length, done=ago(draw, days * part))

    took(slow, rng.randint(64, 80), rng.uniform(0.1, 0.9), least - 1)
    papers.planned(draw, slow, next(chores), days=days + 70, done=datetime.combine(since, time(9, 15)))  # just in time
    took(slow, 5, 5, 5)  # on the first page, and too old
    took(large, rng.randint(30, 32), rng.uniform(0.1, 0.9), 3 * least)  # more days in all
    took(few, rng.randint(100, 120), rng.uniform(0.1, 0.9), least - 1)
    took(late, rng.randint(150, 200), 1.2, least)
    papers.planned(draw, late, next(chores), days=400)  # still open
    color, old = rng.sample(COLORS, 2)
    state[Project].change(slow.id, archived=True, color=old)
    return {"least": least, "since": since.isoformat(), "color": color}


def _solve_project_that_drags(state: State, me: Person, values: Values) -> Json:
    found = []
    for project in state[Project].of(me.id):
        tasks = [task for task in state[TodoTask].of(me.id) if task.project_id == project.id]
        ends = [(task.created_at, task.completed_at) for task in tasks if task.completed_at is not None]
        days = [(end.date() - start.date()).days for start, end in ends if f"{end:%Y-%m-%d}" >= values["since"]]
        if len(days) >= values["least"]:
            found.append((sum(days) / len(days), project.id))
    return state[Project].change(max(found)[1], color=values["color"]).name


def color_slowest(color: str, since: str, least: int) -> str:
    """Color the project whose tasks done since a day took most days on average, if they are enough; return its name."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    projects += all_pages(apis.todo.list_projects, access_token=token, archived=True)
    averages = {}
    for project in projects:
        tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project["project_id"], done=True)
        days = []
        for task in tasks:
            created, completed = task["created_at"][:10], task["completed_at"][:10]
            if completed >= since:
                days.append((date.fromisoformat(completed) - date.fromisoformat(created)).days)
        if len(days) >= least:
            averages[project["project_id"]] = sum(days) / len(days)
    slowest = max(averages, key=lambda project_id: averages[project_id])
    apis.todo.update_project(access_token=token, project_id=slowest, color=color)
    return next(project["name"] for project in projects if project["project_id"] == slowest)


project_that_drags = Family(
    name="project_that_drags",
    split="train",
    difficulty=3,
    apps=("todo",),
    slots={"color": str, "since": str, "least": int},
    wordings=(
        "Make the todo project {color} in which tasks took the longest on average, in days from when they were created"
        " to when they were done, and tell me its name. Only tasks done on {since} or later count, and only projects,"
        " archived ones included, with at least {least} of those.",
        "Where do things drag on? For every project in my todo app, also in the archive, work out the mean number of"
        " days between creation and completion of the tasks completed since {since} (that day included). Skip projects"
        " with fewer than {least} such tasks. Which is the slowest? Set its color to {color}.",
        "Of my todo projects, archived ones too, with {least} or more tasks I ticked off since {since} (inclusive),"
        " which has the highest average age in days of those tasks when I ticked them off? Color it {color}.",
        "On {since} and later, which of my todo projects, archived or not, took the most days on average from creating"
        " a task to finishing it, with no fewer than {least} tasks finished? Tell me its name and make it {color}.",
        "My color for slow projects is {color}. Give it to the todo project, archived or not, whose tasks done on or"
        " after {since} took the most days on average since they were created. Under {least} such tasks, a project is"
        " out. What is its name?",
    ),
    make=_make_project_that_drags,
    solve=_solve_project_that_drags,
    program=Program(
        functions=(color_slowest,), call="color_slowest(color={color!r}, since={since!r}, least={least!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="archive_forgotten", old="access_token=token, archived=True", new="access_token=token"),
        Mistake(name="after_that_day", old="if completed >= since:", new="if completed > since:"),
        Mistake(name="few_will_do", old="if len(days) >= least:", new="if days:"),
        Mistake(name="days_in_all", old="sum(days) / len(days)", new="sum(days)"),
        Mistake(name="first_page", old="for task in tasks:", new="for task in tasks[:5]:"),
    ),
)

FAMILIES = (
    finish_due_tasks,
    raise_priority,
    clear_project_archive,
    fold_rare_labels,
    reset_routine_task,
    last_remark_before,
    purge_done_mentions,
    weekend_tasks_to_monday,
    labels_from_titles,
    project_that_drags,
)
