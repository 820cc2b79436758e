"""What weights that lie on several GPUs cannot do is told before anything is begun."""

from __future__ import annotations

import pytest

from prowess.errors import RecipeError
from prowess.pipeline.conflicts import check_together
from prowess.pipeline.recipe import Recipe
from prowess.recipe import resolve

SERVED = {"engine": "server", "server": {"urls": ["http://localhost:8000"], "weights": "whole"}}


def recipe(**more: object) -> Recipe:
    learner = {"engine": "verl", **more.pop("learner", {})}  # type: ignore[dict-item]
    return resolve(Recipe, {"sampling": SERVED, "learner": learner, **more})


def test_a_recipe_for_several_gpus_that_play_on_servers_is_fine() -> None:
    check_together(recipe())
    check_together(recipe(loss={"kl": 0.1}, learner={"lora_rank": 8}))


@pytest.mark.parametrize(
    ("more", "told", "hint"),
    [
        ({"learner": {"optimizer": "adamw8bit"}}, "learner.optimizer 'adamw8bit'", "learner.optimizer = 'adamw'"),
        ({"learner": {"weight_decay": 0.1}}, "learner.weight_decay 0.1", "weight_decay = 0"),
        ({"loss": {"kl": 0.1}}, "loss.kl 0.1: a second copy of all weights", "lora_rank above 0"),
        ({"sampling": {"engine": "local"}}, "sampling.engine 'local'", "sampling.engine = 'server'"),
        ({"sampling": {"engine": "vllm"}}, "sampling.engine 'vllm'", "sampling.engine = 'server'"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else str(value),
)
def test_what_it_cannot_do_is_refused_with_what_to_set_instead(more: dict[str, object], told: str, hint: str) -> None:
    with pytest.raises(RecipeError) as refused:
        check_together(recipe(**more))
    assert "learner.engine is 'verl'" in refused.value.message and told in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("verl", "told"),
    [
        ({"gpus": 0}, "verl.gpus is 0"),
        ({"gpus": 4, "shard": 3}, "verl.shard is 3"),
        ({"gpus": 4, "sequence": 3, "tree": False}, "verl.sequence is 3"),
        ({"gpus": 4, "sequence": 2}, "trees are not cut over GPUs"),
        ({"restarts": -1}, "verl.restarts is -1"),
    ],
)
def test_numbers_of_gpus_that_cannot_be_are_refused(verl: dict[str, object], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        recipe(learner={"verl": verl})
