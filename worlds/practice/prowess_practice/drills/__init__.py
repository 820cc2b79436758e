"""Drills: hundreds of short things to do, made from a table of listings, for training alone.

The families of `train` are some dozens, and a model that imitates them learns their programs by heart. A drill is a
family like the others, but made: of a listing an app has (`listings`), conditions on its rows (`conditions`) and a
shape of task (`shapes`: count, name, sort, add up, find the greatest or most frequent, act on each, carry elsewhere).
Its solution is its own program, played on the tables, so a drill cannot check a program written by somebody else
against another way, as families can.

No drill gives away a family of dev or test: one that asks or writes down never calls the same APIs as a family does,
one that acts on rows may, but only to set other arguments. None touches the apps kept for test_challenge.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, product
from typing import Any

from prowess_desk.engine.family import Family, by_name, source_of
from prowess_desk.expert.needs import SHARED
from prowess_desk.families import FAMILIES
from prowess_desk.families.toolbox import TOOLBOX

from prowess_practice.drills.listings import LISTINGS
from prowess_practice.drills.shapes import drills_of

_API = re.compile(r"\bapis\.(\w+)\.(\w+)")


@cache
def drills() -> Mapping[str, Family]:
    """Every drill, by name."""
    return by_name(harmless(chain.from_iterable(map(drills_of, LISTINGS))))


def harmless(made: Iterable[Family]) -> Iterator[Family]:
    """Those that give no family away from which nothing may be learnt."""
    alike: dict[tuple[bool, frozenset[str]], list[Family]] = defaultdict(list)
    for family, shared in product((one for one in FAMILIES.values() if one.split != "train"), (True, False)):
        alike[shared, _apis(family, shared=shared)].append(family)
    for drill in made:
        taken = (family for shared in (True, False) for family in alike.get((shared, _apis(drill, shared=shared)), ()))
        if not any(_gives_away(drill, family) for family in taken):
            yield drill


def _gives_away(drill: Family, family: Family) -> bool:
    """Whether a drill is too much like a family that nothing may be learnt from and that calls the same APIs."""
    return drill.asks or len(drill.apps) > 1 or _calls(drill) <= _calls(family)


@cache
def _apis(family: Family, *, shared: bool = True) -> frozenset[str]:
    """What a program calls, also through the functions that programs share."""
    own = "\n\n\n".join(map(source_of, family.program.functions))
    return _named(own).union(*(_named(source_of(one)) for one in _shared(own) if shared))


def _shared(source: str) -> list[Callable[..., Any]]:
    return [function for name, function in TOOLBOX.items() if f"{name}(" in source and name not in SHARED]


def _named(source: str) -> frozenset[str]:
    """What a program of desk's names, always in full; a syntax tree of each of ten thousand would take seconds."""
    return frozenset(f"{app}.{api}" for app, api in _API.findall(source))


def _calls(family: Family) -> frozenset[str]:
    """The calls that a program makes itself, with the names of their arguments; pages are turned by another."""
    return frozenset(
        f"{ast.unparse(node.func)} {sorted(str(given.arg) for given in node.keywords)}"
        for function in family.program.functions
        for node in ast.walk(ast.parse(source_of(function)))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("apis.")
    )
