"""Parts chosen by name: one of ours, or somebody else's function."""

from __future__ import annotations

import importlib
import inspect
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, SupportsFloat, TypeVar, cast

from prowess.errors import RecipeError, unknown
from prowess.recipe.kinds import cut, listed

T = TypeVar("T")


def lookup(what: str, name: str, table: Mapping[str, T], *, takes: Sequence[str] = ()) -> T:
    """A choice by name: one of ours from a table, or somebody else's as `"module:function"`, if it takes what it will
    be called with."""
    if name in table:
        return table[name]
    found: Any = named(what, name, table)
    if not callable(found):
        raise RecipeError(f"{what} '{name}' is a {type(found).__name__}, not a function", hint="name a function")
    if takes:
        hint = f"def {name.rpartition(':')[2]}({', '.join(takes)}): ..."
        check_call(f"{what} '{name}'", found, takes, hint=hint)
    return cast(T, found)


def named(what: str, name: str, known: Iterable[str]) -> object:
    """What somebody else's `"module:function"` names; without a colon, an error with the nearest of those known."""
    module_name, colon, attribute = name.partition(":")
    if not colon:
        plain = unknown(what, name, known)
        raise RecipeError(plain.message, hint=f'{plain.hint}, or "module:function" for your own')
    if not all(part.isidentifier() for part in [*module_name.split("."), *attribute.split(".")]):
        raise RecipeError(f"{what} '{name}' is not the name of a function", hint='write it as "module:function"')
    return _imported(what, name, module_name, attribute)


def numbers_from(what: str, name: str, given: object, *, hint: str) -> list[float | None]:
    """What somebody else's function gave as plain numbers, also if they were NumPy's or torch's; None stays None."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise RecipeError(f"{what} '{name}' gave {cut(repr(given))}, which is no list", hint=hint)
    found = []
    for value in given:
        try:
            number = None if value is None else float(value) if isinstance(value, SupportsFloat) else math.nan
        except (TypeError, ValueError, RuntimeError):  # an array of several
            number = math.nan
        if number is not None and not math.isfinite(number):
            raise RecipeError(
                f"{what} '{name}' gave {cut(repr(value))}; it must be a finite number, or None", hint=hint
            )
        found.append(number)
    return found


def check_call(what: str, found: object, takes: Sequence[str], named: Sequence[str] = (), *, hint: str) -> None:
    """Say now, and not by a TypeError once something was played, that a function does not take what it will be called
    with. What is built in may have no signature."""
    try:
        signature = inspect.signature(cast(Callable[..., object], found))
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*takes, **dict.fromkeys(named))
    except TypeError as error:
        arguments = ", ".join([*takes, *(f"{name}=..." for name in named)])
        raise RecipeError(f"{what} cannot be called with ({arguments}): {error}", hint=hint) from None


def _imported(what: str, name: str, module_name: str, attribute: str) -> object:
    if (here := os.getcwd()) not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last, so that a file lying here never hides an installed package
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise RecipeError(
                f"{what} '{name}': there is no module '{error.name}'",
                hint=f"install it, or run from the folder that holds it (here: {here})",
            ) from error
        raise RecipeError(
            f"{what} '{name}': importing '{module_name}' failed: {type(error).__name__}: {error}"
        ) from error
    owner = module_name
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [known for known in vars(found) if not known.startswith("_")] if hasattr(found, "__dict__") else []
            near = get_close_matches(part, public, n=1)
            guess = f"did you mean '{near[0]}'?" if near else f"it has: {cut(listed(public), 200)}"
            raise RecipeError(f"{what} '{name}': '{owner}' has no '{part}'", hint=guess)
        found, owner = getattr(found, part), f"{owner}.{part}"
    return found
