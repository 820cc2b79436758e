"""Figures are worked out and written down in an exact form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.badges import marked
from prowess_practice.errands.reports.facts import COUNTERS, measured, overview
from prowess_practice.errands.reports.lines import FORMS, Style, fits, lined
from prowess_practice.errands.reports.pairs import PAIRS
from prowess_practice.errands.reports.parts import FigureTable, LineSink, Paper
from prowess_practice.errands.reports.report import report
from prowess_practice.errands.reports.singles import SINGLES, single
from prowess_practice.errands.reports.sinks import SINKS
from prowess_practice.errands.reports.sources import ReportSource
from prowess_practice.errands.reports.sources_money import MONEY
from prowess_practice.errands.reports.sources_music import MUSIC
from prowess_practice.errands.reports.sources_phone import PHONE
from prowess_practice.errands.reports.sources_work import WORK
from prowess_practice.errands.reports.things import Thing
from prowess_practice.errands.reports.things_music import PLAY
from prowess_practice.errands.reports.things_people import LIFE
from prowess_practice.errands.reports.things_work import WORK as THINGS_AT_WORK

RARE: tuple[str, ...] = (
    "archived_note_latest_by_task_label_of_open_tasks_until_due_date",
    "task_with_steps_sum_likes_by_month_of_received_payments_until_created_at",
    "tagged_note_spread_steps_by_state_of_tasks_until_created_at",
    "file_in_new_folder_number_by_state_of_tasks_over_priority",
    "extend_file_spread_amount_by_way_of_transactions_from_created_at",
    "task_with_steps_number_by_called_person_of_calls_made_over_duration",
    "copied_note_most_amount_by_asked_person_of_sent_requests_over_amount",
    "voice_names_titles_by_month_of_tasks_with_due_date",
    "archived_note_share_by_month_of_tasks_with_due_date",
    "text_latest_by_task_label_of_tasks_in_project",
    "task_comment_spread_lines_by_year_of_all_notes_from_updated_at",
    "voice_earliest_by_folder_name_of_files_until_created_at",
    "replace_note_number_by_genre_of_liked_albums",
    "tagged_note_latest_by_stars_of_song_reviews",
    "replace_note_both_by_month_of_done_tasks_and_all_notes",
    "task_with_steps_difference_by_month_of_transactions_and_received_texts",
    "tasks_for_spread_steps_by_state_of_tasks_until_created_at",
    "alarms_for_sum_steps_by_state_of_tasks_in_project",
    "tasks_for_fewest_lines_by_year_of_all_notes_until_created_at",
    "titled_notes_for_earliest_by_folder_name_of_files_until_created_at",
    "tasks_for_most_size_by_extension_of_files_below",
    "tasks_for_most_tracks_by_genre_of_library_albums_until_release_date",
)


_PILES = (MUSIC, MONEY, PHONE, WORK)
SOURCES: tuple[ReportSource, ...] = tuple(
    pile[n] for n in range(max(map(len, _PILES))) for pile in _PILES if n < len(pile)
)
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


def _groups() -> Iterator[FigureTable]:
    for turn, source in enumerate(SOURCES):
        yield from source.tables(3, turn)


def _things() -> Iterator[FigureTable]:
    for turn, thing in enumerate(_THINGS):
        yield from thing.tables(turn)


def _written(tables: Iterator[FigureTable], each: int) -> Iterator[Errand]:
    """Every table in some styles and at some places, in turn."""
    styles, sinks = cycle(STYLES), cycle(SINKS)
    for table in tables:
        for _ in range(each):
            style = next(style for style in styles if fits(style, table))
            yield from _placed(lined(table, style), sinks)


def _placed(paper: Paper, sinks: Iterator[LineSink]) -> Iterator[Errand]:
    """At the next place that goes with it."""
    for _ in range(len(SINKS)):
        if errand := report(paper, next(sinks)):
            yield errand
            return


def _single(tables: Iterator[FigureTable]) -> Iterator[Errand]:
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
