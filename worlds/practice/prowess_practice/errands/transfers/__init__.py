"""Rows of one listing that lead to rows of another: matched, followed up, grouped, carried over, brought in line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers import align_money as transfers_align_money
from prowess_practice.errands.transfers import align_music as transfers_align_music
from prowess_practice.errands.transfers import align_papers as transfers_align_papers
from prowess_practice.errands.transfers import align_playlists as transfers_align_playlists
from prowess_practice.errands.transfers import align_tasks as transfers_align_tasks
from prowess_practice.errands.transfers import expenses, files, money, papers, phone, shelves, songs, tasks, tops
from prowess_practice.errands.transfers import groupings as kinds
from prowess_practice.errands.transfers import peaks_music as shining
from prowess_practice.errands.transfers import peaks_work as leading
from prowess_practice.errands.transfers import peaks_world as moving
from prowess_practice.errands.transfers import songs_done as doing
from prowess_practice.errands.transfers.groups import woven_groups
from prowess_practice.errands.transfers.match import woven
from prowess_practice.errands.transfers.peaks import woven_peaks
from prowess_practice.errands.transfers.rare import CROSSED, RARE
from prowess_practice.errands.transfers.tallies import FOLDERS, PLAYLISTS, TALLIES

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
_SONGS = (*doing.ACTS, *doing.CARRIES, *doing.ASKS)


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
    notes = (papers.NOTES, papers.EVERY, papers.TAGGED, papers.STORED)
    yield from woven(notes, papers.NOTE_TIES, papers.NOTE_SINKS, each=2)
    yield from woven((files.FILES, files.FOUND, files.COPIES), files.FILE_TIES, files.FILE_SINKS, each=3)
    yield from woven((money.PAYMENTS, money.SENT, money.RECEIVED), money.PAYMENT_TIES, money.PAYMENT_SINKS, each=2)
    yield from woven((money.PENDING, money.ASKED), money.REQUEST_TIES, money.REQUEST_SINKS, each=3)
    yield from woven((expenses.EXPENSES, expenses.IN_GROUP), expenses.EXPENSE_TIES, expenses.EXPENSE_SINKS, each=4)
    yield from woven((phone.ALARMS, phone.QUIET, phone.LOUD), phone.ALARM_TIES, phone.ALARM_SINKS, each=3)
    yield from woven((phone.TEXTS,), phone.MESSAGE_TIES, phone.TEXT_SINKS, each=3)
    yield from woven((phone.VOICES,), phone.MESSAGE_TIES, phone.VOICE_SINKS, each=2)
    yield from woven((phone.MISSED, phone.MADE), phone.CALL_TIES, phone.CALL_SINKS, each=2)
    yield from woven((shelves.KEPT, shelves.LIKED), shelves.ALBUM_TIES, shelves.ALBUM_SINKS, each=2)
    yield from woven((shelves.FOLLOWED,), shelves.ARTIST_TIES, shelves.ARTIST_SINKS, each=2)
    yield from woven((shelves.LISTS, shelves.OPEN), shelves.PLAYLIST_TIES, shelves.PLAYLIST_SINKS, each=2)
    yield from woven((shelves.REVIEWS,), shelves.REVIEW_TIES, shelves.REVIEW_SINKS, each=5)


def _followed() -> Iterator[Errand]:
    """What belongs to the one row that comes first by something."""
    yield from woven_peaks(shining.SONG_PEAKS, shining.SONG_LINKS, _SONGS)
    yield from woven_peaks(shining.SONG_PEAKS[::3], shining.LIST_LINKS, shelves.PLAYLIST_SINKS)
    yield from woven_peaks(shining.ALBUM_PEAKS, shining.ALBUM_LINKS, shelves.ALBUM_SINKS, each=2)
    yield from woven_peaks(shining.ALBUM_PEAKS, shining.INSIDE, _SONGS, each=2)
    yield from woven_peaks(shining.LISTED, shining.IN_LIST, _SONGS)
    yield from woven_peaks(leading.TASK_PEAKS, leading.TASK_LINKS, tasks.ALL)
    yield from woven_peaks(leading.PROJECT_PEAKS, leading.PROJECT_LINKS, tasks.ALL)
    yield from woven_peaks(leading.NOTE_PEAKS, leading.NOTE_LINKS, papers.NOTE_SINKS)
    yield from woven_peaks(leading.FILE_PEAKS, leading.FILE_LINKS, files.FILE_SINKS)
    yield from woven_peaks(moving.PAYMENT_PEAKS, moving.PAYMENT_LINKS, money.PAYMENT_SINKS)
    yield from woven_peaks(moving.EXPENSE_PEAKS, moving.EXPENSE_LINKS[:3], expenses.EXPENSE_SINKS)
    yield from woven_peaks(moving.EXPENSE_PEAKS[:1], moving.EXPENSE_LINKS[3:], money.PAYMENT_SINKS, each=4)
    yield from woven_peaks(moving.TEXT_PEAKS, moving.TEXT_LINKS, phone.TEXT_SINKS, each=2)
    yield from woven_peaks(moving.CALL_PEAKS, moving.CALL_LINKS, phone.TEXT_SINKS, each=2)
    yield from woven_peaks(moving.ALARM_PEAKS, moving.ALARM_LINKS, phone.ALARM_SINKS)


def _grouped() -> Iterator[Errand]:
    """Something for each group of rows, or for the rows of some groups."""
    yield from woven_groups(kinds.SONGS, (PLAYLISTS, *TALLIES), (*doing.ACTS, *doing.CARRIES), each=3)
    yield from woven_groups(kinds.ALBUMS, TALLIES, shelves.ALBUM_SINKS)
    yield from woven_groups(kinds.TASKS, TALLIES, tasks.ALL)
    yield from woven_groups(kinds.NOTES, TALLIES[2:], papers.NOTE_SINKS)
    yield from woven_groups(kinds.FILES, (FOLDERS, *TALLIES), files.FILE_SINKS)
    yield from woven_groups(kinds.PAYMENTS, TALLIES[1:], money.PAYMENT_SINKS)
    yield from woven_groups(kinds.EXPENSES, TALLIES[3:], expenses.EXPENSE_SINKS)
    yield from woven_groups(kinds.TEXTS, TALLIES, phone.TEXT_SINKS)
    yield from woven_groups(kinds.CALLS, TALLIES[::2], phone.CALL_SINKS)
    yield from woven_groups(kinds.REVIEWS, TALLIES[1::2], shelves.REVIEW_SINKS, each=3)
    yield from woven_groups(kinds.TRANSFERS, TALLIES[2:], (), each=3)


def _first() -> Iterator[Errand]:
    """The first so many of a listing that have, or lack, something to do with another."""
    yield from woven(tops.SONGS, songs.TIES[:6], _SONGS[::-1])
    yield from woven(tops.TASKS, tasks.TIES[2:], tasks.ALL[::-1])
    yield from woven(tops.NOTES, papers.NOTE_TIES, papers.NOTE_SINKS[::-1])
    yield from woven(tops.FILES, files.FILE_TIES, files.FILE_SINKS[::-1], each=2)
    yield from woven(tops.PAYMENTS, money.PAYMENT_TIES, money.PAYMENT_SINKS[::-1])
    yield from woven(tops.EXPENSES, expenses.EXPENSE_TIES, expenses.EXPENSE_SINKS[::-1])
    yield from woven(tops.TEXTS, phone.MESSAGE_TIES, phone.TEXT_SINKS[::-1])


def _written() -> Iterator[Errand]:
    """What no table makes: settings brought in line, doubles, two listings compared."""
    yield from transfers_align_playlists.ERRANDS
    yield from transfers_align_music.ERRANDS
    yield from transfers_align_tasks.TASKS
    yield from (*transfers_align_papers.NOTES, *transfers_align_papers.FILES, *transfers_align_papers.ALARMS)
    yield from transfers_align_money.ERRANDS
