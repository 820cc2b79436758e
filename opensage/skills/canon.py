"""A skill's code as a version: made canonical, hashed three ways, described.

Pure, and nothing is executed:

    digest       the very code: namespace, name, canonical source, imports, dependencies
    ast_hash     formatting, comments and docstrings gone
    alpha_hash   names of its own gone, too: two of these are clones

Code that does not parse is a version like any other, with empty hashes: a gate refuses it, with a record.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opensage.skills.effects import effect_of
from opensage.skills.extract import apis_of
from opensage.skills.record import Effect, Version
from opensage.skills.signature import schema_of, signature_of
from opensage.source import tree_of
from opensage.tokens import estimate
from opensage.types import Skill

FORMAT = 1
"""Raised when the same code would get another digest."""

READING = 1
"""Raised when the same code would be described in another way: hashes, APIs, effect, signature, tokens."""

SUMMARY = 120
"""The longest summary, in characters."""

_UNREADABLE = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """What a version's digest covers, canonical, and the digest: told without looking closer at the code."""

    digest: str
    namespace: str
    source: str
    imports: tuple[str, ...]
    dependencies: tuple[str, ...]

    @classmethod
    def of(cls, skill: Skill, *, namespace: str, dependencies: Collection[str] = ()) -> Address:
        space, source, imports = legible(namespace), canonical(skill.source), canonical_imports(skill.imports)
        needed = tuple(sorted(set(dependencies)))
        digest = digest_of(namespace=space, name=skill.name, source=source, imports=imports, dependencies=needed)
        return cls(digest=digest, namespace=space, source=source, imports=imports, dependencies=needed)


def version_of(
    skill: Skill,
    *,
    namespace: str,
    dependencies: Collection[str] = (),
    parents: Collection[str] = (),
    fingerprints: Mapping[str, str] | None = None,
    effects: Mapping[str, Effect] | None = None,
) -> Version:
    """The version that a skill's code is; `effects` says what APIs do where their names do not."""
    address = Address.of(skill, namespace=namespace, dependencies=dependencies)
    return version_at(address, skill, parents=parents, fingerprints=fingerprints, effects=effects)


def version_at(
    address: Address,
    skill: Skill,
    *,
    parents: Collection[str] = (),
    fingerprints: Mapping[str, str] | None = None,
    effects: Mapping[str, Effect] | None = None,
) -> Version:
    """The same where the address is known already."""
    source, imports = address.source, address.imports
    tree = _parsed(source)
    main = _function(tree, skill.name) if tree is not None else None
    seen = _walk(tree) if tree is not None else None
    apis = apis_of(seen.reaching) if seen is not None else tuple(sorted({legible(api) for api in skill.apis}))
    docstring = (ast.get_docstring(main) or "") if main is not None else skill.docstring
    ast_hash, alpha_hash = seen.hashes(imports) if seen is not None else ("", "")
    return Version(
        digest=address.digest,
        namespace=address.namespace,
        name=skill.name,
        source=source,
        imports=imports,
        dependencies=address.dependencies,
        docstring=docstring,
        signature=signature_of(main) if main is not None else "",
        schema=schema_of(main, docstring) if main is not None else {},
        summary=summary_of(docstring),
        apis=apis,
        effect=effect_of(apis, source=source, known=effects or {}),
        helpers=tuple(_helpers(tree, skill.name)) if tree is not None else (),
        tokens=estimate("\n".join([*imports, source])),
        ast_hash=ast_hash,
        alpha_hash=alpha_hash,
        parents=tuple(dict.fromkeys(parents)),
        fingerprints=fingerprints_of(apis, fingerprints or {}),
    )


def fingerprints_of(apis: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The fingerprints of a version's APIs, where they are known."""
    return {api: legible(known[api]) for api in apis if api in known}


def digest_of(
    *, namespace: str, name: str, source: str, imports: Sequence[str] = (), dependencies: Sequence[str] = ()
) -> str:
    """The digest of canonical parts."""
    return _sha256(json.dumps([FORMAT, namespace, name, source, list(imports), list(dependencies)]))


def skill_id(namespace: str, name: str, digest: str) -> str:
    """A skill's id: stable, and the same on every machine that saw the same first version."""
    return _sha256(json.dumps([namespace, name, digest]))[:16]


def address_of(skill: Skill, *, namespace: str, dependencies: Collection[str] = ()) -> str:
    """The digest that a skill's version has, without looking closer at its code."""
    return Address.of(skill, namespace=namespace, dependencies=dependencies).digest


def canonical(source: str) -> str:
    r"""The same program with plain line ends, and without blanks at the ends of lines and around the text.

    >>> canonical("def f():  \r\n    return 1\n\n")
    'def f():\n    return 1'
    """
    text = legible(source).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    plain = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    if plain == text:
        return text
    # Blanks inside a string of several lines are part of the program.
    tree, other = _parsed(text), _parsed(plain)
    same = tree is not None and other is not None and ast.dump(other) == ast.dump(tree)
    return plain if same else text


def legible(text: str) -> str:
    """A text that UTF-8 can hold: lone surrogates written out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def canonical_imports(imports: Sequence[str]) -> tuple[str, ...]:
    """Import statements, each once, sorted; with a star among them their order means something and stays."""
    once = tuple(dict.fromkeys(legible(line.strip()) for line in imports if line.strip()))
    if any("*" in line for line in once):
        return once
    return tuple(sorted(once, key=lambda line: (not line.startswith("from __future__ "), line)))


def summary_of(docstring: str) -> str:
    """The first sentence, cut at a word.

    >>> summary_of("Plays a song. Needs a login.")
    'Plays a song.'
    """
    text = " ".join(docstring.strip().split("\n\n")[0].split())
    first = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    if len(first) <= SUMMARY:
        return first
    return first[: SUMMARY - 1].rsplit(" ", 1)[0][: SUMMARY - 1] + "…"


def _parsed(code: str) -> ast.Module | None:
    try:
        return tree_of(code)
    except _UNREADABLE:
        return None


def _function(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last definition of the name: the one that counts."""
    return next((node for node in reversed(tree.body) if isinstance(node, _FUNCTIONS) and node.name == name), None)


def _helpers(tree: ast.Module, name: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name != name:
            yield node.name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """What one walk over a tree finds: skills come by the thousand."""

    reaching: list[ast.Name | ast.Attribute | ast.Assign]
    """What may lead to an API, see `apis_of`; each before those below it."""
    parts: list[str]
    """The tree written down, unambiguously and alike in every version of Python."""
    names: list[int]
    """Which of the parts are names."""
    own: set[str]
    """Names that the code gives itself: functions, parameters, variables."""

    def hashes(self, imports: Sequence[str]) -> tuple[str, str]:
        """The AST hash and the alpha hash."""
        above = "\n".join(imports) + "\n\n"
        plain = _sha256(above + "\n".join(self.parts))
        order: dict[str, str] = {}
        renamed = self.parts.copy()
        for place in self.names:
            if (name := renamed[place]) in self.own:
                renamed[place] = order.setdefault(name, f"#{len(order)}")
        return plain, _sha256(above + "\n".join(renamed))


def _walk(tree: ast.Module) -> _Walk:
    nodes: list[ast.AST] = [tree]
    parts: list[str] = []
    names: list[int] = []
    own: set[str] = set()
    reaching: list[ast.Name | ast.Attribute | ast.Assign] = []
    for node in nodes:  # grows as it goes
        kind = node.__class__
        parts.append(kind.__name__)
        # Most of all nodes are of these three kinds, so they take a short way.
        if isinstance(node, ast.Name):
            reaching.append(node)
            names.append(len(parts))
            parts.append(node.id)
            if node.ctx.__class__ is not ast.Load:
                own.add(node.id)
            continue
        if isinstance(node, ast.Constant):
            parts.append(_constant(node.value))
            continue
        if isinstance(node, ast.Attribute):
            reaching.append(node)
            nodes.append(node.value)
            parts += ("value", repr(node.attr))
            continue
        if isinstance(node, ast.Assign):
            reaching.append(node)
        for field, named in _FIELDS[kind]:
            value = getattr(node, field, None)
            if value is None:
                continue
            if value.__class__ is list:
                if value and field == "body" and kind in _DOCUMENTED and _is_docstring(value[0]):
                    value = value[1:]
                elif not value:
                    continue
                parts.append(f"{field} {len(value)}")
                if named:
                    names += range(len(parts), len(parts) + len(value))
                    parts += value
                elif field in _MIXED:
                    nodes += [item for item in value if isinstance(item, ast.AST)]
                    parts += ["+" if isinstance(item, ast.AST) else repr(item) for item in value]
                else:
                    nodes += value
                    parts += ["+"] * len(value)
            elif isinstance(value, ast.AST):
                if value.__class__ in _OPERATORS:
                    parts.append(value.__class__.__name__)
                else:
                    nodes.append(value)
                    parts.append(field)
            elif named:
                names.append(len(parts))
                parts.append(value)
                own.add(value)
            else:
                parts.append(_constant(value))
    return _Walk(reaching=reaching, parts=parts, names=names, own=own)


_MIXED = {"keys", "kw_defaults", "kwd_attrs", "names"}
"""Lists in which nothing or a name may stand beside nodes."""
_SKIPPED = {"ctx", "type_comment", "kind", "type_ignores"}
_NAMING = (
    *(ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler),
    *(ast.MatchAs, ast.MatchStar, ast.Global, ast.Nonlocal),
)
_OPERATORS = {*ast.operator.__subclasses__(), *ast.unaryop.__subclasses__(), *ast.boolop.__subclasses__()}


def _fields(kind: type[ast.AST]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node, and whether each holds a name that may be the code's own."""
    naming = {"id", "arg", "name", "names"} if kind in _NAMING else set()
    return tuple((field, field in naming) for field in kind._fields if field not in _SKIPPED)


_FIELDS = {kind: _fields(kind) for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)}


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _constant(value: object) -> str:
    # hex, because Python refuses to write very long numbers in tens
    return hex(value) if isinstance(value, int) and not isinstance(value, bool) else repr(value)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
