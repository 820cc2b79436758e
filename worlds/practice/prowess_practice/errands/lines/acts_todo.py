"""What can be done in the todo app about tasks and projects that a text names."""

from __future__ import annotations

from prowess_desk.apps.todo import INBOX, Project
from prowess_desk.engine.family import Day, Draw, Values
from prowess_desk.families.papers import planned, projects_of

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings
from prowess_practice.errands.lines.scene import HOSTS

_TODO = ("todo",)
_TASK = "the title of a task"
_NONE = ("What is no task of mine is skipped.", "A title that none of my tasks has is left out.")


def _search(test: str, call: str) -> str:
    """Find each by its title, and do it to those that pass."""
    return f"""
    count = 0
    for name in names:
        found = all_pages(apis.todo.search_tasks, access_token=todo_token, query=name)
        for one in found:
            if one["title"] == name{test}:
                {call}
                count += 1
    return count
"""


def _listing(filter: str, call: str) -> str:
    """Go through all of them, and do it to those that are named."""
    return f"""
    every = all_pages(apis.todo.list_tasks, access_token=todo_token{filter})
    chosen = [one for one in every if one["title"] in names]
    for one in chosen:
        {call}
    return len(chosen)
"""


def _call(api: str, more: str = "") -> str:
    return f'apis.todo.{api}(access_token=todo_token, task_id=one["task_id"]{more})'


def _a_project(draw: Draw) -> Values:
    return {"project": projects_of(draw, 1)[0].name}


def _elsewhere(draw: Draw) -> NamedThings | None:
    """Tasks in the inbox or in whatever project; one is in the project already."""
    return pools.any_tasks(draw)


def _outside(draw: Draw) -> Values | None:
    """A project of the person's that is not archived."""
    names = [one.name for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != INBOX]
    return {"project": draw.rng.choice(names)} if names else None


def _host(draw: Draw) -> Values:
    title = draw.rng.choice([f"{one} (mine)" for one in HOSTS])
    planned(draw, projects_of(draw, 1)[0], title)
    return {"parent": title}


_PROJECTS = """
    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
"""
_PROJECT = f"""{_PROJECTS}    project_id = next(one["project_id"] for one in projects if one["name"] == project)
"""
_LABELS = ("soon", "club", "cheap", "outdoors", "borrowed")

ACTS = (
    Act(
        word="finish_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=("mark OBJ as done", "tick off OBJ"),
        skips=(
            "Some are done already, and some are no tasks of mine: leave those.",
            "Skip done ones, and titles that no task has.",
        ),
        about="Mark as done the tasks",
        code=_search(' and not one["done"]', _call("mark_task_done")),
        pool=pools.open_tasks,
    ),
    Act(
        word="reopen_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=("reopen OBJ", "mark OBJ as not done"),
        skips=(
            "Tasks that are open stay open, and a title without a task is skipped.",
            "For open ones there is nothing to do, nor for titles that no task has.",
        ),
        about="Reopen the tasks",
        code=_listing(", done=True", _call("reopen_task")),
        pool=pools.done_tasks,
    ),
    Act(
        word="delete_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=("delete OBJ", "remove OBJ for good"),
        skips=_NONE,
        about="Delete the tasks",
        code=_search("", _call("delete_task")),
        pool=pools.any_tasks,
    ),
    Act(
        word="label_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=('give OBJ the label "{label}"', 'put the label "{label}" on OBJ'),
        skips=_NONE,
        about="Label the tasks",
        code=_search("", _call("label_task", ", label=label")),
        pool=pools.any_tasks,
        slots={"label": str},
        choose=lambda draw: {"label": draw.rng.choice(_LABELS)},
    ),
    Act(
        word="prioritize_open_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=("set the priority of OBJ to {priority}", "give OBJ priority {priority}"),
        skips=(
            "Done tasks keep theirs, and what is no task is skipped.",
            "Leave tasks alone that are done, and titles that no task has.",
        ),
        about="Set the priority of the open tasks",
        code=_listing(", done=False", _call("update_task", ", priority=priority")),
        pool=pools.open_tasks,
        slots={"priority": int},
        choose=lambda draw: {"priority": draw.rng.randint(1, 3)},
        matters=((", done=False", ""),),
    ),
    Act(
        word="set_due_day_of_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=("make OBJ due on {due_day}", "set the due date of OBJ to {due_day}"),
        skips=_NONE,
        about="Set the due date of the tasks",
        code=_search("", _call("update_task", ", due_date=due_day")),
        pool=pools.any_tasks,
        slots={"due_day": Day},
        choose=lambda draw: {"due_day": Day(pools.later(draw, draw.rng.randint(35, 90)))},
    ),
    Act(
        word="move_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=('move OBJ to my project "{project}"', 'put OBJ into my project "{project}"'),
        skips=(
            "Those that are in it already stay, and titles that no task has are skipped.",
            "Leave out what is there already or is no task of mine.",
        ),
        about="Move to a project the tasks",
        code=f"""{_PROJECT}    count = 0
    for name in names:
        found = all_pages(apis.todo.search_tasks, access_token=todo_token, query=name)
        for one in found:
            if one["title"] == name and one["project_id"] != project_id:
                {_call("move_task", ", project_id=project_id")}
                count += 1
    return count
""",
        pool=_elsewhere,
        slots={"project": str},
        choose=_outside,
    ),
    Act(
        word="create_tasks_in_project",
        apps=_TODO,
        a="something to do",
        one="thing",
        ones="things to do",
        do=(
            'create tasks for OBJ in my project "{project}", titled exactly so,',
            'let my project "{project}" have a new task for OBJ, with just that title,',
        ),
        about="Create in a project tasks for the things to do",
        code=f"""{_PROJECT}    for name in names:
        apis.todo.create_task(access_token=todo_token, title=name, project_id=project_id)
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"project": str},
        choose=_a_project,
    ),
    Act(
        word="create_missing_tasks",
        apps=_TODO,
        a="something to do",
        one="thing",
        ones="things to do",
        do=(
            "create tasks for OBJ with priority {priority} and the thing to do as title",
            "write down OBJ as new tasks, titled just so, with priority {priority}",
        ),
        skips=(
            "If there is a task with exactly that title, open or done, create none.",
            "Do not create what one of my tasks, done or not, is titled already.",
        ),
        about="Create tasks for the new ones of the things to do",
        code="""
    titles = [one["title"] for one in all_pages(apis.todo.list_tasks, access_token=todo_token)]
    missing = [name for name in names if name not in titles]
    for name in missing:
        apis.todo.create_task(access_token=todo_token, title=name, priority=priority)
    return len(missing)
""",
        pool=pools.chores,
        slots={"priority": int},
        choose=lambda draw: {"priority": draw.rng.randint(1, 3)},
        matters=((" if name not in titles", ""),),
    ),
    Act(
        word="comment_on_tasks",
        apps=_TODO,
        a=_TASK,
        one="task",
        do=('write the comment "{remark}" under OBJ', 'comment on OBJ with "{remark}"'),
        skips=_NONE,
        about="Comment on the tasks",
        code=_search("", _call("add_comment", ", text=remark")),
        pool=pools.any_tasks,
        slots={"remark": str},
        choose=lambda draw: {"remark": draw.rng.choice(("Talked about it.", "Moved to June.", "Needs two people."))},
    ),
    Act(
        word="add_steps_to_task",
        apps=_TODO,
        a="a step",
        one="step",
        do=(
            'add OBJ to my task "{parent}" as subtasks, in that order and titled just so,',
            'append OBJ as subtasks, in their order and word for word, to my task "{parent}"',
        ),
        about="Add to a task the steps",
        code="""
    hosts = all_pages(apis.todo.search_tasks, access_token=todo_token, query=parent)
    parent_id = next(one["task_id"] for one in hosts if one["title"] == parent)
    for name in names:
        apis.todo.add_subtask(access_token=todo_token, task_id=parent_id, title=name)
    return len(names)
""",
        pool=pools.plain_chores,
        slots={"parent": str},
        choose=_host,
        ordered=True,
    ),
    Act(
        word="create_projects",
        apps=_TODO,
        a="the name of a project",
        one="project",
        do=(
            'create OBJ as new projects, in the color "{color}"',
            'make new projects of OBJ, of the color "{color}"',
        ),
        skips=("I have some already; those stay as they are.", "What is a project of mine already is left alone."),
        about="Create the projects",
        code=f"""{_PROJECTS}    known = [one["name"] for one in projects]
    missing = [name for name in names if name not in known]
    for name in missing:
        apis.todo.create_project(access_token=todo_token, name=name, color=color)
    return len(missing)
""",
        pool=pools.new_projects,
        slots={"color": str},
        choose=lambda draw: {"color": draw.rng.choice(("red", "orange", "yellow", "green", "purple"))},
    ),
    Act(
        word="archive_projects",
        apps=_TODO,
        a="the name of a project",
        one="project",
        do=("archive OBJ", "put OBJ into the archive"),
        skips=("A name that no project of mine has is skipped.", "Skip names without a project."),
        about="Archive the projects",
        code=f"""{_PROJECTS}    chosen = [one for one in projects if one["name"] in names]
    for one in chosen:
        apis.todo.update_project(access_token=todo_token, project_id=one["project_id"], archived=True)
    return len(chosen)
""",
        pool=pools.projects,
        fewest=2,
        most=3,
    ),
    Act(
        word="finish_tasks_of_projects",
        apps=_TODO,
        a="the name of a project",
        one="project",
        do=("mark all open tasks of OBJ as done", "tick off every task that is open in OBJ"),
        skips=("A name that no project of mine has is skipped.", "Skip what is no project of mine."),
        about="Mark as done the open tasks of the projects",
        code=f"""{_PROJECTS}    count = 0
    for project in projects:
        if project["name"] in names:
            every = all_pages(
                apis.todo.list_tasks, access_token=todo_token, project_id=project["project_id"], done=False
            )
            for one in every:
                {_call("mark_task_done")}
            count += len(every)
    return count
""",
        pool=pools.projects,
        fewest=2,
        most=3,
    ),
)
