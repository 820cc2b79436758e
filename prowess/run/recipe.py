"""The recipe of a run, and how another differs from it: recipe.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.codec import line_of
from prowess.types import Json


def toml(text: str, name: Path | str) -> dict[str, Json]:
    """TOML read, or refused by the name of where it stands."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"{name} is not TOML: {error}", hint="it is damaged: restore a copy, or begin the run again with --force"
        ) from None


def differences(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, str]:
    """Which dotted keys of two recipes differ, each with a line that says how.

    >>> differences({"seed": 1, "play": {"turns": 40}}, {"seed": 2, "play": {"turns": 40}})
    {'seed': 'seed: 1 in the run, 2 given'}
    """
    before, after = flat(old), flat(new)
    return {
        key: f"{key}: {_told(before, key)} in the run, {_told(after, key)} given"
        for key in sorted(before.keys() | after.keys())
        if (key in before, before.get(key)) != (key in after, after.get(key))
    }


def _told(values: Mapping[str, Json], key: str) -> str:
    if key not in values:
        return "not set"
    try:
        return line_of(values[key])
    except (TypeError, ValueError):  # TOML has dates, times, and numbers that are not finite; recipes of ours do not
        return repr(values[key])


def flat(table: Mapping[str, Json], prefix: str = "") -> dict[str, Json]:
    """A recipe's values by dotted key."""
    out: dict[str, Json] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            out |= flat(value, f"{prefix}{key}.")
        else:
            out[f"{prefix}{key}"] = value
    return out
