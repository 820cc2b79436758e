"""Calls of the model's functions, taken down as they happen: what went in and what came out.

A take is one call: the call as code, what it returned as JSON, and which of the step's API calls were made meanwhile.
What JSON or a literal cannot hold is left out. The host adds the answers and makes a tape of it (`recording`).
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FrameType, FunctionType
from typing import Any

from .frames import depth_exceeds

EACH = 2
"""Calls of one function kept in a step: the first ones."""
CALL, RESULT, ROOM = 4_000, 8_000, 20_000
"""Largest texts: of a call, of a result, of all that a step keeps."""

_VARARGS, _VARKEYWORDS = 0x4, 0x8
_UNFINISHED = 0x20 | 0x80 | 0x200  # generators and coroutines do their work after they have returned
_DEPTH = 20


class Unwritten(Exception):
    """A value that cannot be written as code."""


class Recorder:
    """Takes down the calls of functions in a step, in the order in which they begin."""

    def __init__(self, codes: Mapping[CodeType, tuple[str, int]], sent: Callable[[], int]) -> None:
        """`codes` may grow while the step runs; `sent` counts the step's API calls so far."""
        self._codes = codes
        self._sent = sent
        self._thread = threading.get_ident()
        self._takes: list[dict[str, Any]] = []
        self._counts: dict[tuple[str, int], int] = {}
        self._room = ROOM

    def began(self, frame: FrameType) -> dict[str, Any] | None:
        """A function was called: the take to give back when it ends, or None if it is not kept."""
        key = self._codes.get(frame.f_code)
        if key is None or frame.f_code.co_flags & _UNFINISHED or threading.get_ident() != self._thread:
            return None
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] > EACH:
            return None
        try:
            call = f"{key[0]}({', '.join(_arguments(frame))})"
        except (Unwritten, RecursionError, ValueError):  # a number may be too long to be written
            return None
        if len(call) > min(CALL, self._room):
            return None
        self._room -= len(call)
        take = {"name": key[0], "block": key[1], "call": call, "first": self._sent()}
        self._takes.append(take)
        return take

    def ended(self, take: dict[str, Any], value: Any) -> None:
        """The function returned."""
        try:
            text = json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False)
            text.encode()  # not with half a surrogate pair
            result = json.loads(text)
        except Exception:  # noqa: BLE001 (what is returned may raise anything when it is turned into text)
            return
        if len(text) <= min(RESULT, self._room) and not depth_exceeds(result, _DEPTH):
            self._room -= len(text)
            take |= {"last": self._sent(), "result": result}

    def taken(self) -> list[dict[str, Any]]:
        """What was kept; calls that did not return are none."""
        return [take for take in self._takes if "last" in take]


def _arguments(frame: FrameType) -> Iterator[str]:
    """The arguments of a call as code. Called when the function begins, before it changes them."""
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames
    placed, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    more = code.co_flags & _VARARGS
    rest = values[names[named]] if more else ()
    extra = values[names[named + bool(more)]] if code.co_flags & _VARKEYWORDS else {}
    by_place = placed if rest else code.co_posonlyargcount
    for at, name in enumerate(names[:placed]):
        yield written(values[name]) if at < by_place else f"{name}={written(values[name])}"
    yield from (written(value) for value in rest)
    yield from (f"{name}={written(values[name])}" for name in names[placed:named])
    for name, value in extra.items():
        if not name.isidentifier():
            raise Unwritten
        yield f"{name}={written(value)}"


def written(value: Any, depth: int = _DEPTH) -> str:
    """A value as code that makes it again; raises Unwritten for what is neither plain data nor an API."""
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        if kind is str and len(value) > CALL:
            raise Unwritten
        return repr(value)
    # Functions alone: to ask another object would run its `__getattr__`, which may raise anything.
    if kind is FunctionType and type(door := value.__dict__.get("__api__")) is str:
        return door
    if not depth or kind not in (list, tuple, dict, set) or len(value) > CALL:
        raise Unwritten
    below = depth - 1
    if kind is dict:
        return "{" + ", ".join(f"{written(key, below)}: {written(item, below)}" for key, item in value.items()) + "}"
    if kind is set:
        return "{" + ", ".join(sorted(written(item, below) for item in value)) + "}" if value else "set()"
    items = ", ".join(written(item, below) for item in value)
    return f"[{items}]" if kind is list else f"({items},)" if len(value) == 1 else f"({items})"


def _plain(value: Any) -> Any:
    """What JSON has no type for: sets in order, dates and the like as text; anything else is not kept."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if callable(value) or " object at 0x" in (text := str(value)):
        raise TypeError("not plain")
    return text
