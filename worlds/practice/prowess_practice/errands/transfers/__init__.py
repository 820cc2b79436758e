"""Rows of one listing that lead to rows of another: matched, followed up, grouped, carried over, brought in line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers import (
    albums,
    align_money,
    align_music,
    align_papers,
    files,
    groups,
    money,
    notes,
    peaks_music,
    peaks_people,
    peaks_work,
    phone,
    songs,
    tasks,
)
from prowess_practice.errands.transfers.groups import FOLDERS, PLAYLISTS, TALLIES, woven_groups
from prowess_practice.errands.transfers.match import woven
from prowess_practice.errands.transfers.parts import RowPool, one_of
from prowess_practice.errands.transfers.peaks import woven_peaks


def _first_of(
    pool: RowPool, word: str, by: str, *, last: bool = False, counts: tuple[int, ...] = (5, 6, 8, 10)
) -> RowPool:
    """The first so many of a pool by something: the longest, or with `last` the shortest."""
    order = f'key=lambda {pool.row}: {pool.row}["{by}"]{"" if last else ", reverse=True"}'
    return replace(
        pool,
        word=f"{word.replace(' ', '_')}_{pool.word}",
        one=f"{pool.row} out of the {{count}} {word} {pool.many}",
        many=f"{pool.rows} (out of the {{count}} {word} {pool.many})",
        reading=f"{pool.reading}    {pool.rows} = sorted({pool.rows}, {order})[:count]\n",
        conditions=(),
        slots=(*pool.slots, one_of("count", *counts)),
    )


_FIRST_SONGS = (
    _first_of(songs.LIBRARY, "longest", "duration"),
    _first_of(songs.HISTORY, "most recently played", "last_played_at"),
    _first_of(songs.LIKES, "shortest", "duration", last=True),
)
_FIRST_TASKS = (
    _first_of(tasks.OPEN, "oldest", "created_at", last=True),
    _first_of(tasks.TASKS, "newest", "created_at"),
)
_FIRST_NOTES = (_first_of(notes.NOTES, "most recently created", "created_at", counts=(4, 5, 6)),)
_FIRST_FILES = (_first_of(files.FILES, "oldest", "created_at", last=True),)
_FIRST_PAYMENTS = (
    _first_of(money.SENT, "latest", "created_at"),
    _first_of(money.RECEIVED, "earliest", "created_at", last=True),
)
_FIRST_EXPENSES = (_first_of(money.EXPENSES, "latest", "created_at"),)
_FIRST_TEXTS = (_first_of(phone.TEXTS, "latest", "sent_at", counts=(8, 10, 12, 15)),)


CROSSED = frozenset(
    {
        "delete_playlists_of_oldest_songs_in_playlist_over_play_count",
        "mark_artist_lists_of_oldest_songs_in_playlist_over_duration",
        "playlist_of_genre_songs_of_oldest_songs_in_playlist_under_duration",
    }
)
"""Their programs give what they take another meaning on the way."""

RARE = frozenset(
    {
        "alarms_plain_tasks_of_emptiest_projects",
        "count_copies_not_with_note",
        "count_queued_songs_in_playlist",
        "count_songs_in_playlist_over_play_count_liked",
        "delete_latest_expenses_repeated_paid_by_me",
        "discard_library_albums_from_release_date_with_reviewed_song",
        "follow_artists_of_songs_in_album_kept",
        "frequent_number_by_year_of_song_reviews_until_created_at",
        "keep_album_songs_of_newest_library_songs_over_duration",
        "keep_albums_of_catalogue_songs_of_most_played_songs_of_genre",
        "lower_lonely_by_year_of_song_reviews_in_month_of_created_at",
        "mark_expenses_under_amount_repeated_paid_by_me",
        "newest_of_artist_songs_of_oldest_songs_in_playlist_under_duration",
        "note_pending_requests_over_amount_not_of_friend",
        "paths_of_oldest_files_with_note",
        "rate_queued_songs_liked_not_reviewed",
        "spread_number_by_month_of_the_last_change_of_all_notes_with_tag",
        "sum_of_amount_of_pending_requests_over_amount_not_of_friend",
        "tasks_library_albums_until_release_date_with_reviewed_song",
        "titles_of_library_songs_from_release_date_queued",
        "unlike_album_songs_of_most_played_songs_of_genre_until_release_date",
        "unlike_library_songs_until_release_date_on_kept_album_liked",
    }
)
"""Hardly anybody's data serves them."""


_POOLS = (
    songs.LIBRARY,
    songs.LIKES,
    songs.HISTORY,
    songs.ADVICE,
    songs.IN_PLAYLIST,
    songs.ON_ALBUM,
    songs.CATALOGUE,
    songs.QUEUE,
)
_SONGS = (*songs.ACTS, *songs.CARRIES, *songs.ASKS)


def made() -> Iterator[Errand]:
    """All of them, but for those that are left out."""
    seen = {*RARE, *CROSSED}
    for errand in chain(_matched(), _followed(), _grouped(), _first(), _written()):
        if errand.name not in seen:
            seen.add(errand.name)
            yield errand


def _matched() -> Iterator[Errand]:
    """Rows that have, or lack, something to do with another listing."""
    yield from woven(_POOLS, songs.TIES, _SONGS)
    yield from woven((tasks.TASKS, tasks.OPEN, tasks.DONE, tasks.IN_PROJECT, tasks.URGENT), tasks.TIES, tasks.ALL)
    kept = (notes.NOTES, notes.EVERY, notes.TAGGED, notes.STORED)
    yield from woven(kept, notes.NOTE_TIES, notes.NOTE_SINKS, each=2)
    yield from woven((files.FILES, files.FOUND, files.COPIES), files.FILE_TIES, files.FILE_SINKS, each=3)
    yield from woven((money.PAYMENTS, money.SENT, money.RECEIVED), money.PAYMENT_TIES, money.PAYMENT_SINKS, each=2)
    yield from woven((money.PENDING, money.ASKED), money.REQUEST_TIES, money.REQUEST_SINKS, each=3)
    yield from woven((money.EXPENSES, money.IN_GROUP), money.EXPENSE_TIES, money.EXPENSE_SINKS, each=4)
    yield from woven((phone.ALARMS, phone.QUIET, phone.LOUD), phone.ALARM_TIES, phone.ALARM_SINKS, each=3)
    yield from woven((phone.TEXTS,), phone.MESSAGE_TIES, phone.TEXT_SINKS, each=3)
    yield from woven((phone.VOICES,), phone.MESSAGE_TIES, phone.VOICE_SINKS, each=2)
    yield from woven((phone.MISSED, phone.MADE), phone.CALL_TIES, phone.CALL_SINKS, each=2)
    yield from woven(
        (albums.KEPT, albums.LIKED),
        albums.ALBUM_TIES,
        albums.ALBUM_SINKS,
        each=2,
    )
    yield from woven((albums.FOLLOWED,), albums.ARTIST_TIES, albums.ARTIST_SINKS, each=2)
    yield from woven(
        (albums.LISTS, albums.OPEN),
        albums.PLAYLIST_TIES,
        albums.PLAYLIST_SINKS,
        each=2,
    )
    yield from woven((albums.REVIEWS,), albums.REVIEW_TIES, albums.REVIEW_SINKS, each=5)


def _followed() -> Iterator[Errand]:
    """What belongs to the one row that comes first by something."""
    yield from woven_peaks(peaks_music.SONG_PEAKS, peaks_music.SONG_LINKS, _SONGS)
    yield from woven_peaks(peaks_music.SONG_PEAKS[::3], peaks_music.LIST_LINKS, albums.PLAYLIST_SINKS)
    yield from woven_peaks(peaks_music.ALBUM_PEAKS, peaks_music.ALBUM_LINKS, albums.ALBUM_SINKS, each=2)
    yield from woven_peaks(peaks_music.ALBUM_PEAKS, peaks_music.INSIDE, _SONGS, each=2)
    yield from woven_peaks(peaks_music.LISTED, peaks_music.IN_LIST, _SONGS)
    yield from woven_peaks(peaks_work.TASK_PEAKS, peaks_work.TASK_LINKS, tasks.ALL)
    yield from woven_peaks(peaks_work.PROJECT_PEAKS, peaks_work.PROJECT_LINKS, tasks.ALL)
    yield from woven_peaks(peaks_work.NOTE_PEAKS, peaks_work.NOTE_LINKS, notes.NOTE_SINKS)
    yield from woven_peaks(peaks_work.FILE_PEAKS, peaks_work.FILE_LINKS, files.FILE_SINKS)
    yield from woven_peaks(peaks_people.PAYMENT_PEAKS, peaks_people.PAYMENT_LINKS, money.PAYMENT_SINKS)
    yield from woven_peaks(peaks_people.EXPENSE_PEAKS, peaks_people.EXPENSE_LINKS[:3], money.EXPENSE_SINKS)
    yield from woven_peaks(peaks_people.EXPENSE_PEAKS[:1], peaks_people.EXPENSE_LINKS[3:], money.PAYMENT_SINKS, each=4)
    yield from woven_peaks(peaks_people.TEXT_PEAKS, peaks_people.TEXT_LINKS, phone.TEXT_SINKS, each=2)
    yield from woven_peaks(peaks_people.CALL_PEAKS, peaks_people.CALL_LINKS, phone.TEXT_SINKS, each=2)
    yield from woven_peaks(peaks_people.ALARM_PEAKS, peaks_people.ALARM_LINKS, phone.ALARM_SINKS)


def _grouped() -> Iterator[Errand]:
    """Something for each group of rows, or for the rows of some groups."""
    yield from woven_groups(groups.SONGS, (PLAYLISTS, *TALLIES), (*songs.ACTS, *songs.CARRIES), each=3)
    yield from woven_groups(groups.ALBUMS, TALLIES, albums.ALBUM_SINKS)
    yield from woven_groups(groups.TASKS, TALLIES, tasks.ALL)
    yield from woven_groups(groups.NOTES, TALLIES[2:], notes.NOTE_SINKS)
    yield from woven_groups(groups.FILES, (FOLDERS, *TALLIES), files.FILE_SINKS)
    yield from woven_groups(groups.PAYMENTS, TALLIES[1:], money.PAYMENT_SINKS)
    yield from woven_groups(groups.EXPENSES, TALLIES[3:], money.EXPENSE_SINKS)
    yield from woven_groups(groups.TEXTS, TALLIES, phone.TEXT_SINKS)
    yield from woven_groups(groups.CALLS, TALLIES[::2], phone.CALL_SINKS)
    yield from woven_groups(groups.REVIEWS, TALLIES[1::2], albums.REVIEW_SINKS, each=3)
    yield from woven_groups(groups.TRANSFERS, TALLIES[2:], (), each=3)


def _first() -> Iterator[Errand]:
    """The first so many of a listing that have, or lack, something to do with another."""
    yield from woven(_FIRST_SONGS, songs.TIES[:6], _SONGS[::-1])
    yield from woven(_FIRST_TASKS, tasks.TIES[2:], tasks.ALL[::-1])
    yield from woven(_FIRST_NOTES, notes.NOTE_TIES, notes.NOTE_SINKS[::-1])
    yield from woven(_FIRST_FILES, files.FILE_TIES, files.FILE_SINKS[::-1], each=2)
    yield from woven(_FIRST_PAYMENTS, money.PAYMENT_TIES, money.PAYMENT_SINKS[::-1])
    yield from woven(_FIRST_EXPENSES, money.EXPENSE_TIES, money.EXPENSE_SINKS[::-1])
    yield from woven(_FIRST_TEXTS, phone.MESSAGE_TIES, phone.TEXT_SINKS[::-1])


def _written() -> Iterator[Errand]:
    """What no table makes: settings brought in line, doubles, two listings compared."""
    yield from align_music.PLAYLISTS
    yield from align_music.MUSIC
    yield from align_papers.TASKS
    yield from (*align_papers.NOTES, *align_papers.FILES, *align_papers.ALARMS)
    yield from align_money.ERRANDS
