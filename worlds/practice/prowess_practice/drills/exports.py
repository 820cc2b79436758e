"""What can be made of the names of some rows in another app: a note, tasks, a text to somebody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prowess_desk.engine.family import Draw
from prowess_desk.families.toolbox import all_pages, apis, login

from prowess.types import Json
from prowess_practice.drills.direct_calls import looked_up

_TITLES = ("Overview", "Things to keep", "Collected", "My list", "To remember", "For later", "Gathered today")

_FILES = ("overview", "collected", "list", "to-keep", "gathered", "names")
_MIXES = ("New mix", "For the road", "Sunday sounds", "On repeat", "Hand picked", "Fresh start")


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One way to carry names over into another app."""

    word: str
    app: str
    code: str
    """Lines of the program, after `names` is there (or `found`, see `row`)."""
    about: str
    """`Write ROWS into a note`, as a docstring says it."""
    wordings: tuple[str, ...]
    """With CALLED for what names a row, ONE and MANY for the rows."""
    slot: str = ""
    choose: Callable[[Draw], str | None] = lambda draw: None
    row: str = ""
    """The kind of rows it is for, where it needs more of them than their names; they are `found` then."""


def _friend(draw: Draw) -> str | None:
    names = [row["name"] for row in looked_up(_contacts, draw.state.origin, draw.me.id, {})]
    return draw.rng.choice(names) if names else None


def _own_note(draw: Draw) -> str | None:
    titles = [row["title"] for row in looked_up(_notes, draw.state.origin, draw.me.id, {})]
    clear = [title for title in titles if '"' not in title]
    return draw.rng.choice(clear) if clear else None


def _free_path(draw: Draw) -> str | None:
    folders = looked_up(_folders, draw.state.origin, draw.me.id, {})
    return f"{draw.rng.choice(folders)}/{draw.rng.choice(_FILES)}.txt" if folders else None


def _contacts() -> Json:
    return all_pages(apis.phone.show_contacts, access_token=login(app="phone"))


def _notes() -> Json:
    return all_pages(apis.notes.list_notes, access_token=login(app="notes"))


def _folders() -> Json:
    return apis.files.show_directory(access_token=login(app="files"), recursive=True)["directories"]


EXPORTS = (
    Export(
        word="note",
        app="notes",
        code=(
            '    notes_token = login(app="notes")\n'
            '    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(names))\n'
        ),
        about="Write the CALLEDs of the ROWS into a new note, one to a line, and return how many there were.",
        wordings=(
            'Write a note titled "{title}" with the CALLEDs of all MANY, one to a line, in their order.',
            'I want a new note called "{title}": the CALLED of every ONE, each on its own line, in their order.',
            'Save the CALLEDs of the MANY as a note with the title "{title}", line by line in their order.',
        ),
        slot="title",
        choose=lambda draw: draw.rng.choice(_TITLES),
    ),
    Export(
        word="extend_note",
        app="notes",
        code=(
            '    notes_token = login(app="notes")\n'
            "    titled = all_pages(apis.notes.search_notes, access_token=notes_token, query=own_note)\n"
            '    note_id = next(one["note_id"] for one in titled if one["title"] == own_note)\n'
            '    apis.notes.append_to_note(access_token=notes_token, note_id=note_id, text="\\n".join(names))\n'
        ),
        about="Append the CALLEDs of the ROWS to a note, one to a line, and return how many there were.",
        wordings=(
            'Append the CALLEDs of all MANY to my note "{own_note}" as one text, one to a line, in their order.',
            'My note "{own_note}" should end with the CALLED of every ONE: append them at once, line by line.',
            'Add to my note "{own_note}", in one go: the CALLEDs of the MANY, each on its own line, in order.',
        ),
        slot="own_note",
        choose=_own_note,
    ),
    Export(
        word="missing_task",
        app="todo",
        code=(
            '    todo_token = login(app="todo")\n'
            '    titles = {task["title"] for task in all_pages(apis.todo.search_tasks, access_token=todo_token)}\n'
            "    missing = [name for name in dict.fromkeys(names) if name not in titles]\n"
            "    for name in missing:\n"
            "        apis.todo.create_task(access_token=todo_token, title=name)\n"
        ),
        about="Create a task for each of the ROWS whose CALLED no task has as title; return how many rows there were.",
        wordings=(
            "Unless my todo app has a task with that very title, create one for every ONE: the CALLED is the title.",
            "Each of the MANY should have a task in my todo app titled like its CALLED. Create the missing ones.",
            "Create tasks in the todo app titled with the CALLEDs of the MANY, but none that is there already.",
        ),
    ),
    Export(
        word="task",
        app="todo",
        code=(
            '    todo_token = login(app="todo")\n'
            "    for name in names:\n"
            "        apis.todo.create_task(access_token=todo_token, title=name)\n"
        ),
        about="Create a task for each of the ROWS with its CALLED as the title and return how many there were.",
        wordings=(
            "Create a task in the todo app for every ONE, with its CALLED as the title and nothing else.",
            "Go through the MANY and put a task with just the CALLED as its title into my todo app for each of them.",
            "My todo app should have a new task for each of the MANY. The title of a task is the CALLED.",
        ),
    ),
    Export(
        word="text",
        app="phone",
        code=(
            '    phone_token = login(app="phone")\n'
            "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)\n"
            '    number = next(one["phone_number"] for one in people if one["name"] == receiver)\n'
            '    apis.phone.send_text_message(access_token=phone_token, phone_number=number, text=", ".join(names))\n'
        ),
        about="Text the CALLEDs of the ROWS to a contact, with commas between them, and return how many there were.",
        wordings=(
            'Text the CALLEDs of all MANY to "{receiver}" in one message, in their order, joined by ", ".',
            '"{receiver}" wants to know the CALLEDs of the MANY. Text them in one message, joined by ", ".',
            'Send "{receiver}" a text message with the CALLED of every ONE, in their order, joined by ", ".',
        ),
        slot="receiver",
        choose=_friend,
    ),
    Export(
        word="file",
        app="files",
        code=(
            '    files_token = login(app="files")\n'
            '    apis.files.create_file(access_token=files_token, file_path=new_file, content="\\n".join(names))\n'
        ),
        about="Write the CALLEDs of the ROWS into a new file, one to a line, and return how many there were.",
        wordings=(
            'Write the CALLEDs of all MANY into a new file "{new_file}", one to a line, in their order.',
            'I need a file "{new_file}" with the CALLED of every ONE, each on its own line, in their order.',
            'Create the file "{new_file}" with the CALLEDs of the MANY, line by line in their order.',
        ),
        slot="new_file",
        choose=_free_path,
    ),
    Export(
        word="playlist",
        app="music",
        code=(
            "    playlist = apis.music.create_playlist(access_token=music_token, title=new_playlist)\n"
            '    playlist_id = playlist["playlist_id"]\n'
            "    for song in found:\n"
            "        apis.music.add_song_to_playlist(\n"
            '            access_token=music_token, playlist_id=playlist_id, song_id=song["song_id"]\n'
            "        )\n"
        ),
        about="Make a new playlist of the ROWS and return how many there were.",
        wordings=(
            'Make a playlist "{new_playlist}" of all MANY, in their order.',
            'I want a new playlist called "{new_playlist}" with every ONE, in their order.',
            'Put the MANY into a new playlist with the title "{new_playlist}", in their order.',
        ),
        slot="new_playlist",
        choose=lambda draw: draw.rng.choice(_MIXES),
        row="song",
    ),
)
