"""When things of a universe happened, and between whom."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from prowess_desk.engine.people import Person


def moment(rng: random.Random, now: datetime, days: int = 540) -> datetime:
    """Some waking minute of the days before now, the later the likelier."""
    ago = 1 + int(days * rng.random() ** 1.6)
    hour, minute = 7 + _below(rng, 16), _below(rng, 60)
    return now + timedelta(-ago, ((hour - now.hour) * 60 + minute - now.minute) * 60)


def _below(rng: random.Random, most: int) -> int:
    """What `rng.randrange(most)` draws, in a third of the time: a universe has thousands of moments."""
    bits = most.bit_length()
    while (drawn := rng.getrandbits(bits)) >= most:
        pass
    return drawn


def moments(rng: random.Random, now: datetime, count: int, days: int = 540) -> list[datetime]:
    """Several of them, earliest first."""
    return sorted(moment(rng, now, days) for _ in range(count))


def pairs(people: Sequence[Person]) -> Iterator[tuple[int, int, str]]:
    """Everybody who knows each other, once: two ids, and what the second is to the first."""
    for person in people:
        for other, relation in person.relations:
            if person.id < other:
                yield person.id, other, relation


def circles(people: Sequence[Person], relation: str) -> list[tuple[int, ...]]:
    """People tied together by a relation, as sorted ids; nobody is in two circles, and none is alone."""
    ties = {person.id: person.related(relation) for person in people}
    seen: set[int] = set()
    found = []
    for start in ties:
        circle, edge = set[int](), [start]
        while edge:
            person = edge.pop()
            if person not in seen:
                seen.add(person)
                circle.add(person)
                edge.extend(ties[person])
        if len(circle) > 1:
            found.append(tuple(sorted(circle)))
    return found
