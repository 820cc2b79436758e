"""One errand on containers before its values are drawn: what is judged by what, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.exports import Export
from prowess_practice.drills.listing import Measure
from prowess_practice.errands.containers.judges import Best, Judge
from prowess_practice.errands.containers.parts import ContainerDeed, ContainerFilter, ContainerKind, Inside

ASKS = ("count", "names", "sum", "rows", "best", "number", "extreme")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerShape:
    """One errand on containers."""

    kind: ContainerKind
    inside: Inside
    by: Judge | Best
    ending: str
    """What comes of the containers that pass: `count`, `names`, `sum` (over their rows), `rows` (the names of their
    rows), `act` (on them), `inner` (act on their rows), `export` (their names) or `report` (with numbers). What comes
    of the first: `best` (its name), `number` (of its rows), `extreme` (one of its rows), `act` or `inner`."""
    condition: Condition | None = None
    filter: ContainerFilter | None = None
    measure: Measure | None = None
    """What is added up or compared on rows."""
    deed: ContainerDeed | None = None
    scope: str = ""
    """Which rows are acted on: `fitting`, `all` or `other`."""
    export: Export | None = None

    @property
    def asks(self) -> bool:
        """Whether an answer is asked for, and nothing done."""
        return self.ending in ASKS

    @property
    def judge(self) -> Judge | None:
        return self.by if isinstance(self.by, Judge) else None

    @property
    def best(self) -> Best | None:
        return self.by if isinstance(self.by, Best) else None

    @property
    def money(self) -> bool:
        """Whether what is measured is an amount."""
        return self.measure is not None and self.measure.field == "amount"

    @property
    def summed(self) -> bool:
        """Whether numbers are given as sums, not as counts."""
        return self.by.sums

    @property
    def name(self) -> str:
        """Of the function."""
        inner = f"{self.inside.word}_{self.condition.word}" if self.condition else self.inside.word
        where = f"{self.kind.word}_{self.by.word}_{inner}"
        field = self.measure.field if self.measure else ""
        deed = self.deed.word if self.deed else ""
        start = {
            "count": "count",
            "names": "list",
            "sum": f"sum_{field}_in",
            "rows": f"list_{self.inside.word}_of",
            "act": deed,
            "inner": f"{deed}_{self.scope}_{self.inside.word}_of",
            "export": f"{self.export.word if self.export else ''}_of",
            "report": f"report_in_{self.export.word if self.export else ''}_on",
            "best": "name",
            "number": "measure",
            "extreme": f"name_{field}_in",
        }[self.ending]
        used = self.by.sums and self.ending not in ("sum", "extreme")
        return "_".join([start, where, *([field] if used else []), *([self.filter.word] if self.filter else [])])

    @property
    def slots(self) -> dict[str, type]:
        """What the function takes."""
        found: dict[str, type] = {}
        for one in (self.filter.condition if self.filter else None, self.condition):
            if one and one.slot:
                found[one.slot] = one.kind
        if self.judge and self.judge.slot:
            found[self.judge.slot] = float if self.judge.sums and self.money else self.judge.kind
        if self.deed and self.deed.slot:
            found[self.deed.slot] = self.deed.kind
        if self.export and self.export.slot:
            found[self.export.slot] = str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        """Every app that is asked."""
        parts = (self.filter.condition if self.filter else None, self.condition, self.deed, self.export)
        others = [one.app for one in parts if one and one.app]
        return tuple(dict.fromkeys((self.kind.app, *self.inside.apps, *others)))

    @property
    def sound(self) -> bool:
        """Whether the parts go together."""
        given = [one.slot for one in (self.filter.condition if self.filter else None, self.condition) if one]
        given += [one.slot for one in (self.judge, self.deed, self.export) if one]
        slots = [slot for slot in given if slot]
        skips = self.deed.skip.prelude if self.deed and self.deed.skip else ""
        field = f'"{self.measure.field}"' if self.measure else ""
        return (
            0 < len(slots) == len({*slots})
            and not {self.kind.row, self.inside.row, self.inside.rows} & {*slots}
            and (not skips or self.condition is None or skips not in self.condition.prelude)
            and not (self.ending == "extreme" and self.condition and field in self.condition.code)
            and bool(self.condition or self.inside.whole)
            and bool(self.condition or self.judge is None or self.judge.bare)
            and (not self.by.sums or (self.measure is not None and bool(self.measure.sum)))
            and (not self.by.dates or bool(self.inside.dated and self._undated))
            and not (self.condition and self.condition.coarse and self._counts)
            and (self.kind.few or self.by.word != "fewest")
            and not (self.kind.tiny and self.ending == "count")
            and not (self.inside.small and self.ending == "number" and not self.summed)
            and {*slots} not in ({"kind"}, {"direction"})
            and self._scoped
        )

    @property
    def _counts(self) -> bool:
        """Whether it takes several fitting rows in one container."""
        if self.best:
            return not self.best.dates
        return self.by.word in ("with_only", "with_enough", "with_few", "with_mostly")

    @property
    def _undated(self) -> bool:
        """Whether nothing is said about days yet."""
        return self.condition is None or f'"{self.inside.dated}"' not in self.condition.code

    @property
    def _scoped(self) -> bool:
        """Whether it makes a difference which rows are acted on, and that their container passed."""
        if self.ending == "rows" and self.judge:
            return self.judge.more
        if self.ending in ("sum", "report") and self.judge:
            return self.judge.some and not self.judge.dates
        if self.ending != "inner" or self.deed is None:
            return True
        if self.deed.ordered and self.judge:
            return False
        if self.scope != "all" and self.condition is None:
            return False
        if self.judge and self.scope == "fitting":
            return self.judge.more
        return self.judge is None or self.scope == "all" or (self.judge.some and self.judge.word != "with_only")
