"""A skill's code as a version: made canonical, hashed three ways, described.

Pure, and nothing is executed:

    digest       the very code: namespace, name, canonical source, imports, dependencies
    ast_hash     formatting, comments and docstrings gone
    alpha_hash   names of its own gone, too: two of these are clones

Code that does not parse is a version like any other, with empty hashes: a gate refuses it, with a record.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii

from prowess.skills.order import ordered, several
from prowess.skills.reach import Reach, reach_of
from prowess.store.effects import effect_of
from prowess.store.record import Effect, Version
from prowess.store.signature import schema_of, signature_of
from prowess.store.walk import sha256, walk
from prowess.text.syntax import tree_or_none
from prowess.text.tokens import estimate
from prowess.types import Skill

FORMAT = 1
"""Raised when the same canonical parts would get another digest.

What is canonical is a matter of `FORM` and may change without it: a version is hashed as it is kept, so those that a
store has, and folders that were exported, stay valid.
"""

FORM = 2
"""How code is made canonical: 1 left statements in the order in which they were written, 2 puts them in order."""

READING = 4
"""Raised when the same code would be described in another way: hashes, APIs, effect, signature, tokens."""

SUMMARY = 120
"""The longest summary, in characters."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """What a version's digest covers, canonical, and the digest: told without looking closer at the code."""

    digest: str
    namespace: str
    source: str
    imports: tuple[str, ...]
    dependencies: tuple[str, ...]
    tree: ast.Module | None = field(default=None, compare=False, repr=False)
    """The source, where it had to be read already."""

    @classmethod
    def of(cls, skill: Skill, *, namespace: str, dependencies: Collection[str] = (), form: int = FORM) -> Address:
        source, tree = _plain(skill.source), None
        if form > 1 and several(source) and (tree := tree_or_none(source)) is not None:
            source, tree = ordered(source, tree, skill.name)
        space, imports = legible(namespace), canonical_imports(skill.imports)
        needed = tuple(sorted(set(dependencies)))
        digest = digest_of(namespace=space, name=skill.name, source=source, imports=imports, dependencies=needed)
        return cls(digest=digest, namespace=space, source=source, imports=imports, dependencies=needed, tree=tree)


def version_of(skill: Skill, *, namespace: str) -> Version:
    """The version that a skill's code is."""
    return version_at(Address.of(skill, namespace=namespace), skill)


def version_at(
    address: Address,
    skill: Skill,
    *,
    parents: Collection[str] = (),
    fingerprints: Mapping[str, str] | None = None,
    effects: Mapping[str, Effect] | None = None,
) -> Version:
    """The same where the address is known already; `effects` says what APIs do where their names do not."""
    source, imports = address.source, address.imports
    tree = address.tree or tree_or_none(source)
    main = _function(tree, skill.name) if tree is not None else None
    seen = walk(tree) if tree is not None else None
    reach = reach_of(seen.reaching) if seen is not None else _unread(skill)
    apis = reach.apis
    docstring = legible((ast.get_docstring(main) or "") if main is not None else skill.docstring)
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
        effect=effect_of(reach, effects),
        helpers=tuple(_helpers(tree, skill.name)) if tree is not None else (),
        tokens=estimate("\n".join([*imports, source])),
        ast_hash=ast_hash,
        alpha_hash=alpha_hash,
        parents=tuple(dict.fromkeys(parents)),
        fingerprints=fingerprints_of(apis, fingerprints or {}),
    )


def _unread(skill: Skill) -> Reach:
    """What code that is no program says it reaches: it never runs, and might be mended by hand."""
    return Reach(apis=tuple(sorted({legible(api) for api in skill.apis})), anything="apis" in skill.source)


def fingerprints_of(apis: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The fingerprints of a version's APIs, where they are known."""
    return {api: legible(known[api]) for api in apis if api in known}


def digest_of(
    *, namespace: str, name: str, source: str, imports: Sequence[str] = (), dependencies: Sequence[str] = ()
) -> str:
    """The digest of canonical parts."""
    told = ", ".join(map(encode_basestring_ascii, (namespace, name, source)))
    return sha256(f"[{FORMAT}, {told}, {listed(imports)}, {listed(dependencies)}]")


def listed(texts: Iterable[str]) -> str:
    """Texts as `json.dumps` writes a list of them, without an encoder to be made for it.

    >>> listed(["a", 'the "b"'])
    '["a", "the \\\\"b\\\\""]'
    """
    return f"[{', '.join(map(encode_basestring_ascii, texts))}]"


def skill_id(namespace: str, name: str, digest: str) -> str:
    """A skill's id: stable, and the same on every machine that saw the same first version."""
    return sha256(listed((namespace, name, digest)))[:16]


def address_of(skill: Skill, *, namespace: str, dependencies: Collection[str] = ()) -> str:
    """The digest that a skill's version has, without looking closer at its code."""
    return Address.of(skill, namespace=namespace, dependencies=dependencies).digest


def canonical(source: str, name: str) -> str:
    r"""The same program with plain line ends, no blanks at the ends of lines, and its statements in order.

    >>> canonical("def f():  \r\n    return g()\n\ndef g(): return 1", "f")
    'def g(): return 1\n\n\ndef f():\n    return g()'
    """
    text = _plain(source)
    tree = tree_or_none(text) if several(text) else None
    return ordered(text, tree, name)[0] if tree is not None else text


def _plain(source: str) -> str:
    """With plain line ends, and without blanks at the ends of lines and around the text."""
    text = legible(source).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    plain = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    if plain == text:
        return text
    # Blanks inside a string of several lines are part of the program.
    tree, other = tree_or_none(text), tree_or_none(plain)
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


def _function(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last definition of the name: the one that counts."""
    return next((node for node in reversed(tree.body) if isinstance(node, _FUNCTIONS) and node.name == name), None)


def _helpers(tree: ast.Module, name: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name != name:
            yield node.name
