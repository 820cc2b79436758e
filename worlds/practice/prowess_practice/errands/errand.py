"""An errand before its people are drawn: a program of two or three stages, what it takes, and what matters in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Family, Function, Made, Program, Values
from prowess_desk.engine.grading import Change, changes
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State

from prowess.types import Json
from prowess_practice.drills.direct_calls import played

MOST = 40
"""Rows that an errand changes at most."""
FAILURES = (ApiError, ArithmeticError, LookupError, RuntimeError, StopIteration, TypeError, ValueError)
"""How a program may fail on data that it is not for; a `next` inside a generator fails as a `RuntimeError`."""
_Outcome = tuple[dict[type[Any], Counter[Change]], Json]
"""What is changed, and what is answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Something to do that takes more than one listing."""

    name: str
    """The function's, too."""
    apps: tuple[str, ...]
    slots: Mapping[str, type]
    """What the function takes, by name, in its order: see `Family.slots`."""
    source: str
    """The function, as the expert writes it; it may use `login`, `all_pages`, `date`, `datetime` and `timedelta`."""
    wordings: tuple[str, ...]
    values: Callable[[Draw], Values | None]
    """Values for the slots, out of the person's own data; it may set the scene, as families do."""
    matters: tuple[tuple[str, str], ...] = ()
    """Edits of the source, text and what stands there instead: with each of them something else must come of it."""
    asks: bool = False
    """Whether an answer is asked for, and nothing done."""
    difficulty: int = 2


def family_of(errand: Errand) -> Family:
    """The errand as a family: its program says what should come of it."""
    right = Made(errand.name, errand.source)

    @cache
    def wrong() -> tuple[Function, ...]:
        return tuple(Made(errand.name, edited(errand, *edit)) for edit in errand.matters)

    def make(draw: Draw) -> Values | None:
        drawn = errand.values(draw)
        values = drawn and {slot: drawn[slot] for slot in errand.slots}
        return values if values and _serve(errand, right, wrong(), draw, values) else None

    def solve(state: State, me: Person, values: Values) -> Json:
        result: Json = played(right, state, me, values)
        return result if errand.asks else None

    return Family(
        name=errand.name,
        split="drill",
        difficulty=errand.difficulty,
        apps=errand.apps,
        slots=errand.slots,
        wordings=errand.wordings,
        make=make,
        solve=solve,
        program=Program(
            functions=(right,), call=f"{errand.name}({', '.join(f'{slot}={{{slot}!r}}' for slot in errand.slots)})"
        ),
        mistakes=(),
        asks=errand.asks,
    )


def _serve(errand: Errand, right: Function, wrong: tuple[Function, ...], draw: Draw, values: Values) -> bool:
    """Whether something comes of the program, not too much, and something else of every other."""
    try:
        goal = _outcome(errand, right, draw, values)
    except FAILURES:
        return False
    changed, answer = goal
    if errand.asks and (changed or not answer):
        return False
    if not errand.asks and not 0 < sum(bag.total() for bag in changed.values()) <= MOST:
        return False
    return all(_differs(errand, each, draw, values, goal) for each in wrong)


def _differs(errand: Errand, wrong: Function, draw: Draw, values: Values, goal: _Outcome) -> bool:
    try:
        return _outcome(errand, wrong, draw, values) != goal
    except FAILURES:
        return True


def _outcome(errand: Errand, function: Function, draw: Draw, values: Values) -> _Outcome:
    end = draw.state.fork()
    answer = played(function, end, draw.me, values)
    return changes(draw.state, end), answer if errand.asks else None


def edited(errand: Errand, old: str, new: str) -> str:
    """The source with one part of it left out or changed."""
    assert errand.source.count(old) == 1, f"{errand.name}: {old!r} is there {errand.source.count(old)} times"
    return errand.source.replace(old, new)
