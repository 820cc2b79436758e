"""Figures are worked out and written down in an exact form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.badges_made import marked
from prowess_practice.errands.reports.counters import COUNTERS
from prowess_practice.errands.reports.facts import measured, overview
from prowess_practice.errands.reports.lines import FORMS, Style, fits, lined
from prowess_practice.errands.reports.pairs import PAIRS
from prowess_practice.errands.reports.parts import Paper, Sink, Table
from prowess_practice.errands.reports.rare import RARE
from prowess_practice.errands.reports.report import report
from prowess_practice.errands.reports.singles import SINGLES, single
from prowess_practice.errands.reports.sinks import SINKS
from prowess_practice.errands.reports.sources import Source
from prowess_practice.errands.reports.sources_money import MONEY
from prowess_practice.errands.reports.sources_music import MUSIC
from prowess_practice.errands.reports.sources_phone import PHONE
from prowess_practice.errands.reports.sources_work import WORK
from prowess_practice.errands.reports.things import Thing
from prowess_practice.errands.reports.things_life import LIFE
from prowess_practice.errands.reports.things_play import PLAY
from prowess_practice.errands.reports.things_work import WORK as THINGS_AT_WORK

_PILES = (MUSIC, MONEY, PHONE, WORK)
SOURCES: tuple[Source, ...] = tuple(pile[n] for n in range(max(map(len, _PILES))) for pile in _PILES if n < len(pile))
"""Apps take turns."""
_THINGS: tuple[Thing, ...] = (*PLAY, *LIFE, *THINGS_AT_WORK)
_ORDERS = "down name up down name back down name down up name down back".split()
_CUTS = ("", "top", "", "least", "", "", "top")
_EXTRAS = ("", "heading", "", "", "total", "", "", "heading", "", "total", "")
STYLES = tuple(
    Style(form=FORMS[n % len(FORMS)], order=_ORDERS[n % 13], cut=_CUTS[n % 7], extra=_EXTRAS[n % 11])
    for n in range(4000)
)
"""Their parts take turns, each at its own pace."""


def made() -> Iterator[Errand]:
    """All of them."""
    seen = {*RARE}
    for errand in chain(
        _written(_groups(), 1),
        _written(_things(), 2),
        _written((table for pair in PAIRS for table in pair.tables()), 2),
        _single(_groups()),
        _single(_things()),
        _plain(),
        marked(),
    ):
        if errand.name not in seen:
            seen.add(errand.name)
            yield errand


def _groups() -> Iterator[Table]:
    for turn, source in enumerate(SOURCES):
        yield from source.tables(3, turn)


def _things() -> Iterator[Table]:
    for turn, thing in enumerate(_THINGS):
        yield from thing.tables(turn)


def _written(tables: Iterator[Table], each: int) -> Iterator[Errand]:
    """Every table in some styles and at some places, in turn."""
    styles, sinks = cycle(STYLES), cycle(SINKS)
    for table in tables:
        for _ in range(each):
            style = next(style for style in styles if fits(style, table))
            yield from _placed(lined(table, style), sinks)


def _placed(paper: Paper, sinks: Iterator[Sink]) -> Iterator[Errand]:
    """At the next place that goes with it."""
    for _ in range(len(SINKS)):
        if errand := report(paper, next(sinks)):
            yield errand
            return


def _single(tables: Iterator[Table]) -> Iterator[Errand]:
    """Some tables with one thing for each figure, in turn."""
    things, cuts = cycle(SINGLES), cycle(("top", "", "least", "bottom", ""))
    for table in list(tables)[::3]:
        for _ in range(len(SINGLES)):
            if errand := single(table, next(things), next(cuts)):
                yield errand
                break


def _plain() -> Iterator[Errand]:
    """Fixed lines on one listing, or on three or four of different apps."""
    sinks = cycle(SINKS)
    for paper in measured(SOURCES):
        yield from _placed(paper, sinks)
    for n in range(len(COUNTERS)):
        for steps in ((0, 1, 4), (0, 7, 2, 11)):
            yield from _placed(overview([COUNTERS[(n + step) % len(COUNTERS)] for step in steps]), sinks)
