"""Plots as values, and the SVG that shows them: text stays text, and colours follow the reader's light or dark page.

A plot is a few small panels. Each is an SVG of its own, 340 wide, so that a page can stand them side by side or, on a
phone, one below the other in the same size. `sheet` puts all panels of a plot into one file with its own style.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from prowess.text.terminal import safe

WIDTH, HEIGHT = 340, 214
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 44, 38
"""The room around the axes: for the ticks' texts, the title above and the label below."""
MOST_POINTS = 280
"""A line of more points is drawn through means of neighbours: a panel has about so many pixels."""
MOST_HINTS = 60
"""Points of a line that say their value when they are pointed at."""
LIGHT = ("#0b6e99", "#c27705", "#2f8552", "#b5476d", "#7a5fb0", "#8a7a66", "#2b8c8a", "#c0562f")
DARK = ("#58b8e3", "#f0a93f", "#6cc48f", "#ea86a9", "#b39ee6", "#c4b59f", "#6fd0ce", "#f08a61")
"""A colour for each run: apart in hue and lightness, so that they differ without colour vision, too."""

STYLE = """\
.plot { width: 100%; height: auto; font-size: 12px; color: var(--ink); }
.plot text { fill: currentColor; }
.plot .title { font-size: 13px; font-weight: 600; }
.plot .key, .plot .tick, .plot .label { fill: var(--soft); font-size: 11px; }
.plot .key { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.plot .grid { stroke: var(--line); }
.plot .axis { stroke: var(--soft); opacity: .6; }
.plot .line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
.plot .pale { stroke-width: 1; opacity: .4; }
.plot .band { fill: var(--c); opacity: .16; }
.plot .bar { fill: var(--c); }
.plot .dot { fill: var(--c); }
.plot .ring { fill: var(--paper); stroke: var(--c); stroke-width: 1.4; }
.plot .cross { fill: none; stroke: var(--bad); stroke-width: 1.6; }
.plot .whisker { stroke: var(--c, currentColor); stroke-width: 1.4; }
.plot .ink { --c: var(--ink); }
"""
"""For every page that shows panels. It wants --ink, --soft, --line, --paper, --bad and the classes of `colours()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A point that says its value when it is pointed at."""

    x: float
    y: float
    kind: str = "dot"
    """`dot`, `ring`, or `cross` for a failure."""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whisker:
    """An interval at one place."""

    x: float
    low: float
    high: float
    ink: bool = False
    """In the colour of text, to be seen on a bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """From zero to a value, around a place of the other axis."""

    at: float
    value: float
    width: float
    hint: str = ""
    flat: bool = False
    """From left to right instead of upwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A text at a point."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    above: float = 4
    """So many pixels above the point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one run has in a panel, in its colour."""

    colour: int
    """The run's place among all runs of the page: it is the same in every plot, whoever else is in it."""
    points: tuple[tuple[float, float], ...] = ()
    """A line through these."""
    pale: bool = False
    low: tuple[tuple[float, float], ...] = ()
    high: tuple[tuple[float, float], ...] = ()
    """A band between two lines."""
    others: tuple[Dot | Whisker | Bar | Label, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """From where to where, and what stands beside it."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes."""

    title: str
    x: Axis
    y: Axis
    marks: tuple[Marks, ...]
    key: str = ""
    """Small print below the title: the raw name of a metric."""
    height: int = HEIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Panels that belong together."""

    panels: tuple[Panel, ...]
    runs: tuple[tuple[str, int], ...] = field(default=())
    """Who is in it, with the number of their colour; nothing where there is only one run at all."""


def legend_of(shown: Iterable[str], among: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Who is in a plot, among all runs of a page."""
    places = {name: place for place, name in enumerate(among)}
    return tuple((name, places[name]) for name in shown) if len(places) > 1 else ()


def colours() -> str:
    """The colours of runs as CSS, light and dark."""

    def lines(found: Sequence[str]) -> str:
        return " ".join(f".c{n} {{ --c: {colour}; }}" for n, colour in enumerate(found))

    return f"{lines(LIGHT)}\n@media (prefers-color-scheme: dark) {{ {lines(DARK)} }}\n"


# --- axes -----------------------------------------------------------------------------------------------------------


def axis(values: Iterable[float], *, label: str = "", zero: bool = False, whole: bool = False) -> Axis:
    """An axis that holds all values, with three to six round ticks.

    >>> axis([0.0, 7.0], zero=True).ticks
    ((0.0, '0'), (2.0, '2'), (4.0, '4'), (6.0, '6'))
    """
    found = [value for value in values if math.isfinite(value)]
    low, high = min(found, default=0.0), max(found, default=1.0)
    if zero:
        low = min(low, 0.0)
    if high - low <= 1e-9 * max(abs(high), abs(low), 1e-9):
        high, low = low + (abs(low) / 2 or 1.0), low - (0.0 if zero else abs(low) / 2)
    step = _round_step((high - low) / 4)
    step = max(1.0, round(step)) if whole else step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = [step * number for number in range(first, last + 1)]
    room = 0.04 * (high - low)
    return Axis(
        low=low if zero and low == 0 else low - room,
        high=high + room,
        ticks=tuple((tick, _figure(tick, step)) for tick in ticks),
        label=label,
    )


PERCENT = Axis(low=-4, high=104, ticks=tuple((n, f"{n}%") for n in range(0, 101, 25)))
"""For shares, times a hundred."""


def _round_step(wanted: float) -> float:
    """About so much: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted * 0.66)


def _figure(value: float, step: float) -> str:
    """A tick's text, as short as it can be.

    >>> _figure(1500.0, 500.0), _figure(0.25, 0.05), _figure(2.5e6, 5e5), _figure(3e-5, 1e-5)
    ('1,500', '0.25', '2.5M', '3e-05')
    """
    if value == 0:
        return "0"
    if abs(value) >= 1e15 or step < 1e-4:
        return f"{value:.2g}"
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(value) >= size:
            return f"{value / size:.4g}{letter}"
    return f"{value:,.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> tuple[tuple[float, float], ...]:
    """A line of at most so many points, each the mean of as many neighbours.

    >>> thinned([(0, 1.0), (1, 3.0), (2, 5.0), (3, 7.0)], 2)
    ((0.5, 2.0), (2.5, 6.0))
    """
    if len(points) <= most:
        return tuple(points)
    size = math.ceil(len(points) / most)
    parts = (points[at : at + size] for at in range(0, len(points), size))
    return tuple(
        (math.fsum(x for x, _ in part) / len(part), math.fsum(y for _, y in part) / len(part)) for part in parts
    )


# --- SVG ------------------------------------------------------------------------------------------------------------


def svg(panel: Panel) -> str:
    """A panel as SVG for a page that has `STYLE` and `colours()`."""
    box = f'viewBox="0 0 {WIDTH} {panel.height}"'
    name = escape(safe(f"{panel.title} {panel.key}".strip()))
    return f'<svg class="plot" {box} role="img" aria-label="{name}">{"".join(_inside(panel))}</svg>'


def sheet(plot: Plot) -> str:
    """All panels of a plot and its legend as one SVG file, light or dark as its reader is."""
    columns = min(3, len(plot.panels))
    rows = [plot.panels[at : at + columns] for at in range(0, len(plot.panels), columns)]
    out, down = [], 8
    for row in rows:
        for place, panel in enumerate(row):
            out.append(f'<g transform="translate({8 + place * (WIDTH + 16)} {down})">{"".join(_inside(panel))}</g>')
        down += max(panel.height for panel in row) + 10
    wide = columns * (WIDTH + 16)
    for name, colour in plot.runs:
        out.append(f'<rect class="bar c{colour % len(LIGHT)}" x="16" y="{down}" width="18" height="10"/>')
        out.append(_text(42, down + 9.5, name, "", "start"))
        down += 19
    style = (
        "svg { --ink: #2b3440; --soft: #66717e; --line: #e4e8ec; --paper: #fff; --bad: #b3261e; "
        'font-family: system-ui, "DejaVu Sans", sans-serif; } .back { fill: var(--paper); }\n'
        "@media (prefers-color-scheme: dark) { svg { --ink: #dde3ea; --soft: #98a4b1; --line: #2d3640; "
        f"--paper: #161b21; --bad: #ff8a80; }} }}\n{colours()}{STYLE}"
    )
    high = down + 6
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {wide} {high}" style="width: {wide}px">'
    back = f'<rect class="back" width="{wide}" height="{high}"/>'
    return f"{head}<style>{style}</style>{back}{''.join(out)}</svg>\n"


def _inside(panel: Panel) -> Iterator[str]:
    across, down = _scale(panel.x, LEFT, WIDTH - RIGHT), _scale(panel.y, panel.height - BOTTOM, TOP)
    bottom = panel.height - BOTTOM
    yield _text(6, 15, panel.title, "title", "start")
    if panel.key:
        yield _text(6, 30, panel.key, "key", "start")
    for value, shown in panel.y.ticks:
        y = _n(down(value))
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield _text(LEFT - 6, down(value) + 4, shown, "tick", "end")
    yield f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>'
    for value, shown in panel.x.ticks:
        yield _text(across(value), bottom + 15, shown, "tick", "middle")
    if panel.x.label:
        yield _text((LEFT + WIDTH - RIGHT) / 2, panel.height - 6, panel.x.label, "label", "middle")
    for marks in panel.marks:
        yield f'<g class="c{marks.colour % len(LIGHT)}">{"".join(_marks(marks, panel, across, down))}</g>'


class _Scale:
    """From a value to a pixel."""

    __slots__ = ("factor", "low", "start")

    def __init__(self, low: float, start: float, factor: float) -> None:
        self.low, self.start, self.factor = low, start, factor

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) * self.factor


def _scale(axis: Axis, start: float, end: float) -> _Scale:
    return _Scale(axis.low, start, (end - start) / ((axis.high - axis.low) or 1.0))


def _marks(marks: Marks, panel: Panel, across: _Scale, down: _Scale) -> Iterator[str]:
    def path(points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{_n(across(x))},{_n(down(y))}" for x, y in points)

    if marks.low and marks.high:
        yield f'<polygon class="band" points="{path((*marks.low, *reversed(marks.high)))}"/>'
    if len(marks.points) > 1:
        kind = "line pale" if marks.pale else "line"
        yield f'<polyline class="{kind}" points="{path(marks.points)}"/>'
    for mark in marks.others:
        if isinstance(mark, Dot):
            yield _dot(mark, across(mark.x), down(mark.y))
        elif isinstance(mark, Whisker):
            x, kind = _n(across(mark.x)), "whisker ink" if mark.ink else "whisker"
            yield f'<line class="{kind}" x1="{x}" x2="{x}" y1="{_n(down(mark.low))}" y2="{_n(down(mark.high))}"/>'
        elif isinstance(mark, Bar):
            yield _bar(mark, across, down)
        else:
            yield _text(across(mark.x), down(mark.y) - mark.above, mark.text, "tick", mark.anchor)


def _dot(mark: Dot, x: float, y: float) -> str:
    hint = _hint(mark.hint)
    if mark.kind == "cross":
        ends = f"M{_n(x - 3)},{_n(y - 3)}l6,6m0,-6l-6,6"
        return f'<path class="cross" d="{ends}">{hint}</path>'
    return (
        f'<circle class="{"ring" if mark.kind == "ring" else "dot"}" cx="{_n(x)}" cy="{_n(y)}" r="2.8">{hint}</circle>'
    )


def _bar(mark: Bar, across: _Scale, down: _Scale) -> str:
    along, other = (down, across) if mark.flat else (across, down)
    start, end = sorted((along(mark.at - mark.width / 2), along(mark.at + mark.width / 2)))
    least, most = sorted((other(0), other(mark.value)))
    x, y, wide, high = (
        (least, start, most - least, end - start) if mark.flat else (start, least, end - start, most - least)
    )
    where = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
    return f'<rect class="bar" {where}>{_hint(mark.hint)}</rect>'


def _hint(text: str) -> str:
    return f"<title>{escape(safe(text))}</title>" if text else ""


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{escape(safe(text))}</text>'


def _n(value: float) -> str:
    """A length in pixels: a tenth is fine enough."""
    return f"{value:.1f}".removesuffix(".0")


def short(name: str, most: int = 32) -> str:
    """A name that fits, its middle left out."""
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-(most - 1 - half) :]}"
