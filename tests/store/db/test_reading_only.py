"""A store that another user owns: reading works, and what cannot be done is told."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from prowess.errors import StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Provenance

NOBODY = 65534


def add(store: Store, name: str) -> None:
    store.propose(
        skills_in(f"def {name}(x): return 2 * x")[0], Provenance(run="r", episode=f"r/{name}/0", world="desk")
    )


@pytest.fixture
def path() -> Iterator[Path]:
    """A store at rest in a folder that others may read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "skills.db"
        with Store.open(path) as store:
            add(store, "double")
            store.rebuild(verify=True)  # all that is imported late
        Path(folder).chmod(0o755)
        yield path


@contextmanager
def another(path: Path) -> Iterator[None]:
    """As a user who may read, and not write."""
    if os.geteuid():
        path.chmod(0o444)
        path.parent.chmod(0o555)
        yield
        path.parent.chmod(0o755)
        path.chmod(0o644)
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def read(path: Path) -> Any:
    with Store.open(path, create=False) as store:
        assert store.rebuild(verify=True) == ()
        with pytest.raises(
            StoreError, match=r"cannot be written to by this user\nhint: let its owner do it, or .*copy"
        ):
            store.snapshot()
        return [entry.name for entry in store.entries()]


def owner(path: Path, told: Connection, end: str) -> None:
    """Writes in a process of its own, until it is told to end, or is killed."""
    store = Store.open(path)
    add(store, "triple")
    told.send("")
    told.recv()
    if end == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    store.close()


@contextmanager
def working(path: Path, end: str = "well") -> Iterator[Callable[[], None]]:
    """While its owner works; what is given ends that."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=owner, args=(path, there, end))
    process.start()
    here.recv()

    def done() -> None:
        here.send("")
        process.join()

    yield done
    if process.is_alive():
        done()


def test_a_store_at_rest_is_read_and_backed_up_and_writes_are_refused(path: Path, tmp_path: Path) -> None:
    with another(path):
        assert read(path) == ["double"]
        assert sorted(one.name for one in path.parent.iterdir()) == ["skills.db"]
    with Store.open(path) as store:
        assert json.loads(str(store.db.execute("SELECT imports FROM version").get)) == []


def test_a_store_in_which_its_owner_works_is_read_as_it_is_now(path: Path) -> None:
    with working(path), another(path):
        assert read(path) == ["double", "triple"]


def test_what_was_left_by_a_kill_is_read_or_told(path: Path) -> None:
    with working(path, "killed") as kill:
        kill()
    with another(path):
        assert read(path) == ["double", "triple"]
    path.with_name("skills.db-shm").unlink()
    with (
        another(path),
        pytest.raises(StoreError, match=r"was left by a process that was killed, .*\nhint: let its owner"),
    ):
        Store.open(path, create=False)
    with Store.open(path) as store:
        assert len(store.entries()) == 2


def test_what_is_written_while_it_is_read_is_told_and_then_read(path: Path) -> None:
    views = ExitStack()
    with another(path):
        store = Store.open(path, create=False)
        views.enter_context(store.view())
        assert len(store.entries()) == 1
    with working(path):
        pass
    with another(path):
        with pytest.raises(StoreError, match=r"was written to while it was read\nhint: give the command again"):
            views.close()
        assert [entry.name for entry in store.entries()] == ["double", "triple"]
        store.close()
