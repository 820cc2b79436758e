"""Texts of a shape that a task describes: each is read apart before anything is done with its parts.

Separators, marks and words are drawn anew for every case, and beside the texts that are meant there are others that
only look like them: without the shape, with a longer word, with the word in another part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from prowess_practice.errands.apart.keys import TESTS, Test
from prowess_practice.errands.apart.places import LINES, ROWS, ShapedTexts
from prowess_practice.errands.apart.program import ApartPlan, errand
from prowess_practice.errands.apart.shapes import ALONE, KEYED, WORD, TextShape
from prowess_practice.errands.apart.uses import ASKS, OWN, PAIRED, Use, deed_use, sink_use
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.forms.deeds import ANYWHERE
from prowess_practice.errands.reports.sinks import SINKS

_KINDS = ("word", "count", "word", "day", "amount", "word", "time")
DEEDS, PAPERS = 7, 5
"""So many of the deeds, and of the places for lines, go with each place of texts."""


def made() -> Iterator[Errand]:
    """All of them: every place with some of what can be done, in turn."""
    seen = set()
    turns = count()
    for number, place in enumerate((*LINES, *ROWS)):
        for use in _uses(place, number):
            for turn in (next(turns) for _ in range(8)):
                found = errand(_plan(place, use, turn))
                if found and found.name not in seen:
                    seen.add(found.name)
                    yield found
                    break


def _uses(place: ShapedTexts, number: int) -> Iterator[Use]:
    own = OWN.get(place.word, ())
    yield from own
    yield from own
    yield from ASKS
    yield from ASKS[:3]
    yield from (use for use in PAIRED if not (place.safe and {*use.kinds} & {"person", "amount", "time"}))
    for step in range(DEEDS):
        yield deed_use(ANYWHERE[(5 * number + step) % len(ANYWHERE)])
    fitting = [sink for sink in SINKS if (not sink.only or place.app in sink.only) and "tick" not in sink.place]
    for step in range(PAPERS):
        sink = fitting[(7 * number + step) % len(fitting)]
        yield sink_use(sink, ordered=place.ordered and step % 2 == 0)


def _plan(place: ShapedTexts, use: Use, turn: int) -> ApartPlan:
    if not use.kinds and turn % 3 == 0:
        return ApartPlan(place=place, use=use, shape=_fitting(ALONE, place, use, turn // 3), turn=turn)
    kind = use.kinds[turn % len(use.kinds)] if use.kinds else _KINDS[turn % len(_KINDS)]
    shape = _fitting(KEYED, place, use, turn, kind)
    return ApartPlan(place=place, use=use, shape=shape, kind=kind, test=_test(use, kind, turn), turn=turn)


def _fitting(shapes: tuple[TextShape, ...], place: ShapedTexts, use: Use, turn: int, kind: str = "") -> TextShape:
    found = [
        shape
        for shape in shapes
        if (shape.safe or not place.safe)
        and (not kind or kind in shape.kinds)
        and not (shape is WORD and (use.sorted or "WHAT" in use.keeps))
    ]
    return found[turn % len(found)]


def _test(use: Use, kind: str, turn: int) -> Test | None:
    """None where all texts of the shape are meant: where the key itself is used, about every other time."""
    tests = TESTS[kind]
    if not tests or not use.tested or (use.kinds and turn % 2):
        return None
    return tests[turn % len(tests)]
