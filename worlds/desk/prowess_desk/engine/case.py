"""A case: one task of a family with its people and values drawn, its world set and its goal worked out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from prowess.errors import WorldError
from prowess.seeds import draw
from prowess.types import Json
from prowess_desk.engine.family import Draw, Family, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.engine.universe import universe

SIBLINGS = 3
"""Tasks in a scenario."""
ATTEMPTS = 200
"""People and values to try before a family is said to be broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Everything about one task, the answer included: it never leaves the host."""

    family: Family
    universe: int
    me: Person
    values: Values
    start: State
    """As the agent finds it; forked, never written."""
    goal: State
    """Start with the family's solution applied."""
    answer: Json


@lru_cache(maxsize=4096)
def case_of(family: Family, seed: int, universe_seed: int, sibling: int) -> Case:
    """The case of one sibling of a scenario. Its person, values and answer differ from those of the siblings before."""
    used = [case_of(family, seed, universe_seed, n) for n in range(sibling)]
    world = universe(universe_seed)
    for attempt in range(ATTEMPTS):
        rng = draw(seed, family.name, sibling, attempt)
        me = rng.choice(world.people)
        if any(me == case.me for case in used):
            continue
        start = world.state()
        values = family.make(Draw(rng=rng, state=start, me=me, people=world.people))
        if values is None or any(_spoken(family, values) == _spoken(family, case.values) for case in used):
            continue
        goal = start.fork()
        answer = family.solve(goal, me, values)
        if family.asks and any(answer == case.answer for case in used):
            continue  # a function that returns the answer of the task before it is no skill
        return Case(family=family, universe=universe_seed, me=me, values=values, start=start, goal=goal, answer=answer)
    raise WorldError(f"family '{family.name}' found no case in {ATTEMPTS} draws (seed {seed}, sibling {sibling})")


def _spoken(family: Family, values: Values) -> tuple[object, ...]:
    return tuple(values[slot] if not isinstance(values[slot], list) else tuple(values[slot]) for slot in family.slots)
