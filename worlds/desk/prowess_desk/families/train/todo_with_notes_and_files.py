"""Train families of the todo app with notes or files that list projects, tasks and steps."""

from __future__ import annotations

import re
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, todo
from prowess_desk.apps.files import file_at
from prowess_desk.apps.notes import note_titled, rewrite
from prowess_desk.apps.todo import (
    COLORS,
    Project,
    Subtask,
    TodoTask,
    add_project,
    add_task,
    edit_task,
    project_named,
    task_titled,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import CHORES, at_home, filed, jotted, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login, read_note
from prowess_desk.families.train.todo import JOBS, stepped

# Make tasks of what is not ticked off on a checklist.

_CHECKLISTS = {
    "Moving checklist": "give notice|pack the cellar|hand over keys|redirect the mail|defrost the freezer|read dials",
    "Wedding checklist": "choose the rings|taste the cake|book the band|write the vows|confirm the florist|rent a tent",
    "Marathon checklist": "collect the bib|buy gels|plan the pace|book a massage|break in the shoes|trim toenails",
    "Festival checklist": "find the wristband|borrow a tent|buy ear plugs|arrange the ride|pack ponchos|charge lamps",
    "Winter checklist": "bleed the radiators|bring in the plants|change tyres|order wood|seal the window|buy grit",
}


def _make_tasks_from_checklist(draw: Draw) -> Values | None:
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


def _solve_tasks_from_checklist(state: State, me: Person, values: Values) -> Json:
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
    make=_make_tasks_from_checklist,
    solve=_solve_tasks_from_checklist,
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


# Tick off on a checklist what is done in todo.

_CHECKLISTS_TO_TICK = {
    "Choir tour plan": "print the scores|book the coach|order robes|tune the harp|send invitations|pack throat tea",
    "Kitchen plan": "choose tiles|measure the worktop|empty the drawers|rent a skip|paint the ceiling|hang the lamp",
    "Street party plan": "ask the council|borrow benches|hang the bunting|hire a clown|buy charcoal|close the road",
    "Sailing plan": "check the flares|fill the water tank|mend the jib|read the tide table|stow the anchor|buy rope",
    "Exam plan": "register online|copy the slides|borrow a calculator|solve old papers|find the hall|sleep early",
    "Puppy plan": "buy a lead|fence the yard|visit the vet|choose a name|hide the shoes|fill in the papers",
}


def _make_tick_off_done_items(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_CHECKLISTS_TO_TICK))
    items = rng.sample(_CHECKLISTS_TO_TICK[title].split("|"), 6)
    project, other = projects_of(draw, 2)
    for n, chore in enumerate(rng.sample(CHORES, 5)):
        planned(draw, project, chore, done=True, days=90 - n)  # a page full, none of it on the list
    first, second, third, ticked, undone, elsewhere = items
    planned(draw, project, first, done=True)
    planned(draw, project, second, done=True, days=12)
    planned(draw, project, third)
    planned(draw, project, ticked)  # ticked off on the list all the same
    planned(draw, project, f"{undone} again", done=True)  # another task; there is none for the item itself
    planned(draw, other, elsewhere, done=True)
    lines = [f"[{'x' if item == ticked else ' '}] {item}" for item in rng.sample(items, 6)]
    jotted(draw, title, "\n".join(("What we said on the phone:", *lines, "More next week.")), days=25)
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"[ ] {item}" for item in items[:4]), archived=True, days=380)
    return {"title": title, "project": project.name, "other_title": twin, "other_project": other.name}


def _solve_tick_off_done_items(state: State, me: Person, values: Values) -> Json:
    project, note = project_named(state, me.id, values["project"]), note_titled(state, me.id, values["title"])
    content = note.content + "\n"
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and task.done:
            content = content.replace(f"\n[ ] {task.title}\n", f"\n[x] {task.title}\n")
    rewrite(state, note.id, content=content[:-1])


def tick_off_finished_tasks(note_title: str, project: str) -> int:
    """Tick off the lines `[ ] item` of a note whose item is a done task of a todo project and return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    finished = {f"[ ] {task['title']}" for task in tasks}
    note = read_note(title=note_title)
    lines = note["content"].splitlines()
    ticked = [line.replace("[ ]", "[x]", 1) if line in finished else line for line in lines]
    notes_token = login(app="notes")
    apis.notes.update_note(access_token=notes_token, note_id=note["note_id"], content="\n".join(ticked))
    return sum(line in finished for line in lines)


tick_off_done_items = Family(
    name="tick_off_done_items",
    split="train",
    difficulty=3,
    apps=("todo", "notes"),
    slots={"title": str, "project": str},
    wordings=(
        'In my note "{title}", tick off every item that is a finished task of the todo project "{project}": there [ ]'
        " becomes [x]. A task belongs to an item if its title is exactly the item. Change nothing else in the note.",
        'The checklist in the note "{title}" is out of date. Some of its items are tasks, titled just like them, that I'
        ' have completed in "{project}" in the todo app. Turn the empty box [ ] before those into [x] and leave all'
        " other lines alone, also what was ticked before.",
        'Compare the project "{project}" of my todo app with my note "{title}". Where a task that is done there stands'
        " in the note, word for word, after an open box, replace [ ] on that line by [x]; everything else in the note"
        " remains as it is.",
    ),
    make=_make_tick_off_done_items,
    solve=_solve_tick_off_done_items,
    program=Program(
        functions=(tick_off_finished_tasks,),
        call="tick_off_finished_tasks(note_title={title!r}, project={project!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="any_project", old="project_id=project_id, done=True", new="done=True"),
        Mistake(name="open_ones_too", old=", done=True", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(
            name="nearly_the_same",
            old="if line in finished else",
            new="if any(task.startswith(line) for task in finished) else",
        ),
    ),
)


# Have an open project for each line of a note.

_PLAN_TITLES = ("Plans for spring", "Things to give time to", "Goals of the year", "After the move", "My side projects")


_FRESH = """Podcast|Balcony|Tax return|Family tree|Sewing|Photo book|Chess|Puppy|Pottery|Night sky|Winter swimming|
Bike tour""".replace("\n", "").split("|")


def _make_projects_from_note(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    title, fresh = rng.choice(_PLAN_TITLES), rng.sample(_FRESH, 8)
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


def _solve_projects_from_note(state: State, me: Person, values: Values) -> Json:
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
    make=_make_projects_from_note,
    solve=_solve_projects_from_note,
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


# Bring the subtasks of a task in line with a file.


def _make_sync_steps_with_file(draw: Draw) -> Values | None:
    rng = draw.rng
    title, project = rng.choice(list(JOBS)), rng.choice(projects_of(draw, 2))
    steps = rng.sample(JOBS[title].split("|"), 7)
    gone, new = rng.sample(steps[:3], 2), steps[5:]
    kept = [step for step in steps[:5] if step not in gone]
    twin = older_twin(title)
    stepped(draw, planned(draw, project, twin, done=True, days=400), steps[2:6], steps[2:6])
    stepped(draw, planned(draw, project, title), steps[:5], [gone[0], *rng.sample(kept, 2)])
    name = title.lower().replace(" ", "-")
    listed = rng.sample([*kept, *new], 5)
    path, other = rng.sample((f"~/documents/personal/{name}.txt", f"~/documents/work/{name}.txt"), 2)
    filed(draw, path, "\n".join((*listed[:3], "", *listed[3:])), days=2)
    filed(draw, other, "\n".join((steps[0], new[0], steps[1], kept[-1])), days=70)
    return {"title": title, "path": path, "other_title": twin, "other_path": other}


def _solve_sync_steps_with_file(state: State, me: Person, values: Values) -> Json:
    file, task = file_at(state, me.id, at_home(me, values["path"])), task_titled(state, me.id, values["title"])
    assert file is not None
    wanted = [line for line in file.content.split("\n") if line]
    kept = [step for step in task.subtasks if step.title in wanted]
    known = {step.title for step in kept}
    added = [Subtask(title=line) for line in wanted if line not in known]
    state[TodoTask].change(task.id, subtasks=(*kept, *added))


def match_subtasks_to_file(title: str, file_path: str) -> int:
    """Delete the subtasks of a task that are no line of a file, add the lines it lacks, and return how many it has."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=file_path)["content"]
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    steps = apis.todo.show_task(access_token=token, task_id=task_id)["subtasks"]
    for step in reversed(steps):  # from the last, for the numbers after a deleted one change
        if step["title"] not in lines:
            apis.todo.delete_subtask(access_token=token, task_id=task_id, subtask_number=step["subtask_number"])
    present = [step["title"] for step in steps]
    for line in [line for line in lines if line not in present]:
        apis.todo.add_subtask(access_token=token, task_id=task_id, title=line)
    return len(lines)


sync_steps_with_file = Family(
    name="sync_steps_with_file",
    split="train",
    difficulty=3,
    apps=("files", "todo"),
    slots={"title": str, "path": str},
    wordings=(
        'Bring the subtasks of my todo task "{title}" in line with the file "{path}", which has one step per line:'
        " delete the subtasks that are not in the file, and add the steps that are missing, in the order of the file,"
        " after the others. What is in both stays as it is, done or not.",
        'The steps of "{title}" in my todo app are out of date; the right ones are in "{path}", a step per line (ignore'
        " blank lines). Drop each subtask that the file does not mention, keep the ones it does mention untouched, and"
        " append the rest of its lines as new subtasks, first to last.",
        'I rewrote my plan in "{path}": each line that is not empty is a step of the todo task called "{title}".'
        " Please remove the subtasks that are no longer planned and put the newly planned ones, in the order they have"
        " there, at the end. Do not touch subtasks that are still planned.",
    ),
    make=_make_sync_steps_with_file,
    solve=_solve_sync_steps_with_file,
    program=Program(
        functions=(match_subtasks_to_file,), call="match_subtasks_to_file(title={title!r}, file_path={path!r})"
    ),
    mistakes=(
        Mistake(name="the_older_task", swap={"title": "other_title"}),
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="numbers_shifted", old="in reversed(steps):", new="in steps:"),
        Mistake(name="only_added", old='if step["title"] not in lines:', new="if not lines:"),
        Mistake(name="all_added", old=" if line not in present]", new="]"),
        Mistake(
            name="all_made_anew",
            old='present = [step["title"] for step in steps]',
            new="present = []\n    while apis.todo.show_task(access_token=token, task_id=task_id)['subtasks']:\n"
            "        apis.todo.delete_subtask(access_token=token, task_id=task_id, subtask_number=1)",
        ),
    ),
)


# Make a project of the folders of a course.

_COURSES = {
    "pottery": "clay|pinch-pots|the-wheel|handles|glazing|kiln",
    "first-aid": "bleeding|burns|recovery-position|shock|poison|fractures",
    "italian": "greetings|numbers|at-the-market|past-tense|directions|letters",
    "sailing": "knots|wind|right-of-way|charts|harbors|night-watch",
}


_SHEETS = ("reading.pdf", "exercise.txt", "slides.v2.pdf", "homework.md", "video.mp4", "summary.txt", "quiz.md")


def _make_course_to_project(draw: Draw) -> Values | None:
    rng, state, me, name = draw.rng, draw.state, draw.me, draw.rng.choice(sorted(_COURSES))
    folder, twin = f"~/documents/{name}", f"~/documents/{name}-2024"
    for top, count in ((twin, 3), (folder, 6)):
        lessons = [f"{top}/{n}-{lesson}" for n, lesson in enumerate(rng.sample(_COURSES[name].split("|"), count), 1)]
        for path in lessons:
            files.make_directory(state, me.id, papers.at_home(me, path))
            for sheet in rng.sample(_SHEETS, rng.randint(2, 4)) if path != lessons[-2] else ():  # one has none yet
                papers.filed(draw, f"{path}/{sheet}", f"{name}: {sheet}")
        files.make_directory(state, me.id, papers.at_home(me, f"{lessons[0]}/old"))
        for path in (f"{lessons[0]}/old/draft.txt", f"{lessons[-1]}/plan.b.txt", f"{top}/welcome.txt"):
            papers.filed(draw, path, "We start on time.")
    day = state.now.date() + timedelta(days=rng.randint(3, 30))
    project = f"{name.replace('-', ' ').capitalize()} {rng.choice(('course', 'class', 'lessons'))}"
    return {"folder": folder, "project": project, "day": day.isoformat(), "other_folder": twin}


def _solve_course_to_project(state: State, me: Person, values: Values) -> Json:
    project = todo.add_project(state, me.id, values["project"])
    top, due = papers.at_home(me, values["folder"]), date.fromisoformat(values["day"])
    for path in sorted(one.path for one in state[files.Directory].of(me.id) if files.parent(one.path) == top):
        names = sorted(file.path for file in state[files.File].of(me.id) if files.parent(file.path) == path)
        steps = [re.sub(r"\.[^.]+$", "", name.removeprefix(f"{path}/")) for name in names]
        todo.add_task(state, me.id, path.removeprefix(f"{top}/"), project=project.id, due=due, subtasks=steps)
        due += timedelta(weeks=1)


def plan_course(folder: str, project: str, first_day: str) -> int:
    """Create a project with a weekly task per folder of a folder and a subtask per file in it; return how many."""
    files_token, token = login(app="files"), login(app="todo")
    project_id = apis.todo.create_project(access_token=token, name=project)["project_id"]
    folders = apis.files.show_directory(access_token=files_token, directory_path=folder)["directories"]
    for week, path in enumerate(sorted(folders)):
        title, due = path.split("/")[-1], date.fromisoformat(first_day) + timedelta(weeks=week)
        task = apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=due.isoformat())
        for file in sorted(apis.files.show_directory(access_token=files_token, directory_path=path)["files"]):
            step = file.split("/")[-1].rpartition(".")[0]
            apis.todo.add_subtask(access_token=token, task_id=task["task_id"], title=step)
    return len(folders)


course_to_project = Family(
    name="course_to_project",
    split="train",
    difficulty=2,
    apps=("files", "todo"),
    slots={"folder": str, "project": str, "day": str},
    wordings=(
        'Create a todo project "{project}" with a task for each folder right in {folder}, titled like it; by name, they'
        " are due on {day} and weekly after that. The files right in a folder are its subtasks, by name, without"
        " ending.",
        "I take a course whose material is in {folder}: every folder directly in there is a lesson. Turn that into a"
        ' new todo project "{project}": a task per lesson, named like its folder, with a subtask per file directly in'
        " it, in order of name and called like the file without the last dot and what follows. Lessons are weekly, by"
        " name; the first is due on {day}.",
        'Set up "{project}", a new project in todo. For all folders one level below {folder}, sorted by name, make'
        " tasks named after them, due on {day}, then 7 days later, and so on. Add a subtask per file that lies in the"
        " folder itself, sorted by name as well, leaving off the file ending.",
        "The first lesson is on {day}, then there is one every week: the folders right in {folder}, in the order of"
        ' their names. Make a task of each, of the same name and due on its day, in a todo project "{project}" that you'
        " create. The files right in it become its subtasks in order of name; drop the extension.",
        'New todo project: "{project}". Its tasks: the folders directly in {folder}, by name, due weekly from {day} on.'
        " Their subtasks: the files directly in each, by name, minus the extension (a.b.txt is a.b).",
    ),
    make=_make_course_to_project,
    solve=_solve_course_to_project,
    program=Program(
        functions=(plan_course,), call="plan_course(folder={folder!r}, project={project!r}, first_day={day!r})"
    ),
    mistakes=(
        Mistake(name="the_older_course", swap={"folder": "other_folder"}),
        Mistake(name="deeper_files_too", old="directory_path=path)", new="directory_path=path, recursive=True)"),
        Mistake(name="first_dot", old='.rpartition(".")[0]', new='.partition(".")[0]'),
        Mistake(name="daily", old="timedelta(weeks=week)", new="timedelta(days=week)"),
    ),
)


# Put the tasks of a project where a note says they belong.

_TOPICS = {  # two titles with the word, and one with a longer word
    "car": "take the car to the garage|Car insurance: compare offers|roll up the carpet",
    "cat": "buy food for the cat|Cat to the vet|send back the catalogue",
    "tax": "find the tax papers|Tax office: call back|share a taxi on Tuesday",
    "bike": "pump up the bike|Bike lock: get a new one|wave to the bikers",
}


def _make_tasks_in_their_place(draw: Draw) -> Values | None:
    rng, title = draw.rng, draw.rng.choice(("Where tasks go", "Task sorter", "Project rules", "Who gets what"))
    (source, first, second), words = projects_of(draw, 3), rng.sample(list(_TOPICS), 3)
    lines = [f"{word}: {project.name}" for word, project in zip(words, (first, second, first), strict=True)]
    jotted(draw, title, "\n".join(("One line per word.", *lines)), days=10)
    jotted(draw, older_twin(title), "\n".join(f"{word}: {second.name}" for word in words), days=400)
    for text in [text for word in words for text in _TOPICS[word].split("|")]:
        planned(draw, source, text, days=rng.randint(1, 60))
    planned(draw, source, f"photo with {words[1]} and {words[0]}")  # its first word is not that of the first line
    planned(draw, source, f"sell the {words[1]} for good", done=True)
    planned(draw, second, f"read more on {words[2]}")
    return {"project": source.name, "title": title, "other_title": older_twin(title)}


def _solve_tasks_in_their_place(state: State, me: Person, values: Values) -> Json:
    source, left = project_named(state, me.id, values["project"]).id, []
    places = [line.split(": ") for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    for task in [task for task in state[TodoTask].of(me.id) if task.project_id == source and not task.done]:
        fitting = [place for word, place in places if re.search(rf"\b{word}\b", task.title, re.IGNORECASE)]
        if fitting:
            edit_task(state, task.id, project_id=project_named(state, me.id, fitting[0]).id)
        else:
            left.append(task.title)
    return left


def sort_by_words(source: str, note_title: str) -> list:
    """Move a project's open tasks to the projects a note names for words (`word: project`); return the titles left."""
    lines = read_note(title=note_title)["content"].splitlines()
    rules = [line.split(": ") for line in lines if ": " in line]
    token = login(app="todo")
    projects = {each["name"]: each["project_id"] for each in all_pages(apis.todo.list_projects, access_token=token)}
    left = []
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=projects[source], done=False):
        words = re.findall(r"\w+", task["title"].lower())
        target = next((name for word, name in rules if word in words), None)
        if target:
            apis.todo.move_task(access_token=token, task_id=task["task_id"], project_id=projects[target])
        else:
            left.append(task["title"])
    return left


tasks_in_their_place = Family(
    name="tasks_in_their_place",
    split="train",
    difficulty=3,
    apps=("notes", "todo"),
    slots={"project": str, "title": str},
    wordings=(
        'My note "{title}" has lines like "soap: Bathroom": an open task of my todo project "{project}" with the word'
        " soap (no part of a longer one) in its title, in capitals or not, belongs into Bathroom. Move them all, each"
        " by the first line that fits. Which open tasks stay?",
        'Please empty "{project}" in my todo app as far as my note "{title}" goes. A line there is a word, a colon, a'
        " space and a project: unfinished tasks with this word in the title, as a word of its own in any"
        " capitalization, move there, the upper line being stronger. Give me the titles of the open ones left.",
        'What remains to do in my todo project "{project}" when all that has another place is gone? The note "{title}"'
        " says behind each word where open tasks with this whole word, capitals or not, in the title go (the topmost"
        " line wins). Move them, and give me the titles of the rest.",
        'Sort the open tasks of "{project}" in todo by whole words in their titles (ignore capitals): my note "{title}"'
        " names a project per word (word: project). If two lines apply, take the upper one. Which open tasks are left?",
        'My note "{title}" has words, each with a project after the colon. Carry the open tasks of "{project}" in todo'
        " over to the project of the first word there that stands alone in their title, in capitals or not. Which of"
        " the open tasks have none of the words?",
    ),
    make=_make_tasks_in_their_place,
    solve=_solve_tasks_in_their_place,
    program=Program(functions=(sort_by_words,), call="sort_by_words(source={project!r}, note_title={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="longer_words", old=r're.findall(r"\w+", task["title"].lower())', new='task["title"].lower()'),
        Mistake(name="capitals_missed", old='task["title"].lower()', new='task["title"]'),
        Mistake(name="the_last_line", old="in rules if word", new="in reversed(rules) if word"),
        Mistake(name="done_ones_too", old=", done=False", new=""),
    ),
)

FAMILIES = (
    tasks_from_checklist,
    tick_off_done_items,
    projects_from_note,
    sync_steps_with_file,
    course_to_project,
    tasks_in_their_place,
)
