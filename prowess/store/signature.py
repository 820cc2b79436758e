"""A function's parameters as text and as JSON Schema, read from its syntax tree."""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterator

from prowess.text.syntax import expression_in, writable
from prowess.types import Json

Function = ast.FunctionDef | ast.AsyncFunctionDef

_PLAIN: dict[str, dict[str, Json]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "list": {"type": "array"},
    "List": {"type": "array"},
    "Sequence": {"type": "array"},
    "Iterable": {"type": "array"},
    "tuple": {"type": "array"},
    "Tuple": {"type": "array"},
    "set": {"type": "array", "uniqueItems": True},
    "dict": {"type": "object"},
    "Dict": {"type": "object"},
    "Mapping": {"type": "object"},
}
_TOLD = re.compile(r"^[ \t]*(?::param[ \t]+)?(\w+)(?:[ \t]*\([^)\n]*\))?:[ \t]+(\S.*)$", re.MULTILINE)


def signature_of(function: Function) -> str:
    """Its parameters as code, as `ast.unparse` writes them: `(user: str, limit: int=5) -> list[str]`.

    An f-string is written `...`, for every version of Python quotes it in its own way.
    """
    returns = f" -> {_text(function.returns)}" if function.returns is not None else ""
    arguments = function.args
    if arguments.posonlyargs or arguments.vararg or arguments.kwonlyargs or arguments.kwarg:
        return f"({_unparsed(arguments)}){returns}"
    listed = ", ".join(_parameter(parameter, default) for parameter, default in _parameters(arguments))
    return f"({listed}){returns}"


def _parameter(parameter: ast.arg, default: ast.expr | None) -> str:
    text = f"{parameter.arg}: {_text(parameter.annotation)}" if parameter.annotation is not None else parameter.arg
    return text if default is None else f"{text}={_text(default)}"


def _text(node: ast.expr) -> str:
    """An expression as code; most are names, and quick to write."""
    return node.id if isinstance(node, ast.Name) else _unparsed(node)


def _unparsed(node: ast.expr | ast.arguments) -> str:
    if not writable(node):
        return "..."
    if any(isinstance(one, ast.JoinedStr) for one in ast.walk(node)):
        node = _Plain().visit(copy.deepcopy(node))
    return ast.unparse(node)


class _Plain(ast.NodeTransformer):
    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.Constant:
        return ast.copy_location(ast.Constant(...), node)


def schema_of(function: Function, docstring: str = "") -> dict[str, Json]:
    """The JSON Schema of a call's arguments, by name; a type that JSON does not know is left open.

    >>> schema_of(ast.parse("def f(user: str, limit: int = 5): ...").body[0])["required"]
    ['user']
    """
    told = dict(_TOLD.findall(docstring))
    properties: dict[str, Json] = {}
    required: list[str] = []
    for parameter, default in _parameters(function.args):
        kind = parameter.annotation
        schema = dict(_type(kind)) if kind is not None and writable(kind) else {}
        if parameter.arg in told:
            schema["description"] = told[parameter.arg].strip()
        if default is None:
            required.append(parameter.arg)
        elif (value := _value(default)) is not _NOTHING:
            schema["default"] = value
        properties[parameter.arg] = schema
    open_end = function.args.kwarg is not None
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": open_end}


def _parameters(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    placed = [*arguments.posonlyargs, *arguments.args]
    missing = [None] * (len(placed) - len(arguments.defaults))
    yield from zip(placed, [*missing, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _type(node: ast.expr | None) -> dict[str, Json]:
    match node:
        case ast.Constant(value=None):
            return _PLAIN["None"]
        case ast.Constant(value=str(text)):
            return _type(expression_in(text))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _PLAIN.get(name, {})
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either(_type(left), _type(right))
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside):
            return _subscript(name, inside.elts if isinstance(inside, ast.Tuple) else [inside])
    return {}


def _subscript(name: str, parts: list[ast.expr]) -> dict[str, Json]:
    if name == "Optional":
        return _either(_type(parts[0]), _PLAIN["None"])
    if name == "Union":
        schema = _type(parts[0])
        for part in parts[1:]:
            schema = _either(schema, _type(part))
        return schema
    if name == "Literal":
        choices = [_value(part) for part in parts]
        return {"enum": choices} if _NOTHING not in choices else {}
    plain = dict(_PLAIN.get(name, {}))
    if plain.get("type") == "object" and len(parts) == 2 and (values := _type(parts[1])):
        plain["additionalProperties"] = values
    elif plain.get("type") == "array" and name not in ("tuple", "Tuple") and (items := _type(parts[0])):
        plain["items"] = items
    return plain


def _either(one: dict[str, Json], other: dict[str, Json]) -> dict[str, Json]:
    if not one or not other:  # one of them may be anything
        return {}
    return {"anyOf": [*one.get("anyOf", [one]), *other.get("anyOf", [other])]}


_NOTHING = object()


def _value(node: ast.expr) -> Json:
    """A literal that JSON can hold as it is, or _NOTHING."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | None):
        return node.value
    try:
        value = ast.literal_eval(node)
        same = json.loads(json.dumps(value, allow_nan=False)) == value
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NOTHING
    return value if same else _NOTHING
