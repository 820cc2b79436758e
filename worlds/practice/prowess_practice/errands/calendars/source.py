"""Rows that have a day: how they are read, how a task speaks of them, and who or what is behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from prowess_practice.errands.transfers.parts import Slot, plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Rows of one listing, each with a day or a moment."""

    word: str
    """What names of functions are made of: `library_songs`."""
    app: str
    row: str
    many: str
    """`songs in my music library`"""
    reading: str
    """What gives the rows, `TOKEN` standing for the app's token."""
    field: str
    """Where the day or moment is."""
    clause: str
    """`that were sent`, before a time."""
    its: str
    """`the day it was sent`; the row is named in place of `it`."""
    by: str
    """`when they were sent`"""
    name: str
    """What names a row, `ROW` standing for it."""
    called: str
    """How a task calls that: `title`."""
    what: str
    """The same said apart from the row: `title of the song`."""
    tags: tuple[str, ...]
    """What it is, and what it has: kinds of rows, `email`, `phone`, `amount`."""
    precise: bool = True
    """Whether it is a moment, and not only a day."""
    future: bool = False
    """Whether days may still be to come."""
    noun: str = ""
    """What a task calls a row, if not as a program does."""
    test: str = ""
    """What rows must pass to be there at all."""
    person: str = ""
    """Where the person is, `ROW` standing for the row."""
    role: str = ""
    """`the sender`"""
    when: str = ""
    """`on which somebody texted me`, said of days of other rows; empty where it is not."""
    before: str = ""
    """Lines that come before they are read."""
    given: tuple[Slot, ...] = ()
    """What they lie in."""
    few: bool = False
    """Whether people have few of them."""

    @property
    def rows(self) -> str:
        """What a program calls all of them."""
        return plural(self.row)

    @property
    def moment(self) -> str:
        return f'ROW["{self.field}"]'

    @property
    def day(self) -> str:
        return f"{self.moment}[:10]" if self.precise else self.moment

    @property
    def key(self) -> str:
        """What rows are sorted by, days that are the same by name."""
        return self.moment if self.precise else f"({self.moment}, {self.name})"

    @property
    def ordered(self) -> str:
        """How a task says that order."""
        return "" if self.precise else f" (the same day: alphabetically by {self.called})"

    @property
    def did(self) -> str:
        """How a docstring says it: `sent`."""
        return re.sub(r"^(that|who) (were|are|I) ", "", self.clause).replace("wrote", "written")

    @property
    def read(self) -> str:
        """The expression for all rows."""
        rows = self.reading.replace("TOKEN", f"access_token={self.app}_token")
        if not self.test:
            return rows
        return f"[{self.row} for {self.row} in {rows} if {self.put(self.test)}]"

    @property
    def lines(self) -> str:
        """The line, or lines, that give the rows."""
        line = f"    {self.rows} = {self.read}\n"
        if len(line) <= WIDTH or not self.test:
            return f"{self.before}{line}"
        rows = self.reading.replace("TOKEN", f"access_token={self.app}_token")
        every = f"every_{self.row}"
        return (
            f"{self.before}    {every} = {rows}\n"
            f"    {self.rows} = [{self.row} for {self.row} in {every} if {self.put(self.test)}]\n"
        )

    def put(self, code: str) -> str:
        """Code with this source's names in it."""
        for token, text in _names(self):
            code = code.replace(token, text)
        return code

    def say(self, text: str) -> str:
        """Words with this source's words in them."""
        for token, words in (
            ("CLAUSE", self.clause),
            ("ITSDAY", re.sub(r"\bit\b", f"the {self.noun or self.row}", self.its)),
            (
                "ITSTIME",
                re.sub(r"\bit\b", f"the {self.noun or self.row}", self.its.replace("the day", "the time of day")),
            ),
            ("CALLED", self.called),
            ("WHAT", self.what),
            ("ORDERED", self.ordered),
            ("ROLE of each", f"{self.role} {'in' if self.role.startswith('the person') else 'of'} each"),
            ("ROLE", self.role),
            ("MANY", self.many),
            ("DID", self.did),
            ("BY", self.by),
        ):
            text = text.replace(token, words)
        return text


@cache
def _names(source: Source) -> tuple[tuple[str, str], ...]:
    """What stands for what in code, in this order."""
    return (
        ("LASTNAME", source.name.replace("ROW", "last_one")),
        ("FIRSTNAME", source.name.replace("ROW", "first_one")),
        ("QMONTH", f"{source.moment}[:7]".replace('"', "'")),
        ("QMOMENT", source.moment.replace('"', "'")),
        ("QNAME", source.name.replace('"', "'")),
        ("QDAY", source.day.replace('"', "'")),
        ("EARLIER", source.day.replace("ROW", "earlier")),
        ("PERSON", source.person),
        ("MOMENT", source.moment),
        ("NAME", source.name),
        ("DAY", source.day),
        ("KEY", source.key),
        ("ROWS", source.rows),
        ("ROW", source.row),
    )


WIDTH = 110
"""Characters in a line of a program."""


Part = TypeVar("Part")


def in_turn(*piles: tuple[Part, ...]) -> tuple[Part, ...]:
    """The first of each pile, then the second of each, and so on."""
    return tuple(pile[n] for n in range(max(map(len, piles))) for pile in piles if n < len(pile))
