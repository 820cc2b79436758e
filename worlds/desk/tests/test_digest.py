"""One digest over all of desk: moving or renaming code must change no task, program, wording or check.

For each family, drill and errand the digest takes what it states (name, split, slots, wordings, source of its program,
mistakes) and its first tasks, drawn: values, what the set-up wrote, what the goal writes, and the answer. A
change of meaning is allowed, but it changes published figures: then write the new digest here and say why.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from prowess_desk.engine.case import SIBLINGS, Case, case_of
from prowess_desk.engine.family import Family, source_of
from prowess_desk.engine.tables import State
from prowess_desk.engine.world import STARTER, DeskSuite
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings
from prowess_practice.drills import drills

from prowess.errors import WorldError
from prowess.types import Task


def plain(value: Any) -> Any:
    """What JSON has no type for, as text; sets in order."""
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def digest(values: Iterable[Any]) -> str:
    found = hashlib.sha256()
    for value in values:
        found.update(json.dumps(value, default=plain, sort_keys=True).encode() + b"\n")
    return found.hexdigest()[:16]


def stated(family: Family) -> dict[str, Any]:
    program = family.program
    return {
        "name": family.name,
        "split": family.split,
        "difficulty": family.difficulty,
        "apps": family.apps,
        "slots": [(name, kind.__name__) for name, kind in family.slots.items()],
        "wordings": family.wordings,
        "functions": [source_of(function) for function in program.functions],
        "call": program.call,
        "mistakes": [asdict(mistake) for mistake in family.mistakes],
        "asks": family.asks,
        "kept": family.kept,
    }


def written(state: State) -> list[Any]:
    """The rows that differ from the universe's, kind by kind."""
    return sorted(
        (kind.__name__, id, asdict(row) if (row := state[kind].get(id)) else None)
        for kind in state.touched()
        for id in state[kind].touched()
    )


def drawn(case: Case) -> dict[str, Any]:
    return {
        "me": asdict(case.me),
        "values": dict(case.values),
        "start": written(case.start),
        "goal": written(case.goal),
        "answer": case.answer,
    }


def cases(family: Family, count: int) -> Iterator[Any]:
    """The first tasks of a scenario; a drill may find no data for one in a universe."""
    for sibling in range(count):
        try:
            yield drawn(case_of(family, 11, 7, sibling))
        except WorldError:
            yield None


def everything(families: Iterable[Family], count: int) -> Iterator[Any]:
    for family in families:
        yield stated(family)
        yield from cases(family, count)


def listed(settings: DeskSettings) -> Iterator[Any]:
    """Every task of every split, in order."""
    suite = DeskSuite(settings, None)  # type: ignore[arg-type]  # nothing is opened
    tasks: list[Task] = [task for split in suite.splits() for task in suite.tasks(split)]
    return (asdict(task) | {"facts": dict(task.facts)} for task in tasks)


def test_families_are_what_they_were() -> None:
    assert digest(everything(FAMILIES.values(), SIBLINGS)) == "b4bfcc82db712427"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (DeskSettings(), "8183ed914c628e34"),
        (DeskSettings(seed=3, scenarios=2, wording="mixed", fresh=2), "150a8361cb2855eb"),
        (DeskSettings(part="starter", scenarios=4), "56f516ab52954774"),
        (DeskSettings(drills=40, errands=40, fresh_errands=20), "021b75daceda1bc9"),
    ],
    ids=["all", "mixed", "starter", "practice"],
)
def test_splits_hold_the_tasks_that_they_held(settings: DeskSettings, expected: str) -> None:
    assert digest(listed(settings)) == expected


def test_the_starter_part_has_the_families_that_it_had() -> None:
    assert digest([STARTER]) == "f2a3aab2cef08bd8"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_drills_are_what_they_were() -> None:
    assert digest(everything(drills().values(), 1)) == "c0e6468e2c45fc3f"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_errands_are_what_they_were() -> None:
    """Programs of errands loop over sets of names, so the rows they make are numbered in the order of their hashes."""
    code = (
        "import test_digest as t, prowess_practice.errands as e; print(t.digest(t.everything(e.errands().values(), 1)))"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "3a5e651dc9cf93c3", done.stderr
