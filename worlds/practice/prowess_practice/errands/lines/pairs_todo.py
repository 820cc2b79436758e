"""What can be done in the todo app where a text says of tasks and projects what they should be."""

from __future__ import annotations

from prowess_desk.apps.todo import INBOX, Project, TodoTask
from prowess_desk.engine.family import Draw
from prowess_desk.families.papers import CHORES, projects_of

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings
from prowess_practice.errands.lines.pools import paired

_TODO = ("todo",)
_NONE = ("What is no task of mine is skipped.", "A title that none of my tasks has is left out.")
_STEPS = ("ask for a price", "call them first", "measure twice", "take a photo", "bring the keys", "borrow a ladder")
_TITLES = ("sort it out", "see to it in June", "the long version", "talk it over", "first half only", "try once more")
_COLORS = ("red", "orange", "yellow", "green", "purple")


def _search(test: str, more: str, api: str = "update_task") -> str:
    """Find each by its title, and do it to those that pass."""
    return f"""
    count = 0
    for name, value in pairs:
        for one in all_pages(apis.todo.search_tasks, access_token=todo_token, query=name):
            if one["title"] == name{test}:
                apis.todo.{api}(access_token=todo_token, task_id=one["task_id"], {more})
                count += 1
    return count
"""


_IDS = """
    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
    project_ids = {one["name"]: one["project_id"] for one in projects}
"""


def _day(draw: Draw, name: str) -> str:
    return pools.later(draw, draw.rng.randint(35, 120))


def _priority(draw: Draw, name: str) -> str:
    """Another than it has."""
    now = {task.title: task.priority for task in draw.state[TodoTask].of(draw.me.id)}.get(name, 4)
    return str(draw.rng.choice([one for one in (1, 2, 3, 4) if one != now]))


def _project(draw: Draw, name: str) -> str:
    """Another than it is in."""
    places = {task.title: task.project_id for task in draw.state[TodoTask].of(draw.me.id)}
    mine = [one for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != INBOX]
    return draw.rng.choice([one.name for one in mine if one.id != places.get(name)] or ["Errands"])


def _new_in_projects(draw: Draw) -> NamedThings:
    names = [one.name for one in projects_of(draw, 3)]
    return NamedThings([(chore, draw.rng.choice(names)) for chore in draw.rng.sample(CHORES, 12)])


def _color(draw: Draw, name: str) -> str:
    now = {one.name: one.color for one in draw.state[Project].of(draw.me.id)}.get(name)
    return draw.rng.choice([one for one in _COLORS if one != now])


ACTS = (
    Act(
        word="reschedule_tasks",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="new due date (YYYY-MM-DD)",
        do=("change the due dates of OBJ as it says there", "set new due dates for OBJ"),
        skips=_NONE,
        about="Set the due dates of the tasks",
        code=_search("", "due_date=value"),
        pool=paired(pools.any_tasks, _day),
    ),
    Act(
        word="postpone_open_tasks",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="number of days",
        do=(
            "put off the due date of OBJ by the given number of days, if they are open and have a due date,",
            "move the due dates of OBJ, as far as they are open and have one, by that many days into the future",
        ),
        skips=(
            "Done tasks, tasks without a due date and titles that no task has are skipped.",
            "Leave out what is done, what has no due date, and what is no task.",
        ),
        about="Put off the due open tasks",
        code="""
    count = 0
    for name, value in pairs:
        for one in all_pages(apis.todo.search_tasks, access_token=todo_token, query=name):
            if one["title"] == name and not one["done"] and one["due_date"]:
                due = date.fromisoformat(one["due_date"]) + timedelta(days=int(value))
                apis.todo.update_task(
                    access_token=todo_token, task_id=one["task_id"], due_date=due.isoformat()
                )
                count += 1
    return count
""",
        pool=paired(pools.open_due_tasks, lambda draw, name: str(draw.rng.randint(2, 20))),
        fewest=2,
        most=4,
    ),
    Act(
        word="reprioritize_tasks",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="priority",
        do=("set the priorities of OBJ as written there", "give OBJ the priority that stands next to each"),
        skips=_NONE,
        about="Set the priorities of the tasks",
        code="""
    wanted = {name: int(value) for name, value in pairs}
    every = all_pages(apis.todo.list_tasks, access_token=todo_token)
    chosen = [one for one in every if one["title"] in wanted]
    for one in chosen:
        apis.todo.update_task(access_token=todo_token, task_id=one["task_id"], priority=wanted[one["title"]])
    return len(chosen)
""",
        pool=paired(pools.any_tasks, _priority),
    ),
    Act(
        word="distribute_tasks",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="name of a project",
        do=("move OBJ to the projects named next to them", "put OBJ into the project that is given for each"),
        skips=_NONE,
        about="Move to their projects the tasks",
        code=f"""{_IDS}    count = 0
    for name, value in pairs:
        for one in all_pages(apis.todo.search_tasks, access_token=todo_token, query=name):
            if one["title"] == name:
                apis.todo.move_task(
                    access_token=todo_token, task_id=one["task_id"], project_id=project_ids[value]
                )
                count += 1
    return count
""",
        pool=paired(pools.any_tasks, _project),
    ),
    Act(
        word="label_tasks_each",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="label",
        do=("give OBJ the labels that stand there", "put on OBJ the label given for each, besides those they have,"),
        skips=_NONE,
        about="Label the tasks",
        code=_search("", "label=value", "label_task"),
        pool=paired(pools.any_tasks, lambda draw, name: draw.rng.choice(("soon", "club", "cheap", "outdoors"))),
    ),
    Act(
        word="plan_new_tasks",
        apps=_TODO,
        one="thing",
        ones="things to do",
        key="thing to do",
        value="due date (YYYY-MM-DD)",
        do=(
            "create new tasks for OBJ, with the thing to do as title and the given due date,",
            "write down OBJ as new tasks: what is to be done is the title, and they are due on the day given there",
        ),
        about="Create tasks for the things to do",
        code="""
    for name, value in pairs:
        apis.todo.create_task(access_token=todo_token, title=name, due_date=value)
    return len(pairs)
""",
        pool=paired(pools.plain_chores, _day),
    ),
    Act(
        word="plan_new_tasks_in_projects",
        apps=_TODO,
        one="thing",
        ones="things to do",
        key="thing to do",
        value="name of a project of mine",
        do=(
            "create new tasks for OBJ in the projects given with them, titled by the thing to do,",
            "add OBJ as new tasks, titled just so, to the project that is named next to each",
        ),
        about="Create in their projects the tasks",
        code=f"""{_IDS}    for name, value in pairs:
        apis.todo.create_task(access_token=todo_token, title=name, project_id=project_ids[value])
    return len(pairs)
""",
        pool=_new_in_projects,
    ),
    Act(
        word="add_one_step_each",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="subtask",
        do=("add the given subtasks to OBJ", "let OBJ have one more subtask each, the one written next to it,"),
        skips=_NONE,
        about="Add subtasks to the tasks",
        code=_search("", "title=value", "add_subtask"),
        pool=paired(pools.any_tasks, lambda draw, name: draw.rng.choice(_STEPS)),
    ),
    Act(
        word="comment_on_tasks_each",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="comment",
        do=("write the given comments under OBJ", "comment on OBJ with the words written next to each"),
        skips=_NONE,
        about="Comment on the tasks",
        code=_search("", "text=value", "add_comment"),
        pool=paired(pools.any_tasks, lambda draw, name: draw.rng.choice(_STEPS)),
    ),
    Act(
        word="rename_tasks_each",
        apps=_TODO,
        one="task",
        key="title of a task",
        value="new title",
        do=("rename OBJ as it says there", "give OBJ the new titles that stand there"),
        skips=(
            "Done tasks keep their titles, and what is no task is skipped.",
            "That is for open tasks only; pass over done ones, and titles that no task has.",
        ),
        about="Rename the open tasks",
        code=_search(' and not one["done"]', "title=value"),
        pool=paired(pools.open_tasks, lambda draw, name: draw.rng.choice(_TITLES)),
        matters=((' and not one["done"]', ""),),
    ),
    Act(
        word="color_projects",
        apps=_TODO,
        one="project",
        key="name of a project",
        value="color",
        do=("give OBJ the colors that stand there", "change the color of OBJ to what is given for each"),
        skips=("A name that no project of mine has is skipped.", "What is no project of mine is left out."),
        about="Color the projects",
        code=f"""{_IDS}    chosen = [(name, value) for name, value in pairs if name in project_ids]
    for name, value in chosen:
        apis.todo.update_project(access_token=todo_token, project_id=project_ids[name], color=value)
    return len(chosen)
""",
        pool=paired(pools.projects, _color),
        fewest=2,
        most=3,
    ),
)
