"""One layer of a recipe: every key known, every value of its type, or an error that says what is allowed."""

from __future__ import annotations

import math
import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from difflib import get_close_matches
from typing import Any, Literal, Union, get_args, get_origin

from prowess.errors import RecipeError, unknown
from prowess.recipe.building import Location, Tree, build
from prowess.recipe.describing import describe
from prowess.recipe.kinds import Option, is_mapping, keys_of, kinds_of, opened, optional, shown, words


def option_layer(cls: type, option: str) -> Tree:
    key, sign, text = option.partition("=")
    try:
        spot: Any = tomllib.loads(f"{key.strip()} = 0") if sign and "\n" not in key else {}
    except (ValueError, RecursionError):  # a TOMLDecodeError is the first
        spot = {}
    path: list[str] = []
    while isinstance(spot, dict) and len(spot) == 1:
        [(step, spot)] = spot.items()
        path.append(step)
    if spot != 0:
        raise RecipeError(f"cannot read the setting '{key}'", hint="write it as section.key=value")
    table: Any = Option(_toml_value(text.strip()), text.strip())
    for step in reversed(path):
        table = {step: table}
    return layer(cls, table, Location("--set"))  # without the value, which may be a secret in the wrong place


def _toml_value(text: str) -> Any:
    """A TOML value, or the bare text where it is none."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):  # a TOMLDecodeError is the first
        return text
    return table["value"] if len(table) == 1 else text


def layer(cls: type, table: Mapping[str, Any], place: Location) -> Tree:
    """Every key known, every value of its type; what is missing stays missing."""
    kinds, others = kinds_of(cls), opened(cls)
    tree: Tree = {}
    for key, given in table.items():
        if key in kinds:
            tree[key] = _convert(kinds[key], given, place / key)
        elif key in others.names():
            tree[key] = _convert(others.of(key), given, place / key)
        else:
            raise _unknown_key(cls, place / key)
    return tree


def _unknown_key(cls: type, place: Location) -> RecipeError:
    name = place.path[-1]
    hint = unknown("key", name, keys_of(cls)).hint
    deeper = [entry.key for entry in describe(cls) if entry.key.endswith(f".{name}")]
    if deeper and not hint.startswith("did you mean"):
        hint = f"did you mean '{'.'.join([*place.path[:-1], deeper[0]])}'? {hint}"
    return RecipeError(f"{place.source}: unknown key '{place.key}'", hint=hint)


def _convert(kind: Any, given: Any, place: Location) -> Any:
    """A TOML value as the field's type wants it; a section becomes a tree."""
    if isinstance(given, Option):
        try:
            return _convert(kind, given.value, place)
        except RecipeError:
            if not _accepts(kind, given.text, place):
                raise
            return _convert(kind, given.text, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _convert_union(kind, given, place)
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(given, Mapping):
            raise wrong(place, given, f"a section with {', '.join(keys_of(kind))}")
        return layer(kind, given, place)
    if origin is Literal and any(type(given) is type(choice) and given == choice for choice in arguments):
        return given
    if origin is tuple and isinstance(given, list | tuple):
        return tuple(_whole(arguments[0], one, place / str(number)) for number, one in enumerate(given))
    if is_mapping(kind):
        if not isinstance(given, Mapping):
            raise wrong(place, given, words(kind))
        return {str(key): _whole(arguments[1], one, place / str(key)) for key, one in given.items()}
    if kind is Any:
        return _free(given, place)
    if kind is float and type(given) is int and abs(given) < 2**1000:
        return float(given)
    if kind in (bool, int, float, str) and type(given) is kind and given == given:  # nan is no setting
        return given
    raise wrong(place, given, words(kind), choices=arguments if origin is Literal else ())


def _convert_union(kind: Any, given: Any, place: Location) -> Any:
    members = [member for member in get_args(kind) if member is not types.NoneType]
    for member in members:
        if _accepts(member, given, place):
            return _convert(member, given, place)
    if given == "none" and optional(kind):
        return None
    if len(members) == 1 and isinstance(given, Mapping | list):
        return _convert(members[0], given, place)  # fails, saying which key or element is wrong
    raise wrong(place, given, words(kind))


def _accepts(kind: Any, given: Any, place: Location) -> bool:
    try:
        _convert(kind, given, place)
    except RecipeError:
        return False
    return True


def _whole(kind: Any, given: Any, place: Location) -> Any:
    """An element of an array or table: a section there is complete in itself, since nothing is laid over it."""
    value = _convert(kind, given, place)
    return build(kind, value, place) if is_dataclass(kind) and isinstance(kind, type) else value


def _free(given: Any, place: Location) -> Any:
    """Any value JSON could hold."""
    if isinstance(given, Option):
        return _free(given.value, place)
    if isinstance(given, Mapping):
        return {str(key): _free(one, place / str(key)) for key, one in given.items()}
    if isinstance(given, list | tuple):
        return [_free(one, place / str(number)) for number, one in enumerate(given)]
    if type(given) in (bool, int, str) or (type(given) is float and not math.isnan(given)):
        return given
    raise wrong(place, given, "true or false, a number, text, an array or a table (a date goes in quotes)")


def wrong(place: Location, given: Any, allowed: str, choices: Sequence[Any] = ()) -> RecipeError:
    near = get_close_matches(str(given), [str(choice) for choice in choices], n=1)
    guess = f'did you mean "{near[0]}"? ' if near else ""
    return RecipeError(f"{place.source}: {place.key} cannot be {shown(given)}", hint=f"{guess}allowed: {allowed}")
