"""What a question is made of: steps that lead from one thing to another, and what is worked out at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prowess_desk.engine.family import Draw, Values

Stage = Callable[[Draw], Values | None]
"""Sets the scene and gives values for slots; None when this person will not do."""
Edits = tuple[tuple[str, str], ...]

REFERENCES = {
    "person": "that person",
    "day": "that day",
    "song": "that song",
    "album": "that album",
    "artist": "that artist",
    "playlist": "that playlist",
    "project": "that project",
    "task": "that task",
    "group": "that group",
    "expense": "that expense",
    "note": "that note",
    "alarm": "that alarm",
    "file": "that file",
    "folder": "that folder",
    "ledger": "that list",
    "people": "those people",
    "pair of people": "those two people",
    "pair of groups": "those two groups",
    "pair of playlists": "those two playlists",
    "pair of projects": "those two projects",
    "pair of folders": "those two folders",
    "pair of artists": "those two artists",
}
"""Kinds of things that steps lead to, and how a second sentence calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSlot:
    """A value that the question says."""

    name: str
    kind: type = str
    pick: str = ""
    """An expression of a program for all the values there are; empty where a stage sets it."""
    stage: Stage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionStep:
    """Finds one thing: by a description or, as a further step, from another thing."""

    word: str
    kind: str
    says: str
    """`the playlist of mine that was created last`; `X` stands for what a further step starts from."""
    code: str
    """Lines of the program; see `program.expanded` for how calls are written."""
    gives: Mapping[str, str]
    """What later lines may ask of the thing, and the expressions for it."""
    of: str = ""
    """The kind that a further step starts from."""
    slots: tuple[QuestionSlot, ...] = ()
    matters: Edits = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is worked out about the thing, `X`."""

    word: str
    kind: str
    asks: str
    """`How many songs of X do I like?`"""
    tells: str
    """`Count the songs of X that I like`"""
    form: str
    """What kind of answer is wanted: see `words.FORMS`."""
    code: str
    """Lines of the program; the last one returns."""
    slots: tuple[QuestionSlot, ...] = ()
    matters: Edits = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Steps and what is worked out at their end."""

    steps: tuple[QuestionStep, ...]
    work: Work
    turn: int = field(compare=False)
    """Which of the ways to say it comes first."""

    @property
    def parts(self) -> tuple[QuestionStep | Work, ...]:
        return (*self.steps, self.work)

    @property
    def name(self) -> str:
        return "_".join([self.work.word, *(step.word for step in reversed(self.steps))])

    @property
    def slots(self) -> tuple[QuestionSlot, ...]:
        return tuple(slot for part in self.parts for slot in part.slots)

    @property
    def kinds(self) -> dict[str, type]:
        return {slot.name: slot.kind for slot in self.slots}
