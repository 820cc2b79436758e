"""A file of JSON lines that only grows: what is in it is on disk, and a line cut short by a kill was never there."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

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
        for number, line in enumerate(content.split(b"\n")[:-1], start=1):  # what follows the last line end is torn
            try:
                self._values.append(from_json(kind, parsed(line)))
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
        text = "".join(f"{line_of(to_json(value))}\n" for value in values).encode()
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


def _torn(handle: int, end: int) -> int:
    """How many bytes follow the last line end: the start of a line that a kill or a full disk cut short."""
    tail, size = b"", 1 << 12
    while b"\n" not in tail and len(tail) < end:
        tail = os.pread(handle, min(size, end), max(0, end - size))
        size *= 2
    return len(tail) - (tail.rfind(b"\n") + 1)
