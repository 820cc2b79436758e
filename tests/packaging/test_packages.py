"""What `python -m build` makes installs and works away from the checkout: without extras, then with `learn`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PINS = ROOT / "constraints.txt"
SMALL = (
    *("collect.scenarios=12", "sft.epochs=1", "train.steps=2", "train.chains=2", "train.evaluate_every=0"),
    *("evaluate.scenarios=2", "evaluate.runs=1"),
)
"""The quickstart cut down to two steps of training."""

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1500)]

Run = Callable[..., str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the sdist, built from the files that git has."""
    clone, out = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("dist")
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", ":!studies", ":!docs/results"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")
    for name in filter(None, map(os.fsdecode, names)):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(clone)], check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of a fresh environment that has the wheel, in an empty folder."""
    home, here = tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("elsewhere")
    venv.create(home, with_pip=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PROWESS", "VIRTUAL"))}

    def run(program: str, *arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [home / "bin" / program, *arguments], cwd=here, env=clean, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"{program} {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    (wheel,) = built.glob("*.whl")
    run("python", "-m", "pip", "install", "--quiet", "-c", str(PINS), str(wheel))
    return run


def test_the_wheel_holds_the_library_the_worlds_and_the_recipes(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    held = {name.split("/")[0] for name in names}
    assert {"prowess", "prowess_desk", "prowess_practice", "prowess_appworld"} <= held
    assert {name for name in held if not name.startswith("prowess")} == set()
    for needed in ("prowess/py.typed", "prowess/recipes/quickstart.toml", "prowess/report/report.html"):
        assert needed in names
    assert "prowess/play/prompts/skill.md" in names
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_the_sdist_builds_and_has_no_studies(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = [re.sub(r"^[^/]+/", "", name) for name in archive.getnames()]
    assert {"pyproject.toml", "constraints.txt", "README.md", "LICENSE", "recipes/quickstart.toml"} <= set(names)
    assert not [name for name in names if name.startswith(("studies/", "docs/results/"))]
    assert sdist.stat().st_size < 5_000_000


def test_without_extras_the_expert_plays_and_the_doctor_says_what_is_missing(installed: Run) -> None:
    assert "learn" in installed("prowess", "doctor")
    played = installed("prowess", "evaluate", "expert", "--set", "evaluate.scenarios=2")
    assert re.search(r"TGC|tasks solved", played)
    refused = installed("prowess", "learn", "quickstart", code=2)
    assert "pip install 'prowess[learn]'" in refused


def test_with_learn_two_steps_of_the_quickstart_run(installed: Run, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    installed("python", "-m", "pip", "install", "--quiet", "-c", str(PINS), f"{wheel}[learn]")
    sets = [word for setting in SMALL for word in ("--set", setting)]
    said = installed("prowess", "learn", "quickstart", *sets)
    assert "report.html" in said
    shown = installed("python", "-c", "import prowess; print(len(prowess.read_run('runs/quickstart/train').metrics))")
    assert shown.strip().endswith("2")
