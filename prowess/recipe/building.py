"""Layers laid over each other, and the dataclass that comes of them."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Any

from prowess.errors import RecipeError
from prowess.recipe.kinds import default_of, kinds_of, makes_itself, opened, optional, section_of, settable, words

Tree = dict[str, Any]
"""A layer after checking: converted values by field name, a dict for each section, only what the layer mentions."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a value stands: the file or option it came from, and its key."""

    source: str
    path: tuple[str, ...] = ()

    def __truediv__(self, key: str) -> Location:
        return Location(self.source, (*self.path, key))

    @property
    def key(self) -> str:
        return ".".join(self.path)


def merge(below: Tree, above: Tree) -> Tree:
    merged = dict(below)
    for key, value in above.items():
        lower = merged.get(key)
        merged[key] = merge(lower, value) if isinstance(lower, dict) and isinstance(value, dict) else value
    return merged


def build(cls: Any, tree: Tree, place: Location, start: Any = None) -> Any:
    """The dataclass, from what the layers say over its own defaults (or over those its parent gives it)."""
    kinds = kinds_of(cls)
    values = {}
    for field in settable(cls):
        name, section = field.name, section_of(kinds[field.name])
        said = tree.get(name, MISSING)
        if start is not None:
            default = getattr(start, name)
        elif section and makes_itself(field, section):
            default = MISSING
        else:
            default = default_of(field)
        if said is MISSING and default is MISSING and section and not optional(kinds[name]):
            said = {}
        if said is MISSING and default is MISSING:
            raise RecipeError(
                f"{place.source}: the key '{(place / name).key}' is missing", hint=f"allowed: {words(kinds[name])}"
            )
        if section and isinstance(said, dict):
            values[name] = build(section, said, place / name, default if isinstance(default, section) else None)
        else:
            values[name] = default if said is MISSING else said
    if others := opened(cls).field:
        given = {} if start is None else getattr(start, others)
        named = {name: said for name, said in tree.items() if name not in kinds}
        values[others] = {
            **given,
            **{name: build(opened(cls).of(name), said, place / name, given.get(name)) for name, said in named.items()},
        }
    try:
        return cls(**values)
    except RecipeError as error:
        where = f"{place.source}, section {place.key}" if place.path else place.source
        raise RecipeError(f"{where}: {error.message}", hint=error.hint) from error
