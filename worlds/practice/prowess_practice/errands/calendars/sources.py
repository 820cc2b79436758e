"""Rows that have a day: how they are read, how a task speaks of them, and who or what is behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from prowess_practice.drills.listing import GROUP, PLAYLIST, PROJECT
from prowess_practice.errands.transfers.parts import Slot, inside, plural


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedSource:
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
def _names(source: DatedSource) -> tuple[tuple[str, str], ...]:
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


def _dated(field: str, clause: str, its: str) -> dict[str, Any]:
    """What is said of days: `that were sent` and `the day it was sent`."""
    by = f"when they {clause.removeprefix('that ')}" if clause.startswith("that were") else its
    return {"field": field, "clause": clause, "its": its, "by": by.replace("the day", "when").replace(" it", " them")}


def _named(field: str, called: str, what: str) -> dict[str, Any]:
    """What names a row."""
    return {"name": f'ROW["{field}"]', "called": called, "what": what}


def _person(field: str, role: str, *, called: bool = False) -> dict[str, Any]:
    """Who is behind a row, and whether rows are called after them."""
    who: dict[str, Any] = {"person": f'ROW["{field}"]', "role": role}
    named = {"name": f'ROW["{field}"]["name"]', "called": f"name of {role}", "what": f"name of {role}"}
    return who | named if called else who


_ADDED = _dated("added_at", "that I added", "the day I added it")
_RELEASED = _dated("release_date", "that were released", "the day it was released") | {"precise": False}
_MADE = _dated("created_at", "that were made", "the day it was made")
_ASKED = _dated("created_at", "that were sent", "the day it was sent")
_SENT = _dated("sent_at", "that were sent", "the day it was sent")
_CREATED = _dated("created_at", "that were created", "the day it was created")
_CHANGED = _dated("updated_at", "that were last changed", "the day it was last changed")
_RECORDED = _dated("created_at", "that were recorded", "the day it was recorded")
_SONG = _named("title", "title", "title of the song")
_NOTE = _named("note", "note", "note of the payment")
_REQUEST = _named("note", "note", "note of the request")
_PAPER = _named("title", "title", "title of the note")
_TASK = _named("title", "title", "title of the task")
_EXPENSE = _named("description", "description", "description of the expense")
_TEXT = _named("text", "text", "text of the message")


def _source(word: str, row: str, many: str, api: str, *parts: Any, **fields: Any) -> DatedSource:
    """The parts are further arguments of the API, and fields of the source in groups."""
    arguments = "".join(part for part in parts if isinstance(part, str))
    given: dict[str, Any] = {"reading": f"all_pages(apis.{api}, TOKEN{arguments})"}
    for group in (*(part for part in parts if isinstance(part, dict)), fields):
        given |= group
    return DatedSource(word=word, row=row, many=many, app=api.partition(".")[0], **given)


LIBRARY = _source(
    *("library_songs", "song", "songs in my music library", "music.show_song_library", _ADDED, _SONG),
    tags=("song", "kept"),
    when="on which I added a song to my music library",
)
LIKED = _source(
    *("liked_songs", "song", "liked songs of mine on music", "music.show_liked_songs", _RELEASED, _SONG),
    tags=("song", "liked", "old"),
)
ADVISED = _source(
    *("recommended_songs", "song", "songs recommended to me on music", "music.show_recommendations"),
    *(_RELEASED, _SONG),
    tags=("song", "old", "advised"),
)
PLAYED = _source(
    *("played_songs", "song", "songs in my play history on music", "music.show_play_history", _SONG),
    _dated("last_played_at", "that I last played", "the day I last played it"),
    tags=("song", "heard"),
)
ALBUMS = _source(
    *("library_albums", "album", "albums in my album library on music", "music.show_album_library", _ADDED),
    _named("title", "title", "title of the album"),
    tags=("album", "kept_album"),
    when="on which I added an album to my album library",
    few=True,
)
PLAYLISTS = _source(
    *("playlists", "playlist", "playlists of mine on music", "music.show_playlists", _MADE),
    _named("title", "title", "title of the playlist"),
    tags=("playlist",),
    few=True,
)
REVIEWS = _source(
    *("reviews", "review", "song reviews of mine on music", "music.show_my_reviews"),
    _dated("created_at", "that I wrote", "the day I wrote it"),
    _named("song_title", "song title", "title of the song"),
    tags=("review",),
    when="on which I wrote a review of a song",
    few=True,
)
RECEIVED = _source(
    *("received_payments", "payment", "wallet payments to me", "wallet.show_transactions", ', direction="received"'),
    *(_MADE, _NOTE, _person("sender", "the sender")),
    tags=("payment", "email", "amount"),
    when="on which I got a wallet payment",
)
SENT = _source(
    *("sent_payments", "payment", "wallet payments from me to others", "wallet.show_transactions"),
    *(', direction="sent"', _MADE, _NOTE, _person("receiver", "the receiver")),
    tags=("payment", "sent", "email", "amount"),
    when="on which I made a wallet payment",
)
ASKED = _source(
    *("received_requests", "request", "pending payment requests to me in the wallet", "wallet.show_received_requests"),
    *(', status="pending"', _ASKED, _REQUEST, _person("requester", "the requester")),
    tags=("asked", "email", "amount"),
    few=True,
)
ASKING = _source(
    *("sent_requests", "request", "pending wallet requests of mine to others", "wallet.show_sent_requests"),
    *(', status="pending"', _ASKED, _REQUEST, _person("payer", "the person asked")),
    tags=("asking", "email", "amount"),
    when="on which I sent a payment request that is still pending",
    few=True,
)
TRANSFERS = _source(
    *(
        "card_transfers",
        "transfer",
        "transfers between my cards and my wallet",
        "wallet.show_card_transfers",
        "",
        _MADE,
    ),
    _named("kind", "kind", 'kind (as the wallet calls it, "top_up" or "withdrawal")'),
    tags=("transfer", "amount"),
    when="on which money moved between a card and my wallet",
    few=True,
)
TEXTS = _source(
    *("received_texts", "message", "text messages from others on my phone", "phone.show_text_messages"),
    *(', direction="received"', _SENT, _TEXT, _person("sender", "the sender")),
    tags=("text", "phone"),
    when="on which somebody texted me",
)
WRITTEN = _source(
    *("sent_texts", "message", "text messages of mine to others on my phone", "phone.show_text_messages"),
    *(', direction="sent"', _SENT, _TEXT, _person("receiver", "the receiver")),
    tags=("text", "phone"),
    when="on which I sent a text message",
)
VOICES = _source(
    *("voice_messages", "message", "voice messages from others on my phone", "phone.show_voice_messages"),
    *(', direction="received"', _SENT, _person("sender", "the sender")),
    _named("transcript", "transcript", "transcript of the message"),
    tags=("voice", "phone"),
    few=True,
)
MISSED = _source(
    *("missed_calls", "call", "missed incoming calls in my phone's log", "phone.show_call_log"),
    *(', direction="incoming", is_missed=True', _person("caller", "the caller", called=True)),
    _dated("started_at", "that came in", "the day it came in") | {"by": "when they came in"},
    tags=("call", "phone"),
    when="on which I missed a call",
    few=True,
)
CALLS = _source(
    *("made_calls", "call", "outgoing calls in my phone's log", "phone.show_call_log", ', direction="outgoing"'),
    _person("callee", "the person called", called=True),
    _dated("started_at", "that began", "the day it began") | {"by": "when they began"},
    tags=("call", "phone"),
    when="on which I called somebody",
    few=True,
)
NOTES = _source(
    *("notes", "note", "notes in my notes app (archived ones aside)", "notes.list_notes", _PAPER, _CREATED),
    tags=("note",),
    when="on which I created a note that is not archived",
)
CHANGED = _source(
    *("changed_notes", "note", "notes of mine, archived or not,", "notes.search_notes", _PAPER, _CHANGED),
    tags=("note", "any_note"),
)
FILES = _source(
    *("files", "file", "files of mine in the files app", "files.search_files", _CREATED),
    _named("path", "full path", "full path of the file"),
    tags=("file",),
    when="on which a file of mine was created",
)
PAPERS = _source(
    *("documents", "file", 'files below my folder "~/documents"', "files.search_files"),
    *(', directory_path="~/documents"', _CHANGED),
    name='ROW["path"].rpartition("/")[2]',
    called="file name",
    what="file name (without the folders)",
    tags=("file",),
    few=True,
)
DUE = _source(
    *("due_tasks", "task", "open tasks in my todo app", "todo.list_tasks", ", done=False", _TASK),
    {"field": "due_date", "clause": "that are due", "its": "the due date of it", "by": "when they are due"},
    precise=False,
    future=True,
    test='ROW["due_date"]',
    tags=("task", "open_task"),
    when="on which an open task of mine is due",
    few=True,
)
DONE = _source(
    *("done_tasks", "task", "done tasks in my todo app", "todo.list_tasks", ", done=True", _TASK),
    _dated("completed_at", "that were completed", "the day it was completed"),
    tags=("task", "done_task"),
    when="on which I completed a task",
    few=True,
)
WRITTEN_DOWN = _source(
    *("tasks", "task", "open tasks in my todo app", "todo.list_tasks", ", done=False", _TASK, _CREATED),
    tags=("task", "open_task"),
)
EXPENSES = _source(
    *("expenses", "expense", "expenses of mine on splits", "splits.show_expenses", _RECORDED, _EXPENSE),
    tags=("expense", "amount"),
    when="on which an expense of mine on splits was recorded",
)
PAID = _source(
    *("own_expenses", "expense", "splits expenses paid by me", "splits.show_expenses", ", paid_by_email=my_email"),
    *(_RECORDED, _EXPENSE),
    before='    my_email = apis.splits.show_account(access_token=splits_token)["email"]\n',
    tags=("expense", "own", "amount"),
    few=True,
)
IN_PLAYLIST = _source(
    *("playlist_songs", "song", 'songs in my music playlist "{playlist}"', "music.show_playlist", _RELEASED, _SONG),
    reading='apis.music.show_playlist(TOKEN, playlist_id=playlist_id)["songs"]',
    before=PLAYLIST.finds,
    given=(inside(PLAYLIST),),
    tags=("song", "old"),
)
IN_GROUP = _source(
    *("group_expenses", "expense", 'expenses in my splits group "{group}"', "splits.show_expenses"),
    *(", group_id=group_id", _RECORDED, _EXPENSE),
    before=GROUP.finds,
    given=(inside(GROUP),),
    tags=("within", "expense", "amount"),
)
IN_PROJECT = _source(
    *("project_tasks", "task", 'open tasks in my todo project "{project}"', "todo.list_tasks"),
    *(", project_id=project_id, done=False", _TASK, _CREATED),
    before=PROJECT.finds,
    given=(inside(PROJECT),),
    tags=("within", "task", "open_task"),
)
_MUSIC = (LIBRARY, PLAYED, LIKED, ALBUMS, REVIEWS, PLAYLISTS, ADVISED, IN_PLAYLIST)
_MONEY = (RECEIVED, EXPENSES, ASKED, SENT, PAID, ASKING, TRANSFERS, IN_GROUP)
_PHONE = (TEXTS, MISSED, WRITTEN, CALLS, VOICES)
_WORK = (DUE, NOTES, DONE, FILES, CHANGED, WRITTEN_DOWN, PAPERS, IN_PROJECT)
SOURCES = in_turn(_MUSIC, _MONEY, _WORK, _PHONE)
"""Apps take turns."""
