"""Values for an errand on people, out of what the supervisor's apps have; strangers are put among them first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.door import function_of, looked_up, played
from prowess_practice.errands.people.plan import Plan
from prowess_practice.errands.people.program import finder, probe, reader
from prowess_practice.errands.people.scene import flush, more_of, strangers

TRIES = 6
"""Values tried with one supervisor."""
LEAST = ("rich", "often", "top", "bottom", "most")
"""Ways to take people that need two of them at least."""


def drawing(plan: Plan) -> Callable[[Draw], Values | None]:
    """What draws the values of an errand."""

    def values(draw: Draw) -> Values | None:
        _mix(plan, draw)
        found = _rows(plan, draw)
        if found is None:
            return None
        found |= {slot.name: slot.choose(draw) for slot in plan.outcome.slots}
        if plan.gather in LEAST:
            found |= _bound(plan, draw, found)
        if any(found.get(slot) is None for slot in plan.slots):
            return None
        if plan.outcome.pays:
            flush(draw)
        return found

    return values


def _rows(plan: Plan, draw: Draw) -> dict[str, Any] | None:
    """Values for the conditions on the rows, such that there are people of whom all is true."""
    found: dict[str, Any] = {}
    listed = []
    for source, conditions in plan.readings:
        if source.within:
            found[source.within.slot] = source.within.choose(draw)
            if found[source.within.slot] is None:
                return None
        given = {source.within.slot: found[source.within.slot]} if source.within else {}
        listed.append((conditions, _asked(reader(source), draw, given)))
    for _ in range(TRIES):
        for conditions, rows in listed:
            found |= {one.slot: one.pick(draw.rng, rows) for one in conditions if one.slot}
        if None in found.values():
            return None
        names = _asked(finder(plan), draw, {slot: found.get(slot) for slot in plan.slots})
        if len(names) > (plan.gather in LEAST):
            return found
    return None


def _mix(plan: Plan, draw: Draw) -> None:
    """Put strangers among the people of the rows, and more rows where there are few."""
    for source, _ in plan.readings:
        if source.more is None:
            continue
        if source.scarce:
            more_of(draw, source.more)
        for person in strangers(draw, draw.rng.randint(2, 6)) if plan.strange else ():
            for _ in range(draw.rng.randint(1, 2)):
                source.more(draw, person)
    if plan.outcome.stage:
        more_of(draw, plan.outcome.stage)


def _asked(source: str, draw: Draw, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives."""
    function = function_of(source)
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, values)
    return played(function, draw.state, draw.me, values)


def _bound(plan: Plan, draw: Draw, values: Mapping[str, Any]) -> dict[str, Any]:
    """A bound between the sums or numbers of the people; none where the greatest or smallest is not one person's."""
    if any(values.get(slot) is None for slot in plan.slots if slot not in ("more_than_total", "least_count")):
        return {}
    try:
        table = _asked(probe(plan), draw, {slot: values.get(slot) for slot in plan.slots})
    except (ApiError, LookupError, StopIteration, TypeError):
        return {"more_than_total": None, "least_count": None}
    ranked = sorted(table.values())
    none = dict.fromkeys(plan.slots)
    if len(ranked) < 2:
        return none
    if plan.single:
        best, next_to = ranked[:2] if plan.gather == "bottom" else ranked[-2:]
        return {} if abs(best - next_to) > 0.005 else none
    if plan.gather == "often":
        return {"least_count": draw.rng.choice(sorted({*ranked})[1:] or [None])}
    chosen = int(draw.rng.choice(ranked[:-1]))
    if plan.source.unit.adds == "durations":
        return {"more_than_total": chosen}
    return {"more_than_total": float(chosen)} if all(abs(value - chosen) > 0.005 for value in ranked) else none
