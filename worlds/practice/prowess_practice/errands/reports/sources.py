"""Rows with what they can be grouped by and what can be measured on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.reports import groups
from prowess_practice.errands.reports.groups import Figure, Key, ReportField
from prowess_practice.errands.reports.parts import FigureTable
from prowess_practice.errands.transfers.parts import RowPool

ON_NUMBERS = (groups.SUM, groups.MEAN, groups.MOST, groups.FEWEST, groups.SPREAD)
ON_DAYS = (groups.LATEST, groups.SPAN, groups.EARLIEST)
ON_NAMES = (groups.NAMES,)
ON_KINDS = (groups.DIFFERENT,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSource:
    """Rows, and what is known of them."""

    pool: RowPool
    keys: tuple[Key, ...]
    numbers: tuple[ReportField, ...] = ()
    days: tuple[ReportField, ...] = ()
    names: tuple[ReportField, ...] = ()
    kinds: tuple[ReportField, ...] = ()

    @property
    def figures(self) -> list[tuple[Figure, ReportField | None]]:
        """All that can be worked out, the plain before the rare."""
        found: list[tuple[Figure, ReportField | None]] = [(groups.NUMBER, None)]
        pairs = ((self.numbers, ON_NUMBERS), (self.days, ON_DAYS), (self.names, ON_NAMES), (self.kinds, ON_KINDS))
        for fields, figures in pairs:
            found += [(figure, field) for figure in figures for field in fields]
        return [found[0], *found[1::2], (groups.SHARE, None), *found[2::2]]

    def tables(self, each: int, turn: int) -> Iterator[FigureTable]:
        """So many tables of each key, with figures and conditions in turn."""
        figures = self.figures
        for place, key in enumerate(self.keys):
            made = 0
            for step in range(len(figures)):
                n = turn + 2 * place + step
                figure, field = figures[n % len(figures)]
                if made == each or (key.several and figure is groups.SHARE) or (field and field.code == key.code):
                    continue
                fitting = [one for one in self.pool.conditions if _apart(one, key)]
                choices: list[tuple[Condition, ...]] = [(), *((one,) for one in fitting)]
                table = groups.grouped(self.pool, key, figure, field, choices[n % len(choices)])
                table = table or groups.grouped(self.pool, key, figure, field)
                if table:
                    made += 1
                    yield table


def _apart(condition: Condition, key: Key) -> bool:
    """Whether a condition asks for something else than the key tells apart."""
    rare = ("by_", "with_", "in_month", "on_weekday")
    return key.code not in condition.code and condition.slot != key.word and not condition.word.startswith(rare)


def month(field: str, called: str = "month", of: str = "in that month") -> Key:
    """Of a day or moment."""
    return Key(
        word="month",
        code=f'ROW["{field}"][:7]',
        called=called,
        of=of,
        hint="Months are written as YYYY-MM.",
        dated=True,
    )


def year(field: str, called: str = "year", of: str = "in that year") -> Key:
    return Key(word="year", code=f'ROW["{field}"][:4]', called=called, of=of, dated=True)


def weekday(field: str, which: str = "", done: str = "") -> Key:
    return Key(
        word="weekday",
        code=f'datetime.fromisoformat(ROW["{field}"]).strftime("%A")',
        called=f"day of the week{which}",
        of=f"{done}on that day of the week",
        hint="Days of the week are written in full, as in Monday.",
        weekly=True,
    )


def hour(field: str) -> Key:
    return Key(
        word="hour",
        code=f'ROW["{field}"][11:13]',
        called="hour of the day",
        of="in that hour",
        hint="Hours are written with two digits, from 00 to 23.",
        dated=True,
    )


def person(field: str, called: str, of: str) -> Key:
    return Key(word=called.replace(" ", "_"), code=f'ROW["{field}"]["name"]', called=called, of=of)


def kin(field: str, role: str, of: str) -> Key:
    """By what the phone's contacts say that a person is."""
    return Key(
        word="relation",
        code=f'relations.get(ROW["{field}"]["name"], [])',
        called=f"relationship of the {role}",
        of=of,
        hint=(
            "The relationships are those in my phone contacts, such as friend; whoever has several counts for each of"
            " them, and whoever is no contact is left out."
        ),
        prelude=(
            "    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"
            '    relations = {contact["name"]: contact["relationships"] for contact in contacts}\n'
        ),
        app="phone",
        several=True,
    )


def day(field: str, one: str = "date") -> ReportField:
    return ReportField(word="day", code=f'ROW["{field}"][:10]', one=one, many=one.replace("date", "dates"))
