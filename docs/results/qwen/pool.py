"""Processes for the jobs of a study, that end with whoever started them: they hold the GPU."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait


def pool_of(jobs: int) -> ProcessPoolExecutor:
    """So many processes, each of which takes one job after the other."""
    return ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)


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
