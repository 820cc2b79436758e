"""benchmarks/gpu.py says what is missing before it begins, and shows results that were kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("transformers")

from opensage.models.tiny import TinySettings, make_tiny

ROOT = Path(__file__).parents[2]
SMALL = TinySettings(layers=1, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks/gpu.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_what_is_missing_or_wrong_is_told_before_anything_is_begun(tmp_path: Path) -> None:
    make_tiny(["a few words"] * 8, SMALL, seed=0).save(tmp_path / "model")
    cases = [
        ((), "--model is not given"),
        (("--model", "no/such/model"), "there is no folder"),
        (("--model", "model", "--parts", "a,z"), "--parts names Z"),
        (("--model", "model", "--trl-site", "nowhere"), "--trl-site: there is no folder 'nowhere'"),
        (("--show",), "there are no results at gpu-results"),
    ]
    try:
        import vllm  # noqa: F401
    except ImportError:
        cases.append((("--model", "model", "--parts", "D,E"), "needs the extra 'vllm'"))
    for given, told in cases:
        done = run(*given, cwd=tmp_path)
        assert done.returncode == 1 and told in done.stderr and "\nhint: " in done.stderr
    assert not (tmp_path / "gpu-results").exists()


def test_kept_results_are_shown_again(tmp_path: Path) -> None:
    done = run("--show", "--out", ROOT / "docs/results/speed/steps.json", cwd=tmp_path)
    assert done.returncode == 0 and "2.57" in done.stdout
