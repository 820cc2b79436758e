"""`prowess appworld verify`: what is well, what is not, and nothing of the tasks in what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from prowess_appworld.place import Installation
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.verify import Outcome, outcomes_grid, verify
from prowess_appworld.world import AppWorldSuite

from prowess.sandbox import Sandbox


def test_two_tasks_are_verified_from_the_command_line(suite: AppWorldSuite, home: Path) -> None:
    command = [sys.executable, "-m", "prowess", "appworld", "verify", "--home", str(home), "--tasks", "2"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert run.returncode == 0, run.stderr
    for head in ("tasks", "reference scores 1.0", "doing nothing scores < 1", "evaluation by replay"):
        assert re.search(rf"^ *{re.escape(head)} +2 +2 *$", run.stdout, re.MULTILINE), run.stdout
    assert re.search(r"^ *failed +0 +0 *$", run.stdout, re.MULTILINE), run.stdout
    assert "verify train: 2/2 (100%), done" in run.stderr
    for task in suite.tasks("train")[:2]:
        assert task.instruction[:20] not in run.stdout + run.stderr
        assert str(task.facts["name"]) not in run.stdout + run.stderr


def test_a_missing_reference_and_a_reference_that_does_nothing_are_found(
    place: Installation, sandbox: Sandbox, tmp_path: Path
) -> None:
    ids = (place.data / "datasets/train.txt").read_text().split()[:3]
    _borrow(place.data, tmp_path / "data", ids)
    for id, calls in ((ids[0], None), (ids[1], "[]")):
        truth = tmp_path / "data/tasks" / id / "ground_truth/api_calls.json"
        truth.unlink()
        if calls:
            truth.write_text(calls)
    settings = AppWorldSettings(python=str(place.python), root=str(tmp_path))
    with closing(AppWorldSuite(settings, sandbox)) as suite:
        tasks = sorted(suite.tasks("train"), key=lambda task: ids.index(task.id))
        lost, idle, good = verify(suite, tasks, workers=2)
    assert not lost.tried and lost.trouble == f"task {ids[0]} has no reference to judge by"
    assert idle.trouble == "doing nothing scores 1.0"
    assert good == Outcome(
        task=ids[2], scenario=good.scenario, difficulty=good.difficulty, replayed=True, idle=good.idle
    )
    assert 0 < good.idle < 1


def test_outcomes_become_a_table_by_difficulty() -> None:
    good = Outcome(task="a_1", scenario="a", difficulty=1, replayed=True, idle=0.5, refused=2, official=True)
    bad = Outcome(task="b_1", scenario="b", difficulty=3, tried=False, trouble="it died")
    grid = outcomes_grid([good, bad])
    assert grid.columns == ("all", "difficulty 1", "difficulty 3")
    assert {row.head.strip(): [cell.text for cell in row.cells] for row in grid.rows} == {
        "tasks": ["2", "1", "1"],
        "scenarios": ["2", "1", "1"],
        "reference scores 1.0": ["1", "1", "0"],
        "doing nothing scores < 1": ["1", "1", "0"],
        "calls refused by design": ["2", "2", "0"],
        "evaluation by replay": ["1", "1", "0"],
        "official evaluation there": ["1", "1", "0"],
        "the reference passes it": ["1", "1", "0"],
        "failed": ["1", "0", "1"],
    }


def _borrow(data: Path, new: Path, ids: list[str]) -> None:
    """A data folder of a few tasks, made of links to what is there; the tasks' truths are copies."""
    (new / "datasets").mkdir(parents=True)
    (new / "datasets/train.txt").write_text("\n".join(ids))
    for name in ("base_dbs", "api_docs"):
        (new / name).symlink_to(data / name)
    for id in ids:
        truth = new / "tasks" / id / "ground_truth"
        truth.mkdir(parents=True)
        for name in ("specs.json", "dbs"):
            (new / "tasks" / id / name).symlink_to(data / "tasks" / id / name)
        for file in os.listdir(data / "tasks" / id / "ground_truth"):
            (truth / file).symlink_to(data / "tasks" / id / "ground_truth" / file)
