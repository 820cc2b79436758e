"""The JSON schema of a recipe, for editors that complete and check TOML.

What it says is what the settings say: a field's type, its default, and the line under it. What only a section's own
checks know (ranges, settings that exclude each other) is told when the recipe is read.
"""

from __future__ import annotations

import math
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin

from prowess.errors import RecipeError
from prowess.recipe.describing import docs_of
from prowess.recipe.files import EXTENDS
from prowess.recipe.kinds import default_of, is_mapping, kinds_of, opened, section_of, settable
from prowess.types import Json

DRAFT = "http://json-schema.org/draft-07/schema#"
"""What editors read. Definitions are not shared: some editors follow no references."""

PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string"}


def schema_of(cls: type) -> dict[str, Json]:
    """The schema of the recipes that are read into a dataclass."""
    whole = _section(cls, MISSING)
    parent = {"type": "string", "description": "The recipe to start from: a path, or the name of a shipped one."}
    return {"$schema": DRAFT, **whole, "properties": {EXTENDS: parent, **whole["properties"]}}


def _section(cls: Any, start: Any) -> dict[str, Json]:
    """A section, with its own defaults or with those that its parent gives it."""
    return {
        "type": "object",
        "description": _about(cls),
        "additionalProperties": False,
        "properties": dict(_keys(cls, start)),
    }


def _keys(cls: Any, start: Any) -> Iterator[tuple[str, dict[str, Json]]]:
    kinds, docs, others = kinds_of(cls), docs_of(cls), opened(cls)
    for field in settable(cls):
        default = default_of(field) if start is MISSING else getattr(start, field.name)
        found = _kind(kinds[field.name], default)
        if doc := docs.get(field.name):
            found["description"] = doc
        if section_of(kinds[field.name]) is None and default is not MISSING and _sayable(default):
            found["default"] = _plain(default)
        yield field.name, found
    for name in others.names():
        with suppress(RecipeError):  # a world that cannot be imported has no keys
            given = MISSING if start is MISSING else getattr(start, others.field).get(name, MISSING)
            yield name, _section(others.of(name), given)


def _kind(kind: Any, default: Any = MISSING) -> dict[str, Json]:
    """What a type allows."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return _section(kind, default if isinstance(default, kind) else MISSING)
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        # TOML has no word for nothing: "none" takes back what an extended recipe says.
        return {"anyOf": [{"const": "none"} if one is types.NoneType else _kind(one, default) for one in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _kind(arguments[0])}
    if is_mapping(kind):
        return {"type": "object", "additionalProperties": _kind(arguments[1])}
    return {}


def _sayable(value: Any) -> bool:
    """Whether JSON has a word for a default."""
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def _plain(value: Any) -> Json:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _about(cls: type) -> str:
    """The first paragraph of what a section says of itself."""
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())
