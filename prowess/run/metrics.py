"""What was measured at each step: metrics.jsonl.

A figure of nothing (NaN) is null there, which every reader takes for a number that is missing; a text among numbers is
refused by some. An infinite one, which null would hide, is the text "Infinity", as in all records of ours.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.codec import from_json, line_of, parsed, to_json
from prowess.files.disk import storing, write_all, write_whole
from prowess.run.folder import reading
from prowess.types import Json

_DAMAGED = "delete this line: the figures of its step are lost, and all others stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMetrics:
    """The metrics of one step."""

    step: int
    values: Mapping[str, float]


def append(path: Path, step: int, metrics: Mapping[str, float]) -> None:
    """Append the metrics of a step; on disk when this returns."""
    line = _line(step, metrics)
    with storing(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            size = os.fstat(handle).st_size
            try:
                write_all(handle, line.encode())
                os.fsync(handle)
            except OSError:
                # A full disk may take half the line: the next one must not be glued to it.
                with suppress(OSError):
                    os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)


def entries(path: Path) -> tuple[StepMetrics, ...]:
    """The metrics by step, ascending. Where a resumed run logged a step again, the later values count."""
    if not path.exists():
        return ()
    with storing(path):
        content = path.read_bytes()
    steps: dict[int, dict[str, float]] = {}
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):  # what follows the last line end is torn
        with reading(f"{path}:{number}", hint=_DAMAGED):
            entry = _entry(parsed(line))
        steps.setdefault(entry.step, {}).update(entry.values)
    return tuple(StepMetrics(step=step, values=values) for step, values in sorted(steps.items()))


def rewind(path: Path, step: int) -> None:
    """Take back the metrics of this step and all later ones."""
    kept = [entry for entry in entries(path) if entry.step < step]
    if path.exists():
        with storing(path):
            write_whole(path, "".join(_line(entry.step, entry.values) for entry in kept))


def torn(path: Path) -> bool:
    """Whether the last line has no end. It is in no figure: of a number in it, half may be missing."""
    if not path.exists():
        return False
    with storing(path):
        content = path.read_bytes()
    return not content.endswith(b"\n") and content != b""


def mend(path: Path) -> None:
    """Cut off a last line that a crash left without its end."""
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)


def _line(step: int, metrics: Mapping[str, float]) -> str:
    values = {name: None if math.isnan(value) else to_json(float(value)) for name, value in metrics.items()}
    return f"{line_of({'step': step} | values)}\n"


def _entry(data: Json) -> StepMetrics:
    """One line of metrics: the step and, beside it, the values."""
    if not isinstance(data, dict) or "step" not in data:
        raise StoreError("expected an object with 'step'")
    values = {name: "NaN" if value is None else value for name, value in data.items() if name != "step"}
    return from_json(StepMetrics, {"step": data["step"], "values": values})
