"""Plots of what was played: tasks solved, what the library saves, how it grows, and recipes over seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prowess.figures.intervals import Estimate
from prowess.figures.measure import ChainPosition, Measures
from prowess.figures.plots.page import colours_of, figure, legend, png, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def solved(runs: Mapping[str, Sequence[Measures]], split: str) -> bytes:
    """TGC and SGC of a split, whole and by difficulty, a bar for each run that has played it."""
    colours = colours_of(runs)
    runs = {run: rows for run, rows in runs.items() if any(row.split == split for row in rows)}
    found = {row.difficulty or 0 for rows in runs.values() for row in rows if row.split == split}
    levels: list[int | None] = [None, *sorted(found - {0})]
    with figure(columns=2, height=3.5) as page:
        for axes, name, title in zip(
            page.axes, ("tgc", "sgc"), ("Tasks solved (TGC)", "Scenarios solved (SGC)"), strict=True
        ):
            bars = {run: [_at(rows, split, level, name) for level in levels] for run, rows in runs.items()}
            _bars(axes, bars, colours, scale=100)
            axes.set_title(title)
            axes.set_ylim(0, 112)
            axes.set_yticks(range(0, 101, 20), [f"{n}%" for n in range(0, 101, 20)])
            names = ["all"] + [f"difficulty {level}" for level in levels[1:]]
            axes.set_xticks(range(len(levels)), names)
        legend(page, runs, colours)
        return png(page)


def places(runs: Mapping[str, Sequence[ChainPosition]]) -> bytes:
    """Steps, tokens and skill use by the task's place in its scenario: what the library saves."""
    panels = (
        ("steps", "Steps per task", 1),
        ("tokens", "Tokens per task", 1),
        ("use_overall", "Tasks that used a skill", 100),
    )
    colours = colours_of(runs)
    runs = {run: found for run, found in runs.items() if found}
    with figure(columns=3, height=3.3) as page:
        for axes, (name, title, scale) in zip(page.axes, panels, strict=True):
            for index, (run, found) in enumerate(runs.items()):
                shift = 0.05 * (index - (len(runs) - 1) / 2)  # so that the whiskers of several runs stand side by side
                xs = [place.place + shift for place in found]
                _line(axes, xs, [getattr(place, name) for place in found], colours[run], scale)
            ends = sorted({place.place for found in runs.values() for place in found})
            axes.set_xticks(ends, [_ordinal(end) for end in ends])
            axes.set_xlim(min(ends, default=1) - 0.4, max(ends, default=1) + 0.4)
            axes.set_title(title)
            axes.set_xlabel("task of the scenario")
            if scale == 100:
                axes.set_ylim(-4, 104)
                axes.set_yticks(range(0, 101, 20), [f"{n}%" for n in range(0, 101, 20)])
            else:
                axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
        legend(page, runs, colours)
        return png(page)


def growth(runs: Mapping[str, Mapping[int, Sequence[int]]]) -> bytes:
    """Skills in the library against tasks played: a faint line per repetition, a strong one for their mean."""
    colours = colours_of(runs)
    runs = {run: curves for run, curves in runs.items() if curves}
    with figure(columns=1, height=3.3) as page:
        (axes,) = page.axes
        for run, curves in runs.items():
            colour = colours[run]
            for curve in curves.values() if len(curves) > 1 else ():
                axes.plot(range(len(curve) + 1), [0, *curve], color=colour, alpha=0.3, linewidth=1)
            longest = max(map(len, curves.values()), default=0)
            means = [
                sum(curve[n] for curve in curves.values() if n < len(curve))
                / sum(n < len(curve) for curve in curves.values())
                for n in range(longest)
            ]
            axes.plot(range(longest + 1), [0, *means], color=colour, linewidth=2)
        axes.set_title("Skills in the library")
        axes.set_xlabel("tasks played")
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
        legend(page, runs, colours)
        return png(page)


def seeds(runs: Mapping[str, Sequence[Measures]]) -> bytes:
    """What recipes come to over several seeds: a dot for each seed, a bar for their mean."""
    colours = colours_of(runs)
    panels = (
        ("tgc", "TGC, %", 100),
        ("sgc", "SGC, %", 100),
        ("use", "Skill use, %", 100),
        ("tokens", "Tokens per task", 1),
    )
    places = range(len(runs))
    with figure(columns=4, height=0.9 + 0.42 * len(runs)) as page:
        for axes, (name, title, scale) in zip(page.axes, panels, strict=True):
            for place, (run, rows) in zip(places, runs.items(), strict=True):
                found = [scale * getattr(row, name).value for row in rows]
                found = [value for value in found if not math.isnan(value)]
                if found:
                    axes.barh(place, math.fsum(found) / len(found), 0.66, color=colours[run], alpha=0.55)
                    axes.plot(found, [place] * len(found), "o", color="#2b3440", markersize=3.5, alpha=0.8)
            axes.set_title(title)
            axes.set_ylim(len(runs) - 0.5, -0.5)
            axes.set_yticks(places, [short(run) for run in runs] if axes is page.axes[0] else [""] * len(runs))
            axes.set_xlim(left=0)
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        return png(page)


def _bars(axes: Axes, runs: Mapping[str, Sequence[Estimate]], colours: Mapping[str, str], *, scale: float) -> None:
    width = min(0.8 / max(len(runs), 1), 0.42)
    for index, (run, found) in enumerate(runs.items()):
        shift = (index - (len(runs) - 1) / 2) * width
        for x, estimate in enumerate(found):
            if math.isnan(estimate.value):
                continue
            value, centre = scale * estimate.value, x + shift
            axes.bar(centre, value, width * 0.92, color=colours[run], alpha=0.9)
            _whisker(axes, centre, estimate, scale, "#2b3440")
            if len(runs) <= 3:
                top = value if math.isnan(estimate.high) else scale * estimate.high
                axes.annotate(
                    f"{value:.0f}",
                    (centre, top),
                    xytext=(0, 2),
                    textcoords="offset points",
                    ha="center",
                    va="bottom",
                    fontsize=8.5,
                    color="#2b3440",
                )
    axes.set_xlim(-0.6, max((len(found) for found in runs.values()), default=1) - 0.4)


def _line(axes: Axes, xs: Sequence[float], found: Sequence[Estimate], colour: str, scale: float) -> None:
    axes.plot(xs, [scale * each.value for each in found], color=colour, linewidth=2, marker="o", markersize=5)
    for x, estimate in zip(xs, found, strict=True):
        _whisker(axes, x, estimate, scale, colour)


def _whisker(axes: Axes, x: float, estimate: Estimate, scale: float, colour: str) -> None:
    if not math.isnan(estimate.low):
        axes.plot([x, x], [scale * estimate.low, scale * estimate.high], color=colour, linewidth=1.3, alpha=0.8)


def _at(rows: Sequence[Measures], split: str, level: int | None, name: str) -> Estimate:
    for row in rows:
        if row.split == split and row.difficulty == level:
            found: Estimate = getattr(row, name)
            return found
    return Estimate(value=math.nan, low=math.nan, high=math.nan, sd=math.nan, n=0)


def _ordinal(n: int) -> str:
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
