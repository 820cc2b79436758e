"""Values for a question, out of the person's own data, such that the answer is clear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.door import function_of, looked_up, played
from prowess_practice.errands.errand import FAILURES
from prowess_practice.errands.questions.part import Slot
from prowess_practice.errands.questions.program import probe, turned

TRIES = 4
"""Values tried with one person."""


def drawing(source: str, slots: tuple[Slot, ...]) -> Callable[[Draw], Values | None]:
    """What draws the values of a question."""

    def values(draw: Draw) -> Values | None:
        staged: dict[str, Any] = {}
        for stage in dict.fromkeys(slot.stage for slot in slots if slot.stage):
            found = stage(draw)
            if found is None:
                return None
            staged |= found
        for _ in range(TRIES):
            chosen = staged | {slot.name: picked(draw, slot) for slot in slots if slot.name not in staged}
            if None not in chosen.values() and _different(chosen) and _clear(source, draw, chosen):
                return chosen
        return None

    return values


def picked(draw: Draw, slot: Slot) -> Any:
    """One of the values there are; a bound lies between them."""
    try:
        every = _asked(probe(slot), draw, {})
    except FAILURES:
        return None
    if slot.kind is str:
        fitting = [one for one in every if one and '"' not in one]
        return draw.rng.choice(fitting) if fitting else None
    inner = sorted({one for one in every if one is not None})
    if slot.kind is not int:
        inner = inner[1:-1]
    if not inner:
        return None
    value = draw.rng.choice(inner)
    return slot.kind(value[:10]) if isinstance(value, str) else slot.kind(value)


def _different(values: Mapping[str, Any]) -> bool:
    """Whether no two of the texts are the same."""
    texts = [value for value in values.values() if isinstance(value, str)]
    return len(texts) == len({*texts})


def _clear(source: str, draw: Draw, values: Mapping[str, Any]) -> bool:
    """Whether there is an answer, whatever the order of what is listed."""
    try:
        answer = _asked(source, draw, values)
        return bool(answer) and all(_asked(other, draw, values) == answer for other in turned(source))
    except FAILURES:
        return False


def _asked(source: str, draw: Draw, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives."""
    function = function_of(source)
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, values)
    return played(function, draw.state, draw.me, values)
