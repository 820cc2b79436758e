"""The system-call filter on a small model of the machine in the kernel, for both processors; Landlock by itself."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from prowess.sandbox import landlock, seccomp, syscalls

ALLOW, KILL, PID = "allow", "kill", 4711
EPERM, ENOSYS, ENOTTY, EAGAIN, ENOMEM = errno.EPERM, errno.ENOSYS, errno.ENOTTY, errno.EAGAIN, errno.ENOMEM
EINVAL = errno.EINVAL
X86, ARM = "x86_64", "aarch64"
NEAR = range(0x7F10, 0x7F13)


def decide(machine: str, name: str | int, *arguments: int, arch: int | None = None) -> str | int:
    """What the filter says to a call: allow, kill or an error number."""
    number = name if isinstance(name, int) else syscalls.number(name, machine)
    assert number is not None
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, arch or syscalls.MACHINES[machine], 0, *(a & (2**64 - 1) for a in padded))
    code = seccomp.program(machine, PID, NEAR)
    assert len(code) // 8 <= 4096
    at, value = 0, 0
    while True:
        what, jt, jf, k = struct.unpack_from("=HBBI", code, at * 8)
        at += 1
        if what == 0x20:
            (value,) = struct.unpack_from("=I", data, k)
        elif what == 0x54:
            value &= k
        elif what == 0x15:
            at += jt if value == k else jf
        elif what == 0x35:
            at += jt if value >= k else jf
        elif what == 0x06:
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(k, k & 0xFFFF)
        else:
            raise AssertionError(f"unknown instruction {what:#x}")


@pytest.mark.parametrize("machine", [X86, ARM])
@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (("read", 3), ALLOW),
        (("futex", 1, 0x80), ALLOW),  # wait, within the process
        (("futex", 1, 0x81), ALLOW),
        (("futex", 1, 0x189), ALLOW),  # wait by the wall clock
        (("futex", 1, 0), EAGAIN),  # wait for another process
        (("futex", 1, 0x109), EAGAIN),
        (("futex", 1, 1), EINVAL),  # wake another process
        (("futex", 1, 4), EINVAL),
        (("futex", 1, 11), EINVAL),
        (("close_range", 3, 9, 0), ALLOW),
        (("close_range", 3, 9, 4), ALLOW),
        (("close_range", 3, 9, 2), EPERM),  # a thread with descriptors of its own
        (("close_range", 3, 9, 6), EPERM),
        (("madvise", 0, 4096, 4), ALLOW),
        (("madvise", 0, 4096, 14), EINVAL),  # a huge page
        (("madvise", 0, 4096, 25), EINVAL),
        *((("madvise", 0, 4096, advice), EINVAL) for advice in (9, 10, 12, 20, 21, 22, 23, 100)),
        (("clock_gettime", 1), ALLOW),
        (("clock_gettime", ~1 << 3 | 2), EPERM),  # how much processor time process 1 has used
        (("clock_getres", ~1 << 3 | 2), EPERM),
        (("clock_nanosleep", ~1 << 3 | 2), EPERM),
        (("sched_getaffinity", 0), ALLOW),
        (("sched_getaffinity", PID), ALLOW),
        (("sched_getaffinity", 1), ENOSYS),
        (("sched_getparam", 1), EPERM),
        (("sched_getscheduler", 1), EPERM),
        (("getpgid", 1), EPERM),
        (("getsid", 1), EPERM),
        (("getpriority", 0, 0), ALLOW),
        (("getpriority", 0, 1), EPERM),
        (("getpriority", 2, 0), EPERM),  # the highest of a user's
        (("getsockopt", 3, 1, 3), ALLOW),
        (("getsockopt", 3, 1, 4), ALLOW),
        (("getsockopt", 3, 1, 17), EPERM),  # who is at the other end: the host
        (("getsockopt", 3, 1, 77), EPERM),  # a descriptor that stands for it
        (("getsockopt", 3, 6, 3), EPERM),  # an option of TCP
        (("openat", -100, 0, os.O_RDONLY | os.O_CLOEXEC), ALLOW),
        (("openat", -100, 0, os.O_WRONLY), EPERM),
        (("openat", -100, 0, os.O_RDWR), EPERM),
        (("openat", -100, 0, os.O_RDONLY | os.O_CREAT), EPERM),
        (("openat", -100, 0, os.O_RDONLY | os.O_TRUNC), EPERM),
        (("openat", -100, 0, os.O_RDONLY | os.O_APPEND), EPERM),
        (("clone", 0x3D0F00), ALLOW),  # what a thread asks for
        (("clone", 0x7D0F00), ALLOW),  # what a thread of musl asks for
        (("clone", 0x3D0F00 & ~0x400), EPERM),  # a thread with descriptors of its own
        (("clone", 0x3D0F00 & ~0x200), EPERM),  # a thread with a folder of its own
        (("clone", 0x10900), EPERM),  # a thread that shares memory and signal handlers only
        (("clone", 0x3D0F00 | 0x1000), EPERM),  # a thread with a descriptor that stands for it
        (("clone", 0x3D0F00 | 0x4000), EPERM),  # a thread that its parent waits for
        (("clone", signal.SIGCHLD), EPERM),
        (("clone", 0x10000), EPERM),  # a thread that does not share its memory
        (("clone", 0x100), EPERM),  # a process that does
        (("clone", 0x3D0F00 | 0x10000000), EPERM),  # a user namespace with the thread
        (("clone3",), ENOSYS),
        (("openat2",), ENOSYS),
        (("kill", PID, signal.SIGTERM), ALLOW),
        (("kill", PID, signal.SIGKILL), EPERM),
        (("kill", PID, signal.SIGSTOP), EPERM),
        (("kill", PID + 1, 0), EPERM),
        (("kill", -1, 9), EPERM),
        (("kill", 0, 15), EPERM),
        (("tgkill", PID, PID + 5, signal.SIGUSR1), ALLOW),
        (("tgkill", PID, PID, signal.SIGKILL), EPERM),
        (("tgkill", PID, PID, signal.SIGSTOP), EPERM),
        (("tgkill", PID + 1, PID + 1, signal.SIGUSR1), EPERM),
        (("socketpair", 1, 1 | 0o2000000), ALLOW),
        (("socketpair", 1, 2), EPERM),
        (("socketpair", 2, 1), EPERM),
        (("sendto", 3, 0, 0, 0, 0, 0), ALLOW),
        (("sendto", 3, 0, 0, 0, 1, 0), EPERM),
        (("sendto", 3, 0, 0, 0, 1 << 40, 0), EPERM),
        (("prlimit64", 0, 7, 0, 1), ALLOW),
        (("prlimit64", 0, 7, 1 << 33, 0), EPERM),
        (("prlimit64", 0, 7, 4096, 0), EPERM),
        (("prlimit64", 1, 7, 0, 1), EPERM),
        (("fcntl", 3, 3), ALLOW),
        (("fcntl", 3, 1030), ALLOW),
        (("fcntl", 3, 8), EPERM),  # F_SETOWN
        (("ioctl", 3, 0x5421), ALLOW),  # FIONBIO
        (("ioctl", 0, 0x5412), ENOTTY),  # TIOCSTI
        (("mmap", 0, 4096, 3, 0x22), ALLOW),
        (("mmap", 0, 4096, 3, 0x21), EPERM),  # shared memory
        (("mmap", 0, 4096, 3, 0x23), EPERM),
        (("mmap", 0, 4096, 3, 0x40022), EPERM),  # huge pages of the machine's own store
        (("mmap", 0, 4096, 1, 0x1), ALLOW),  # a file
        (("mmap", 0, 4096, 1, 0x2), ALLOW),
        (("mmap", 0, 8 << 20, 0, 0x20022), ALLOW),
        (("mmap", 0, 65536, 0, 0x20022), EAGAIN),
        (("mmap", 0, 1 << 20, 0, 0x20022), ALLOW),
        (("mmap", 0, (1 << 20) - 4096, 0, 0x20022), EAGAIN),
        (("mmap", 0x7F12_0000_1000, 4096, 3, 0x32), ALLOW),  # a library's segment
        (("mmap", 0x7F10_0000_1000, 4096, 3, 0x32), ALLOW),
        (("mmap", 0x7F0F_FFFF_F000, 4096, 3, 0x32), ENOMEM),  # far from all others
        (("mmap", 0x7F13_0000_0000, 4096, 3, 0x22), ENOMEM),
        (("mmap", 0x0100_0000_0000, 4096, 3, 0x22), ENOMEM),
        (("mmap", 0x4000_0000, 4096, 3, 0x22), ALLOW),
        (("mremap", 0, 4096, 8192, 1), ALLOW),
        (("mremap", 0, 4096, 4096, 3, 0x0100_0000_0000), EPERM),  # moved to a place of its choice
        (("ptrace",), KILL),
        (("process_vm_readv",), KILL),
        (("io_uring_setup",), KILL),
        (("unshare",), KILL),
        (("bpf",), KILL),
        (("seccomp",), EPERM),
        (("capset",), EPERM),
        (("landlock_restrict_self",), EPERM),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_the_filter_decides(machine: str, call: tuple[str, int], answer: str | int) -> None:
    assert decide(machine, *call) == answer


def test_memory_lies_within_a_few_gigabytes_of_the_libraries() -> None:
    library = ctypes.cast(ctypes.CDLL(None).mmap, ctypes.c_void_p).value or 0
    for memory, upper_words in ((96, 3), (8192, 5)):
        near = seccomp.near_libraries(memory)
        assert library >> 32 in near
        assert len(near) == upper_words


def test_the_older_way_to_open_reads_only_too() -> None:
    assert decide(X86, "open", 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    for more in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND):
        assert decide(X86, "open", 0, more) == EPERM


@pytest.mark.parametrize("machine", [X86, ARM])
def test_a_descriptor_is_duplicated_and_its_flags_are_read_and_set_and_no_more(machine: str) -> None:
    passing = [command for command in range(2000) if decide(machine, "fcntl", 3, command) == ALLOW]
    assert passing == [0, 1, 2, 3, 4, 1030]


def test_what_the_kernel_does_not_take_is_an_error_and_no_open_door() -> None:
    with pytest.raises(OSError, match="the filter was not accepted"):
        seccomp.install(b"")
    with pytest.raises(OSError, match="rules not accepted"):
        landlock.restrict(1 << 20)


def test_without_the_filter_too_landlock_holds_what_it_can(tmp_path: Path) -> None:
    code = """
        import ctypes, os, socket, sys
        from prowess.sandbox import landlock
        def passes(what, *arguments):
            try: what(*arguments)
            except PermissionError: return False
            return True
        tcp, unix = socket.socket(), socket.socket(socket.AF_UNIX)
        folder, abstract = sys.argv[1:]
        ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
        landlock.restrict(landlock.ruleset([f"{folder}/shown"], [folder]))
        ways = {
            "read shown": (open, f"{folder}/shown"), "list": (os.listdir, folder),
            "read hidden": (open, f"{folder}/hidden"), "write shown": (open, f"{folder}/shown", "a"),
            "make": (os.mkdir, f"{folder}/made"), "remove": (os.unlink, f"{folder}/shown"), "look": (os.listdir, "/"),
            "truncate": (os.truncate, f"{folder}/shown", 0), "link": (os.symlink, "/etc/passwd", f"{folder}/link"),
            "execute": (os.execv, "/bin/true", ["true"]),
            "serve": (tcp.bind, ("127.0.0.1", 0)), "connect": (unix.connect, "\\0" + abstract),
            "signal": (os.kill, os.getppid(), 0),
        }
        print(landlock.version(), *(name.replace(" ", "-") for name, way in ways.items() if passes(*way)))
    """
    (tmp_path / "shown").write_text("shown")
    (tmp_path / "hidden").write_text("hidden")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + (name := f"prowess-{os.getpid()}"))
        listener.listen()
        told = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), str(tmp_path), name],
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            text=True,
        )
    version, *passed = told.stdout.split()
    since = {"truncate": 3, "serve": 4, "connect": 6, "signal": 6}  # the versions that know of these
    assert passed == ["read-shown", "list", *(name for name, first in since.items() if int(version) < first)]


@pytest.mark.parametrize("machine", [X86, ARM])
def test_no_thread_brings_a_namespace_along(machine: str) -> None:
    for bit in (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(machine, "clone", 0x3D0F00 | bit) == EPERM


@pytest.mark.parametrize("machine", [X86, ARM])
def test_calls_that_no_program_of_an_agent_needs_are_fatal(machine: str) -> None:
    for name in syscalls.FATAL:
        assert decide(machine, name) == KILL, name


@pytest.mark.parametrize(
    ("machine", "number"),
    [
        *((X86, number) for number in (41, 42, 46, 57, 58, 59, 87, 99, 125, 319, 324, 424, 999)),
        *((ARM, number) for number in (35, 90, 179, 198, 203, 211, 221, 279, 283, 424, 999)),
    ],
)
def test_calls_that_are_not_listed_are_refused(machine: str, number: int) -> None:
    assert decide(machine, number) == EPERM


def test_calls_of_another_architecture_are_fatal() -> None:
    assert decide(X86, "read", arch=0x40000003) == KILL  # 32-bit
    assert decide(X86, 0x40000000) == decide(X86, 0x40000000 | 1) == KILL  # x32
    assert decide(ARM, "read", arch=0x40000028) == KILL  # 32-bit


def test_a_filter_can_be_aimed_at_a_process_later() -> None:
    for machine in (X86, ARM):
        assert seccomp.aimed(seccomp.program(machine, seccomp.NO_PID, NEAR), PID) == seccomp.program(machine, PID, NEAR)
        assert seccomp.program(machine, seccomp.NO_PID, NEAR) != seccomp.program(machine, PID, NEAR)


def test_no_call_is_both_allowed_and_fatal_and_all_have_numbers() -> None:
    assert not set(syscalls.ALLOWED) & {*syscalls.FATAL, *syscalls.MISSING}
    for name in [*syscalls.ALLOWED, *syscalls.FATAL, *syscalls.MISSING]:
        assert syscalls.number(name, X86) is not None


@pytest.mark.parametrize(
    ("machine", "header"),
    [(X86, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), (ARM, "/usr/include/asm-generic/unistd.h")],
)
def test_numbers_are_those_of_the_kernels_headers(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"no {header}")
    lines = [line.split() for line in Path(header).read_text().splitlines()]
    known = {line[1]: line[2] for line in lines if len(line) >= 3 and line[0] == "#define"}
    checked = 0
    for name in syscalls._NUMBERS:
        number = syscalls.number(name, machine)
        found = known.get(f"__NR_{name}", known.get(f"__NR3264_{name}", ""))
        if found.isdigit():
            assert number == int(found), name
            checked += 1
    assert checked > 100
