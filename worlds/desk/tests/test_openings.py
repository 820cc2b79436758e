"""Openings find whom an instruction is of, as asking everybody would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from prowess_desk.engine.case import case_of
from prowess_desk.engine.family import Family, Values
from prowess_desk.expert import expert
from prowess_desk.expert.openings import openings
from prowess_desk.families import FAMILIES

SOME = tuple(FAMILIES.values())[:40]


def asked(families: tuple[Family, ...], instruction: str) -> list[tuple[Family, Values]]:
    """Everybody is asked."""
    return [(family, values) for family in families if (values := family.read(instruction)) is not None]


def test_what_is_said_is_read_by_the_same_families_as_if_all_were_asked() -> None:
    known = openings(SOME)
    for family in SOME:
        case = case_of(family, 5, 6, 0)
        for wording in range(len(family.wordings)):
            said = family.say(case.values, wording)
            found = known.readings(said)
            assert found and found == asked(SOME, said), said


def test_wordings_that_begin_with_a_value_or_like_each_other_are_found_in_their_order() -> None:
    one = next(family for family in SOME if len(family.slots) == 1)
    (slot,) = one.slots
    bare, short, long = (
        replace(one, name=name, wordings=(text,))
        for name, text in (
            ("bare", f"{{{slot}}} it is"),
            ("short", f"Take {{{slot}}} it is"),
            ("long", f"Take a {{{slot}}} it is"),
        )
    )
    value = case_of(one, 5, 6, 0).values
    said = long.say(value, 0)
    families = (long, bare, short)
    names = [family.name for family, _ in openings(families).readings(said)]
    assert names == [family.name for family, _ in asked(families, said)]
    assert names[0] == "long"
    assert openings(families).readings("") == openings(families).readings("Tak") == []


def test_a_family_is_understood_before_drills_and_errands_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def made() -> Mapping[str, Family]:
        raise AssertionError("made for nothing")

    monkeypatch.setattr(expert, "drills", made)
    monkeypatch.setattr(expert, "errands", made)
    for kept in (expert._understood, expert._drills, expert._errands):
        kept.cache_clear()
    said = SOME[0].say(case_of(SOME[0], 5, 6, 0).values, 0)
    assert [family.name for family, _ in expert._understood(said)] == [SOME[0].name]
