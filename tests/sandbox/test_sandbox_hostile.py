"""Hostile programs: contained as root and as an ordinary user, with namespaces and without.

The programs are in attacks.txt. Each runs beside a sibling interpreter, which must still work afterwards, and is
followed by a fresh episode, which must know nothing of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks import ATTACKS, SETTINGS, Attack, booty, trial, trials

from prowess.sandbox import SandboxSettings, open_sandbox

pytestmark = pytest.mark.slow
REPOSITORY = Path(__file__).parents[2]
NOBODY = 65534


@pytest.fixture(scope="module", params=["namespaces", "plain"])
def outcomes(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Every attack, launched by the user who runs the tests."""
    return trials(namespaces=request.param == "namespaces")


@pytest.fixture(scope="module", params=["namespaces", "plain"])
def outcomes_for_nobody(request: pytest.FixtureRequest) -> Iterator[dict[str, list[str]]]:
    """Every attack, launched by the user nobody, in a process of its own."""
    if os.getuid() != 0:
        pytest.skip("already an ordinary user")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for part in ("__init__.py", "types", "errors.py", "text", "sandbox"):
            _copy(REPOSITORY / "prowess" / part, Path(folder) / "prowess" / part)
        for part in ("attacks.py", "attacks.txt"):
            _copy(Path(__file__).parent / part, Path(folder) / part)
        done = subprocess.run(
            [_python_for_all(), "-B", "attacks.py", request.param],
            cwd=folder,
            env={"PYTHONPATH": folder},
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        told: dict[str, Any] = json.loads(done.stdout)
        assert told["uid"] == NOBODY
        yield told["wrong"]


@pytest.mark.xdist_group("hostile")
@pytest.mark.parametrize("name", [attack.name for attack in ATTACKS])
def test_it_is_contained(outcomes: dict[str, list[str]], name: str) -> None:
    assert outcomes[name] == []


@pytest.mark.xdist_group("hostile to nobody")
@pytest.mark.parametrize("name", [attack.name for attack in ATTACKS])
def test_it_is_contained_for_an_ordinary_user(outcomes_for_nobody: dict[str, list[str]], name: str) -> None:
    assert outcomes_for_nobody[name] == []


@pytest.mark.parametrize(
    "code",
    [
        "with open(SECRET_FILE) as file: print(file.read())",
        "import os\nprint(os.environ)",
        "import os\nescaped(os.listdir('/'))\n1 / 0",
    ],
)
def test_the_trial_notices_what_gets_through(code: str) -> None:
    """Without a jail these do get through: the trial is not blind."""
    sandbox = open_sandbox(SandboxSettings(kind="unsafe", **SETTINGS))
    with booty() as names:
        found = trial(sandbox, Attack("reads without a jail", code), names)
    assert [what[:11] for what in found] == ["got through"]


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _python_for_all() -> str:
    """A Python from 3.11 on that the user nobody can run: ours may lie in a home that only its owner may enter."""
    for python in (getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3", "/usr/local/bin/python3"):
        probe = "import sys, os, json; assert sys.version_info >= (3, 11)"
        try:
            done = subprocess.run(
                [python, "-c", probe], user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, check=False
            )
        except OSError:
            continue
        if done.returncode == 0:
            return str(python)
    pytest.skip("no Python here that the user nobody can run")
