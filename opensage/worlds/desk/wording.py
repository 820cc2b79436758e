"""How values are read from and written to JSON, the same in every app: words to search, money, days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from opensage.worlds.desk.api import invalid


def matches(query: str, *texts: str) -> bool:
    """Whether every word of the query occurs somewhere in the texts, whatever the case.

    >>> matches("blue MOON", "A moon", "bluebird"), matches("", "anything"), matches("red moon", "A moon")
    (True, True, False)
    """
    found = "\n".join(texts).lower()
    for word in _words(query):  # noqa: SIM110  (a plain loop: this runs for every row of a search)
        if word not in found:
            return False
    return True


@lru_cache(maxsize=256)
def _words(query: str) -> tuple[str, ...]:
    return tuple(query.lower().split())


def dollars(cents: int) -> float:
    """Money as JSON shows it: rows hold whole cents."""
    return round(cents / 100, 2)


def cents(amount: float) -> int:
    """Money as rows hold it."""
    return round(amount * 100)


def day(name: str, text: str) -> date:
    """The day a parameter means, or a 422."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        invalid(f"{name} must be a date such as 2025-05-18, not '{text[:40]}'.")


def labels(values: Iterable[str]) -> tuple[str, ...]:
    """Labels or tags as rows hold them: lower case, sorted, each once, so that the order of adding does not matter."""
    return tuple(sorted({value.strip().lower() for value in values if value.strip()}))
