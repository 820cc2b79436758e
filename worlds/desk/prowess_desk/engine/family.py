"""A scenario family: one thing to do, in several wordings, for any person and any values.

A family states four things apart from each other, so that each can be checked against the others:
what is asked (`wordings` with slots), how the world is set (`make`), what should come of it (`solve`, directly on
the tables) and how an agent does it (`program`, through the APIs). `mistakes` are plausible wrong programs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from random import Random
from types import CodeType
from typing import Any

from prowess.seeds import derive
from prowess.types import Json
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State

Values = Mapping[str, Any]
"""What fills the slots: text, whole numbers, amounts (float) or lists of text; names starting with `other` are hidden
from the instruction and serve mistakes (the wrong person, the wrong list)."""


class Day(str):
    """A day as text, `2025-05-18`: a slot of this type cannot be taken for any other text."""

    __slots__ = ()


class Month(str):
    """A month as text, `May 2025`."""

    __slots__ = ()


class Weekday(str):
    """A day of the week as text, `Sunday`."""

    __slots__ = ()


KEPT = 4
"""One in so many families of train is kept where some are to be fresh: the same ones with any seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What `make` draws from; it may write set-up rows into the state before the agent sees it."""

    rng: Random
    state: State
    me: Person
    people: tuple[Person, ...]

    def known(self, relation: str) -> list[Person]:
        """The people who are this to the supervisor."""
        return [self.state[Person][id] for id in self.me.related(relation)]


class Made:
    """A function that was made of tables, not written: its source, compiled when it is first needed.

    Of thousands of them a run plays a part, and compiling all takes seconds.
    """

    def __init__(self, name: str, source: str) -> None:
        self.__name__ = name
        self.source = source

    @cached_property
    def __code__(self) -> CodeType:
        whole = compile(self.source, f"<{self.__name__}>", "exec")
        return next(one for one in whole.co_consts if isinstance(one, CodeType) and one.co_name == self.__name__)


Function = Callable[..., Any] | Made


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """How an agent does it: functions, shown to it as source, and the call that uses them."""

    functions: tuple[Function, ...]
    """The skill last, before it the functions it needs besides the toolbox's."""
    call: str
    """Such as `like_artist(artist={artist!r})`, filled with values."""

    @property
    def name(self) -> str:
        """The skill that does the job."""
        return self.functions[-1].__name__


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A plausible wrong program, as an edit of the right one; it must fail."""

    name: str
    old: str = ""
    new: str = ""
    """Text of the program's source (helpers included) and what stands there instead."""
    swap: Mapping[str, str] | None = None
    """Call with another value: {"person": "other_person"}."""
    extra: str = ""
    """Code that runs after the call: a collateral change."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """One thing to do."""

    name: str
    split: str
    difficulty: int
    apps: tuple[str, ...]
    """The apps it needs, besides supervisor and api_docs."""
    slots: Mapping[str, type]
    """Slot names and their types: str, Day, Month, Weekday, int, float (an amount of money) or list (of text)."""
    wordings: tuple[str, ...]
    make: Callable[[Draw], Values | None]
    """Draw the values, setting the world so that they make sense; None when this person will not do."""
    solve: Callable[[State, Person, Values], Json]
    """Do it directly on the tables and return the answer, None where none is asked."""
    program: Program
    mistakes: tuple[Mistake, ...]
    asks: bool = False
    """True when an answer is asked for."""

    @property
    def kept(self) -> bool:
        """Whether it is one of those that are kept where some are to be fresh."""
        return derive(0, "kept", self.name) % KEPT == 0

    def say(self, values: Values, wording: int) -> str:
        """The instruction in one of the wordings."""
        return self.wordings[wording].format(**{slot: spoken(values[slot]) for slot in self.slots})

    def read(self, instruction: str) -> Values | None:
        """The slots' values out of an instruction, or None when it is not this family's."""
        alike = (wording for wording in self.wordings if instruction.startswith(opening(wording)))
        for pattern in (_pattern(wording, tuple(self.slots.items())) for wording in alike):
            if match := pattern.fullmatch(instruction):
                return {slot: heard(text, self.slots[slot]) for slot, text in match.groupdict().items()}
        return None


def opening(wording: str) -> str:
    """What an instruction in this wording begins with: the text before its first slot."""
    return wording.partition("{")[0]


def spoken(value: Any) -> str:
    """A value as an instruction says it: 12.50, or `a, b and c`."""
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return " and ".join([", ".join(value[:-1]), value[-1]]) if len(value) > 1 else value[0]
    return str(value)


def heard(text: str, kind: type) -> Any:
    """The value back from how it was said.

    >>> heard("milk, eggs and bread", list), heard("12.50", float), heard("3", int)
    (['milk', 'eggs', 'bread'], 12.5, 3)
    """
    if kind is list:
        *most, last = text.split(" and ")
        return [item for part in most for item in part.split(", ")] + [last]
    return kind(text)


_TEXT = r'[^"]+?'
_SHAPES = {
    int: r"-?\d+",
    float: r"\d+\.\d\d",
    Day: r"\d{4}-\d\d-\d\d",
    Month: r"[A-Z][a-z]+ \d{4}",
    Weekday: "[A-Z][a-z]+",
}


@cache  # compiled when somebody speaks so: of thousands of wordings a run meets a part
def _pattern(wording: str, slots: tuple[tuple[str, type], ...]) -> re.Pattern[str]:
    """What an instruction in this wording looks like. Text never holds a double quote: titles stand in them."""
    kinds = dict(slots)
    parts = re.split(r"\{(\w+)\}", wording)
    seen: set[str] = set()
    out = []
    for n, part in enumerate(parts):
        if n % 2 == 0:
            out.append(re.escape(part))
        else:
            out.append(f"(?P={part})" if part in seen else f"(?P<{part}>{_SHAPES.get(kinds[part], _TEXT)})")
            seen.add(part)
    return re.compile("".join(out), re.DOTALL)


def by_name(*collections: Iterable[Family]) -> dict[str, Family]:
    """Families of several files under their names, each name once."""
    found: dict[str, Family] = {}
    for family in chain.from_iterable(collections):
        assert family.name not in found, f"two families are called '{family.name}'"
        found[family.name] = family
    return found


@cache
def source_of(function: Function) -> str:
    """A function as the agent would write it."""
    return (function.source if isinstance(function, Made) else inspect.getsource(function)).rstrip()


def needed(functions: Sequence[Function], toolbox: Mapping[str, Callable[..., Any]]) -> list[str]:
    """Names of the toolbox functions that these call, in the toolbox's order."""
    found: set[str] = set()
    queue: list[Function] = list(functions)
    while queue:
        names = set(queue.pop().__code__.co_names)
        for name in names & toolbox.keys() - found:
            found.add(name)
            queue.append(toolbox[name])
    return [name for name in toolbox if name in found]
