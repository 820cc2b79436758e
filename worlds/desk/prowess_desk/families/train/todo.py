"""Train families of the todo app, one of them with notes, one with the phone's calendar."""

from __future__ import annotations

from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.todo import TodoTask, add_task, edit_task, finish, project_named
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, jotted, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Finish the tasks of a project that are due before a day.


def _make_finish(draw: Draw) -> Values | None:
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


def _solve_finish(state: State, me: Person, values: Values) -> Json:
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
    make=_make_finish,
    solve=_solve_finish,
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


def _make_priority(draw: Draw) -> Values | None:
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


def _solve_priority(state: State, me: Person, values: Values) -> Json:
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
    make=_make_priority,
    solve=_solve_priority,
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


# Make tasks of what is not ticked off on a checklist.

_CHECKLISTS = {
    "Moving checklist": "give notice|pack the cellar|hand over keys|redirect the mail|defrost the freezer|read dials",
    "Wedding checklist": "choose the rings|taste the cake|book the band|write the vows|confirm the florist|rent a tent",
    "Marathon checklist": "collect the bib|buy gels|plan the pace|book a massage|break in the shoes|trim toenails",
    "Festival checklist": "find the wristband|borrow a tent|buy ear plugs|arrange the ride|pack ponchos|charge lamps",
    "Winter checklist": "bleed the radiators|bring in the plants|change tyres|order wood|seal the window|buy grit",
}


def _make_checklist(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_CHECKLISTS))
    project, other = projects_of(draw, 2)
    items = rng.sample(_CHECKLISTS[title].split("|"), 6)
    marks = rng.sample("xx    ", 6)
    lines = [f"[{mark}] {item}" for mark, item in zip(marks, items, strict=True)]
    jotted(draw, title, "\n".join(("Tick off what is done.", *lines)), days=rng.randint(2, 30))
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"[{mark}] {item}" for mark, item in zip("x x  x", items, strict=True)), days=390)
    day = draw.state.now.date() + timedelta(days=rng.randint(5, 40))
    return {
        "title": title,
        "project": project.name,
        "day": day.isoformat(),
        "other_title": twin,
        "other_project": other.name,
        "other_day": (day + timedelta(days=1)).isoformat(),
    }


def _solve_checklist(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for line in note_titled(state, me.id, values["title"]).content.split("\n"):
        if line[:4] == "[ ] ":
            add_task(state, me.id, line[4:], project=project.id, due=date.fromisoformat(values["day"]))


def create_tasks_from_checklist(note_title: str, project: str, due_date: str) -> int:
    """Create a task for each line of a note that is not ticked off (`[ ] item`) and return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    lines = read_note(title=note_title)["content"].splitlines()
    items = [line.removeprefix("[ ] ") for line in lines if line.startswith("[ ] ")]
    for item in items:
        apis.todo.create_task(access_token=token, title=item, project_id=project_id, due_date=due_date)
    return len(items)


tasks_from_checklist = Family(
    name="tasks_from_checklist",
    split="train",
    difficulty=2,
    apps=("todo", "notes"),
    slots={"title": str, "project": str, "day": str},
    wordings=(
        'Make a task in my todo project "{project}" for each item of the note "{title}" that is not ticked off yet,'
        " with the item as its title and due on {day}.",
        'My note "{title}" is a checklist in which [x] means done. Put what is still open into the project "{project}"'
        " of the todo app: a task per item, titled like the item, due date {day}.",
        'By {day} I have to deal with all that is unchecked in "{title}", a note of mine. Create todo tasks with that'
        ' due date for those items, named as they are in the note, in "{project}".',
    ),
    make=_make_checklist,
    solve=_solve_checklist,
    program=Program(
        functions=(create_tasks_from_checklist,),
        call="create_tasks_from_checklist(note_title={title!r}, project={project!r}, due_date={day!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="in_the_inbox", old="project_id=project_id, due", new="due"),
        Mistake(name="never_due", old=", due_date=due_date)", new=")"),
        Mistake(
            name="ticked_ones_too",
            old='[line.removeprefix("[ ] ") for line in lines if line.startswith("[ ] ")]',
            new='[line[4:] for line in lines if line.startswith("[")]',
        ),
        Mistake(name="boxes_kept", old='line.removeprefix("[ ] ")', new="line"),
    ),
)


# Move what is overdue to another project.


def _make_overdue(draw: Draw) -> Values | None:
    rng = draw.rng
    source, target, third = projects_of(draw, 3)
    today = draw.state.now.date()
    chores = iter(rng.sample(CHORES, 12))
    for n in range(6):
        planned(draw, source, next(chores), due=today - timedelta(days=1 + 4 * n), days=80 - n)
    planned(draw, source, next(chores), due=today)  # not overdue
    planned(draw, source, next(chores), due=today + timedelta(days=rng.randint(1, 20)))
    planned(draw, source, next(chores))
    planned(draw, source, next(chores), due=today - timedelta(days=9), done=True)
    planned(draw, third, next(chores), due=today - timedelta(days=rng.randint(1, 20)))
    planned(draw, target, next(chores), due=today - timedelta(days=rng.randint(1, 20)))
    return {
        "source": source.name,
        "target": target.name,
        "other_source": target.name,
        "other_target": source.name,
        "other_project": third.name,
    }


def _solve_overdue(state: State, me: Person, values: Values) -> Json:
    source, target = (project_named(state, me.id, values[name]).id for name in ("source", "target"))
    for task in state[TodoTask].of(me.id):
        if task.project_id == source and not task.done and task.due and task.due < state.now.date():
            edit_task(state, task.id, project_id=target)


def move_overdue_tasks(source: str, target: str) -> int:
    """Move the open tasks of a project whose due date has passed to another project and return how many."""
    today = apis.phone.show_current_date_and_time()["date"]
    token = login(app="todo")
    projects = {each["name"]: each["project_id"] for each in all_pages(apis.todo.list_projects, access_token=token)}
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=projects[source], done=False)
    overdue = [task for task in tasks if task["due_date"] and task["due_date"] < today]
    for task in overdue:
        apis.todo.move_task(access_token=token, task_id=task["task_id"], project_id=projects[target])
    return len(overdue)


move_overdue = Family(
    name="move_overdue",
    split="train",
    difficulty=2,
    apps=("todo", "phone"),
    slots={"source": str, "target": str},
    wordings=(
        'Move all overdue tasks that are still open from my todo project "{source}" to "{target}".',
        'In the todo app, whatever in "{source}" should have been done before today and is not belongs into the project'
        ' "{target}" from now on. Please move it there.',
        'My project "{target}" is for things I am late with. Take the unfinished tasks of "{source}" whose due date has'
        " passed (today itself does not count) and put them there.",
    ),
    make=_make_overdue,
    solve=_solve_overdue,
    program=Program(functions=(move_overdue_tasks,), call="move_overdue_tasks(source={source!r}, target={target!r})"),
    mistakes=(
        Mistake(name="wrong_way_round", swap={"source": "other_source", "target": "other_target"}),
        Mistake(name="another_project", swap={"source": "other_project"}),
        Mistake(name="today_too", old='task["due_date"] < today', new='task["due_date"] <= today'),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)

FAMILIES = (finish_due_tasks, raise_priority, tasks_from_checklist, move_overdue)
