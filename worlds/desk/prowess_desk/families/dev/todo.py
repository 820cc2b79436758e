"""Dev families of the todo app, one of them with notes."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.todo import Project, TodoTask, project_named
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login

# Which project has the most open tasks with a label?


def _make_busiest_project(draw: Draw) -> Values | None:
    state, rng = draw.state, draw.rng
    winner, rival, archived, busy = projects_of(draw, 4)
    label, other = rng.sample(LABELS, 2)
    chores = iter(rng.sample([*CHORES, *(f"{chore} again" for chore in CHORES)], 50))

    def count(project: Project, labels: tuple[str, ...] = (label,)) -> int:
        """Open tasks of a project that have all these labels."""
        mine = [task for task in state[TodoTask].of(draw.me.id) if task.project_id == project.id and not task.done]
        return sum(set(labels) <= set(task.labels) for task in mine)

    for _ in range(3):  # the oldest, and so first in the listing
        planned(draw, rival, next(chores), labels=[label], days=200)
    most = max(count(project) for project in state[Project].of(draw.me.id) if project.id != winner.id)
    if count(winner) > most or most > 6:
        return None
    while count(winner) <= most:
        planned(draw, winner, next(chores), labels=[label], days=2)
    while count(archived) <= most + 1:
        planned(draw, archived, next(chores), labels=[label], days=60)
    state[Project].change(archived.id, archived=True)
    for _ in range(most + 2 - count(rival)):
        planned(draw, rival, next(chores), labels=[label], done=True, days=70)
    while count(busy, ()) <= count(winner, ()) or count(busy, (other,)) <= count(winner, (other,)):
        planned(draw, busy, next(chores), labels=[other], days=50)
    return {"label": label, "other_label": other}


def _solve_busiest_project(state: State, me: Person, values: Values) -> Json:
    counts = {
        project.name: sum(
            task.project_id == project.id and not task.done and values["label"] in task.labels
            for task in state[TodoTask].of(me.id)
        )
        for project in state[Project].of(me.id)
        if not project.archived
    }
    return max(counts, key=lambda name: counts[name])


def busiest_project_for_label(label: str) -> str:
    """Return the name of the project, not archived, that has the most open tasks with a label."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    names = {project["project_id"]: project["name"] for project in projects}
    tasks = all_pages(apis.todo.list_tasks, access_token=token, label=label, done=False)
    counts = Counter(task["project_id"] for task in tasks if task["project_id"] in names)
    return names[counts.most_common(1)[0][0]]


busiest_project = Family(
    name="busiest_project",
    split="dev",
    difficulty=2,
    apps=("todo",),
    slots={"label": str},
    wordings=(
        'Which of my todo projects has the most open tasks with the label "{label}"? Archived projects do not count.',
        'Count my unfinished todo tasks labelled "{label}" per project, leaving archived projects out, and tell me the'
        " name of the project with the highest number.",
        'In what project have I got the largest number of "{label}" tasks still to do? I mean the label in the todo'
        " app, and only projects that are not in the archive. Just give me the project's name.",
    ),
    make=_make_busiest_project,
    solve=_solve_busiest_project,
    program=Program(functions=(busiest_project_for_label,), call="busiest_project_for_label(label={label!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(
            name="archived_ones_too",
            old="    names = {",
            new=(
                "    projects += all_pages(apis.todo.list_projects, access_token=token, archived=True)\n    names = {"
            ),
        ),
        Mistake(name="any_label", old="label=label, done=False", new="done=False"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Write down what was finished in a month.


def _make_finished_tasks_note(draw: Draw) -> Values | None:
    rng = draw.rng
    project, other = projects_of(draw, 2)
    month = date(2025, rng.randint(2, 4), 1)
    chores = iter(rng.sample(CHORES, 12))

    def done(where: Project, when: datetime) -> None:
        planned(draw, where, next(chores), done=when, days=120)

    start = datetime(month.year, month.month, 1, 8, 15)
    for day in rng.sample(range(27), 6):
        done(project, start + timedelta(days=day))
    done(project, start + timedelta(days=40))
    done(project, start - timedelta(days=1))
    done(other, start + timedelta(days=10))
    planned(draw, project, next(chores), due=month + timedelta(days=9), days=70)  # due then, but still open
    before = month - timedelta(days=1)
    return {
        "project": project.name,
        "month": f"{month:%Y-%m}",
        "title": rng.choice(("What I got done", "Monthly review", "Done and dusted", "Look back", "Finished things")),
        "other_project": other.name,
        "other_month": f"{before:%Y-%m}",
    }


def _solve_finished_tasks_note(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    year, month = map(int, values["month"].split("-"))
    titles = [
        task.title
        for task in state[TodoTask].of(me.id)
        if task.project_id == project.id
        and task.completed_at is not None
        and (task.completed_at.year, task.completed_at.month) == (year, month)
    ]
    write_note(state, me.id, values["title"], "\n".join("- " + title for title in sorted(titles)))


def note_finished_tasks(project: str, month: str, title: str) -> int:
    """Write a note that lists the tasks of a project completed in a month (YYYY-MM), by title; return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    lines = sorted(f"- {task['title']}" for task in tasks if task["completed_at"].startswith(month))
    notes_token = login(app="notes")
    apis.notes.create_note(access_token=notes_token, title=title, content="\n".join(lines))
    return len(lines)


finished_tasks_note = Family(
    name="finished_tasks_note",
    split="dev",
    difficulty=2,
    apps=("todo", "notes"),
    slots={"project": str, "month": str, "title": str},
    wordings=(
        'Write a note "{title}" that lists the tasks of my todo project "{project}" I completed in {month} (year and'
        " month): one per line after a dash and a space, in alphabetical order, nothing else.",
        'What did I finish in {month} (year-month)? Take the tasks of the todo project "{project}" completed in that'
        ' month, sort their titles from A to Z and put them into a new note called "{title}", each on a line that'
        " starts with a dash and a space. No other text.",
        'I need a record in my notes app, titled "{title}", of what was completed in "{project}", one of my todo'
        " projects, during {month} (year and month). Only lines of the form - task title, in alphabetical order.",
    ),
    make=_make_finished_tasks_note,
    solve=_solve_finished_tasks_note,
    program=Program(
        functions=(note_finished_tasks,),
        call="note_finished_tasks(project={project!r}, month={month!r}, title={title!r})",
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_month", swap={"month": "other_month"}),
        Mistake(name="any_month", old=' if task["completed_at"].startswith(month)', new=""),
        Mistake(name="as_listed", old="sorted(f\"- {task['title']}\"", new="list(f\"- {task['title']}\""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(name="no_dash", old="f\"- {task['title']}\"", new="task['title']"),
    ),
)

FAMILIES = (busiest_project, finished_tasks_note)
