"""AppWorld's tasks: splits, order and what an agent is told. Nothing of their text is written here."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from prowess_appworld.inventory import inventory_of
from prowess_appworld.place import Installation
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.tasks import tasks_of
from prowess_appworld.world import AppWorldSuite

from prowess.errors import RecipeError, WorldError
from prowess.sandbox import Sandbox


def test_the_training_split_is_thirty_scenarios_of_three_tasks_in_a_row(suite: AppWorldSuite) -> None:
    tasks = suite.tasks("train")
    assert len(tasks) == 90
    assert set(Counter(task.scenario for task in tasks).values()) == {3}
    assert [task.id for task in tasks[:3]] == [f"{tasks[0].scenario}_{n}" for n in (1, 2, 3)]
    for first in range(0, 90, 3):
        assert len({task.scenario for task in tasks[first : first + 3]}) == 1


def test_splits_share_no_scenario(suite: AppWorldSuite) -> None:
    scenarios = [{task.scenario for task in suite.tasks(split)} for split in suite.splits()]
    assert len(scenarios) >= 2
    assert sum(len(each) for each in scenarios) == len(set().union(*scenarios))


def test_a_task_tells_who_asks_and_when_and_its_instruction(suite: AppWorldSuite) -> None:
    for task in suite.tasks("dev"):
        assert [*task.facts] == ["date and time", "name", "email", "phone number"]
        assert re.fullmatch(r"[A-Z][a-z]+day 20\d\d-\d\d-\d\d \d\d:\d\d", str(task.facts["date and time"]))
        assert len(task.instruction) > 20
        assert task.difficulty in (1, 2, 3)


def test_a_scenario_counts_as_its_hardest_task(suite: AppWorldSuite, place: Installation, sandbox: Sandbox) -> None:
    settings = AppWorldSettings(python=str(place.python), root=str(place.root), difficulties=(1, 2))
    easier = AppWorldSuite(settings, sandbox).tasks("train")
    assert 0 < len(easier) < len(suite.tasks("train"))
    assert max(task.difficulty for task in easier) == 2
    assert set(Counter(task.scenario for task in easier).values()) == {3}


def test_an_unknown_split_is_told_with_those_there_are(suite: AppWorldSuite) -> None:
    with pytest.raises(RecipeError, match="unknown split of AppWorld 'tran'\nhint: did you mean 'train'"):
        suite.tasks("tran")


def test_a_task_whose_file_is_cut_off_is_told_with_what_to_do(place: Installation, tmp_path: Path) -> None:
    id = (place.data / "datasets" / "train.txt").read_text().split()[0]
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "train.txt").write_text(id)
    shutil.copytree(place.data / "tasks" / id, tmp_path / "tasks" / id)
    specs = tmp_path / "tasks" / id / "specs.json"
    specs.write_text(specs.read_text()[:50])
    with pytest.raises(
        WorldError, match=r"specs.json cannot be read \(JSONDecodeError\)\nhint: prowess appworld setup"
    ):
        tasks_of(tmp_path, "train")


def test_the_inventory_counts_what_the_suite_plays(suite: AppWorldSuite, place: Installation) -> None:
    found = inventory_of(place)
    assert found.version == "0.1.3.post1" and found.apps
    assert found.splits == {split: len(suite.tasks(split)) for split in suite.splits()}
    assert found.replay == found.tasks
    assert found.official == sum(suite.official(task) for split in suite.splits() for task in suite.tasks(split))
