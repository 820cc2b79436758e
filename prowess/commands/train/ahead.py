"""Work that is done one step ahead: while a step learns, the next one's rollouts are played."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Generic, TypeVar

R = TypeVar("R")


class Ahead(Generic[R]):
    """Does work by step, on a thread of its own; without `overlap`, when it is asked for.

    `prepare` runs at once, on the caller's thread: what it takes of the world (weights, say) is of that moment.
    """

    def __init__(self, prepare: Callable[[int], Callable[[], R]], *, overlap: bool) -> None:
        self._prepare = prepare
        self._overlap = overlap
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ahead")
        self._begun: dict[int, Future[R]] = {}

    def begin(self, step: int) -> None:
        """Let a later step's work begin, where work overlaps."""
        if self._overlap:
            self._begun[step] = self._thread.submit(self._prepare(step))

    def wait(self) -> None:
        """Until nothing is under way."""
        for future in self._begun.values():
            future.exception()

    def take(self, step: int) -> R:
        """The work of a step: waited for if it was begun, done now if not."""
        begun = self._begun.pop(step, None)
        return begun.result() if begun else self._prepare(step)()

    def __enter__(self) -> Ahead[R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)
