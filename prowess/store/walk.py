"""One walk over a skill's syntax tree: its two hashes, and what may lead to an API."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from prowess.skills.reach import REACHING

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What one walk over a tree finds: skills come by the thousand."""

    reaching: list[ast.AST]
    """What may lead to an API, see `reach_of`; each before those below it."""
    parts: list[str]
    """The tree written down, unambiguously and alike in every version of Python."""
    names: list[int]
    """Which of the parts are names."""
    own: set[str]
    """Names that the code gives itself: functions, parameters, variables."""

    def hashes(self, imports: Sequence[str]) -> tuple[str, str]:
        """The AST hash and the alpha hash."""
        above = "\n".join(imports) + "\n\n"
        plain = sha256(above + "\n".join(self.parts))
        order: dict[str, str] = {}
        renamed = self.parts.copy()
        for place in self.names:
            if (name := renamed[place]) in self.own:
                renamed[place] = order.setdefault(name, f"#{len(order)}")
        return plain, sha256(above + "\n".join(renamed))


def walk(tree: ast.Module) -> Walk:
    nodes: list[ast.AST] = [tree]
    parts: list[str] = []
    names: list[int] = []
    own: set[str] = set()
    reaching: list[ast.AST] = []
    for node in nodes:  # grows as it goes
        kind = node.__class__
        parts.append(kind.__name__)
        # Most of all nodes are of these three kinds, so they take a short way.
        if isinstance(node, ast.Name):
            reaching.append(node)
            names.append(len(parts))
            parts.append(node.id)
            if node.ctx.__class__ is not ast.Load:
                own.add(node.id)
            continue
        if isinstance(node, ast.Constant):
            parts.append(_constant(node.value))
            continue
        if isinstance(node, ast.Attribute):
            reaching.append(node)
            nodes.append(node.value)
            parts += ("value", repr(node.attr))
            continue
        if kind in _REACHING:
            reaching.append(node)
        for field, named in _FIELDS[kind]:
            value = getattr(node, field, None)
            if value is None:
                continue
            if value.__class__ is list:
                if kind is ast.JoinedStr:  # Python 3.12 ends some format specifications with nothing
                    value = [one for one in value if not (isinstance(one, ast.Constant) and one.value == "")]
                if value and field == "body" and kind in _DOCUMENTED and _is_docstring(value[0]):
                    value = value[1:]
                elif not value:
                    continue
                parts.append(f"{field} {len(value)}")
                if named:
                    names += range(len(parts), len(parts) + len(value))
                    parts += value
                elif field in _MIXED:
                    nodes += [item for item in value if isinstance(item, ast.AST)]
                    parts += ["+" if isinstance(item, ast.AST) else repr(item) for item in value]
                else:
                    nodes += value
                    parts += ["+"] * len(value)
            elif isinstance(value, ast.AST):
                if value.__class__ in _OPERATORS:
                    parts.append(value.__class__.__name__)
                else:
                    nodes.append(value)
                    parts.append(field)
            elif named:
                names.append(len(parts))
                parts.append(value)
                own.add(value)
            else:
                parts.append(_constant(value))
    return Walk(reaching=reaching, parts=parts, names=names, own=own)


_REACHING = {*REACHING}
_MIXED = {"keys", "kw_defaults", "kwd_attrs", "names"}
"""Lists in which nothing or a name may stand beside nodes."""
_SKIPPED = {"ctx", "type_comment", "kind", "type_ignores"}
_NAMING = (
    *(ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler),
    *(ast.MatchAs, ast.MatchStar, ast.Global, ast.Nonlocal),
)
_OPERATORS = {*ast.operator.__subclasses__(), *ast.unaryop.__subclasses__(), *ast.boolop.__subclasses__()}


def _fields(kind: type[ast.AST]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node, and whether each holds a name that may be the code's own."""
    naming = {"id", "arg", "name", "names"} if kind in _NAMING else set()
    return tuple((field, field in naming) for field in kind._fields if field not in _SKIPPED)


_FIELDS = {kind: _fields(kind) for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)}


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _constant(value: object) -> str:
    # hex, because Python refuses to write very long numbers in tens
    return hex(value) if isinstance(value, int) and not isinstance(value, bool) else repr(value)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
