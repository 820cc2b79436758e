"""Text that others wrote, for a person who must judge it: nothing acts on the terminal, and nothing hides."""

from __future__ import annotations

import unicodedata

from prowess.text.terminal import safe

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """Text with every character that one could not see spelled out; line ends and tabs stay.

    >>> visible("total\\u202e = \\x1b[2K1")
    'total‹U+202E› = ‹U+001B›[2K1'
    """
    return "".join(f"‹U+{ord(char):04X}›" if _hidden(char) else char for char in text)


def _hidden(char: str) -> bool:
    if char in "\n\t" or " " <= char <= "~":
        return False
    return unicodedata.category(char) in _HIDDEN or char.isspace()


def hidden(text: str) -> int:
    """How many characters of a text one could not see."""
    return sum(map(_hidden, text))


def line(text: str, width: int = 0) -> str:
    """Text as one safe line, cut to a width where one is given."""
    flat = " ".join(safe(text).split())
    return flat if not width or len(flat) <= width else f"{flat[: width - 1]}…"


def moment(at: str) -> str:
    """A time of the store, to the minute.

    >>> moment("2026-01-31T12:05:09.000000Z")
    '2026-01-31 12:05'
    """
    return line(at.replace("T", " ")[:16])
