"""Skills of the same build: the same APIs, and code that differs in names and constants alone. They could be one.

To read all code of a large store takes minutes, so what was read is kept beside it (`NAME.builds`, a line for each
version: its digest and its build); the file may be deleted at any time.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from prowess.files.disk import write_all
from prowess.store.db import Store
from prowess.store.life import OFFERED
from prowess.store.merging.pairing import undocumented
from prowess.store.standing import Entry, Outline
from prowess.text.syntax import tree_of

FORM = "1"
"""Stands before a build; another one, whenever the same code would have another build."""
_DIGEST, _LENGTH = 64, 34
"""Characters of a digest, and of a build with its form."""


def alike(store: Store, *, namespace: str | None = None) -> tuple[tuple[Entry, ...], ...]:
    """Skills that may be offered and are of the same build, oldest first: two or more, and not all of them clones."""
    outlines = store.outlines(statuses=tuple(OFFERED), namespace=namespace)
    builds = _builds(store, [one.digest for one in outlines])
    same: dict[tuple[str, str, str], list[Outline]] = defaultdict(list)
    for one in outlines:
        same[one.namespace, one.apis, builds[one.digest]].append(one)
    different = (group for group in same.values() if len({one.alpha_hash for one in group}) > 1)
    return tuple(tuple(store.version(one.digest) for one in group) for group in different)


def build_of(source: str) -> str:
    """A digest of code without its own names and without constants: equal where a merge may be tried."""
    told = "\n".join(_nodes(source)).encode("utf-8", "backslashreplace")
    return f"{FORM}:{hashlib.sha256(told).hexdigest()[:32]}"


def _builds(store: Store, digests: list[str]) -> Mapping[str, str]:
    """The build of each version: read where it was kept, else worked out and kept."""
    path = store.path.with_name(f"{store.path.name}.builds")
    known = _kept(path)
    found = {digest: build_of(store.version(digest).version.source) for digest in digests if digest not in known}
    _keep(path, found)
    return {**known, **found}


def _kept(path: Path) -> dict[str, str]:
    """What a file holds; a line that cannot be read, or is of another form, was never there."""
    try:
        lines = path.read_bytes().decode("ascii", "replace").split("\n")
    except OSError:
        return {}
    parts = (line.split(" ") for line in lines)
    whole = (part for part in parts if len(part) == 2 and (len(part[0]), len(part[1])) == (_DIGEST, _LENGTH))
    return {digest: build for digest, build in whole if build.startswith(f"{FORM}:")}


def _keep(path: Path, found: Mapping[str, str]) -> None:
    """Add to a file, so that of several at once none loses anything; where it cannot be written, nothing is kept."""
    if not found:
        return
    text = "".join(f"\n{digest} {build}" for digest, build in found.items()) + "\n"  # first: what was torn ends there
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            write_all(handle, text.encode())
        finally:
            os.close(handle)


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
