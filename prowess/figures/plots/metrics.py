"""Plots of metrics against the step."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from prowess.figures.plots.drawing import (
    MOST_HINTS,
    PERCENT,
    Axis,
    Dot,
    Marks,
    Panel,
    Plot,
    axis,
    legend_of,
    thinned,
)
from prowess.figures.plots.meanings import MEANINGS, key_of, label_of
from prowess.run import StepMetrics

FIRST = (
    *("reward/mean", "play/tgc", "play/sgc", "play/use", "eval/tgc", "eval/sgc", "eval/use"),
    *("play/tokens", "learn/loss", "learn/held_out", "learn/grad_norm", "learn/kl", "learn/entropy", "learn/mismatch"),
)
"""Metrics that come before all others. Of reinforcement the loss comes last: it is no measure of what is learnt."""
REWARD, LOSS = "reward/mean", "learn/loss"
NEAR_ZERO = 0.01
"""A loss of reinforcement that is never larger says nothing, and is not drawn."""


MOST = 12
"""So many metrics are in the first picture."""
BANDS = 6
"""So many are in the picture of several seeds."""
SMOOTH = 20
"""Curves of so many points are drawn pale, with their running mean over a sixth of them."""
NOISE = {"seconds": 1e-3, "ms": 1e-3}
"""What moves by no more, in this unit, does not move; in any other by no more than a millionth."""


def curves(runs: Mapping[str, Sequence[StepMetrics]], names: Sequence[str] = ()) -> Plot:
    """Metrics against the step, a small panel for each: these, or the dozen that matters most."""
    names = names or moving(runs)[:MOST]
    shown = [run for run, entries in runs.items() if set(metric_names({run: entries})) & set(names)]

    def marks(name: str, scale: float) -> Iterable[Marks]:
        for colour, entries in enumerate(runs.values()):
            points = [(float(one.step), scale * one.values[name]) for one in entries if known(one, name)]
            yield from _curve(points, colour)

    steps = [one.step for each in runs.values() for one in each]
    return Plot(panels=tuple(_panel(name, marks, steps) for name in names), runs=legend_of(shown, runs))


def bands(runs: Mapping[str, Sequence[Sequence[StepMetrics]]]) -> Plot:
    """Metrics against the step over several seeds: their mean, smoothed, between the least and the greatest of them."""
    names = moving({f"{run} {n}": each for run, many in runs.items() for n, each in enumerate(many)})[:BANDS]

    def marks(name: str, scale: float) -> Iterable[Marks]:
        for colour, many in enumerate(runs.values()):
            points: dict[int, list[float]] = {}
            for entry in (entry for each in many for entry in each if known(entry, name)):
                points.setdefault(entry.step, []).append(scale * entry.values[name])
            steps = sorted(points)
            width = len(steps) // 6 if len(steps) >= SMOOTH else 1
            middle, low, high = (
                thinned([*zip(map(float, steps), running_mean([of(points[at]) for at in steps], width), strict=True)])
                for of in (fmean, min, max)
            )
            yield Marks(colour=colour, points=middle, low=low, high=high)

    steps = [entry.step for many in runs.values() for each in many for entry in each]
    return Plot(
        panels=tuple(_panel(name, marks, steps) for name in names),
        runs=legend_of([run for run, many in runs.items() if any(many)], runs),
    )


_LARGEST = 1e100
"""What is larger was not measured, and sums and axes of it overflow."""


def metric_names(runs: Mapping[str, Sequence[StepMetrics]]) -> list[str]:
    """Metrics that have a curve: told as a number at two steps or more by some run; in the order of reading."""
    found: dict[str, int] = {}
    for entries in runs.values():
        seen = Counter(name for entry in entries for name in entry.values if known(entry, name))
        found = {name: max(seen[name], found.get(name, 0)) for name in seen.keys() | found.keys()}
    names = {name for name, steps in found.items() if steps > 1}
    return in_order(names)


def in_order(names: Iterable[str]) -> list[str]:
    """Metrics in the order of reading: what moves comes first.

    >>> in_order(["learn/padding", "learn/loss", "learn/grad_norm"])
    ['learn/loss', 'learn/grad_norm', 'learn/padding']
    >>> in_order(["learn/padding", "learn/loss", "learn/grad_norm", "reward/mean"])
    ['reward/mean', 'learn/grad_norm', 'learn/padding', 'learn/loss']
    """
    found = set(names)
    order = [name for name in dict.fromkeys((*FIRST, *MEANINGS, *sorted(found))) if name in found]
    return sorted(order, key=LOSS.__eq__) if REWARD in found else order


def constants(runs: Mapping[str, Sequence[StepMetrics]]) -> dict[str, float]:
    """Metrics that have a curve and do not move, at any step of any run, by more than noise; with their value.

    A loss of 1e-8 at one step and of -2e-8 at the next is 0 at both. One of reinforcement is 0 up to a hundredth.
    """
    out, names = {}, metric_names(runs)
    for name in names:
        values = [one.values[name] for entries in runs.values() for one in entries if known(one, name)]
        unit = MEANINGS[name].unit if name in MEANINGS else "number"
        largest = max(map(abs, values))
        noise = max(NOISE.get(unit, 1e-6), 1e-6 * largest)
        if name == LOSS and REWARD in names and largest <= NEAR_ZERO:
            out[name] = 0.0
        elif max(values) - min(values) <= noise:
            out[name] = values[0] if abs(values[0]) > noise else 0.0
    return out


def moving(runs: Mapping[str, Sequence[StepMetrics]]) -> list[str]:
    """Metrics whose curve is worth a look, in the order of reading."""
    still = constants(runs)
    return [name for name in metric_names(runs) if name not in still]


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


def _panel(name: str, marks: Callable[[str, float], Iterable[Marks]], steps: Sequence[int]) -> Panel:
    """A metric against the step, from the first step of all runs to the last."""
    share = name in MEANINGS and MEANINGS[name].unit == "share"
    drawn = tuple(marks(name, 100.0 if share else 1.0))
    return Panel(
        title=label_of(name),
        key=key_of(name),
        x=axis(map(float, steps), label="step", whole=True),
        y=PERCENT if share else _upright(drawn),
        marks=drawn,
    )


def _upright(drawn: Iterable[Marks]) -> Axis:
    return axis(y for marks in drawn for part in (marks.points, marks.low, marks.high) for _, y in part)


def _curve(points: Sequence[tuple[float, float]], colour: int) -> Iterable[Marks]:
    """A line through the points; where they are many, it is their running mean."""
    if len(points) >= SMOOTH:
        yield Marks(colour=colour, points=thinned(points), pale=True)
        smooth = running_mean([y for _, y in points], len(points) // 6)
        yield Marks(colour=colour, points=thinned([*zip((x for x, _ in points), smooth, strict=True)]))
        return
    dots = tuple(Dot(x=x, y=y, hint=f"step {x:g}: {y:.4g}") for x, y in points[:MOST_HINTS])
    yield Marks(colour=colour, points=tuple(points), others=dots)
