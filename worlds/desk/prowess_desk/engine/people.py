"""The people of a universe: who they are, who they know, and their passwords."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from prowess.seeds import derive

FIRST_STARTS = "Al Be Ca Da El Fa Ga Ha Is Ja Ka La Lo Ma Mi Na Or Pa Ra Ro Sa Ta Va Wi Ya Ze".split()
FIRST_ENDS = "bert dine dro fina gan lia lina mir na nico ra rik rin ro sa sha sun tha vin zo".split()
LAST_STARTS = """Ald Ash Bram Brook Cald Clay Dorn Drake Eck Ever Fair Frost Gold Hart Ing Jan Kel Lind Mont Nor Oster
Pell Quin Ros Stern Thorn Under Vold West Zim""".split()
LAST_ENDS = """berg by dahl er field ford gren ham hurst ing land ley man mark mere qvist rick ridge sen son stead strom
ton vale well wick wood worth""".split()
FIRST = tuple(start + end for start in FIRST_STARTS for end in FIRST_ENDS)
LAST = tuple(start + end for start in LAST_STARTS for end in LAST_ENDS)
"""Names are put together, so that there are hundreds of each: a model must read them, it cannot learn them by heart."""
STREETS = """Alder Birch Cedar Dogwood Elm Fern Grove Hazel Ivy Juniper Laurel Maple Oak Pine Rowan Sycamore""".split()
CITIES = """Ashford Brookfield Clearwater Dunmore Eastport Fairview Glendale Harborton""".split()
APPS_WITH_LOGIN = ("music", "wallet", "shop", "mail", "phone", "notes", "files", "todo", "splits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody with an account in every app."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    first: str
    last: str
    email: str
    phone: str
    birthday: date
    address: str
    city: str
    relations: tuple[tuple[int, str], ...]
    """(person id, what they are to this person), symmetric except parent/child."""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    def related(self, relation: str) -> tuple[int, ...]:
        """Ids of the people who are this to the person."""
        return tuple(id for id, kind in self.relations if kind == relation)


def people(seed: int, count: int = 50) -> tuple[Person, ...]:
    """The people of a universe: first names are unique in it, so that an instruction can use them alone.

    Everyone has two or three roommates, a few coworkers and friends, a sibling, and a parent or a child.
    """
    rng = random.Random(derive(seed, "people"))
    firsts = rng.sample(FIRST, count)
    lasts = [rng.choice(LAST) for _ in range(count)]
    relations = _relations(rng, count)
    found = []
    for n, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        found.append(
            Person(
                id=n + 1,
                first=first,
                last=last,
                email=f"{first}.{last}@example.com".lower(),
                phone=f"555{rng.randrange(10**7):07d}",
                birthday=date(rng.randint(1955, 2004), rng.randint(1, 12), rng.randint(1, 28)),
                address=f"{rng.randint(1, 240)} {rng.choice(STREETS)} Street",
                city=rng.choice(CITIES),
                relations=tuple(sorted(relations[n + 1])),
            )
        )
    return tuple(found)


def _relations(rng: random.Random, count: int) -> dict[int, set[tuple[int, str]]]:
    found: dict[int, set[tuple[int, str]]] = {n: set() for n in range(1, count + 1)}
    taken: set[frozenset[int]] = set()

    def tie(a: int, b: int, to_a: str, to_b: str) -> None:
        if a != b and frozenset((a, b)) not in taken:
            taken.add(frozenset((a, b)))
            found[a].add((b, to_a))
            found[b].add((a, to_b))

    def circles(size: int, relation: str) -> None:
        order = rng.sample(range(1, count + 1), count)
        for start in range(0, count, size):
            circle = order[start : start + size]
            for i, a in enumerate(circle):
                for b in circle[i + 1 :]:
                    tie(a, b, relation, relation)

    circles(4, "roommate")
    circles(2, "sibling")
    order = rng.sample(range(1, count + 1), count)
    for parent, child in zip(order[::2], order[1::2], strict=False):
        tie(child, parent, "parent", "child")
    circles(5, "coworker")
    circles(6, "friend")
    return found


_WORDS = (
    "amber basil coral delta ember flint gamma hazel indigo jade kite lemon maple nova onyx pearl quartz ruby".split()
)


def password(universe: int, person: Person, app: str) -> str:
    """A person's password for an app: the same in every world of the universe."""
    rng = random.Random(derive(universe, "password", person.id, app))
    return f"{rng.choice(_WORDS)}-{rng.choice(_WORDS)}-{rng.randint(100, 999)}"
