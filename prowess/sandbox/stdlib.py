"""What jailed code may see of the machine's files: the standard library and the time zones.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import os
import sys
import zoneinfo

_KEPT_OUT = ("site-packages", "dist-packages")
"""Folders of installed packages that may lie inside the standard library: prowess itself could be in one."""


def folders() -> list[str]:
    """The folders Python imports its standard library from, in order, under their real paths."""
    return list(dict.fromkeys(os.path.realpath(path) for path in sys.path if os.path.isdir(path)))


def time_zones() -> list[str]:
    return [os.path.realpath(path) for path in zoneinfo.TZPATH if os.path.isdir(path)]


def outermost(paths: list[str]) -> list[str]:
    """Those paths that lie in no other.

    >>> outermost(["/usr/lib/python3", "/usr/lib/python3/lib-dynload", "/usr/share/zoneinfo"])
    ['/usr/lib/python3', '/usr/share/zoneinfo']
    """
    return [path for path in paths if not any(path.startswith(other + "/") for other in paths)]


def packages(library: list[str]) -> list[str]:
    """Folders of installed packages inside the library."""
    found = [os.path.join(folder, name) for folder in library for name in _KEPT_OUT]
    return [path for path in found if os.path.isdir(path)]


def readable(library: list[str]) -> tuple[str, ...]:
    """Files and folders that may be read: everything in the library but installed packages, and the time zones."""
    entries = [os.path.join(folder, name) for folder in library for name in os.listdir(folder) if name not in _KEPT_OUT]
    # A link may lead out of what is shown (Debian's sitecustomize.py does).
    return (*sorted(path for path in entries if os.path.exists(path)), *time_zones())


def open_to_all(path: str) -> bool:
    """True when any user may list a folder and pass through those above it."""
    if os.stat(path).st_mode & 0o005 != 0o005:
        return False
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True
