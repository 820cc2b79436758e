"""Streams and comparisons as pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from prowess.commands.work.curve import WINDOW, Point, band
from prowess.figures.plots import colours_of, figure, legend, png

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANELS: tuple[tuple[str, Callable[[Point], float]], ...] = (
    ("Tokens written per task", lambda point: point.written),
    ("Steps per task", lambda point: point.steps),
    ("Tokens of the conversation", lambda point: point.read),
    ("Tasks solved", lambda point: 100.0 * point.success),
)


def stream(streams: Mapping[str, Sequence[Point]]) -> bytes:
    """What a task costs against its place in the stream: moving means with their 95% bands, over a quarter of the
    longest stream at most."""
    colours = colours_of(streams)
    width = min(WINDOW, max(2, max(map(len, streams.values())) // 4))
    with figure(columns=2, lines=2, height=6.2) as page:
        for axes, (title, value) in zip(page.axes, PANELS, strict=True):
            for name, points in streams.items():
                found = band([value(point) for point in points], width)
                axes.plot(found.places, found.mean, color=colours[name], linewidth=1.8)
                axes.fill_between(found.places, found.low, found.high, color=colours[name], alpha=0.13, linewidth=0)
            axes.set_title(title)
            axes.set_xlim(left=0)
            _upright(axes, percent=title == "Tasks solved")
        for axes in page.axes[2:]:
            axes.set_xlabel(f"task of the stream (mean of {width} tasks around it)")
        legend(page, streams, colours)
        return png(page)


def libraries(table: Mapping[str, Mapping[str, Sequence[Point]]]) -> bytes:
    """Policies by what library they play with: a bar for each kind of library, its interval on it."""
    kinds = list(dict.fromkeys(kind for row in table.values() for kind in row))
    colours = colours_of(kinds)
    thick = 0.8 / max(len(kinds), 1)
    with figure(columns=2, lines=2, height=6.2) as page:
        for axes, (title, value) in zip(page.axes, PANELS, strict=True):
            for at, row in enumerate(table.values()):
                for n, kind in enumerate(kinds):
                    if points := row.get(kind):
                        found = band([value(point) for point in points], len(points))
                        centre = at + (n - (len(kinds) - 1) / 2) * thick
                        axes.bar(centre, found.mean[0], thick * 0.9, color=colours[kind], alpha=0.9)
                        axes.plot([centre, centre], [found.low[0], found.high[0]], color="#2b3440", linewidth=1.2)
            axes.set_title(title)
            axes.set_xticks(range(len(table)), list(table))
            _upright(axes, percent=title == "Tasks solved")
        legend(page, dict.fromkeys(kinds), colours)
        return png(page)


def _upright(axes: Axes, *, percent: bool) -> None:
    """From zero, so that a saving looks as large as it is."""
    if percent:
        axes.set_ylim(0, 104)
        axes.set_yticks(range(0, 101, 20), [f"{n}%" for n in range(0, 101, 20)])
    else:
        axes.set_ylim(0, max(1.0, math.nextafter(axes.get_ylim()[1], math.inf)))
