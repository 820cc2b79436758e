"""Which APIs a program calls, and which of them only for a value that another one takes.

    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
    project_id = next(one["project_id"] for one in projects if one["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id)

`list_tasks` is what the task speaks of. That `list_projects` is needed shows in its document alone: it takes a
`project_id`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from prowess.skills.reach import apis_in
from prowess.text.syntax import tree_of

SHARED = ("login", "all_pages")
"""Functions that all programs define."""
READS = ("list_", "show_", "search_")
"""How the names of APIs begin that only read."""
NUMBERED = ("_id", "_number", "email", "emails")
"""How arguments end whose values people do not say: they say a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A value that one API gives and another takes."""

    giver: str
    argument: str
    taker: str


@lru_cache(maxsize=4096)
def called(source: str) -> tuple[str, ...]:
    """The APIs that a program calls, in the order in which it names them."""
    known = {api for api in apis_in(source) if not api.startswith("supervisor.")}
    named = [f"{app}.{api}" for app, api in re.findall(r"apis\.(\w+)\.(\w+)", source)]
    return tuple(api for api in dict.fromkeys([*named, *sorted(known)]) if api in known)


@lru_cache(maxsize=4096)
def lookups(source: str) -> tuple[Lookup, ...]:
    """What is looked up in a program: single values that an answer gave and a call takes; not those of each row."""
    found = [one for function in _own(source) for one in _within(function)]
    return tuple({(one.giver, one.taker): one for one in reversed(found)}.values())[::-1]


def own_expressions(source: str) -> list[ast.expr]:
    """The expressions in the functions, as they stand there; not of those functions that all programs share."""
    found = [node for one in _own(source) for node in ast.walk(one) if isinstance(node, ast.expr)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def api_of(call: ast.Call) -> str:
    """The API that a call asks, itself or page by page."""
    for node in (call.func, *call.args[:1]):
        if isinstance(node, ast.Attribute) and (named := apis_in(ast.unparse(node))):
            return next(iter(named))
    return ""


def _own(source: str) -> list[ast.stmt]:
    return [node for node in tree_of(source).body if not (isinstance(node, ast.FunctionDef) and node.name in SHARED)]


def _within(function: ast.stmt) -> Iterator[Lookup]:
    given: dict[str, tuple[str, ...]] = {}  # from which answers a variable has its value
    rows = {name.id for loop in ast.walk(function) if isinstance(loop, ast.For) for name in _names(loop.target)}
    for node in sorted(
        (node for node in ast.walk(function) if isinstance(node, ast.stmt | ast.Call)),
        key=lambda node: (node.lineno, isinstance(node, ast.stmt), node.col_offset),
    ):
        if isinstance(node, ast.Call):
            yield from _taken(node, {name: apis for name, apis in given.items() if name not in rows})
        elif isinstance(node, ast.For):
            given |= {name.id: _sources(node.iter, given) for name in _names(node.target)}
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given[node.targets[0].id] = _sources(node.value, given)


def _taken(call: ast.Call, given: Mapping[str, tuple[str, ...]]) -> Iterator[Lookup]:
    if taker := api_of(call):
        for word in call.keywords:
            for giver in given.get(word.value.id, ()) if isinstance(word.value, ast.Name) else ():
                if giver != taker and word.arg and word.arg.endswith(NUMBERED):
                    yield Lookup(giver=giver, argument=word.arg, taker=taker)


def _sources(value: ast.expr, given: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The APIs asked in an expression, or else those that its variables have their values from."""
    asked = [api for node in ast.walk(value) if isinstance(node, ast.Call) and (api := api_of(node))]
    return tuple(dict.fromkeys(asked or [api for name in _names(value) for api in given.get(name.id, ())]))


def _names(node: ast.expr) -> list[ast.Name]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]
