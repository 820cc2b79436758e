"""Skills that are much alike: the same APIs, and code of a similar build.

Members of a family whose code differs in names and constants alone have the same build; a merge can be tried with them
(`merge`). The others are for people to look at, and for retrieval, which offers one of a family.
"""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from opensage.skills.life import OFFERED
from opensage.skills.pairing import undocumented
from opensage.skills.standing import Entry
from opensage.skills.store import Store
from opensage.source import tree_of

SIMILAR = 0.7
"""Share of code in common (Jaccard index over runs of its nodes) that makes two skills relatives."""
RUN = 5
"""How many nodes in a row are compared."""
MOST = 400
"""Skills of the same APIs that are compared each with each; of more, only those of the same build are found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Skills that are much alike, oldest first."""

    apis: tuple[str, ...]
    members: tuple[Entry, ...]

    @property
    def builds(self) -> tuple[tuple[Entry, ...], ...]:
        """Members of the same build, where there are several."""
        alike: dict[str, list[Entry]] = defaultdict(list)
        for member in self.members:
            alike[build_of(member.version.source)].append(member)
        return tuple(tuple(group) for group in alike.values() if len(group) > 1)


def families(store: Store, *, namespace: str | None = None, similar: float = SIMILAR) -> tuple[Family, ...]:
    """The families among skills that may be offered, each with two members or more."""
    same: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    for entry in store.entries(statuses=tuple(OFFERED), namespace=namespace):
        if entry.version.ast_hash:
            same[entry.namespace, entry.version.apis].append(entry)
    return tuple(
        Family(apis=apis, members=tuple(members))
        for (_, apis), entries in same.items()
        for members in _relatives(entries, similar)
        if len(members) > 1
    )


def _relatives(entries: Sequence[Entry], similar: float) -> Iterator[list[Entry]]:
    builds: dict[str, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        builds[build_of(entry.version.source)].append(at)
    groups = list(builds.values())
    if len(groups) <= MOST:
        groups = list(_joined(groups, [_runs(entries[group[0]].version.source) for group in groups], similar))
    for group in groups:
        yield [entries[at] for at in sorted(group)]


def _joined(groups: Sequence[list[int]], runs: Sequence[frozenset[int]], similar: float) -> Iterator[list[int]]:
    """Groups with the relatives of their relatives."""
    waiting = list(range(len(groups)))
    while waiting:
        family, grown = [waiting.pop(0)], 0
        while grown < len(family):
            one = runs[family[grown]]
            near = [other for other in waiting if len(one & runs[other]) >= similar * len(one | runs[other])]
            family += near
            waiting = [other for other in waiting if other not in near]
            grown += 1
        yield [at for group in family for at in groups[group]]


@lru_cache(maxsize=65536)
def build_of(source: str) -> str:
    """A digest of code without its own names and without constants: equal where a merge may be tried."""
    return hashlib.sha256("\n".join(_nodes(source)).encode("utf-8", "backslashreplace")).hexdigest()


@lru_cache(maxsize=65536)
def _runs(source: str) -> frozenset[int]:
    nodes = list(_nodes(source))
    return frozenset(hash(tuple(nodes[at : at + RUN])) for at in range(max(1, len(nodes) - RUN + 1)))


def _nodes(source: str) -> Iterator[str]:
    """The kinds of the nodes, depth first, with the names of attributes and keywords; docstrings gone."""
    waiting: list[ast.AST] = [tree_of(source)]
    while waiting:
        node = waiting.pop()
        word = node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.keyword) else None
        below = list(_below(node))
        yield f"{type(node).__name__} {len(below)} {word or ''}"  # with the counts, the order tells the tree
        waiting += reversed(below)


def _below(node: ast.AST) -> Iterable[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        hidden = {id(part) for part in node.body} - {id(part) for part in undocumented(node.body)}
        return [part for part in ast.iter_child_nodes(node) if id(part) not in hidden]
    return [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr_context)]
