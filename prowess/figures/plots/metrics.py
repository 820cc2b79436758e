"""Plots of metrics against the step."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from prowess.figures.plots.meanings import MEANINGS, title_of
from prowess.figures.plots.page import colours_of, figure, legend, png
from prowess.run import StepMetrics

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FIRST = (
    *("reward/mean", "play/tgc", "play/sgc", "play/use", "eval/tgc", "eval/sgc", "eval/use"),
    *("play/tokens", "learn/loss", "learn/held_out", "learn/entropy", "learn/kl", "learn/mismatch"),
)
"""Metrics that come before all others."""


MOST = 12
"""So many metrics are in the first picture."""
BANDS = 6
"""So many are in the picture of several seeds."""
SMOOTH = 20
"""Curves of so many points are drawn pale, with their running mean over a sixth of them."""


def curves(runs: Mapping[str, Sequence[StepMetrics]], names: Sequence[str] = ()) -> bytes:
    """Metrics against the step, in small panels: these, or the dozen that matters most."""
    colours = colours_of(runs)
    names = names or metric_names(runs)[:MOST]
    runs = {run: entries for run, entries in runs.items() if set(metric_names({run: entries})) & set(names)}

    def draw(axes: Axes, name: str) -> None:
        for run, entries in runs.items():
            points = [(entry.step, entry.values[name]) for entry in entries if known(entry, name)]
            _curve(axes, [step for step, _ in points], [value for _, value in points], colours[run])

    return _panels(names, draw, runs, colours, height=2.4, steps=[one.step for each in runs.values() for one in each])


def bands(runs: Mapping[str, Sequence[Sequence[StepMetrics]]]) -> bytes:
    """Metrics against the step over several seeds: their mean, smoothed, between the least and the greatest of them."""
    colours = colours_of(runs)
    names = metric_names({f"{run} {n}": each for run, many in runs.items() for n, each in enumerate(many)})[:BANDS]

    def draw(axes: Axes, name: str) -> None:
        for run, many in runs.items():
            points: dict[int, list[float]] = {}
            for entry in (entry for each in many for entry in each if known(entry, name)):
                points.setdefault(entry.step, []).append(entry.values[name])
            steps = sorted(points)
            means = [math.fsum(points[step]) / len(points[step]) for step in steps]
            width = len(steps) // 6 if len(steps) >= SMOOTH else 1
            axes.plot(steps, running_mean(means, width), color=colours[run], linewidth=1.8)
            low = running_mean([min(points[step]) for step in steps], width)
            high = running_mean([max(points[step]) for step in steps], width)
            axes.fill_between(steps, low, high, color=colours[run], alpha=0.1, linewidth=0)

    steps = [entry.step for many in runs.values() for each in many for entry in each]
    return _panels(names, draw, runs, colours, height=2.7, steps=steps)


_LARGEST = 1e100
"""What is larger was not measured, and sums and axes of it overflow."""


def metric_names(runs: Mapping[str, Sequence[StepMetrics]]) -> list[str]:
    """Metrics that have a curve: told as a number at two steps or more by some run; in the order of reading."""
    found: dict[str, int] = {}
    for entries in runs.values():
        seen = Counter(name for entry in entries for name in entry.values if known(entry, name))
        found = {name: max(seen[name], found.get(name, 0)) for name in seen.keys() | found.keys()}
    names = {name for name, steps in found.items() if steps > 1}
    order = [*FIRST, *MEANINGS, *sorted(names)]
    return [name for name in dict.fromkeys(order) if name in names]


def constants(runs: Mapping[str, Sequence[StepMetrics]]) -> dict[str, float]:
    """Metrics that have a curve and are the same at all steps of all runs, with their value."""
    out = {}
    for name in metric_names(runs):
        values = {one.values[name] for entries in runs.values() for one in entries if known(one, name)}
        if len(values) == 1:
            out[name] = values.pop()
    return out


def known(entry: StepMetrics, name: str) -> bool:
    """Whether a step told a metric as a number that can be drawn; a share of nothing is none."""
    return abs(entry.values.get(name, math.nan)) < _LARGEST


def running_mean(values: Sequence[float], width: int) -> list[float]:
    """At each place the mean of the values around it, so many or as many as there are.

    >>> running_mean([1.0, 2.0, 6.0, 4.0], 3)
    [1.5, 3.0, 4.0, 5.0]
    """
    half = width // 2
    around = (values[max(0, place - half) : place + half + 1] for place in range(len(values)))
    return [math.fsum(some) / len(some) for some in around]


def _panels(
    names: Sequence[str],
    draw: Callable[[Axes, str], None],
    runs: Mapping[str, object],
    colours: Mapping[str, str],
    *,
    height: float,
    steps: Sequence[int],
) -> bytes:
    """A small panel for each metric, three to a line, the step below; all from the first step to the last."""
    columns = min(3, len(names))
    lines = math.ceil(len(names) / columns)
    with figure(columns=columns, lines=lines, height=height * lines) as page:
        for axes, name in zip(page.axes, names, strict=False):
            draw(axes, name)
            axes.set_title(title_of(name))
            axes.set_xlim(_ends(steps))
            axes.locator_params(axis="x", integer=True)
            if name in MEANINGS and MEANINGS[name].unit == "share":
                axes.set_ylim(-0.04, 1.04)
                axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
            else:
                axes.yaxis.set_major_formatter(lambda value, _: f"{value:.4g}")
        for axes in page.axes[len(names) :]:
            axes.remove()
        for axes in page.axes[-columns:]:
            axes.set_xlabel("step")
        legend(page, runs, colours)
        return png(page)


def _ends(steps: Sequence[int]) -> tuple[float, float]:
    """The first step and the last, and a little room beside them.

    >>> _ends([0, 10, 5])
    (-0.3, 10.3)
    """
    room = 0.03 * max(max(steps, default=1) - min(steps, default=0), 1)
    return min(steps, default=0) - room, max(steps, default=1) + room


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
