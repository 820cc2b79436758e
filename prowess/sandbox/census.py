"""How many processes and threads there are: of a user, as `RLIMIT_NPROC` counts them, and of our own children.

`/proc` shows fewer where containers share a user, and none in a root of its own. So the kernel is asked itself: by
starting a process in a way that is refused for want of room first, and always refused later.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
from collections.abc import Iterator

from .syscalls import number

_VM, _FS, _FILES, _PIDFD, _VFORK = 0x100, 0x200, 0x400, 0x1000, 0x4000
_NOWHERE = ctypes.c_void_p(1 << 63)
_MOST = 1 << 22
"""No kernel has more processes."""
_NAMES = 1000
"""Names of children that are kept."""


def counted() -> int | None:
    """This process and what else runs as its user; None where the limit does not hold for it, as for root.

    Give up all capabilities first: with them the limit does not hold either.
    """
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    hard = _MOST if before[1] == resource.RLIM_INFINITY else min(before[1], _MOST)
    try:
        if _has_room(0, before[1]) is not False:
            return None
        low, high = 0, hard  # there is no room at the one; at the other there may be
        while high - low > 1:
            middle = (low + high) // 2
            if _has_room(middle, before[1]):
                high = middle
            else:
                low = middle
        return low
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, before)


def threads_of_children(proc: int) -> Iterator[tuple[int, int]]:
    """Each child of this process, the newest first: its id and its threads; none where `/proc`, an open folder, does
    not tell.

    That `/proc` may be of another pid namespace: then it has other names for all of them, and tells ours, too.
    """
    for name in _children(proc):
        if (told := _told(proc, name)) is not None:
            yield told


def threads_of(proc: int, pid: int, names: dict[int, str]) -> int | None:
    """The threads of one child; `names` keeps what `/proc` calls each, for the next time."""
    known = names.get(pid)
    told = _told(proc, known) if known is not None else None
    if told is not None and told[0] == pid:
        return told[1]
    for name in _children(proc):
        told = _told(proc, name)
        if told is not None and told[0] == pid:
            if len(names) >= _NAMES:
                names.clear()
            names[pid] = name
            return told[1]
    return None


def _children(proc: int) -> list[str]:
    """What `/proc` calls the children of this process, the newest first."""
    try:
        own = os.readlink("self", dir_fd=proc)
        return _read(proc, f"{own}/task/{own}/children").split()[::-1]
    except OSError:
        return []


def _told(proc: int, name: str) -> tuple[int, int] | None:
    """The id that we know a child by, and its threads; nothing if it ends just now."""
    try:
        lines = dict(line.split(":", 1) for line in _read(proc, f"{name}/status").splitlines())
        return int(lines["NSpid"].split()[-1]), int(lines["Threads"])
    except (OSError, KeyError, ValueError):
        return None


def _read(proc: int, name: str) -> str:
    with open(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc), encoding="ascii", errors="replace") as file:
        return file.read()


def _has_room(limit: int, hard: int) -> bool | None:
    """Whether one more process would pass under the limit; None where that cannot be found out.

    The kernel looks at the limit, and much later writes a descriptor to an address that it cannot write to.
    """
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, hard))
    libc = ctypes.CDLL(None, use_errno=True)
    call = ctypes.c_long(number("clone", os.uname().machine) or 0)
    flags = ctypes.c_long(_VM | _FS | _FILES | _PIDFD | _VFORK | signal.SIGCHLD)
    none = ctypes.c_long(0)
    libc.syscall(call, flags, none, _NOWHERE, none, none)
    return {errno.EFAULT: True, errno.EAGAIN: False}.get(ctypes.get_errno())
