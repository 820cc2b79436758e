"""The system-call filter: a small assembler for the kernel's packet-filter machine, and the jail's policy.

A filter looks at the call's number and at the words of its arguments, never at memory. Whatever is not
allowed fails with EPERM, so that Python raises PermissionError and the program can go on.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
from dataclasses import dataclass

from .syscalls import ALLOWED, FATAL, MACHINES, MISSING, number

_LOAD, _AND, _JUMP_EQ, _JUMP_GE, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM = _ERRNO | errno.EPERM

_THREAD, _DETACHED = 0x3D0F00, 0x400000
"""What glibc and musl start a thread with, on both machines: memory, descriptors, folders and signal handlers are
shared, nothing else is asked for. musl adds a flag that no kernel has read for long."""
_FCNTL = (0, 1, 2, 3, 4, 1030)  # duplicate, read and set flags; not F_SETOWN, which aims signals at others
_OPTIONS = (3, 4, 7, 8, 30, 38, 39)  # a socket's type, error, sizes, family: not its peer, which is the host
_ADVICE = (0, 1, 2, 3, 4, 8, 15, 16, 17)  # give pages back, and what changes nothing: no huge pages
_SHARED, _PRIVATE_MAPPING, _MAPPING_KINDS, _ANONYMOUS, _HUGE = 1, 2, 0xF, 0x20, 0x40000
_MAP_STACK, _STACK = 0x20000, 1 << 20
_MOVE_TO = 2
_NON_BLOCKING = 0x5421
_CLOSE_ON_EXEC = 4
_WAITS, _PRIVATE, _COMMANDS = (0, 9), 0x80, 0x7F
_OF_A_PROCESS = ("sched_getaffinity", "sched_getparam", "sched_getscheduler", "getpgid", "getsid")
_REFUSALS = {"madvise": errno.EINVAL, "sched_getaffinity": errno.ENOSYS}
"""What a C library takes as the answer of an older kernel, and does without."""

NO_PID = 0x7ABCDEF7
"""Stands for the process in a filter that is made before the process is; no kernel counts this far."""


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on one 32-bit word of an argument: `word & mask` is among `values` (or is not)."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    high: bool = False
    """Look at the upper half of the argument."""
    among: bool = True


def _null(argument: int) -> tuple[Check, Check]:
    """The argument is a null pointer."""
    return Check(argument, (0,)), Check(argument, (0,), high=True)


def checks(pid: int) -> dict[str, tuple[Check, ...]]:
    """Calls that pass only with these arguments, for the process `pid`."""
    write_or_create = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    other_signals = Check(1, (signal.SIGKILL, signal.SIGSTOP), among=False)
    return {
        "open": (Check(1, (0,), mask=write_or_create),),
        "openat": (Check(2, (0,), mask=write_or_create),),
        "fcntl": (Check(1, _FCNTL),),
        # Not with descriptors of the calling thread's own: see `clone`.
        "close_range": (Check(2, (0, _CLOSE_ON_EXEC)),),
        "getsockopt": (Check(1, (1,)), Check(2, _OPTIONS)),
        "madvise": (Check(2, _ADVICE),),
        # Other clocks tell how much processor time another process has used.
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), (Check(0, (0,), mask=0xFFFFFFF0),)),
        **dict.fromkeys(_OF_A_PROCESS, (Check(0, (0, pid)),)),
        "getpriority": (Check(0, (0,)), Check(1, (0, pid))),
        # A datagram socket could address any socket of the machine by its path: streams only, no addresses.
        "socketpair": (Check(0, (1,)), Check(1, (1,), mask=0xF)),
        "sendto": _null(4),
        "mremap": (Check(3, (0,), mask=_MOVE_TO),),  # for where memory lies see `_mapping`
        "prlimit64": (Check(0, (0,)), *_null(2)),
        # With fewer flags a thread has descriptors of its own, up to 64 open files each: memory that no limit counts.
        "clone": (Check(0, (_THREAD,), mask=0xFFFFFFFF & ~_DETACHED),),
        # SIGKILL is kept for the outside world, so that its sender can be told.
        "kill": (Check(0, (pid,)), other_signals),
        "tgkill": (Check(0, (pid,)), Check(2, (signal.SIGKILL, signal.SIGSTOP), among=False)),
    }


def near_libraries(memory_mb: int) -> range:
    """The addresses, by their upper words, where libraries lie and what a process of this memory loads besides."""
    here = (ctypes.cast(ctypes.CDLL(None).mmap, ctypes.c_void_p).value or 0) >> 32
    return range(max(0, here - 1 - (memory_mb >> 12)), here + 2)


def program(machine: str, pid: int, near: range) -> bytes:
    """The jail's filter for a machine, a process and where its libraries lie, ready for `install`."""
    out = [_stmt(_LOAD, 4), _jump(_JUMP_EQ, MACHINES[machine], 1, 0), _stmt(_RETURN, _KILL), _stmt(_LOAD, 0)]
    if machine == "x86_64":  # the x32 calls share the architecture and have other numbers
        out += [_jump(_JUMP_GE, 0x40000000, 0, 1), _stmt(_RETURN, _KILL)]
    conditions = checks(pid)
    for name in ALLOWED:
        if name == "mmap":
            body = _mapping(near)
        elif name == "futex":
            body = _futex()
        else:
            body = _block(conditions.get(name, ()), _REFUSALS.get(name, errno.EPERM))
        out += _when(number(name, machine), body)
    for name in MISSING:
        out += _when(number(name, machine), [_stmt(_RETURN, _ERRNO | errno.ENOSYS)])
    out += _when(number("ioctl", machine), _device())
    for name in FATAL:
        out += _when(number(name, machine), [_stmt(_RETURN, _KILL)])
    out.append(_stmt(_RETURN, _EPERM))
    return b"".join(out)


def aimed(code: bytes, pid: int) -> bytes:
    """A filter made for `NO_PID`, for a process: assembling takes longer than this."""
    return code.replace(struct.pack("=I", NO_PID), struct.pack("=I", pid))


def install(code: bytes) -> None:
    """Put a filter on this process, for good. Needs no_new_privs or CAP_SYS_ADMIN."""

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    machine = os.uname().machine
    call = number("seccomp", machine)
    loaded = _Program(len(code) // 8, code)
    if libc.syscall(ctypes.c_long(call or 0), 1, 0, ctypes.byref(loaded)):
        raise OSError(ctypes.get_errno(), "seccomp: the filter was not accepted")


def supported() -> bool:
    """True when this kernel takes filters; to be asked on a machine that the jail knows."""
    # SECCOMP_GET_ACTION_AVAIL for KILL_PROCESS: answers without changing anything.
    action = ctypes.c_uint32(_KILL)
    call = number("seccomp", os.uname().machine)
    return not ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(call or 0), 2, 0, ctypes.byref(action))


def _stmt(code: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, 0, 0, value)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _when(call: int | None, body: list[bytes]) -> list[bytes]:
    """Run the body, which must return, if the number in the accumulator is this call's."""
    return [] if call is None else [_jump(_JUMP_EQ, call, 0, len(body)), *body]


def _word(argument: int, high: bool = False) -> bytes:
    """Load one half of an argument; both machines are little-endian."""
    return _stmt(_LOAD, 16 + 8 * argument + (4 if high else 0))


def _block(conditions: tuple[Check, ...], refusal: int) -> list[bytes]:
    """Allow when every condition holds, fail with the error number otherwise."""
    out: list[bytes] = []
    for check in conditions:
        out += [_word(check.argument, check.high), _stmt(_AND, check.mask)]
        last = len(check.values) - 1
        for index, value in enumerate(check.values):
            after = last - index  # comparisons that still follow
            if check.among:  # a hit skips the rest and the refusal
                out.append(_jump(_JUMP_EQ, value, after + 1, 0))
            else:  # a hit goes to the refusal, the last miss skips it
                out.append(_jump(_JUMP_EQ, value, after, 1 if index == last else 0))
        out.append(_stmt(_RETURN, _ERRNO | refusal))
    return [*out, _stmt(_RETURN, _ALLOW)]


def _futex() -> list[bytes]:
    """Allow to wait and to wake within this process alone.

    Otherwise two episodes could talk: the libraries' pages are the same in both. Waits that other processes could end
    return at once, as if the value had just changed: `pthread_join` of glibc waits so, and looks again.
    """
    return [
        _word(1),
        _stmt(_AND, _PRIVATE),
        _jump(_JUMP_EQ, 0, 1, 0),
        _stmt(_RETURN, _ALLOW),
        _word(1),
        _stmt(_AND, _COMMANDS),
        *(_jump(_JUMP_EQ, wait, len(_WAITS) - at, 0) for at, wait in enumerate(_WAITS)),
        _stmt(_RETURN, _ERRNO | errno.EINVAL),
        _stmt(_RETURN, _ERRNO | errno.EAGAIN),
    ]


def _device() -> list[bytes]:
    """Allow to make a descriptor blocking or not (asyncio does); for the rest there is no such device."""
    return [
        _word(1),
        _jump(_JUMP_EQ, _NON_BLOCKING, 0, 1),
        _stmt(_RETURN, _ALLOW),
        _stmt(_RETURN, _ERRNO | errno.ENOTTY),
    ]


def _mapping(near: range) -> list[bytes]:
    """Allow mappings, but thread stacks only from 1 MiB on: the memory limit then bounds threads too.

    Memory is private: shared memory stays whole while one page of it is mapped, and only that page counts against the
    limit. And mappings lie where the kernel puts them, or near the libraries. One page far from all others costs the
    kernel two pages of tables besides, which no limit counts.
    """
    return [
        _word(3),
        _stmt(_AND, _HUGE | _ANONYMOUS | _MAPPING_KINDS),
        _jump(_JUMP_EQ, _ANONYMOUS | _PRIVATE_MAPPING, 3, 0),
        _jump(_JUMP_EQ, _PRIVATE_MAPPING, 2, 0),
        _jump(_JUMP_EQ, _SHARED, 1, 0),
        _stmt(_RETURN, _EPERM),
        _word(0, high=True),
        _jump(_JUMP_EQ, 0, 3, 0),
        _jump(_JUMP_GE, near.start, 0, 1),
        _jump(_JUMP_GE, near.stop, 0, 1),
        _stmt(_RETURN, _ERRNO | errno.ENOMEM),
        _word(3),
        _stmt(_AND, _MAP_STACK),
        _jump(_JUMP_EQ, 0, 2, 0),
        _word(1),
        _jump(_JUMP_GE, _STACK, 0, 1),
        _stmt(_RETURN, _ALLOW),
        _stmt(_RETURN, _ERRNO | errno.EAGAIN),
    ]
