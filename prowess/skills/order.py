"""The order of a skill's statements, where it means nothing: two that differ in nothing else are one version.

A helper is looked up when it is called, so it may stand anywhere above the first call. The canonical order is that of
a reader who follows the function from its first line: what it needs first, each thing after what it needs itself, the
function at the end. It goes by the place of a reference and not by names, so that clones under other names stay clones.

    def pick(texts): return clean(first(texts))        def first(texts): ...
    def clean(text): ...                         ->    def clean(text): ...
    def first(texts): ...                              def pick(texts): return clean(first(texts))

What is evaluated as the file is read keeps its place: a default, an annotation or a constant stays behind what it uses,
two statements that bind one name stay as they are, and nothing passes a statement that could do anything at all (a
call, a decorator, a loop, a docstring of the file).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST = 200
"""More statements than this stay as they are."""

_ANOTHER = re.compile(r"\n[^\s)\]}#]")
"""What a second top-level statement's first line may look like, or a line of a text inside the first."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STILL = (
    *(ast.Name, ast.Constant, ast.Attribute, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Subscript, ast.Slice),
    *(ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context),
)
"""Expressions that call nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A statement that may change places with another."""

    node: ast.stmt
    binds: frozenset[str]
    now: frozenset[str]
    """Names that it looks up as the file is read."""


def several(source: str) -> bool:
    """Whether a text may have more than one statement; quick, and never wrongly no."""
    return _ANOTHER.search(source) is not None


def ordered(source: str, tree: ast.Module, name: str) -> tuple[str, ast.Module]:
    """The same program with its statements in canonical order, as text and as tree; `name` is its main function."""
    body = tree.body
    last = body[-1].end_lineno if body else None
    lines = source.split("\n")
    if not 1 < len(body) <= MOST or any(_first(two) <= (one.end_lineno or 0) for one, two in pairwise(body)):
        return source, tree
    if any(line.strip() for line in lines[last:]):  # words that belong to no statement
        return source, tree
    if any(getattr(node, "type_params", ()) or node.__class__.__name__ == "TypeAlias" for node in body):
        return source, tree  # Python 3.11 cannot read it, and a digest is the same everywhere
    order = list(_settled(body, name))
    text = joined(list(_texts(body, order, lines)))
    if order == [*range(len(body))]:
        return text, tree
    return text, ast.Module(body=[body[at] for at in order], type_ignores=[])


def joined(texts: Sequence[str]) -> str:
    """Statements one below the other, with two empty lines around definitions."""
    out = list(texts[:1])
    for above, text in pairwise(texts):
        out += ["\n" if _is_line(above) and _is_line(text) else "\n\n\n", text]
    return "".join(out)


def _is_line(text: str) -> bool:
    return "\n" not in text and not text.startswith(("def ", "async ", "class "))


def _first(node: ast.stmt) -> int:
    above = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    return min([node.lineno, *(one.lineno for one in above)])


def _texts(body: Sequence[ast.stmt], order: Sequence[int], lines: Sequence[str]) -> Iterator[str]:
    """Each statement's lines, with the comments above it."""
    ends = [0, *(node.end_lineno or 0 for node in body)]
    for at in order:
        yield "\n".join(lines[ends[at] : ends[at + 1]]).strip("\n")


def _settled(body: Sequence[ast.stmt], name: str) -> Iterator[int]:
    """Places in the canonical order: each run of statements that may change places, by itself."""
    if len(body) == 2 and isinstance(body[1], _DEFINITIONS) and body[1].name == name:
        yield from (0, 1)  # most that carry something carry one helper
        return
    parts = [_part(node) for node in body]
    rank = {at: place for place, at in enumerate(_followed(body, parts, name))}
    run: list[int] = []
    for at, part in enumerate(parts):
        if part is not None:
            run.append(at)
            continue
        yield from _sorted(run, parts, rank)
        yield at
        run = []
    yield from _sorted(run, parts, rank)


def _followed(body: Sequence[ast.stmt], parts: Sequence[_Part | None], name: str) -> list[int]:
    """All statements as a reader meets them who follows references from the main function; it comes last."""
    place: dict[str, int] = {}
    for at, (node, part) in enumerate(zip(body, parts, strict=True)):
        bound = part.binds if part is not None else [node.name] if isinstance(node, _DEFINITIONS) else []
        place |= dict.fromkeys(bound, at)
    needs = {at: _needs(body[at], place) for at in set(place.values())}
    found = _reached(place[name], needs, set()) if name in place else []
    seen = set(found)
    others = [one for _, at in sorted(place.items()) for one in _reached(at, needs, seen)]
    imports = sorted(
        (at for at, node in enumerate(body) if isinstance(node, _IMPORTS)), key=lambda at: ast.unparse(body[at])
    )
    unused = (at for at in range(len(body)) if at not in seen)
    return list(dict.fromkeys([*imports, *unused, *others, *found]))


def _needs(node: ast.stmt, place: Mapping[str, int]) -> list[int]:
    return list(dict.fromkeys(place[name] for name in _names(node) if name in place))


def _names(node: ast.AST) -> list[str]:
    """The names in a tree: as with `ast.walk`, in a third of the time."""
    found: list[str] = []
    waiting = [node]
    for one in waiting:  # grows as it goes
        if isinstance(one, ast.Name):
            found.append(one.id)
            continue
        for field in one._fields:
            value = getattr(one, field, None)
            if isinstance(value, ast.AST):
                if value._fields:
                    waiting.append(value)
            elif value.__class__ is list:
                waiting += [each for each in value if isinstance(each, ast.AST)]
    return found


def _reached(root: int, needs: Mapping[int, Iterable[int]], seen: set[int]) -> list[int]:
    """What is needed from here and was not seen, each after what it needs."""
    if root in seen:
        return []
    seen.add(root)
    found: list[int] = []
    stack = [(root, iter(needs[root]))]
    while stack:
        at, rest = stack[-1]
        below = next((one for one in rest if one not in seen), None)
        if below is None:
            stack.pop()
            found.append(at)
        else:
            seen.add(below)
            stack.append((below, iter(needs[below])))
    return found


def _sorted(run: Sequence[int], parts: Sequence[_Part | None], rank: Mapping[int, int]) -> Iterator[int]:
    """A run by rank, but none before an earlier one that it has to stay behind."""
    waiting = {at: {other for other in run[:index] if _bound(parts[other], parts[at])} for index, at in enumerate(run)}
    while waiting:
        at = min((one for one, before in waiting.items() if not before), key=rank.__getitem__)
        del waiting[at]
        for before in waiting.values():
            before.discard(at)
        yield at


def _bound(one: _Part | None, other: _Part | None) -> bool:
    """Whether the first has to stay before the second."""
    if one is None or other is None:
        return True
    if _plain(one.node) and _plain(other.node):  # `import a.b` and `import a.c` add to one another
        return False
    return bool(one.binds & (other.binds | other.now) or one.now & other.binds)


def _plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and not any(alias.asname for alias in node.names)


def _part(node: ast.stmt) -> _Part | None:
    """A statement that only binds names, or None for one that may do anything."""
    now: Sequence[ast.AST | _Part | None]
    match node:
        case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]):
            binds, now = [node.name], _evaluated(node)
        case ast.ClassDef(decorator_list=[], bases=[], keywords=[]):
            binds, now = [node.name], [_part(one) for one in node.body if not is_idle(one)]
        case ast.Assign(targets=targets):
            binds, now = [one.id for one in targets if isinstance(one, ast.Name)], [node.value]
            if len(binds) < len(targets):
                return None
        case ast.AnnAssign(target=ast.Name(id=bound)):
            binds, now = [bound], [one for one in (node.annotation, node.value) if one is not None]
        case ast.Import():
            binds, now = [one.asname or one.name.partition(".")[0] for one in node.names], []
        case ast.ImportFrom(module=str(module)) if module != "__future__" and node.names[0].name != "*":
            binds, now = [one.asname or one.name for one in node.names], []
        case _:
            return None
    names: set[str] = set()
    for one in now:
        if isinstance(one, _Part):
            names |= one.now
        elif one is None or not all(isinstance(below, _STILL) for below in ast.walk(one)):
            return None
        else:
            names |= {below.id for below in ast.walk(one) if isinstance(below, ast.Name)}
    return _Part(node=node, binds=frozenset(binds), now=frozenset(names))


def is_idle(node: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, or a constant, such as a docstring."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _evaluated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Defaults and annotations: what a definition evaluates when it is read."""
    given = node.args
    several = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    written = [one.annotation for one in several if one is not None]
    return [one for one in (*given.defaults, *given.kw_defaults, *written, node.returns) if one is not None]
