"""Where vLLM is not installed, that is said at once and in plain words."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from prowess.cli import commands
from prowess.errors import MissingExtra, RecipeError
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.engines import check_engine, player_for
from prowess.policies.sampling import SamplingSettings
from prowess.policies.vllm import shape
from prowess.policies.vllm.engine import _told

torch = pytest.importorskip("torch")
ROOT = Path(__file__).parents[2]


def test_a_missing_vllm_is_told_before_any_process_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda name: None)
    brain = make_tiny(["a few words"] * 8, TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=32), seed=0)
    begun = time.monotonic()
    with pytest.raises(
        MissingExtra, match=r"sampling.engine = 'vllm' needs the extra 'vllm'[\s\S]*prowess\[vllm\]"
    ) as told:
        player_for(brain, SamplingSettings(engine="vllm", cache_gb=0.1))
    assert time.monotonic() - begun < 5
    assert told.value.hint.endswith("--set sampling.engine=local"), "what plays on this machine is said, too"


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


@pytest.mark.skipif(
    not shutil.which("make") or Path("/dev/nvidiactl").exists() or bool(shutil.which("nvidia-smi")),
    reason="there is no make, or there may be a GPU",
)
@pytest.mark.parametrize("target", ["gpu", "test-gpu", "headline"])
def test_what_wants_a_gpu_says_so_without_one_before_it_installs_anything(target: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "locks").mkdir()
    for name in ("pyproject.toml", "locks/gpu.txt", "locks/gpu-testing.txt"):
        (tmp_path / name).touch()
    done = subprocess.run(["make", "-j2", target], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and f"error: make {target} needs a GPU" in done.stderr and "hint: " in done.stderr
    assert not (tmp_path / ".gpu").exists()


@pytest.mark.parametrize(
    ("problem", "hint"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 24.00 GiB"), "a smaller sampling.cache_gb"),
        (
            ValueError("Available memory on node 0 is less than requested memory for kv (24.0 GiB)"),
            "a smaller sampling",
        ),
        (ValueError("Free memory on device (3/139 GiB) is less than desired"), "nvidia-smi"),
        (ValueError("0.35 GiB KV cache is needed, the model's max seq len is 8192"), "a larger sampling.cache_gb"),
        (ValueError("word " * 500), "VLLM_LOGGING_LEVEL"),
    ],
)
def test_what_vllm_breaks_at_is_told_with_what_to_do(problem: Exception, hint: str) -> None:
    told = _told(problem)
    assert isinstance(told, RecipeError) and hint in told.hint
    assert len(told.message) < 450 and told.message.endswith(str(problem)[-9:] if len(str(problem)) < 400 else "...")


def test_a_gpu_that_is_full_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full() -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.90 GiB\nmore")

    monkeypatch.setattr(commands, "app", full)
    with pytest.raises(SystemExit):
        commands.main()
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "error: the GPU's memory is full: CUDA out of memory. Tried to allocate 2.90 GiB"
    assert told[1].startswith("hint: nvidia-smi")


def test_errors_travel_between_processes() -> None:
    error = MissingExtra("this", "that")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert type(again) is MissingExtra and str(again) == str(error) and again.hint == error.hint
