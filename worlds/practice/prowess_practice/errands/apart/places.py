"""Where texts lie that are read apart: lines of something, or a field of rows, each with some that are not meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from prowess_desk.apps.files import make_directory
from prowess_desk.apps.music import create_playlist
from prowess_desk.apps.phone import create_alarm
from prowess_desk.apps.splits import create_group
from prowess_desk.apps.todo import Project, add_project
from prowess_desk.engine.family import Draw, Values
from prowess_desk.families.papers import at_home, filed, jotted, planned, projects_of, spent
from prowess_desk.families.scene import acquaintances, ago, asked, paid, texted

from prowess_practice.errands.apart.shapes import Edit
from prowess_practice.errands.lines import places
from prowess_practice.errands.lines.places import PLACES
from prowess_practice.errands.lines.scene import NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapedTexts:
    """Some texts of the person's."""

    word: str
    app: str
    slots: Mapping[str, type]
    noun: str
    """What one of the texts is: `line`, `title`."""
    row: str = "text"
    """What a program calls what has the text."""
    text: str = "text"
    """The text of it, as an expression."""
    opens: tuple[str, ...] = ()
    """Lines that get at the text of a row."""
    rows: str
    """All of them, once they are read."""
    code: tuple[str, ...]
    """Lines that read them, once the program has logged in."""
    says: tuple[str, ...]
    """`the titles of my open tasks`"""
    about: str
    thing: str = ""
    """What has the text, where something can be done to it: `task`."""
    sets: Callable[[Draw, Sequence[str], Sequence[str]], Values]
    """Writes these texts there, and others to where somebody might look by mistake."""
    matters: tuple[Edit, ...] = ()
    ordered: bool = True
    """Whether the texts come in the order in which they were written."""
    safe: bool = False
    """Whether they are names of files."""

    @property
    def nouns(self) -> str:
        return f"{self.noun}s"


_NOUNS = {
    "comments": "comment",
    "open_subtasks": "subtask",
    "expense_comments": "comment",
    "payment_comments": "comment",
    "messages": "message",
}
"""What texts are called that are no lines."""


def _of_lines(place: places.TextPlace) -> ShapedTexts:
    """A place whose lines say what is to be done, as one whose texts are read apart."""
    noun = _NOUNS.get(place.word, "line")
    row = "line" if noun == "line" else "text"
    code = [re.sub(r"\blines\b", "texts", each) for each in place.code.splitlines() if "= login(" not in each]
    rows = re.sub(r"\blines\b", "texts", place.lines)
    return ShapedTexts(
        word=place.word,
        app=place.apps[0],
        slots=place.slots,
        noun=noun,
        row=row,
        text=row,
        rows=rows,
        code=tuple(code),
        says=place.says,
        about=f"the lines of {place.about}" if noun == "line" else place.about,
        sets=place.sets,
        matters=place.matters[:1],
        ordered=bool(place.text),
    )


LINES = tuple(_of_lines(place) for place in PLACES if {"each", "line"} & {*place.holds})


Texts = Sequence[str]
Sets = Callable[[Draw, Texts, Texts], Values]


def _each(add: Callable[[Draw, str, bool, int], object]) -> Sets:
    """One row for each text: `add` is told whether it is meant, and a number of days."""

    def sets(draw: Draw, texts: Texts, others: Texts) -> Values:
        for n, text in enumerate((*texts, *others)):
            add(draw, text, n < len(texts), 2 + 3 * n)
        return {}

    return sets


def _task(draw: Draw, text: str, meant: bool, days: int) -> None:
    planned(draw, projects_of(draw, 1)[0], text, done=not meant, days=days)


def _note(draw: Draw, text: str, meant: bool, days: int) -> None:
    jotted(draw, text, "Nothing here yet.", archived=not meant, days=days)


def _alarm(draw: Draw, text: str, meant: bool, days: int) -> None:
    create_alarm(draw.state, draw.me.id, text, f"{draw.rng.randint(5, 22):02}:{5 * days % 60:02}", enabled=meant)


def _playlist(draw: Draw, text: str, meant: bool, days: int) -> None:
    create_playlist(draw.state, draw.me.id, text, public=not meant)


def _payment(draw: Draw, text: str, meant: bool, days: int) -> None:
    friend = acquaintances(draw)[0]
    paid(draw, draw.me if meant else friend, friend if meant else draw.me, text, ago(draw, days))


def _received(draw: Draw, text: str, meant: bool, days: int) -> None:
    asked(draw, acquaintances(draw)[0], draw.me, text, ago(draw, days), status="pending" if meant else "denied")


def _sent(draw: Draw, text: str, meant: bool, days: int) -> None:
    asked(draw, draw.me, acquaintances(draw)[0], text, ago(draw, days), status="pending" if meant else "denied")


def _project(draw: Draw, text: str, meant: bool, days: int) -> None:
    made = add_project(draw.state, draw.me.id, text, draw.rng.choice(("blue", "red", "green")))
    draw.state[Project].put(replace(made, archived=not meant))


def _message(draw: Draw, text: str, meant: bool, days: int) -> None:
    friend = acquaintances(draw)[0]
    texted(draw, friend if meant else draw.me, draw.me if meant else friend, text, ago(draw, days / 4))


def _group(draw: Draw, text: str, meant: bool, days: int) -> None:
    if meant:
        create_group(draw.state, draw.me.id, text, [one.id for one in acquaintances(draw)[:2]])


def _files(draw: Draw, texts: Texts, others: Texts) -> Values:
    folder = f"~/documents/{draw.rng.choice(NAMES)}"
    for path in (folder, f"{folder}/old"):
        make_directory(draw.state, draw.me.id, at_home(draw.me, path))
    for n, text in enumerate((*texts, *others)):
        where = folder if n < len(texts) else f"{folder}/old"
        filed(draw, f"{where}/{text}.{draw.rng.choice(('txt', 'md', 'csv'))}", f"Part {n + 1}.", days=2 + n)
    return {"folder": folder}


def _expenses(draw: Draw, texts: Texts, others: Texts) -> Values:
    friend = acquaintances(draw)[0]
    for n, text in enumerate((*texts, *others)):
        half, payer = 100 * draw.rng.randint(4, 60), draw.me if n < len(texts) else friend
        spent(draw, text, payer, {draw.me.id: half, friend.id: half}, days=2 + 3 * n)
    return {"my_email": draw.me.email}


def _rows(
    word: str, app: str, row: str, field: str, api: str, given: str, says: Sequence[str], **other: Any
) -> ShapedTexts:
    token = f"access_token={app}_token"
    fields: dict[str, Any] = {
        "slots": {},
        "noun": field,
        "text": f'{row}["{field}"]',
        "rows": f"{row}s",
        "code": (f"    {row}s = all_pages(apis.{app}.{api}, {token}{given})",),
        "thing": row,
        "matters": ((given, ""),) if given else (),
        "ordered": False,
    }
    return ShapedTexts(word=word, app=app, row=row, says=tuple(says), **{**fields, **other})


TASKS = _rows(
    *("task_titles", "todo", "task", "title", "list_tasks", ", done=False"),
    (
        "the titles of my open tasks in the todo app",
        "what my open todo tasks are titled",
        "my open todo tasks' titles",
    ),
    about="the titles of open tasks",
    sets=_each(_task),
)
NOTES = _rows(
    *("note_titles", "notes", "note", "title", "list_notes", ""),
    (
        "the titles of my unarchived notes",
        "what my notes outside the archive are titled",
        "the titles of the notes that I have not archived",
    ),
    about="the titles of notes",
    sets=_each(_note),
    matters=(("notes.list_notes", "notes.search_notes"),),
)
FILES = ShapedTexts(
    word="file_names",
    app="files",
    slots={"folder": str},
    noun="name",
    row="path",
    text="stem",
    opens=('stem = path.rpartition("/")[2].rpartition(".")[0]',),
    rows="paths",
    code=('    paths = apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]',),
    says=(
        'the names (without the ending, .txt or the like) of the files directly in my folder "{folder}"',
        'what the files in the folder "{folder}" itself, not below it, are called, apart from the ending such as .txt',
        'the file names in my folder "{folder}" (none of its subfolders; and the ending, .txt or another, does not'
        " belong to a name)",
    ),
    about="the names of the files in a folder",
    thing="file",
    sets=_files,
    matters=(("directory_path=folder)", "directory_path=folder, recursive=True)"),),
    ordered=False,
    safe=True,
)
ALARMS = _rows(
    *("alarm_labels", "phone", "alarm", "label", "show_alarms", ", is_enabled=True"),
    (
        "the labels of the alarms in my phone that are on",
        "the labels of my alarms, except those that are switched off",
        "how the alarms that are on in my phone are labelled",
    ),
    about="the labels of alarms that are on",
    sets=_each(_alarm),
)
PLAYLISTS = _rows(
    *("playlist_titles", "music", "playlist", "title", "show_playlists", ", is_public=False"),
    (
        "the titles of my private playlists on music",
        "what the playlists of mine that are not public are titled (music app)",
        "the titles of the playlists that only I can see in the music app",
    ),
    about="the titles of private playlists",
    sets=_each(_playlist),
)
PAYMENTS = _rows(
    *("payment_notes", "wallet", "payment", "note", "show_transactions", ', direction="sent"'),
    (
        "the notes of the payments I sent on wallet",
        "the notes of all wallet payments from me to others",
        "what is noted on the payments that I made with wallet",
    ),
    about="the notes of payments sent",
    sets=_each(_payment),
)
RECEIVED = _rows(
    *("request_notes", "wallet", "request", "note", "show_received_requests", ', status="pending"'),
    (
        "the notes of the pending payment requests that others sent me on wallet",
        "the notes of the wallet requests to me that are still pending",
        "what is noted on the requests for money that I received and that are pending (wallet)",
    ),
    about="the notes of pending requests received",
    sets=_each(_received),
)
SENT = _rows(
    *("my_request_notes", "wallet", "request", "note", "show_sent_requests", ', status="pending"'),
    (
        "the notes of the pending payment requests that I sent to others on wallet",
        "the notes of my own wallet requests that are still pending",
        "what is noted on the requests for money that I sent and that are pending (wallet)",
    ),
    about="the notes of pending requests sent",
    sets=_each(_sent),
)
EXPENSES = _rows(
    *("expense_names", "splits", "expense", "description", "show_expenses", ", paid_by_email=my_email"),
    (
        'the descriptions of the expenses in splits that I paid (my e-mail address there is "{my_email}")',
        'the descriptions of what I paid, as "{my_email}", among my expenses in the splits app',
        'how the splits expenses paid by me, that is, by "{my_email}", are described',
    ),
    slots={"my_email": str},
    about="the descriptions of expenses that one paid",
    sets=_expenses,
)
PROJECTS = _rows(
    *("project_names", "todo", "project", "name", "list_projects", ""),
    (
        "the names of my unarchived projects in the todo app",
        "what my todo projects are called, archived ones aside",
        "the names of the todo projects that are not in the archive",
    ),
    about="the names of projects",
    sets=_each(_project),
    matters=(
        (
            "apis.todo.list_projects, access_token=todo_token",
            "apis.todo.list_projects, archived=True, access_token=todo_token",
        ),
    ),
)
MESSAGES = _rows(
    *("messages_to_me", "phone", "message", "text", "show_text_messages", ', direction="received"'),
    (
        "the text messages that I received, from whomever,",
        "all texts that anybody sent me",
        "the text messages to me on my phone",
    ),
    noun="message",
    about="text messages received",
    sets=_each(_message),
)
GROUPS = _rows(
    *("group_names", "splits", "group", "name", "show_groups", ""),
    ("the names of my groups in the splits app", "what my splits groups are called", "the names of my splits groups"),
    about="the names of groups",
    sets=_each(_group),
)
ROWS = (TASKS, ALARMS, NOTES, PLAYLISTS, FILES, EXPENSES, MESSAGES, RECEIVED, PROJECTS, PAYMENTS, GROUPS, SENT)
