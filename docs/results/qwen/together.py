"""Two evaluations of the same weights, played in the same way, as one line of rows.jsonl."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import fmean
from typing import Any

Row = Mapping[str, Any]


def together(one: Row, other: Row) -> dict[str, Any]:
    """As if all runs had been of one evaluation: means over runs, and the spread over all of them.

    Intervals of single figures are left out, as they cannot be made of two; tables compare by scenarios.
    """
    counts = tuple(len(row["runs"]) for row in (one, other))
    figures = {
        name: _figure(value, other[name], counts)
        for name, value in one.items()
        if isinstance(value, Mapping) and "value" in value and name in other
    }
    scenarios = {
        name: _means(here, there, counts) if (there := other["scenarios"].get(name)) else here
        for name, here in one["scenarios"].items()
    }
    return {
        **one,
        "train_seconds": max(row["train_seconds"] for row in (one, other)),
        "train_steps": max(row["train_steps"] for row in (one, other)),
        **{name: one[name] + other[name] for name in ("episodes", "errors", "runs")},
        "scenarios": {**other["scenarios"], **scenarios},
        **figures,
    }


def _means(here: Mapping[str, float], there: Mapping[str, float], counts: tuple[int, int]) -> dict[str, float]:
    return {name: fmean((here[name], there[name]), counts) for name in here}


def _figure(here: Mapping[str, float], there: Mapping[str, float], counts: tuple[int, int]) -> dict[str, float]:
    """The mean over runs, and their spread from the two means and spreads."""
    values, total = (here["value"], there["value"]), sum(counts)
    mean = fmean(values, counts)
    within = sum((count - 1) * sd**2 for count, sd in zip(counts, (here["sd"], there["sd"]), strict=True) if count > 1)
    between = sum(count * (value - mean) ** 2 for count, value in zip(counts, values, strict=True))
    return {
        "value": mean,
        "low": math.nan,
        "high": math.nan,
        "sd": math.sqrt((within + between) / (total - 1)),
        "n": here["n"] + there["n"],
    }
