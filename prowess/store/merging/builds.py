"""Skills of the same build: the same APIs, and code that differs in names and constants alone. They could be one.

To read all code of a large store takes minutes, so what was read is kept beside it, see `kept`.
"""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from prowess.store.db import Store
from prowess.store.life import OFFERED
from prowess.store.merging.kept import keep, kept
from prowess.store.merging.pairing import undocumented
from prowess.store.standing import Outline
from prowess.text.syntax import tree_of
from prowess.text.terminal import Watch, unseen

FORM = "1:"
"""Stands before a build; another one, whenever the same code would have another build."""
TOGETHER = 200
"""Skills whose code is read and kept at once."""


def alike(store: Store, *, namespace: str | None = None, watch: Watch = unseen) -> tuple[tuple[Outline, ...], ...]:
    """Skills that may be offered and are of the same build, oldest first: two or more, and not all of them clones."""
    outlines = store.outlines(statuses=tuple(OFFERED), namespace=namespace)
    builds = _builds(store, [one.digest for one in outlines], watch)
    same: dict[tuple[str, str, str], list[Outline]] = defaultdict(list)
    for one in outlines:
        same[one.namespace, one.apis, builds[one.digest]].append(one)
    return tuple(tuple(group) for group in same.values() if len({one.alpha_hash for one in group}) > 1)


def build_of(source: str) -> str:
    """A digest of code without its own names and without constants: equal where a merge may be tried."""
    told = "\n".join(_nodes(source)).encode("utf-8", "backslashreplace")
    return hashlib.sha256(told).hexdigest()[:32]


def place(store: Store) -> Path:
    """Where answers are kept."""
    return store.path.with_name(f"{store.path.name}.builds")


def _builds(store: Store, digests: list[str], watch: Watch) -> Mapping[str, str]:
    """The build of each version: read where it was kept, else worked out and kept."""
    builds = kept(place(store), FORM)
    unread = [digest for digest in digests if digest not in builds]
    with watch(len(unread), "read code") as bar:
        for first in range(0, len(unread), TOGETHER):
            found = {}
            for digest, source in store.sources(unread[first : first + TOGETHER]).items():
                found[digest] = build_of(source)
                bar.advance()
            keep(place(store), FORM, found)
            builds |= found
    return builds


def _nodes(source: str) -> Iterator[str]:
    """The kinds of the nodes, depth first, with the names of attributes and keywords; docstrings gone."""
    waiting: list[ast.AST] = [tree_of(source)]
    while waiting:
        node = waiting.pop()
        kind: Any = type(node)
        below: list[ast.AST] = []
        for field in _fields(kind):
            value = getattr(node, field, None)
            if isinstance(value, list):
                below += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                below.append(value)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            gone = {id(part) for part in node.body} - {id(part) for part in undocumented(node.body)}
            below = [part for part in below if id(part) not in gone]
        word = node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else None
        yield f"{kind.__name__} {len(below)} {word or ''}"  # with the counts, the order tells the tree
        below.reverse()
        waiting += below


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of nodes that may hold others; whether a name is read or written follows from its place."""
    return () if kind in (ast.Name, ast.Constant) else tuple(field for field in kind._fields if field != "ctx")
