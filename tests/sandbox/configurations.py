"""The four configurations that the sandbox is tried in: root or an ordinary user, with namespaces or without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
NOBODY = 65534
_LIBRARY = ("__init__.py", "types", "errors.py", "text", "sandbox")


@contextmanager
def open_to_all(files: Sequence[str] = ()) -> Iterator[Path]:
    """A folder that any user may read, with the sandbox and these files of ours: our own may be closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in _LIBRARY:
            _copy(REPOSITORY / "prowess" / part, folder / "prowess" / part)
        for file in files:
            _copy(Path(__file__).parent / file, folder / file)
        yield folder


def run_by_nobody(folder: Path, *command: str, seconds: float = 280) -> str:
    """What a Python program prints that the user nobody runs in such a folder."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    done = subprocess.run(
        [python_for_all(), "-B", *command],
        cwd=folder,
        env={"PYTHONPATH": str(folder)},
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def told_by_nobody(code: str, *arguments: str) -> str:
    """What a few lines print that the user nobody runs."""
    with open_to_all() as folder:
        return run_by_nobody(folder, "-c", textwrap.dedent(code), *arguments)


def python_for_all() -> str:
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


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)
