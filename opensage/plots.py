"""Plots of runs as PNG pictures. matplotlib is imported when the first one is drawn."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any

from opensage.estimate import Estimate
from opensage.measure import Measures, Place
from opensage.run import Entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0b6e99", "#e08e0b", "#3a8f5c", "#b5476d", "#7a5fb0", "#8a7a66", "#4aa3a2", "#c0562f")
"""One for each run: apart in hue and lightness, so that they differ without colour vision too."""

FIRST = (
    *("reward/mean", "play/tgc", "play/sgc", "play/use", "eval/tgc", "eval/sgc", "eval/use"),
    *("play/tokens", "learn/loss", "learn/held_out", "learn/entropy", "learn/kl", "learn/mismatch"),
)
"""Metrics that come before all others."""
SMOOTH = 20
"""Curves of so many points are drawn pale, with their running mean over a sixth of them."""

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.titlecolor": "#2b3440",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a94a0",
    "axes.labelcolor": "#46505c",
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#e4e8ec",
    "grid.linewidth": 0.8,
    "xtick.color": "#46505c",
    "ytick.color": "#46505c",
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "text.parse_math": False,  # names are others' text: a dollar sign is a dollar sign
}


def solved(runs: Mapping[str, Sequence[Measures]], split: str) -> bytes:
    """TGC and SGC of a split, whole and by difficulty, a bar for each run that has played it."""
    colours = _colours(runs)
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


def places(runs: Mapping[str, Sequence[Place]]) -> bytes:
    """Steps, tokens and skill use by the task's place in its scenario: what the library saves."""
    panels = (
        ("steps", "Steps per task", 1),
        ("tokens", "Tokens per task", 1),
        ("use_overall", "Tasks that used a skill", 100),
    )
    colours = _colours(runs)
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
    colours = _colours(runs)
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


def curves(runs: Mapping[str, Sequence[Entry]], *, most: int = 12) -> bytes:
    """Every metric against the step, in small panels; the `most` that matter first."""
    colours = _colours(runs)
    names = metric_names(runs)[:most]
    runs = {run: entries for run, entries in runs.items() if set(metric_names({run: entries})) & set(names)}

    def draw(axes: Axes, name: str) -> None:
        for run, entries in runs.items():
            points = [(entry.step, entry.values[name]) for entry in entries if name in entry.values]
            _curve(axes, [step for step, _ in points], [value for _, value in points], colours[run])

    return _panels(names, draw, runs, colours, height=2.4)


def seeds(runs: Mapping[str, Sequence[Measures]]) -> bytes:
    """What recipes come to over several seeds: a dot for each seed, a bar for their mean."""
    colours = _colours(runs)
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
            axes.set_yticks(places, [_short(run) for run in runs] if axes is page.axes[0] else [""] * len(runs))
            axes.set_xlim(left=0)
            axes.grid(visible=True, axis="x")
            axes.grid(visible=False, axis="y")
        return png(page)


def bands(runs: Mapping[str, Sequence[Sequence[Entry]]], *, most: int = 6) -> bytes:
    """Metrics against the step over several seeds: their mean, smoothed, between the least and the greatest of them."""
    colours = _colours(runs)
    names = metric_names({f"{run} {n}": each for run, many in runs.items() for n, each in enumerate(many)})[:most]

    def draw(axes: Axes, name: str) -> None:
        for run, many in runs.items():
            points: dict[int, list[float]] = {}
            for entry in (entry for each in many for entry in each if name in entry.values):
                points.setdefault(entry.step, []).append(entry.values[name])
            steps = sorted(points)
            means = [math.fsum(points[step]) / len(points[step]) for step in steps]
            width = len(steps) // 6 if len(steps) >= SMOOTH else 1
            axes.plot(steps, running_mean(means, width), color=colours[run], linewidth=1.8)
            low = running_mean([min(points[step]) for step in steps], width)
            high = running_mean([max(points[step]) for step in steps], width)
            axes.fill_between(steps, low, high, color=colours[run], alpha=0.1, linewidth=0)

    return _panels(names, draw, runs, colours, height=2.7)


def metric_names(runs: Mapping[str, Sequence[Entry]]) -> list[str]:
    """Metrics that have a curve: logged at two steps or more by some run."""
    found: dict[str, int] = {}
    for entries in runs.values():
        seen: dict[str, int] = {}
        for entry in entries:
            for name in entry.values:
                seen[name] = seen.get(name, 0) + 1
        found = {name: max(seen.get(name, 0), found.get(name, 0)) for name in seen.keys() | found.keys()}
    names = sorted(name for name, steps in found.items() if steps > 1)
    return [name for name in FIRST if name in names] + [name for name in names if name not in FIRST]


# --- drawing --------------------------------------------------------------------------------------------------------


def _panels(
    names: Sequence[str],
    draw: Callable[[Axes, str], None],
    runs: Mapping[str, object],
    colours: Mapping[str, str],
    *,
    height: float,
) -> bytes:
    """A small panel for each metric, three to a line, the step below."""
    columns = min(3, len(names))
    lines = math.ceil(len(names) / columns)
    with figure(columns=columns, lines=lines, height=height * lines) as page:
        for axes, name in zip(page.axes, names, strict=False):
            draw(axes, name)
            axes.set_title(name)
            axes.locator_params(axis="x", integer=True)
        for axes in page.axes[len(names) :]:
            axes.remove()
        for axes in page.axes[-columns:]:
            axes.set_xlabel("step")
        legend(page, runs, colours)
        return png(page)


@contextmanager
def figure(*, columns: int, height: float, lines: int = 1) -> Iterator[Figure]:
    """A figure of its own, outside matplotlib's global state, so that plots can be drawn anywhere."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        page = Figure(figsize=(10, height), layout="constrained")
        FigureCanvasAgg(page)
        page.subplots(lines, columns, squeeze=False)
        yield page


def png(page: Figure) -> bytes:
    out = io.BytesIO()
    page.savefig(out, format="png", dpi=150, facecolor="white", metadata={"Software": None})
    return out.getvalue()


def _colours(runs: Iterable[str]) -> dict[str, str]:
    """A run's colour is by its place among all runs: it is the same in every plot, whoever else is in it."""
    return dict(zip(runs, cycle(COLOURS), strict=False))


def legend(page: Figure, runs: Mapping[str, object], colours: Mapping[str, str]) -> None:
    """Who is in the plot, unless there is only one run at all."""
    if len(colours) < 2:
        return
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=colours[run], linewidth=6) for run in runs]
    page.legend(marks, [_short(name) for name in runs], loc="outside lower center", ncols=min(4, len(runs)))


def _short(name: str) -> str:
    return name if len(name) <= 32 else f"{name[:14]}…{name[-15:]}"


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


def _curve(axes: Axes, steps: Sequence[float], values: Sequence[float], colour: str) -> None:
    """A line through the points; where they are many, it is their running mean."""
    many = len(values) >= SMOOTH
    marker = "o" if len(values) < 15 else ""
    axes.plot(
        steps,
        values,
        color=colour,
        linewidth=1.0 if many else 1.8,
        alpha=0.35 if many else 1,
        marker=marker,
        markersize=3,
    )
    if many:
        axes.plot(steps, running_mean(values, len(values) // 6), color=colour, linewidth=1.8)


def running_mean(values: Sequence[float], width: int) -> list[float]:
    """At each place the mean of the values around it, so many or as many as there are.

    >>> running_mean([1.0, 2.0, 6.0, 4.0], 3)
    [1.5, 3.0, 4.0, 5.0]
    """
    half = width // 2
    around = (values[max(0, place - half) : place + half + 1] for place in range(len(values)))
    return [math.fsum(some) / len(some) for some in around]


def _at(rows: Sequence[Measures], split: str, level: int | None, name: str) -> Estimate:
    for row in rows:
        if row.split == split and row.difficulty == level:
            found: Estimate = getattr(row, name)
            return found
    return Estimate(value=math.nan, low=math.nan, high=math.nan, sd=math.nan, n=0)


def _ordinal(n: int) -> str:
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
