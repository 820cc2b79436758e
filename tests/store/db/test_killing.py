"""kill -9 at any point loses nothing that was acknowledged, and many processes lose and double nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from prowess.skills.extract import skills_in
from prowess.store.db import Store, ingest
from prowess.store.record import Provenance, Status, Usage

WRITER = Path(__file__).with_name("writer.py")


def start(what: str, path: Path, name: str, count: int = 100_000) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), what, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def killed(process: subprocess.Popen[str], draw: Random, most: int = 12) -> list[str]:
    """Kill a writer at a random point after its first lines; what it had acknowledged."""
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(draw.randint(1, most))]
    time.sleep(draw.random() * 0.01)
    process.kill()
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    return [line.strip() for line in lines if line.endswith("\n")]


def sound(store: Store) -> None:
    assert store.rebuild(verify=True) == ()
    assert store.db.execute("PRAGMA integrity_check").get == "ok"
    assert list(store.db.execute("PRAGMA foreign_key_check")) == []


@pytest.mark.slow
def test_what_the_store_has_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "skills.db"
    acknowledged: list[str] = []
    for turn in range(20):
        acknowledged += killed(start("store", path, f"w{turn}"), Random(turn))
    with Store.open(path) as store:
        sound(store)
        names = {entry.name: entry for entry in store.entries()}
        for name in acknowledged:
            entry = names[name]
            assert entry.status is Status.VERIFIED
            assert store.statistics(entry.digest).called == 1
        # At most the step that was under way is there besides.
        assert len(names) - len(acknowledged) <= 20
    assert len(acknowledged) >= 20


@pytest.mark.slow
def test_what_a_journal_has_acknowledged_survives_kills_of_both_sides_and_counts_once(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for turn in range(12):
        draw = Random(turn)
        worker = start("journal", tmp_path / "journals", f"w{turn}")
        taker = start("ingest", tmp_path, "taker")
        killed(taker, draw, most=2)
        acknowledged += killed(worker, draw)
        assert worker.returncode == taker.returncode == -9
    with Store.open(tmp_path / "skills.db") as store:
        before = len(store.entries())
        ingest(store, tmp_path / "journals")
        assert ingest(store, tmp_path / "journals").records == 0
        sound(store)
        names = {entry.name: entry for entry in store.entries()}
        # A verification told twice would be there twice.
        assert [len(store.verifications(names[name].digest)) for name in acknowledged] == [1] * len(acknowledged)
        assert len(names) - len(acknowledged) <= 12
        assert len(acknowledged) >= 24 and before > 0
        assert list(store.db.execute("SELECT * FROM refused")) == []


@pytest.mark.slow
def test_many_processes_writing_at_once_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    path = tmp_path / "skills.db"
    writers = [start("store", path, f"w{n}", count=40) for n in range(4)]
    printed = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0, 0]
    with Store.open(path) as store:
        sound(store)
        assert sorted(entry.name for entry in store.entries()) == sorted(name for names in printed for name in names)
        assert len(store.entries()) == 160
        assert len(store.events()) == 320
        assert store.db.execute("SELECT sum(called) FROM statistics").get == 160


def test_threads_that_propose_the_same_skills_make_each_once(tmp_path: Path) -> None:
    skills = [skills_in(f"def f{n % 5}(x): return x + {n}")[0] for n in range(20)]
    problems: list[BaseException] = []

    def work(store: Store, number: int) -> None:
        try:
            for at, one in enumerate(skills):
                digest = store.propose(one, Provenance(world="desk", run=f"r{number}")).digest
                store.use([Usage(episode=f"{number}/{at}", digest=digest, called=1, success=True)])
                assert store.statistics(digest).called >= 1
                store.entries()
        except BaseException as problem:  # noqa: BLE001 (told below, in the test's own thread)
            problems.append(problem)

    with Store.open(tmp_path / "skills.db") as store:
        threads = [threading.Thread(target=work, args=(store, number)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        sound(store)
        assert len(store.entries()) == 5
        assert len(store.entries(heads=False)) == 20
        assert [len(store.provenances(entry.digest)) for entry in store.entries(heads=False)] == [6] * 20
        assert store.db.execute("SELECT sum(called) FROM statistics").get == 120


@pytest.mark.slow
def test_processes_that_begin_a_store_at_once_begin_one(tmp_path: Path) -> None:
    writers = [start("store", tmp_path / "new" / "skills.db", f"w{n}", count=1) for n in range(4)]
    assert [writer.communicate()[0].strip() for writer in writers] == ["w0_0", "w1_0", "w2_0", "w3_0"]
    with Store.open(tmp_path / "new" / "skills.db", create=False) as store:
        assert len(store.entries()) == 4


FORKED = """
import os, sys
from prowess.errors import StoreError
from prowess.store.db import Store
store = Store.open(sys.argv[1])
if os.fork() == 0:
    for attempt in (store.entries, lambda: Store.open(sys.argv[1])):
        try:
            attempt()
            os._exit(1)
        except StoreError as error:
            assert "was forked" in str(error)
    os._exit(0)
assert os.wait()[1] == 0
store.entries()
store.close()
if os.fork() == 0:
    Store.open(sys.argv[1]).close()
    os._exit(0)
assert os.wait()[1] == 0
"""


def test_a_store_is_not_carried_over_a_fork(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", FORKED, str(tmp_path / "skills.db")], check=True, timeout=60)
