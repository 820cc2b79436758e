"""AppWorld's tasks as its data folder tells them: splits, instructions, difficulties. Nothing of the answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from prowess.errors import WorldError, unknown
from prowess.types import Json, Task

SPLITS = ("train", "dev", "test_normal", "test_challenge")


def splits_of(data: Path) -> Sequence[str]:
    """The splits whose list is there and not empty."""
    return tuple(name for name in SPLITS if ids_of(data, name))


def tasks_of(data: Path, split: str) -> list[Task]:
    """The tasks of a split, scenario by scenario, in the benchmark's order."""
    if split not in splits_of(data):
        raise unknown("split of AppWorld", split, splits_of(data))
    scenarios: dict[str, list[str]] = {}
    for id in ids_of(data, split):
        scenarios.setdefault(scenario_of(id), []).append(id)
    return [task_of(data, id) for ids in scenarios.values() for id in sorted(ids)]


def task_of(data: Path, id: str) -> Task:
    """One task as the agent is told it."""
    specs = _read(data / "tasks" / id / "specs.json")
    who = specs["supervisor"]
    return Task(
        id=id,
        scenario=scenario_of(id),
        instruction=specs["instruction"],
        facts={
            "date and time": datetime.fromisoformat(specs["datetime"]).strftime("%A %Y-%m-%d %H:%M"),
            "name": f"{who['first_name']} {who['last_name']}",
            "email": who["email"],
            "phone number": str(who["phone_number"]),
        },
        difficulty=_difficulty(data, id),
    )


def moment_of(data: Path, id: str) -> str:
    """When a task takes place (ISO)."""
    return str(_read(data / "tasks" / id / "specs.json")["datetime"])


def scenario_of(id: str) -> str:
    """
    >>> scenario_of("0a1b2c3_1")
    '0a1b2c3'
    """
    return id.rsplit("_", 1)[0]


def _difficulty(data: Path, id: str) -> int:
    """As the benchmark grades it; 1 where the release does not tell (its test splits may not)."""
    path = data / "tasks" / id / "ground_truth" / "metadata.json"
    return int(_read(path).get("difficulty", 1)) if path.is_file() else 1


def ids_of(data: Path, split: str) -> list[str]:
    """The ids of a split's tasks as the benchmark lists them; none where the list is missing."""
    try:
        lines = (data / "datasets" / f"{split}.txt").read_text(encoding="utf-8").split()
    except OSError:
        return []
    return [line.partition(":")[0] for line in lines]


def _read(path: Path) -> Any:
    try:
        found: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise WorldError(
            f"AppWorld's data is damaged: {path} cannot be read ({type(problem).__name__})",
            hint="prowess appworld setup --force unpacks it again",
        ) from None
    return found
