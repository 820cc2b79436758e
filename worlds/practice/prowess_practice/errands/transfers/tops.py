"""The first so many of a listing: rows to start from like any others."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.errands.transfers import expenses, files, money, papers, phone, songs, tasks
from prowess_practice.errands.transfers.parts import Pool, one_of


def first(pool: Pool, word: str, by: str, *, last: bool = False, counts: tuple[int, ...] = (5, 6, 8, 10)) -> Pool:
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


SONGS = (
    first(songs.LIBRARY, "longest", "duration"),
    first(songs.HISTORY, "most recently played", "last_played_at"),
    first(songs.LIKES, "shortest", "duration", last=True),
)
TASKS = (
    first(tasks.OPEN, "oldest", "created_at", last=True),
    first(tasks.TASKS, "newest", "created_at"),
)
NOTES = (first(papers.NOTES, "most recently created", "created_at", counts=(4, 5, 6)),)
FILES = (first(files.FILES, "oldest", "created_at", last=True),)
PAYMENTS = (first(money.SENT, "latest", "created_at"), first(money.RECEIVED, "earliest", "created_at", last=True))
EXPENSES = (first(expenses.EXPENSES, "latest", "created_at"),)
TEXTS = (first(phone.TEXTS, "latest", "sent_at", counts=(8, 10, 12, 15)),)
