"""benchmarks/gpu.py says what is missing before it begins, and shows results that were kept."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytest.importorskip("transformers")

from prowess.models.tiny import TinySettings, make_tiny

ROOT = Path(__file__).parents[2]
SMALL = TinySettings(layers=1, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks/gpu.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_what_is_missing_or_wrong_is_told_before_anything_is_begun(tmp_path: Path) -> None:
    make_tiny(["a few words"] * 8, SMALL, seed=0).save(tmp_path / "model")
    (tmp_path / "adapter").mkdir()
    (tmp_path / "adapter/adapter_config.json").write_text('{"base_model_name_or_path": "model"}')
    cases = [
        ((), "--model is not given"),
        (("--model", "no/such/model"), "--model: there is no folder 'no/such/model'"),
        (("--model", "owner/name"), "--model: there is no folder 'owner/name'\nhint: the folder of a transformers"),
        (("--model", "adapter"), "--model: 'adapter' is an adapter"),
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
    done = run("--show", "--out", ROOT / "studies/speed/steps.json", cwd=tmp_path)
    assert done.returncode == 0 and "2.57" in done.stdout


def test_what_trl_is_measured_with_comes_with_the_extra_for_it() -> None:
    nodes = [*ast.walk(ast.parse((ROOT / "benchmarks/gpu_trl.py").read_text(encoding="utf-8")))]
    named = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    named += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    own = {"prowess", *(path.stem for path in (ROOT / "benchmarks").glob("*.py"))}
    asked = {name.partition(".")[0] for name in named} - sys.stdlib_module_names - own
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    brought = {Requirement(text).name for extra in ("compare", "learn", "vllm") for text in extras[extra]}
    assert "peft" in asked and asked - brought == {"datasets"}, "which TRL asks for itself"
