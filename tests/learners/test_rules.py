"""Rules of change: moments in 8 bits, and what becomes of them in a checkpoint."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from small_models import batch, brain_of, small

from prowess.errors import MissingExtra, StoreError
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner

FULL = LearnerSettings(rate=1e-3, weight_decay=0.1)
EIGHT = replace(FULL, optimizer="adamw8bit")


def learner(settings: LearnerSettings, **model: Any) -> TorchLearner:
    return TorchLearner(brain_of(small(intermediate_size=128, **model)), settings)


def weights(one: TorchLearner) -> torch.Tensor:
    return torch.cat([value.detach().float().flatten() for value in one.model.parameters()])


def test_eight_bits_go_nearly_where_full_precision_goes() -> None:
    pytest.importorskip("bitsandbytes")
    start, full, eight = learner(FULL), learner(FULL), learner(EIGHT)
    for seed in range(4):
        full.step(batch(seed=seed))
        eight.step(batch(seed=seed))
    there, here = (weights(one) - weights(start) for one in (full, eight))
    assert 0 < float((there - here).norm()) < 0.2 * float(there.norm())


@pytest.mark.parametrize("more", [{}, {"dtype": "bfloat16"}, {"lora_rank": 64}], ids=["all", "bfloat16", "lora"])
def test_moments_in_eight_bits_are_kept_over_a_checkpoint(more: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    settings = replace(EIGHT, **more)
    straight, first, second = (learner(settings, hidden=64) for _ in range(3))
    for seed in range(4):
        straight.step(batch(seed=seed))
    for seed in range(2):
        first.step(batch(seed=seed))
    assert any(one.dtype == torch.uint8 for one in first.optimiser.state().values())
    first.save(tmp_path / "one")
    second.load(tmp_path / "one")
    for seed in range(2, 4):
        second.step(batch(seed=seed))
    assert torch.equal(weights(second), weights(straight))
    assert all(torch.equal(one, second.optimiser.state()[name]) for name, one in straight.optimiser.state().items())


def test_moments_of_another_rule_are_refused_and_its_weights_are_not(tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    full, eight = learner(FULL), learner(EIGHT)
    full.step(batch())
    full.save(tmp_path / "one")
    before = weights(eight)
    with pytest.raises(StoreError, match="holds moments of adamw, and the learner goes by adamw8bit"):
        eight.load(tmp_path / "one")
    assert torch.equal(weights(eight), before)
    eight.start(tmp_path / "one")
    assert torch.equal(weights(eight), weights(full))


def test_moments_of_masters_that_are_not_here_are_refused(tmp_path: Path) -> None:
    one = learner(replace(FULL, lora_rank=4))
    one.step(batch())
    one.weights.masters = one.optimiser.masters = {f"old.{name}": it for name, it in one.optimiser.masters.items()}
    one.save(tmp_path / "one")
    with pytest.raises(StoreError, match="holds moments of another learner"):
        learner(replace(FULL, lora_rank=4)).load(tmp_path / "one")


def test_eight_bits_without_their_library_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitsandbytes.optim", None)
    with pytest.raises(MissingExtra, match="'adamw8bit' needs the extra 'adamw8bit'"):
        learner(EIGHT)
