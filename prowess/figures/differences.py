"""Is B better than A? The differences of two runs on the tasks that both played, each with its 95% interval.

**What is paired.** A task of one name, split and wording that both sides played. Each side's figure of it is the mean
over its runs. An episode that broke takes its counterpart, of the same task and run, out with it. So nothing that only
one of them played is in a difference, and what is hard for both is in none.

**What is independent.** The scenario, as in all figures (`intervals`). Where a side has several runs, what these differ
by as a whole widens the interval. With one run of each it tells of other tasks alone: another run, or another training,
may differ by more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from prowess.figures.intervals import Cell, Estimate, Table, gap, together
from prowess.figures.measure import Outcome

FEW = 6
"""With fewer scenarios no claim is made: even if all of them agreed, chance would do that in more than one of 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One measure of both sides, and what the second has more."""

    name: str
    before: float
    after: float
    gap: Estimate
    least: int = FEW
    """With fewer scenarios, or seeds, no claim is made."""

    @property
    def few(self) -> bool:
        """Whether it rests on too little for a claim."""
        return self.gap.n < self.least

    @property
    def sure(self) -> bool:
        """Whether it is beyond chance."""
        return not self.few and (self.gap.low > 0 or self.gap.high < 0)

    @property
    def relative(self) -> float:
        """What is more or less, as a share of what was before."""
        return self.gap.value / self.before if self.before else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two sides on one split."""

    split: str
    scenarios: int
    tasks: int
    """Those that both played."""
    alone: tuple[int, int]
    """Tasks that the first, and that the second side alone played."""
    reworded: int
    """Tasks that both have by name, but ask in other words: in no difference."""
    runs: tuple[int, int]
    differences: Mapping[str, Difference]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measure:
    """How a measure is read from an episode; None where it says nothing."""

    value: Callable[[Outcome], float | None]
    most: float = math.inf


MEASURES: Mapping[str, _Measure] = {
    "tgc": _Measure(value=lambda one: float(one.success), most=1.0),
    "reward": _Measure(value=lambda one: one.reward, most=1.0),
    "steps": _Measure(value=lambda one: float(one.turns)),
    "tokens": _Measure(value=lambda one: float(one.tokens)),
    "solved_steps": _Measure(value=lambda one: float(one.turns) if one.success else None),
    "solved_tokens": _Measure(value=lambda one: float(one.tokens) if one.success else None),
    "use_overall": _Measure(value=lambda one: float(one.used), most=1.0),
}
"""By the names of `Measures`. Of `solved_` the tasks that both sides solved."""


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> tuple[Comparison, ...]:
    """The second side less the first, split by split; nothing of a split in which they share no task."""
    found = []
    for split in dict.fromkeys(one.split for one in before):
        ours, theirs = ([one for one in side if one.split == split] for side in (before, after))
        if one := _compared(split, ours, theirs):
            found.append(one)
    return tuple(found)


def _compared(split: str, before: Sequence[Outcome], after: Sequence[Outcome]) -> Comparison | None:
    asked = [{_key(one) for one in side} for side in (before, after)]
    both = asked[0] & asked[1]
    graded = _graded(before, after)
    kept = [[one for one in side if _key(one) in both and (one.task, one.run) in graded] for side in (before, after)]
    names = [{task for task, _ in side} for side in asked]
    if not all(kept):
        return None
    found = {name: _difference(name, measure, *kept) for name, measure in MEASURES.items()}
    found = {"tgc": found.pop("tgc"), "sgc": _scenarios(*kept), **found}
    if not any(one.offered for side in kept for one in side):
        del found["use_overall"]
    return Comparison(
        split=split,
        scenarios=len({one.scenario for one in kept[0]} & {one.scenario for one in kept[1]}),
        tasks=len(both),
        alone=(len(names[0] - names[1]), len(names[1] - names[0])),
        reworded=len(names[0] & names[1]) - len(both),
        runs=(len({one.run for one in before}), len({one.run for one in after})),
        differences={name: one for name, one in found.items() if one.gap.n},
    )


def _key(one: Outcome) -> tuple[str, int]:
    return one.task, one.wording


def _graded(*sides: Iterable[Outcome]) -> set[tuple[str, int]]:
    """Tasks and runs that no side broke on."""
    known: set[tuple[str, int]] = set()
    broken: set[tuple[str, int]] = set()
    for side in sides:
        for one in side:
            (broken if one.broken else known).add((one.task, one.run))
    return known - broken


def _difference(name: str, measure: _Measure, before: Sequence[Outcome], after: Sequence[Outcome]) -> Difference:
    """A measure of episodes: each task's mean over the runs of a side, beside that of the other side."""
    sides = []
    for side in (before, after):
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        table: dict[int, dict[str, Cell]] = defaultdict(dict)
        for one in side:
            if (value := measure.value(one)) is not None:
                values[one.scenario, one.task].append(value)
                _add(table[one.run], one.scenario, value)
        sides.append((values, table))
    return _of(name, *sides, most=measure.most)


def _scenarios(before: Sequence[Outcome], after: Sequence[Outcome]) -> Difference:
    """Scenarios solved: a run solves one if it solves all tasks that both sides played of it."""
    whole: dict[str, set[str]] = defaultdict(set)
    for one in before:
        whole[one.scenario].add(one.task)
    sides = []
    for side in (before, after):
        solved: dict[tuple[int, str], dict[str, bool]] = defaultdict(dict)
        for one in side:
            solved[one.run, one.scenario][one.task] = one.success
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        table: dict[int, dict[str, Cell]] = defaultdict(dict)
        for (run, scenario), tasks in solved.items():
            if tasks.keys() == whole[scenario]:
                value = float(all(tasks.values()))
                values[scenario, ""].append(value)
                _add(table[run], scenario, value)
        sides.append((values, table))
    return _of("sgc", *sides, most=1.0)


_Side = tuple[Mapping[tuple[str, str], Sequence[float]], Table]
"""The values by scenario and task, over all runs, and the same as a table by run."""


def _of(name: str, before: _Side, after: _Side, *, most: float) -> Difference:
    both = [key for key in before[0] if key in after[0]]
    means = [[fmean(side[0][key]) for key in both] for side in (before, after)]
    pairs: dict[str, Cell] = {}
    for (scenario, _), first, second in zip(both, *means, strict=True):
        _add(pairs, scenario, second - first)
    found = gap(pairs, together(before[1]).and_also(together(after[1])), most=most)
    ends = [fmean(each) if each else math.nan for each in means]
    return Difference(name=name, before=ends[0], after=ends[1], gap=found)


def _add(row: dict[str, Cell], scenario: str, value: float) -> None:
    cell = row.get(scenario, Cell(n=0, sum=0.0))
    row[scenario] = Cell(n=cell.n + 1, sum=cell.sum + value)
