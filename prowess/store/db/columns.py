"""What each column of a store may hold: by the fields of the values that its rows are, or told here.

Rows are written by values of ours, so a store of ours holds nothing else; `faults` says what another program wrote.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin, get_type_hints

from prowess.store.db.rows import EVENT, PROVENANCE, SNAPSHOT, STATISTICS, TRIAL, USAGE, VERIFICATION, VERSION, Shape
from prowess.store.db.schema import FOREVER
from prowess.store.record import Relation, Status
from prowess.types import Json

MOST = 2**53
"""The largest number that is counted to; JSON knows no larger one everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a column may hold."""

    allowed: str
    """In words."""
    fits: Callable[[Any], bool]


def _number(least: int, most: int = MOST, *others: int) -> Rule:
    return Rule(
        allowed=f"a whole number from {least} to {most}",
        fits=lambda value: type(value) is int and (least <= value <= most or value in others),
    )


def _one_of(*words: str) -> Rule:
    told = ", ".join(word or "nothing" for word in words)
    return Rule(allowed=f"one of {told}", fits=lambda value: type(value) is str and value in words)


def _read(allowed: str, fits: Callable[[Any], bool]) -> Rule:
    """JSON that is read into such a value."""

    def read(value: Any) -> bool:
        try:
            return type(value) is str and fits(json.loads(value))
        except (ValueError, RecursionError, MemoryError):  # half a surrogate pair is a ValueError, too
            return False

    return Rule(allowed=allowed, fits=read)


def _texts(value: Any) -> bool:
    """A list of texts that can be kept: with no half of a pair of surrogates."""
    return type(value) is list and not set(map(type, value)) - {str} and "".join(value).encode() is not None


_HEX = re.compile(r"[0-9a-f]{64}")

TEXT = Rule(allowed="text", fits=lambda value: type(value) is str)
BYTES = Rule(allowed="bytes", fits=lambda value: type(value) is bytes)
DIGEST = Rule(
    allowed="a digest of 64 hexadecimal digits", fits=lambda value: type(value) is str and bool(_HEX.fullmatch(value))
)
COUNT, NUMBER = _number(0), _number(1)
FLAG = _number(0, 1)
FINITE = Rule(allowed="a finite number", fits=lambda value: type(value) is float and math.isfinite(value))
TEXTS = _read("a JSON list of texts", _texts)
DIGESTS = _read("a JSON list of digests", lambda value: type(value) is list and all(map(DIGEST.fits, value)))
STATUS = _one_of(*Status)
UNTIL = _number(0, MOST, FOREVER)

_HINTS: Mapping[Any, Rule] = {
    str: TEXT,
    int: COUNT,
    bool: FLAG,
    float: FINITE,
    tuple[str, ...]: TEXTS,
    tuple[Json, ...]: _read("a JSON list", lambda value: type(value) is list),
    Mapping[str, str]: _read("a JSON object of texts", lambda value: type(value) is dict and _texts([*value.values()])),
    Mapping[str, Json]: _read("a JSON object", lambda value: type(value) is dict),
    Json: _read("JSON", lambda value: True),
}


def _hinted(hint: Any) -> Rule:
    if get_origin(hint) is Literal:
        return _one_of(*get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _one_of(*hint)
    return _HINTS[hint]


def _of(shape: Shape[Any], **others: Rule) -> Mapping[str, Rule]:
    """The rules of a table, by the fields of its values; `others` are stricter, or of no field."""
    hints = get_type_hints(shape.kind)
    told = {name: _hinted(hints[name]) for name in shape.names if not (shape.numbered and name == "digest")}
    return told | others


RULES: Mapping[str, Mapping[str, Rule]] = {
    "version": _of(
        VERSION, id=NUMBER, digest=DIGEST, skill=NUMBER, number=NUMBER, dependencies=DIGESTS, parents=DIGESTS
    ),
    "api": {"api": TEXT, "version": NUMBER, "fingerprint": TEXT},
    "provenance": _of(PROVENANCE, id=NUMBER, key=BYTES, version=NUMBER, at=TEXT),
    "trial": _of(TRIAL, id=NUMBER, key=BYTES, version=NUMBER, at=TEXT),
    "verification": _of(VERIFICATION, id=NUMBER, version=NUMBER),
    "usage": _of(USAGE, id=NUMBER, version=NUMBER),
    "event": _of(EVENT, id=NUMBER, born=COUNT),
    "snapshot": _of(SNAPSHOT, root=DIGEST),
    "segment": {"id": TEXT, "worker": TEXT, "offset": COUNT},
    "refused": {"segment": TEXT, "offset": COUNT, "reason": TEXT},
    "skill": {
        **dict.fromkeys(("id", "namespace", "name"), TEXT),
        **dict.fromkeys(("born", "head", "changed"), NUMBER),
        "status": STATUS,
    },
    "state": {
        **dict.fromkeys(("version", "skill", "number"), NUMBER),
        "digest": DIGEST,
        "status": STATUS,
        "review": _one_of("", "approve", "refuse"),
    },
    "name": {"namespace": TEXT, "name": TEXT, "skill": NUMBER},
    "span": {**dict.fromkeys(("skill", "since", "version"), NUMBER), "until": UNTIL, "status": STATUS},
    "statistics": _of(STATISTICS, version=NUMBER),
    "document": {
        **dict.fromkeys(("skill", "namespace", "family"), TEXT),
        **dict.fromkeys(("asked", "labels"), TEXTS),
        "id": NUMBER,
        "digest": DIGEST,
    },
    "pin": {"target": TEXT, "holder": TEXT, "event": NUMBER},
    "edge": {"skill": TEXT, "relation": _one_of(*Relation), "other": TEXT},
    "frequency": {"term": TEXT, "n": NUMBER},
    "corpus": {"namespace": TEXT, **dict.fromkeys(("documents", "sampled", "instructions", "asked", "said"), COUNT)},
}
"""By table and column; FTS5's own tables are SQLite's to check."""
