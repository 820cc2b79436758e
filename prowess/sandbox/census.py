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

from .syscalls import number

_VM, _FS, _FILES, _PIDFD, _VFORK = 0x100, 0x200, 0x400, 0x1000, 0x4000
_NOWHERE = ctypes.c_void_p(1 << 63)
_MOST = 1 << 22
"""No kernel has more processes."""


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


def threads_of_children(proc: int) -> dict[int, int]:
    """The threads of each child of this process, by its id; none where `/proc`, an open folder, does not tell.

    That `/proc` may be of another pid namespace: then it has other names for all of them, and tells ours, too.
    """
    try:
        own = os.readlink("self", dir_fd=proc)
        children = _read(proc, f"{own}/task/{own}/children").split()
        told = [dict(line.split(":", 1) for line in _read(proc, f"{one}/status").splitlines()) for one in children]
        return {int(lines["NSpid"].split()[-1]): int(lines["Threads"]) for lines in told}
    except (OSError, KeyError, ValueError):
        return {}


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
