"""Figures of single things: each row has one of its own, often found by looking into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.reports.parts import FigureTable, Rows
from prowess_practice.errands.transfers.parts import RowPool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingFigure:
    """What is worked out for one thing."""

    word: str
    says: str
    """`the number of its songs`"""
    code: str
    """On `ROW` and what `inner` gives."""
    inner: str = ""
    """Lines in the loop over the things, without their indent."""
    before: str = ""
    """Lines before the things are read."""
    app: str = ""
    """Where these look, if not in the app of the things."""
    kind: str = "int"
    signed: bool = False
    edit: tuple[str, str] = ("", "")
    test: str = ""
    """Things that have no such figure fail this."""
    left: str = ""
    """The sentence on them."""

    @property
    def enters(self) -> tuple[str, ...]:
        """The other app, if one has to log in to it."""
        used = f"{self.app}_token" in f"{self.before}{self.inner}{self.code}"
        return (self.app,) if self.app and used else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Things of one kind, by name."""

    pool: RowPool
    name: str
    """On `ROW`."""
    called: str
    """`its title`"""
    looks: tuple[ThingFigure, ...]
    hint: str = ""

    def tables(self, turn: int) -> Iterator[FigureTable]:
        """One for each look, with conditions in turn."""
        for n, look in enumerate(self.looks):
            fitting = [one for one in self.pool.conditions if not one.word.startswith(("by_", "with_", "in_month"))]
            choices: list[tuple[Condition, ...]] = [(), *((one,) for one in fitting)]
            yield self.table(look, choices[(turn + n) % len(choices)])

    def table(self, look: ThingFigure, conditions: tuple[Condition, ...] = ()) -> FigureTable:
        rows = Rows(pools=(self.pool,), conditions=conditions)
        row = self.pool.row
        inner = "".join(f"        {line}\n" for line in look.inner.replace("ROW", row).splitlines())
        guard = f"        if {look.test.replace('ROW', row)}:\n    " if look.test else ""
        step = f"figures[{self.name.replace('ROW', row)}] = {look.code.replace('ROW', row)}"
        further = (look.app,) if look.app else ()
        old, new = (part.replace("ROW", row) for part in look.edit)
        return FigureTable(
            word=f"{look.word}_of_{rows.word}",
            rows=rows,
            apps=tuple(dict.fromkeys((*rows.apps, *further))),
            code=(
                f"{rows.reading(look.before, look.enters)}    figures: dict = {{}}\n"
                f"    for {row} in {rows.found}:\n{inner}{guard}        {step}\n"
            ),
            per="each of them",
            each=f"each {rows.one}",
            subject=rows.many,
            lead=f"Take {rows.many}. For each one, work out {look.says}.",
            name=self.called,
            says=look.says,
            about=f"for {rows.every} {look.says.replace('between us', 'between the two')}",
            hint=" ".join(part for part in (self.hint, look.left) if part),
            kind=look.kind,
            signed=look.signed,
            adds=look.says.startswith(("the number of its", "the number of done", "the sum")),
            matters=((old, new),) if old else (),
            alone=not look.test,
        )
