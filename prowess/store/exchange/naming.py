"""Names for exported skills: plain, unique, the same whatever the order, and never a path."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

LONGEST = 64
"""The longest name of an Agent Skills folder."""

_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
"""Names that some file systems keep for devices."""


def folder_names(names: Mapping[str, str]) -> Mapping[str, str]:
    """A kebab-case name for each digest, of its skill's. Where two would be equal, or one is cut, some of the digest is
    added.

    >>> folder_names({"1a2b3c4d5e": "top_songs", "ffeeddccbb": "play", "0123456789": "play"})
    {'1a2b3c4d5e': 'top-songs', 'ffeeddccbb': 'play-ffeeddcc', '0123456789': 'play-01234567'}
    """
    return _unique(names, "-")


def function_names(names: Mapping[str, str]) -> Mapping[str, str]:
    """A name in ASCII for each key that is good for a function or a tool: the skill's own where that is possible.

    >>> function_names({"1a2b3c4d5e": "play", "ffeeddccbb": "play", "0123456789": "Stop"})["0123456789"]
    'Stop'
    """
    twice = Counter(names.values())
    plain = {key: name for key, name in names.items() if name.isascii() and twice[name] == 1 and len(name) <= LONGEST}
    others = _unique({key: name for key, name in names.items() if key not in plain}, "_", frozenset(names.values()))
    return {key: plain.get(key) or others[key] for key in names}


def _unique(names: Mapping[str, str], dash: str, taken: frozenset[str] = frozenset()) -> Mapping[str, str]:
    long = dict.fromkeys(names, 0)
    while True:
        found = {digest: _name(name, digest[: long[digest]], dash) for digest, name in names.items()}
        count = Counter(found.values())
        again = [
            digest
            for digest, name in found.items()
            if count[name] > 1 or name in taken or (not long[digest] and not _whole(names[digest], dash))
        ]
        if not again:
            return found
        for digest in again:
            long[digest] = 8 if not long[digest] else 2 * long[digest]


def _name(name: str, mark: str, dash: str) -> str:
    room = LONGEST - (len(mark) + 1 if mark else 0)
    stem = _words(name, dash)[: max(room, 0)].strip(dash)
    return dash.join(part for part in (stem or "skill", mark) if part)[-LONGEST:].strip(dash)


def _words(name: str, dash: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", dash, plain).strip(dash)


def _whole(name: str, dash: str) -> bool:
    """Whether a name says all that the skill's does, but for case and underscores."""
    words = _words(name, dash)
    return bool(words) and name.isascii() and len(words) <= LONGEST and words not in _RESERVED
