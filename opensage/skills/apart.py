"""Skills that go into one namespace together: constants that share a name, and not a value, get names of their own.

    LIMIT = 20                                 LIMIT = 20
    def first(texts): texts[:LIMIT]            def first(texts): texts[:LIMIT]
    LIMIT = 5                            ->    LIMIT_2 = 5
    def best(texts): sorted(texts)[:LIMIT]     def best(texts): sorted(texts)[:LIMIT_2]

Otherwise the constant that is loaded last would be everybody's. The first skill keeps its names. Functions are not
touched: of those that share a name the newer one is meant (see `extract.overwritten`).
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from opensage.skills.extract import names_in
from opensage.source import NAME, tree_of
from opensage.types import Skill


def apart(skills: Sequence[Skill]) -> tuple[Skill, ...]:
    """The same skills, in the same order, none of which sees a constant of another in place of its own."""
    bound = [constants_in(skill) for skill in skills]
    if sum(map(len, bound)) == len({name for one in bound for name in one}):  # nothing is shared, as a rule
        return tuple(skills)
    known = {name for skill in skills for name in names_in(skill.code) or ()}
    first: dict[str, str] = {}
    found = []
    for skill, own in zip(skills, bound, strict=True):
        shared = [name for name, text in own.items() if first.setdefault(name, text) != text]
        names = {name: _free(name, known) for name in shared}
        known.update(names.values())
        with suppress(RecursionError):  # nested too deeply to be written anew: it stays as it is
            skill = replace(skill, source=renamed(skill.source, names)) if names else skill
        found.append(skill)
    return tuple(found)


def constants_in(skill: Skill) -> dict[str, str]:
    """The constants that a skill brings along, each as its statement."""
    names = names_in(skill.code) or {}
    plain = {name: piece.text for name, piece in names.items() if piece is not None and piece.kind == "definition"}
    return {name: text for name, text in plain.items() if not text.startswith(("@", "class ", "async "))}


def renamed(source: str, names: Mapping[str, str]) -> str:
    """A program with other names for some of its globals. One that a parameter or an attribute of a class shares stays
    as it is: others may call these by it.

    >>> renamed("LIMIT = 5\\ndef best(texts): return f(texts, LIMIT=LIMIT).LIMIT", {"LIMIT": "MOST"})
    'MOST = 5\\ndef best(texts): return f(texts, LIMIT=MOST).LIMIT'
    """
    taken = _called_by(source)
    names = {old: new for old, new in names.items() if old not in taken}
    tree = tree_of(source)
    lines = [line.encode() for line in source.split("\n")]
    places = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names]
    for node in sorted(places, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        old, node.id = node.id.encode(), names[node.id]
        line, at = lines[node.lineno - 1] if node.lineno <= len(lines) else b"", node.col_offset
        if line[at : at + len(old)] == old:
            lines[node.lineno - 1] = line[:at] + node.id.encode() + line[at + len(old) :]
    for each in ast.walk(tree):
        if isinstance(each, ast.Global | ast.Nonlocal):
            each.names = [names.get(name, name) for name in each.names]
    text = b"\n".join(lines).decode()
    # `global`, and f-strings before Python 3.12, do not say where their names are.
    return text if _reads(text, tree) else ast.unparse(tree)


def _reads(text: str, tree: ast.Module) -> bool:
    """Whether a text is this program."""
    try:
        return ast.dump(tree_of(text)) == ast.dump(tree)
    except (SyntaxError, ValueError):
        return False


def _called_by(source: str) -> set[str]:
    """Names by which a program's parameters and classes' attributes may be called from elsewhere."""
    found: set[str] = set()
    waiting = [symtable.symtable(source, NAME, "exec")]
    while waiting:
        table = waiting.pop()
        inside = table.get_type() == "class"
        found |= {one.get_name() for one in table.get_symbols() if one.is_parameter() or (inside and one.is_local())}
        waiting += table.get_children()
    return found


def _free(name: str, known: Collection[str]) -> str:
    return next(new for number in count(2) if (new := f"{name}_{number}") not in known)
