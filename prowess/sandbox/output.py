"""What model-written code prints, kept in memory up to a cap, and the `print` and `input` it is given.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import builtins
import io
import json
import re
from collections.abc import Callable
from typing import Any, NoReturn, TextIO

_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}>")

INDENT_FROM = 100
"""A printed dict, list or tuple is indented from this many characters of JSON on, as in AppWorld."""


class Output(io.TextIOBase):
    """A text stream that keeps the first `limit` characters and drops the rest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self._left = limit
        self._cut = False

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if len(text) > self._left:
            self._cut = True
            text_kept = text[: self._left]
        else:
            text_kept = text
        if text_kept:
            self._parts.append(text_kept)
            self._left -= len(text_kept)
            if len(self._parts) > 4096:  # many small prints: one string is lighter than many
                self._parts = ["".join(self._parts)]
        return len(text)

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Stays open: a program that closes its output must not silence the next one."""

    def take(self) -> str:
        """What was written since the last take."""
        text = "".join(self._parts)
        if self._cut:
            text += f"\n... (only the first {self._limit} characters of the output are kept)\n"
        self._parts, self._left, self._cut = [], self._limit, False
        return text


def printer(stream: Callable[[], TextIO]) -> Callable[..., None]:
    """The `print` for model-written code: exactly one dict, list or tuple is printed as JSON."""

    def print(*values: Any, **options: Any) -> None:
        if len(values) == 1 and not options and isinstance(values[0], (dict, list, tuple)):
            values = (_as_json(values[0]),)
        options.setdefault("file", stream())
        builtins.print(*values, **options)

    return print


def repeatable(text: str) -> str:
    """The text without memory addresses, which differ from run to run.

    >>> repeatable("<function f at 0x7f0a1b2c3d4e>")
    '<function f at 0x000000000000>'
    """
    return _ADDRESS.sub(" at 0x000000000000>", text) if " at 0x" in text else text


def refuse_input(*_: Any) -> NoReturn:
    raise Exception("input(..) is not allowed. All decisions must be made autonomously.")


def _as_json(value: Any) -> str:
    """Raises, as AppWorld does, for what JSON cannot hold."""
    text = json.dumps(value)
    return json.dumps(value, indent=1) if len(text) >= INDENT_FROM else text
