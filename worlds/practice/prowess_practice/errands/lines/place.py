"""Where a text lies that says what is to be done: how a task calls it, how a program gets at its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess_desk.engine.family import Draw, Values

Lines = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A text of the person's, or several."""

    word: str
    """What names of functions are made of: `note`."""
    apps: tuple[str, ...]
    slots: Mapping[str, type]
    about: str
    """As a docstring says it: `a note`."""
    says: tuple[str, ...]
    """As tasks say it, with the slots."""
    code: str
    """Lines of the program that read it."""
    lines: str
    """The list of its lines, once it is read."""
    text: str = ""
    """The whole text, where it is one."""
    sets: Callable[[Draw, Lines, Lines], Values]
    """Writes these lines there, and others to where somebody might look by mistake."""
    matters: tuple[tuple[str, str], ...] = ()
    ordered: bool = True
    """Whether its lines come in the order in which a reader sees them."""
    holds: tuple[str, ...] = ("line", "part", "each")
    """Which kinds of marks make sense in it: see `Mark.kind`."""
