"""Texts as words and as runs of letters, the same for every index and retriever that counts them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_PLAIN = "".join(chr(at).lower() if chr(at).isalnum() else " " for at in range(128))
"""What each character of ASCII becomes: to exchange them and to split is twice as fast as to look for words."""


def words(text: str) -> list[str]:
    """The words of a text in lower case; `show_liked_songs` is three.

    >>> words("Pay Zoë's share: $20")
    ['pay', 'zoë', 's', 'share', '20']
    """
    if text.isascii():  # most are, and these are normal already
        return text.translate(_PLAIN).split()
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def runs(text: str, sizes: Sequence[int]) -> Counter[str]:
    """How often each run of letters occurs; a run may span a space, and one stands before and after the text.

    >>> runs("Pay", (4,))
    Counter({' pay': 1, 'pay ': 1})
    """
    line = f" {' '.join(words(text))} "
    return Counter(line[at : at + size] for size in sizes for at in range(len(line) - size + 1))
