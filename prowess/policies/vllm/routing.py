"""Which of several engines a conversation goes to."""

from __future__ import annotations

from collections.abc import Sequence


class Router:
    """Conversations that begin alike go to one engine, where their beginning is read already."""

    def __init__(self) -> None:
        self._engines: dict[int, int] = {}

    def of(self, opening: int, load: Sequence[int]) -> int:
        """The engine that has read this beginning, or the one with the least to do; 0 is no beginning.

        >>> router = Router()
        >>> router.of(7, [3, 1]), router.of(7, [3, 9]), router.of(8, [3, 9])
        (1, 1, 0)
        """
        least = min(range(len(load)), key=lambda number: load[number])
        return self._engines.setdefault(opening, least) if opening else least

    def forget(self) -> None:
        """Nothing is remembered under other weights."""
        self._engines.clear()
