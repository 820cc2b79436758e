"""What a line of rows.jsonl says of an evaluation: its figures, and those of each scenario, to compare pairwise."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

from prowess.figures.measure import Outcome, outcome_of
from prowess.pipeline.stages import measured
from prowess.run import Run

FIGURES = (
    *("tgc", "sgc", "steps", "tokens", "solved_steps", "solved_tokens", "use", "success_given_use"),
    *("erred", "mended", "library", "combining"),
)

LAPS = ("time/play", "time/learn", "time/wait")
"""What a step of training takes; scoring is not counted."""


def row_of(place: Path, train: Path | None = None) -> dict[str, Any]:
    """The figures of the evaluation at a place, and what the training before it took."""
    whole = measured([place])
    facts = [outcome_of(played) for played in Run.open(place).episodes()]
    course = Run.open(train).metrics() if train else ()
    return {
        "train_seconds": round(sum(step.values.get(lap, 0.0) for step in course for lap in LAPS), 1),
        "train_steps": len(course),
        "episodes": len(facts),
        "errors": sum(one.broken for one in facts),
        "runs": [
            {"run": run, **_means(mine)} for run in sorted({one.run for one in facts}) if (mine := _good(facts, run))
        ],
        "scenarios": by_scenario(facts),
        **{name: asdict(getattr(whole, name)) for name in FIGURES},
    }


def keep(file: Path, row: dict[str, Any]) -> None:
    """Add a line at once: several processes do, and any of them may be cut off before its next one."""
    with file.open("ab", buffering=0) as out:
        out.write(json.dumps(row).encode() + b"\n")


def by_scenario(facts: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Means over runs for each scenario; one that broke off in a run is as if that run had not been."""
    found: dict[str, list[list[Outcome]]] = defaultdict(list)
    for name, run in dict.fromkeys((one.scenario, one.run) for one in facts):
        mine = [one for one in facts if (one.scenario, one.run) == (name, run)]
        if not any(one.broken for one in mine):
            found[name].append(mine)
    return {
        name: {"sgc": fmean(all(one.success for one in mine) for mine in runs), **_means([*chain(*runs)])}
        for name, runs in found.items()
    }


def _good(facts: Iterable[Outcome], run: int) -> list[Outcome]:
    return [one for one in facts if one.run == run and not one.broken]


def _means(facts: Sequence[Outcome]) -> dict[str, float]:
    return {
        "tgc": round(fmean(one.success for one in facts), 4),
        "steps": round(fmean(one.turns for one in facts), 4),
        "tokens": round(fmean(one.tokens for one in facts), 2),
    }
