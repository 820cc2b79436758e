"""Where vLLM is not installed, that is said at once and in plain words."""

from __future__ import annotations

import pickle
import time
from contextlib import nullcontext

import pytest

from opensage.errors import MissingExtra, RecipeError
from opensage.models.tiny import TinySettings, make_tiny
from opensage.policies.players import check_engine, player_for
from opensage.policies.sampling import SamplingSettings
from opensage.policies.vllm import shape

torch = pytest.importorskip("torch")


def test_a_missing_vllm_is_told_before_any_process_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda name: None)
    brain = make_tiny(["a few words"] * 8, TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=32), seed=0)
    begun = time.monotonic()
    with pytest.raises(MissingExtra, match=r"sampling.engine = 'vllm' needs the extra 'vllm'[\s\S]*opensage\[vllm\]"):
        player_for(brain, SamplingSettings(engine="vllm", cache_gb=0.1))
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(("name", "version", "runs"), [("vllm", "0.24.0", False), ("vllm", "0.24.0+cpu", True)])
def test_a_vllm_without_a_gpu_is_told_unless_it_is_built_for_processors(
    name: str, version: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda module: True)
    monkeypatch.setattr(shape, "packages_distributions", lambda: {"vllm": [name]})
    monkeypatch.setattr(shape, "version", lambda package: version)
    told = nullcontext() if runs else pytest.raises(RecipeError, match=r"PyTorch finds no GPU[\s\S]*nvidia-smi")
    with told:
        check_engine(SamplingSettings(engine="vllm"))
    check_engine(SamplingSettings(engine="local"))


def test_errors_travel_between_processes() -> None:
    error = MissingExtra("this", "that")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert type(again) is MissingExtra and str(again) == str(error) and again.hint == error.hint
