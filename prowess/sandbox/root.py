"""A root of its own: a file system that holds the standard library and the time zones, and nothing else.

With it, jailed code cannot even learn whether a path of the machine exists. Needs a mount namespace: an extra.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from .syscalls import number

_PRIVATE, _BIND, _NO_SUID, _NO_DEVICES, _DETACH = 0x44000, 0x1000, 0x2, 0x4, 2
_PLACES = ("/mnt", "/media", "/srv", "/opt", "/tmp")
"""Where the new root may be built; the mount is seen by this namespace only."""


def change(shown: Iterable[str], hidden: Iterable[str]) -> bool:
    """Make a new root that shows these folders under their own paths, without those; False when it cannot be done."""
    shown, hidden = list(shown), list(hidden)
    place = next((p for p in _PLACES if os.path.isdir(p) and not any(s.startswith(p + "/") for s in shown)), None)
    try:
        if place is None:
            return False
        _mount("none", "/", None, _PRIVATE, None)
        _mount("jail", place, "tmpfs", _NO_SUID | _NO_DEVICES, "mode=0755,size=1m")
        for path in shown:
            os.makedirs(place + path, mode=0o755, exist_ok=True)
            _mount(path, place + path, None, _BIND, None)
        for path in hidden:
            _mount("jail", place + path, "tmpfs", _NO_SUID | _NO_DEVICES, "mode=0755,size=4k")
        os.chdir(place)
        _enter()
    except OSError:
        return False
    os.chdir("/")
    return True


def _enter() -> None:
    """Make the current folder the root, and forget the old one where the kernel allows it."""
    libc = ctypes.CDLL(None, use_errno=True)
    call = number("pivot_root", os.uname().machine)
    if libc.syscall(ctypes.c_long(call or 0), b".", b".") == 0:
        libc.umount2(b".", _DETACH)
    else:  # the machine's root is its first, unmovable one; children have no right to leave this one
        os.chroot(".")


def _mount(source: str, target: str, kind: str | None, flags: int, options: str | None) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = [text.encode() if text is not None else None for text in (source, target, kind)]
    if libc.mount(*arguments, ctypes.c_ulong(flags), options.encode() if options is not None else None):
        error = ctypes.get_errno()
        raise OSError(error, f"mount {target}: {os.strerror(error)}")
