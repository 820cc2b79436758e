"""Where vLLM is not installed, that is said at once and in plain words."""

from __future__ import annotations

import pickle
import time

import pytest

pytest.importorskip("torch")

from opensage.errors import MissingExtra
from opensage.models.tiny import TinySettings, make_tiny
from opensage.policies.players import player_for
from opensage.policies.sampling import SamplingSettings
from opensage.policies.vllm import shape


def test_a_missing_vllm_is_told_before_any_process_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda name: None)
    brain = make_tiny(["a few words"] * 8, TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=32), seed=0)
    begun = time.monotonic()
    with pytest.raises(MissingExtra, match=r"sampling.engine = 'vllm' needs the extra 'vllm'[\s\S]*opensage\[vllm\]"):
        player_for(brain, SamplingSettings(engine="vllm", cache_gb=0.1))
    assert time.monotonic() - begun < 5


def test_errors_travel_between_processes() -> None:
    error = MissingExtra("this", "that")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert type(again) is MissingExtra and str(again) == str(error) and again.hint == error.hint
