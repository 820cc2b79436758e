"""Reading what strangers wrote: plain files of a bounded size inside one folder, and no links."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from prowess.errors import StoreError
from prowess.files.disk import storing

IGNORED = frozenset({"__pycache__", ".pytest_cache", ".DS_Store"})
"""What tools leave behind: not read, and no change."""

MANY = 100
"""Files and folders in one skill's folder, at most."""


@contextmanager
def _plain(path: Path) -> Iterator[BinaryIO]:
    """A plain file; a link and a device are refused."""
    with storing(path):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if path.is_symlink():
                raise StoreError(f"'{path}' is a symbolic link", hint="links are not imported") from error
            raise
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise StoreError(f"'{path}' is not a plain file")
            yield file


def read_plain(path: Path, largest: int) -> bytes:
    """A plain file's content; what is larger than allowed is refused."""
    with _plain(path) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise StoreError(f"'{path}' is larger than {largest} bytes")
    return content


def lines_in(path: Path, longest: int) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a plain file that are not empty, with their numbers; None for one that is longer than allowed."""
    with _plain(path) as file:
        number = 0
        while line := file.readline(longest + 1):
            number += 1
            long = len(line) > longest
            while long and not line.endswith(b"\n") and (line := file.readline(1 << 20)):
                pass
            if long or line.strip():
                yield number, None if long else line


def files_in(folder: Path) -> dict[PurePosixPath, Path]:
    """Every file below a folder by its path in it; a link anywhere, the folder itself too, is refused."""
    if folder.is_symlink():
        raise StoreError(f"'{folder}' is a symbolic link", hint="links are not imported")
    found: dict[PurePosixPath, Path] = {}
    with storing(folder):
        for path in _below(folder):
            found[PurePosixPath(path.relative_to(folder).as_posix())] = path
            if len(found) > MANY:
                raise StoreError(f"'{folder}' holds more than {MANY} files", hint="a skill's folder holds four")
    return found


def _below(folder: Path, depth: int = 0) -> Iterator[Path]:
    if depth > 8:
        raise StoreError(f"'{folder}' is too deep", hint="a skill's folder has two levels")
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in IGNORED:
                continue
            if entry.is_symlink():
                raise StoreError(f"'{entry.path}' is a symbolic link", hint="links are not imported")
            if entry.is_dir(follow_symlinks=False):
                yield from _below(Path(entry.path), depth + 1)
            else:
                yield Path(entry.path)
