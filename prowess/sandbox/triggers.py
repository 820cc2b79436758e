"""What sets code off later, unasked: signals, timers, tracing, the garbage collector. No skill leaves any as it loads.

Code that is only defined would act in the task otherwise, in the name of another. Not all can be taken back: hooks for
audits stay, objects have finalisers, and a function may stand in another's place.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import gc
import importlib
import sys
import threading
from typing import Any

_signal: Any = importlib.import_module("_signal")  # `signal` makes an enumeration of each number that it tells
_TIMERS = (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)
_LAST = 65
_UNSEEN = ("signal", "setitimer", "getsignal", "pthread_sigmask")


class Triggers:
    """Those of one interpreter, as they were before code ran."""

    def __init__(self) -> None:
        # Kept here, as code may put others in their places.
        self._signal, self._timer, self._handler, self._mask = (getattr(_signal, name) for name in _UNSEEN)
        self._handlers: list[Any] = []
        self._blocked: Any = ()
        self._callbacks: list[Any] = []

    def note(self) -> None:
        """Remember how they are now."""
        self._handlers = [self._handler(number) for number in range(1, _LAST)]
        self._blocked = self._mask(_signal.SIG_BLOCK, ())
        self._callbacks = [*gc.callbacks]

    def restore(self) -> None:
        """Let them be as they were, in the thread that noted it."""
        for timer in _TIMERS:
            self._timer(timer, 0)
        for number, handler in enumerate(self._handlers, 1):
            if handler is not None and self._handler(number) is not handler:
                self._signal(number, handler)
        self._mask(_signal.SIG_SETMASK, self._blocked)
        gc.callbacks[:] = self._callbacks
        for module in (sys, threading):
            module.settrace(None)
            module.setprofile(None)
