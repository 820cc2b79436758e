"""Warm processes of AppWorld: quick, independent, and replaced when they die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prowess_appworld.place import Installation
from prowess_appworld.pool import Pool
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite

from prowess.errors import WorldError
from prowess.sandbox import Sandbox

PROFILE = {"app": "supervisor", "api": "show_profile", "arguments": {}}


def parents() -> dict[int, int]:
    """Every living process and its parent."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def children(pid: int, count: int) -> set[int]:
    """The children of a process, once there are so many: they are forked while the host goes on."""
    until = time.monotonic() + 10
    while len(found := {child for child, parent in parents().items() if parent == pid}) != count:
        assert time.monotonic() < until, found
        time.sleep(0.01)
    return found


def warm_process(pool: Pool) -> int:
    assert pool._zygote is not None
    return pool._zygote._process.pid


def kill(*pids: int, number: int = signal.SIGKILL) -> None:
    """Kill processes and wait until they are gone."""
    for pid in pids:
        os.kill(pid, number)
    wait_for_the_end_of(*pids)


def wait_for_the_end_of(*pids: int) -> None:
    until = time.monotonic() + 10
    while set(pids) & parents().keys():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture(scope="module")
def pool(place: Installation) -> Iterator[Pool]:
    with closing(Pool(place, warm=0)) as opened:
        yield opened


@pytest.fixture(scope="module")
def task(suite: AppWorldSuite) -> str:
    return suite.tasks("train")[0].id


def test_a_task_opens_within_half_a_second_from_a_warm_pool(suite: AppWorldSuite) -> None:
    took = []
    for task in suite.tasks("train")[:6]:
        begun = time.perf_counter()
        world = suite.open(task)
        took.append(time.perf_counter() - begun)
        world.close()
    assert sorted(took)[2] < 0.5, took  # the first may start the process; the machine may be busy


def test_two_worlds_of_one_task_know_nothing_of_each_other(suite: AppWorldSuite) -> None:
    task = suite.tasks("train")[0]
    with closing(suite.open(task)) as one, closing(suite.open(task)) as other:
        one.replay()
        assert one.state().changes or one.state().status == "success"
        assert other.state().changes == {}
        assert one.state().status == "success" != other.state().status
        assert other.replay() == 0
        assert one.state() == other.state()


def test_a_host_that_is_killed_fails_its_own_episode_alone(pool: Pool, task: str) -> None:
    with closing(pool.open(task)) as doomed:
        (pid,) = children(warm_process(pool), 1)
        with closing(pool.open(task)) as other:
            kill(pid)
            with pytest.raises(WorldError, match=f"that held task {task} died"):
                doomed.ask(PROFILE)
            assert "value" in other.ask(PROFILE)
    with closing(pool.open(task)) as next_one:
        assert "value" in next_one.ask(PROFILE)


def test_a_warm_process_that_is_killed_is_started_again(place: Installation, sandbox: Sandbox) -> None:
    with closing(AppWorldSuite(AppWorldSettings(python=str(place.python), root=str(place.root)), sandbox)) as suite:
        task = suite.tasks("train")[0]
        world = suite.open(task)
        assert world.execute("print(1)").text == "1\n"
        first = warm_process(suite._pool)
        hosts = children(first, 3)
        kill(first)
        with pytest.raises(WorldError, match="died"):
            world.execute("print(apis.supervisor.show_profile())")
        world.close()
        wait_for_the_end_of(*hosts)  # hosts die with the process that forked them
        with closing(suite.open(task)) as again:
            assert not again.execute("print(apis.supervisor.show_profile())").failed
        second = warm_process(suite._pool)
        assert second != first
    assert not {second} & parents().keys()


def test_a_warm_child_that_died_waiting_is_passed_over(place: Installation, task: str) -> None:
    with closing(Pool(place, warm=2)) as pool:
        with closing(pool.open(task)):
            pass
        kill(*children(warm_process(pool), 2))
        with closing(pool.open(task)) as host:
            assert "value" in host.ask(PROFILE)


def test_closing_ends_every_process_and_nothing_opens_after(place: Installation, task: str) -> None:
    with closing(Pool(place, warm=2)) as pool:
        host = pool.open(task)
        processes = {warm_process(pool), *children(warm_process(pool), 3)}
    pool.close()
    assert not processes & parents().keys()
    with pytest.raises(WorldError, match="closed"):
        pool.open(task)
    with pytest.raises(WorldError, match="died"):
        host.ask(PROFILE)


def test_a_task_that_does_not_exist_is_told_and_the_pool_goes_on(pool: Pool, task: str) -> None:
    with pytest.raises(WorldError, match="AppWorld failed on task 0000000_1: FileNotFoundError"):
        pool.open("0000000_1")
    pool.open(task).close()
