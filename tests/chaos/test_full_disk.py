"""A disk that is really full, at a random moment: a command ends in plain words, and the same one goes on when there is
room again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from killing import Commands, files, same
from small_recipe import SHORT, write_longer
from working import WORK, counts, sound

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

SIZE = 64 << 20


@pytest.fixture
def disk(prowess: Commands) -> Iterator[Path]:
    """A small file system of its own, in the folder that commands run in."""
    write_longer(prowess.place)
    prowess.environment["PYTHONPATH"] = str(prowess.place)
    place = prowess.place / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "chaos", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here: it takes root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, room: int) -> Path:
    """Leave so many bytes."""
    ballast = disk / "ballast"
    found = os.statvfs(disk)
    left = found.f_bavail * found.f_frsize - room
    with ballast.open("wb") as file:
        while left > 0:
            left -= file.write(b"\0" * min(left, 1 << 20))
    return ballast


def size(folder: Path) -> int:
    return sum((folder / name).stat().st_size for name in files(folder))


def stopped(prowess: Commands, disk: Path, draw: Random, most: int, *words: str) -> bool:
    """Run a command with room for a random part of what it writes; then there is room again. Whether it was stopped, as
    it should be: by an error that says what is full and what to do."""
    room = draw.randint(0, most)
    ballast = fill(disk, room)
    done = subprocess.run(
        [sys.executable, "-m", "prowess", *words],
        cwd=prowess.place,
        env=prowess.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    ballast.unlink()
    print(f"{words[0]} with room for {room:,} of {most:,} bytes: {done.returncode}")
    if done.returncode == 0:
        return False
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search("No space left on device|the disk .*is full", done.stderr), done.stderr
    assert "hint: " in done.stderr, done.stderr
    return True


@pytest.mark.parametrize("command", ["collect", "sft", "train"])
def test_a_command_that_writes_a_run(prowess: Commands, disk: Path, draw: Random, command: str) -> None:
    words = [command, "small.toml", *(() if command == "collect" else SHORT)]
    if command != "collect":
        prowess("collect", "small.toml")
    if command == "train":
        prowess("sft", "small.toml", *SHORT, "--set", "sft.score=false")
    prowess(*words, "--out", "whole")
    most = size(prowess.place / "whole")
    stops = sum(stopped(prowess, disk, draw, int(most * 0.8), *words, "--out", "disk/cut") for _ in range(2))
    prowess(*words, "--out", "disk/cut")
    same(prowess.place / "whole", disk / "cut", *(("data/", "library/") if command == "collect" else ("checkpoints/",)))
    assert stops


def test_work_with_its_store(prowess: Commands, disk: Path, draw: Random) -> None:
    prowess(*(word.replace("OUT", "whole") for word in WORK), "--store", "whole.db")
    words = [*(word.replace("OUT", "disk/cut") for word in WORK), "--store", "disk/cut.db"]
    most = size(prowess.place / "whole") + (prowess.place / "whole.db").stat().st_size
    stops = sum(stopped(prowess, disk, draw, int(most * 0.8), *words) for _ in range(3))
    prowess(*words)
    same(prowess.place / "whole", disk / "cut", "rounds.jsonl")
    assert counts(disk / "cut.db") == counts(prowess.place / "whole.db") != {}
    sound(prowess, "disk/cut.db")
    assert stops
