"""The learner and its own policy: the same weights, the same probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.sampling import SamplingSettings
from prowess.types import Completion, Learner, Message, Request, Sample

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
SHAPE = TinySettings(layers=2, hidden=32, heads=4, kv_heads=2, inner=48, vocab=400, positions=256, spread=0.2)
SPEAK = SamplingSettings(reply_tokens=24, context_tokens=256)


def learner(rank: int = 0, temperature: float = 1.0) -> TorchLearner:
    settings = LearnerSettings(rate=1e-2, lora_rank=rank, temperature=temperature)
    sampling = SamplingSettings(reply_tokens=24, context_tokens=256, temperature=temperature)
    return TorchLearner(make_tiny(TEXTS, SHAPE, seed=3), settings, LossSettings(), sampling)


def played(mine: TorchLearner, count: int = 5) -> list[Sample]:
    """What the policy says to a few conversations, as samples that reward every other one."""
    talks = [
        Request(key=str(n), messages=(Message(role="user", content=TEXTS[n % 3][: 8 + 3 * n]),), seed=n)
        for n in range(count)
    ]
    replies = [reply for reply in mine.policy().replies(talks) if isinstance(reply, Completion)]
    assert len(replies) == count
    return [
        Sample(
            tokens=reply.prompt + reply.tokens,
            weights=(0.0,) * len(reply.prompt) + ((-1.0) ** n,) * len(reply.tokens),
            logprobs=(0.0,) * len(reply.prompt) + reply.logprobs,
        )
        for n, reply in enumerate(replies)
    ]


@pytest.mark.parametrize(("rank", "temperature"), [(0, 1.0), (0, 0.7), (4, 1.0)])
def test_sampler_and_learner_agree_before_and_after_a_step(rank: int, temperature: float) -> None:
    mine = learner(rank, temperature)
    for _ in range(3):
        samples = played(mine)
        for sample, found in zip(samples, mine.logprobs(samples), strict=True):
            assert found == pytest.approx(sample.logprobs, abs=1e-4)
        metrics = mine.step(samples)
        assert metrics["learn/mismatch"] < 1e-4 and metrics["learn/ratio"] == pytest.approx(1.0)


def test_a_policy_plays_with_the_weights_as_they_are_now() -> None:
    mine = learner()
    first = played(mine)
    assert played(mine) == first
    mine.step(first)
    assert played(mine) != first


def test_the_learner_is_one() -> None:
    mine: Learner = learner()
    assert {"step", "policy", "save", "load"} <= set(dir(mine))


def test_a_checkpoint_is_a_model_that_can_be_named_in_a_recipe(tmp_path: Path) -> None:
    mine = learner()
    mine.step(played(mine))
    mine.save(tmp_path / "step-1")
    again: Any = TorchLearner(load(ModelSettings(name=str(tmp_path / "step-1"), device="cpu")), None, None, SPEAK)
    assert played(again) == played(mine)
