"""Landlock: the kernel refuses to open any file but those below the paths named here.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from .syscalls import number

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many file rights each version of the interface knows; the newest kernels know as many as 5."""


def version() -> int:
    """The version of the interface that this kernel offers, 0 for none."""
    found = _call("landlock_create_ruleset", None, 0, 1)
    return max(found, 0)


def ruleset(files: Iterable[str], folders: Iterable[str]) -> int:
    """A descriptor for rules that allow reading below `files` and listing below `folders`, nothing else.

    Every right that the kernel knows is taken away first: writing, creating, removing, executing, TCP, and
    from version 6 on signals and abstract sockets that leave the jail.
    """
    offered = version()
    rights = (1 << _FILE_RIGHTS.get(offered, 16)) - 1
    network = 3 if offered >= 4 else 0
    scopes = 3 if offered >= 6 else 0
    attributes = struct.pack("=QQQ", rights, network, scopes)
    attributes = attributes[: 8 if offered < 4 else 16 if offered < 6 else 24]
    rules = _call("landlock_create_ruleset", attributes, len(attributes), 0)
    if rules < 0:
        raise OSError(-rules, f"landlock: no rule set ({os.strerror(-rules)})")
    for path in files:
        _allow(rules, path, _READ_FILE | _READ_DIR if os.path.isdir(path) else _READ_FILE)
    for path in folders:
        _allow(rules, path, _READ_DIR)
    return rules


def restrict(rules: int) -> None:
    """Lay the rules on this process, for good. Needs no_new_privs."""
    failed = _call("landlock_restrict_self", rules, 0)
    if failed < 0:
        raise OSError(-failed, f"landlock: rules not accepted ({os.strerror(-failed)})")


def _allow(rules: int, path: str, rights: int) -> None:
    below = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        failed = _call("landlock_add_rule", rules, 1, struct.pack("=Qi", rights, below), 0)
        if failed < 0:
            raise OSError(-failed, f"landlock: no rule for {path} ({os.strerror(-failed)})")
    finally:
        os.close(below)


def _call(name: str, *arguments: int | bytes | None) -> int:
    """A raw call: its result, or minus the error number."""
    libc = ctypes.CDLL(None, use_errno=True)
    call = number(name, os.uname().machine)
    result = int(libc.syscall(ctypes.c_long(call or 0), *(_long(argument) for argument in arguments)))
    return result if result >= 0 else -ctypes.get_errno()


def _long(argument: int | bytes | None) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument
