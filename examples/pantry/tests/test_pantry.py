"""The world keeps the contract, its expert can do its tasks, and doing nothing solves none."""

from __future__ import annotations

from pathlib import Path

import prowess
from prowess.worlds.check import check

WORLD = "prowess_pantry.plugin:WORLD"
RECIPE = Path(__file__).parents[1] / "pantry.toml"


def test_the_world_keeps_the_contract() -> None:
    with prowess.open_suite(WORLD, scenarios=1) as suite:
        assert check(suite, tasks=1) == ()


def test_the_expert_solves_every_task_and_calls_what_it_wrote_before() -> None:
    with prowess.open_recipe(RECIPE, {"suite.options.scenarios": 1}) as parts:
        rollout = prowess.rollout(parts.agent, parts.suite, prowess.chains_of(parts.suite, "train")[0])
    assert [episode.success for episode in rollout.episodes] == [True, True, True]
    assert [bool(episode.called) for episode in rollout.episodes] == [False, True, True]


def test_doing_nothing_solves_no_task() -> None:
    with prowess.open_suite(WORLD, scenarios=1) as suite:
        world = suite.open(suite.tasks("train")[0])
        world.execute("apis.supervisor.complete_task()")
        assert not world.evaluate().success
        world.close()
