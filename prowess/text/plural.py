"""Numbers with what they count, for people."""

from __future__ import annotations


def counted(number: int, noun: str, nouns: str = "") -> str:
    """How many there are of something; `nouns` where the plural takes more than an s.

    >>> counted(1, "skill"), counted(0, "skill"), counted(1200, "try", "tries")
    ('1 skill', '0 skills', '1200 tries')
    """
    return f"{number} {noun if number == 1 else nouns or f'{noun}s'}"


def every(number: int, noun: str) -> str:
    """All of them.

    >>> every(3, "episode"), every(1, "episode")
    ('all 3 episodes', 'the only episode')
    """
    return f"the only {noun}" if number == 1 else f"all {number} {noun}s"
