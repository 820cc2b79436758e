"""Loops that never end, as far as the code alone shows it: `while True` and `for n in itertools.count()` without a way
out, and what takes all that an endless iterator gives, such as `list(itertools.repeat(0))`.

What code alone does not show is left to the sandbox, which ends every step in time.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

_MAKERS = frozenset({"count", "cycle", "repeat"})
"""Of `itertools`: what never ends. `repeat` does with a number."""
_FIRST = frozenset("enumerate accumulate batched from_iterable pairwise dropwhile filterfalse filter".split())
"""What goes on as long as one of its arguments: the first of them, or the second of those that begin with a test."""
_TESTED = frozenset({"dropwhile", "filterfalse", "filter"})
_ALL = frozenset({"compress", "map", "starmap", "zip", "zip_longest"})
"""What ends with the shortest of its arguments; `zip_longest` with the longest."""
_TAKERS = frozenset("list tuple set frozenset dict sorted sum max min deque Counter reduce join extend update".split())
"""What asks for all of its arguments: functions, and methods of these names."""
_EMPTY = frozenset("bool bytes bytearray complex dict float frozenset int list object set str tuple".split())
"""Types that make the same value each time they are called."""


def endless(tree: ast.Module) -> Iterator[int]:
    """The lines on which something begins that never ends."""
    names = _Names(tree)
    for node in ast.walk(tree):
        match node:
            case ast.While(test=test, body=body) if _is_fixed(test) and not _can_end(body):
                yield node.lineno
            case ast.For(iter=given, body=body) if names.endless(given) and not _can_end(body):
                yield node.lineno
            case ast.ListComp(generators=parts) | ast.SetComp(generators=parts) | ast.DictComp(generators=parts):
                if any(names.endless(part.iter) for part in parts):
                    yield node.lineno
            case ast.Starred(value=given, ctx=ast.Load()) if names.endless(given):
                yield node.lineno
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given) if name in _TAKERS:
                if any(names.endless(one) for one in given):
                    yield node.lineno


class _Names:
    """What a module calls the functions of `itertools`, and which names hold an endless iterator."""

    __slots__ = ("_functions", "_held", "_modules")

    def __init__(self, tree: ast.Module) -> None:
        self._modules: set[str] = set()
        self._functions: dict[str, str] = {}
        self._held: Mapping[str, ast.expr] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._modules |= {one.asname or one.name for one in node.names if one.name == "itertools"}
            if isinstance(node, ast.ImportFrom) and node.module == "itertools":
                self._functions |= {one.asname or one.name: one.name for one in node.names}
        given = _given(tree)
        self._held = {name: value for name, value in given.items() if self.endless(value)}

    def endless(self, node: ast.expr) -> bool:
        """Whether an expression is an iterator that never ends."""
        match node:
            case ast.Name(id=name):
                return name in self._held
            case ast.NamedExpr(value=value):
                return self.endless(value)
            case ast.GeneratorExp(generators=parts):
                return any(self.endless(part.iter) for part in parts)
            case ast.Call(func=ast.Name(id="iter"), args=[called, sentinel]):
                return _is_never(called, sentinel)
            case ast.Call(func=ast.Name(id="iter"), args=[given]):
                return self.endless(given)
            case ast.Call(func=function, args=args, keywords=keywords):
                return self._goes_on(self._called(function), args, {one.arg for one in keywords})
        return False

    def _called(self, function: ast.expr) -> str:
        """The function's name, as `itertools` and Python's builtins know it."""
        match function:
            case ast.Name(id=name) if name in self._functions or name not in _MAKERS:
                return self._functions.get(name, name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in self._modules:
                return name
            case ast.Attribute(value=ast.Attribute() | ast.Name(), attr="from_iterable"):
                return "from_iterable"
        return ""

    def _goes_on(self, name: str, args: Sequence[ast.expr], keywords: set[str | None]) -> bool:
        if name in _MAKERS:
            return name != "repeat" or (len(args) < 2 and "times" not in keywords and None not in keywords)
        if name in _FIRST:
            at = 1 if name in _TESTED else 0
            return len(args) > at and self.endless(args[at])
        if name in _ALL:
            given = args[1:] if name in ("map", "starmap") else args
            some = [self.endless(one) for one in given]
            return bool(some) and (any(some) if name == "zip_longest" else all(some))
        if name == "islice":
            return len(args) > 1 and _is_none(args[2 if len(args) > 2 else 1]) and self.endless(args[0])
        return name == "chain" and any(map(self.endless, args))


def _given(tree: ast.Module) -> dict[str, ast.expr]:
    """The names that are given a value once and never anything else, each with that value."""
    times = Counter(name for node in ast.walk(tree) for name in _bound(node))
    found = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if times[name] == 1:
                found[name] = value
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ) if times[name] == 1:
                found[name] = value
    return found


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_never(called: ast.expr, sentinel: ast.expr) -> bool:
    """Whether what is called gives the same each time, and that is not what it is waited for: `iter(int, 1)`."""
    match called:
        case ast.Name(id=name) if name in _EMPTY:
            return isinstance(sentinel, ast.Constant) and (name == "object" or bool(sentinel.value))
        case ast.Lambda(body=ast.Constant(value=value)):
            return isinstance(sentinel, ast.Constant) and value != sentinel.value
    return False


def _is_fixed(test: ast.expr) -> bool:
    """Whether a condition is always true: `True`, `1 < 2`, `not 0`; of constants alone, and not plainly false."""
    constants = (ast.Constant, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.BinOp, ast.operator, ast.unaryop, ast.boolop)
    parts = (*constants, ast.cmpop, ast.Tuple, ast.List, ast.expr_context)
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.NamedExpr(value=value):
            return _is_fixed(value)
        case ast.BoolOp(op=ast.Or(), values=values) if any(map(_is_fixed, values)):
            return True
    return all(isinstance(node, parts) for node in ast.walk(test))


def _can_end(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop's body has something that leaves it."""
    waiting: list[tuple[ast.AST, bool]] = [(node, True) for node in body]  # whether `break` leaves this loop
    for node, own in waiting:  # grows as it goes
        match node:
            case ast.Return() | ast.Raise() | ast.Yield() | ast.YieldFrom() | ast.Await():
                return True
            case ast.Break() if own:
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.For() | ast.AsyncFor() | ast.While():
                waiting += [(below, False) for below in node.body]
                waiting += [(below, own) for below in node.orelse]
            case _:
                waiting += [(below, own) for below in ast.iter_child_nodes(node)]
    return False
