"""The gate against copies: code that is the same but for names, or so similar that behaviour has to decide."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from prowess.sandbox import Sandbox
from prowess.store.gates.context import Context, Other, Subject
from prowess.store.gates.replay import repeated
from prowess.store.record import Trial, Verification, Version
from prowess.store.settings import GateSettings
from prowess.text.syntax import tree_of, tree_or_none, writable

TRIALS = 2
"""Recorded calls of each side on which two skills are compared."""


def duplicates(subject: Subject, context: Context, settings: GateSettings) -> Verification:
    """Whether another skill does the same."""
    for other in subject.others:
        if other.clone:
            return subject.says("duplicates", "fail", _same(other, "the same code but for names and layout"))
    close = _close(subject, settings)
    undecided = []
    for share, other in close[: settings.compared]:
        alike = _alike(subject, other, context)
        if alike:
            how = f"{share:.0%} of the code, and the same calls and results on {alike} recorded inputs"
            return subject.says("duplicates", "fail", _same(other, how))
        if alike is None:
            undecided.append({"name": other.version.name, "skill": other.skill, "similar": round(share, 2)})
    if undecided:
        why = "similar code, and nothing recorded to compare it by"
        return subject.says("duplicates", "abstain", {"why": why, "skills": undecided})
    return subject.says("duplicates", "pass", {"compared with": len(close)})


def _same(other: Other, how: str) -> dict[str, str]:
    return {"duplicate of": other.skill, "name": other.version.name, "digest": other.version.digest, "how": how}


def _close(subject: Subject, settings: GateSettings) -> list[tuple[float, Other]]:
    """Skills of similar code that call the same APIs, the most similar first."""
    if not subject.others:
        return []
    mine = sketch(subject.version.source)
    shares = [(float(mine.jaccard(sketch(other.version.source))), other) for other in subject.others]
    close = [pair for pair in shares if pair[0] >= settings.similar and pair[1].version.apis == subject.version.apis]
    return sorted(close, key=lambda pair: (-pair[0], pair[1].version.digest))


@lru_cache(maxsize=4096)
def sketch(source: str) -> Any:
    """A MinHash of the code's `runs`: made once, it is compared with many others at no cost."""
    from datasketch import MinHash  # type: ignore[import-untyped]

    made = MinHash(num_perm=128, seed=1)
    made.update_batch([run.encode() for run in runs(source)])
    return made


def runs(source: str) -> list[str]:
    """The code's tokens in runs of three, without docstrings and comments.

    >>> runs("def f(x): return x")[:2]
    ['def f (', 'f ( x']
    """
    tree = tree_of(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    tokens = re.findall(r"\w+|\S", ast.unparse(tree))
    return [" ".join(tokens[at : at + 3]) for at in range(max(1, len(tokens) - 2))]


def _alike(subject: Subject, other: Other, context: Context) -> int | None:
    """On how many recorded inputs both do the same; 0 if they differ on one, None if there is none to compare on."""
    if context.sandbox is None:
        return None
    count = 0
    for version, trial in _crossed(subject, other):
        if not _repeats(version, trial, context, context.sandbox):
            return 0
        count += 1
    return count or None


def _crossed(subject: Subject, other: Other) -> Iterator[tuple[Version, Trial]]:
    """Each with the other's recorded calls."""
    mine, theirs = subject.version, other.version
    for version, its, trials in ((theirs, mine, subject.trials), (mine, theirs, other.trials())):
        for trial in trials[:TRIALS]:
            yield version, replace(trial, call=renamed(trial.call, its, version))


def _repeats(version: Version, trial: Trial, context: Context, sandbox: Sandbox) -> bool:
    if not trial.call:
        return False
    played = repeated(version, trial, context, sandbox)
    return played.readable and not played.problem


def renamed(call: str, of: Version, to: Version) -> str:
    """A call of one skill as a call of another, by the order of their parameters; nothing where these differ, or where
    a stranger's record holds what is no call."""
    names, others = (list(one.schema.get("properties", {})) for one in (of, to))
    if len(names) != len(others):
        return ""
    tree = tree_or_none(call)
    if tree is None or not writable(tree):
        return ""
    match tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Name() as function) as made)]:
            function.id = to.name
            for word in made.keywords:
                if word.arg in names:
                    word.arg = others[names.index(word.arg)]
            return ast.unparse(tree)
    return ""
