"""Tasks: which of them are changed."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.apps.todo import INBOX, Project, TodoTask
from prowess_desk.engine.family import Draw

from prowess_practice.drills.conditions import Condition, contains
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import Target
from prowess_practice.errands.transfers.scenes import more_tasks

_LISTING = listed("todo", "tasks")
TARGET = Target(
    word="tasks",
    app="todo",
    row="task",
    rows="tasks",
    reads=("tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)",),
    mine="my open tasks in the todo app",
    name="title",
    called="title",
    update='apis.todo.update_task(access_token=todo_token, task_id=task["task_id"]',
    stage=more_tasks,
)
TASK_ID = 'access_token=todo_token, task_id=task["task_id"]'
FULL = f"full_task = apis.todo.show_task({TASK_ID})"
NAMES = (
    "projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
    'project_names = {project["project_id"]: project["name"] for project in projects}',
)


def some_label(draw: Draw) -> str | None:
    labels = [label for task in draw.state[TodoTask].of(draw.me.id) if not task.done for label in task.labels]
    return draw.rng.choice(labels) if labels else None


def _some_project(draw: Draw) -> str | None:
    mine = [one for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != INBOX]
    return draw.rng.choice(mine).name if mine else None


def _numbered(condition: Condition) -> Condition:
    """With the priority called a number, as 1 is the most urgent."""
    return replace(condition, says=condition.says.replace("a priority ", "a priority number "))


CHOICES = (
    *(by(TARGET, _numbered(one)) for one in _LISTING.conditions),
    by(TARGET, contains("title", 'with "{word}" in the title (in capitals or not)', "with a word in the title")),
    by(TARGET, _LISTING.conditions[0], _LISTING.conditions[4]),
    inside(
        TARGET,
        "of_project",
        ('MINE that belong to the project "{own_project}"', 'MINE in the project "{own_project}"'),
        "of a project",
        'project_names.get(task["project_id"]) == own_project',
        before=NAMES,
        slots={"own_project": str},
        draws=lambda draw: {"own_project": _some_project(draw)},
    ),
    inside(
        TARGET,
        "with_open_steps",
        "MINE with {least} or more subtasks that are not done",
        "with open subtasks",
        'sum(not step["done"] for step in full_task["subtasks"]) >= least',
        looks=(FULL,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        TARGET,
        "with_comments",
        "MINE with {least} or more comments",
        "with comments",
        'full_task["comments"] >= least',
        looks=(FULL,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        TARGET,
        "overdue",
        "MINE that were due before today, by the date in my phone, and have a priority number of at most {urgent}",
        "that are overdue and urgent",
        'task["due_date"] and task["due_date"] < today and task["priority"] <= urgent',
        before=('today = apis.phone.show_current_date_and_time()["date"]',),
        apps=("phone",),
        slots={"urgent": int},
        draws=lambda draw: {"urgent": draw.rng.randint(1, 4)},
    ),
    inside(
        TARGET,
        "commented_with",
        ('MINE with a comment in which "{word}" occurs, in capitals or not',),
        "with a word in a comment",
        'any(word in comment["text"].lower() for comment in comments)',
        looks=(f"comments = all_pages(apis.todo.list_comments, {TASK_ID})",),
        slots={"word": str},
        draws=lambda draw: {"word": draw.rng.choice(("the", "on", "it", "is", "for", "ask", "to"))},
    ),
    inside(
        TARGET,
        "of_coloured_projects",
        'MINE that belong to an unarchived project of the colour "{colour}"',
        "of projects of a colour",
        'task["project_id"] in coloured',
        before=(
            "projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
            'coloured = [project["project_id"] for project in projects if project["color"] == colour]',
        ),
        slots={"colour": str},
        draws=lambda draw: {"colour": draw.rng.choice([one.color for one in draw.state[Project].of(draw.me.id)])},
    ),
    ranked(
        TARGET,
        "oldest",
        (
            "my {count} oldest open tasks in the todo app",
            "the {count} open tasks in my todo app that were created first",
        ),
        "the oldest tasks",
        'task["created_at"]',
        highest=False,
        most=6,
    ),
    ranked(
        TARGET,
        "newest",
        (
            "my {count} newest open tasks in the todo app",
            "the {count} open tasks in my todo app that were created last",
        ),
        "the newest tasks",
        'task["created_at"]',
        highest=True,
        most=6,
    ),
)
