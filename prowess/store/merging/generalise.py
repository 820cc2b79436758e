"""One function instead of several that differ in constants only: anti-unification of their syntax trees.

    def like_rock(artist): ... == "rock"          def like(artist, *, genre: str): ... == genre
    def like_jazz(name):   ... == "jazz"    =>    def like_rock(artist): return like(artist=artist, genre="rock")
                                                  def like_jazz(name): return like(artist=name, genre="jazz")

The trees are walked side by side. Names of their own may differ, one to one; a constant that differs becomes a
parameter, the same one wherever the same values differ; any other difference means that they are not the same function.
The old names stay as functions with the old arguments. Nothing is executed.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import reduce
from typing import Any

from prowess.skills.reach import apis_in
from prowess.store.canon import canonical_imports
from prowess.store.merging.pairing import IN_TEXT, Pairing, Same, own_names, undocumented, unlike
from prowess.store.record import Version
from prowess.text.syntax import tree_of
from prowess.types import Skill

MOST = 4
"""Parameters that a merge may add: with more of them, the functions have little in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A parameter that takes the place of constants."""

    name: str
    type: str
    values: tuple[Any, ...]
    """One for each of the functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """What the functions have in common."""

    skill: Skill
    holes: tuple[Hole, ...]


def generalise(versions: Sequence[Version], *, taken: Collection[str] = ()) -> General:
    """The function that these are cases of; its name is none of those taken. Raises `Unlike` with the reason."""
    trees = [tree_of(version.source) for version in versions]
    mains = [_main(tree, version.name) for tree, version in zip(trees, versions, strict=True)]
    if len({frozenset(_beside(tree, main)) for tree, main in zip(trees, mains, strict=True)}) > 1:
        unlike("they carry different helpers")
    pairing = Pairing(mains)
    merged = pairing.function()
    if not pairing.holes:
        raise Same("they differ in names only: an alias serves")
    if len(pairing.holes) > MOST:
        unlike(f"{len(pairing.holes)} constants differ, at most {MOST} become parameters")
    holes = _named(pairing)
    own = {name for main in mains for name in own_names(main)} | {version.name for version in versions}
    name = _name([version.name for version in versions], holes, {*taken, *own, *_globals(trees[0])})
    docstring = _docstring(versions, holes)
    merged.name = name
    _Filled({key: hole.name for key, hole in zip(pairing.holes, holes, strict=True)}).visit(merged)
    merged.args.kwonlyargs += [
        ast.arg(arg=hole.name, annotation=ast.Name(id=hole.type, ctx=ast.Load())) for hole in holes
    ]
    merged.args.kw_defaults += [None] * len(holes)
    merged.body.insert(0, ast.Expr(value=ast.Constant(value=_indented(docstring))))
    wrappers = [_wrapper(main, mains[0], name, holes, at) for at, main in enumerate(mains)]
    source = "\n\n\n".join([*_before(versions[0].source, mains[0]), *map(_text, [merged, *wrappers])])
    return General(
        skill=Skill(
            name=name,
            source=source,
            imports=canonical_imports([line for version in versions for line in version.imports]),
            docstring=docstring,
            apis=apis_in(source),
        ),
        holes=tuple(holes),
    )


class _Filled(ast.NodeVisitor):
    """Gives the parameters their names."""

    def __init__(self, names: dict[tuple[Any, ...], str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> None:
        key = getattr(node, "key", None)
        if key is not None:
            node.id = self._names[key]


def _named(pairing: Pairing) -> list[Hole]:
    main = pairing.mains[0]
    used = set(own_names(main)) | {node.id for node in ast.walk(main) if isinstance(node, ast.Name)}
    holes = []
    for values, hint in pairing.holes.items():
        stem = hint if hint.isidentifier() and hint != IN_TEXT else "value"
        name = next(word for word in (stem, *(f"{stem}_{n}" for n in range(2, 99))) if word not in used)
        used.add(name)
        kinds = {kind for kind, _ in values}
        holes.append(
            Hole(
                name=name, type="float" if kinds == {"int", "float"} else min(kinds), values=tuple(v for _, v in values)
            )
        )
    return holes


def _name(names: Sequence[str], holes: Sequence[Hole], taken: Collection[str]) -> str:
    """The words that the names share; with what varies, where that is taken or too little."""
    first, *others = [name.split("_") for name in names]
    shared = [word for word in reduce(_common, others, first) if word]
    by = "_and_".join(hole.name for hole in holes)
    stem = "_".join(shared)
    tries = [stem] if len(shared) > 1 else []
    tries += [f"{stem or names[0]}_by_{by}", *(f"{stem or names[0]}_by_{by}_{n}" for n in range(2, 999))]
    return next(name for name in tries if name.isidentifier() and name not in taken)


def _common(one: list[str], other: list[str]) -> list[str]:
    blocks = SequenceMatcher(a=one, b=other, autojunk=False).get_matching_blocks()
    return [word for block in blocks for word in one[block.a : block.a + block.size]]


def _docstring(versions: Sequence[Version], holes: Sequence[Hole]) -> str:
    """The first sentence with what varies taken out, and what each parameter was."""
    first, *others = [version.summary.split() for version in versions]
    kept: list[str] = reduce(_common, others, first)
    words = [word if word in kept else "…" for word in first] or ["…"]
    sentence = re.sub(r"…(?: …)+", "…", " ".join(words))
    was = [
        f"{hole.name}: "
        + ", ".join(f"{value!r} in {v.name}" for value, v in zip(hole.values, versions, strict=True))
        + "."
        for hole in holes
    ]
    return "\n".join([sentence, "", *was])


def _wrapper(
    main: ast.FunctionDef, first: ast.FunctionDef, name: str, holes: Sequence[Hole], at: int
) -> ast.FunctionDef:
    """An old function: its own arguments, and its constants."""
    keywords = [
        ast.keyword(arg=theirs.arg, value=ast.Name(id=mine.arg, ctx=ast.Load()))
        for theirs, mine in zip(_parameters(first), _parameters(main), strict=True)
    ]
    keywords += [ast.keyword(arg=hole.name, value=ast.Constant(value=hole.values[at])) for hole in holes]
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[], keywords=keywords)
    docstring = ast.get_docstring(main) or ""
    body: list[ast.stmt] = [ast.Expr(value=ast.Constant(value=docstring))] if docstring else []
    old = copy.copy(main)
    old.body = [*body, ast.Return(value=call)]
    return old


def _main(tree: ast.Module, name: str) -> ast.FunctionDef:
    found = next((node for node in reversed(tree.body) if getattr(node, "name", "") == name), None)
    if not isinstance(found, ast.FunctionDef) or found.decorator_list:
        unlike(f"{name} is not a plain function")
    if found.args.vararg or found.args.kwarg or found.args.posonlyargs:
        unlike(f"{name} takes any number of arguments, or some by their place only")
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(found)):
        unlike(f"{name} yields, and is not a plain function")
    if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(found)):
        unlike(f"{name} calls itself")
    return found


def _parameters(main: ast.FunctionDef) -> list[ast.arg]:
    return [*main.args.args, *main.args.kwonlyargs]


def _beside(tree: ast.Module, main: ast.FunctionDef) -> Iterator[str]:
    """All but the function itself, formatting and docstrings gone."""
    for node in tree.body:
        if node is not main:
            bare = copy.copy(node)
            if isinstance(bare, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bare.body = undocumented(bare.body)
            yield ast.dump(bare)


def _globals(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _before(source: str, main: ast.FunctionDef) -> list[str]:
    """The text around the function."""
    lines = source.split("\n")
    parts = ("\n".join(lines[: main.lineno - 1]).strip("\n"), "\n".join(lines[main.end_lineno :]).strip("\n"))
    return [part for part in parts if part]


def _indented(docstring: str) -> str:
    return docstring.replace("\n", "\n    ").replace("\n    \n", "\n\n") + "\n    "


def _text(node: ast.FunctionDef) -> str:
    return ast.unparse(ast.fix_missing_locations(node))
