"""Dates and times decide or are worked out: rows chosen by their days, and days that follow from other days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from prowess_practice.errands.calendars import birthdays, clocks, namesakes, schedules
from prowess_practice.errands.calendars.ask import questions
from prowess_practice.errands.calendars.asks import ASKS, PAIRED
from prowess_practice.errands.calendars.choices import CHOICES, SIMPLE
from prowess_practice.errands.calendars.rare import RARE
from prowess_practice.errands.calendars.sinks_own import OWN
from prowess_practice.errands.calendars.sinks_people import MONEY, PHONE
from prowess_practice.errands.calendars.sinks_work import PAPERS, TASKS
from prowess_practice.errands.calendars.source import in_turn
from prowess_practice.errands.calendars.sources import SOURCES
from prowess_practice.errands.calendars.ties import JOINED, TIES
from prowess_practice.errands.calendars.weave import take
from prowess_practice.errands.calendars.when import WHENS
from prowess_practice.errands.errand import Errand

_MIXED = tuple(CHOICES[n // 2 % len(CHOICES)] if n % 2 else TIES[n // 2 % len(TIES)] for n in range(2 * len(TIES)))
_SLOTTED = tuple(CHOICES[n // 2 % len(CHOICES)] if n % 2 else JOINED[n // 2] for n in range(2 * len(JOINED)))
_OLD = tuple(
    replace(one, noun="old task", what="title of the old task") if one.row == "task" else one for one in SOURCES
)
"""Tasks are told from those that are made of them."""
_WAITING = tuple(one for one in _OLD if one.future)
_AHEAD = tuple(one for one in WHENS if one.word in ("days_earlier", "weekday_before", "week_start"))


def made() -> Iterator[Errand]:
    """All of them, each name once, but for those that are left out."""
    seen = {*RARE}
    apart = chain(birthdays.made(), clocks.made(), schedules.made(), namesakes.made(_MIXED))
    for errand in chain(_own(), _cross(), apart, _asked()):
        if errand.name not in seen:
            seen.add(errand.name)
            yield errand


def _own() -> Iterator[Errand]:
    yield from take(OWN, SOURCES, _MIXED, WHENS, each={False: 4, True: 9})
    yield from take(OWN, SOURCES, JOINED, WHENS, each={False: 1, True: 3}, start=11, exact=True)


def _cross() -> Iterator[Errand]:
    yield from take(TASKS, _OLD, _MIXED, WHENS, each={False: 10, True: 14}, start=7)
    yield from take(TASKS[:3], _WAITING, CHOICES, _AHEAD, each={False: 0, True: 4}, exact=True)
    yield from take(in_turn(PHONE, PAPERS, MONEY), SOURCES, _MIXED, WHENS, each={False: 10, True: 14}, start=70)


def _asked() -> Iterator[Errand]:
    yield from questions(ASKS, SOURCES, _SLOTTED, each=11)
    yield from questions(PAIRED, SOURCES, SIMPLE, each=2)
