"""What a recipe lacks, told before anything is begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess.errors import RecipeError
from prowess.pipeline.checks import check_split
from prowess.pipeline.recipe import Recipe
from prowess.recipe import resolve

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
