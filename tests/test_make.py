"""What the Makefile does on a machine with a GPU, where a stand-in is the GPU and another one Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PYTHON = """#!/bin/sh
echo "$@" >> "$SAID"
case "$*" in
    *tables.py*) echo "a table"; exit $TABLES ;;
    "-m venv .gpu") mkdir -p .gpu/bin && cp "$0" .gpu/bin/python && cp "$0" .gpu/bin/prowess ;;
esac
"""

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="there is no make")


def program(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    place.chmod(0o755)


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """A checkout with a Makefile alone, and an environment for the GPU that is installed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "locks").mkdir()
    for name in ("pyproject.toml", "locks/gpu.txt", "locks/gpu-testing.txt"):
        (tmp_path / name).touch()
    program(tmp_path / "bin/nvidia-smi", "#!/bin/sh\n")
    program(tmp_path / ".gpu/bin/python", PYTHON)
    (tmp_path / ".gpu/installed").touch()
    (tmp_path / "runs/headline").mkdir(parents=True)
    return tmp_path


def make(there: Path, *given: str, tables: int = 0) -> subprocess.CompletedProcess[str]:
    path = f"{there / 'bin'}{os.pathsep}{os.environ['PATH']}"
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # as make test is one
    environment = {**outside, "PATH": path, "SAID": str(there / "said.txt"), "TABLES": str(tables)}
    return subprocess.run(["make", *given], cwd=there, env=environment, capture_output=True, text=True, check=False)


def said(there: Path) -> list[str]:
    """What Python was called with."""
    return (there / "said.txt").read_text().splitlines()


def test_the_headlines_tables_are_shown_and_kept(there: Path) -> None:
    done = make(there, "headline")
    assert done.returncode == 0 and done.stdout.endswith("a table\n")
    assert (there / "runs/headline/tables.md").read_text() == "a table\n"
    assert [line.split()[0].rpartition("/")[2] for line in said(there)] == ["kept.py", "study.py", "tables.py"]


def test_the_headline_trains_with_the_settings_of_its_study(there: Path) -> None:
    told = (ROOT / "studies/qwen/studies.md").read_text(encoding="utf-8").partition("## Twelfth study")[2]
    (settings,) = re.findall(r"^with `(--set .*?)` ", told.partition("\n## ")[0], flags=re.MULTILINE)
    make(there, "headline", "SETS=--set sampling.cache_gb=9")
    assert said(there)[1].endswith(f" {settings} --set sampling.cache_gb=9"), "a setting of one's own comes last"
    assert "learner.micro_tokens=8192" in settings and "--minutes 9.4 --steps 300 " in said(there)[1]


def test_a_headline_whose_tables_fail_has_failed_and_leaves_none(there: Path) -> None:
    done = make(there, "headline", tables=3)
    assert done.returncode == 2 and "headline" in done.stderr
    assert not (there / "runs/headline/tables.md").exists()


def test_the_environment_for_a_gpu_has_the_versions_that_are_kept(there: Path) -> None:
    shutil.copy(there / ".gpu/bin/python", there / "bin/python3")
    shutil.rmtree(there / ".gpu")
    done = make(there, "gpu", f"PYTHON={there / 'bin/python3'}")
    assert done.returncode == 0, done.stderr
    locked, ourselves = [line for line in said(there) if "install" in line]
    assert locked.endswith(" --require-hashes --no-deps -r locks/gpu.txt")
    assert ourselves.endswith(" --no-deps --no-build-isolation -e .")
    assert said(there)[-1] == "learn qwen-sage"


def test_the_tests_for_a_gpu_bring_what_they_need_once(there: Path) -> None:
    for _ in range(2):
        assert make(there, "test-gpu").returncode == 0
    install, *runs = said(there)
    assert install.endswith(" --require-hashes --no-deps -r locks/gpu-testing.txt")
    assert runs == ["-m pytest -m gpu tests/gpu"] * 2


def test_what_is_kept_for_a_gpu_is_what_was_measured_and_what_the_extras_ask_for() -> None:
    kept = dict(
        line.split("==")
        for line in (ROOT / "constraints-gpu.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    assert (kept["vllm"], kept["torch"], kept["transformers"]) == ("0.24.0", "2.11.0", "5.17.0")
    assert kept.keys() >= {"pytest", "pytest-timeout"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [text for name in ("learn", "vllm", "embeddings", "adamw8bit", "compare") for text in extras[name]]
    for one in map(Requirement, [*project["dependencies"], *asked]):
        if one.name != "prowess":
            assert one.specifier.contains(kept[canonicalize_name(one.name)]), one
