"""Dev families of the files app, with notes and todo."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.files import File, make_directory
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.todo import add_task, project_named
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login

# Turn the files of a folder into notes.

_DRAFTS = {
    "chili": "Brown the onions first.\nBeans at the very end.",
    "speech": "Thank the hosts.\nTell the story of the lost suitcase.",
    "van-tour": "Day one: coast road.\nDay two: rest.",
    "poem": "The harbor keeps its lights for later.\nSo do I.",
    "interview": "Ask about the first job.\nAsk what they would do again.",
    "sourdough": "Feed at eight.\nFold four times.",
    "apartment-viewing": "Check the water pressure.\nListen for the street.",
    "exercise-plan": "Monday: swim.\nThursday: climb.",
    "gift-for-mara": "She liked the blue bowl.\nAsk her brother.",
}


def _make_files_to_notes(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    folder, elsewhere = rng.sample(("~/documents/personal", "~/documents/work", "~/downloads"), 2)
    ending, other = rng.sample(("draft", "markdown", "memo", "org"), 2)
    names = rng.sample(list(_DRAFTS), 9)
    for name in names[:6]:
        filed(draw, f"{folder}/{name}.{ending}", _DRAFTS[name], days=rng.randint(2, 90))
    filed(draw, f"{folder}/{names[6]}.{other}", _DRAFTS[names[6]])
    filed(draw, f"{elsewhere}/{names[7]}.{ending}", _DRAFTS[names[7]])
    make_directory(draw.state, me.id, at_home(me, f"{folder}/outdated"))
    filed(draw, f"{folder}/outdated/{names[8]}.{ending}", _DRAFTS[names[8]])
    tag = rng.choice(("imported", "from-disk", "drafts", "writing", "reread"))
    return {"folder": folder, "ending": ending, "tag": tag, "other_folder": elsewhere, "other_ending": other}


def _solve_files_to_notes(state: State, me: Person, values: Values) -> Json:
    for file in state[File].of(me.id):
        folder, _, name = file.path.rpartition("/")
        if folder == at_home(me, values["folder"]) and name.split(".")[1] == values["ending"]:
            write_note(state, me.id, name.split(".")[0], file.content, [values["tag"]])


def import_files_as_notes(folder: str, extension: str, tag: str) -> int:
    """Write a tagged note for each file with an extension directly in a folder and return how many were written."""
    token = login(app="files")
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    wanted = [path for path in paths if path.endswith(f".{extension}")]
    notes_token = login(app="notes")
    for path in wanted:
        content = apis.files.show_file(access_token=token, file_path=path)["content"]
        title = path.rpartition("/")[2].removesuffix(f".{extension}")
        apis.notes.create_note(access_token=notes_token, title=title, content=content, tags=[tag])
    return len(wanted)


files_to_notes = Family(
    name="files_to_notes",
    split="dev",
    difficulty=2,
    apps=("files", "notes"),
    slots={"folder": str, "ending": str, "tag": str},
    wordings=(
        "Save every .{ending} file in {folder} (not in the folders below it) as a note: titled like the file without"
        ' its extension, with the same text, tagged "{tag}". The files stay.',
        "I would rather have my .{ending} files in the notes app. For each one directly in {folder}, make a note with"
        ' the tag "{tag}" whose title is the file name minus .{ending} and whose content is that of the file; change'
        " nothing about the files.",
        "Go through the files ending in .{ending} that lie in {folder} itself and copy each into a new note. Title: its"
        ' name without the ending. Content: exactly what is in the file. Tag: "{tag}".',
    ),
    make=_make_files_to_notes,
    solve=_solve_files_to_notes,
    program=Program(
        functions=(import_files_as_notes,),
        call="import_files_as_notes(folder={folder!r}, extension={ending!r}, tag={tag!r})",
    ),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_ending", swap={"ending": "other_ending"}),
        Mistake(name="below_it_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="ending_kept", old='.removesuffix(f".{extension}")', new=""),
        Mistake(name="no_tag", old=", tags=[tag])", new=")"),
        Mistake(
            name="files_deleted",
            old="    return len(wanted)",
            new=(
                "    for path in wanted:\n"
                "        apis.files.delete_file(access_token=token, file_path=path)\n"
                "    return len(wanted)"
            ),
        ),
    ),
)


# Make a task for each file of a kind.

_READINGS = "tax-guide|lease-terms|user-manual|flyer|menu|timetable|warranty|study|catalog|statement|song-sheet".split(
    "|"
)


def _make_tasks_for_files(draw: Draw) -> Values | None:
    rng = draw.rng
    project, other = projects_of(draw, 2)
    ending, third = rng.sample(("epub", "docx", "odt", "rtf"), 2)
    names = rng.sample(_READINGS, 10)
    for name in names[:6]:
        filed(draw, f"~/downloads/{name}.{ending}", f"downloaded: {name}", days=rng.randint(1, 60))
    filed(draw, f"~/downloads/{names[6]}.{third}", f"downloaded: {names[6]}")
    filed(draw, f"~/downloads/{names[7]}.{ending}.part", "not finished")
    filed(draw, f"~/documents/personal/{names[8]}.{ending}", "kept")
    urgency = rng.randint(1, 3)
    return {
        "ending": ending,
        "project": project.name,
        "priority": urgency,
        "other_ending": third,
        "other_project": other.name,
        "other_priority": urgency + 1,
    }


def _solve_tasks_for_files(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    start = at_home(me, "~/downloads/")
    for file in state[File].of(me.id):
        if file.path.startswith(start) and file.path[-len(values["ending"]) - 1 :] == "." + values["ending"]:
            title = "Read " + file.path[len(start) :]
            add_task(state, me.id, title, project=project.id, priority=values["priority"])


def plan_reading_of_files(folder: str, extension: str, project: str, priority: int) -> int:
    """Create a task `Read <file name>` in a project for each file of a folder with an extension; return how many."""
    token = login(app="files")
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    names = [path.rpartition("/")[2] for path in paths if path.endswith(f".{extension}")]
    todo_token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    for name in names:
        apis.todo.create_task(access_token=todo_token, title=f"Read {name}", project_id=project_id, priority=priority)
    return len(names)


tasks_for_files = Family(
    name="tasks_for_files",
    split="dev",
    difficulty=2,
    apps=("files", "todo"),
    slots={"ending": str, "project": str, "priority": int},
    wordings=(
        'For each .{ending} file in ~/downloads, create a task in my todo project "{project}" with priority {priority},'
        " titled like Read report.{ending}, but with the name of that file.",
        "I keep downloading things and never read them. Make todo tasks with the title Read followed by a space and the"
        " file name (with its extension), one for every file in ~/downloads that ends in .{ending}. Project:"
        ' "{project}". Priority: {priority}.',
        'My todo project "{project}" should get a new task of priority {priority} for all files in my downloads folder'
        " whose extension is .{ending}. A task is called Read plus the full file name, as in Read report.{ending}.",
    ),
    make=_make_tasks_for_files,
    solve=_solve_tasks_for_files,
    program=Program(
        functions=(plan_reading_of_files,),
        call=(
            'plan_reading_of_files(folder="~/downloads", extension={ending!r}, project={project!r},'
            " priority={priority!r})"
        ),
    ),
    mistakes=(
        Mistake(name="another_ending", swap={"ending": "other_ending"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="less_urgent", swap={"priority": "other_priority"}),
        Mistake(name="anywhere_in_the_name", old='path.endswith(f".{extension}")', new='f".{extension}" in path'),
        Mistake(name="no_extension", old='f"Read {name}"', new='f"Read {name.split(chr(46))[0]}"'),
        Mistake(name="in_the_inbox", old="project_id=project_id, ", new=""),
    ),
)


FAMILIES = (files_to_notes, tasks_for_files)
