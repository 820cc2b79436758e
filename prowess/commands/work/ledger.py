"""A file of JSON lines that only grows: what is in it is on disk, and a line cut short by a kill was never there.

    {"first": 10, "root": "1f0c...", "skills": 4, "crc": "9a3e01b7"}

Each line ends with a sum of what is before it (CRC-32), so that no flipped bit is taken for what was written. A line
without one was written by hand.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar
from zlib import crc32

from prowess.errors import StoreError
from prowess.files.codec import from_json, line_of, parsed, to_json
from prowess.files.disk import storing, write_all

T = TypeVar("T")


class Ledger(Generic[T]):
    """Values of one kind, in the order in which they came. One process writes; its threads may share it."""

    __slots__ = ("_guard", "_values", "path")

    def __init__(self, path: Path, kind: type[T]) -> None:
        """Read what is there; to write, the caller must hold the run."""
        self.path = path
        self._guard = threading.Lock()
        self._values: list[T] = []
        with storing(path):
            content = path.read_bytes() if path.exists() else b""
        *lines, torn = content.split(b"\n")  # what follows the last line end is torn
        if _SUMMED.search(torn[:-1]):
            lines.append(torn)  # or else a whole line, whose end is damaged
        for number, line in enumerate(lines, start=1):
            try:
                self._values.append(from_json(kind, parsed(_intact(line))))
            except StoreError as error:
                raise StoreError(f"{path}:{number}: {error.message}", hint=error.hint) from None

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._values))

    def between(self, first: int, end: int) -> tuple[T, ...]:
        """Values by their place, as many as there are."""
        return tuple(self._values[first:end])

    def append(self, *values: T) -> None:
        """Add values; all of them are on disk when this returns."""
        if not values:
            return
        text = b"".join(_summed(line_of(to_json(value)).encode()) for value in values)
        with self._guard, storing(self.path):
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                end = os.fstat(handle).st_size
                whole = end - _torn(handle, end)
                os.ftruncate(handle, whole)
                os.lseek(handle, whole, os.SEEK_SET)
                write_all(handle, text)
                os.fsync(handle)
            finally:
                os.close(handle)
            self._values += values


_SUMMED = re.compile(rb', "crc": "([0-9a-f]{8})"\}$')


def _summed(line: bytes) -> bytes:
    """A line with its sum, and its end."""
    return line[:-1] + b', "crc": "%08x"}\n' % crc32(line)


def _intact(line: bytes) -> bytes:
    """A line without its sum; one that is not what was written is an error."""
    found = _SUMMED.search(line)
    if not found:
        return line  # where only the sum is damaged, that is an entry nobody knows
    plain = line[: found.start()] + b"}"
    if b"%08x" % crc32(plain) != found[1]:
        raise StoreError("the line is damaged: it is not what was written", hint=_HINT)
    return plain


_HINT = "restore the file from a copy, or begin the run again (--force)"


def _torn(handle: int, end: int) -> int:
    """How many bytes follow the last line end: the start of a line that a kill or a full disk cut short."""
    tail, size = b"", 1 << 12
    while b"\n" not in tail and len(tail) < end:
        tail = os.pread(handle, min(size, end), max(0, end - size))
        size *= 2
    return len(tail) - (tail.rfind(b"\n") + 1)
