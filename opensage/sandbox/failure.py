"""How a failure of model-written code is told: AppWorld's words, and only the frames of the submitted code.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import linecache
import re
import traceback
from types import TracebackType

PREFIX = "Execution failed. Traceback:\n"
FILES = "<python-input-"
"""What the names of the files that blocks are compiled under begin with."""
_FILE = re.compile(rf'File "{FILES}\d+>"')
_FIRST, _LAST = 4, 12
"""How many frames of a deep recursion are shown from each end."""


class ExecutionTimeout(BaseException):
    """Interrupts a step that takes too long; no Exception, so that `except Exception` does not swallow it."""

    __module__ = "builtins"


def file_name(block: int) -> str:
    """The name the block is compiled under; shown without its number."""
    return f"{FILES}{block}>"


def remember(block: int, source: str) -> None:
    """Keep a block's lines, for tracebacks and `inspect`."""
    name = file_name(block)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


def told(error: BaseException) -> str:
    """The observation for an exception: where it came through the submitted code, then `Type: message`."""
    frames = _frames(error.__traceback__)
    if len(frames) > _FIRST + _LAST:
        left_out = len(frames) - _FIRST - _LAST
        frames[_FIRST:-_LAST] = [f"  ... {left_out} more frames ...\n"]
    last = "".join(traceback.format_exception_only(type(error), error))
    return PREFIX + "".join(frames) + _FILE.sub('File "<python-input>"', last).rstrip("\n")


def brief(error: BaseException) -> str:
    """`Type: message` on one short line."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - the message is computed by hostile code
        text = type(error).__name__
    return " ".join(text.split())[:300]


def _frames(trace: TracebackType | None) -> list[str]:
    frames: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(FILES):
            line = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            frames.append(
                f'  File "<python-input>", line {trace.tb_lineno}, in {code.co_name}\n'
                + (f"    {line}\n" if line else "")
            )
        trace = trace.tb_next
    return frames
