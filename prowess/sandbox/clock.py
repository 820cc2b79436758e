"""A frozen clock: date and time stand still at the task's moment, as in AppWorld, so that a run can be repeated.

`datetime` and `date` themselves stay the classes they are; only what they call the present changes.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import datetime
import gc
import itertools
import time
from typing import Any

_TICK_NS = 1_000_000


def freeze(now: str) -> None:
    """Stop this process's clocks at an ISO date and time, read as local time: the zygote's is UTC.

    `perf_counter` and its kin advance by one millisecond at each reading, and `sleep` returns at once: where
    time stands still, waiting changes nothing. `monotonic` stays real, for asyncio and threads wait by it.
    """
    seconds = datetime.datetime.fromisoformat(now).timestamp()
    nanoseconds = int(seconds * 1_000_000) * 1000
    _freeze_datetime(seconds)
    _freeze_time(seconds, nanoseconds)


def _freeze_datetime(seconds: float) -> None:
    def now(cls: Any, tz: Any = None) -> Any:
        return cls.fromtimestamp(seconds, tz)

    def utcnow(cls: Any) -> Any:
        return cls.fromtimestamp(seconds)

    # A static type takes no new attributes by assignment; its dictionary does. `date.today` asks `time.time`.
    (members,) = gc.get_referents(datetime.datetime.__dict__)
    members["now"] = classmethod(now)
    members["utcnow"] = classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))


def _freeze_time(seconds: float, nanoseconds: int) -> None:
    localtime, gmtime, asctime, strftime = time.localtime, time.gmtime, time.asctime, time.strftime
    ticks = itertools.count(_TICK_NS, _TICK_NS)
    sleep = time.sleep
    time.time = lambda: seconds
    time.time_ns = lambda: nanoseconds
    time.localtime = lambda secs=None, /: localtime(seconds if secs is None else secs)
    time.gmtime = lambda secs=None, /: gmtime(seconds if secs is None else secs)
    time.asctime = lambda t=None, /: asctime(localtime(seconds) if t is None else t)
    time.ctime = lambda secs=None, /: asctime(localtime(seconds if secs is None else secs))
    time.strftime = lambda format, t=None, /: strftime(format, localtime(seconds) if t is None else t)
    for name in ("perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: next(ticks) / 1e9)
        setattr(time, f"{name}_ns", lambda: next(ticks))

    def no_sleep(seconds: Any, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        sleep(0)

    time.sleep = no_sleep
