"""A report as an errand: lines that go somewhere, and values out of what the apps of the supervisor have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.parts import LEAST, NUMBERS, LineSink, Paper, Rows, readable, shaped
from prowess_practice.errands.transfers.parts import Slot, entering, one_of, seen

TOP = one_of("top", 2)
FLOOR = one_of("least", 2)
"""How many lines, and from which figure on: drawn out of the figures."""
TRIES = 5
"""Values tried with one supervisor."""


def drawing(
    rows: Rows, slots: Sequence[Slot], figures: str = "", kind: str = "", *, alone: bool = False
) -> Callable[[Draw], Values | None]:
    """What draws the values: those of the rows first, then those that depend on the figures, then the rest."""

    def values(draw: Draw) -> Values | None:
        for scene in rows.scenes:
            scene(draw)
        for _ in range(TRIES):
            found = _given(draw, rows)
            if found and figures:
                found = _bounded(draw, found, slots, _figures(draw, rows, figures, found, alone), kind)
            if found is not None:
                break
        if found is None:
            return None
        found |= {slot.name: slot.choose(draw) for slot in slots if slot not in (TOP, FLOOR)}
        return None if None in found.values() else found

    return values


def _given(draw: Draw, rows: Rows) -> dict[str, Any] | None:
    found = {slot.name: slot.choose(draw) for pool in rows.pools for slot in pool.slots}
    if None in found.values():
        return None
    if rows.conditions:
        first = {slot.name: found[slot.name] for slot in rows.pools[0].slots}
        listed = seen(draw, rows.listing, first)
        found |= {one.slot: one.pick(draw.rng, listed) for one in rows.conditions if one.slot}
    return None if None in found.values() else {"": "", **found}


def _figures(draw: Draw, rows: Rows, code: str, found: dict[str, Any], alone: bool) -> dict[str, Any]:
    """The figures by name; none where two rows of a table with a figure for each have one name."""
    count = f"len({rows.found})" if alone else "0"
    source = f"def probe({', '.join(rows.slots)}):\n{code}    return {count}, figures\n"
    number, figures = seen(draw, source, {slot: found[slot] for slot in rows.slots})
    return figures if not alone or number == len(figures) else {}


def _bounded(
    draw: Draw, found: dict[str, Any], slots: Sequence[Slot], figures: dict[str, Any], kind: str
) -> dict[str, Any] | None:
    """With a bound that leaves some out, where one is asked for; none where the figures will not do."""
    if len(figures) < LEAST + (TOP in slots) or (kind in NUMBERS and len({*figures.values()}) < LEAST):
        return None
    if TOP in slots:
        return found | {"top": draw.rng.randint(2, min(6, len(figures) - 1))}
    if FLOOR in slots:
        bounds = [int(one) + 1 for one in sorted({*figures.values()})[:-1]]
        return found | {"least": draw.rng.choice(bounds)} if bounds else None
    return found


def report(paper: Paper, sink: LineSink) -> Errand | None:
    """The errand; none where the two do not go together."""
    given = [*paper.rows.slots.items(), *((slot.name, slot.kind) for slot in (*paper.slots, *sink.slots))]
    slots = dict(given)
    if len(slots) < len(given) or not slots or (sink.only and not {*sink.only} & {*paper.apps}):
        return None
    name = f"{sink.word}_{paper.word}"
    entry = "" if entering(sink.app) in paper.code else entering(sink.app)
    body = f"{paper.code}{entry}{sink.code}    return len(lines)\n"
    source = shaped(name, slots, f"Write {paper.about} {sink.about}; return how many {sink.items}", body)
    if not readable(source, slots):
        return None
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*paper.apps, sink.app))),
        slots=slots,
        source=source,
        wordings=paper.texts(sink),
        values=drawing(paper.rows, (*paper.slots, *sink.slots), paper.figures, paper.kind, alone=paper.alone),
        matters=(*((test, "True") for test in paper.rows.tests), *paper.matters),
    )
