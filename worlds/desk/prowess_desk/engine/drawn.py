"""A sequence that is drawn as far as somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from threading import Lock
from typing import TypeVar, overload

T = TypeVar("T")


class Drawn(Sequence[T]):
    """The items of a source as a sequence, each drawn once, when it or a later one is asked for.

    Where drawing fails, even by Ctrl-C, the source is begun again when somebody next asks for more. An iterator that
    has raised has ended, so the sequence would look shorter than it is. The source must give the same items each time.

    >>> squares = Drawn(lambda: (print(n) or n * n for n in range(1000)))
    >>> squares[1]
    0
    1
    1
    """

    def __init__(self, source: Callable[[], Iterator[T]]) -> None:
        self._source = source
        self._rest: Iterator[T] | None = None
        """What is not found yet; None where the source has to be begun."""
        self._found: list[T] = []
        self._drawing = Lock()

    def _draw(self, wanted: int | None) -> list[T]:
        """What is found so far, which is so many, or all."""
        with self._drawing:
            missing = None if wanted is None else max(0, wanted - len(self._found))
            rest, self._rest = self._rest, None
            if rest is None:
                rest = islice(self._source(), len(self._found), None)
            self._found.extend(islice(rest, missing))
            self._rest = rest
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
