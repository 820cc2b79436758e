"""Which APIs of the world code can call, read from its syntax tree.

    apis.music.login()              apis       music.login
    apis["music"]["login"]()        apis       music.login      so does getattr with a constant name
    getattr(apis, app).login()      hidden     login            of an app that only a run can tell
    apis[app][verb](), run(apis)    anything                    which API cannot be seen
    apis.music._send(app, api, {})  anything                    names of ours, below `apis`

A reference counts like a call: `pages(apis.music.show_songs)` calls it sooner or later. A name that is given to two
apps counts as both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prowess.text.syntax import read_tree

NAME = "apis"
Path = tuple[str | None, ...]
"""The names below `apis` that an expression walks down; None for one that only a run can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What code can call."""

    apis: tuple[str, ...] = ()
    """As sorted `app.api`."""
    hidden: tuple[str, ...] = ()
    """Names of APIs whose app cannot be seen, sorted."""
    anything: bool = False
    """Whether it uses `apis`, or an app, in a way that does not show which API is called."""


def apis_in(code: str) -> tuple[str, ...]:
    """The APIs that a text refers to, as sorted `app.api`; through aliases such as `m = apis.music` too."""
    return reach_in(code).apis


def reach_in(code: str) -> Reach:
    """What a text can call; nothing if it does not compile.

    >>> reach_in("getattr(apis, app).login(); m = apis['music']; m.play()")
    Reach(apis=('music.play',), hidden=('login',), anything=False)
    """
    tree = read_tree(code)
    return reach_of(list(ast.walk(tree))) if tree is not None else Reach()


_PATHS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
REACHING = (*_PATHS, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.ClassDef)
"""The nodes that tell it; others may be left out."""


def reach_of(nodes: Sequence[ast.AST]) -> Reach:
    """The same for the nodes of a tree, each before those below it."""
    aliases, renaming, anything = _aliases(nodes)
    read: set[ast.AST] = set()
    found: set[str] = set()
    hidden: set[str] = set()
    for node in nodes:
        if node in read or not isinstance(node, _PATHS) or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            continue
        walked = _walked(node)
        paths = _named(walked, aliases)
        if not paths:
            continue
        read.update(walked.nodes)
        for path in paths:
            match path[:2]:
                case (str(app), str(api)):
                    found.add(f"{app}.{api}")
                case (None, str(api)):
                    hidden.add(api)
                case (_, None):
                    anything = True
                case _:
                    anything |= node not in renaming
    return Reach(apis=tuple(sorted(found)), hidden=tuple(sorted(hidden)), anything=anything)


def path_of(node: ast.AST) -> Path | None:
    """The names that an expression walks down below `apis` itself: `apis.music.login` is ("music", "login")."""
    return next(iter(_named(_walked(node), {NAME: frozenset({()})})), None)


@dataclass(frozen=True, slots=True)
class _Walked:
    """An expression that walks down from a name."""

    base: str
    steps: Path
    nodes: tuple[ast.AST, ...]
    """The nodes on the way, that of the name included."""


_NOWHERE = _Walked("", (), ())


def _walked(node: ast.AST) -> _Walked:
    steps: list[str | None] = []
    nodes: list[ast.AST] = []
    while not isinstance(node, ast.Name):
        nodes.append(node)
        match node:
            case ast.Attribute(value=below, attr=name):
                steps.append(_seen(name))
            case ast.Subscript(value=below, slice=index):
                steps.append(_text(index))
            case ast.Call(func=ast.Name(id="getattr"), args=[below, index, *_]):
                steps.append(_text(index))
            case ast.NamedExpr(value=below):
                pass
            case _:
                return _NOWHERE
        node = below
    nodes.append(node)
    return _Walked(node.id, tuple(reversed(steps)), tuple(nodes))


def _text(node: ast.expr) -> str | None:
    return _seen(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _seen(name: str) -> str | None:
    """An app or an API of the world; what begins with `_` is ours, and may lead anywhere."""
    return None if name.startswith("_") else name


Aliases = Mapping[str, frozenset[Path]]
"""What names stand for below `apis`: a name may be given to several, in one function or in two."""


def _named(walked: _Walked, aliases: Aliases) -> frozenset[Path]:
    return frozenset((*path, *walked.steps) for path in aliases.get(walked.base, ()))


ROUNDS = 20
"""How often a chain of aliases may stand in reverse before nobody can tell what its names stand for."""
MEANINGS = 8
"""What a name may stand for before it may be anything."""


def _aliases(nodes: Sequence[ast.AST]) -> tuple[Aliases, set[ast.AST], bool]:
    """What other names stand for, the expressions that gave them (these are no uses), and whether there may be more."""
    given = [(names, value, _walked(value)) for names, value in _given(nodes)]
    aliases: dict[str, frozenset[Path]] = {NAME: frozenset({()})}
    renaming: set[ast.AST] = set()
    for _ in range(ROUNDS):  # an alias of an alias may stand before it
        grown = False
        for names, value, walked in given:
            paths = _named(walked, aliases)
            if not paths or any(len(path) > 2 or None in path for path in paths):
                continue
            renaming.add(value)
            for name in names:
                before = aliases.get(name, frozenset())
                aliases[name] = before | paths
                grown |= aliases[name] != before
                if len(aliases[name]) > MEANINGS:
                    return aliases, renaming, True
        if not grown:
            return aliases, renaming, False
    return aliases, renaming, True


def _given(nodes: Sequence[ast.AST]) -> Iterator[tuple[list[str], ast.expr]]:
    """Names, and the one expression that they are bound to; not those of a class, which are read of it."""
    of_classes = {id(below) for node in nodes if isinstance(node, ast.ClassDef) for below in _in_class(node)}
    for node in nodes:
        if id(node) in of_classes:
            continue
        match node:
            case ast.Assign(targets=targets, value=value) if all(isinstance(one, ast.Name) for one in targets):
                yield [one.id for one in targets if isinstance(one, ast.Name)], value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield [name], value
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield [name], value


def _in_class(node: ast.ClassDef) -> Iterator[ast.AST]:
    """What is done in a class's own body, and not in its functions."""
    waiting: list[ast.AST] = [*node.body]
    for below in waiting:  # grows as it goes
        if not isinstance(below, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield below
            waiting += ast.iter_child_nodes(below)
