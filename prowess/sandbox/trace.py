"""Which functions of earlier blocks really ran in a step, and which exceptions left them.

Watching is by code object: `sys.monitoring` from Python 3.12 on, `sys.settrace` before. A step without
candidates is not watched and costs nothing.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import opcode
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FrameType
from typing import Any

from .failure import brief
from .takes import Recorder

Traced = tuple[str, int, str]
"""Name, block that defined it, and the exception that left it (or nothing)."""

_FUNCTION = 0x1 | 0x2  # CO_OPTIMIZED | CO_NEWLOCALS: a function's body, not a class's
_TOOL = 4
_RETURNS = ("RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE", "RETURN_GENERATOR")


def functions_of(module: CodeType) -> Iterable[CodeType]:
    """Code objects of the functions defined at the top level of a compiled block."""
    for constant in module.co_consts:
        if not isinstance(constant, CodeType):
            continue
        if constant.co_flags & _FUNCTION == _FUNCTION and constant.co_qualname == constant.co_name:
            yield constant


class Watch:
    """Records calls of the given code objects between `start` and `stop`; a recorder takes down its own, too."""

    def __init__(self, codes: Mapping[CodeType, tuple[str, int]], recorder: Recorder | None = None) -> None:
        self._codes = codes
        self._recorder = recorder
        self._seen: dict[tuple[str, int], str] = {}

    def start(self) -> None:
        if not self._codes and self._recorder is None:
            return
        if sys.version_info >= (3, 12) and self._recorder is None:
            self._monitor()
        else:
            threading.settrace(self._on_call)
            sys.settrace(self._on_call)

    def stop(self) -> list[Traced]:
        """End watching; each function once, with the first exception that left it."""
        if self._codes or self._recorder is not None:
            if sys.version_info >= (3, 12) and self._recorder is None:
                self._unmonitor()
            else:
                sys.settrace(None)
                threading.settrace(None)
        return [(name, block, error) for (name, block), error in self._seen.items()]

    def _began(self, code: CodeType) -> None:
        self._seen.setdefault(self._codes[code], "")

    def _left(self, code: CodeType, error: BaseException) -> None:
        key = self._codes[code]
        self._seen[key] = self._seen.get(key) or brief(error)

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        watched = frame.f_code in self._codes
        take = self._recorder.began(frame) if self._recorder is not None and event == "call" else None
        if not watched and take is None:
            return None
        if watched:
            self._began(frame.f_code)
        frame.f_trace_lines = False
        raised: list[BaseException] = []

        def inside(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            if event == "exception":
                raised[:] = [argument[1] if isinstance(argument[1], BaseException) else argument[0]()]
            elif event == "return" and raised and argument is None and not _returning(frame):
                if watched:
                    self._left(frame.f_code, raised[0])
            elif event == "return" and take is not None and self._recorder is not None:
                self._recorder.ended(take, argument)
            return inside

        return inside

    if sys.version_info >= (3, 12):

        def _monitor(self) -> None:
            monitoring = sys.monitoring
            events = monitoring.events
            if monitoring.get_tool(_TOOL) is None:
                monitoring.use_tool_id(_TOOL, "prowess")

            def start(code: CodeType, offset: int) -> None:
                if code in self._codes:
                    self._began(code)

            def unwind(code: CodeType, offset: int, error: BaseException) -> None:
                if code in self._codes:
                    self._left(code, error)

            monitoring.register_callback(_TOOL, events.PY_START, start)
            monitoring.register_callback(_TOOL, events.PY_UNWIND, unwind)
            monitoring.set_events(_TOOL, events.PY_UNWIND)
            for code in self._codes:
                monitoring.set_local_events(_TOOL, code, events.PY_START)

        def _unmonitor(self) -> None:
            monitoring = sys.monitoring
            for code in self._codes:
                monitoring.set_local_events(_TOOL, code, 0)
            monitoring.set_events(_TOOL, 0)
            monitoring.register_callback(_TOOL, monitoring.events.PY_START, None)
            monitoring.register_callback(_TOOL, monitoring.events.PY_UNWIND, None)


def _returning(frame: FrameType) -> bool:
    """True when the frame ends by a return or a yield; False when an exception unwinds it."""
    return opcode.opname[frame.f_code.co_code[frame.f_lasti]] in _RETURNS
