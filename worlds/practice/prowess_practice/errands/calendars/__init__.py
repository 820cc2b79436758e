"""Dates and times decide or are worked out: rows chosen by their days, and days that follow from other days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from prowess_practice.errands.calendars import alarms, birthdays, namesakes, schedules
from prowess_practice.errands.calendars.asks import ASKS, PAIRED, questions
from prowess_practice.errands.calendars.choices import CHOICES, JOINED, SIMPLE, TIES
from prowess_practice.errands.calendars.plan import take
from prowess_practice.errands.calendars.sinks_own import OWN
from prowess_practice.errands.calendars.sinks_people import MONEY, PHONE
from prowess_practice.errands.calendars.sinks_work import PAPERS, TASKS
from prowess_practice.errands.calendars.sources import SOURCES, in_turn
from prowess_practice.errands.calendars.when import WHENS
from prowess_practice.errands.errand import Errand

RARE = frozenset(
    """
comment_namesakes_of_library_albums_after_latest_of_library_songs
comment_namesakes_of_library_songs_day_after_due_tasks
count_days_of_recommended_songs_in_month
count_days_of_tasks_between_same_day_as_library_albums
date_notes_like_tasks_same_day_as_notes
drop_comments_of_tasks_before_day_not_same_day_as_reviews
due_namesakes_of_library_songs_not_same_day_as_due_tasks_weeks_later
finish_steps_of_due_tasks_in_week_of_same_day_as_sent_requests
finish_steps_of_project_tasks_same_day_as_sent_requests
first_shared_day_of_due_tasks_and_library_albums_early_in_month
first_shared_day_of_notes_and_library_songs_in_month
follow_artists_of_library_songs_in_month_before_first_of_sent_texts
forget_library_songs_in_month_after_latest_of_expenses
keep_played_songs_in_month_not_same_day_as_made_calls
label_tasks_project_tasks_between_same_day_as_library_albums
last_weekday_of_playlist_songs_on_weekday
name_earliest_of_project_tasks_in_month_day_after_library_songs
name_earliest_of_received_requests_in_month_same_day_as_made_calls
name_latest_of_reviews_in_month_day_after_library_albums
postpone_project_tasks_between_same_day_as_library_albums_next_weekday
postpone_tasks_in_month_after_latest_of_expenses_working_day
queue_library_songs_in_month_after_latest_of_expenses
schedule_daily_after_reviews_by_priority_tasks_of_priority
schedule_working_days_given_day_by_priority_tasks_of_priority
shared_days_of_received_payments_and_expenses_between
shared_days_of_reviews_and_received_requests_in_month
top_day_of_library_songs_after_named
top_day_of_playlist_songs_in_month_of_named
top_day_of_sent_texts_shortly_before_latest
top_day_of_tasks_after_time
top_month_of_notes_after_pause
""".split()
)
"""They find no three people, or seldom do; or they read a listing twice, or sort by what all rows have in common."""


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
    apart = chain(birthdays.made(), alarms.made(), schedules.made(), namesakes.made(_MIXED))
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
