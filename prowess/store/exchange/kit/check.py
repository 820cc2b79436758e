"""Arguments against the JSON Schema of a skill: the part of JSON Schema that signatures are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list, tuple, set, frozenset),
    "object": (dict,),
}


def problem(value: Any, schema: Mapping[str, Any], where: str = "") -> str:
    """What is wrong with a value, in words; nothing if it fits.

    >>> problem({"limit": "5"}, {"type": "object", "properties": {"limit": {"type": "integer"}}})
    "limit must be integer, not '5'"
    """
    if "anyOf" in schema:
        return (
            "" if any(not problem(value, one, where) for one in schema["anyOf"]) else _not(where, value, _words(schema))
        )
    if "enum" in schema and not any(_same(value, choice) for choice in schema["enum"]):
        return _not(where, value, _words(schema))
    kind = schema.get("type")
    if kind in _KINDS and not _is(value, kind):
        return _not(where, value, kind)
    if kind == "object":
        return _object(value, schema, where)
    if kind == "array":
        return _array(list(value), schema, where)
    return ""


def _object(value: Mapping[str, Any], schema: Mapping[str, Any], where: str) -> str:
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        return f"{where + ': ' if where else ''}missing {', '.join(missing)}"
    others = schema.get("additionalProperties", True)
    for name, part in value.items():
        if name not in properties and others is False:
            return f"unknown {_at(where, name)} (known: {', '.join(properties) or 'none'})"
        rule = properties.get(name, others if isinstance(others, Mapping) else {})
        if found := problem(part, rule, _at(where, name)):
            return found
    return ""


def _array(value: Sequence[Any], schema: Mapping[str, Any], where: str) -> str:
    if schema.get("uniqueItems") and any(item in value[:place] for place, item in enumerate(value)):
        return f"{where or 'the value'} must not hold the same item twice"
    found = (problem(item, schema.get("items", {}), f"{where}[{place}]") for place, item in enumerate(value))
    return next((text for text in found if text), "")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


def _same(value: Any, choice: Any) -> bool:
    return type(value) is type(choice) and bool(value == choice)


def _at(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


def _words(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(repr(choice) for choice in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_words(one) for one in schema["anyOf"])
    return str(schema.get("type", "anything"))


def _not(where: str, value: Any, wanted: str) -> str:
    shown = repr(value)
    return f"{where or 'the value'} must be {wanted}, not {shown if len(shown) <= 80 else shown[:77] + '...'}"
