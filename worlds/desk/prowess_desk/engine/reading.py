"""How APIs read what they are given and write what they answer: money, days, people, and words to search for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Annotated, Protocol, TypeVar

from prowess.types import Json
from prowess_desk.engine.api import Span, invalid, missing
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State

Amount = Annotated[float, "amount of money, at most two decimals", Span(0.01, 1_000_000)]
AmountFilter = Annotated[float | None, "bound on the amount", Span(0, 1_000_000)]
DayFilter = Annotated[str | None, "a day as YYYY-MM-DD; that day is included"]
LONGEST_QUERY = 1_000
"""Characters of a text to look for: each of its words is looked for in each row."""
Made = TypeVar("Made", bound="_Made")
Item = TypeVar("Item")


def cents(amount: float) -> int:
    """An amount of money as rows store it, or a 422 when it has a fraction of a cent.

    >>> cents(12.5)
    1250
    """
    whole = round(amount * 100)
    if abs(amount * 100 - whole) > 1e-4:
        invalid(f"An amount has at most two decimals, not {amount}.")
    return whole


def money(cents: int) -> float:
    """An amount of money as APIs show it: the division gives the number nearest to the two decimals."""
    return cents / 100


def day(name: str, text: str) -> date:
    """A day from its text, or a 422."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        invalid(f"{name} must be a day as YYYY-MM-DD, not '{text[:40]}'.")


def within(when: datetime, since: date | None, until: date | None) -> bool:
    """Whether a moment lies between two days, both included."""
    return (since is None or when.date() >= since) and (until is None or when.date() <= until)


def period(from_date: str | None, to_date: str | None) -> tuple[date | None, date | None]:
    """The two ends of a filter by day."""
    return (
        day("from_date", from_date) if from_date is not None else None,
        day("to_date", to_date) if to_date is not None else None,
    )


def person_with(state: State, *, email: str = "", phone: str = "") -> Person | None:
    """Who has this e-mail address or phone number, if anybody."""
    wanted = email.strip().lower()
    for person in state[Person]:
        if (wanted and person.email == wanted) or (phone and person.phone == phone):
            return person
    return None


def people_with(state: State, emails: Sequence[str]) -> list[Person]:
    """Who has these e-mail addresses, in their order, or a 404."""
    known = {person.email: person for person in state[Person]}
    return [known.get(email.strip().lower()) or missing("user with e-mail address", email) for email in emails]


def card(person: Person) -> Json:
    """How one person is shown to another."""
    return {"name": person.name, "email": person.email}


def matches(query: str, *texts: str) -> bool:
    """Whether every word of the query occurs somewhere in the texts, whatever the case.

    >>> matches("blue moon", "Moonlight over Blue Hills"), matches("red moon", "Blue Moon")
    (True, False)
    """
    if len(query) > LONGEST_QUERY:
        invalid(f"query must not be longer than {LONGEST_QUERY} characters.")
    words = _words(query)
    if not words:
        return True
    text = " ".join(texts).lower()
    for word in words:  # noqa: SIM110 (a generator would double the cost, and listings call this once a row)
        if word not in text:
            return False
    return True


@lru_cache(maxsize=256)
def _words(query: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(query.lower().split()))


def labels(values: Iterable[str]) -> tuple[str, ...]:
    """Labels or tags as rows hold them: lower case, sorted, each once, so that the order of adding does not matter."""
    return tuple(sorted({value.strip().lower() for value in values if value.strip()}))


def counted(values: Iterable[str]) -> list[tuple[str, int]]:
    """How often each of these occurs, in order of the alphabet.

    >>> counted(["work", "home", "work"])
    [('home', 1), ('work', 2)]
    """
    return sorted(Counter(values).items())


class _Made(Protocol):
    @property
    def created_at(self) -> datetime: ...


def oldest_first(rows: Iterable[Made]) -> list[Made]:
    """Rows by when they were made; ids are given out person by person."""
    return sorted(rows, key=lambda row: row.created_at)


def insert(ids: tuple[int, ...], *new: int) -> tuple[int, ...]:
    """A set of ids, kept as a sorted tuple so that the order of adding leaves no trace, with more in it."""
    return tuple(sorted({*ids, *new}))


def without(items: Iterable[Item], *gone: Item) -> tuple[Item, ...]:
    """The items, such as ids or labels, without these."""
    return tuple(item for item in items if item not in gone)
