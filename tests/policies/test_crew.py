"""What a process of vLLM inherits from the learner's, and what not."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection

import pytest

pytest.importorskip("torch")
from opensage.policies.vllm.crew import SHARE, _serve


def _started(pipe: Connection, told: Connection) -> None:
    _serve(pipe, shape=None)  # type: ignore[arg-type]  # nothing is built until it is told to start
    told.send(os.environ.get(SHARE))


def test_a_bound_on_the_learners_share_of_the_gpu_does_not_bind_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARE, "60")
    spawn = multiprocessing.get_context("spawn")
    (here, there), (ear, mouth) = spawn.Pipe(), spawn.Pipe()
    process = spawn.Process(target=_started, args=(there, mouth))
    process.start()
    here.send(("close",))
    assert ear.poll(60) and ear.recv() is None
    process.join(timeout=30)
    assert os.environ[SHARE] == "60"
