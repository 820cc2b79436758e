"""The first gate: is it a whole, typed, documented function that does more than one API call?"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterable, Iterator

from prowess.skills.extract import GIVEN, names_in
from prowess.skills.order import is_idle
from prowess.skills.reach import apis_in
from prowess.store.gates.context import Context, Subject, code_of
from prowess.store.record import Verification
from prowess.store.settings import GateSettings
from prowess.text.syntax import NAME, UNREADABLE, tree_of, writable

_LOGIC = (
    *(ast.For, ast.While, ast.If, ast.IfExp, ast.Try, ast.With, ast.Match, ast.BinOp, ast.BoolOp, ast.Compare),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.FunctionDef),
)
_IMPORTS = (ast.Import, ast.ImportFrom)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_HARMLESS = frozenset(
    "bool bytes classmethod complex dict float frozenset int list object property range set staticmethod str super "
    "tuple".split()
)
"""Builtins that may be called as a skill is loaded."""


def structure(subject: Subject, context: Context, settings: GateSettings) -> Verification:
    """Whether the code is a skill at all."""
    problems = list(_problems(subject, context, settings))
    return subject.says("structure", "fail" if problems else "pass", {"problems": problems})


def _problems(subject: Subject, context: Context, settings: GateSettings) -> Iterator[str]:
    version, code = subject.version, code_of(subject.version)
    try:
        tree = tree_of(code)
        compile(tree, NAME, "exec", dont_inherit=True)
        table = symtable.symtable(code, NAME, "exec")
    except UNREADABLE as error:
        yield f"it does not parse: {type(error).__name__}: {error}"
        return
    if not writable(tree):
        yield "it is nested too deep, or has a number too long, to be written again"
        return
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    main = next((node for node in functions if node.name == version.name), None)
    if main is None:
        yield f"it does not define a function '{version.name}'"
        return
    known = GIVEN | context.names | {word for line in context.imports for word in _bound(line)}
    if free := sorted(free_names(table) - known):
        yield f"it needs names that are not there: {', '.join(free)}"
    yield from (f"module '{name}' is not there" for name in sorted(_modules(tree) - _available(context, settings)))
    own = {name for name, piece in (names_in(code) or {}).items() if piece is None or piece.kind != "import"}
    yield from (f"it takes the name of {name}, which others mean" for name in sorted(own & GIVEN))
    acting = [node for node in tree.body if not _defines(node)] + list(_acting(tree))
    yield from (f"line {line} runs when it is loaded" for line in sorted({node.lineno for node in acting}))
    yield from _untyped(main)
    if not ast.get_docstring(main):
        yield "it has no docstring"
    if api := wrapped(main):
        yield f"it does no more than call {api}"


def free_names(table: symtable.SymbolTable) -> set[str]:
    """Global names that a module uses and does not bind."""
    bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    used = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
    bound |= {child.get_name() for child in table.get_children() if child.get_type() in ("function", "class")}
    waiting = list(table.get_children())
    while waiting:
        scope = waiting.pop()
        for symbol in scope.get_symbols():
            if symbol.is_global():
                used.add(symbol.get_name())
                if symbol.is_declared_global() and symbol.is_assigned():
                    bound.add(symbol.get_name())
        waiting += scope.get_children()
    return used - bound


def wrapped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The one API that a function merely passes its arguments to, or nothing."""
    nodes = [node for statement in function.body if not is_idle(statement) for node in ast.walk(statement)]
    if any(isinstance(node, _LOGIC) for node in nodes):
        return ""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    apis = [api for call in calls for api in apis_in(ast.unparse(call.func))]
    return apis[0] if len(calls) == 1 and len(apis) == 1 else ""


def _untyped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    missing = [one.arg for one in every if one is not None and one.annotation is None]
    if missing:
        yield f"parameters without a type: {', '.join(missing)}"
    if function.returns is None:
        yield "what it returns has no type"


def _defines(node: ast.stmt) -> bool:
    """Whether a statement only names things: definitions, imports, constants, aliases of apps and APIs."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        return not any(isinstance(part, ast.Call | ast.Await | ast.Yield) for part in ast.walk(node.value))
    return is_idle(node)


def _acting(tree: ast.Module) -> Iterator[ast.expr]:
    """Calls of more than harmless functions in what is evaluated as definitions are read."""
    harmless = _HARMLESS | {name for line in ast.walk(tree) if isinstance(line, _IMPORTS) for name in _names(line)}
    doors = {"apis"} | {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}
    for node in tree.body:  # an alias of an API can be called by whom it is given to
        if isinstance(node, ast.Assign) and any(isinstance(part, ast.Name) for part in ast.walk(node.value)):
            doors |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for expression, called in _at_once(tree.body):
        calls = [node for node in ast.walk(expression) if isinstance(node, ast.Call)]
        functions = [*(node.func for node in calls), *([expression] if called else [])]
        given = [part for node in calls for each in (*node.args, *node.keywords) for part in ast.walk(each)]
        words = {part.id for part in given if isinstance(part, ast.Name)}
        if any(_root(each) not in harmless for each in functions) or words & doors:
            yield expression


def _at_once(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.expr, bool]]:
    """Decorators, which are called, and defaults, annotations, bases and what stands in classes, which are not."""
    for node in body:
        match node:
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
                yield from ((each, True) for each in node.decorator_list)
                every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
                notes = [one.annotation for one in every if one is not None]
                found = [*args.defaults, *args.kw_defaults, *notes, node.returns]
                yield from ((each, False) for each in found if each is not None)
            case ast.ClassDef():
                yield from ((each, True) for each in node.decorator_list)
                yield from ((each, False) for each in [*node.bases, *(word.value for word in node.keywords)])
                yield from _at_once(node.body)
            case ast.AnnAssign(annotation=annotation, value=value):
                yield annotation, False
                yield from [(value, False)] if value is not None else []
            case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value):
                yield value, False
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case _:  # a loop or a condition in a class, of which `_defines` knows nothing
                yield from ((each, False) for each in ast.walk(node) if isinstance(each, ast.Call))


def _root(node: ast.expr) -> str:
    """The name that a function is reached by: `functools` of `functools.cache`."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _modules(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or "").partition(".")[0])
    return found


def _available(context: Context, settings: GateSettings) -> set[str]:
    given = {module for line in context.imports for module in _modules(tree_of(line))}
    return {*sys.stdlib_module_names, *settings.modules, *given}


def _bound(line: str) -> set[str]:
    """The names that an import statement binds."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree_of(line))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
