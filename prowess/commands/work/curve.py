"""Tokens, steps and success over a stream: is a late task cheaper than an early one?"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from prowess.figures.tables import NONE, Cell, Grid, Row
from prowess.files.codec import Played
from prowess.run import Run
from prowess.types import Prices, Stop

WINDOW = 50
"""Tasks in a moving mean, and at each end of the stream in the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one task of a stream cost and came to."""

    place: int
    task: str
    scenario: str
    steps: int
    written: int
    """Tokens the model wrote."""
    read: int
    """Length of the whole conversation in tokens: the prompt with what it offers, outputs and replies."""
    success: bool
    offered: int
    used: bool
    """Whether it called a skill of the library."""
    prompts: int = 0
    """Tokens the model read, over all replies: each reads the conversation so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A moving mean with the 95% interval of the mean at each place."""

    places: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def points_of(run: Run) -> tuple[Point, ...]:
    """The tasks of a run of `prowess work` in the order of its stream; what broke is left out."""
    return tuple(
        _point(int(key.removeprefix("work-")), played)
        for key in run.keys()  # noqa: SIM118 (not a mapping)
        for played in run.episodes(key)
        if played.episode.stop is not Stop.ERROR
    )


def _point(place: int, played: Played) -> Point:
    episode = played.episode
    last = episode.turns[-1].completion if episode.turns else None
    return Point(
        place=place,
        task=episode.task.id,
        scenario=episode.task.scenario,
        steps=len(episode.turns),
        written=episode.reply_tokens,
        read=last.prompt_tokens + last.reply_tokens if last else 0,
        success=episode.success,
        offered=len(episode.offered),
        used=bool(episode.called),
        prompts=episode.prompt_tokens,
    )


def cost_of(point: Point, prices: Prices) -> float:
    """What a task cost, read and written."""
    return prices.of(read=point.prompts, written=point.written)


def band(values: Sequence[float], width: int = WINDOW) -> Band:
    """At every place with a full window around it, the window's mean and how sure that is.

    >>> band([1.0, 3.0, 2.0, 4.0], 2).mean
    (2.0, 2.5, 3.0)
    """
    width = min(width, len(values))
    windows = [values[at : at + width] for at in range(len(values) - width + 1)] if width else []
    means = [math.fsum(window) / width for window in windows]
    halves = [1.96 * error_of(window, mean) for window, mean in zip(windows, means, strict=True)]
    return Band(
        places=tuple(at + (width + 1) / 2 for at in range(len(windows))),
        mean=tuple(means),
        low=tuple(mean - half for mean, half in zip(means, halves, strict=True)),
        high=tuple(mean + half for mean, half in zip(means, halves, strict=True)),
    )


def error_of(values: Sequence[float], mean: float) -> float:
    """The standard error of a mean; nothing can be said from one value."""
    if len(values) < 2:
        return 0.0
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


COLUMNS = ("steps", "tokens written", "tokens of the conversation", "solved", "used a skill")


def table(streams: Mapping[str, Sequence[Point]], width: int = WINDOW) -> Grid:
    """The first tasks of each stream, its last, and all of it; no task is among the first and the last."""
    rows = []
    for name, points in streams.items():
        some = min(width, len(points) // 2)
        if some:
            rows += [_row(f"{name}, first {some}", points[:some]), _row(f"{name}, last {some}", points[-some:])]
        rows.append(_row(f"{name}, all {len(points)}", points))
    return Grid(columns=COLUMNS, rows=tuple(rows))


def _row(head: str, points: Sequence[Point]) -> Row:
    return Row(head=head, cells=cells(points))


def cells(points: Sequence[Point]) -> tuple[Cell, ...]:
    """The means of some tasks, each with the half width of its 95% interval."""
    if not points:
        return (Cell(text=NONE),) * len(COLUMNS)
    told = []
    for values, scale, form in (
        ([point.steps for point in points], 1, ".2f"),
        ([point.written for point in points], 1, ".0f"),
        ([point.read for point in points], 1, ".0f"),
        ([point.success for point in points], 100, ".1f"),
        ([point.used for point in points], 100, ".1f"),
    ):
        mean = math.fsum(values) / len(values)
        half = 1.96 * error_of([float(value) for value in values], mean)
        told.append(Cell(text=f"{scale * mean:{form}} ± {scale * half:{form}}"))
    return tuple(told)


def csv_of(streams: Mapping[str, Sequence[Point]]) -> str:
    """Every task of every stream, a line each."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["stream", *(field.name for field in fields(Point))])
    for name, points in streams.items():
        lines.writerows([name, *(int(v) if isinstance(v, bool) else v for v in astuple(point))] for point in points)
    return out.getvalue()
