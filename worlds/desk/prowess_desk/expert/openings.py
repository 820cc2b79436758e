"""Whose an instruction is, among thousands of families: only those with a wording that begins as it does are asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prowess_desk.engine.family import Family, Values, opening


@dataclass(frozen=True, slots=True)
class Openings:
    """Families by how their wordings begin: the text before the first slot."""

    families: tuple[Family, ...]
    numbers: Mapping[str, tuple[int, ...]]
    """Which families have a wording that begins so."""
    lengths: tuple[int, ...]
    """How long these beginnings are, each once."""

    def readings(self, instruction: str) -> list[tuple[Family, Values]]:
        """The families that an instruction may be of, in their order, with the values it gives."""
        alike = {number for length in self.lengths for number in self.numbers.get(instruction[:length], ())}
        asked = [self.families[number] for number in sorted(alike)]
        return [(family, values) for family in asked if (values := family.read(instruction)) is not None]


def openings(families: Iterable[Family]) -> Openings:
    """Families, to be found by what an instruction begins with."""
    all_of_them = tuple(families)
    numbers: dict[str, dict[int, None]] = defaultdict(dict)
    for number, family in enumerate(all_of_them):
        for wording in family.wordings:
            numbers[opening(wording)][number] = None
    return Openings(
        families=all_of_them,
        numbers={text: tuple(found) for text, found in numbers.items()},
        lengths=tuple(sorted({len(text) for text in numbers})),
    )
