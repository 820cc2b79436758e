"""Threads of model-written code: none starts while functions are only defined, for it would live on into the task.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import _thread
import ctypes
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
        python = ctypes.PyDLL(None)  # of its own: code may change what `ctypes.pythonapi` says
        self._first, self._next = python.PyInterpreterState_ThreadHead, python.PyThreadState_Next
        for function in (python.PyInterpreterState_Get, self._first, self._next):
            function.restype, function.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
        python.PyInterpreterState_Get.argtypes = ()
        self._interpreter = python.PyInterpreterState_Get()

    def alive(self) -> int:
        """Threads of the interpreter, those included that have not run yet: only the interpreter itself tells them."""
        found, at = 0, self._first(self._interpreter)
        while at:
            found, at = found + 1, self._next(at)
        return found

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
