"""The families made of a listing: which shapes there are of it, and values for them that make sense."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from opensage.types import Json
from opensage.worlds.desk.api import ApiError
from opensage.worlds.desk.drills.conditions import Condition
from opensage.worlds.desk.drills.door import CLOCK, played
from opensage.worlds.desk.drills.exports import EXPORTS
from opensage.worlds.desk.drills.listing import Listing
from opensage.worlds.desk.drills.shape import Shape
from opensage.worlds.desk.drills.wordings import wordings
from opensage.worlds.desk.families.toolbox import TOOLBOX
from opensage.worlds.desk.family import Draw, Family, Program, Values
from opensage.worlds.desk.grading import changes
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State

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
    def solve(state: State, me: Person, values: Values) -> Json:
        result = played(shape.source, shape.call, state, me, values)
        return result if shape.asks else None

    return Family(
        name=shape.name,
        split="drill",
        difficulty=len(shape.apps) if shape.asks and len(shape.conditions) == 1 else 2,
        apps=shape.apps,
        slots=shape.slots,
        wordings=wordings(shape),
        make=lambda draw: _values(shape, draw),
        solve=solve,
        program=Program(functions=(_function(shape.name, shape.source),), call=shape.call),
        mistakes=(),
        asks=shape.asks,
    )


def _values(shape: Shape, draw: Draw) -> Values | None:
    """Values that leave some rows in and some out, and for which the program does something without a refusal."""
    values: dict[str, Any] = {}
    if shape.within:
        names = played("", shape.within.names, draw.state, draw.me, {})
        clear = [name for name in names if '"' not in name and names.count(name) == 1]
        if not clear:
            return None
        values[shape.within.slot] = draw.rng.choice(clear)
    bare = Shape(listing=shape.listing, conditions=(), kind="count")
    rows: list[Any] = played(bare.matching, f"matching({_given(values)})", draw.state, draw.me, values)
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
    found: list[Any] = played(shape.matching, f"matching({_given(values)})", draw.state, draw.me, values)
    if not 0 < len(found) < len(rows) + (not shape.conditions) or (not shape.asks and len(found) > MOST):
        return None
    if shape.kind in ("extreme", "pick"):
        ends = sorted(_measures(shape, draw, values), reverse=shape.greatest)
        if len(ends) < 2 or ends[0] == ends[1]:
            return None
    if shape.kind == "sort" and shape.measure:
        keys = _measures(shape, draw, values)
        if len(keys) < 2 or len({*keys}) < len(keys) or None in keys:
            return None
    if shape.by and not _clear(shape, found, _measures(shape, draw, values) if shape.measure else [1] * len(found)):
        return None
    plain = shape.listing.name == "."
    if shape.kind in ("name", "sort", "extreme", "export") and not all(
        row if plain else row[shape.listing.name] for row in found
    ):
        return None
    if not shape.asks:
        trial = draw.state.fork()
        try:
            played(shape.source, shape.call, trial, draw.me, values)
        except (ApiError, TypeError):  # refused, or a row without the field that is reckoned with
            return None
        if not changes(draw.state, trial):
            return None
    return values


def _measures(shape: Shape, draw: Draw, values: Values) -> list[Any]:
    found: list[Any] = played(shape.measuring, f"matching({_given(values)})", draw.state, draw.me, values)
    return found


def _clear(shape: Shape, found: Sequence[Any], worth: Sequence[float]) -> bool:
    """Whether one of them is clearly first."""
    assert shape.by
    totals: Counter[str] = Counter()
    for row, each in zip(found, worth, strict=True):
        totals[eval(shape.by.field, {"ROW": row})] += each  # type: ignore[assignment]  # noqa: S307
    first = totals.most_common(2)
    return len(first) == 2 and all(isinstance(key, str) and key for key in totals) and first[0][1] > first[1][1]


def _given(values: Values) -> str:
    return ", ".join(f"{slot}={{{slot}!r}}" for slot in values)


def _function(name: str, source: str) -> Callable[..., Any]:
    """The function itself; its source can be read where the others' can."""
    file = f"<drill {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"apis": None, **TOOLBOX, **CLOCK}
    exec(compile(source, file, "exec"), names)  # noqa: S102 - our own words, made from the tables beside
    found: Callable[..., Any] = names[name]
    return found
