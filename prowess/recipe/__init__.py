"""Recipes: strict TOML read into frozen dataclasses, so that a typing mistake is an error and never a silent default.

Settings live beside what they configure; this package only knows how to read any of them. A recipe is built in layers,
each checked under its own name before the next is laid over it:

    the dataclass's defaults  <  the file named by `extends`  <  the file  <  each `--set section.key=value`

Tables are merged key by key; anything else, arrays included, is replaced. The complete result goes back to TOML with
`to_toml` and is written into the run.
"""

from __future__ import annotations

from prowess.recipe.choosing import check_call, lookup, named, numbers_from
from prowess.recipe.describing import KeyDoc, describe
from prowess.recipe.files import nested, parse, read, resolve, shipped
from prowess.recipe.kinds import sections
from prowess.recipe.writing import to_toml

__all__ = [
    "KeyDoc",
    "check_call",
    "describe",
    "lookup",
    "named",
    "nested",
    "numbers_from",
    "parse",
    "read",
    "resolve",
    "sections",
    "shipped",
    "to_toml",
]
