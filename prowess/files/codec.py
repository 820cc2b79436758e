"""Values as JSON and back, exactly.

One codec is built per type from its hints and kept: a dataclass is an object with all its fields, a tuple an array, an
enum its value. Reading is strict: an unknown field, a missing one or a wrong type is a `StoreError` that names the
place (`Episode.turns[3].completion: ...`). A field that has a default may be missing, so that a file stays readable
when a value gains a field; a sparse one (`types.SPARSE`) is written only where it holds something.
"""

from __future__ import annotations

import json
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union

from prowess.errors import StoreError
from prowess.types import Episode, Json

T = TypeVar("T")

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LARGEST = 2**63
# Legal inside a JSON string, but able to end a line, reorder text or command a terminal, or impossible in UTF-8.
_UNFIT = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An episode and where it belongs: what one line of an episodes file holds."""

    run: int
    """Which repetition of the evaluation, counted from 0."""
    split: str
    episode: Episode


def to_json(value: object) -> Json:
    """The JSON of a value (a dataclass, or anything one may hold)."""
    try:
        kind: Any = type(value)
        return _codec(kind).encode(value)
    except _Mismatch as mismatch:
        raise StoreError(f"cannot record {mismatch.text(type(value).__name__)}") from None


def from_json(kind: type[T], data: Json) -> T:
    """The value of the given type that `data` records."""
    try:
        hint: Any = kind
        return typing.cast(T, _codec(hint).decode(data))
    except _Mismatch as mismatch:
        cause = "the record was written by another version of prowess, or changed by hand"
        raise StoreError(f"cannot read {mismatch.text(kind.__name__)}", hint=cause) from None


def line_of(data: Json) -> str:
    """JSON as one line of UTF-8 text without the line's end, safe to print whatever the strings hold."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def page_of(data: Json) -> str:
    """JSON indented for reading, ending with a line end."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)
    return _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def parsed(text: str | bytes) -> Json:
    """The JSON in a text; `StoreError` when it is none."""
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"not JSON: {error}") from None


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not a JSON value")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
"""Made once: `json.loads` would make one for each text."""


class _Mismatch(Exception):
    """Data that does not fit its type; gathers the path to it on the way out."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = ""

    def below(self, step: str) -> _Mismatch:
        self.path = step + self.path
        return self

    def text(self, root: str) -> str:
        return f"{root}{self.path}: {self.problem}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Codec:
    encode: Callable[[Any], Json]
    decode: Callable[[Json], Any]


def _shown(data: object) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."


@cache
def _codec(hint: Any) -> _Codec:
    """The codec of a type hint. Hints outside what our values use are our own mistake, hence TypeError."""
    if hint is Any:
        return _Codec(encode=lambda value: value, decode=lambda data: data)
    if hint is float:
        return _Codec(encode=_encode_float, decode=_decode_float)
    if hint in (str, int, bool, types.NoneType):
        return _exactly(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return _literal(parts)
    if origin in (Union, types.UnionType) and len(parts) == 2 and types.NoneType in parts:
        return _optional(next(part for part in parts if part is not types.NoneType))
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        return _array(parts[0])
    if isinstance(origin, type) and issubclass(origin, Mapping) and parts[0] is str:
        return _mapping(parts[1])
    raise TypeError(f"no JSON codec for {hint!r}")


def _exactly(kind: type) -> _Codec:
    name = "null" if kind is types.NoneType else kind.__name__

    def check(value: object) -> object:
        # Not isinstance: True is an int to Python and would come back as one. A str subclass becomes a plain str.
        if type(value) is not kind:
            if kind is str and isinstance(value, str):
                return str(value)
            raise _Mismatch(f"expected {name}, found {_shown(value)}")
        return value

    def whole(value: object) -> object:
        # Beyond 64 bits a number is no count of ours, and neither a store nor a float can hold it.
        if type(value) is int and not -_LARGEST <= value < _LARGEST:
            raise _Mismatch(f"expected int of 64 bits, found {_shown(value)}")
        return check(value)

    return _Codec(encode=whole, decode=whole) if kind is int else _Codec(encode=check, decode=check)


def _encode_float(value: Any) -> Json:
    if type(value) is float or (type(value) is int and abs(value) <= 2**53) or isinstance(value, float):
        number = float(value)
    else:
        raise _Mismatch(f"expected float, found {_shown(value)}")
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")


def _decode_float(data: Json) -> float:
    if type(data) is float or (type(data) is int and abs(data) <= _LARGEST):
        return float(data)
    if isinstance(data, str) and data in _NOT_FINITE:
        return _NOT_FINITE[data]
    raise _Mismatch(f"expected float, found {_shown(data)}")


def _enum(kind: type[Enum]) -> _Codec:
    def encode(value: Any) -> Json:
        if not isinstance(value, kind):
            raise _Mismatch(f"expected {kind.__name__}, found {_shown(value)}")
        return value.value

    def decode(data: Json) -> Enum:
        try:
            return kind(data)
        except ValueError:
            allowed = ", ".join(str(member.value) for member in kind)
            raise _Mismatch(f"expected one of {allowed}, found {_shown(data)}") from None

    return _Codec(encode=encode, decode=decode)


def _literal(choices: tuple[Any, ...]) -> _Codec:
    def check(value: Any) -> Any:
        for choice in choices:
            if type(value) is type(choice) and value == choice:
                return value
        raise _Mismatch(f"expected one of {', '.join(map(str, choices))}, found {_shown(value)}")

    return _Codec(encode=check, decode=check)


def _optional(hint: Any) -> _Codec:
    some = _codec(hint)
    return _Codec(
        encode=lambda value: None if value is None else some.encode(value),
        decode=lambda data: None if data is None else some.decode(data),
    )


def _array(hint: Any) -> _Codec:
    item = _codec(hint)

    def each(change: Callable[[Any], Any], items: Any) -> list[Any]:
        out: list[Any] = []
        try:
            for value in items:
                out.append(change(value))
        except _Mismatch as mismatch:
            raise mismatch.below(f"[{len(out)}]") from None
        return out

    def plain(items: Any) -> bool:
        # Token ids come by the ten thousand: look at all their types at once instead of calling for each.
        return hint in (int, str) and set(map(type, items)) <= {hint}

    def encode(value: Any) -> Json:
        if not isinstance(value, tuple):
            raise _Mismatch(f"expected tuple, found {_shown(value)}")
        return list(value) if plain(value) else each(item.encode, value)

    def decode(data: Json) -> tuple[Any, ...]:
        if not isinstance(data, list):
            raise _Mismatch(f"expected array, found {_shown(data)}")
        return tuple(data if plain(data) else each(item.decode, data))

    return _Codec(encode=encode, decode=decode)


def _mapping(hint: Any) -> _Codec:
    item, name = _codec(hint), _codec(str)

    def each(change: Callable[[Any], Any], value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _Mismatch(f"expected object, found {_shown(value)}")
        out: dict[str, Any] = {}
        for key, entry in value.items():
            try:
                out[name.encode(key)] = change(entry)
            except _Mismatch as mismatch:
                raise mismatch.below(f"[{key!r}]") from None
        return out

    return _Codec(encode=lambda value: each(item.encode, value), decode=lambda data: each(item.decode, data))


def _record(kind: type) -> _Codec:
    hints = typing.get_type_hints(kind)
    codecs = {field.name: _codec(hints[field.name]) for field in fields(kind)}
    sparse = {field.name for field in fields(kind) if field.metadata.get("sparse")}
    required = {field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING}
    exact = {name: hint for name, hint in hints.items() if hint in (str, bool)}

    def encode(value: Any) -> Json:
        if type(value) is not kind:
            raise _Mismatch(f"expected {kind.__name__}, found {_shown(value)}")
        out = {}
        for name, codec in codecs.items():
            if name in sparse and not getattr(value, name):
                continue
            try:
                out[name] = codec.encode(getattr(value, name))
            except _Mismatch as mismatch:
                raise mismatch.below(f".{name}") from None
        return out

    def decode(data: Json) -> Any:
        if not isinstance(data, dict):
            raise _Mismatch(f"expected an object, found {_shown(data)}")
        if not data.keys() <= codecs.keys():
            strange = min(data.keys() - codecs.keys())
            raise _Mismatch(f"unknown field '{strange}'; known: {', '.join(codecs)}")
        if not required <= data.keys():
            raise _Mismatch(f"missing field '{min(required - data.keys())}'")
        out = data.copy()
        for name, entry in data.items():
            if type(entry) is exact.get(name):  # most are plain, and there are many
                continue
            try:
                out[name] = codecs[name].decode(entry)
            except _Mismatch as mismatch:
                raise mismatch.below(f".{name}") from None
        return kind(**out)

    return _Codec(encode=encode, decode=decode)
