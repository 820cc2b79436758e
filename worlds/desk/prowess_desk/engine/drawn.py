"""A sequence that is drawn as far as somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from threading import Lock
from typing import TypeVar, overload

T = TypeVar("T")


class Drawn(Sequence[T]):
    """The items of an iterator as a sequence, each drawn once, when it or a later one is asked for.

    >>> squares = Drawn(print(n) or n * n for n in range(1000))
    >>> squares[1]
    0
    1
    1
    """

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._found: list[T] = []
        self._drawing = Lock()

    def _draw(self, wanted: int | None) -> list[T]:
        """What is found so far, which is so many, or all."""
        with self._drawing:
            missing = None if wanted is None else max(0, wanted - len(self._found))
            self._found.extend(islice(self._source, missing))
        return self._found

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            ends = [end for end in (index.start, index.stop) if end is not None]
            known = index.stop is not None and min(ends) >= 0
            return self._draw(max(ends) if known else None)[index]
        return self._draw(index + 1 if index >= 0 else None)[index]

    def __iter__(self) -> Iterator[T]:
        for at in count():
            if len(found := self._draw(at + 1)) <= at:
                return
            yield found[at]

    def __len__(self) -> int:
        return len(self._draw(None))

    def __bool__(self) -> bool:
        return bool(self._draw(1))
