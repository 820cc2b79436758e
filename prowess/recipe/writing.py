"""A recipe back to TOML, complete."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from prowess.errors import RecipeError
from prowess.recipe.files import resolve
from prowess.recipe.kinds import opened, settable


def to_toml(value: Any) -> str:
    """The complete recipe as TOML; what is None is left out. It reads back to an equal value."""
    import tomli_w

    try:
        text = tomli_w.dumps(_table(value))
        equal = resolve(type(value), tomllib.loads(text)) == value
    except (TypeError, ValueError, RecipeError) as error:
        raise RecipeError(f"this {type(value).__name__} cannot be written as TOML: {error}") from error
    if not equal:
        raise RecipeError(f"this {type(value).__name__} cannot be written as TOML: it reads back as another value")
    return text


def _table(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        pairs = [(field.name, getattr(value, field.name)) for field in settable(type(value))]
        if others := opened(type(value)).field:
            pairs += sorted(getattr(value, others).items())
        return {name: _table(one) for name, one in pairs if one is not None}
    if isinstance(value, Mapping):
        return {key: _table(one) for key, one in value.items()}
    return [_table(one) for one in value] if isinstance(value, list | tuple) else value
