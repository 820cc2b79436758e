"""The example world is sound, can be solved, and is what the guide says."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opensage.collect import collect
from opensage.errors import PolicyError
from opensage.prompts import prompt_named
from opensage.recipe import read, to_toml
from opensage.run import Run
from opensage.sandbox import Sandbox, SandboxSettings, open_sandbox
from opensage.stages import check_split
from opensage.wiring import Recipe, parts_of
from opensage.worlds.check import RULES, check
from opensage.worlds.desk.expert import Expert

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings())
    yield opened
    opened.close()


@pytest.fixture
def pantry(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "examples")
    yield importlib.import_module("own_world").suite(None, sandbox)
    sys.modules.pop("own_world")


def test_the_example_world_keeps_the_contract(pantry: Any) -> None:
    assert check(pantry, tasks=2) == ()


def test_the_example_world_can_be_solved(pantry: Any) -> None:
    world = pantry.open(pantry.tasks("test")[1])
    assert world.execute("print(apis.pantry.show())").text.strip() == '{"salt": 1, "sugar": 1}'
    refused = world.execute("apis.pantry.add(goods='salt', bags=-1)")
    assert refused.failed and "0 < bags < 100" in refused.text
    seen = world.execute("apis.pantry.add(goods='salt', bags=2)\napis.supervisor.complete_task()")
    assert seen.done and seen.apis == ("pantry.add", "supervisor.complete_task")
    assert world.evaluate().success
    world.close()


def test_the_recipe_beside_it_names_somebody_who_shows_how_and_reuses_what_was_written(
    pantry: Any, tmp_path: Path
) -> None:
    recipe = read(Recipe, str(ROOT / "examples" / "pantry.toml"))
    with Run.create(tmp_path, command="collect", recipe_toml=to_toml(recipe), seed=0) as run, parts_of(recipe) as parts:
        found = collect(parts.agent_at, parts.suite, recipe.collect, run, seed=0, workers=2)
        episodes = [played.episode for played in run.episodes()]
    assert (found.kept, found.chains, found.tries) == (8, 8, 24)
    assert [len(episode.called) for episode in episodes if episode.task.id == "oats_2"] == [1] * 4
    check_split(recipe, "test")


def test_the_expert_of_desk_says_that_it_is_of_no_use_there(pantry: Any) -> None:
    task = pantry.tasks("train")[0]
    with pytest.raises(PolicyError, match=r"does not understand the task 'Make sure[\s\S]*'module:function'"):
        Expert()(prompt_named("react").opening(task), seed=0)


def test_the_guide_lists_every_rule() -> None:
    guide = (ROOT / "docs" / "worlds.md").read_text(encoding="utf-8")
    assert [line.split("|")[1].strip() for line in guide.splitlines() if line.startswith("| ")][1:] == list(RULES)
