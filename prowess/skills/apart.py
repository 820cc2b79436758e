"""Skills that go into one namespace: helpers and constants that share a name, and are not the same, get other names.

    LIMIT = 20                                 LIMIT = 20
    def some(texts): texts[:LIMIT]             def some(texts): texts[:LIMIT]
    def first(texts): some(texts)              def first(texts): some(texts)
    LIMIT = 5                            ->    LIMIT_2 = 5
    def some(texts): texts[:LIMIT]             def some_2(texts): texts[:LIMIT_2]
    def best(texts): some(sorted(texts))       def best(texts): some_2(sorted(texts))

Otherwise what is loaded last would be everybody's. The first skill keeps its names. What is offered itself keeps its
name, too: where others bring a copy of it, the skill as it is now is meant (see `extract.overwritten`). What Python and
the world bring (`print`, `apis`) is everybody's: a helper that is called so gets another name, be it the only one.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from prowess.skills.extract import GIVEN, Statement, names_in
from prowess.text.syntax import NAME, tree_of
from prowess.types import Skill

Meaning = frozenset[tuple[str, str]]
"""What a name stands for: its statement and those of all that it needs, each with its name."""


def apart(skills: Sequence[Skill]) -> tuple[Skill, ...]:
    """The same skills, in the same order, none of which sees a helper or a constant of another in place of its own."""
    offered = {skill.name for skill in skills} - GIVEN
    brought = [_brought(skill, offered) for skill in skills]
    once = {name for one in brought for name in one}
    if sum(map(len, brought)) == len(once) and not once & GIVEN:  # nothing is shared, as a rule
        return tuple(skills)
    known = {name for skill in skills for name in names_in(skill.code) or ()}
    given: dict[str, dict[Meaning, str]] = {}
    found = []
    for skill, pieces in zip(skills, brought, strict=True):
        names = {}
        for name, piece in pieces.items():
            taken, meaning = given.setdefault(name, {}), _meaning(name, pieces)
            if meaning not in taken:
                clash = (taken or name in GIVEN) and piece.kind != "import"
                taken[meaning] = _free(name, known) if clash else name
                known.add(taken[meaning])
            if taken[meaning] != name:
                names[name] = taken[meaning]
        with suppress(RecursionError):  # nested too deeply to be written anew: it stays as it is
            skill = replace(skill, source=renamed(skill.source, names)) if names else skill
        found.append(skill)
    return tuple(found)


def _brought(skill: Skill, offered: Collection[str]) -> dict[str, Statement]:
    """What a skill brings along that is not offered itself."""
    names = names_in(skill.code) or {}
    return {name: piece for name, piece in names.items() if piece is not None and name not in offered}


def _meaning(name: str, pieces: Mapping[str, Statement]) -> Meaning:
    found, waiting = {name}, [name]
    while waiting:
        needed = pieces[waiting.pop()].needs & pieces.keys() - found
        found |= needed
        waiting += needed
    return frozenset((each, pieces[each].text) for each in found)


def renamed(source: str, names: Mapping[str, str]) -> str:
    """A program with other names for some of its globals. One that a parameter or an attribute of a class shares stays
    as it is: others may call these by it.

    >>> renamed("LIMIT = 5\\ndef best(texts): return f(texts, LIMIT=LIMIT).LIMIT", {"LIMIT": "MOST"})
    'MOST = 5\\ndef best(texts): return f(texts, LIMIT=MOST).LIMIT'
    """
    tree = tree_of(source)
    taken = _called_by(source) | set(_bound_otherwise(tree))
    names = {old: new for old, new in names.items() if old not in taken}
    lines = [line.encode() for line in source.split("\n")]
    for node in sorted(_named(tree, names), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        line, at = lines[node.lineno - 1] if node.lineno <= len(lines) else b"", node.col_offset
        if isinstance(node, ast.Name):
            old, node.id = node.id, names[node.id]
            new, before = node.id, b""
        else:
            old, node.name = node.name, names[node.name]
            new, before = node.name, rb"(?:(?:async +)?def|class) +"
        if match := re.compile(b"(" + before + b")" + re.escape(old.encode())).match(line, at):
            lines[node.lineno - 1] = line[:at] + match[1] + new.encode() + line[match.end() :]
    for each in ast.walk(tree):
        if isinstance(each, ast.Global | ast.Nonlocal):
            each.names = [names.get(name, name) for name in each.names]
    text = b"\n".join(lines).decode()
    # `global`, and f-strings before Python 3.12, do not say where their names are.
    return text if _reads(text, tree) else ast.unparse(tree)


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _named(tree: ast.Module, names: Collection[str]) -> Iterator[ast.Name | _Definition]:
    """Where one of these names is read, set or defined."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, _Definition) and node.name in names):
            yield node


def _bound_otherwise(tree: ast.Module) -> Iterator[str]:
    """Names that a program binds where they cannot be told from other words: in imports, handlers and patterns."""
    for node in ast.walk(tree):
        match node:
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


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
