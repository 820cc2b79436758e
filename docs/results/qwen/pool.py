"""Processes for the jobs of a study, that end with whoever started them: they hold the GPU."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import TypeVar

R = TypeVar("R")


class Pool:
    """Processes, each of which takes one job after the other."""

    def __init__(self, processes: ProcessPoolExecutor) -> None:
        self._processes = processes

    def submit(self, work: Callable[..., R], *given: object) -> Future[R]:
        return self._processes.submit(_done, work, *given)


@contextmanager
def pool_of(jobs: int) -> Iterator[Pool]:
    """So many processes. After Ctrl-C, which ends the jobs under way, no other is begun."""
    processes = ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)
    try:
        yield Pool(processes)
    finally:
        processes.shutdown(cancel_futures=True)


_interrupted = threading.Event()
"""In a process for jobs: Ctrl-C was heard there."""


def _done(work: Callable[..., R], *given: object) -> R:
    """A job, unless the one before was interrupted: a pool sends the next one ahead, and cannot take it back."""
    if _interrupted.is_set():
        raise KeyboardInterrupt
    try:
        return work(*given)
    except KeyboardInterrupt:
        _interrupted.set()
        raise


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
