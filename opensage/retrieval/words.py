"""Texts as words, the same for every retriever that counts them."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The words of a text in lower case; `show_liked_songs` is three.

    >>> words("Pay Zoë's share: $20")
    ['pay', 'zoë', 's', 'share', '20']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())
