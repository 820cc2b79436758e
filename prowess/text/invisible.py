r"""Characters that nobody sees, spelled out before a prompt, a page or a terminal shows a text: \u202e and the like.

They turn the order of what stands around them, hide words from readers that models read, or part words that are looked
for. As Python writes them they are seen, and code that repeats them means the same characters. What ordinary text needs
stays as it is, as long as it stands alone: joiners (emoji, Persian, Indic scripts), the space without width (Khmer,
Thai) and variation selectors (emoji, Japanese names). Several of these in a row are no text.
"""

from __future__ import annotations

import re

_JOINERS = "\u200b-\u200d"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    f"|(?<=[{_JOINERS}])[{_JOINERS}]|(?<=[{_SELECTORS}])[{_SELECTORS}]"
)
"""Unicode's ignorable characters but for those that choose vowels and forms of letters; and ends of lines that only
some programs know."""


def spelled(text: str) -> str:
    r"""The text with what nobody sees as Python writes it.

    >>> print(spelled("user\u202etxt.exe"))
    user\u202etxt.exe
    """
    if text.isascii():
        return text
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def paired(text: str) -> str:
    r"""The text with halves of surrogate pairs put together, and replaced where the other half is missing: no tokenizer
    takes these, and UTF-8 cannot hold them.

    >>> ascii(paired("\ud83d\ude00 \ud83d"))
    "'\\U0001f600 \\ufffd'"
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def unseen(text: str) -> bool:
    """Whether there is something in a text that nobody sees."""
    return not text.isascii() and _UNSEEN.search(text) is not None
