"""Errands: things to do of two or three stages, made of tables like drills, but longer than they.

Drills read one listing; families of `train` are hard, each in its own way. Between them lies what most tasks are: rows
lead to something else, in the same app or another, and that is acted on or asked for. Each package beside has one way
in which they do: what lies in things (`containers`), the people behind rows (`people`), texts that say what is to be
done (`lines`), rows of one listing that lead to rows of another (`transfers`), new values that are worked out
(`edits`), what is found decides what is done (`branches`), figures in an exact form (`reports`), questions
(`questions`), days and times (`calendars`), exact texts that are drawn anew (`forms`),
texts that are read apart first (`apart`). `both` makes one of two.

Like a drill, an errand is solved by its own program and is for training alone. Whoever wrote them saw no family of dev
or test, and what calls the same APIs as one of these is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain

from prowess_desk.engine.family import Family, by_name

from prowess_practice.drills import harmless
from prowess_practice.errands import (
    apart,
    both,
    branches,
    calendars,
    containers,
    edits,
    forms,
    lines,
    people,
    questions,
    reports,
    transfers,
)
from prowess_practice.errands.errand import Errand, family_of
from prowess_practice.errands.naming import renamed


@cache
def errands() -> Mapping[str, Family]:
    """Every errand, by name."""
    return by_name(_single().values(), harmless(map(family_of, pairs())))


@cache
def every() -> tuple[Errand, ...]:
    """All that the tables make."""
    packages = (containers, people, lines, transfers, edits, branches, reports, questions, calendars, forms, apart)
    return tuple(map(renamed, chain.from_iterable(package.made() for package in packages)))


@cache
def pairs() -> tuple[Errand, ...]:
    """Two in one, of those that are neither left out nor kept."""
    left = {name for name, family in _single().items() if not family.kept}
    return tuple(both.made(errand for errand in every() if errand.name in left))


@cache
def _single() -> Mapping[str, Family]:
    return by_name(harmless(map(family_of, every())))
