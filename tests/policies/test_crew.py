"""What a process of vLLM does before there is a vLLM: everything else of it is played in tests/vllm."""

from __future__ import annotations

import os
import signal
from multiprocessing import Pipe

import pytest

from opensage.policies.vllm import crew
from opensage.policies.vllm.shape import Shape


def test_a_learner_told_to_wait_does_not_make_its_engines_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process inherits the learner's environment; below the others' priority both would wait for each other's."""
    monkeypatch.setenv("CUDA_MPS_CLIENT_PRIORITY", "1")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    here, there = Pipe()
    here.send(("close",))
    crew._serve(there, _shape())
    assert "CUDA_MPS_CLIENT_PRIORITY" not in os.environ


def _shape() -> Shape:
    return Shape(
        model="none",
        dtype="float32",
        device="cpu",
        limit=64,
        stops=(),
        rows=1,
        cache_bytes=0,
        prefill_tokens=64,
        graphs="none",
        sleep=False,
        rank=0,
    )
