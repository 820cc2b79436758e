"""Which rows are meant, by their days: how a task says it, how a program finds them, which values make sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from prowess_practice.errands.calendars.source import WIDTH, Source

Rows = Sequence[Mapping[str, Any]]
Picking = Callable[[Random, Source, Rows], Mapping[str, Any] | None]
"""Values for the slots, out of the rows; None where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Some of the rows, by time."""

    word: str
    says: str
    """A relative clause, CLAUSE standing for `that were sent`."""
    about: str
    """As a docstring says it: `of a month`."""
    test: str = ""
    """On ROW, with DAY, MOMENT and NAME."""
    before: str = ""
    """Lines before, once the rows are read."""
    code: str = ""
    """Lines that give `found` where no test does."""
    drop: tuple[str, str] | None = None
    """An edit that must matter, where it is not the test."""
    parts: tuple[str, ...] = ()
    """Tests that it is made of."""
    slots: Mapping[str, type] = field(default_factory=dict)
    pick: Picking = lambda rng, source, rows: {}
    apps: tuple[str, ...] = ()
    """Apps that are asked besides."""
    other: str = ""
    """The word of another source whose days are compared with."""
    lean: str = ""
    """How the rows lie to the days of the others: `same`, `next`, `after` or `before`."""
    days: str = ""
    """The source of a function that gives the days of the others."""
    fits: Callable[[Source], bool] = lambda source: True

    def lines(self, source: Source) -> str:
        """The lines that leave the rows meant in `found`."""
        if self.code:
            return source.put(self.before + self.code)
        row, test = source.row, source.put(self.test)
        line = f"    found = [{row} for {row} in {source.rows} if {test}]\n"
        if len(line) > WIDTH:
            line = f"    found = []\n    for {row} in {source.rows}:\n        if {test}:\n"
            line += f"            found.append({row})\n"
        return source.put(self.before) + line

    def matters(self, source: Source) -> tuple[tuple[str, str], ...]:
        """Edits that leave the choice out, or a part of it."""
        if self.drop:
            return ((source.put(self.drop[0]), source.put(self.drop[1])),)
        if self.parts:
            return tuple((source.put(part), "True") for part in self.parts)
        return ((source.put(f"if {self.test}"), "if True"),)


def both(simple: Choice, tie: Choice) -> Choice:
    """Rows that two choices mean, of which the second says how they lie to others."""
    return Choice(
        word=f"{simple.word}_{tie.word}",
        says=f"{simple.says} and {tie.says.removeprefix('CLAUSE ')}",
        about=f"{simple.about} and {tie.about.removeprefix('DID ')}",
        test=f"{simple.test} and {tie.test}",
        before=simple.before + tie.before,
        parts=(simple.test, tie.test),
        slots=simple.slots,
        pick=simple.pick,
        apps=tie.apps,
        other=tie.other,
        lean=tie.lean,
        days=tie.days,
        fits=lambda source: simple.fits(source) and tie.fits(source),
    )
