"""Kernels that stand in for norms and gates: for which, and that the model is itself again afterwards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from small_models import small
from torch import Tensor
from torch.nn.functional import silu

from prowess.learners import fused


def norm(x: Tensor, weight: Tensor, eps: float, offset: float, casting: str, in_place: bool) -> Tensor:
    """What Liger's kernel computes, as its documentation says it."""
    assert (offset, casting, in_place) == (0.0, "llama", False)
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))


PLAIN = SimpleNamespace(liger_rms_norm=norm, liger_swiglu=lambda gate, up: silu(gate) * up)


@pytest.mark.parametrize("family", ["llama", "qwen2"])
def test_norms_and_gates_are_stood_in_for_and_nothing_else_changes(family: str) -> None:
    model = small(family)
    tokens = torch.arange(20)[None]
    before = model(tokens).logits
    swapped = [part for part in model.modules() if fused._stand_in(part, PLAIN)]
    names = sorted(type(part).__name__ for part in swapped)
    assert names == sorted([*[f"{family.capitalize()}RMSNorm"] * 5, *[f"{family.capitalize()}MLP"] * 2])
    assert torch.allclose(model(tokens).logits, before, atol=1e-5)


def test_on_a_processor_the_model_computes_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    model: Any = small("qwen2")
    monkeypatch.setattr(fused, "_liger", lambda: PLAIN)
    with fused.fused(model):
        assert not any("forward" in vars(part) for part in model.modules())
