"""Drills: hundreds of short things to do, made from a table of listings, for training alone.

The families of `train` are some dozens, and a model that imitates them learns their programs by heart. A drill is a
family like the others, but made: of a listing an app has (`listings`), conditions on its rows (`conditions`) and a
shape of task (`shapes`: count, name, add up, find the greatest, act on each). Its solution is its own program, played
on the tables, so a drill cannot check a program written by somebody else against another way, as families can.

No drill calls the same APIs as a family of dev or test does, and none touches the apps kept for test_challenge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from opensage.skills.extract import apis_in
from opensage.worlds.desk.drills.listings import LISTINGS
from opensage.worlds.desk.drills.shapes import drills_of
from opensage.worlds.desk.families import FAMILIES
from opensage.worlds.desk.family import Family, by_name, source_of


@cache
def drills() -> Mapping[str, Family]:
    """Every drill, by name."""
    taken = {_apis(family) for family in FAMILIES.values() if family.split != "train"}
    return by_name(_fresh(taken))


def _fresh(taken: set[frozenset[str]]) -> Iterator[Family]:
    for listing in LISTINGS:
        for drill in drills_of(listing):
            if _apis(drill) not in taken:
                yield drill


def _apis(family: Family) -> frozenset[str]:
    return frozenset(api for function in family.program.functions for api in apis_in(source_of(function)))
