"""Which functions of earlier blocks a block of code calls: the part of a skill's use that cannot be forged.

A name counts when the code calls it, passes it to a call, or decorates with it, where the name means the earlier
function: not when the block defines, assigns, imports or deletes it itself, nor where a parameter, a loop
variable or another local name hides it. Strings, comments and methods of the same name do not count, nor does what can
never run (`living`): below `if 0`, behind `False and`, in a loop over `()`, after `return`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from prowess.sandbox.living import Living
from prowess.text.syntax import tree_or_none

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def defined_in(code: str) -> frozenset[str]:
    """Functions that the code defines at its top level, also below `if` or `try`.

    >>> sorted(defined_in("def f():\\n  def g(): ...\\nif 1:\\n  def h(): ..."))
    ['f', 'h']
    """
    tree = tree_or_none(code.strip()) if "def " in code else None
    if tree is None:
        return frozenset()
    return frozenset(n.name for n in _own_nodes(tree.body) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def called_in(code: str, names: Collection[str], *, passed: bool = True) -> frozenset[str]:
    """Those of `names` (functions of earlier blocks) that the code calls unshadowed.

    With `passed`, giving the function to a call counts too (`map(f, xs)`): whether it ran is for the trace to say.

    >>> sorted(called_in("f(1)\\ndef g(): ...\\ng()\\nprint('h()')", ["f", "g", "h"]))
    ['f']
    """
    named = frozenset(name for name in names if name in code)
    tree = tree_or_none(code.strip()) if named else None
    if tree is None:
        return frozenset()
    try:
        return _Reader(named, tree, passed=passed).read()
    except RecursionError:
        return frozenset()


class Definitions:
    """Functions an interpreter has been given so far, the blocks that defined each, and what these blocks call."""

    def __init__(self) -> None:
        self._blocks: dict[str, frozenset[int]] = {}
        self._calls: dict[int, frozenset[str]] = {}

    def add(self, code: str, block: int) -> None:
        names = defined_in(code)
        if names:
            self._calls[block] = called_in(code, self._blocks)
        for name in names:
            self._blocks[name] = self._blocks.get(name, frozenset()) | {block}

    def called_by(self, code: str, *, traced: bool = True) -> dict[str, frozenset[int]]:
        """Functions that the code calls, with the blocks that may have defined them.

        Where a trace will tell what ran, also those that it passes to a call, and those that a function it calls was
        written to call, in a block before this one.
        """
        found = called_in(code, self._blocks, passed=traced)
        return {name: self._blocks[name] for name in sorted(self._reached(found) if traced else found)}

    def _reached(self, names: frozenset[str]) -> set[str]:
        """These functions, and those of still earlier blocks that the blocks defining them call."""
        found, waiting = {*names}, [*names]
        while waiting:
            for block in self._blocks[waiting.pop()]:
                fresh = self._calls[block] - found
                found |= fresh
                waiting += fresh
        return found


@dataclass(slots=True)
class _Scope:
    """Names bound in one function, class, comprehension or the module."""

    bound: set[str] = field(default_factory=set)
    outer: frozenset[str] = frozenset()
    """Names declared global here."""
    is_class: bool = False
    is_function: bool = False


class _Reader:
    """Walks a tree with the stack of scopes around each node."""

    def __init__(self, names: frozenset[str], tree: ast.Module, *, passed: bool) -> None:
        self._names = names
        self._passed = passed
        self._tree = tree
        self._module = _Scope(bound=_bound(tree.body))
        self._scopes = [self._module]
        self._aliases = _aliases(tree)
        self._living = Living.of(tree)
        self._found: set[str] = set()

    def read(self) -> frozenset[str]:
        for node in ast.walk(self._tree):
            if isinstance(node, _Function) and not isinstance(node, ast.Lambda):
                # What a function declares global and binds is bound in the module.
                self._module.bound |= _declared(node.body, ast.Global) & _bound(node.body)
        if "*" in self._module.bound:  # a star import may bring any name
            return frozenset()
        self._each(self._living.until_left(self._tree.body))
        return frozenset(self._found)

    def _each(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self._visit(node)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._uses(node.decorator_list)
            self._each(node.decorator_list)
            self._function(node, node.body)
        elif isinstance(node, ast.Lambda):
            self._function(node, [node.body])
        elif isinstance(node, ast.ClassDef):
            self._uses(node.decorator_list)
            self._each([*node.decorator_list, *node.bases, *node.keywords])
            self._inside(_Scope(bound=_bound(node.body), is_class=True), node.body)
        elif isinstance(node, _Comprehension):
            self._comprehension(node)
        elif isinstance(node, ast.AnnAssign) and self._scopes[-1].is_function:
            self._each([node.target, node.value])  # the annotation of a local is never worked out
        else:
            if isinstance(node, ast.Call):
                self._uses([node.func])
                if self._passed:
                    self._uses([*node.args, *(keyword.value for keyword in node.keywords)])
            self._each(self._living.below(node))

    def _function(self, node: _Function, body: Iterable[ast.AST]) -> None:
        arguments = node.args
        self._each([*arguments.defaults, *arguments.kw_defaults])
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        body = list(body)
        outer = _declared(body, ast.Global)
        bound = _bound(body) - outer - _declared(body, ast.Nonlocal)
        bound |= {parameter.arg for parameter in parameters if parameter is not None}
        self._inside(_Scope(bound=bound, outer=outer, is_function=True), body)

    def _comprehension(self, node: _Comprehension) -> None:
        self._visit(node.generators[0].iter)  # evaluated outside
        targets = _bound([generator.target for generator in node.generators])
        looked, comes = self._living.of_comprehension(node.generators)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._inside(_Scope(bound=targets), [*looked, *(parts if comes else [])])

    def _inside(self, scope: _Scope, nodes: Iterable[ast.AST]) -> None:
        self._scopes.append(scope)
        self._each(self._living.until_left(nodes))
        self._scopes.pop()

    def _uses(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.Name):
                if node.id in self._names and self._means_earlier(node.id):
                    self._found.add(node.id)
                alias = self._aliases.get(node.id, "")
                if alias in self._names and self._means_earlier(alias):
                    self._found.add(alias)

    def _means_earlier(self, name: str) -> bool:
        """True when no scope from here outwards binds the name."""
        innermost = self._scopes[-1]
        for scope in reversed(self._scopes):
            if scope.is_class and scope is not innermost:
                continue
            if name in scope.outer:
                return name not in self._module.bound
            if name in scope.bound:
                return False
        return True


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Nodes of one scope: inner functions and classes are seen, but not entered."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        elif isinstance(node, ast.ClassDef):
            waiting += [*node.decorator_list, *node.bases]
        elif isinstance(node, _Comprehension):
            # Its targets are its own, but a walrus inside binds out here.
            waiting += [inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _bound(body: Iterable[ast.AST]) -> set[str]:
    """Names that the nodes of one scope bind or delete; `*` for a star import."""
    bound: set[str] = set()
    for node in _own_nodes(body):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                bound |= {alias.asname or alias.name.partition(".")[0] for alias in names}
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
    return bound


def _declared(body: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> frozenset[str]:
    return frozenset(name for node in _own_nodes(body) if isinstance(node, kind) for name in node.names)


def _aliases(tree: ast.Module) -> dict[str, str]:
    """`g = f`, where g is bound only there: calling g is calling f."""
    stores: dict[str, int] = {}
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stores[name] = stores.get(name, 0) + 1
            case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=name)):
                aliases[alias] = name
    return {alias: name for alias, name in aliases.items() if stores.get(alias) == 1}
