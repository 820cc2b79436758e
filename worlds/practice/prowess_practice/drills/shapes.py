"""The families made of a listing: which shapes there are of it, and values for them that make sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Family, Function, Made, Program, Values
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Origin, State

from prowess.types import Json
from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.door import function_of, looked_up, played
from prowess_practice.drills.exports import EXPORTS
from prowess_practice.drills.listing import Listing, Within
from prowess_practice.drills.shape import Shape
from prowess_practice.drills.wordings import wordings

MOST = 25
"""Rows that a drill acts on at most."""


def drills_of(listing: Listing) -> Iterator[Family]:
    """All drills on a listing: every condition and every action in turn, not every combination of them."""
    seen: set[str] = set()
    for shape in _shapes(listing):
        if shape.name not in seen and len(shape.slots) == _slots(shape):
            seen.add(shape.name)
            yield _family(shape)


def _slots(shape: Shape) -> int:
    more = bool(shape.action and shape.action.slot) + bool(shape.export and shape.export.slot) + bool(shape.within)
    return sum(bool(one.slot) for one in shape.conditions) + more


def _shapes(listing: Listing) -> Iterator[Shape]:
    single = [(one,) for one in listing.conditions]
    flagged = [(one, flag) for n, flag in enumerate(listing.flags) for one in listing.conditions[n : n + 2]]
    double = list(zip(listing.conditions, listing.conditions[2:], strict=False))
    whole: list[tuple[Condition, ...]] = [(), *((flag,) for flag in listing.flags)] if listing.within else []
    every: Sequence[tuple[Condition, ...]] = [*whole, *single, *flagged, *double]
    for conditions in every:
        if not any(one.coarse for one in conditions[:1]):
            yield Shape(listing=listing, conditions=conditions, kind="count")
    if listing.name:
        for conditions in every[::2]:
            yield Shape(listing=listing, conditions=conditions, kind="name")
    for n, measure in enumerate(listing.measures):
        for step, greatest in ((0, True), (1, False), (3, True)):
            conditions = every[(2 * n + step) % len(every)]
            if any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                continue
            if listing.name:
                yield Shape(listing=listing, conditions=conditions, kind="extreme", measure=measure, greatest=greatest)
            if measure.sum:
                yield Shape(listing=listing, conditions=conditions, kind="sum", measure=measure)
    yield from _ordered(listing, every)
    for joined in [(one,) for one in listing.conditions if one.app]:
        if listing.name:
            yield Shape(listing=listing, conditions=joined, kind="name")
        for measure in listing.measures:
            if measure.sum:
                yield Shape(listing=listing, conditions=joined, kind="sum", measure=measure)
        for action in listing.actions:
            yield Shape(listing=listing, conditions=joined, kind="act", action=action)
    for n, export in enumerate(one for one in EXPORTS if listing.name and one.row in ("", listing.row)):
        for step in range(3):
            conditions = every[(2 * n + 3 * step) % len(every)]
            yield Shape(listing=listing, conditions=conditions, kind="export", export=export)
    for n, action in enumerate(listing.actions):
        for step in range(5):
            conditions = every[(3 * n + 2 * step) % len(every)]
            yield Shape(listing=listing, conditions=conditions, kind="act", action=action)
        for measure in listing.measures[:1]:
            conditions = every[(n + 1) % len(every)]
            if not any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                yield Shape(
                    listing=listing,
                    conditions=conditions,
                    kind="pick",
                    measure=measure,
                    greatest=n % 2 == 0,
                    action=action,
                )


def _ordered(listing: Listing, every: Sequence[tuple[Condition, ...]]) -> Iterator[Shape]:
    """Sorted by a measure; the most frequent of what rows can be told apart by, or the one with the greatest sum."""
    for n, measure in enumerate(listing.measures if listing.name else ()):
        for step, greatest in ((1, True), (2, False)):
            conditions = every[(n + 2 * step) % len(every)]
            yield Shape(listing=listing, conditions=conditions, kind="sort", measure=measure, greatest=greatest)
    for n, by in enumerate(one for one in listing.conditions if one.field):
        sums = [measure for measure in listing.measures if measure.sum]
        for step, summed in enumerate((None, *sums)):
            conditions = every[(n + 3 * step + 1) % len(every)]
            if by not in conditions:
                yield Shape(listing=listing, conditions=conditions, kind="top", measure=summed, by=by)


def _family(shape: Shape) -> Family:
    function = Made(shape.name, shape.source)
    trial = _Trial(shape=shape, program=function)

    def solve(state: State, me: Person, values: Values) -> Json:
        reads = shape.asks and state.untouched
        result = looked_up(function, state.origin, me.id, values) if reads else played(function, state, me, values)
        return result if shape.asks else None

    return Family(
        name=shape.name,
        split="drill",
        difficulty=len(shape.apps) if shape.asks and len(shape.conditions) == 1 else 2,
        apps=shape.apps,
        slots=shape.slots,
        wordings=wordings(shape),
        make=lambda draw: _values(trial, draw),
        solve=solve,
        program=Program(functions=(function,), call=shape.call),
        mistakes=(),
        asks=shape.asks,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Trial:
    """A shape and its functions, each made at its first use."""

    shape: Shape
    program: Function
    """What the expert writes."""

    @cached_property
    def every(self) -> Function:
        """Gives all rows of the listing; the same for all shapes on it."""
        return function_of(Shape(listing=self.shape.listing, conditions=(), kind="count").matching)

    @cached_property
    def matching(self) -> Function:
        return function_of(self.shape.matching)

    @cached_property
    def measuring(self) -> Function:
        return function_of(self.shape.measuring)


def _values(trial: _Trial, draw: Draw) -> Values | None:
    """Values that serve, or None when those that were drawn do not.

    A drill sets nothing up, so what they are drawn from is the same in all attempts for a person. Most attempts fail,
    and for a drill that nobody's data serves all of them: what was read, and what values came to, is remembered.
    """
    assert draw.state.untouched, "what is remembered holds where nothing has been set up"
    values = _drawn(trial, draw)
    return values if values is not None and _serve(trial, draw.state.origin, draw.me.id, **values) else None


def _drawn(trial: _Trial, draw: Draw) -> Values | None:
    shape, origin, me = trial.shape, draw.state.origin, draw.me.id
    values: dict[str, Any] = {}
    if shape.within:
        names = _names(shape.within.names, origin, me)
        if not names:
            return None
        values[shape.within.slot] = draw.rng.choice(names)
    rows = _rows(trial.every, origin, me, **values)
    for condition in shape.conditions:
        if condition.slot:
            picked = condition.pick(draw.rng, rows)
            if picked is None:
                return None
            values[condition.slot] = picked
    if shape.action and shape.action.slot:
        values[shape.action.slot] = shape.slots[shape.action.slot](draw.rng.choice(shape.action.choices))
    if shape.export and shape.export.slot:
        chosen = shape.export.choose(draw)
        if chosen is None:
            return None
        values[shape.export.slot] = chosen
    return values


@lru_cache(maxsize=1024)
def _names(expression: str, origin: Origin, me: int) -> tuple[str, ...]:
    """Names that a task can say and that mean one thing."""
    names = looked_up(function_of(f"def names():\n    return {expression}\n"), origin, me, {})
    return tuple(name for name in names if '"' not in name and names.count(name) == 1)


@lru_cache(maxsize=4096)
def _rows(every: Function, origin: Origin, me: int, /, **inside: str) -> tuple[Any, ...]:
    return tuple(looked_up(every, origin, me, inside))


@lru_cache(maxsize=4096, typed=True)
def _serve(trial: _Trial, origin: Origin, me: int, /, **values: Any) -> bool:
    """Whether values leave some rows in and some out, and the program does something with them without a refusal."""
    shape = trial.shape
    rows = _rows(trial.every, origin, me, **_inside(shape.within, values))
    found: list[Any] = looked_up(trial.matching, origin, me, values)
    if not 0 < len(found) < len(rows) + (not shape.conditions) or (not shape.asks and len(found) > MOST):
        return False
    ranks = shape.measure and shape.kind != "sum"
    worth: list[Any] = looked_up(trial.measuring, origin, me, values) if ranks else [1] * len(found)
    return _ranked(shape, found, worth) and _named(shape, found) and (shape.asks or _acts(trial, origin, me, values))


def _inside(within: Within | None, values: Values) -> dict[str, str]:
    return {within.slot: values[within.slot]} if within else {}


def _ranked(shape: Shape, found: Sequence[Any], worth: Sequence[Any]) -> bool:
    """Whether it is clear which row comes first, or which comes after which, where that is asked."""
    if shape.kind in ("extreme", "pick"):
        ends = sorted(worth, reverse=shape.greatest)
        return len(ends) > 1 and ends[0] != ends[1]
    if shape.kind == "sort":
        return len(worth) > 1 and len({*worth}) == len(worth) and None not in worth
    return shape.by is None or _tops(shape.by.field, found, worth)


def _tops(field: str, found: Sequence[Any], worth: Sequence[float]) -> bool:
    """Whether one of those that rows are added up by is clearly first."""
    key = eval(f"lambda ROW: {field}")  # noqa: S307 - our own words
    totals: Counter[str] = Counter()
    for row, each in zip(found, worth, strict=True):
        totals[key(row)] += each  # type: ignore[assignment]
    first = totals.most_common(2)
    return len(first) == 2 and all(isinstance(key, str) and key for key in totals) and first[0][1] > first[1][1]


def _named(shape: Shape, found: Sequence[Any]) -> bool:
    """Whether every row has a name, where names are asked."""
    if shape.kind not in ("name", "sort", "extreme", "export"):
        return True
    return all(row if shape.listing.name == "." else row[shape.listing.name] for row in found)


def _acts(trial: _Trial, origin: Origin, me: int, values: Values) -> bool:
    start, end = State(origin), State(origin)
    try:
        played(trial.program, end, start[Person][me], values)
    except (ApiError, TypeError):  # refused, or a row without the field that is reckoned with
        return False
    return bool(changes(start, end))
