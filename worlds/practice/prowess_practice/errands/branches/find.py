"""Something that is looked for before it is used, and how a program looks for it."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.errands.branches.deeds import deed
from prowess_practice.errands.branches.draws import KINDS, Choice, words
from prowess_practice.errands.branches.part import Deed
from prowess_practice.errands.people.plan import Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Something that is used if it is there."""

    deed: Deed
    """Its code has MISSING where the thing was not there."""
    gap: str
    """Says that it was not: `that note was missing`."""
    test: tuple[str, str]
    """What decides, and its contrary."""


_FOUND = ("if found is None:", "if found is not None:")


def find(
    word: str,
    apps: str,
    says: str,
    gap: str,
    code: str,
    *slots: Slot,
    test: tuple[str, str] = _FOUND,
    pays: bool = False,
) -> Find:
    """Something to look for, in short."""
    return Find(deed=deed(word, apps, says, code, *slots, pays=pays), gap=gap, test=test)


def maybe(name: str, there: Choice, others: Choice | str) -> Slot:
    """A slot for something that is as often there as not."""
    fresh = words(name, others).choose if isinstance(others, str) else others
    return Slot(name=name, kind=str, choose=lambda draw: (there if draw.rng.random() < 0.5 else fresh)(draw))


def sought(kind: str, slot: str, name: str) -> str:
    """Two lines that look for a thing by its name, with None where there is none."""
    one = KINDS[kind]
    query = f", query={slot}" if one.query else ""
    key = f'one["{one.key}"] == {slot}'
    return f"{one.rows} = {one.listed(query)}\n{name} = next((one for one in {one.rows} if {key}), None)\n"
