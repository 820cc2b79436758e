"""Two evaluations of the same weights, played in the same way, as one line of rows.jsonl.

Runs of the same number had the same seeds, and what differs between them is rounding: they begin alike and part
somewhere. Their mean is one run, not two. Only runs of other numbers (`evaluate.skip`) say more of the weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import fmean
from typing import Any

Row = Mapping[str, Any]


def together(one: Row, other: Row) -> dict[str, Any]:
    """As if all runs had been of one evaluation: means over runs, and the spread over them.

    Intervals of single figures are left out, as they cannot be made of two; tables compare by scenarios.
    """
    again = _again(one, other)
    times = one.get("times", 1)
    counts = (times, 1) if again else (len(one["runs"]), len(other["runs"]))
    figures = {
        name: (_mean if again else _figure)(value, other[name], counts)
        for name, value in one.items()
        if isinstance(value, Mapping) and "value" in value and name in other
    }
    scenarios = {
        name: _means(here, there, counts) if (there := other["scenarios"].get(name)) else here
        for name, here in one["scenarios"].items()
    }
    pairs = zip(one["runs"], other["runs"], strict=False)
    return {
        **one,
        "train_seconds": max(row["train_seconds"] for row in (one, other)),
        "train_steps": max(row["train_steps"] for row in (one, other)),
        **{name: one[name] + other[name] for name in ("episodes", "errors")},
        "runs": [_means(*pair, counts) for pair in pairs] if again else one["runs"] + other["runs"],
        "scenarios": {**other["scenarios"], **scenarios},
        **figures,
        "times": times + again,
    }


def _again(one: Row, other: Row) -> bool:
    """Whether they are the same runs, played again. Lines of old do not tell their numbers, which began with 0."""
    numbers = [{run.get("run", at) for at, run in enumerate(row["runs"])} for row in (one, other)]
    if numbers[0] == numbers[1]:
        return True
    if both := sorted(numbers[0] & numbers[1]):
        where = "/".join(str(one[name]) for name in ("label", "seed", "play", "split"))
        raise SystemExit(f"error: --more: {where}: run {both[0]} is in both lines, and others are not")
    return False


def _means(here: Mapping[str, float], there: Mapping[str, float], counts: tuple[int, int]) -> dict[str, float]:
    return {name: fmean((here[name], there[name]), counts) for name in here.keys() & there.keys()}


def _mean(here: Mapping[str, float], there: Mapping[str, float], times: tuple[int, int]) -> dict[str, float]:
    """The mean over plays of the same runs. The spread over runs is as of one of them: it is not known how much of it
    is chance."""
    spread = math.sqrt(fmean((here["sd"] ** 2, there["sd"] ** 2), times))
    return _of(fmean((here["value"], there["value"]), times), spread, here["n"] + there["n"])


def _figure(here: Mapping[str, float], there: Mapping[str, float], counts: tuple[int, int]) -> dict[str, float]:
    """The mean over runs, and their spread from the two means and spreads."""
    values, total = (here["value"], there["value"]), sum(counts)
    mean, pairs = fmean(values, counts), list(zip(counts, (here["sd"], there["sd"]), strict=True))
    within = sum((count - 1) * sd**2 for count, sd in pairs if count > 1)
    between = sum(count * (value - mean) ** 2 for count, value in zip(counts, values, strict=True))
    return _of(mean, math.sqrt((within + between) / (total - 1)), here["n"] + there["n"])


def _of(value: float, sd: float, n: float) -> dict[str, float]:
    return {"value": value, "low": math.nan, "high": math.nan, "sd": sd, "n": n}
