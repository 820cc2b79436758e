"""Near-copies of a skill, as other episodes might have written it: other names, other words, a line more or less.

Made by rules from a seed, for benchmarks of what a library with several versions of one thing does to a search.
"""

from __future__ import annotations

import ast
import random
from dataclasses import replace

from prowess.types import Skill

_NAMES = ("{}_now", "do_{}", "{}_for_me", "run_{}", "{}_safely", "try_{}")
_WORDS = (
    "items",
    "rows",
    "entry",
    "value",
    "data",
    "record",
    "part",
    "thing",
    "one",
    "key",
    "info",
    "current",
    "extra",
)
_DOCS = ("Helper: {}", "{} Used for requests of this kind.", "Reusable. {}", "", "This {}")


def near_copy(skill: Skill, seed: int) -> Skill:
    """The same in other words: the function's name, its variables, its docstring, and a statement more."""
    rng = random.Random(f"{skill.name} {seed}")
    tree = ast.parse(skill.source)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    name = rng.choice(_NAMES).format(skill.name)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    given = [one.arg for one in function.args.args]
    renamed = {old: f"{rng.choice(_WORDS)}_{n}" for n, old in enumerate(sorted(stored)) if rng.random() < 0.6}
    renamed |= {old: f"{old}_{rng.choice(_WORDS)}" for old in given if rng.random() < 0.4}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = name if node.id == skill.name else renamed.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = renamed.get(node.arg, node.arg)
    function.name = name
    words = ast.get_docstring(function) or ""
    body = function.body[1:] if words else function.body
    text = rng.choice(_DOCS).format(words[:1].lower() + words[1:] if rng.random() < 0.5 else words)
    about = [ast.Expr(ast.Constant(text))] if text else []
    if rng.random() < 0.5:
        body = [ast.parse(f"print({rng.choice(_WORDS)!r})").body[0], *body]
    if rng.random() < 0.5:
        function.args.args.append(ast.arg("verbose"))
        function.args.defaults.append(ast.Constant(False))
    function.body = [*about, *body]
    return replace(skill, name=name, source=ast.unparse(ast.fix_missing_locations(tree)), docstring=text)
