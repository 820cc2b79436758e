"""Setting AppWorld up, and every way it fails: said plainly, nothing half-made left in place, and run again at will."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from prowess_appworld.inventory import damage_in
from prowess_appworld.place import MANIFEST, manifest_of, place_in
from prowess_appworld.setup import setup

from prowess.doctor import worlds
from prowess.errors import ProwessError, RecipeError, StoreError, WorldError

NOWHERE = "http://127.0.0.1:9"
"""A port where nobody answers."""
NO_INDEX = {
    "PIP_CONFIG_FILE": "/dev/null",
    "PIP_INDEX_URL": f"{NOWHERE}/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
}


def prowess(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "prowess", "appworld", *map(str, arguments)]
    return subprocess.run(command, env=os.environ | env, capture_output=True, text=True, timeout=250, check=False)


def in_small_disk(folder: Path, options: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command with a disk of its own at a folder; only there can it be full or read-only for anybody."""
    script = f'mount -t tmpfs -o {options} none "$1" && shift && exec "$@"'
    command = [sys.executable, "-m", "prowess", "appworld", *map(str, arguments)]
    run = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(folder), *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "unshare" in run.stderr or "mount:" in run.stderr:
        pytest.skip(f"no disk of one's own here: {run.stderr.strip()}")
    return run


@pytest.fixture
def linked(home: Path, tmp_path: Path) -> Path:
    """A folder with the environment that is there, and no data."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home/venv").symlink_to(home / "venv")
    return tmp_path / "home"


@pytest.fixture
def filled(home: Path, linked: Path) -> Path:
    """A folder with the environment that is there, and the data as set-up made it."""
    shutil.copytree(home / "root/data", linked / "root/data")
    return linked


def quiet(_: str) -> None:
    """Nobody wants to hear it."""


def test_a_bundle_becomes_data_once_and_is_left_alone_the_second_time(linked: Path, bundle: Path) -> None:
    first = prowess("setup", "--home", linked, "--bundle", bundle)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[0] == f"AppWorld 0.1.3.post1 in {linked}"
    assert "train 90" in first.stdout
    data = linked / "root/data"
    assert damage_in(data) == ""
    assert manifest_of(data)["whole"] and manifest_of(data)["files"] > 1000
    assert sorted(os.listdir(linked / "root")) == ["data"]
    made = data.stat().st_ino
    for extra in (("--bundle", str(bundle)), ()):
        again = prowess("setup", "--home", linked, *extra)
        assert (again.returncode, again.stdout) == (0, first.stdout)
        assert "data: there already" in again.stderr
        assert data.stat().st_ino == made


@pytest.mark.parametrize("lost", ["base_dbs/venmo.db", "datasets", "tasks", "a task's specs.json", "a byte"])
def test_a_half_unpacked_root_is_made_whole_and_outputs_are_kept(filled: Path, bundle: Path, lost: str) -> None:
    data = filled / "root/data"
    (filled / "root/experiments/outputs/mine").mkdir(parents=True)
    if lost == "a task's specs.json":
        next(data.glob("tasks/*/specs.json")).unlink()
    elif lost == "a byte":
        with next(data.glob("tasks/*/specs.json")).open("a") as file:
            file.write(" ")
    elif (data / lost).is_dir():
        shutil.rmtree(data / lost)
    else:
        (data / lost).unlink()
    told: list[str] = []
    found = setup(filled, bundle=bundle, say=told.append)
    assert any(line.startswith("data: made anew") for line in told)
    assert found.splits["train"] == 90
    assert damage_in(data) == ""
    assert sorted(os.listdir(filled / "root")) == ["data", "experiments"]
    assert (filled / "root/experiments/outputs/mine").is_dir()


def test_another_bundle_takes_the_place_of_the_one_before(filled: Path, bundle: Path) -> None:
    data = filled / "root/data"
    note = manifest_of(data)
    (data / MANIFEST).write_text(json.dumps(note | {"source": "bundle 00"}))
    setup(filled, bundle=bundle, say=quiet)
    assert manifest_of(data)["source"] != "bundle 00"


@pytest.mark.parametrize("damage", ["cut", "flipped", "other"])
def test_a_damaged_bundle_is_told_and_the_data_there_stays(
    filled: Path, bundle: Path, tmp_path: Path, damage: str
) -> None:
    whole = bundle.read_bytes()
    half = len(whole) // 2
    contents = {
        "cut": whole[:half],
        "flipped": whole[:half] + bytes(64) + whole[half + 64 :],
        "other": b"not a bundle at all",
    }
    bad = tmp_path / "bad.bundle"
    bad.write_bytes(contents[damage])
    before = (filled / "root/data").stat().st_ino
    run = prowess("setup", "--home", filled, "--bundle", bad)
    assert run.returncode == 2
    assert f"error: {bad} is damaged, or no bundle of AppWorld's data" in run.stderr
    assert "Traceback" not in run.stderr
    assert (filled / "root/data").stat().st_ino == before
    assert sorted(os.listdir(filled / "root")) == ["data"]
    assert prowess("setup", "--home", filled).returncode == 0


def test_a_bundle_that_does_not_exist_is_told_before_anything_is_made(tmp_path: Path) -> None:
    run = prowess("setup", "--home", tmp_path / "home", "--bundle", tmp_path / "none.bundle")
    assert run.returncode == 2
    assert f"error: there is no bundle at {tmp_path / 'none.bundle'}" in run.stderr
    assert not (tmp_path / "home").exists()


def test_without_a_network_the_download_fails_and_the_data_there_stays(filled: Path, linked: Path) -> None:
    before = (filled / "root/data").stat().st_ino
    (filled / "root/data/tasks/half").mkdir()
    shutil.rmtree(filled / "root/data/base_dbs")
    run = prowess("setup", "--home", filled, HTTPS_PROXY=NOWHERE, https_proxy=NOWHERE)
    assert run.returncode == 1
    assert "error: downloading AppWorld's data failed, the network was not reached" in run.stderr
    assert "hint: --bundle FILE takes the data from a file instead of the network" in run.stderr
    assert (filled / "root/data").stat().st_ino == before
    assert sorted(os.listdir(filled / "root")) == ["data"]


def test_without_a_package_index_pip_fails_and_nothing_is_taken_for_whole(tmp_path: Path, bundle: Path) -> None:
    run = prowess("setup", "--home", tmp_path, "--bundle", bundle, **NO_INDEX)
    assert run.returncode == 1
    assert "error: pip install appworld failed, the network was not reached" in run.stderr
    assert "No matching distribution found for anyio==4.16.0" in run.stderr, "pip's last words"
    assert "PIP_INDEX_URL" in run.stderr
    assert manifest_of(tmp_path / "venv") == {"whole": False}
    with pytest.raises(RecipeError, match="was not finished\nhint: prowess appworld setup finishes it"):
        place_in(tmp_path).check()
    verify = prowess("verify", "--home", tmp_path)
    assert verify.returncode == 2
    assert "was not finished" in verify.stderr


def test_a_killed_set_up_is_not_taken_for_whole_and_two_at_once_are_refused(tmp_path: Path, bundle: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # an index that takes the call and never answers
        env = os.environ | NO_INDEX | {"PIP_INDEX_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/simple"}
        command = [sys.executable, "-m", "prowess", "appworld", "setup", "--home", tmp_path, "--bundle", bundle]
        first = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            assert first.stderr is not None
            while "installing appworld" not in (line := first.stderr.readline()):
                assert line, "it ended early"
            with pytest.raises(StoreError, match="another set-up is at work"):
                setup(tmp_path, bundle=bundle, say=quiet)
        finally:
            os.killpg(first.pid, signal.SIGKILL)
            first.communicate()
    with pytest.raises(RecipeError, match="was not finished"):
        place_in(tmp_path).check()
    assert not (tmp_path / "root").exists()
    run = prowess("setup", "--home", tmp_path, "--bundle", bundle, **NO_INDEX)
    assert "environment: made anew, its set-up was not finished" in run.stderr


def test_another_version_in_the_environment_is_told_and_made_anew(tmp_path: Path, bundle: Path) -> None:
    site = tmp_path / "venv/lib/python3.12/site-packages"
    (site / "appworld-0.1.2.dist-info").mkdir(parents=True)
    (tmp_path / "venv/bin").mkdir()
    (tmp_path / "venv/bin/python").symlink_to(sys.executable)
    (tmp_path / "venv" / MANIFEST).write_text('{"whole": true, "appworld": "0.1.2", "python": "3.12.1"}')
    with pytest.raises(RecipeError, match=r"AppWorld 0\.1\.2 is installed in .*; this works with 0\.1\.3\.post1 only"):
        place_in(tmp_path).check()
    run = prowess("setup", "--home", tmp_path, "--bundle", bundle, **NO_INDEX)
    assert "environment: made anew, it holds AppWorld 0.1.2, wanted is 0.1.3.post1" in run.stderr
    assert not site.exists()


def test_an_environment_of_somebody_else_is_never_deleted(tmp_path: Path, bundle: Path) -> None:
    (tmp_path / "venv/bin").mkdir(parents=True)
    (tmp_path / "venv/bin/python").symlink_to(sys.executable)
    for force in (False, True):
        with pytest.raises(WorldError, match="venv was not made by prowess"):
            setup(tmp_path, bundle=bundle, force=force, say=quiet)
        assert (tmp_path / "venv/bin/python").exists()


@pytest.mark.parametrize(("version", "words"), [("3 14 0", "is 3.14.0"), ("3 10 4", "is 3.10.4")])
def test_a_python_that_appworld_does_not_run_on_is_told(tmp_path: Path, version: str, words: str) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho {version}\n")
    python.chmod(0o755)
    with pytest.raises(RecipeError) as raised:
        setup(tmp_path / "home", python=str(python), say=quiet)
    assert raised.value.message == f"AppWorld 0.1.3.post1 runs on Python 3.11 to 3.13; {python} {words}"
    assert raised.value.hint.startswith("--python python3.1")
    assert not (tmp_path / "home/venv").exists()


def test_a_python_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="python9 is no Python that starts"):
        setup(tmp_path / "home", python="python9", say=quiet)


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written: Not a directory\nhint: --home DIR"):
        setup(tmp_path / "file/home", say=quiet)


def test_a_read_only_home_is_told(tmp_path: Path) -> None:
    run = in_small_disk(tmp_path, "ro", "setup", "--home", tmp_path)
    assert run.returncode == 1
    assert "cannot be written: Read-only file system" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_disk_without_room_is_told_before_anything_is_made(tmp_path: Path) -> None:
    run = in_small_disk(tmp_path, "size=20m", "setup", "--home", tmp_path)
    assert run.returncode == 1
    assert "error: AppWorld's environment needs about 400 MB" in run.stderr
    assert "20 MB free, the disk is full" in run.stderr


def test_a_disk_that_fills_up_on_the_way_is_told(home: Path, bundle: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from prowess_appworld import setup\n"
        "setup._unpack(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))"
    )
    script = f'mount -t tmpfs -o size=20m none "{tmp_path}" && exec "$@"'
    run = subprocess.run(
        [
            *("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"),
            *(sys.executable, "-c", code, str(home / "venv/bin/python"), str(bundle), str(tmp_path)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "unshare" in run.stderr or "mount:" in run.stderr:
        pytest.skip(f"no disk of one's own here: {run.stderr.strip()}")
    assert "StoreError: unpacking the bundle failed, the disk is full" in run.stderr
    assert "hint: free some space and run it again" in run.stderr


def test_the_doctor_tells_what_is_there_without_starting_anything(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    begun = time.perf_counter()
    (found,) = (one for one in worlds.worlds() if one.what == "AppWorld")
    assert time.perf_counter() - begun < 2
    assert (found.state, found.needed) == ("ok", False)
    assert found.detail.startswith(f"0.1.3.post1 in {home}; data: train 90, dev ")
    assert "official evaluation of " in found.detail


def test_every_failure_here_is_one_that_the_command_line_says_plainly() -> None:
    assert {RecipeError, StoreError, WorldError} <= set(ProwessError.__subclasses__())
