"""Calls that a world broke on, told to whoever wrote it: once of each place, while it is played."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from prowess.text.terminal import say
from prowess.types import Break

HINT = "refuse what a call may not ask for with ApiFailure; the code was told that it failed, and the episode goes on"

_told: set[str] = set()
_telling = threading.Lock()


def tell_breaks(breaks: Iterable[Break]) -> None:
    """Say where a world broke, unless that was said before."""
    for one in breaks:
        place = one.place or one.api
        with _telling:
            new = place not in _told
            _told.add(place)
        if new:
            say(f"warning: the world broke on {described(one)}: {HINT}")


def described(one: Break) -> str:
    """A call that a world broke on, in a line.

    >>> described(Break(api="shop.buy", error="KeyError: 'ink'", place="shop.py:5"))
    "shop.buy: KeyError: 'ink' (shop.py:5)"
    """
    return f"{one.api}: {one.error}{f' ({one.place})' if one.place else ''}"
