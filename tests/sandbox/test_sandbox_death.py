"""Interpreters that die: by their own doing, by the clock, by a hand from outside, with their host."""

from __future__ import annotations

import ast
import itertools
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import descendants, zygote_of

from prowess.errors import SandboxError
from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox
from prowess.sandbox.frames import Gone

GONE = "the interpreter was restarted. Variables and functions defined so far are gone."


def nothing(*_: Any) -> None:
    return None


@pytest.fixture
def jail() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings(kind="jail", step_seconds=1.0, grace_seconds=0.5))
    yield opened
    opened.close()


def workers_of(jail: Sandbox) -> list[int]:
    """Processes below the zygote that forked nothing themselves: the interpreters."""
    return [pid for pid in descendants(zygote_of(jail)) if not descendants(pid)]


def test_a_loop_is_interrupted_and_its_variables_are_kept(jail: Sandbox) -> None:
    interpreter = jail.open()
    began = time.monotonic()
    seen = interpreter.run("kept = 1\nwhile True:\n    kept += 1", nothing)
    assert 0.9 < time.monotonic() - began < 1.6
    assert seen.failed
    assert not seen.fatal
    assert seen.text.splitlines()[-1] == "Exception: Execution timed out after 1 seconds."
    assert interpreter.run("print(kept > 1000)", nothing).text == "True\n"


def test_a_loop_is_interrupted_also_after_a_call_and_after_a_step_that_ignored_the_alarm(jail: Sandbox) -> None:
    interpreter = jail.open()
    interpreter.run("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)", nothing)
    seen = interpreter.run("apis.a.b()\nwhile True: pass", nothing)
    assert not seen.fatal
    assert seen.text.splitlines()[-1] == "Exception: Execution timed out after 1 seconds."


def test_an_interrupt_in_the_middle_of_a_call_leaves_the_conversation_whole(jail: Sandbox) -> None:
    interpreter = jail.open()

    def slow(*_: Any) -> str:
        time.sleep(1.3)
        return "answer"

    seen = interpreter.run("x = apis.a.b()\nprint(x)", slow)
    assert "Exception: Execution timed out" in seen.text
    assert interpreter.run("print(apis.a.b())", lambda *_: "second").text == "second\n"


def test_a_slow_world_is_not_the_codes_fault(jail: Sandbox) -> None:
    """The host's deadline waits for the host's own time: here 3 seconds, at a limit of 1.5."""
    interpreter = jail.open()

    def slow(*_: Any) -> str:
        time.sleep(3)
        return "answer"

    seen = interpreter.run("import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nprint(apis.a.b())", slow)
    assert seen.text == "answer\n"


def test_after_a_death_the_next_step_has_a_fresh_interpreter(jail: Sandbox) -> None:
    interpreter = jail.open(seed=5, now="2023-05-18T12:00:00")
    first = interpreter.run("import random\nx = random.random()\nprint(x)", nothing).text
    seen = interpreter.run("import os\nos._exit(3)", nothing)
    assert seen.fatal == "exit: The code ended its interpreter"
    assert seen.text == f"Execution failed. The code ended its interpreter; {GONE}"
    assert "NameError" in interpreter.run("x", nothing).text
    assert interpreter.run("import random\nprint(random.random())", nothing).text == first


def test_what_does_not_react_is_killed_by_the_deadline(jail: Sandbox) -> None:
    interpreter = jail.open()
    interpreter.run("x = 1", nothing)
    wait_until(lambda: len(workers_of(jail)) == 3)  # its own process, and two that are kept warm
    began = time.monotonic()
    seen = interpreter.run("import itertools\nsum(itertools.repeat(0))", nothing)
    assert 1.4 < time.monotonic() - began < 3
    assert seen.fatal.startswith("deadline")
    assert seen.text == (
        f"Execution failed. The code ran longer than 1 seconds and did not react to its interruption; {GONE}"
    )
    wait_until(lambda: len(workers_of(jail)) == 2)


def test_calls_before_a_death_are_still_listed(jail: Sandbox) -> None:
    assert jail.open().run("apis.a.b()\nimport os\nos._exit(3)", nothing).apis == ("a.b",)


def test_spinning_on_between_steps_ends_with_the_cpu_limit() -> None:
    jail = open_sandbox(SandboxSettings(kind="jail", cpu_seconds=1, warm=1))
    interpreter = jail.open()
    spin = "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()"
    assert not interpreter.run(spin, nothing).failed
    wait_until(lambda: _is_dead(interpreter), seconds=20)
    assert interpreter.run("print(1)", nothing).fatal == "cpu: The code used up its 1 seconds of CPU time"
    assert interpreter.run("print(1)", nothing).text == "1\n"
    jail.close()


def test_ignoring_the_cpu_limit_until_the_kernel_kills_is_the_codes_own_doing() -> None:
    jail = open_sandbox(SandboxSettings(kind="jail", cpu_seconds=1, step_seconds=60.0, warm=1))
    try:
        code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
        seen = jail.open().run(code, nothing)
        assert seen.fatal == "cpu: The code used up its 1 seconds of CPU time"
    finally:
        jail.close()


def test_a_kill_from_outside_is_an_error_of_the_sandbox(jail: Sandbox) -> None:
    interpreter, sibling = jail.open(), jail.open()
    sibling.run("x = 1", nothing)
    before = set(workers_of(jail))
    interpreter.run("import os", nothing)
    mine = _pid_of(interpreter, jail)
    assert mine in before | set(workers_of(jail))
    os.kill(mine, signal.SIGKILL)
    with pytest.raises(SandboxError, match="killed from outside"):
        interpreter.run("print(1)", nothing)
    assert sibling.run("print(x)", nothing).text == "1\n"
    assert interpreter.run("print(2)", nothing).text == "2\n"


def test_short_of_memory_the_kernel_ends_interpreters_before_their_zygote_and_that_before_the_host(
    jail: Sandbox,
) -> None:
    interpreter = jail.open()
    interpreter.run("x = 1", nothing)  # in its own process; two more are kept warm
    wait_until(lambda: [_ends_at(pid) for pid in workers_of(jail)] == [1000, 1000, 1000])
    above = {*descendants(zygote_of(jail)), zygote_of(jail)} - set(workers_of(jail))
    assert {_ends_at(pid) for pid in above} == {900}
    assert _ends_at(os.getpid()) < 900


@pytest.mark.parametrize(("megabytes", "blamed"), [(60, False), (200, True)])
def test_what_held_much_memory_when_the_kernel_killed_it_has_itself_to_blame(
    jail: Sandbox, megabytes: int, blamed: bool
) -> None:
    """The kernel ends what holds most when memory runs out. Were that an error, code could escape its penalty so."""
    interpreter = jail.open()
    interpreter.run(f"held = b'x' * ({megabytes} << 20)", nothing)
    os.kill(_pid_of(interpreter, jail), signal.SIGKILL)
    if blamed:
        seen = interpreter.run("print(1)", nothing)
        assert seen.failed
        assert re.fullmatch(
            r"memory: The code held (19\d|20\d|21\d) MB when the machine had no memory left", seen.fatal
        )
    else:
        with pytest.raises(SandboxError, match="killed from outside"):
            interpreter.run("print(1)", nothing)
    assert interpreter.run("print(2)", nothing).text == "2\n"


def test_interpreters_that_died_while_they_were_kept_warm_are_passed_over(jail: Sandbox) -> None:
    jail.open().run("x = 1", nothing)
    wait_until(lambda: len(workers_of(jail)) >= 2)
    for pid in (everyone := workers_of(jail)):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not any(_runs(pid) for pid in everyone))
    assert jail.open().run("print(2)", nothing).text == "2\n"


def test_a_zygote_that_is_gone_is_replaced_at_the_next_opening(jail: Sandbox) -> None:
    interpreter = jail.open()
    interpreter.run("x = 1", nothing)
    everyone = [zygote_of(jail), *descendants(zygote_of(jail))]
    os.kill(zygote_of(jail), signal.SIGKILL)
    wait_until(lambda: not any(_runs(pid) for pid in everyone))
    with pytest.raises(SandboxError, match="zygote"):
        interpreter.run("print(x)", nothing)
    assert jail.open().run("print(3)", nothing).text == "3\n"
    assert interpreter.run("print(4)", nothing).text == "4\n"


def test_without_namespaces_too_interpreters_die_with_their_zygote() -> None:
    jail = open_sandbox(SandboxSettings(kind="jail", namespaces=False))
    interpreter = jail.open()
    interpreter.run("import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()", nothing)
    everyone = [zygote_of(jail), *descendants(zygote_of(jail))]
    assert len(everyone) > 1
    os.kill(zygote_of(jail), signal.SIGKILL)
    wait_until(lambda: not any(_runs(pid) for pid in everyone))
    interpreter.close()
    jail.close()


def test_closing_leaves_no_process_behind(jail: Sandbox) -> None:
    interpreters = [jail.open() for _ in range(5)]
    for interpreter in interpreters:
        interpreter.run("x = 1", nothing)
    everyone = [zygote_of(jail), *descendants(zygote_of(jail))]
    assert len(everyone) > 5 and all(map(_runs, everyone))
    interpreters[0].close()
    wait_until(lambda: sum(map(_runs, everyone)) == len(everyone) - 1)
    jail.close()
    jail.close()
    wait_until(lambda: not any(_runs(pid) for pid in everyone))
    with pytest.raises(SandboxError, match="closed"):
        jail.open()
    with pytest.raises(SandboxError, match="closed"):
        interpreters[1].run("x", nothing)


def test_a_host_that_is_killed_takes_its_interpreters_along() -> None:
    code = """
        import sys, time
        from pathlib import Path
        from prowess.sandbox import *
        jail = open_sandbox(SandboxSettings(kind="jail"))
        interpreter = jail.open()
        code = "import threading, time\\nthreading.Thread(target=time.sleep, args=(600,)).start()"
        interpreter.run(code, lambda app, api, arguments: None)
        print(jail._zygote._process.pid, flush=True)
        time.sleep(600)
    """
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": root}
    ) as host:
        assert host.stdout is not None
        zygote = int(host.stdout.readline())
        everyone = [zygote, *descendants(zygote)]
        assert len(everyone) > 2
        host.kill()
    wait_until(lambda: not any(_runs(pid) for pid in everyone))


def test_an_interpreter_of_root_is_a_user_of_its_own_without_groups() -> None:
    if os.getuid() != 0:
        pytest.skip("not root")
    code = """
        from prowess.sandbox import SandboxSettings, open_sandbox
        jail = open_sandbox(SandboxSettings(kind="jail"))
        code = "import os; print([*os.getresuid(), *os.getresgid(), os.getgroups()], end=', ')"
        seen = [jail.open().run(code, None).text for _ in range(2)]
        print(f"[{''.join(seen)}{'root' in jail._zygote.granted['namespaces']}]")
    """
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        extra_groups=[4242],
        stdout=subprocess.PIPE,
        text=True,
    )
    one, two, in_a_root_of_its_own = ast.literal_eval(told.stdout)
    closed = any(not folder.stat().st_mode & 0o001 for folder in Path(os.__file__).resolve().parents)
    if closed and not in_a_root_of_its_own:
        pytest.skip("a Python that only root may enter")
    assert one[0] != two[0]
    for user, *more in (one, two):
        assert user >= 0x6F000000
        assert more == [*[user] * 5, []]


def test_where_an_interpreter_cannot_be_confined_no_code_runs() -> None:
    code = """
        import ctypes, os, struct
        from prowess.errors import SandboxError
        from prowess.sandbox import SandboxSettings, landlock, open_sandbox
        ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
        for layer in range(16):  # the kernel takes so many, and the jail's own would be one more
            rules = landlock._call("landlock_create_ruleset", struct.pack("=Q", 1 << 11), 8, 0)  # no block devices
            landlock.restrict(rules)
            os.close(rules)
        try: open_sandbox(SandboxSettings(kind="jail")).open().run("print('ran')", None)
        except SandboxError as error: print(error)
    """
    root = str(Path(__file__).parents[2])
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env={"PYTHONPATH": root}, capture_output=True, text=True
    )
    assert told.stdout.startswith("an interpreter could not be confined: ")
    assert "landlock: rules not accepted" in told.stdout


USERS = itertools.count(1_000_000 + os.getpid() * 16)
PLAIN_USER = """
        import ctypes, os, resource, sys
        from prowess.errors import SandboxError
        from prowess.sandbox import SandboxSettings, open_sandbox
        from prowess.sandbox.seccomp import _ALLOW, _EPERM, _LOAD, _RETURN, _stmt, _when, install
        from prowess.sandbox.syscalls import number
        refused = _when(number("unshare", os.uname().machine), [_stmt(_RETURN, _EPERM)])
        install(b"".join([_stmt(_LOAD, 0), *refused, _stmt(_RETURN, _ALLOW)]))
        for right in (21, 24):  # what lets a process pass its limits: CAP_SYS_ADMIN, CAP_SYS_RESOURCE
            ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
        os.setresuid(int(sys.argv[1]), 0, 0)  # who is counted; root's files stay readable, Python's among them
"""


def as_a_user_of_its_own(code: str) -> str:
    """What a program prints for whom no namespaces are made, and whose processes `ulimit -u` counts: not root's."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            textwrap.dedent(PLAIN_USER + code),
            str(next(USERS)),
        ],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=100,
    )
    return told.stdout + told.stderr[-3000:]


def test_where_no_process_is_left_that_opening_alone_fails_and_only_until_there_is_one() -> None:
    code = """
        resource.setrlimit(resource.RLIMIT_NPROC, (9, 9))
        jail = open_sandbox(SandboxSettings(kind="jail", warm=0, start_seconds=4.0))
        one, *crowd = [jail.open() for _ in range(20)]
        print(one.run("x = 1", None).text)
        try:
            for other in crowd: other.run("x = 2", None)
        except SandboxError as error: print(error)
        print(one.run("print(x)", None).text, end="")
        for other in crowd[:2]: other.close()
        print(crowd[-1].run("print(3)", None).text, end="")
    """
    assert as_a_user_of_its_own(code).splitlines() == [
        "Execution successful.",
        "an interpreter could not be started: the machine has no process or no memory left for it",
        "hint: fewer workers, or more processes for this user (`ulimit -u`) or container (its pids limit)",
        "1",
        "3",
    ]


def test_where_others_of_the_user_are_counted_too_threads_are_limited_to_a_few_more_than_there_are() -> None:
    """Here these are the host, the zygote and the child itself, then one more child, then another."""
    code = """
        jail = open_sandbox(SandboxSettings(kind="jail", warm=0, threads=20))
        everyone, look = [], "import resource; print(*resource.getrlimit(resource.RLIMIT_NPROC))"
        for _ in range(3):
            everyone.append(jail.open())
            print(everyone[-1].run(look, None).text, end="")
    """
    assert as_a_user_of_its_own(code).splitlines() == [f"{n} {n}" for n in (3 + 19 + 512, 4 + 19 + 512, 5 + 19 + 512)]


HOLD = """
import threading
gate = threading.Event()
try:
    while True: threading.Thread(target=gate.wait, daemon=True).start()
except RuntimeError: print("held")
"""


def test_what_a_user_may_start_is_never_all_taken_by_threads_of_code() -> None:
    code = f"""
        resource.setrlimit(resource.RLIMIT_NPROC, (100, 100))
        jail = open_sandbox(SandboxSettings(kind="jail", warm=0, start_seconds=10.0))
        crowd = [jail.open() for _ in range(2)]
        print(*(one.run({HOLD!r}, lambda *_: None).text.strip() for one in crowd))
        print(*(jail.open().run("print(5)", None).text.strip() for _ in range(5)))
        print(*(one.run("print(6)", None).text.strip() for one in crowd))
    """
    assert as_a_user_of_its_own(code).splitlines() == ["held held", "5 5 5 5 5", "6 6"]


@pytest.mark.parametrize("namespaces", [True, False])
def test_where_threads_of_code_leave_no_process_the_one_with_most_is_ended_and_graded(namespaces: bool) -> None:
    """A container counts all its processes together. Were that an error, code could escape its penalty so."""
    jail = open_sandbox(SandboxSettings(kind="jail", warm=0, namespaces=namespaces, start_seconds=5.0))
    with processes_limited_to(80, [zygote_of(jail), *descendants(zygote_of(jail))]):
        sibling, crowd = jail.open(), [jail.open() for _ in range(2)]
        sibling.run("kept = 1", nothing)
        for one in crowd:
            assert one.run(HOLD, nothing).text == "held\n"
        assert [jail.open().run("print(5)", nothing).text for _ in range(3)] == ["5\n"] * 3
        assert sibling.run("print(kept)", nothing).text == "1\n"
        ended = [one.run("print(6)", nothing) for one in crowd]
        assert [one.fatal for one in ended] == [
            "threads: The code held many threads when the machine had no process left",
            "",
        ]
        assert ended[0].failed and ended[0].text.endswith(GONE)
        assert crowd[0].run("print(7)", nothing).text == "7\n"
        jail.close()


def test_few_threads_are_not_blamed_where_no_process_is_left() -> None:
    jail = open_sandbox(SandboxSettings(kind="jail", warm=0, start_seconds=4.0))
    with processes_limited_to(20, [zygote_of(jail), *descendants(zygote_of(jail))]):
        crowd = [jail.open() for _ in range(2)]
        few = HOLD.replace("while True:", "for _ in range(8):").replace("except RuntimeError: ", "finally: ")
        assert [one.run(few, nothing).text for one in crowd] == ["held\n"] * 2
        with pytest.raises(SandboxError, match="the machine has no process or no memory left"):
            jail.open().run("print(5)", nothing)
        assert [one.run("print(6)", nothing).text for one in crowd] == ["6\n"] * 2
        jail.close()


@contextmanager
def processes_limited_to(most: int, pids: list[int]) -> Iterator[None]:
    """Processes in a control group of their own, as a container has one."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    ours = next((line.split(":")[2] for line in lines if ":pids:" in line), "")
    group = Path(f"/sys/fs/cgroup/pids{ours}/prowess-{os.getpid()}")
    try:
        group.mkdir()
    except OSError:
        pytest.skip("no control group for processes can be made here")
    (group / "pids.max").write_text(str(most))
    for pid in pids:
        (group / "cgroup.procs").write_text(str(pid))
    yield
    wait_until(lambda: not (group / "cgroup.procs").read_text())
    group.rmdir()


def test_a_jail_that_takes_too_long_to_start_is_told() -> None:
    with pytest.raises(SandboxError, match="the jail could not be prepared"):
        open_sandbox(SandboxSettings(kind="jail", start_seconds=0.001))


def test_a_fork_of_the_host_does_no_harm(jail: Sandbox) -> None:
    """A forked worker of the host (a data loader, say) lets its copies go without touching the originals."""
    interpreter = jail.open()
    interpreter.run("x = 7", nothing)
    pid = os.fork()
    if pid == 0:
        interpreter.close()
        jail.close()
        os._exit(0)
    os.waitpid(pid, 0)
    assert interpreter.run("print(x)", nothing).text == "7\n"


def wait_until(true: Any, seconds: float = 10.0) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _ends_at(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


def _is_dead(interpreter: Any) -> bool:
    """True when the worker's end of the connection is closed."""
    try:
        interpreter._child.channel.expect_silence()
    except Gone:
        return True
    return False


def _pid_of(interpreter: Any, jail: Any) -> int:
    """The worker's process, as seen from here: the one whose CPU time grows while its interpreter works."""
    before = {pid: _cpu(pid) for pid in workers_of(jail)}
    interpreter.run("for _ in range(5_000_000): pass", nothing)
    return max(before, key=lambda pid: _cpu(pid) - before[pid])


def _cpu(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
