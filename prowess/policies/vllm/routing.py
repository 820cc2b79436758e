"""Which of several engines a conversation goes to."""

from __future__ import annotations

from collections.abc import Collection, Sequence


class Router:
    """Conversations that begin alike go to one engine, where their beginning is read already."""

    def __init__(self) -> None:
        self._engines: dict[int, int] = {}

    def of(self, opening: int, load: Sequence[int], *, out: Collection[int] = ()) -> int:
        """The engine that has read this beginning, or the one with the least to do; 0 is no beginning. Those that are
        `out` are not asked.

        >>> router = Router()
        >>> router.of(7, [3, 1]), router.of(7, [3, 9]), router.of(8, [3, 9])
        (1, 1, 0)
        >>> router.of(7, [3, 9], out={1}), router.of(7, [3, 0])
        (0, 0)
        """
        here = self._engines.get(opening)
        if here is not None and here not in out:
            return here
        least = min((number for number in range(len(load)) if number not in out), key=lambda number: load[number])
        if opening:
            self._engines[opening] = least
        return least

    def forget(self) -> None:
        """Nothing is remembered under other weights."""
        self._engines.clear()
