"""Two episodes of one jail: what one can neither tell the other nor do to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attacks import RAW
from configurations import NOBODY, told_by_nobody
from processes import descendants, zygote_of

from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox

LIBRARY_PAGE = """
at = ctypes.cast(libc.pause, ctypes.c_void_p).value & ~3
def futex(operation, value, timeout=0): return raw(202, 98, at, operation, value, timeout, 0, 2**32 - 1)
"""


def nothing(*_: Any) -> None:
    return None


@pytest.fixture(params=[True, False], ids=["namespaces", "plain"])
def jail(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings(kind="jail", namespaces=request.param, warm=0))
    yield opened
    opened.close()


def workers_of(jail: Sandbox) -> list[int]:
    return [pid for pid in descendants(zygote_of(jail)) if not descendants(pid)]


@pytest.mark.parametrize(("wait", "wake"), [(0, 1), (9, 10)], ids=["plainly", "by bits"])
def test_one_episode_cannot_wake_another_by_a_page_that_both_have(jail: Sandbox, wait: int, wake: int) -> None:
    """A page of the C library is the same in both. A woken waiter would be a message from one to the other."""
    one, other = jail.open(), jail.open()
    for interpreter in (one, other):
        assert not interpreter.run(RAW + LIBRARY_PAGE, nothing).failed
    limit = "(ctypes.c_long * 2)(2, 0)" if wait == 0 else "0"
    waits = f"print('woken' if futex({wait}, ctypes.c_uint32.from_address(at).value, {limit}) == 0 else 'not woken')"
    wakes = f"""
import threading
woken = 0
for _ in range(20):
    woken += max(0, futex({wake}, 9))
    threading.Event().wait(0.05)
print(woken)
"""
    with ThreadPoolExecutor(2) as pool:
        waiting, waking = pool.submit(one.run, waits, nothing), pool.submit(other.run, wakes, nothing)
        assert (waiting.result().text, waking.result().text) == ("not woken\n", "0\n")


def test_threads_still_wake_one_another(jail: Sandbox) -> None:
    code = """
        import queue, threading
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool: print(sum(pool.map(lambda n: n * n, range(1000))))
        q, gate = queue.Queue(), threading.Barrier(3)
        for n in range(2): threading.Thread(target=lambda n=n: (gate.wait(), q.put(n))).start()
        gate.wait(); print(q.get() + q.get())
    """
    seen = jail.open().run("\n".join(line[8:] for line in code.splitlines()), nothing)
    assert seen.text == "332833500\n1\n"


def test_every_episode_is_a_session_of_its_own(jail: Sandbox) -> None:
    """The kernel then shares the processor among episodes, not among threads.

    In one session, two episodes with 60 threads that spin made a third one up to 160 times as slow, on two cores.
    """
    opened = [jail.open() for _ in range(2)]
    assert [interpreter.run("print(1)", nothing).text for interpreter in opened] == ["1\n", "1\n"]
    workers = workers_of(jail)
    assert len(workers) >= 2
    assert [os.getsid(pid) for pid in workers] == workers


def test_a_crash_of_an_episode_leaves_no_memory_on_the_disk() -> None:
    """The kernel writes no core dump of a process that may not be dumped. Its files in /proc then belong to root.

    A limit of 0 on core dumps is not enough: the kernel does not look at it where a program collects the dumps.
    """
    code = """
        import os, sys
        from prowess.sandbox import SandboxSettings, open_sandbox
        jail = open_sandbox(SandboxSettings(kind="jail", namespaces=sys.argv[1] == "namespaces", warm=0))
        interpreter = jail.open()
        interpreter.run("x = 1", None)
        def below(pid):
            found = open(f"/proc/{pid}/task/{pid}/children").read().split()
            return [leaf for child in found for leaf in below(child)] or [pid]
        zygote = str(jail._zygote._process.pid)
        print(sorted({os.stat(f"/proc/{pid}/mem").st_uid for pid in below(zygote)}), os.stat(f"/proc/{zygote}").st_uid)
        jail.close()
    """
    assert told_by_nobody(code, "namespaces").startswith("[0]")
    assert told_by_nobody(code, "plain").split() == ["[0]", str(NOBODY)]
