"""What `python -m build` makes installs and works away from the checkout: without extras, then with `learn`."""

from __future__ import annotations

import hashlib
import json
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

VALIDATE = """
import pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_7).validate_str(pathlib.Path(sys.argv[1]).read_text()))
"""
METADATA = """
import json
from importlib import metadata
there = metadata.distribution("prowess")
told = {"name": there.name, "version": there.version, "license": there.metadata["License-Expression"]}
told["sbom"] = any(str(file).endswith("dist-info/sboms/prowess.cdx.json") for file in there.files)
(command,) = [one.value for one in there.entry_points if one.group == "console_scripts"]
print(json.dumps(told | {"command": command}))
"""

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
    ours = [name for name in names if not name.startswith("prowess/examples/")]  # what `prowess init` copies has tests
    assert not [name for name in ours if "/tests/" in name or name.endswith(".pyc")]


def test_the_sdist_builds_and_has_no_studies(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = [re.sub(r"^[^/]+/", "", name) for name in archive.getnames()]
    assert {"pyproject.toml", "constraints.txt", "README.md", "LICENSE", "recipes/quickstart.toml"} <= set(names)
    assert not [name for name in names if name.startswith(("studies/", "docs/results/"))]
    assert sdist.stat().st_size < 5_000_000


def test_the_bill_of_materials_is_valid_and_names_every_file_of_the_wheel(
    built: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (path,) = built.glob("*.whl")
    wheel = zipfile.ZipFile(path)
    (name,) = [name for name in wheel.namelist() if "/sboms/" in name]
    assert re.fullmatch(r"prowess-[\d.]+\.dist-info/sboms/prowess\.cdx\.json", name)
    bill = json.loads(wheel.read(name))
    files = {one["name"]: one["hashes"][0]["content"] for one in bill["components"] if one["type"] == "file"}
    ours = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert files == {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in ours}
    outside = {one["name"]: one for one in bill["components"] if one["type"] == "library"}
    assert outside["numpy"]["scope"] == "required" and outside["numpy"]["versionRange"] == "vers:pypi/>=1.26"
    assert {"name": "prowess:tested-with", "value": "2.13.0"} in outside["torch"]["properties"]

    validating = tmp_path_factory.mktemp("validating")
    venv.create(validating, with_pip=True)
    python = validating / "bin/python"
    lock = ("--require-hashes", "--no-deps", "-r", str(ROOT / "locks/auditing.txt"))
    subprocess.run([python, "-m", "pip", "install", "--quiet", *lock], check=True)
    (tmp_path / "bill.json").write_bytes(wheel.read(name))
    said = subprocess.run(
        [python, "-c", VALIDATE, tmp_path / "bill.json"], check=True, capture_output=True, text=True
    ).stdout
    assert said == "None\n"


def test_the_installed_wheel_keeps_its_bill_and_its_metadata(installed: Run) -> None:
    told = installed("python", "-c", METADATA)
    assert json.loads(told) == {
        "name": "prowess",
        "version": "0.1.0",
        "license": "Apache-2.0",
        "sbom": True,
        "command": "prowess.cli:main",
    }


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_make_refuses_a_file_whose_digest_is_not_in_the_lock(tmp_path: Path) -> None:
    (tmp_path / "locks").mkdir()
    for name in ("Makefile", "pyproject.toml", "locks/installed.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    lock = tmp_path / "locks/installed.txt"
    changed = re.sub(r"(annotated-doc==\S+ \\\n    --hash=sha256:)....", r"\g<1>0000", lock.read_text(), count=1)
    assert changed != lock.read_text()
    lock.write_text(changed)
    done = subprocess.run(["make", "install"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / ".venv/installed").exists()
    assert not list(tmp_path.glob(".venv/lib/*/site-packages/rich"))


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
