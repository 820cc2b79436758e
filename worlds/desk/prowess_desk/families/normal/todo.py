"""Families of test_normal: the todo app, by itself and with the phone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.phone import Contact, change_contact
from prowess_desk.apps.todo import Subtask, TodoTask, add_task, comment, project_named, remove_task, task_titled
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login

# Delete what was finished before a day.


def _make_delete_finished_tasks(draw: Draw) -> Values | None:
    state = draw.state
    project, other = projects_of(draw, 2)
    before = (state.now - timedelta(days=draw.rng.randint(15, 50))).date()
    edge = datetime(before.year, before.month, before.day, 10, 15)
    titles = iter(draw.rng.sample(CHORES, 11))
    for n, age in enumerate((0, -4, -9, 30, -2, 1, 6, 12)):  # finished that very day, after it, before it
        task = planned(draw, project, next(titles), done=edge - timedelta(days=age), days=100 - n)
        if age > 0:
            state[TodoTask].change(task.id, due=before + timedelta(days=4) if age > 5 else None)
            comment(state, task.id, "Took longer than I thought.")  # goes with its task
    planned(draw, project, next(titles), due=before - timedelta(days=5), days=99)  # due before it, still open
    planned(draw, other, next(titles), done=edge - timedelta(days=8), days=90)
    return {"project": project.name, "before": before.isoformat(), "other_project": other.name}


def _solve_delete_finished_tasks(state: State, me: Person, values: Values) -> Json:
    project, before = project_named(state, me.id, values["project"]), date.fromisoformat(values["before"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and task.done and task.completed_at and task.completed_at.date() < before:
            remove_task(state, task.id)


def delete_tasks_finished_before(project_name: str, before: str) -> int:
    """Delete the tasks of a project that were completed before a day (YYYY-MM-DD) and return how many there were."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(project["project_id"] for project in projects if project["name"] == project_name)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    old = [task for task in tasks if task["completed_at"][:10] < before]
    for task in old:
        apis.todo.delete_task(access_token=token, task_id=task["task_id"])
    return len(old)


delete_finished_tasks = Family(
    name="delete_finished_tasks",
    split="test_normal",
    difficulty=1,
    apps=("todo",),
    slots={"project": str, "before": str},
    wordings=(
        'Delete all tasks in my todo project "{project}" that I finished before {before}.',
        'My project "{project}" on todo is full of old stuff. Delete whatever was completed there earlier than'
        " {before}; what got done on that day or later stays, and so does everything still open.",
        'Please clear the todo list "{project}" of its done tasks, but only those whose completion lies before {before}'
        " (that day not included).",
    ),
    make=_make_delete_finished_tasks,
    solve=_solve_delete_finished_tasks,
    program=Program(
        functions=(delete_tasks_finished_before,),
        call="delete_tasks_finished_before(project_name={project!r}, before={before!r})",
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(name="that_day_too", old='["completed_at"][:10] < before', new='["completed_at"][:10] <= before'),
        Mistake(name="when_written", old='task["completed_at"]', new='task["created_at"]'),
        Mistake(name="every_project", old="project_id=project_id, ", new=""),
    ),
)


# Make tasks of the open steps of a task.

_BIG = "Redo the kitchen|Open the stall|Move the studio|Host the reunion|Restore the boat|Launch the newsletter".split(
    "|"
)


def _make_promote_subtasks(draw: Draw) -> Values | None:
    state, now = draw.state, draw.state.now
    home, target = projects_of(draw, 2)
    title = draw.rng.choice(_BIG)
    steps = draw.rng.sample(CHORES, 14)
    twin = planned(draw, home, f"{title} again", due=now.date() + timedelta(days=3), priority=1, days=80)
    task = planned(
        draw,
        home,
        title,
        due=now.date() + timedelta(days=draw.rng.randint(10, 40)),
        priority=draw.rng.randint(1, 3),
        labels=("weekend",),
        days=30,
    )
    dones = draw.rng.sample((True, True, False, False, False, False, False), 7)
    for row, names in ((task, steps[:7]), (twin, steps[7:])):
        subtasks = tuple(Subtask(title=name, done=done) for name, done in zip(names, dones, strict=True))
        state[TodoTask].change(row.id, subtasks=subtasks)
    comment(state, task.id, "This is too much for one task.")
    return {"task": title, "project": target.name, "other_task": twin.title, "other_project": home.name}


def _solve_promote_subtasks(state: State, me: Person, values: Values) -> Json:
    task, project = task_titled(state, me.id, values["task"]), project_named(state, me.id, values["project"])
    for step in task.subtasks:
        if not step.done:
            add_task(state, me.id, step.title, project=project.id, due=task.due, priority=task.priority)
    remove_task(state, task.id)


def promote_open_subtasks(task_title: str, project_name: str) -> int:
    """Make a task in a project of each open subtask of a task, with its due date and priority, and delete the task."""
    token = login(app="todo")
    tasks = all_pages(apis.todo.search_tasks, access_token=token, query=task_title)
    task_id = next(task["task_id"] for task in tasks if task["title"] == task_title)
    task = apis.todo.show_task(access_token=token, task_id=task_id)
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(project["project_id"] for project in projects if project["name"] == project_name)
    steps = [step["title"] for step in task["subtasks"] if not step["done"]]
    for title in steps:
        apis.todo.create_task(
            access_token=token,
            title=title,
            project_id=project_id,
            due_date=task["due_date"],
            priority=task["priority"],
        )
    apis.todo.delete_task(access_token=token, task_id=task_id)
    return len(steps)


promote_subtasks = Family(
    name="promote_subtasks",
    split="test_normal",
    difficulty=2,
    apps=("todo",),
    slots={"task": str, "project": str},
    wordings=(
        'Turn each subtask of my task "{task}" that is not done yet into a task of its own in the project "{project}",'
        ' with the due date and the priority of "{task}" and no labels. Then delete "{task}".',
        'The todo task "{task}" has grown too big. Its open subtasks should become separate, unlabelled tasks in'
        ' "{project}" that are due on the same day and have the same priority as it has now; the big task itself is to'
        " be deleted, finished steps and all.",
        'Break up "{task}" on todo: put every unfinished step of it into my project "{project}" as a new task, without'
        " labels, keeping the due date and the priority of the whole, and after that remove the whole.",
    ),
    make=_make_promote_subtasks,
    solve=_solve_promote_subtasks,
    program=Program(
        functions=(promote_open_subtasks,),
        call="promote_open_subtasks(task_title={task!r}, project_name={project!r})",
    ),
    mistakes=(
        Mistake(name="the_similar_task", swap={"task": "other_task"}),
        Mistake(name="first_match", old=' if task["title"] == task_title', new=""),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="finished_steps_too", old=' if not step["done"]', new=""),
        Mistake(name="priority_forgotten", old='            priority=task["priority"],\n', new=""),
        Mistake(name="not_deleted", old="    apis.todo.delete_task(access_token=token, task_id=task_id)\n", new=""),
    ),
)


# A task for each birthday in a month.

_MONTHS = ("July", "August", "September", "October", "November", "December")


def _make_birthday_gifts(draw: Draw) -> Values | None:
    state = draw.state
    project, other = projects_of(draw, 2)
    month = draw.rng.choice(_MONTHS)
    number = _MONTHS.index(month) + 7
    contacts = sorted(state[Contact].of(draw.me.id), key=lambda contact: contact.id)
    if len(contacts) < 9:
        return None
    chosen = [*draw.rng.sample(contacts[:5], 2), *draw.rng.sample(contacts[5:], 3)]
    for contact in chosen:
        change_contact(state, contact.id, birthday=date(draw.rng.randint(1958, 2003), number, draw.rng.randint(1, 28)))
    near = draw.rng.choice([contact for contact in contacts if contact not in chosen])
    wrong = 1 + number % 12
    change_contact(state, near.id, birthday=date(1990, wrong, number))  # the day, not the month
    days = draw.rng.randint(3, 12)
    taken = state[Contact][chosen[3].id]
    assert taken.birthday is not None
    due = date(2025, number, taken.birthday.day) - timedelta(days=days + 1)
    planned(draw, project, f"Gift for {taken.name}", due=due)  # there is one already
    planned(draw, other, f"Gift for {chosen[0].name}", due=due)  # but in another project
    return {
        "month": month,
        "project": project.name,
        "days": days,
        "other_month": f"{date(2025, wrong, 1):%B}",
        "other_project": other.name,
    }


def _solve_birthday_gifts(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    present = {task.title for task in state[TodoTask].of(me.id) if task.project_id == project.id}
    for contact in state[Contact].of(me.id):
        day, title = contact.birthday, f"Gift for {contact.name}"
        if day and f"{day:%B}" == values["month"] and title not in present:
            due = date(2025, day.month, day.day) - timedelta(days=values["days"])
            add_task(state, me.id, title, project=project.id, due=due)


def plan_birthday_gifts(month: str, project_name: str, days: int) -> int:
    """Add a gift task, due some days before, for each contact with a birthday in a month; return how many are new."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(project["project_id"] for project in projects if project["name"] == project_name)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)
    titles = {task["title"] for task in tasks}
    year = int(apis.phone.show_current_date_and_time()["date"][:4])
    count = 0
    for contact in all_pages(apis.phone.show_contacts, access_token=login(app="phone")):
        if not contact["birthday"]:
            continue
        birthday = date.fromisoformat(contact["birthday"])
        title = f"Gift for {contact['name']}"
        if birthday.strftime("%B") == month and title not in titles:
            due = birthday.replace(year=year) - timedelta(days=days)
            apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=due.isoformat())
            count += 1
    return count


birthday_gifts = Family(
    name="birthday_gifts",
    split="test_normal",
    difficulty=3,
    apps=("todo", "phone"),
    slots={"month": str, "project": str, "days": int},
    wordings=(
        'For each of my phone contacts who has a birthday in {month}, add a task to my todo project "{project}", due'
        ' {days} days before the birthday this year. Its title is "Gift for" and the full name, as in "Gift for Ada'
        ' Example". Skip those for whom this project already has that task.',
        "Whose birthday is in {month}? Look through my phone contacts and make sure that every one of them has a task"
        ' in the todo project "{project}", titled like "Gift for Ada Example". New ones are due {days} days ahead of'
        " this year's birthday; leave tasks that are there already as they are.",
        'Plan my {month} presents: in the project "{project}" on todo, create for every contact in my phone born in'
        ' that month a task titled "Gift for" plus the full name, with a due date {days} days before their birthday in'
        " this year, unless the project has such a task for them.",
    ),
    make=_make_birthday_gifts,
    solve=_solve_birthday_gifts,
    program=Program(
        functions=(plan_birthday_gifts,),
        call="plan_birthday_gifts(month={month!r}, project_name={project!r}, days={days!r})",
    ),
    mistakes=(
        Mistake(name="another_month", swap={"month": "other_month"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="on_the_day", old=" - timedelta(days=days)", new=""),
        Mistake(name="tasks_twice", old=" and title not in titles", new=""),
    ),
)

FAMILIES = (delete_finished_tasks, promote_subtasks, birthday_gifts)
