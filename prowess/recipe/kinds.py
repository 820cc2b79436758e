"""What the fields of a dataclass may hold, and how that and a value are said in words."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True, slots=True)
class Sections:
    """Sections that others bring, beside the keys of a dataclass. Its field `field` holds them by name."""

    names: Callable[[], Iterable[str]]
    """Which there are."""
    of: Callable[[str], type]
    """The dataclass behind one of them; a RecipeError where it cannot be had."""
    field: str = ""


def sections(names: Callable[[], Iterable[str]], of: Callable[[str], type]) -> Any:
    """A field for sections that others bring. Recipes do not name the field: `suite.worlds` holds `[suite.NAME]`.

    worlds: Mapping[str, Any] = sections(names, of)
    """
    return dataclasses.field(default_factory=dict, metadata={Sections: Sections(names, of)})


@cache
def opened(cls: Any) -> Sections:
    """The sections that others bring to a dataclass; none where it has no field for them."""
    for one in fields(cls):
        if Sections in one.metadata:
            found: Sections = one.metadata[Sections]
            return replace(found, field=one.name)
    return Sections(tuple, lambda name: type(None))


@cache
def settable(cls: Any) -> tuple[Field[Any], ...]:
    return tuple(field for field in fields(cls) if field.init and Sections not in field.metadata)


@cache
def kinds_of(cls: Any) -> dict[str, Any]:
    """The type of each key, checked once to be one that TOML can say."""
    hints = get_type_hints(cls)
    kinds = {field.name: hints[field.name] for field in settable(cls)}
    for field in settable(cls):
        words(kinds[field.name])
        # TOML has no word for nothing: left out must mean None.
        if optional(kinds[field.name]) and default_of(field) is not None:
            raise TypeError(f"{cls.__name__}.{field.name} may be None and so must default to None")
    return kinds


def keys_of(cls: Any) -> list[str]:
    """Every key that may stand in a section, those of others last."""
    return [*kinds_of(cls), *opened(cls).names()]


def default_of(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def makes_itself(field: Field[Any], section: type) -> bool:
    """Whether a section has its own defaults, and none that its parent gives it."""
    factory: Any = field.default_factory
    return factory is section


def optional(kind: Any) -> bool:
    return types.NoneType in get_args(kind)


def section_of(kind: Any) -> type | None:
    """The dataclass behind a field, where it is a section."""
    for one in (kind, *(get_args(kind) if get_origin(kind) in (Union, types.UnionType) else ())):
        if isinstance(one, type) and is_dataclass(one):
            return one
    return None


def is_mapping(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def words(kind: Any) -> str:
    """What a type allows, in words."""
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "text", Any: "any value"}
    if isinstance(kind, type) and is_dataclass(kind):
        return "a section"
    if kind in plain:
        return plain[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(shown(choice) for choice in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join("none" if one is types.NoneType else words(one) for one in arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return f"an array, each {words(arguments[0])}"
    if is_mapping(kind):
        return "a table" if arguments[1] is Any else f"a table, each {words(arguments[1])}"
    raise TypeError(f"a recipe cannot hold {kind}")


@dataclass(frozen=True, slots=True)
class Option:
    """A value from the command line: what TOML makes of it, and as it was typed (a text may look like a number)."""

    value: Any
    text: str


def shown(value: Any) -> str:
    """A value on one line, much as TOML writes it."""
    return cut(inline(value))


def inline(value: Any) -> str:
    if isinstance(value, Option):
        return inline(value.value)
    if value is None:
        return "none"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline(one) for one in value) + "]"
    return str(value)


def cut(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def listed(names: Any) -> str:
    return ", ".join(sorted(str(name) for name in names)) or "none"
