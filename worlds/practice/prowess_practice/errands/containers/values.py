"""Values for errands on containers, out of what a person's containers hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from prowess_desk.engine.family import Draw, Function, Values
from prowess_desk.engine.tables import Origin

from prowess_practice.drills.door import function_of, looked_up
from prowess_practice.errands.containers.judges import Score
from prowess_practice.errands.containers.program import reading, scoring
from prowess_practice.errands.containers.shape import Shape


def values_of(shape: Shape) -> Callable[[Draw], Values | None]:
    """What draws values for a shape; it sets nothing up."""

    def values(draw: Draw) -> Values | None:
        found = _described(shape, draw)
        if found is None:
            return None
        scores = _scores(shape, draw, found)
        if shape.judge and shape.judge.slot:
            found[shape.judge.slot] = shape.judge.limit(draw.rng, scores)
        if shape.best and not _clear(shape, scores):
            return None
        if shape.deed and shape.deed.slot:
            found[shape.deed.slot] = shape.deed.choose(draw)
        if shape.export and shape.export.slot:
            found[shape.export.slot] = shape.export.choose(draw)
        if any(found[slot] is None for slot in shape.slots):
            return None
        return {slot: _typed(found[slot], kind) for slot, kind in shape.slots.items()}

    return values


def _typed(value: Any, kind: type) -> Any:
    return round(float(value), 2) if kind is float else kind(value)


def _described(shape: Shape, draw: Draw) -> dict[str, Any] | None:
    """Values that say which containers are looked at, and which rows count."""
    pairs = _pairs(function_of(reading(shape)), draw.state.origin, draw.me.id)
    if len(pairs) < 2:
        return None
    found: dict[str, Any] = {}
    if shape.filter and shape.filter.condition and shape.filter.condition.slot:
        found[shape.filter.condition.slot] = shape.filter.condition.pick(draw.rng, [one for one, _ in pairs])
    if shape.condition and shape.condition.slot:
        rows = [row for _, rows in pairs for row in rows]
        found[shape.condition.slot] = shape.condition.pick(draw.rng, rows) if rows else None
    return None if any(value is None for value in found.values()) else found


def _scores(shape: Shape, draw: Draw, values: Values) -> list[Score]:
    given = {slot: values.get(slot) for slot in shape.slots}
    scored = looked_up(function_of(scoring(shape)), draw.state.origin, draw.me.id, given)
    return [
        Score(name=name, rows=rows, fitting=fitting, worth=_even(worth), each=each)
        for name, rows, fitting, worth, each in scored
    ]


def _even(worth: Any) -> Any:
    return round(worth, 2) if isinstance(worth, float) else worth


def _clear(shape: Shape, scores: Sequence[Score]) -> bool:
    """Whether it is clear which container comes first, and which of its rows, where that is asked."""
    assert shape.best
    order = sorted(scores, key=shape.best.of, reverse=shape.best.greatest)
    if len(order) < 2 or shape.best.of(order[0]) == shape.best.of(order[1]):
        return False
    if shape.ending == "extreme":
        ends = sorted(order[0].each, reverse=True)
        return len(ends) > 1 and ends[0] != ends[1]
    return not shape.best.greatest or order[0].fitting > 0


@lru_cache(maxsize=4096)
def _pairs(function: Function, origin: Origin, me: int) -> tuple[Any, ...]:
    """Everybody's containers are read once: values are drawn from them over and over."""
    return tuple(looked_up(function, origin, me, {}))
