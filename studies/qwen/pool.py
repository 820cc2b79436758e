"""Processes for the jobs of a study, that end with whoever started them: they hold the GPU."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TypeVar

R = TypeVar("R")


class Pool:
    """Processes, each of which takes one job after the other. One that dies takes its own job along, and no other: a
    pool of Python's ends them all then."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=jobs)
        self._hands: dict[int, ProcessPoolExecutor] = {}
        """By thread: a process of its own."""
        self._interrupted = threading.Event()

    def submit(self, work: Callable[..., R], *given: object) -> Future[R]:
        return self._threads.submit(self._done, work, *given)

    def close(self) -> None:
        """Wait for the jobs under way, and begin no other."""
        self._threads.shutdown(cancel_futures=True)
        for hand in self._hands.values():
            hand.shutdown()

    def _done(self, work: Callable[..., R], *given: object) -> R:
        """A job, unless Ctrl-C was heard in another one."""
        if self._interrupted.is_set():
            raise KeyboardInterrupt
        me = threading.get_ident()
        if me not in self._hands:
            self._hands[me] = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_end_with_parent)
        try:
            return self._hands[me].submit(work, *given).result()
        except KeyboardInterrupt:
            self._interrupted.set()
            raise
        except BrokenProcessPool:
            self._hands.pop(me).shutdown()
            raise BrokenProcessPool("its process died: killed, or the machine ran out of memory") from None


@contextmanager
def pool_of(jobs: int) -> Iterator[Pool]:
    """So many processes. After Ctrl-C, which ends the jobs under way, no other is begun."""
    pool = Pool(jobs)
    try:
        yield pool
    finally:
        pool.close()


def _end_with_parent() -> None:
    """Watch the parent, and end at once when it is gone: killed, it tells nobody, and a job may take hours.

    Runs go on where they stopped. Engines of vLLM end by themselves when the process that speaks with them is gone.
    """
    threading.Thread(target=_watch, name="orphan", daemon=True).start()


def _watch() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
