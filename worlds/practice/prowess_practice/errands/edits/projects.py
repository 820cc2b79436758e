"""Projects: which of them are changed, and what to."""

from __future__ import annotations

from datetime import timedelta

from prowess_desk.apps.todo import Project, TodoTask, add_project
from prowess_desk.engine.family import Day, Draw, Values
from prowess_desk.families.papers import CHORES, planned

from prowess_practice.errands.edits.changes import (
    like,
    like_first,
    numbered,
    one_of,
    prefixed,
    shouted,
    suffixed,
    tailed,
)
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target


def _more_projects(draw: Draw) -> None:
    """Some more projects, with open tasks in each."""
    mine = {one.name for one in draw.state[Project].of(draw.me.id)}
    names = [one for one in ("Errands", "Paperwork", "Move", "Wedding", "Newsletter", "Attic") if one not in mine]
    chores = iter(draw.rng.sample(CHORES, 20))
    for name in draw.rng.sample(names, min(len(names), 4)):
        color = draw.rng.choice(("red", "blue", "green", "yellow", "orange"))
        project = add_project(draw.state, draw.me.id, name, color)
        for n in range(draw.rng.randint(1, 5)):
            due = (draw.state.now + timedelta(days=draw.rng.randint(-20, 30))).date()
            labels = draw.rng.sample(("errand", "online", "quick", "weekend"), n % 3)
            planned(draw, project, next(chores), due=due, priority=draw.rng.randint(1, 4), labels=labels, done=n == 3)


_LISTING = listed("todo", "projects")
_TARGET = Target(
    word="projects",
    app="todo",
    row="project",
    rows="projects",
    reads=(
        "found_projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
        'projects = [one for one in found_projects if one["name"] != "Inbox"]',
    ),
    mine="my unarchived todo projects other than the Inbox",
    name="name",
    called="name",
    update='apis.todo.update_project(access_token=todo_token, project_id=project["project_id"]',
    stage=_more_projects,
)
_ID = 'access_token=todo_token, project_id=project["project_id"]'
_TASKS = f"tasks = all_pages(apis.todo.list_tasks, {_ID})"
_OPEN = f"open_tasks = all_pages(apis.todo.list_tasks, {_ID}, done=False)"


def _label(draw: Draw) -> Values | None:
    labels = [label for task in draw.state[TodoTask].of(draw.me.id) for label in task.labels]
    return {"label": draw.rng.choice(labels)} if labels else None


def _day(draw: Draw) -> Values:
    return {"day": Day((draw.state.now + timedelta(days=draw.rng.randint(-5, 20))).date().isoformat())}


_CHOICES = (
    *(by(_TARGET, one) for one in _LISTING.conditions),
    inside(
        _TARGET,
        "with_label",
        'MINE that have a task (done or open) labelled "{label}"',
        "with a task of a label",
        'any(label in task["labels"] for task in tasks)',
        looks=(_TASKS,),
        slots={"label": str},
        draws=_label,
    ),
    inside(
        _TARGET,
        "due_by",
        "MINE with an open task that is due before {day}",
        "with an open task due before a day",
        'any(task["due_date"] and task["due_date"] < day for task in open_tasks)',
        looks=(_OPEN,),
        slots={"day": Day},
        draws=_day,
    ),
    inside(
        _TARGET,
        "with_urgent",
        "MINE with {least} or more open tasks of priority 1 or 2",
        "with urgent tasks",
        'sum(task["priority"] <= 2 for task in open_tasks) >= least',
        looks=(_OPEN,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        _TARGET,
        "with_done",
        "MINE with fewer than {fewer} tasks that are done",
        "with few tasks that are done",
        'sum(task["done"] for task in tasks) < fewer',
        looks=(_TASKS,),
        slots={"fewer": int},
        draws=lambda draw: {"fewer": draw.rng.randint(2, 4)},
    ),
    ranked(
        _TARGET,
        "busiest",
        ("the {count} todo projects of mine with the most open tasks (neither the Inbox nor archived ones count)",),
        "the busiest projects",
        'project["open_tasks"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "idlest",
        ("the {count} todo projects of mine with the fewest open tasks (neither the Inbox nor archived ones count)",),
        "the projects with the fewest open tasks",
        'project["open_tasks"]',
        highest=False,
    ),
)
_COLORS = "red|orange|yellow|green|blue|purple"
_CHANGES = (
    tailed(
        _TARGET,
        "open",
        "f\"{project['name']} ({project['open_tasks']} open)\"",
        "NAME (NUMBER open)",
        "the number of open tasks it has, as shown",
        "the number of open tasks",
    ),
    like(_TARGET, "color", "colour", "my project", bars=("projects_by_color",)),
    like_first(_TARGET, "color", "colour", 'project["name"]', "whose name comes first in the alphabet"),
    prefixed(_TARGET),
    RowChange(
        word="until",
        says=(
            'Rename each of WHICH to "NAME until DATE", with its name and the latest due date among its tasks, done or'
            " not, like 2025-01-31. Where no task is due, nothing changes.",
            'TAKE Find the last due date of the tasks in each, also of those that are done, and make its name "NAME'
            " until"
            ' DATE": the old name, the word "until" and that date as in 2025-01-31. Without any due date it keeps its'
            " name.",
            'The names of WHICH should tell how long they go on: "NAME until DATE", where NAME is the name of now and'
            " DATE"
            " the latest due date of all its tasks, written like 2025-01-31. If none has one, leave the project alone.",
        ),
        about="Put the last due date behind the name of",
        each=(
            _TASKS,
            'due_dates = [task["due_date"] for task in tasks if task["due_date"]]',
            "if due_dates:",
            "    new_name = f\"{project['name']} until {max(due_dates)}\"",
            '    apis.todo.update_project(access_token=todo_token, project_id=project["project_id"], name=new_name)',
        ),
        matters=(("max(due_dates)", "min(due_dates)"),),
    ),
    RowChange(
        word="color_by_load",
        says=(
            'Colour WHICH by their load: "{busy_color}" for those with at least {bound} open tasks, "{idle_color}" for'
            " the others among them.",
            'TAKE A project with {bound} open tasks or more becomes "{busy_color}", one with fewer becomes'
            ' "{idle_color}".',
            'I want to see from the colour how full WHICH are. Up from {bound} open tasks it should be "{busy_color}",'
            ' below that "{idle_color}".',
        ),
        about="Colour by the number of open tasks",
        each=('color = busy_color if project["open_tasks"] >= bound else idle_color', _TARGET.updating("color=color")),
        slots=(
            one_of("busy_color", "red|orange|yellow"),
            one_of("idle_color", "green|blue|gray"),
            one_of("bound", "2|3|4", int),
        ),
        matters=(('busy_color if project["open_tasks"] >= bound else idle_color', "idle_color"),),
        bars=("busiest", "idlest"),
    ),
    RowChange(
        word="put_off_tasks_of",
        says=(
            "Add {days} days to the due dates of all open tasks in WHICH. Tasks that are not due on any day stay.",
            "TAKE Every open task in them that has a due date gets {days} days more.",
            "Nothing in WHICH can be finished in time: add {days} days to the due date of each open task there that has"
            " one.",
        ),
        about="Postpone the open tasks of",
        each=(
            _OPEN,
            'for task in [one for one in open_tasks if one["due_date"]]:',
            '    due = date.fromisoformat(task["due_date"]) + timedelta(days=days)',
            '    apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], due_date=due.isoformat())',
        ),
        slots=(one_of("days", "2|3|4|6|9|14", int),),
    ),
    numbered(_TARGET, 'project["name"]', "in the alphabetical order of their names"),
    RowChange(
        word="archive",
        says=(
            'Put WHICH into the archive under new names: "NAME ({suffix})", where NAME is the old one.',
            'TAKE Rename each to "NAME ({suffix})", with its old name, and archive it.',
            'I am done with WHICH. They should get " ({suffix})" behind their names and be archived.',
        ),
        about="Rename and archive",
        each=(_TARGET.updating("name=f\"{project['name']} ({suffix})\", archived=True"),),
        slots=(one_of("suffix", "closed|done|past|2025|rest"),),
        matters=((", archived=True)", ")"),),
    ),
    RowChange(
        word="label_tasks_of",
        says=(
            'Give all open tasks in WHICH the label "{extra_label}", and put the name of the project, a colon and a'
            " space before their titles.",
            'TAKE Each open task in them gets the label "{extra_label}" and the title "PROJECT: TITLE", with the name'
            " of"
            " its project and its old title.",
            'Every open task of WHICH should show where it belongs: its title becomes "PROJECT: TITLE", after the'
            " project"
            ' and the title it has, and it is labelled "{extra_label}".',
        ),
        about="Label and rename the open tasks of",
        each=(
            _OPEN,
            "for task in open_tasks:",
            "    title = f\"{project['name']}: {task['title']}\"",
            '    apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], title=title)',
            '    apis.todo.label_task(access_token=todo_token, task_id=task["task_id"], label=extra_label)',
        ),
        slots=(one_of("extra_label", "batch|group|checked|june"),),
    ),
    tailed(
        _TARGET,
        "urgent",
        "f\"{project['name']} / {first_title}\"",
        "NAME / TASK",
        "a space, a slash, a space and the title of the open task in it that was created first",
        "the first open task",
        finds=(_OPEN, 'first_title = open_tasks[0]["title"]'),
        matters=(("open_tasks[0]", "open_tasks[-1]"),),
    ),
    suffixed(_TARGET),
    RowChange(
        word="copy",
        says=(
            'Set up a second project for each of WHICH: it is called "{front} NAME" (NAME is the old name), has the'
            ' colour "{new_color}", and gets a task of the same title for every open task of the old one.',
            'TAKE Create a project "{front} NAME" in the colour "{new_color}" for each, NAME being its name, and in it'
            " tasks with the titles of its open tasks.",
            'I want to do WHICH once more. For each, make a new project "{front} NAME" (colour "{new_color}") and'
            " give it"
            " tasks that are titled like the open tasks of the old project.",
        ),
        about="Copy with their open tasks",
        each=(
            _OPEN,
            "new_name = f\"{front} {project['name']}\"",
            "copy = apis.todo.create_project(access_token=todo_token, name=new_name, color=new_color)",
            "for task in open_tasks:",
            '    apis.todo.create_task(access_token=todo_token, title=task["title"], project_id=copy["project_id"])',
        ),
        slots=(one_of("front", "New|Second|Next|Copy of"), one_of("new_color", _COLORS)),
    ),
    RowChange(
        word="cap_priority_in",
        says=(
            "In WHICH, no open task should be more urgent than priority {cap}: where the priority number is smaller,"
            " set it to {cap}.",
            "TAKE Open tasks in them whose priority number is below {cap} get the priority {cap}.",
            "Calm down WHICH: all their open tasks with a priority number under {cap} should have {cap} instead.",
        ),
        about="Cap the priority in",
        each=(
            _OPEN,
            "for task in open_tasks:",
            '    if task["priority"] < cap:',
            '        apis.todo.update_task(access_token=todo_token, task_id=task["task_id"], priority=cap)',
        ),
        slots=(one_of("cap", "2|3|4", int),),
    ),
    shouted(_TARGET),
)
PROJECTS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("other_notes", "other_alarms"))
