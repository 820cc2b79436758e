"""Practice for desk: drills and errands, tasks for training alone. They are in a package of their own.

That package is imported once they are asked for: it takes seconds. Without it there are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from prowess_desk.engine.family import Family

PACKAGE = "prowess_practice"


def drills() -> Mapping[str, Family]:
    """Short things to do, made of the apps' listings, by name."""
    return _brought("drills")


def errands() -> Mapping[str, Family]:
    """Things to do of two or three stages, by name."""
    return _brought("errands")


def _brought(what: str) -> Mapping[str, Family]:
    if find_spec(PACKAGE) is None:
        return {}
    found: Mapping[str, Family] = getattr(import_module(f"{PACKAGE}.{what}"), what)()
    return found
