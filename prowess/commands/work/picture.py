"""Streams and comparisons as pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from prowess.commands.work.curve import WINDOW, Point, band, cost_of
from prowess.figures.measure import FREE
from prowess.figures.plots.drawing import (
    PERCENT,
    Axis,
    Bar,
    Dot,
    Marks,
    Panel,
    Plot,
    Whisker,
    axis,
    legend_of,
    short,
    thinned,
)
from prowess.figures.plots.played import from_zero
from prowess.types import Prices

MOST_MARKS = 240
"""Tasks of a stream that are marked one by one; of a longer one, every second or every third."""
Value = Callable[[Point, Prices], float]
"""A figure of a task; the prices of its stream make the last of them."""
PANELS: tuple[tuple[str, Value], ...] = (
    ("Tokens written per task", lambda point, _: point.written),
    ("Steps per task", lambda point, _: point.steps),
    ("Tokens of the conversation", lambda point, _: point.read),
    ("Tasks solved", lambda point, _: 100.0 * point.success),
)
COST: tuple[str, Value] = ("Cost per task", lambda point, prices: cost_of(point, prices))
NO_PRICES: Mapping[str, Prices] = {}


def stream(streams: Mapping[str, Sequence[Point]], prices: Mapping[str, Prices] = NO_PRICES) -> Plot:
    """What a task costs against its place in the stream: moving means with their 95% bands, over a quarter of the
    longest stream at most. Beside them every task, and what all of them have cost so far; in money, too, of streams
    that have prices."""
    width = min(WINDOW, max(2, max(map(len, streams.values()), default=0) // 4))
    longest = [float(len(points)) for points in streams.values()]
    x = axis([0.0, *longest], zero=True, whole=True, label=f"task of the stream (mean of {width})")
    panels = [_every(streams)]
    known = {name: prices.get(name, FREE) for name in streams}
    for title, value in (*PANELS, *((COST,) if any(known.values()) else ())):
        share = title == "Tasks solved"
        marks = []
        for colour, (name, points) in enumerate(streams.items()):
            told = points if title != COST[0] or known[name] else ()
            found = band([value(point, known[name]) for point in told], width)
            line, low, high = (
                thinned([*zip(found.places, ys, strict=True)]) for ys in (found.mean, found.low, found.high)
            )
            marks.append(Marks(colour=colour, points=line, low=_within(low, share), high=_within(high, share)))
        panels.append(Panel(title=title, x=x, y=PERCENT if share else from_zero(marks), marks=tuple(marks)))
    panels.append(_total(streams, known, "Tokens written so far", lambda point, _: point.written))
    if any(known.values()):
        paid = {name: points if known[name] else () for name, points in streams.items()}
        panels.append(_total(paid, known, "Money so far", cost_of))
    return Plot(panels=tuple(panels), runs=legend_of([name for name, points in streams.items() if points], streams))


def _every(streams: Mapping[str, Sequence[Point]]) -> Panel:
    """Each task by what it cost: a full dot used a skill of the library, a cross is a failure."""
    marks, every = [], math.ceil(max(map(len, streams.values()), default=1) / MOST_MARKS) or 1
    for colour, points in enumerate(streams.values()):
        marks.append(Marks(colour=colour, others=tuple(_dot(point) for point in points[::every])))
    ends = [float(point.place) for points in streams.values() for point in points]
    return Panel(
        title="Tokens written, each task" if every == 1 else f"Tokens written, one task in {every}",
        key="full dot: used a skill; ring: none; cross: failed",
        x=axis([0.0, *ends], zero=True, whole=True, label="task of the stream"),
        y=from_zero(marks),
        marks=tuple(marks),
    )


def _dot(point: Point) -> Dot:
    kind = "cross" if not point.success else "dot" if point.used else "ring"
    what = "failed" if not point.success else "used a skill" if point.used else "used no skill"
    return Dot(x=point.place, y=point.written, kind=kind, hint=f"{point.task}: {point.written} tokens, {what}")


def _total(streams: Mapping[str, Sequence[Point]], prices: Mapping[str, Prices], title: str, value: Value) -> Panel:
    marks = []
    for colour, (name, points) in enumerate(streams.items()):
        sums = accumulate((value(point, prices[name]) for point in points), initial=0.0)
        marks.append(Marks(colour=colour, points=thinned([(float(n), each) for n, each in enumerate(sums)])))
    ends = [float(len(points)) for points in streams.values()]
    x = axis([0.0, *ends], zero=True, whole=True, label="tasks played")
    return Panel(title=title, x=x, y=from_zero(marks), marks=tuple(marks))


def _within(line: Iterable[tuple[float, float]], share: bool) -> tuple[tuple[float, float], ...]:
    """A bound of a mean: nothing costs less than nothing, and no share is more than all."""
    return tuple((x, min(max(0.0, y), 100.0) if share else max(0.0, y)) for x, y in line)


def libraries(table: Mapping[str, Mapping[str, Sequence[Point]]], prices: Prices = FREE) -> Plot:
    """Policies by what library they play with: a bar for each kind of library, its interval on it."""
    kinds = list(dict.fromkeys(kind for row in table.values() for kind in row))
    thick = 0.8 / max(len(kinds), 1)
    x = Axis(low=-0.6, high=len(table) - 0.4, ticks=tuple((float(n), short(name, 20)) for n, name in enumerate(table)))
    panels = []
    for title, value in (*PANELS, *((COST,) if prices else ())):
        marks = []
        for colour, kind in enumerate(kinds):
            others: list[Bar | Whisker] = []
            for at, row in enumerate(table.values()):
                if points := row.get(kind):
                    found = band([value(point, prices) for point in points], len(points))
                    centre = at + (colour - (len(kinds) - 1) / 2) * thick
                    hint = f"{kind}: {found.mean[0]:,.{4 if title == COST[0] else 1}f}"
                    others.append(Bar(at=centre, value=found.mean[0], width=thick * 0.9, hint=hint))
                    others.append(Whisker(x=centre, low=max(0.0, found.low[0]), high=found.high[0], ink=True))
            marks.append(Marks(colour=colour, others=tuple(others)))
        share = title == "Tasks solved"
        panels.append(Panel(title=title, x=x, y=PERCENT if share else from_zero(marks), marks=tuple(marks)))
    return Plot(panels=tuple(panels), runs=legend_of(kinds, kinds))
