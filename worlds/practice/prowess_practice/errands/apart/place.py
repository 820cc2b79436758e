"""Where texts lie that have to be read apart: lines of something, or a field of rows that a listing has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.apart.shape import Edit
from prowess_practice.errands.lines import place as lines
from prowess_practice.errands.lines.places import PLACES


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
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


def _of_lines(place: lines.Place) -> Place:
    """A place whose lines say what is to be done, as one whose texts are read apart."""
    noun = _NOUNS.get(place.word, "line")
    row = "line" if noun == "line" else "text"
    code = [re.sub(r"\blines\b", "texts", each) for each in place.code.splitlines() if "= login(" not in each]
    rows = re.sub(r"\blines\b", "texts", place.lines)
    return Place(
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
