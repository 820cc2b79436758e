"""What an edit is made of: rows that can be changed, a choice among them, and what they are changed to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.errands.people.plan import PeopleSlot

Edit = tuple[str, str]
_COPYING = (
    *("create_playlist(", "create_alarm(", "create_group(", "create_project(", "create_file(", "create_task("),
    *("duplicate_note(", "copy_file(", "send_payment(", "request_payment("),
)
"""What makes a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Rows of an app that can be changed."""

    word: str
    """What names of functions are made of: `playlists`."""
    app: str
    row: str
    rows: str
    reads: tuple[str, ...]
    """Lines of the program that read the rows; what the API itself filters by is added to the last call."""
    mine: str
    """As a task says it: `my playlists on music`."""
    name: str
    """The field that names a row."""
    called: str
    """How a task calls that field."""
    update: str
    """The call that changes a row, up to the new values."""
    stage: Callable[[Draw], object] = lambda draw: None
    """Adds some rows where there are few at first."""

    @property
    def naming(self) -> str:
        """How a program gets a row's name."""
        return f'{self.row}["{self.name}"]'

    def updating(self, values: str) -> str:
        """The call that changes a row to these values."""
        return f"{self.update}, {values})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChoice:
    """Which of the rows are changed."""

    word: str
    says: tuple[str, ...]
    """The rows in the plural, as tasks say it, with the slots: more than one way to say it."""
    about: str
    """As a docstring says it."""
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    """Lines of the program before the rows are read."""
    arguments: str = ""
    """What the API itself filters by: `, tag=tag`."""
    looks: tuple[str, ...] = ()
    """Lines that look into one row, before it is tested."""
    test: str = ""
    rank: str = ""
    """What the rows are ranked by, an expression for one of them; the first `count` are chosen."""
    highest: bool = False
    """Whether they are ranked from the highest down."""
    draws: Callable[[Draw], Values | None] = lambda draw: {}
    """Values for the slots; it may set the scene."""
    matters: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """What becomes of the rows."""

    word: str
    says: tuple[str, ...]
    """WHICH standing for the rows; TAKE for a sentence that only names them."""
    about: str
    """`Put a prefix before the titles of`"""
    each: tuple[str, ...]
    """Lines of the program for one row."""
    apps: tuple[str, ...] = ()
    slots: tuple[PeopleSlot, ...] = ()
    before: tuple[str, ...] = ()
    """Lines of the program after the rows are read."""
    also: str = ""
    """A test that rows must pass, too, said in `says`."""
    order: str = ""
    """What the rows are sorted by, an expression for one of them, where they are numbered."""
    matters: tuple[Edit, ...] = ()
    bars: tuple[str, ...] = ()
    """Beginnings of the words of choices that it does not go with."""
    stage: Callable[[Draw], object] = lambda draw: None

    @property
    def copies(self) -> bool:
        """Whether other rows are made, like those that are there."""
        return any(call in line for line in self.each for call in _COPYING)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditKind:
    """Rows, with all choices among them and all that can become of them."""

    target: Target
    choices: tuple[RowChoice, ...]
    changes: tuple[RowChange, ...]
    alike: tuple[str, ...] = ()
    """What else may be called like them: see `also_called`."""
    places: int = 15
    """Texts in which they may be named, at most."""
    each: int = 4
    """Errands of a change, at most."""


def asked(draw: Draw, code: str) -> Any:
    """What lines of a program that only read give, the last of them being an expression."""
    *lines, result = code.splitlines()
    function = function_of("def read():\n" + "".join(f"    {line}\n" for line in lines) + f"    return {result}\n")
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, {})
    return played(function, draw.state, draw.me, {})


def rows_of(draw: Draw, target: Target) -> Sequence[Any]:
    """All rows there are."""
    return column_of(draw, target, target.row)


def column_of(draw: Draw, target: Target, code: str) -> list[Any]:
    """An expression for each of the rows."""
    lines = [f'{target.app}_token = login(app="{target.app}")', *target.reads]
    try:
        return list(asked(draw, "\n".join([*lines, f"[{code} for {target.row} in {target.rows}]"])))
    except (ApiError, LookupError, TypeError):
        return []


def names_of(draw: Draw, target: Target) -> list[str]:
    """What the rows are called, each name once."""
    return list(dict.fromkeys(name for name in column_of(draw, target, target.naming) if name))
