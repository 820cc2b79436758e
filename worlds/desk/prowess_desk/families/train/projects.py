"""Train families of the todo app: its projects, labels and reopening, one with notes, one with the phone's calendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.todo import (
    COLORS,
    Project,
    TodoTask,
    add_project,
    comment,
    edit_task,
    inbox,
    project_named,
    remove_project,
    reopen,
)
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, jotted, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Delete the archived projects in which nothing is left to do, but those of one color.

_PAST = """Old flat|Choir tour|Half marathon|Book club|Allotment|Boat license|Robot kit|School reunion|Charity run|
Language course|Kitchen remodel|Exhibition|Scout camp|Beehives""".replace("\n", "").split("|")
"""Names of projects that nobody has at first, as below."""


def _make_archive(draw: Draw) -> Values | None:
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


def _solve_archive(state: State, me: Person, values: Values) -> Json:
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
    make=_make_archive,
    solve=_solve_archive,
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


# Have an open project for each line of a note.

_PLANS = ("Plans for spring", "Things to give time to", "Goals of the year", "After the move", "My side projects")
_FRESH = """Podcast|Balcony|Tax return|Family tree|Sewing|Photo book|Chess|Puppy|Pottery|Night sky|Winter swimming|
Bike tour""".replace("\n", "").split("|")


def _make_plans(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    title, fresh = rng.choice(_PLANS), rng.sample(_FRESH, 8)
    color, other, third = rng.sample([each for each in COLORS if each != "gray"], 3)
    for name in fresh[:3]:
        old = add_project(state, me.id, name, rng.choice((other, third)))
        planned(draw, old, f"think about {name.lower()}", done=rng.random() < 0.5, days=150)
        state[Project].change(old.id, archived=True)
    there = [project.name for project in projects_of(draw, 3)]
    wanted = rng.sample([*there[:2], *fresh[:2], *fresh[3:6]], 7)
    jotted(draw, title, "\n".join(("In no particular order", *(f"- {name}" for name in wanted))), days=9)
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"- {name}" for name in (fresh[2], fresh[6], there[2], fresh[7])), days=380)
    return {"title": title, "color": color, "other_title": twin, "other_color": other}


def _solve_plans(state: State, me: Person, values: Values) -> Json:
    mine = {project.name: project.id for project in state[Project].of(me.id)}
    for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]:
        if line[2:] in mine:
            state[Project].change(mine[line[2:]], archived=False)
        else:
            add_project(state, me.id, line[2:], values["color"])


def open_projects_in_note(title: str, color: str) -> int:
    """Open a project for each `- name` line of a note, unarchived or new, and return how many were not open yet."""
    lines = read_note(title=title)["content"].splitlines()
    names = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    token = login(app="todo")
    current = {each["name"] for each in all_pages(apis.todo.list_projects, access_token=token)}
    archived = all_pages(apis.todo.list_projects, access_token=token, archived=True)
    shelved = {each["name"]: each["project_id"] for each in archived}
    wanted = [name for name in names if name not in current]
    for name in wanted:
        if name in shelved:
            apis.todo.update_project(access_token=token, project_id=shelved[name], archived=False)
        else:
            apis.todo.create_project(access_token=token, name=name, color=color)
    return len(wanted)


projects_from_note = Family(
    name="projects_from_note",
    split="train",
    difficulty=2,
    apps=("todo", "notes"),
    slots={"title": str, "color": str},
    wordings=(
        'Every line of my note "{title}" that starts with a dash names a project I want to have in my todo app. Create'
        " those that I do not have, in {color}, and take those that are in the archive out of it. What is there already"
        " stays as it is.",
        'Set up my todo app for "{title}", a note with a project name behind each dash: if an archived project has that'
        " name, just unarchive it; if there is none at all, make a new {color} one; if it is there and open, do"
        " nothing.",
        "I want an open todo project for each thing listed with a dash in the note called"
        ' "{title}", named like it. New ones should be {color}. Do not make a second one of what I have, but some of'
        " them I had archived: bring these back, without changing their color.",
    ),
    make=_make_plans,
    solve=_solve_plans,
    program=Program(functions=(open_projects_in_note,), call="open_projects_in_note(title={title!r}, color={color!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_color", swap={"color": "other_color"}),
        Mistake(name="no_color", old="name=name, color=color)", new="name=name)"),
        Mistake(name="brought_back_in_color", old="archived=False)", new="archived=False, color=color)"),
        Mistake(name="archive_untouched", old="            apis.todo.update_project(", new="            dict("),
        Mistake(name="dashes_kept", old='line.removeprefix("- ")', new="line"),
    ),
)


# Replace labels that few tasks have by another.

_RARE = ("attic", "heavy", "rainy day", "borrowed", "for two", "fragile", "by bike", "tools", "noisy", "upstairs")
_CATCHALL = ("misc", "various", "sundry", "odds and ends", "unsorted", "leftover")


def _make_rare(draw: Draw) -> Values | None:
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


def _solve_rare(state: State, me: Person, values: Values) -> Json:
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
    make=_make_rare,
    solve=_solve_rare,
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


# Reopen what was marked as done yesterday, and say why.

_REASONS = """Not finished after all.|Ticked off too early.|This needs another look.|One more try, please.|
It came back from the shop broken.|The result was not good enough.""".replace("\n", "").split("|")


def _make_reopen(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    project, other = projects_of(draw, 2)
    label, another = rng.sample(LABELS, 2)
    chores = iter(rng.sample(CHORES, 15))
    today = datetime.combine(now.date(), time())

    def ticked(place: Project, hours: float, *labels: str) -> None:
        when = today + timedelta(hours=hours, minutes=rng.randint(0, 25))
        planned(draw, place, next(chores), done=when, labels=labels, days=rng.randint(5, 60))

    ticked(project, -24.5)
    for hours in (-24, -17, -12, -11, -6, -3, -0.5):
        ticked(project, hours, *rng.choice(((), (another,))))
    ticked(project, -9, label)
    ticked(project, -2, label, another)
    ticked(project, 0)  # today
    ticked(project, -40)
    ticked(other, -10)
    planned(draw, project, next(chores))
    return {
        "project": project.name,
        "label": label,
        "reason": rng.choice(_REASONS),
        "other_project": other.name,
        "other_label": another,
    }


def _solve_reopen(state: State, me: Person, values: Values) -> Json:
    project, day = project_named(state, me.id, values["project"]), state.now.date() - timedelta(days=1)
    for task in state[TodoTask].of(me.id):
        if task.project_id != project.id or values["label"] in task.labels:
            continue
        if task.completed_at is not None and task.completed_at.date() == day:
            reopen(state, task.id)
            comment(state, task.id, values["reason"])


def reopen_what_was_done_yesterday(project: str, spared_label: str, reason: str) -> int:
    """Reopen the tasks of a project done yesterday that lack a label, comment on each and return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    yesterday = (today - timedelta(days=1)).isoformat()
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    recent = [task for task in tasks if task["completed_at"][:10] == yesterday and spared_label not in task["labels"]]
    for task in recent:
        apis.todo.reopen_task(access_token=token, task_id=task["task_id"])
        apis.todo.add_comment(access_token=token, task_id=task["task_id"], text=reason)
    return len(recent)


reopen_yesterdays = Family(
    name="reopen_yesterdays",
    split="train",
    difficulty=2,
    apps=("todo", "phone"),
    slots={"project": str, "label": str, "reason": str},
    wordings=(
        'Reopen all tasks of my todo project "{project}" that I marked as done yesterday, except those labelled'
        ' "{label}", and comment "{reason}" on each task you reopen.',
        'Yesterday I was too quick with ticking things off in "{project}". Please set what I completed that day in this'
        ' todo project back to not done, and write "{reason}" as a comment under each. Leave alone what has the label'
        ' "{label}".',
        'With the exception of tasks that carry the label "{label}", everything in the todo project "{project}" that'
        ' was completed yesterday (not today, not earlier) must be reopened. Comment on each: "{reason}"',
    ),
    make=_make_reopen,
    solve=_solve_reopen,
    program=Program(
        functions=(reopen_what_was_done_yesterday,),
        call="reopen_what_was_done_yesterday(project={project!r}, spared_label={label!r}, reason={reason!r})",
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="today_too", old="[:10] == yesterday", new="[:10] >= yesterday"),
        Mistake(name="labelled_ones_too", old=' and spared_label not in task["labels"]', new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(name="no_comment", old="        apis.todo.add_comment(", new="        dict("),
    ),
)

FAMILIES = (clear_project_archive, projects_from_note, fold_rare_labels, reopen_yesterdays)
