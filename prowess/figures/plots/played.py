"""Plots of what was played: tasks solved, what the library saves, how it grows, and recipes over seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from prowess.figures.differences import Difference
from prowess.figures.intervals import Estimate
from prowess.figures.measure import ChainPosition, Measures
from prowess.figures.plots.drawing import (
    PERCENT,
    Axis,
    Bar,
    Dot,
    Label,
    Marks,
    Panel,
    Plot,
    Whisker,
    axis,
    legend_of,
    short,
    thinned,
)

SOLVED = (("tgc", "Tasks solved (TGC)"), ("sgc", "Scenarios solved (SGC)"))
PLACES = (
    ("steps", "Steps per task", 1),
    ("tokens", "Tokens per task", 1),
    ("use_overall", "Tasks that used a skill", 100),
)
SEEDS = (
    *((name, title, 100) for name, title in SOLVED),
    ("use", "Skill use when offered", 100),
    ("tokens", "Tokens per task", 1),
)
GAPS = (
    ("tgc", "Tasks solved: more of 100", 100),
    ("sgc", "Scenarios solved: more of 100", 100),
    ("tokens", "Tokens per task: more", 1),
)
FAINT = 8
"""Repetitions of one run that are drawn, each as a faint line."""


def solved(runs: Mapping[str, Sequence[Measures]], split: str) -> Plot:
    """TGC and SGC of a split, whole and by difficulty, a bar for each run that has played it."""
    shown = [run for run, rows in runs.items() if any(row.split == split for row in rows)]
    found = {row.difficulty or 0 for rows in runs.values() for row in rows if row.split == split}
    levels: list[int | None] = [None, *sorted(found - {0})]
    names = ["all"] + [f"difficulty {level}" for level in levels[1:]]
    places = Axis(low=-0.6, high=len(levels) - 0.4, ticks=tuple((float(n), name) for n, name in enumerate(names)))
    width = min(0.8 / max(len(shown), 1), 0.42)
    panels = []
    for name, title in SOLVED:
        marks = []
        for colour, (run, rows) in enumerate(runs.items()):
            if run in shown:
                shift = (shown.index(run) - (len(shown) - 1) / 2) * width
                bars = [(n + shift, _at(rows, split, level, name)) for n, level in enumerate(levels)]
                others = [
                    mark for x, one in bars for mark in _bar(x, one, width, run, told=len(shown) * len(levels) <= 8)
                ]
                marks.append(Marks(colour=colour, others=tuple(others)))
        y = Axis(low=0, high=112, ticks=PERCENT.ticks)
        panels.append(Panel(title=title, x=places, y=y, marks=tuple(marks)))
    return Plot(panels=tuple(panels), runs=legend_of(shown, runs))


def _bar(x: float, found: Estimate, width: float, run: str, *, told: bool) -> Iterable[Bar | Whisker | Label]:
    if math.isnan(found.value):
        return
    value, known = 100 * found.value, not math.isnan(found.low)
    interval = f", 95% interval {100 * found.low:.1f} to {100 * found.high:.1f}" if known else ""
    yield Bar(at=x, value=value, width=width * 0.92, hint=f"{run}: {value:.1f}%{interval}")
    if known:
        yield Whisker(x=x, low=100 * found.low, high=100 * found.high, ink=True)
    if told:
        yield Label(x=x, y=100 * found.high if known else value, text=f"{value:.0f}")


def places(runs: Mapping[str, Sequence[ChainPosition]]) -> Plot:
    """Steps, tokens and skill use by the task's place in its scenario: what the library saves."""
    shown = [run for run, found in runs.items() if found]
    numbers = sorted({one.place for found in runs.values() for one in found}) or [1]
    few = numbers if len(numbers) <= 6 else numbers[:: math.ceil(len(numbers) / 6)]
    x = Axis(
        low=numbers[0] - 0.4,
        high=numbers[-1] + 0.4,
        ticks=tuple((float(n), _ordinal(n)) for n in few),
        label="task of the scenario",
    )
    panels = []
    for name, title, scale in PLACES:
        marks = []
        for colour, (run, found) in enumerate(runs.items()):
            if run in shown:
                shift = 0.05 * (shown.index(run) - (len(shown) - 1) / 2)  # so that whiskers stand side by side
                marks.append(_line([(one.place + shift, getattr(one, name)) for one in found], colour, scale))
        panels.append(Panel(title=title, x=x, y=PERCENT if scale == 100 else from_zero(marks), marks=tuple(marks)))
    return Plot(panels=tuple(panels), runs=legend_of(shown, runs))


def _line(found: Sequence[tuple[float, Estimate]], colour: int, scale: float) -> Marks:
    seen = [(x, one) for x, one in found if not math.isnan(one.value)]
    others: list[Dot | Whisker] = [Dot(x=x, y=scale * one.value, hint=f"{scale * one.value:.1f}") for x, one in seen]
    others += [Whisker(x=x, low=scale * one.low, high=scale * one.high) for x, one in seen if not math.isnan(one.low)]
    return Marks(colour=colour, points=tuple((x, scale * one.value) for x, one in seen), others=tuple(others))


def growth(runs: Mapping[str, Mapping[int, Sequence[int]]]) -> Plot:
    """Skills in the library against tasks played: a faint line per repetition, a strong one for their mean."""
    marks = []
    for colour, curves in enumerate(runs.values()):
        for curve in list(curves.values())[:FAINT] if len(curves) > 1 else ():
            marks.append(Marks(colour=colour, points=_counted(curve), pale=True))
        longest = max(map(len, curves.values()), default=0)
        means = [fmean(curve[n] for curve in curves.values() if n < len(curve)) for n in range(longest)]
        if means:
            marks.append(Marks(colour=colour, points=_counted(means)))
    ends = [float(len(curve)) for curves in runs.values() for curve in curves.values()]
    x = axis([0.0, *ends], label="tasks played", zero=True, whole=True)
    panel = Panel(title="Skills in the library", x=x, y=from_zero(marks), marks=tuple(marks))
    return Plot(panels=(panel,), runs=legend_of([run for run, curves in runs.items() if curves], runs))


def _counted(curve: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return thinned([(float(n), float(value)) for n, value in enumerate([0, *curve])])


def seeds(runs: Mapping[str, Sequence[Measures]]) -> Plot:
    """What recipes come to over several seeds: a dot for each seed, a bar for their mean."""
    panels = []
    for name, title, scale in SEEDS:
        marks = []
        for place, (run, rows) in enumerate(runs.items()):
            found = [scale * getattr(row, name).value for row in rows]
            found = [value for value in found if not math.isnan(value)]
            others: list[Bar | Dot | Label] = [Label(x=0, y=place - 0.27, text=short(run), anchor="start")]
            if found:
                shown = f"{fmean(found):,.1f}" + ("%" if scale == 100 else "")
                others.append(Bar(at=place + 0.1, value=fmean(found), width=0.5, flat=True, hint=f"{run}: {shown}"))
                others += [Dot(x=value, y=place + 0.1, kind="ring", hint=f"{value:,.1f}") for value in found]
            marks.append(Marks(colour=place, others=tuple(others)))
        values = [dot.x for one in marks for dot in one.others if isinstance(dot, Dot)]
        x = PERCENT if scale == 100 else axis([0.0, *values], zero=True)
        x = Axis(low=0, high=x.high, ticks=x.ticks)
        y = Axis(low=len(runs) - 0.4, high=-0.6, ticks=())
        panels.append(Panel(title=title, x=x, y=y, marks=tuple(marks), height=90 + 44 * len(runs)))
    return Plot(panels=tuple(panels))


def gaps(
    pairs: Mapping[str, Mapping[str, Difference]],
    each: Mapping[str, Mapping[str, Sequence[float]]],
    colours: Sequence[int],
) -> Plot:
    """Differences, a line for each pair of recipes: its 95% interval, a stroke for the mean, a ring for each seed. A
    pale line is zero."""
    panels = []
    for name, title, scale in GAPS:
        x = axis([0.0, *(scale * value for found in pairs.values() if name in found for value in _ends(found[name]))])
        marks = [Marks(colour=0, points=((0.0, -0.6), (0.0, len(pairs) - 0.4)), pale=True)]
        for place, (pair, found) in enumerate(pairs.items()):
            at = place + 0.12
            others: list[Dot | Whisker | Label] = [Label(x=x.low, y=place - 0.24, text=short(pair, 40), anchor="start")]
            line: tuple[tuple[float, float], ...] = ()
            if name in found:
                low, value, high = (scale * end for end in _ends(found[name]))
                rings = [scale * one for one in each[pair].get(name, ())]
                others += [Dot(x=one, y=at, kind="ring", hint=f"one seed: {one:+,.1f}") for one in rings]
                others.append(Whisker(x=value, low=at - 0.17, high=at + 0.17, ink=True))
                line = () if math.isnan(low) else ((low, at), (high, at))
            marks.append(Marks(colour=colours[place], points=line, others=tuple(others)))
        y = Axis(low=len(pairs) - 0.4, high=-0.6, ticks=())
        panels.append(Panel(title=title, x=x, y=y, marks=tuple(marks), height=90 + 44 * len(pairs)))
    return Plot(panels=tuple(panels))


def _ends(one: Difference) -> tuple[float, float, float]:
    return one.gap.low, one.gap.value, one.gap.high


def from_zero(marks: Iterable[Marks]) -> Axis:
    """From zero, so that a saving looks as large as it is."""
    found = [0.0]
    for one in marks:
        found += [y for part in (one.points, one.low, one.high) for _, y in part]
        found += [mark.high for mark in one.others if isinstance(mark, Whisker)]
        found += [mark.y for mark in one.others if isinstance(mark, Dot)]
        found += [mark.value for mark in one.others if isinstance(mark, Bar)]
    return axis(found, zero=True)


def _at(rows: Sequence[Measures], split: str, level: int | None, name: str) -> Estimate:
    for row in rows:
        if row.split == split and row.difficulty == level:
            found: Estimate = getattr(row, name)
            return found
    return Estimate(value=math.nan, low=math.nan, high=math.nan, sd=math.nan, n=0)


def _ordinal(n: int) -> str:
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
