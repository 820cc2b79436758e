"""What can be made of the names of some rows in another app: a note, tasks, a text to somebody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opensage.worlds.desk.drills.door import played
from opensage.worlds.desk.family import Draw

_TITLES = ("Overview", "Things to keep", "Collected", "My list", "To remember", "For later", "Gathered today")


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One way to carry names over into another app."""

    word: str
    app: str
    code: str
    """Lines of the program, after `names` is there."""
    about: str
    """`Write ROWS into a note`, as a docstring says it."""
    wordings: tuple[str, ...]
    """With CALLED for what names a row, ONE and MANY for the rows."""
    slot: str = ""
    choose: Callable[[Draw], str | None] = lambda draw: None


def _friend(draw: Draw) -> str | None:
    contacts = 'all_pages(apis.phone.show_contacts, access_token=login(app="phone"))'
    names = [row["name"] for row in played("", contacts, draw.state, draw.me, {})]
    return draw.rng.choice(names) if names else None


EXPORTS = (
    Export(
        word="note",
        app="notes",
        code=(
            '    notes = login(app="notes")\n'
            '    apis.notes.create_note(access_token=notes, title=title, content="\\n".join(names))\n'
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
        word="task",
        app="todo",
        code=(
            '    todo = login(app="todo")\n'
            "    for name in names:\n"
            "        apis.todo.create_task(access_token=todo, title=name)\n"
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
            '    phone = login(app="phone")\n'
            "    people = all_pages(apis.phone.show_contacts, access_token=phone, query=receiver)\n"
            '    number = next(one["phone_number"] for one in people if one["name"] == receiver)\n'
            '    apis.phone.send_text_message(access_token=phone, phone_number=number, text=", ".join(names))\n'
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
)
