"""Part D of benchmarks/gpu.py measures the way to learn that a line names, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from prowess.errors import RecipeError
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models.tiny import TinySettings, make_tiny
from prowess.types import Sample

ROOT = Path(__file__).parents[2]
SMALL = TinySettings(layers=1, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def learner() -> TorchLearner:
    return TorchLearner(make_tiny(["a few words"] * 8, SMALL, seed=0), LearnerSettings(rate=1e-6, micro_tokens=64))


def batch() -> list[Sample]:
    rows = [tuple((number * 31 + place * 7) % 199 for place in range(40)) for number in range(8)]
    return [Sample(tokens=row, weights=(0.0,) * 20 + (1.0,) * 20, logprobs=(-1.0,) * 40) for row in rows]


def test_every_size_of_micro_batches_is_the_one_that_is_learnt_with() -> None:
    from gpu_ours import Way, _learnt

    mine, samples = learner(), batch()
    found = [_learnt(mine, samples, Way(batch="long", micro=micro)) for micro in (64, 128, 1024)]
    assert [one["streams"] for one in found] == [8, 3, 1]


def test_what_does_not_fit_is_told_and_the_next_way_begins_afresh() -> None:
    from gpu_ours import Way, _learnt

    mine, samples = learner(), batch()

    def crowded(_: Any, inputs: tuple[Any, ...]) -> None:
        if inputs[0].shape[-2] > 128:
            raise torch.OutOfMemoryError("CUDA out of memory")

    mine.model.model.layers[-1].register_forward_pre_hook(crowded)
    with pytest.raises(RecipeError, match="memory ran out with micro-batches of 1024 tokens"):
        _learnt(mine, samples, Way(batch="long", micro=1024))
    assert _learnt(mine, samples, Way(batch="long", micro=128))["streams"] == 3
