"""Calls that are too much for AppWorld's process: the code's failure, and graded. A machine out of order is not."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from prowess_appworld.limits import CPU_SECONDS
from prowess_appworld.pool import Ended, own_doing
from prowess_appworld.world import GONE, AppWorldSuite, AppWorldWorld
from test_pool import kill, parents, warm_process

from prowess.errors import WorldError
from prowess.sandbox.answer import BROKE
from prowess.sandbox.forks import KILLED, NEVER


@pytest.fixture
def world(suite: AppWorldSuite) -> Iterator[AppWorldWorld]:
    with closing(suite.open(suite.tasks("train")[0])) as opened:
        yield opened


def host_of(suite: AppWorldSuite, world: AppWorldWorld) -> int:
    """The process that holds an open task: of the warm one's children the one that has worked most."""
    parent = warm_process(suite._pool)
    for _ in range(30):
        world.host.ask({"changes": True})

    def ticks(pid: int) -> int:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))

    return max((pid for pid, of in parents().items() if of == parent), key=ticks)


@pytest.mark.parametrize("number", [signal.SIGXCPU, signal.SIGSEGV, signal.SIGABRT])
def test_a_task_whose_process_ends_by_itself_in_a_call_has_failed_and_is_graded(
    suite: AppWorldSuite, world: AppWorldWorld, number: int
) -> None:
    kill(host_of(suite, world), number=number)
    seen = world.execute("print(apis.supervisor.show_profile())")
    assert seen.failed and BROKE in seen.text
    assert [one.api for one in seen.breaks] == ["supervisor.show_profile"]
    assert GONE in world.execute("apis.supervisor.complete_task()").text
    verdict = world.evaluate()
    assert not verdict.success
    assert verdict.passed == ()
    assert verdict.failed[0].startswith(
        "the task's state can be judged: supervisor.show_profile: the process of AppWorld"
    )


def test_a_task_whose_process_is_killed_from_outside_is_an_error(suite: AppWorldSuite, world: AppWorldWorld) -> None:
    kill(host_of(suite, world))
    with pytest.raises(WorldError, match="died"):
        world.execute("print(apis.supervisor.show_profile())")


@pytest.mark.slow
def test_a_request_that_uses_too_much_processor_time_ends_its_process(world: AppWorldWorld) -> None:
    """The replay of a list of calls is one request: here one that would take minutes."""
    call = {"method": "get", "url": "/supervisor/profile", "data": {}}
    with pytest.raises(Ended, match=f"used more than {CPU_SECONDS} seconds of processor time for one request"):
        world.host.ask({"replay": [call] * 400_000}, seconds=600)


def test_an_answer_that_is_too_large_has_failed_the_task(world: AppWorldWorld) -> None:
    world.host._child.channel._limit = 1_000
    seen = world.execute("print(len(apis.api_docs.show_api_descriptions(app_name='spotify')))")
    assert seen.failed and BROKE in seen.text
    assert "cannot be read: a frame of" in world.evaluate().failed[0]


@pytest.mark.parametrize(
    ("status", "megabytes", "told"),
    [
        (signal.SIGXCPU, 0, "used more than 30 seconds of processor time for one request"),
        (signal.SIGSEGV, 0, "crashed (SIGSEGV)"),
        (70 << 8, 0, "ended with status 70"),
        (signal.SIGKILL, 2_000, "held 2000 MB when the machine had no memory left"),
        (signal.SIGKILL, 200, ""),  # somebody's hand, or a machine short of memory by others' doing
        (signal.SIGTERM, 0, ""),
        (KILLED, 0, ""),
        (NEVER, 0, ""),
    ],
)
def test_how_a_process_ended_tells_whose_doing_it_was(status: int, megabytes: int, told: str) -> None:
    assert own_doing((int(status), 0, megabytes)) == told


def test_where_nobody_knows_how_a_process_ended_no_call_is_blamed() -> None:
    assert own_doing(None) == ""
