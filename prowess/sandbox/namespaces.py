"""Namespaces: an own view of processes, files, network and IPC where the kernel grants one. An extra, never required.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import os

_USER, _PID, _NET, _IPC, _UTS, _MOUNT = 0x10000000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x00020000
_NAMES = {_USER: "user", _PID: "pid", _NET: "net", _IPC: "ipc", _UTS: "uts", _MOUNT: "mount"}


def enter() -> tuple[str, ...]:
    """Leave the machine's namespaces for new ones; the names of those obtained, none when refused.

    The pid namespace begins with the next fork. Call from a process with one thread.
    """
    apart = _PID | _NET | _IPC | _UTS | _MOUNT
    uid, gid = os.getuid(), os.getgid()
    if _unshare(apart):
        return _names(apart)
    if _unshare(apart | _USER):
        try:
            _map(uid, gid)
        except OSError:
            return _names(apart | _USER)  # unmapped, so every id reads as nobody: still apart
        return _names(apart | _USER)
    return ()


def enter_user() -> bool:
    """A user namespace for this process alone, so that its limit on threads counts only its own."""
    return _unshare(_USER)


def _map(uid: int, gid: int) -> None:
    """Keep the own ids, so that files are owned by whom they were."""
    for path, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{path}", "w", encoding="ascii") as file:
            file.write(text)


def _unshare(flags: int) -> bool:
    return bool(ctypes.CDLL(None, use_errno=True).unshare(flags) == 0)


def _names(flags: int) -> tuple[str, ...]:
    return tuple(name for flag, name in _NAMES.items() if flags & flag)
