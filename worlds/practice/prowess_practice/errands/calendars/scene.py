"""Rows added on days of one's choosing, so that those of two apps meet in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from prowess_desk.apps.files import Directory, File, home
from prowess_desk.apps.music import Playlist, SavedAlbum, SavedSong, Song, SongReview
from prowess_desk.apps.music.rows import Album
from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Call, VoiceMessage, seconds_to_say
from prowess_desk.apps.splits import Expense
from prowess_desk.apps.todo import TodoTask
from prowess_desk.apps.wallet import CardTransfer, Payment, PaymentCard
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import CHORES, planned, projects_of
from prowess_desk.families.scene import acquaintances, asked, paid, texted

from prowess_practice.errands.calendars.sources import DatedSource

Grow = Callable[[Draw, datetime], object]
_PURPOSES = ("Flea market", "Old bicycle", "Piano lesson", "Plant swap", "Spare key", "Shared ride", "Picnic", "Fair")
_WORDS = ("Is the bicycle still for sale?", "Here is the address you wanted.", "See you at the market.", "Call me!")
_TITLES = ("Moving plan", "Gift ideas", "Trip log", "Garden", "Reading list", "Repairs", "Recipes", "Quotes", "Maps")


def _somebody(draw: Draw) -> Person:
    return acquaintances(draw)[0]


def _fresh(draw: Draw, names: tuple[str, ...] | list[str], taken: list[str]) -> str:
    free = [name for name in names if name not in taken]
    return draw.rng.choice(free) if free else f"{draw.rng.choice(names)} {draw.rng.randint(100, 999)}"


def _spoken(draw: Draw, when: datetime) -> None:
    words, sender, me = draw.rng.choice(_WORDS), _somebody(draw).id, draw.me.id
    draw.state[VoiceMessage].add(
        lambda id: VoiceMessage(
            id=id,
            sender=sender,
            receiver=me,
            transcript=words,
            seconds=seconds_to_say(words),
            sent_at=when,
            holders=(sender, me),
        )
    )


def _called(draw: Draw, when: datetime, *, missed: bool) -> None:
    caller, callee = (_somebody(draw), draw.me) if missed else (draw.me, _somebody(draw))
    seconds = 0 if missed else draw.rng.randint(30, 900)
    draw.state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=callee.id, started_at=when, seconds=seconds))


def _spent(draw: Draw, when: datetime, *, mine: bool) -> None:
    other, cents = _somebody(draw), draw.rng.randint(501, 4_000)
    payer = draw.me if mine or draw.rng.random() < 0.4 else other
    shares = tuple(sorted({draw.me.id: cents, other.id: cents}.items()))
    draw.state[Expense].add(
        lambda id: Expense(
            id=id,
            group=None,
            description=draw.rng.choice(_PURPOSES),
            cents=2 * cents,
            payer=payer.id,
            shares=shares,
            creator=payer.id,
            created_at=when,
        )
    )


def _noted(draw: Draw, when: datetime) -> None:
    title = _fresh(draw, _TITLES, [note.title for note in draw.state[Note].of(draw.me.id)])
    me = draw.me.id
    draw.state[Note].add(
        lambda id: Note(id=id, owner=me, title=title, content=title, tags=(), created_at=when, updated_at=when)
    )


def _filed(draw: Draw, when: datetime) -> None:
    folder = f"{home(draw.me)}/documents"
    if all(one.path != folder for one in draw.state[Directory].of(draw.me.id)):
        return
    paths = [file.path.rpartition("/")[2].removesuffix(".txt") for file in draw.state[File].of(draw.me.id)]
    name = _fresh(draw, [title.lower().replace(" ", "-") for title in _TITLES], paths)
    draw.state[File].add(
        lambda id: File(
            id=id,
            owner=draw.me.id,
            path=f"{folder}/{name}.txt",
            content=name,
            created_at=when,
            updated_at=when,
        )
    )


def _planned(draw: Draw, when: datetime, *, kind: str) -> None:
    (project,) = projects_of(draw, 1)
    title = _fresh(draw, CHORES, [task.title for task in draw.state[TodoTask].of(draw.me.id)])
    if kind == "due":
        planned(draw, project, title, due=when.date(), priority=draw.rng.randint(1, 4))
    elif kind == "done":
        planned(draw, project, title, done=when, days=(draw.state.now - when).days + 3)
    else:
        task = planned(draw, project, title, priority=draw.rng.randint(1, 4))
        draw.state[TodoTask].put(replace(task, created_at=when))


def _kept(draw: Draw, when: datetime) -> None:
    mine = {row.song for row in draw.state[SavedSong].of(draw.me.id)}
    song = draw.rng.choice([one.id for one in draw.state[Song] if one.id not in mine])
    draw.state[SavedSong].add(lambda id: SavedSong(id=id, owner=draw.me.id, song=song, added_at=when))


def _shelved(draw: Draw, when: datetime) -> None:
    mine = {row.album for row in draw.state[SavedAlbum].of(draw.me.id)}
    album = draw.rng.choice([one.id for one in draw.state[Album] if one.id not in mine])
    draw.state[SavedAlbum].add(lambda id: SavedAlbum(id=id, owner=draw.me.id, album=album, added_at=when))


def _listed(draw: Draw, when: datetime) -> None:
    title = _fresh(draw, _TITLES, [row.title for row in draw.state[Playlist].of(draw.me.id)])
    songs = tuple(sorted(draw.rng.sample([one.id for one in draw.state[Song]], 4)))
    draw.state[Playlist].add(
        lambda id: Playlist(id=id, owner=draw.me.id, title=title, public=False, song_ids=songs, created_at=when)
    )


def _reviewed(draw: Draw, when: datetime) -> None:
    mine = {row.song for row in draw.state[SongReview].of(draw.me.id)}
    song, me = draw.rng.choice([one.id for one in draw.state[Song] if one.id not in mine]), draw.me.id
    stars = draw.rng.randint(1, 5)
    draw.state[SongReview].add(
        lambda id: SongReview(id=id, author=me, song=song, rating=stars, text="", created_at=when)
    )


def _moved(draw: Draw, when: datetime) -> None:
    cards = draw.state[PaymentCard].of(draw.me.id)
    if cards:
        card, kind = draw.rng.choice(cards), draw.rng.choice(("top_up", "withdrawal"))
        cents = draw.rng.randint(1_001, 9_000)
        draw.state[CardTransfer].add(
            lambda id: CardTransfer(id=id, owner=draw.me.id, card=card.id, kind=kind, cents=cents, created_at=when)
        )


def _paid(draw: Draw, when: datetime, *, mine: bool) -> Payment:
    people = (draw.me, _somebody(draw)) if mine else (_somebody(draw), draw.me)
    return paid(draw, *people, draw.rng.choice(_PURPOSES), when)


def _asked(draw: Draw, when: datetime, *, mine: bool) -> None:
    people = (draw.me, _somebody(draw)) if mine else (_somebody(draw), draw.me)
    asked(draw, *people, draw.rng.choice(_PURPOSES), when)


def _texted(draw: Draw, when: datetime, *, mine: bool) -> None:
    people = (draw.me, _somebody(draw)) if mine else (_somebody(draw), draw.me)
    texted(draw, *people, draw.rng.choice(_WORDS), when)


GROWS: dict[str, Grow] = {
    "library_songs": _kept,
    "library_albums": _shelved,
    "playlists": _listed,
    "reviews": _reviewed,
    "received_payments": lambda draw, when: _paid(draw, when, mine=False),
    "sent_payments": lambda draw, when: _paid(draw, when, mine=True),
    "received_requests": lambda draw, when: _asked(draw, when, mine=False),
    "sent_requests": lambda draw, when: _asked(draw, when, mine=True),
    "card_transfers": _moved,
    "received_texts": lambda draw, when: _texted(draw, when, mine=False),
    "sent_texts": lambda draw, when: _texted(draw, when, mine=True),
    "voice_messages": _spoken,
    "missed_calls": lambda draw, when: _called(draw, when, missed=True),
    "made_calls": lambda draw, when: _called(draw, when, missed=False),
    "notes": _noted,
    "changed_notes": _noted,
    "files": _filed,
    "documents": _filed,
    "due_tasks": lambda draw, when: _planned(draw, when, kind="due"),
    "done_tasks": lambda draw, when: _planned(draw, when, kind="done"),
    "tasks": lambda draw, when: _planned(draw, when, kind="created"),
    "expenses": lambda draw, when: _spent(draw, when, mine=False),
    "own_expenses": lambda draw, when: _spent(draw, when, mine=True),
}
"""What adds a row to a source, by its word."""


def grown(source: DatedSource, draw: Draw, days: list[datetime]) -> None:
    """Rows of a source on these days, at any time of the day; none in the future but for what is due then."""
    for day in days:
        when = day.replace(hour=draw.rng.randint(6, 22), minute=draw.rng.randint(0, 59))
        if source.word in GROWS and (source.future or when < draw.state.now):
            GROWS[source.word](draw, when)


def anywhen(draw: Draw, count: int) -> list[datetime]:
    """Some days of the last months."""
    return [draw.state.now - timedelta(days=draw.rng.randint(1, 110)) for _ in range(count)]
