"""A GPU whose memory really runs out, and moments in 8 bits: what processors can only be told about.

Run with `make test-gpu` on a machine with CUDA; everywhere else these are skipped.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
]
GIB = 2**30


def learner(**settings: Any) -> Any:
    """A model of 30 million parameters in half precision."""
    from prowess.learners.losses import LossSettings
    from prowess.learners.settings import LearnerSettings
    from prowess.learners.torch import TorchLearner
    from prowess.models.tiny import TinySettings, make_tiny
    from prowess.policies.sampling import SamplingSettings

    shape = TinySettings(layers=8, hidden=512, heads=8, kv_heads=2, inner=2048, vocab=400, positions=1024)
    brain = make_tiny(["Like every song by Juno Halloway.", "Add an alarm at 7"] * 4, shape, seed=0)
    brain.model.to(device="cuda", dtype=torch.bfloat16)
    return TorchLearner(brain, LearnerSettings(rate=1e-3, **settings), LossSettings(), SamplingSettings())


def samples(count: int) -> list[Any]:
    from prowess.types import Sample

    draws = random.Random(0)
    return [
        Sample(
            tokens=tuple(draws.randrange(5, 200) for _ in range(500)),
            weights=(0.0,) * 100 + ((-1.0) ** number,) * 400,
            logprobs=(0.0,) * 100 + (-5.0,) * 400,
        )
        for number in range(count)
    ]


@pytest.fixture
def narrow() -> Iterator[None]:
    """Three GiB for this process, whatever the device has."""
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(3 * GIB / torch.cuda.get_device_properties(0).total_memory)
    yield
    torch.cuda.set_per_process_memory_fraction(1.0)
    torch.cuda.empty_cache()


def weights(mine: Any) -> Any:
    return torch.cat([one.detach().float().flatten() for one in mine.model.parameters()])


def test_where_memory_runs_out_the_step_is_made_in_smaller_micro_batches(narrow: None) -> None:
    mine = learner(micro_tokens=65_536)
    mine.step(samples(1))  # the optimiser's moments take room, too, and are made by the first step
    before = weights(mine)
    told = mine.step(samples(128))
    assert told["learn/micro_tokens"] < 65_536 and told["learn/skipped"] == 0
    assert told["learn/peak_gb"] < 3 and not torch.equal(before, weights(mine))
    again = mine.step(samples(128))
    assert again["learn/micro_tokens"] == told["learn/micro_tokens"], "what did not fit is not tried again"


def test_moments_in_eight_bits_learn_and_take_less() -> None:
    pytest.importorskip("bitsandbytes")
    held = {}
    for name in ("adamw", "adamw8bit"):
        mine = learner(optimizer=name)
        before = weights(mine)
        losses = [mine.step(samples(16))["learn/nll"] for _ in range(3)]
        assert all(map(torch.isfinite, map(torch.tensor, losses))) and not torch.equal(before, weights(mine))
        state = mine.optimiser._rule.rule.state
        moments = [value for one in state.values() for value in one.values() if torch.is_tensor(value)]
        held[name] = sum(value.numel() * value.element_size() for value in moments)
    assert held["adamw8bit"] < 0.4 * held["adamw"]
