"""Which parts of a program can run at all: not what constants close, nor what stands after a statement that leaves.

    if 0: f()                      constants decide, and `1 - 1`, `None is not None` or `0 < 1 > 2` are constants
    return 1; f()                  what stands behind it in the same block never runs
    while True: g()                never ends without a `break`, so the same holds for it

A program that computes its condition (`zero = 0; if zero: f()`) is not seen through: only a run can tell.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_UNKNOWN = object()
_LARGEST = 1 << 64
"""Numbers are computed up to this: the text must not cost the host more than it costs its author."""

_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, held: item in held,
    ast.NotIn: lambda item, held: item not in held,
}
_COMPUTED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_SIGNED: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Living:
    """What is known of a program without running it, by the nodes of its tree."""

    truths: Mapping[ast.AST, bool]
    """Expressions that are true or false whatever runs."""
    leaving: frozenset[ast.AST]
    """Statements behind which nothing runs in their block."""

    @classmethod
    def of(cls, tree: ast.AST) -> Living:
        """Read a program from its leaves up: each node once, however deep it is nested."""
        values: dict[ast.AST, Any] = {}
        truths: dict[ast.AST, bool] = {}
        leaving: set[ast.AST] = set()
        breaking: set[ast.AST] = set()
        for node in reversed([*ast.walk(tree)]):
            if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                if _breaks(node, breaking):
                    breaking.add(node)
                if isinstance(node, ast.stmt) and _leaves(node, truths, leaving, breaking):
                    leaving.add(node)
            elif (value := _value(node, values, truths)) is not _UNKNOWN:
                values[node], truths[node] = value, bool(value)
            elif (truth := _truth(node, truths)) is not None:
                truths[node] = truth
        return cls(truths, frozenset(leaving))

    def below(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes below a node, without those that can never run."""
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if test in self.truths:
                yield test
                kept = node.body if self.truths[test] else node.orelse
                yield from self.until_left(kept if isinstance(kept, list) else [kept])
            case ast.For(iter=iterated) if self.truths.get(iterated) is False:
                yield from self.until_left(node.orelse)
            case ast.BoolOp(op=op, values=values):
                for value in values:
                    yield value
                    if self.truths.get(value) is isinstance(op, ast.Or):  # decided: the others are not looked at
                        return
            case ast.Assert(test=test) if self.truths.get(test):
                yield test
            case ast.match_case(guard=ast.expr() as guard) if self.truths.get(guard) is False:
                yield guard
            case _:
                for _, value in ast.iter_fields(node):
                    if isinstance(value, list):
                        yield from self.until_left(one for one in value if isinstance(one, ast.AST))
                    elif isinstance(value, ast.AST):
                        yield value

    def until_left(self, nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
        """Statements up to the one that leaves the block, or all of what are no statements."""
        for node in nodes:
            yield node
            if node in self.leaving:
                return

    def of_comprehension(self, generators: Sequence[ast.comprehension]) -> tuple[list[ast.expr], bool]:
        """The sources and conditions that are looked at after the first source, and whether an item can come of it."""
        looked: list[ast.expr] = []
        for at, generator in enumerate(generators):
            looked += [generator.iter] if at else []
            if self.truths.get(generator.iter) is False:
                return looked, False
            for condition in generator.ifs:
                looked.append(condition)
                if self.truths.get(condition) is False:
                    return looked, False
        return looked, True


def _value(node: ast.AST, values: Mapping[ast.AST, Any], truths: Mapping[ast.AST, bool]) -> Any:
    """What an expression of constants alone comes to."""
    try:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id="__debug__"):
                return True
            case ast.NamedExpr(value=value):
                return values.get(value, _UNKNOWN)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) if all(i in values for i in items):
                kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
                return kind(values[item] for item in items)
            case ast.Dict(keys=[], values=[]):
                return {}
            case ast.JoinedStr(values=parts) if all(part in values for part in parts):
                return "".join(values[part] for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if operand in truths:
                return not truths[operand]
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGNED and _is_number(values.get(operand)):
                return _SIGNED[type(op)](values[operand])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _COMPUTED:
                if _is_number(values.get(left)) and _is_number(values.get(right)):
                    return _COMPUTED[type(op)](values[left], values[right])
            case ast.IfExp(test=test, body=body, orelse=orelse) if test in truths:
                return values.get(body if truths[test] else orelse, _UNKNOWN)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return _compared([left, *others], ops, values)
    except (TypeError, ValueError, ArithmeticError):
        pass
    return _UNKNOWN


def _compared(parts: Sequence[ast.expr], ops: Sequence[ast.cmpop], values: Mapping[ast.AST, Any]) -> Any:
    """Whether a chain of comparisons holds: the first that does not decides."""
    for left, op, right in zip(parts, ops, parts[1:], strict=False):
        if left not in values or right not in values:
            return _UNKNOWN
        if not _COMPARED[type(op)](values[left], values[right]):
            return False
    return True


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) < _LARGEST


def _truth(node: ast.AST, truths: Mapping[ast.AST, bool]) -> bool | None:
    """Whether an expression is true or false, although what it comes to is not known.

    >>> tree = ast.parse("x and 0, (x, y), [*x], 1 or x, lambda: 0", mode="eval").body
    >>> [Living.of(tree).truths.get(item) for item in tree.elts]
    [False, True, None, True, True]
    """
    match node:
        case ast.BoolOp(op=op, values=parts):
            decides = isinstance(op, ast.Or)
            found = [truths.get(part) for part in parts]
            return decides if decides in found else None if None in found else not decides
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return True if any(not isinstance(item, ast.Starred) for item in items) else None
        case ast.Dict(keys=keys):
            return True if any(keys) else None
        case ast.IfExp(test=test, body=body, orelse=orelse) if test in truths:
            return truths.get(body if truths[test] else orelse)
        case ast.NamedExpr(value=value):
            return truths.get(value)
        case ast.Lambda() | ast.GeneratorExp():
            return True
    return None


def _breaks(node: ast.AST, breaking: set[ast.AST]) -> bool:
    """Whether a statement may break off the loop around it."""
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, _APART):
        return False
    inside = node.orelse if isinstance(node, _LOOPS) else ast.iter_child_nodes(node)
    return any(one in breaking for one in inside)


def _leaves(node: ast.stmt, truths: Mapping[ast.AST, bool], leaving: set[ast.AST], breaking: set[ast.AST]) -> bool:
    """Whether nothing runs behind a statement in its block."""

    def left(body: Sequence[ast.stmt]) -> bool:
        return any(one in leaving for one in body)

    match node:
        case ast.Assert(test=test):
            return truths.get(test) is False
        case ast.If(test=test, body=body, orelse=orelse):
            taken = {True: [body], False: [orelse], None: [body, orelse]}[truths.get(test)]
            return all(map(left, taken))
        case ast.While(test=test, body=body):
            return truths.get(test) is True and not any(one in breaking for one in body)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            whole = left(body) or left(orelse)
            return left(finalbody) or (whole and all(left(one.body) for one in handlers))
    return isinstance(node, _LEAVING)
