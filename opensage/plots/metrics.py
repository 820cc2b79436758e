"""Plots of metrics against the step."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from opensage.plots.page import colours_of, figure, legend, png
from opensage.run import Entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FIRST = (
    *("reward/mean", "play/tgc", "play/sgc", "play/use", "eval/tgc", "eval/sgc", "eval/use"),
    *("play/tokens", "learn/loss", "learn/held_out", "learn/entropy", "learn/kl", "learn/mismatch"),
)
"""Metrics that come before all others."""


SMOOTH = 20
"""Curves of so many points are drawn pale, with their running mean over a sixth of them."""


def curves(runs: Mapping[str, Sequence[Entry]], *, most: int = 12) -> bytes:
    """Every metric against the step, in small panels; the `most` that matter first."""
    colours = colours_of(runs)
    names = metric_names(runs)[:most]
    runs = {run: entries for run, entries in runs.items() if set(metric_names({run: entries})) & set(names)}

    def draw(axes: Axes, name: str) -> None:
        for run, entries in runs.items():
            points = [(entry.step, entry.values[name]) for entry in entries if name in entry.values]
            _curve(axes, [step for step, _ in points], [value for _, value in points], colours[run])

    return _panels(names, draw, runs, colours, height=2.4)


def bands(runs: Mapping[str, Sequence[Sequence[Entry]]], *, most: int = 6) -> bytes:
    """Metrics against the step over several seeds: their mean, smoothed, between the least and the greatest of them."""
    colours = colours_of(runs)
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
