"""Values for an edit, out of what the person has."""

from __future__ import annotations

from collections.abc import Callable

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.edits.program import Plan


def drawing(plan: Plan) -> Callable[[Draw], Values | None]:
    """What draws the values: those of the choice, which may set the scene, then those of the change."""

    def values(draw: Draw) -> Values | None:
        plan.target.stage(draw)
        plan.change.stage(draw)
        chosen = plan.choice.draws(draw)
        if chosen is None:
            return None
        given = {slot.name: slot.choose(draw) for slot in plan.more_slots}
        found = {
            slot: kind(chosen[slot]) for slot, kind in plan.choice.slots.items() if chosen[slot] is not None
        } | given
        return found if len(found) == len(plan.choice.slots) + len(given) and None not in found.values() else None

    return values
