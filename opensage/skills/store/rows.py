"""Values as rows and back. A column has the name of its field; what SQLite has no type for is JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from typing import Any, Generic, TypeVar

from opensage.skills.canon import legible
from opensage.skills.record import Actor, Effect, Event, Kind, Provenance, Trial, Usage, Verification, Version
from opensage.skills.standing import Snapshot, Statistics
from opensage.types import Json

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Generic[T]):
    """How a value lies in its table."""

    kind: type[T]
    table: str
    names: tuple[str, ...]
    """The fields, in order."""
    tuples: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    """Fields that are JSON: arrays that become tuples, and any others."""
    casts: Mapping[str, Any]
    """Fields of a type that SQLite does not give back: enums and booleans."""
    fields: Callable[[T], tuple[Any, ...]]
    """All fields of a value, in order."""
    places: tuple[int, ...]
    """Where those are that are JSON."""
    numbered: bool = False
    """Whether the row has the version's number where the value has its digest."""

    @property
    def columns(self) -> str:
        return ", ".join(self._digest if self._other(name) else f'"{name}"' for name in self.names)

    @property
    def _digest(self) -> str:
        return f"(SELECT digest FROM version WHERE id = {self.table}.version)"

    def _other(self, name: str) -> bool:
        return self.numbered and name == "digest"

    def row(self, value: T) -> list[Any]:
        row = list(self.fields(value))
        for place in self.places:
            row[place] = text_of(row[place])
        return [one if type(one) is not str or one.isascii() else legible(one) for one in row]

    def value(self, row: Sequence[Any]) -> T:
        found: dict[str, Any] = dict(zip(self.names, row, strict=False))
        for name in self.tuples:
            found[name] = tuple(json.loads(found[name]))
        for name in self.documents:
            found[name] = json.loads(found[name])
        for name, cast in self.casts.items():
            found[name] = cast(found[name])
        return self.kind(**found)

    def insert(self, *more: str, number: str = "") -> str:
        """The statement that adds a row, with columns that the value does not have in front.

        A version is told by its digest, and `number` finds its number.
        """
        names = [*more, *("version" if self._other(name) else name for name in self.names)]
        marks = [number or NUMBER if name == "version" else "?" for name in names]
        columns = ", ".join(f'"{name}"' for name in names)
        return f"INSERT INTO {self.table} ({columns}) VALUES ({', '.join(marks)})"


NUMBER = "(SELECT id FROM version WHERE digest = ?)"
"""The number of a version; none where there is no such version, which no table takes."""


def shape(
    kind: type[T],
    table: str,
    *,
    tuples: str = "",
    documents: str = "",
    casts: Mapping[str, Any] | None = None,
    numbered: bool = False,
) -> Shape[T]:
    names = tuple(field.name for field in fields(kind))  # type: ignore[arg-type]
    return Shape(
        kind=kind,
        table=table,
        names=names,
        tuples=frozenset(tuples.split()),
        documents=frozenset(documents.split()),
        casts=casts or {},
        fields=attrgetter(*names),
        places=tuple(place for place, name in enumerate(names) if name in f"{tuples} {documents}".split()),
        numbered=numbered,
    )


VERSION = shape(
    Version,
    "version",
    tuples="imports dependencies apis helpers parents",
    documents="schema fingerprints",
    casts={"effect": Effect},
)
PROVENANCE = shape(Provenance, "provenance")
TRIAL = shape(Trial, "trial", tuples="answers", documents="expected", numbered=True)
VERIFICATION = shape(Verification, "verification", documents="evidence", numbered=True)
USAGE = shape(Usage, "usage", casts={"success": bool}, numbered=True)
EVENT = shape(Event, "event", casts={"kind": Kind, "actor": Actor})
STATISTICS = shape(Statistics, "statistics", numbered=True)
SNAPSHOT = shape(Snapshot, "snapshot")


_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""Made once: `json.dumps` would make one for each call."""


def text_of(value: Json) -> str:
    """JSON in one way only, so that equal values are equal rows."""
    if type(value) in (tuple, list) and set(map(type, value)) <= {str}:  # most are lists of names, and short
        return f"[{','.join(map(encode_basestring_ascii, value))}]"
    return _ENCODE(value) if value != {} else "{}"


def key_of(*values: Json) -> bytes:
    """What makes a row the same row when it is told again."""
    return hashlib.sha256(f"[{','.join(map(_flat, values))}]".encode()).digest()


def _flat(value: Json) -> str:
    """`text_of`, quicker for a row."""
    if type(value) is list and set(map(type, value)) <= {str, int}:
        return f"[{','.join([encode_basestring_ascii(one) if type(one) is str else str(one) for one in value])}]"
    return encode_basestring_ascii(value) if type(value) is str else text_of(value)
