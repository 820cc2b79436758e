"""Several functions walked side by side: where they differ in constants, holes; any other difference ends it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn


class Unlike(Exception):
    """Why functions cannot become one."""


class Same(Unlike):
    """There is nothing to merge, as long as no other function comes to them."""


class Pairing:
    """Several functions, walked side by side."""

    def __init__(self, mains: Sequence[ast.FunctionDef]) -> None:
        self.mains = mains
        self._own = [set(own_names(main)) for main in mains]
        self._names: dict[str, tuple[str, ...]] = {}
        self.holes: dict[tuple[Any, ...], str] = {}
        """The values that differ, and what to call them."""

    def function(self) -> ast.FunctionDef:
        merged: ast.FunctionDef = self._pair(list(self.mains), "", top=True)
        return merged

    def _pair(self, nodes: Sequence[Any], hint: str, *, fixed: bool = False, top: bool = False) -> Any:
        first = nodes[0]
        if len({type(node) for node in nodes}) > 1:
            unlike(f"{_brief(first)} in one is {_brief(nodes[1])} in another")
        if isinstance(first, ast.Constant):
            return self._constant(nodes, hint, fixed)
        if isinstance(first, ast.Name):
            self._same_name([node.id for node in nodes])
            return copy.copy(first)
        new = copy.copy(first)
        for field in first._fields:
            values = [getattr(node, field, None) for node in nodes]
            if top and field == "name":
                continue
            inner = fixed or field in ("annotation", "returns", "decorator_list", "format_spec", "pattern", "cases")
            setattr(new, field, self._field(first, field, values, _hint(first, field, hint), inner))
        return new

    def _field(self, node: ast.AST, field: str, values: list[Any], hint: str, fixed: bool) -> Any:
        first = values[0]
        if isinstance(first, list):
            if field == "body" and isinstance(node, ast.FunctionDef | ast.ClassDef):
                values = [undocumented(value) for value in values]
            if len({len(value) for value in values}) > 1:
                unlike(f"they differ in how much there is of {field}")
            if field in ("defaults", "kw_defaults"):  # the old functions pass all of them
                return first
            hints = _hints(node, field, len(values[0]), hint)
            return [
                self._pair(parts, hints[at], fixed=fixed)
                if isinstance(parts[0], ast.AST)
                else self._plain(field, parts)
                for at, parts in enumerate(zip(*values, strict=True))
            ]
        if isinstance(first, ast.AST):
            return self._pair(values, hint, fixed=fixed)
        if field in _NAMING.get(type(node), ()) and first is not None:
            self._same_name(values)
            return first
        return self._plain(field, values)

    def _plain(self, field: str, values: Sequence[Any]) -> Any:
        if any(value != values[0] for value in values):
            unlike(f"{values[0]!r} in one is {values[1]!r} in another")
        return values[0]

    def _same_name(self, names: Sequence[str]) -> None:
        """The same global name in all, or each its own in the same place."""
        mine = [name in own for name, own in zip(names, self._own, strict=True)]
        if not any(mine):
            self._plain("id", names)
            return
        if not all(mine) or self._names.setdefault(names[0], tuple(names)) != tuple(names):
            unlike(f"the name {names[0]} of one is not {names[1]} in another everywhere")
        if sum(known == tuple(names) or known[1:] == tuple(names[1:]) for known in self._names.values()) > 1:
            unlike(f"the name {names[1]} of one stands for two in another")

    def _constant(self, nodes: Sequence[ast.Constant], hint: str, fixed: bool) -> ast.expr:
        values = tuple((type(node.value).__name__, node.value) for node in nodes)
        if len(set(values)) == 1:
            return copy.copy(nodes[0])
        kinds = {kind for kind, _ in values}
        if fixed or (kinds != {"int", "float"} and (len(kinds) > 1 or not kinds <= {"str", "int", "float", "bool"})):
            unlike(f"{nodes[0].value!r} in one is {nodes[1].value!r} in another, where no parameter can stand")
        self.holes.setdefault(values, hint)
        hole = ast.Name(id="", ctx=ast.Load())
        hole.key = values  # type: ignore[attr-defined]
        return ast.FormattedValue(value=hole, conversion=-1) if hint == IN_TEXT else hole


IN_TEXT = "in a text"
_NAMING: dict[type[ast.AST], tuple[str, ...]] = {
    ast.arg: ("arg",),
    ast.FunctionDef: ("name",),
    ast.ExceptHandler: ("name",),
    ast.MatchAs: ("name",),
    ast.MatchStar: ("name",),
}


def _hint(node: ast.AST, field: str, hint: str) -> str:
    """What a constant below a node is about."""
    match node:
        case ast.keyword(arg=str(name)):
            return name
        case ast.Subscript() if field == "slice":
            return "field"
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.Compare():
            return next((word for side in (node.left, *node.comparators) if (word := _about(side))), hint)
        case ast.Call() | ast.FunctionDef() | ast.For() | ast.If():
            return ""
    return hint


def _hints(node: ast.AST, field: str, count: int, hint: str) -> list[str]:
    if isinstance(node, ast.Dict) and field == "values":
        return [_about(key) or hint if key else hint for key in node.keys]
    return [IN_TEXT if isinstance(node, ast.JoinedStr) else hint] * count


def _about(node: ast.AST) -> str:
    """The word for what an expression gives."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(word))) | ast.Attribute(attr=word) | ast.Name(id=word):
            return word
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "casefold" | "strip" | "upper")):
            return _about(inner)
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(word)), *_]):
            return word
    return ""


def own_names(main: ast.FunctionDef) -> Iterator[str]:
    """The names that a function gives itself, and its own."""
    yield main.name
    for node in ast.walk(main):
        match node:
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name


def undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest] if rest:
            return rest
    return body


def _brief(node: object) -> str:
    text = ast.unparse(node) if isinstance(node, ast.AST) else repr(node)
    return text if len(text) < 60 else text[:57] + "..."


def unlike(why: str) -> NoReturn:
    raise Unlike(why)
