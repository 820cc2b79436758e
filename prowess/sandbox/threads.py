"""Threads of model-written code: none starts while functions are only defined, for it would live on into the task.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from typing import Any

NO_THREADS = "Threads do not start while functions are being defined."
"""What code hears that starts one then."""

_STARTS = ("start_new_thread", "start_new", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread")
"""What every thread of Python is started with, by its names in all versions; there is an audit event for it in some."""


class Threads:
    """Whether threads may start. Code that takes its own interpreter apart finds a way around, as around all else."""

    def __init__(self) -> None:
        self.allowed = True

    def guard(self) -> None:
        """Let nobody in this process start one unasked from now on."""
        for module in (_thread, threading):
            for name in _STARTS:
                if hasattr(module, name):
                    setattr(module, name, self._asking(getattr(module, name)))

    def _asking(self, start: Callable[..., Any]) -> Callable[..., Any]:
        def asking(*positional: Any, **named: Any) -> Any:
            if not self.allowed:
                raise RuntimeError(NO_THREADS)
            return start(*positional, **named)

        return asking
