"""What clients are told of a skill: words that its author wrote, made safe, and never more than a client can bear.

A skill's code says all of this: its name, its docstring, its parameters with their defaults and choices. A client reads
it as part of a prompt, and one answer lists all skills, so none of them may be long, nested deep, or unfit for UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from prowess.store.exchange.naming import LONGEST
from prowess.store.standing import Entry
from prowess.text.terminal import safe
from prowess.types import Json

MOST = 20_000
"""The most that is told of one skill, in characters: what takes more is not served."""
DESCRIPTION = 2000
"""The longest description of a tool, in characters."""
PHRASE = 500
"""The longest text about a parameter, default or choice, in characters."""
DEEPEST = 64
"""Levels of what is sent: clients read some 200, of an answer with all that is around a value."""


def untellable(entry: Entry) -> str:
    """Why clients cannot be told of a skill, or nothing."""
    names = [*_names_in(entry.version.schema)]
    if any(safe(name) != name for name in names):
        return "the name of a parameter has characters that cannot be seen or sent"
    told: Json = [about(entry), described(entry), shown(entry.version.schema)]
    if deep(told):
        return f"its parameters are nested more than {DEEPEST} levels deep"
    size = len(json.dumps(told))
    return f"to tell of it takes {size} characters, {MOST} are allowed" if size > MOST else ""


def described(entry: Entry) -> str:
    """What a client reads: the author's words, and which version it is."""
    version = entry.version
    words = safe(version.docstring).strip()
    calls = f", calls {', '.join(version.apis)}" if version.apis else ""
    last = f"(version {entry.number}, {entry.digest[:12]}; {version.effect.value}{calls})"[: DESCRIPTION // 2]
    return f"{words[: DESCRIPTION - len(last) - 2]}\n\n{last}".strip()


def about(entry: Entry) -> dict[str, Json]:
    version = entry.version
    return {
        "skill": entry.id,
        "digest": entry.digest,
        "version": entry.number,
        "namespace": _short(entry.namespace),
        "signature": _short(f"{version.name}{version.signature}"),
        "effect": version.effect.value,
        "apis": [_short(api) for api in version.apis],
    }


def name_of(entry: Entry) -> str:
    """What a skill is called by: its id where its name could be taken for another, or is too long."""
    name = f"{entry.namespace}:{entry.version.name}" if entry.namespace else entry.version.name
    plain = name.isascii() and name.isprintable() and len(name) <= 2 * LONGEST
    return name if plain else entry.id


def shown(schema: Mapping[str, Json]) -> dict[str, Json]:
    """A schema as clients read it: words are safe and short, and a default or choices that are not are left out.

    >>> shown({"type": "string", "default": "a", "description": "a \\x1b[2Jname"})
    {'type': 'string', 'default': 'a', 'description': 'a name'}
    >>> shown({"enum": ["a", "\\ud800"]})
    {}
    """
    return {key: part for key, value in schema.items() for part in _part(key, value)}


def _part(key: str, value: Json) -> Iterator[Json]:
    match key, value:
        case "properties", dict():
            yield {name: shown(rule) for name, rule in value.items()}
        case "items" | "additionalProperties", dict():
            yield shown(value)
        case "anyOf", list() | tuple():
            yield [shown(one) for one in value]
        case "description", str():
            yield _short(value)
        case "default" | "enum", _ if not _plain(value):
            return
        case _:
            yield value


def deep(value: Json) -> bool:
    """Whether a value is nested deeper than clients can read.

    >>> deep([[1]]), deep(json.loads("[" * 65 + "]" * 65))
    (False, True)
    """
    level = [value]
    for _ in range(DEEPEST):
        level = [one for held in level for one in _held(held) if isinstance(one, Mapping | list | tuple)]
        if not level:
            return False
    return True


def _held(value: Json) -> Sequence[Json]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list | tuple) else ()


def _plain(value: Json) -> bool:
    """Whether a value can be shown as it is."""
    if deep(value):
        return False
    text = json.dumps(value, ensure_ascii=False)
    return len(text) <= PHRASE and all(safe(one) == one for one in _texts(value))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    if isinstance(value, Mapping):
        yield from value
    for one in _held(value):
        yield from _texts(one)


def _names_in(schema: Mapping[str, Json]) -> Iterator[str]:
    yield from schema.get("properties", {})


def _short(text: str) -> str:
    words = safe(text)
    return words if len(words) <= PHRASE else f"{words[: PHRASE - 1]}…"
