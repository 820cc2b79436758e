"""Values as rows and back. A column has the name of its field; what SQLite has no type for is JSON."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from typing import Any, Generic, TypeVar, get_type_hints

from prowess.errors import StoreError, words_of
from prowess.store.canon import legible
from prowess.store.record import Actor, Effect, Event, Kind, Provenance, Trial, Usage, Verification, Version
from prowess.store.standing import Snapshot, Statistics
from prowess.types import Json

T = TypeVar("T")


class Illegible(StoreError):
    """A row that no store of ours has written: somebody changed it by hand, or made the whole file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(Generic[T]):
    """How a value lies in its table."""

    kind: type[T]
    table: str
    names: tuple[str, ...]
    """The fields, in order."""
    reads: Mapping[str, Callable[[Any], Any]]
    """How those fields are read that SQLite does not give back as they are: JSON, enums and booleans."""
    fields: Callable[[T], tuple[Any, ...]]
    """All fields of a value, in order."""
    places: tuple[int, ...]
    """Where those are that are JSON."""
    numbered: bool = False
    """Whether the row has the version's number where the value has its digest."""
    as_told: bool = False
    """Whether objects keep the order of their keys: code that is run again may print it."""
    types: tuple[type, ...]
    """What SQLite gives back for each field."""

    @property
    def columns(self) -> str:
        return ", ".join(self._digest if self._other(name) else f'"{name}"' for name in self.names)

    @property
    def _digest(self) -> str:
        return f"(SELECT digest FROM version WHERE id = {self.table}.version)"

    def _other(self, name: str) -> bool:
        return self.numbered and name == "digest"

    def row(self, value: T) -> list[Any]:
        row, text = list(self.fields(value)), _AS_TOLD if self.as_told else text_of
        for place in self.places:
            row[place] = text(row[place])
        return [one if type(one) is not str or one.isascii() else legible(one) for one in row]

    def value(self, row: Sequence[Any]) -> T:
        found: dict[str, Any] = dict(zip(self.names, row, strict=False))
        try:
            if tuple(map(type, row[: len(self.names)])) != self.types:
                raise TypeError(self._strange(row))
            for name, read in self.reads.items():
                found[name] = read(found[name])
            return self.kind(**found)
        except (ValueError, TypeError, RecursionError, MemoryError) as error:
            told = f"the store holds a {self.table} that cannot be read"
            of = f" of {found['digest'][:12]}" if _HEX.fullmatch(str(found.get("digest"))) else ""
            raise Illegible(f"{told}{of}: {words_of(error)[:200]}", hint=CHANGED) from None

    def _strange(self, row: Sequence[Any]) -> str:
        """The first field that is of another type, in words."""
        pairs = zip(self.names, row, self.types, strict=False)
        return next(f"{name} is {value!r:.60}" for name, value, kind in pairs if type(value) is not kind)

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


CHANGED = "another program changed it: put a copy in its place (`prowess skills backup` makes them)"


def _list(text: str) -> tuple[Json, ...]:
    found = json.loads(text)
    if type(found) is not list:
        raise TypeError(f"{text:.60} is no list")
    return tuple(found)


def _texts(text: str) -> tuple[Json, ...]:
    if text == "[]":  # as most are
        return ()
    found = _list(text)
    if set(map(type, found)) - {str}:
        raise TypeError(f"{text:.60} is no list of texts")
    return found


def _object(text: str) -> dict[str, Json]:
    if text == "{}":
        return {}
    found = json.loads(text)
    if type(found) is not dict:
        raise TypeError(f"{text:.60} is no object")
    return found


def _digest(text: str) -> str:
    if not _HEX.fullmatch(text):
        raise ValueError(f"{text!r:.80} is no digest")
    return text


_HEX = re.compile(r"[0-9a-f]{64}")
_JSON: Mapping[Any, Callable[[str], Any]] = {
    tuple[str, ...]: _texts,
    tuple[Json, ...]: _list,
    Mapping[str, str]: _object,
    Mapping[str, Json]: _object,
    Json: json.loads,
}


def shape(
    kind: type[T],
    table: str,
    *,
    casts: Mapping[str, Any] | None = None,
    numbered: bool = False,
    as_told: bool = False,
) -> Shape[T]:
    names = tuple(one.name for one in fields(kind))  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    plain = {int: int, bool: int, float: float}  # all others are text
    return Shape(
        kind=kind,
        table=table,
        names=names,
        reads={name: _JSON[hints[name]] for name in names if hints[name] in _JSON} | dict(casts or {}),
        fields=attrgetter(*names),
        places=tuple(place for place, name in enumerate(names) if hints[name] in _JSON),
        numbered=numbered,
        as_told=as_told,
        types=tuple(plain.get(hints[name], str) for name in names),
    )


VERSION = shape(Version, "version", casts={"effect": Effect, "digest": _digest})
PROVENANCE = shape(Provenance, "provenance")
TRIAL = shape(Trial, "trial", numbered=True, as_told=True)
VERIFICATION = shape(Verification, "verification", numbered=True)
USAGE = shape(Usage, "usage", casts={"success": bool}, numbered=True)
EVENT = shape(Event, "event", casts={"kind": Kind, "actor": Actor})
STATISTICS = shape(Statistics, "statistics", numbered=True)
SNAPSHOT = shape(Snapshot, "snapshot")


_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""Made once: `json.dumps` would make one for each call."""
_AS_TOLD = json.JSONEncoder(separators=(",", ":")).encode


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
