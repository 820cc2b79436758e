"""What the commands say to scripts: one JSON object a line on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prowess.files.codec import line_of, to_json
from prowess.types import Json

if TYPE_CHECKING:
    from prowess.store.standing import Entry, Statistics


def write_lines(values: Iterable[object]) -> None:
    """Print values, a line each."""
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


def brief(entry: Entry) -> dict[str, Json]:
    """What a script needs of a skill to go on."""
    return {
        "id": entry.id,
        "namespace": entry.namespace,
        "name": entry.name,
        "status": str(entry.status),
        "digest": entry.digest,
        "number": entry.number,
        "effect": str(entry.version.effect),
        "summary": entry.version.summary,
        "aliases": list(entry.aliases),
        "holders": list(entry.holders),
        "approved": entry.approved,
    }


def figures(statistics: Statistics) -> dict[str, Json]:
    """Counts, and what follows from them."""
    counts: dict[str, Json] = to_json(statistics)
    return counts | {
        "success": statistics.success,
        "uplift": statistics.uplift,
        "uplift_error": statistics.uplift_error,
    }
