"""One thing for each figure: a task, a note, a file, an alarm; for all of them, or for some."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.lines import ENDS
from prowess_practice.errands.reports.parts import (
    DUE,
    OWN_TASK,
    PREFIX,
    FigureTable,
    plainly,
    readable,
    sentences,
    shaped,
)
from prowess_practice.errands.reports.report import FLOOR, TOP, drawing
from prowess_practice.errands.reports.sinks import FIND_TASK
from prowess_practice.errands.transfers.parts import Slot, entering, one_of

_TIME = one_of("alarm_time", "06:50", "07:35", "08:20", "12:10", "17:45", "18:25", "20:05")


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """What is made for one name and its figure."""

    word: str
    app: str
    each: str
    """Lines of a program in a loop over `name`, with SHOWN for the figure."""
    do: str
    """`create a task titled ...`, with NAME and FIGURE."""
    thing: str
    """What is made, in the plural: `new tasks in my todo app`."""
    like: str
    """What one of them is like, as a sentence on `each of them`."""
    about: str
    before: str = ""
    slots: tuple[Slot, ...] = ()
    short: bool = False
    """Whether it takes names that may stand in a path."""


SINGLES = (
    Single(
        word="tasks",
        app="todo",
        each='        apis.todo.create_task(access_token=todo_token, title=f"{name}: {SHOWN}", due_date=due_day)\n',
        do='create an Inbox task in my todo app, due on {due_day}, with the title "NAME: FIGURE"',
        thing="new Inbox tasks in my todo app",
        like='each of them is due on {due_day} and has a title of the form "NAME: FIGURE"',
        about="make a task",
        slots=(DUE,),
    ),
    Single(
        word="described_tasks",
        app="todo",
        each=(
            '        title = f"{prefix} {name}"\n'
            '        text = f"Result: {SHOWN}"\n'
            "        apis.todo.create_task(access_token=todo_token, title=title, description=text)\n"
        ),
        do='create an Inbox task in my todo app titled "{prefix} NAME" with the description "Result: FIGURE"',
        thing="new Inbox tasks in my todo app",
        like='each of them has the title "{prefix} NAME" and the description "Result: FIGURE"',
        about="make a task with a description",
        slots=(PREFIX,),
    ),
    Single(
        word="notes",
        app="notes",
        each='        apis.notes.create_note(access_token=notes_token, title=f"{prefix} {name}", content=f"{SHOWN}")\n',
        do='write a new note titled "{prefix} NAME" that says "FIGURE" and nothing else',
        thing="new notes",
        like='the title of each is "{prefix} NAME", and its whole text is "FIGURE"',
        about="write a note",
        slots=(PREFIX,),
    ),
    Single(
        word="titled_notes",
        app="notes",
        each='        apis.notes.create_note(access_token=notes_token, title=f"{name} ({SHOWN})", tags=[new_tag])\n',
        do='make a new note without text, titled "NAME (FIGURE)" and tagged "{new_tag}"',
        thing="new notes without any text",
        like='every one is titled "NAME (FIGURE)" and has the tag "{new_tag}"',
        about="make an empty note",
        slots=(one_of("new_tag", "report", "numbers", "review", "stats"),),
    ),
    Single(
        word="files",
        app="files",
        before="    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n",
        each=(
            '        path = f"{new_folder}/{name}.txt"\n'
            '        apis.files.create_file(access_token=files_token, file_path=path, content=f"{SHOWN}")\n'
        ),
        do='write a file NAME.txt in a new folder "{new_folder}", with just "FIGURE" as its content',
        thing='files in a new folder "{new_folder}"',
        like='each is called NAME.txt and contains "FIGURE", nothing else',
        about="write a file",
        slots=(one_of("new_folder", "~/reports", "~/documents/by-name", "~/documents/2025", "~/figures"),),
        short=True,
    ),
    Single(
        word="alarms",
        app="phone",
        each='        apis.phone.create_alarm(access_token=phone_token, label=f"{name}: {SHOWN}", time=alarm_time)\n',
        do='set an alarm on my phone at "{alarm_time}" that is labelled "NAME: FIGURE" and does not repeat',
        thing='alarms on my phone, all at "{alarm_time}" and without repeat days',
        like='the label of each reads "NAME: FIGURE"',
        about="set an alarm",
        slots=(_TIME,),
    ),
    Single(
        word="projects",
        app="todo",
        each='        apis.todo.create_project(access_token=todo_token, name=f"{name} ({SHOWN})", color=color)\n',
        do='make a todo project of the color "{color}" that is called "NAME (FIGURE)"',
        thing='new todo projects of the color "{color}"',
        like='the name of each is "NAME (FIGURE)"',
        about="make a project",
        slots=(one_of("color", "blue", "green", "red"),),
    ),
    Single(
        word="project_tasks",
        app="todo",
        before='    project_id = apis.todo.create_project(access_token=todo_token, name=new_project)["project_id"]\n',
        each=(
            '        title = f"{SHOWN} | {name}"\n'
            "        apis.todo.create_task(access_token=todo_token, title=title, project_id=project_id)\n"
        ),
        do='put a task titled "FIGURE | NAME" into a new todo project "{new_project}"',
        thing='tasks in a new todo project "{new_project}"',
        like='the title of each task is "FIGURE | NAME"',
        about="put a task into a new project",
        slots=(one_of("new_project", "Follow the figures", "By the numbers", "Stock-taking", "Balance sheet"),),
    ),
    Single(
        word="playlists",
        app="music",
        each='        apis.music.create_playlist(access_token=music_token, title=f"{name} - {SHOWN}")\n',
        do='create an empty private playlist on music with the title "NAME - FIGURE"',
        thing="empty private playlists on music",
        like='each has the title "NAME - FIGURE"',
        about="make an empty playlist",
    ),
    Single(
        word="comments",
        app="todo",
        before=FIND_TASK,
        each='        apis.todo.add_comment(access_token=todo_token, task_id=task_id, text=f"{name} = {SHOWN}")\n',
        do='write a comment "NAME = FIGURE" under my open todo task "{own_task}"',
        thing='comments under my open todo task "{own_task}"',
        like='each of them says "NAME = FIGURE"',
        about="comment on a task",
        slots=(OWN_TASK,),
    ),
)


def single(table: FigureTable, one: Single, cut: str) -> Errand | None:
    """The errand; none where the two do not go together."""
    bounds = {"top": (TOP,), "bottom": (TOP,), "least": (FLOOR,), "": ()}[cut]
    given = [*table.rows.slots.items(), *((slot.name, slot.kind) for slot in (*bounds, *one.slots))]
    slots = dict(given)
    unfit = cut in ("top", "bottom") and table.kind == "text"
    unfit |= cut == "least" and (table.signed or table.kind not in ("int", "money"))
    paths = one.short and not table.word.split("_by_")[-1].startswith(_PLAIN)
    if unfit or paths or len(slots) < len(given) or not slots or (one.app == "music" and "music" not in table.told):
        return None
    name = f"{one.word}_for_{table.word}"
    entry = "" if entering(one.app) in table.code else entering(one.app)
    rank, names, edit = _chosen(table, cut)
    body = (
        f"{table.code}{rank}{entry}{one.before}    for name in {names}:\n"
        f"{one.each.replace('SHOWN', table.shown)}    return len({names})\n"
    )
    first, last = ENDS[table.kind == "day"]
    some = {"top": f", the {first} so many", "bottom": f", the {last} so many", "least": ", from a figure on", "": ""}
    whole = table.about.removeprefix(f"for {table.rows.every} ")
    every = table.per if whole == table.about else table.rows.every
    about = f"{one.about} for {every} with {whole}{some[cut]}; return how many"
    source = shaped(name, slots, about, body)
    matters = (*((test, "True") for test in table.rows.tests), *table.matters, *edit)
    if not matters or not readable(source, slots):
        return None
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*table.told, one.app))),
        slots=slots,
        source=source,
        wordings=_wordings(table, one, cut),
        values=drawing(table.rows, (*bounds, *one.slots), table.code, table.kind, alone=table.alone),
        matters=matters,
    )


_PLAIN = ("artist", "genre", "year", "month", "weekday", "extension", "city", "relation", "note_tag", "task_label")
"""Groups whose names may stand in paths."""


def _chosen(table: FigureTable, cut: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Lines that choose among the names, what they are called then, and what matters in it."""
    if cut == "least":
        line = "    chosen = [name for name in figures if figures[name] >= least]\n"
        return line, "chosen", ((" if figures[name] >= least", ""),)
    if cut and table.kind == "day":
        line = f"figures[name]{', reverse=True' if cut == 'top' else ''}"
        sort = f"    ranked = sorted(figures)\n    ranked.sort(key=lambda name: {line})\n"
        return f"{sort}    chosen = ranked[:top]\n", "chosen", (("ranked[:top]", "ranked"),)
    if cut:
        sign = "-" if cut == "top" else ""
        line = f"    ranked = sorted(figures, key=lambda name: ({sign}figures[name], name))\n"
        return f"{line}    chosen = ranked[:top]\n", "chosen", (("ranked[:top]", "ranked"),)
    return "", "figures", ()


def _wordings(table: FigureTable, one: Single, cut: str) -> tuple[str, ...]:
    first, last = ENDS[table.kind == "day"]
    end = first if cut == "top" else last
    tie = "the earliest first" if table.dated else "from A to Z"
    some = {
        "top": f"Do that only for the {{top}} with the {end} FIGURE, where equal ones rank by NAME, {tie}.",
        "least": "Do that only where FIGURE is {least} or more.",
        "": "",
    }
    rest = {
        "top": f"I want no more than the {{top}} with the {end} FIGURE (equal ones rank by NAME, {tie}).",
        "least": "Where FIGURE is below {least}, there is none.",
        "": "",
    }
    kept = {
        "top": f"Keep only the {{top}} with the {end} figure; equal ones rank by {table.by}, {tie}.",
        "least": "Forget about figures below {least}.",
        "": "",
    }
    key = "top" if cut == "bottom" else cut
    made = (
        sentences(
            f"For {table.each}, {one.do}.",
            f"NAME is {table.name} and FIGURE is {table.says}.",
            some[key],
            table.hint,
        ),
        sentences(
            table.lead,
            kept[key],
            f"Then, for {'each of these' if cut else 'each'}, {one.do}, where NAME is {table.name} and FIGURE that"
            " figure.",
            table.hint,
        ),
        sentences(
            f"I want {one.thing}, one for {table.each}: {one.like}.",
            f"There, NAME stands for {table.name}, and FIGURE stands for {table.says}.",
            rest[key],
            table.hint,
        ),
        sentences(
            f"Sum up {table.subject} as {one.thing}: one for {table.per}, and {one.like}.",
            f"Put {table.name} for NAME, and for FIGURE {table.says}.",
            some[key],
            table.hint,
        ),
    )
    return tuple(plainly(table.kind, table.token(text) if n in (2, 3) else text) for n, text in enumerate(made))
