"""How a failure of model-written code is told: AppWorld's words, and only the frames of the submitted code.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import linecache
import re
import traceback

PREFIX = "Execution failed. Traceback:\n"
FILES = "<python-input-"
"""What the names of the files that blocks are compiled under begin with."""
_FILE = re.compile(rf'File "{FILES}\d+>"')
_FIRST, _LAST = 8, 24
"""How many frames of a deep call are shown from each end."""
_CHAIN = 5
"""How many exceptions of a chain are shown, the last ones."""
_CAUSE = (
    "\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n"
)
_CONTEXT = (
    "\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
)


class ExecutionTimeout(BaseException):
    """Interrupts a step that takes too long; no Exception, so that `except Exception` does not swallow it.

    It is told as the Exception that it is in AppWorld.
    """

    __module__ = "builtins"
    __qualname__ = "Exception"


class Unreadable(Exception):
    """A block that is no Python; how that is told."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.text = PREFIX + why


def file_name(block: int) -> str:
    """The name the block is compiled under; shown without its number."""
    return f"{FILES}{block}>"


def remember(block: int, source: str) -> None:
    """Keep a block's lines, for tracebacks and `inspect`."""
    name = file_name(block)
    linecache.cache[name] = (len(source), None, f"{source}\n".splitlines(keepends=True), name)


def told(error: BaseException) -> str:
    """The observation for an exception: where it came through the submitted code, then `Type: message`.

    What it was raised from or while handling comes before it, as in any traceback.
    """
    parts: list[str] = []
    link: traceback.TracebackException | None = traceback.TracebackException.from_exception(
        error,
        lookup_lines=False,  # the lines of others' files may not be read here, and are not shown
    )
    while link is not None and len(parts) < _CHAIN:
        if link.__cause__ is not None:
            before, between = link.__cause__, _CAUSE
        elif link.__context__ is not None and not link.__suppress_context__:
            before, between = link.__context__, _CONTEXT
        else:
            before, between = None, ""
        parts.insert(0, between + _one(link))
        link = before
    return PREFIX + _FILE.sub('File "<python-input>"', "".join(parts)).rstrip("\n")


def brief(error: BaseException) -> str:
    """`Type: message` on one short line."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - the message is computed by hostile code
        text = type(error).__name__
    return " ".join(text.split())[:300]


def _one(error: traceback.TracebackException) -> str:
    """One exception of a chain: its frames in the submitted code, and what it says."""
    ours = [frame for frame in error.stack if frame.filename.startswith(FILES)]
    frames = traceback.StackSummary.from_list(ours).format()
    if len(frames) > _FIRST + _LAST:
        frames[_FIRST:-_LAST] = [f"  ... {len(frames) - _FIRST - _LAST} more frames ...\n"]
    return "".join([*frames, *error.format_exception_only()])
