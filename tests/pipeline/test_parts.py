"""From names in a recipe to live parts: those of somebody else, and what is said where they do not fit."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prowess.commands.sft import SftSettings
from prowess.commands.train.settings import TrainSettings
from prowess.credit.advantage import AdvantageSettings, make_advantage
from prowess.credit.reward import RewardSettings, make_reward
from prowess.errors import RecipeError
from prowess.learners.losses import make_kind
from prowess.pipeline.parts import parts_of
from prowess.pipeline.policies import data_of, policy_of
from prowess.pipeline.recipe import FREE, Recipe
from prowess.pipeline.work import place_of
from prowess.play import played
from prowess.play.rollout import play_task
from prowess.policies import PolicySettings
from prowess.recipe import read, to_toml
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.run.recipe import differences
from prowess.run.sinks import SinkSettings, check_sinks
from prowess.sandbox import SandboxSettings
from prowess.skills.library import Library
from prowess.store.search import SearchSettings
from prowess.store.settings import GateSettings
from prowess.types import Completion, Message, Rollout, Task
from prowess.worlds.expert import ExpertSettings


def echo(recipe: Recipe) -> Any:
    word = recipe.policy.options["word"]

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        return Completion(text=f"{word} {messages[-1].content}")

    return policy


def direct(messages: Sequence[Message], *, seed: int) -> Completion:
    return Completion(text="a policy itself, not what makes one")


def forgot(recipe: Recipe) -> None:
    """Makes no policy."""


def seedless(recipe: Recipe) -> Any:
    return lambda messages: Completion(text="")


def no_key(recipe: Recipe) -> None:
    raise ValueError("there is no key")


def named(name: str, **options: Any) -> Recipe:
    return Recipe(policy=PolicySettings(name=f"test_parts:{name}", options=options))


def test_somebody_elses_policy_is_made_with_the_recipe_and_finds_its_options_there() -> None:
    assert policy_of(named("echo", word="so"))([Message(role="user", content="be it")], seed=0).text == "so be it"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("direct", "could not be made: TypeError", "called with the recipe, and returns the policy"),
        ("forgot", "gave a NoneType, which is no policy", "called with the recipe, and returns the policy"),
        (
            "seedless",
            "cannot be called with (messages, seed=...): ",
            "a function of (messages, *, seed)",
        ),
        ("no_key", "could not be made: ValueError: there is no key", ""),
    ],
)
def test_what_makes_no_policy_is_told_how_it_is_called(name: str, message: str, hint: str) -> None:
    with pytest.raises(RecipeError) as caught:
        policy_of(named(name))
    assert caught.value.message.startswith(f"policy 'test_parts:{name}'")
    assert message in caught.value.message
    assert hint in caught.value.hint


def nothing() -> None:
    """Takes none of what parts are called with."""


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (lambda name: make_reward(RewardSettings(name=name)), "rollout"),
        (lambda name: make_advantage(AdvantageSettings(name=name)), "rewards"),
        (make_kind, "new, old, weights, sequence, settings"),
        (lambda name: make_retriever(RetrievalSettings(name=name)), "library, task"),
        (lambda name: check_sinks(SinkSettings(own=name)), "folder"),
    ],
)
def test_a_part_with_another_signature_is_told_what_it_will_be_called_with(make: Any, arguments: str) -> None:
    with pytest.raises(RecipeError, match=rf"'test_parts:nothing' cannot be called with \({arguments}\): too many"):
        make("test_parts:nothing")


def late(given: object) -> Any:
    """Raises where what it gives is looked at."""
    yield {"is": 1}["missing"]


def quits(given: object) -> None:
    raise SystemExit(0)


@pytest.mark.parametrize(("name", "problem"), [("late", "KeyError: 'missing'"), ("quits", "SystemExit: 0")])
@pytest.mark.parametrize(
    ("what", "call"),
    [
        ("reward", lambda name: make_reward(RewardSettings(name=name))([Rollout(episodes=())])),
        ("advantage", lambda name: make_advantage(AdvantageSettings(name=name))([[1.0], [2.0]])),
    ],
)
def test_a_part_that_raises_is_told_by_its_name_with_the_line(what: str, call: Any, name: str, problem: str) -> None:
    with pytest.raises(RecipeError) as caught:
        call(f"test_parts:{name}")
    said = rf"{what} 'test_parts:{name}' failed: {problem} \(test_parts\.py:\d+\)"
    assert re.fullmatch(said, caught.value.message)
    assert "the same command then goes on" in caught.value.hint
    assert isinstance(caught.value.__cause__, KeyError | SystemExit)


def test_a_retriever_that_raises_is_told_by_its_name() -> None:
    recipe = Recipe(retrieval=RetrievalSettings(name="test_parts:lost"))
    with parts_of(recipe, direct) as parts:
        task = parts.suite.tasks("dev")[0]
        episode = played(play_task(parts.agent, parts.suite, task, Library(), seed=0), direct)
    said = r"RecipeError: retriever 'test_parts:lost' failed: ZeroDivisionError: .* \(test_parts\.py:\d+\)"
    assert re.fullmatch(said, episode.error)


def lost(library: Library, task: Task) -> Any:
    return [1 / 0]


@pytest.mark.parametrize("key", ["policy.endpoint.reply_tokens", "sampling.reply_tokens", "sampling.context_tokens"])
def test_a_limit_that_would_not_hold_is_refused_and_says_which_does(key: str) -> None:
    name = key.rpartition(".")[2]
    with pytest.raises(RecipeError, match=rf"{key} is 500, and agent.{name}, .*\nhint: agent.{name} = 500, "):
        read(Recipe, "expert", [f"{key}=500"])
    assert read(Recipe, "expert", [f"{key}=500", f"agent.{name}=500"]).name == "expert"


def test_without_vllm_its_policy_is_told_how_to_play_with_another(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("prowess.policies.vllm.shape.find_spec", lambda name: None)
    with pytest.raises(RecipeError, match="the policy 'vllm' needs the extra 'vllm'") as told:
        policy_of(Recipe(policy=PolicySettings(name="vllm")))
    assert "--set policy.name=local --set sampling.engine=local" in told.value.hint, "neither alone would do"


def test_a_run_goes_on_where_its_server_moved_or_is_to_be_asked_with_more_patience() -> None:
    usual, named = Recipe(), tomllib.loads(to_toml(Recipe()))
    moved = replace(usual.policy.endpoint, url="http://there:9/v1", key_env="MINE", timeout_seconds=9.0, tries=2)
    moved = replace(moved, pause_seconds=2.0, longest_pause_seconds=3.0, late_tries=1, concurrency=2)
    other = tomllib.loads(to_toml(replace(usual, policy=replace(usual.policy, endpoint=moved))))
    changed = differences(named, other)
    assert len(changed) == 8 and changed.keys() <= set(FREE)
    another = replace(usual, policy=replace(usual.policy, endpoint=replace(moved, model="another")))
    assert not differences(named, tomllib.loads(to_toml(another))).keys() <= set(FREE)


def test_a_run_that_is_named_for_its_data_is_told_where_they_lie(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sft.jsonl").touch()
    recipe = Recipe(sft=SftSettings(data=str(tmp_path)))
    with pytest.raises(RecipeError, match=r"there is no data set at .*\nhint: there is one in .*/data: "):
        data_of(recipe)


def test_an_expert_without_a_style_is_refused_before_it_plays() -> None:
    with pytest.raises(RecipeError, match=r"styles is empty; one must be named\nhint: known: brisk, careful"):
        ExpertSettings(styles=())


@pytest.mark.parametrize("policy", ["local", "taught", "vllm"])
def test_the_store_is_told_which_model_played(policy: str) -> None:
    recipe = replace(Recipe(), policy=PolicySettings(name=policy))
    suite: Any = SimpleNamespace(documents=dict)
    assert place_of(recipe, suite).checkpoint == recipe.model.name


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("settings", "name"),
    [
        *((SearchSettings, name) for name in ("strength", "spread", "threshold", "masked")),
        (SandboxSettings, "step_seconds"),
        (TrainSettings, "minutes"),
        (GateSettings, "similar"),
        (AdvantageSettings, "least"),
    ],
)
def test_settings_that_are_no_number_are_refused_by_name(settings: Any, name: str, value: float) -> None:
    with pytest.raises(RecipeError, match=rf"^{name} is {value}; it must be "):
        settings(**{name: value})
