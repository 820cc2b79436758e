"""What commands say to scripts with --json: one JSON object a line on standard output, and nothing else there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from prowess.files.codec import line_of, to_json
from prowess.types import Json


def write_records(values: Iterable[object]) -> None:
    """Print records, a line each."""
    for value in values:
        print(line_of(record(value)))


def write_lines(values: Iterable[object]) -> None:
    """Print values as files of ours hold them, a line each."""
    for value in values:
        print(line_of(as_json(value)))


def as_json(value: object) -> Json:
    """The JSON of a value, or of a dictionary or list of such."""
    if isinstance(value, Mapping):
        return {str(name): as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return to_json(value) if is_dataclass(value) or isinstance(value, str) else value


def record(value: object) -> Json:
    """The JSON of a record: every field by its name. A figure of nothing is null.

    >>> record({"tgc": math.nan, "tasks": (1, 2), "folder": Path("runs/mine")})
    {'tgc': None, 'tasks': [1, 2], 'folder': 'runs/mine'}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: record(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): record(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [record(each) for each in value]
    if isinstance(value, Path | Enum):
        return str(value.value) if isinstance(value, Enum) else str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    assert value is None or isinstance(value, str | int | float | bool)
    return value
