"""Skills out of model-written code: read as a syntax tree, never executed.

A block of code is cut into pieces (imports, functions, classes, constants), each with the global names it needs. A
skill is a function with everything it reaches through these names, so that it also runs in a world that has not seen
the block:

    import json, re                         skill "pick" gets
    LIMIT = 20                                  imports   import re
    def clean(text): re.sub(...)                source    LIMIT = 20
    def pick(texts): clean(...)[:LIMIT]                   def clean(text): ...
    print(pick(["a"]))                                    def pick(texts): ...
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Literal

from prowess.skills.order import joined
from prowess.skills.reach import REACHING, path_of, reach_of
from prowess.text.syntax import NAME, UNREADABLE, read_tree, tree_of
from prowess.types import Origin, Skill

GIVEN = (frozenset(dir(builtins)) - {"copyright", "credits", "exit", "help", "license", "quit"}) | {"apis", "__name__"}
"""Names that are there before any code: a skill of such a name would be used by whoever means the other."""

MOST, PIECES, LONGEST = 50, 200, 100_000
"""Skills of one block at most, statements of one skill, and characters of a block and of all its skills together. Each
skill brings along all that it needs, so functions that call each other would otherwise grow by their square."""

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)

_ALWAYS = {"*", "__future__"}
"""Keys of the imports whose use cannot be seen from names: star imports, and those that change the compiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A top-level statement that a function may need elsewhere: an import, a definition or a constant."""

    kind: Literal["import", "function", "definition"]
    """A `def` is a function; a class, an `async def` and a constant are definitions: needed, but no skills."""
    text: str
    needs: frozenset[str] = frozenset()
    """Global names it refers to."""
    docstring: str = ""


Names = Mapping[str, Statement | None]
"""What each global name is bound to after a block; None for a value that only a run of the block can make."""


def skills_in(
    code: str,
    *,
    origin: Origin = Origin(),  # noqa: B008 (frozen)
    known: Mapping[str, Skill] | None = None,
    earlier: Sequence[str] = (),
) -> tuple[Skill, ...]:
    """The top-level functions of a block as skills, in the order of their definition.

    What a function needs is looked up in the block itself, then in the `earlier` blocks of the same interpreter
    (the latest first), then among the `known` skills that were defined there. Text that does not compile, or cannot be
    written again, holds none, and what is called like something that Python or the world brings (`print`, `apis`) is a
    helper, and no skill. Of a block with more than MOST functions the first may be skills, and the others are helpers;
    so is what needs more than PIECES statements, and what comes after LONGEST characters of skills.

    >>> [skill.name for skill in skills_in("def double(x): return 2 * x")]
    ['double']
    """
    block = names_in(code) if len(code) <= LONGEST else None
    if block is None:
        return ()
    names: dict[str, Statement | None] = {}
    copies = [names_in(skill.code) or {} for skill in (known or {}).values()]
    for copy in copies:
        names |= copy
    for name, copy in zip(known or {}, copies, strict=True):
        names |= {name: copy.get(name)}  # a skill as it is now, not as it was when another one copied it
    for text in earlier:
        if len(text) <= LONGEST:
            names |= names_in(text) or {}
    names |= block
    functions = (
        (name, piece)
        for name, piece in block.items()
        if piece is not None and piece.kind == "function" and name not in GIVEN
    )
    place = {name: at for at, name in enumerate(names)}
    found, room = [], LONGEST
    for name, piece in islice(functions, MOST):
        needed = _closure(piece, names, place)
        size = sum(len(part.text) for part in needed)
        if size > room:
            break
        if needed:
            found.append(_skill(name, piece, needed, origin))
            room -= size
    return tuple(found)


def mentions(code: str, names: Collection[str]) -> set[str]:
    """Which of these names the text mentions without defining them: the paper's rule for the use of a skill.

    It looks at text alone, so dead code and strings count; the execution trace is the better witness.
    """
    words = set(re.findall(r"\w+", code))
    defined = set(re.findall(r"\bdef\s+(\w+)", code))
    return {name for name in names if name in words and name not in defined}


def defined_in(text: str) -> list[str]:
    """The functions that a text defines, outside of any other, in its order; the text need not be all code."""
    return re.findall(r"^def (\w+)\(", text, flags=re.MULTILINE)


def functions_in(code: str) -> frozenset[str]:
    """The functions that code defines at its top level, read as a syntax tree; none where it cannot be read.

    >>> sorted(functions_in("from os import system\\ndef f(): pass\\nclass A:\\n    def g(self): pass"))
    ['f']
    """
    tree = read_tree(code)
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef)) if tree else frozenset()


def own_definition(skill: Skill) -> str:
    """The function of a skill alone, without the helpers it brings along; empty if its text does not define it."""
    piece = (names_in(skill.source) or {}).get(skill.name)
    return piece.text if piece is not None else ""


def overwritten(skills: Sequence[Skill], loaded: Sequence[Skill]) -> list[Skill]:
    """Which of these skills the last of those loaded, in this order, replaced by the copy it was written with: each as
    its own definition alone, to be loaded again. What was mended since is not undone by those that call it.

    >>> half, quarter = skills_in("def half(n): return n // 2\\ndef quarter(n): return half(half(n))")
    >>> (mended,) = skills_in("def half(n): return n / 2")
    >>> [skill.source for skill in overwritten([mended, quarter], [mended, quarter])]
    ['def half(n): return n / 2']
    """
    bound: dict[str, Statement | None] = {}
    for skill in loaded:
        bound |= names_in(skill.code) or {}
    found = []
    for skill in skills:
        own, last = own_definition(skill), bound.get(skill.name)
        if own and (last is None or last.text != own):
            found.append(replace(skill, source=own))
    return found


@lru_cache(maxsize=512)
def names_in(code: str) -> Names | None:
    """What a block's top level binds its names to in the end, or None if the text does not compile."""
    tree = read_tree(code)
    if tree is None:
        return None
    lines = code.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    names: dict[str, Statement | None] = {}
    try:
        for node in tree.body:
            for name, piece in _bindings(node, lines):
                before = names.pop(name, None)  # popped, so that the order is that of the last definition
                names[name] = _both(before, piece) if _adds(name, before, piece) else piece
    except UNREADABLE:
        return None
    return MappingProxyType(names)


def _skill(name: str, piece: Statement, needed: Sequence[Statement], origin: Origin) -> Skill:
    imports = [line for part in needed if part.kind == "import" for line in part.text.split("\n")]
    source = joined([part.text for part in needed if part.kind != "import"])
    # A future import is good only before all others.
    imports.sort(key=lambda text: not text.startswith("from __future__ "))
    return Skill(
        name=name,
        source=source,
        imports=tuple(dict.fromkeys(imports)),
        docstring=piece.docstring,
        apis=reach_of([node for part in needed for node in _reaching(part.text)]).apis,
        origin=origin,
    )


@lru_cache(maxsize=4096)
def _reaching(text: str) -> tuple[ast.AST, ...]:
    """What may lead to an API in a statement: read once, whoever needs it."""
    return tuple(node for node in ast.walk(tree_of(text)) if isinstance(node, REACHING))


def _closure(root: Statement, names: Names, place: Mapping[str, int]) -> list[Statement]:
    """Everything a piece needs, each before what needs it, and the piece itself at the end; none if it is too much."""
    found: list[Statement] = []
    seen: set[int] = {id(root)}
    stack: list[tuple[Statement, Iterator[str]]] = [(root, chain(sorted(_ALWAYS & place.keys()), _needs(root, place)))]
    while stack:
        piece, rest = stack[-1]
        for name in rest:
            needed = names[name]
            if needed is not None and id(needed) not in seen:
                seen.add(id(needed))
                stack.append((needed, _needs(needed, place)))
                break
        else:
            stack.pop()
            found.append(piece)
        if len(seen) > PIECES:
            return []
    return found


def _needs(piece: Statement, place: Mapping[str, int]) -> Iterator[str]:
    return iter(sorted((name for name in piece.needs if name in place), key=place.__getitem__))


def _bindings(node: ast.stmt, lines: Sequence[str]) -> Iterator[tuple[str, Statement | None]]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            source = "\n".join(lines[first - 1 : node.end_lineno])
            yield (
                node.name,
                Statement(
                    kind="function" if isinstance(node, ast.FunctionDef) else "definition",
                    text=source,
                    needs=_globals_of(source),
                    docstring=ast.get_docstring(node) or "",
                ),
            )
        case ast.Import() | ast.ImportFrom():
            for alias in node.names:
                yield _import(node, alias)
        case ast.Assign() | ast.AnnAssign() if _is_constant(node):
            source = _segment(node, lines)
            piece = Statement(kind="definition", text=source, needs=_globals_of(source))
            for name in _stored(node):
                yield name, piece
        case _:
            for name in _stored(node):
                yield name, None


def _segment(node: ast.stmt, lines: Sequence[str]) -> str:
    """The text of a statement. `ast.get_source_segment` takes the whole program apart for each."""
    last = node.end_lineno or node.lineno
    parts = [line.encode() for line in lines[node.lineno - 1 : last]]
    parts[-1] = parts[-1][: node.end_col_offset]
    parts[0] = parts[0][node.col_offset :]
    return b"\n".join(parts).decode()


def _import(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, Statement]:
    """One name of an import statement, as a statement of its own."""
    if isinstance(node, ast.Import):
        return alias.asname or alias.name.partition(".")[0], Statement(
            kind="import", text=ast.unparse(ast.Import(names=[alias]))
        )
    one = ast.ImportFrom(module=node.module, names=[alias], level=node.level)
    name = "__future__" if node.module == "__future__" else alias.asname or alias.name
    return name, Statement(kind="import", text=ast.unparse(one))


def _is_constant(node: ast.Assign | ast.AnnAssign) -> bool:
    """A literal, or an alias of an app or an API (`music = apis.music`), given to plain names."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if node.value is None or not all(isinstance(target, ast.Name | ast.Tuple) for target in targets):
        return False
    if (path := path_of(node.value)) is not None and None not in path:
        return True
    try:
        ast.literal_eval(node.value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _adds(name: str, before: Statement | None, piece: Statement | None) -> bool:
    """Whether a second import leaves the first in force: `import a.b` after `import a.c`, stars, `__future__`."""
    if before is None or piece is None or before.kind != "import" or piece.kind != "import":
        return False
    return name in _ALWAYS or all(
        text.startswith("import ") and " as " not in text for text in (before.text, piece.text)
    )


def _both(before: Statement | None, piece: Statement | None) -> Statement:
    assert before is not None
    assert piece is not None
    return replace(piece, text=f"{before.text}\n{piece.text}")


def _stored(node: ast.stmt) -> Iterator[str]:
    """Names that a statement binds, or deletes, at the level of the module."""
    waiting: list[ast.AST] = [node]
    while waiting:
        at = waiting.pop()
        match at:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield at.name
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias():
                yield at.asname or at.name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
        if not isinstance(at, _SCOPES):
            waiting.extend(reversed(list(ast.iter_child_nodes(at))))


def _globals_of(source: str) -> frozenset[str]:
    """The global names that a definition refers to, in its body, its decorators, defaults and annotations."""
    module = symtable.symtable(source, NAME, "exec")
    found = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_referenced()}
    waiting = list(module.get_children())
    while waiting:
        table = waiting.pop()
        if isinstance(table, symtable.Function):
            found |= {*table.get_globals()}  # `get_symbols` looks at all children for each symbol
        else:
            found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        waiting += table.get_children()
    return frozenset(found)
