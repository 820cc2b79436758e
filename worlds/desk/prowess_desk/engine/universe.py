"""A universe: fifty people and everything their apps hold, generated once from a seed and never written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from prowess_desk.data import files, mail, music, notes, phone, shop, splits, todo, wallet
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, Origin, State

NOW = datetime(2025, 5, 18, 12, 0)
"""When every task is played: a Sunday noon."""

GENERATORS = (music, wallet, shop, mail, phone, notes, files, todo, splits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Universe:
    """The shared start of every world with this seed."""

    seed: int
    people: tuple[Person, ...]
    origin: Origin

    def state(self) -> State:
        """A state of its own over the shared rows."""
        return State(self.origin)


@lru_cache(maxsize=128)
def universe(seed: int) -> Universe:
    """The universe with this seed, generated at its first use."""
    everyone = people(seed)
    bases = [Base(Person, everyone), *(base for app in GENERATORS for base in app.generate(seed, everyone, NOW))]
    return Universe(seed=seed, people=everyone, origin=Origin({base.kind: base for base in bases}, NOW))
