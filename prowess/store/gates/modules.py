"""What a skill may use of Python's own modules: what they document, and nothing that they happen to import themselves.

json.loads(text)           documented
json.codecs.builtins.open  a way through a module to the whole interpreter
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import ModuleType

PLAIN = frozenset(
    "__future__ abc array ast base64 binascii bisect calendar cmath collections collections.abc colorsys contextlib "
    "copy csv dataclasses datetime decimal difflib email email.utils enum fractions functools graphlib hashlib heapq "
    "hmac html html.parser ipaddress itertools json keyword math numbers operator pprint random re secrets statistics "
    "string struct textwrap time typing unicodedata urllib urllib.parse uuid zlib zoneinfo".split()
)
"""Modules of Python's that work on values alone. Others of Python's reach files, processes or the interpreter."""

_RUNS_TEXT = frozenset({"string.Formatter", "typing.get_type_hints", "typing.ForwardRef", "dataclasses.make_dataclass"})
"""Documented, and made to read attributes or code out of a text."""


def forbidden(module: str) -> bool:
    """Whether it is a module of Python's that reaches more than values, or the program's own, which has `apis`."""
    top = module.partition(".")[0]
    return (top in sys.stdlib_module_names or top == "__main__") and module not in PLAIN


@lru_cache(maxsize=256)
def documented(module: str) -> frozenset[str]:
    """The names that a plain module offers: those it lists, or its public ones that are no modules.

    >>> "loads" in documented("json"), "codecs" in documented("json"), "_os" in documented("random")
    (True, False, False)
    """
    held = importlib.import_module(module)
    public = {name for name in vars(held) if not name.startswith("_")}
    listed = set(getattr(held, "__all__", public))
    names = {name for name in listed if not isinstance(getattr(held, name, None), ModuleType)}
    below = {name.rpartition(".")[2] for name in PLAIN if name.rpartition(".")[0] == module}
    return frozenset({name for name in names | below if f"{module}.{name}" not in _RUNS_TEXT})


def misused(tree: ast.Module) -> Iterator[str]:
    """What code takes from modules that it should not, a line for each."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for one in names:
                    modules |= {one.asname: one.name} if one.asname else {(top := one.name.partition(".")[0]): top}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for one in names:
                    if f"{module}.{one.name}" in PLAIN:
                        modules[one.asname or one.name] = f"{module}.{one.name}"
                    elif module in PLAIN and one.name != "*" and one.name not in documented(module):
                        yield f"line {node.lineno}: imports {one.name} from {module}, which does not offer it"
    yield from _used(tree, {name: module for name, module in modules.items() if module in PLAIN})


def _used(node: ast.AST, modules: Mapping[str, str]) -> Iterator[str]:
    """The same for what stands below a node, where these names are modules."""
    if not modules:
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for outside in _outside(node):
            yield from _used(outside, modules)
        inside = {name: module for name, module in modules.items() if name not in _own(node)}
        for part in node.body if isinstance(node.body, list) else [node.body]:
            yield from _used(part, inside)
        return
    match node:
        case ast.Attribute():
            base, steps = _steps(node)
            if isinstance(base, ast.Name) and base.id in modules:
                module = modules[base.id]
                for step in steps:
                    if step not in documented(module):
                        yield f"line {node.lineno}: {module}.{step} is not what the module offers"
                        break
                    if (module := f"{module}.{step}") not in PLAIN:
                        break
                else:
                    yield f"line {node.lineno}: uses the module {module} as a value"
                return
        case ast.Name(id=name, ctx=ast.Load()) if name in modules:
            yield f"line {node.lineno}: uses the module {modules[name]} as a value"
    for below in ast.iter_child_nodes(node):
        yield from _used(below, modules)


def _steps(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """What an attribute is read of in the end, and the names on the way."""
    steps: list[str] = []
    while isinstance(node, ast.Attribute):
        steps.append(node.attr)
        node = node.value
    return node, steps[::-1]


def _outside(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.expr]:
    """What is worked out where a function is defined, and not in it: its defaults and decorators."""
    yield from (one for one in [*function.args.defaults, *function.args.kw_defaults] if one is not None)
    if not isinstance(function, ast.Lambda):
        yield from function.decorator_list


def _own(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """Names that a function gives itself: parameters and variables."""
    given = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return frozenset(
        given | {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    )
