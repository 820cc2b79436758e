"""What the music app stores, and what can be done to it.

Sets of songs (likes, playlists) are sorted tuples: the order of adding leaves no trace. Only the player's queue has an
order. Play counts stand as of last night: playing something does not change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from prowess_desk.engine.reading import insert, without
from prowess_desk.engine.tables import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Artist:
    """Somebody who makes songs; names are unique."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    name: str
    genre: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """Songs released together; titles are unique."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    title: str
    artist: int
    genre: str
    released: date
    song_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Song:
    """One song of the catalogue; titles, durations and play counts are unique."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    title: str
    artist: int
    album: int | None
    """None for a single."""
    genre: str
    seconds: int
    released: date
    plays: int
    """By all listeners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """One account: likes, follows and the player. Its id is the person's."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    liked_song_ids: tuple[int, ...] = ()
    liked_album_ids: tuple[int, ...] = ()
    followed_artist_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """What an account plays. Its id is the person's."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    queue: tuple[int, ...] = ()
    position: int = 0
    """Which song of the queue is on."""
    playing: bool = False
    volume: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSong:
    """A song in somebody's library."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("added_at",)
    KEY: ClassVar[tuple[str, ...]] = ("owner", "song")

    id: int
    owner: int
    song: int
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedAlbum:
    """An album in somebody's library."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("added_at",)
    KEY: ClassVar[tuple[str, ...]] = ("owner", "album")

    id: int
    owner: int
    album: int
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Playlist:
    """A titled set of songs; an owner's titles are unique."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)

    id: int
    owner: int
    title: str
    public: bool
    song_ids: tuple[int, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SongReview:
    """What one account thinks of one song; found by its author's id and by ("song", id)."""

    OWNER: ClassVar[str] = "keys"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    KEY: ClassVar[tuple[str, ...]] = ("author", "song")

    id: int
    author: int
    song: int
    rating: int
    text: str
    created_at: datetime

    @property
    def keys(self) -> tuple[Any, ...]:
        return self.author, ("song", self.song)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCount:
    """How often one account has played one song; an owner's counts are unique."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    song: int
    plays: int
    last_at: datetime


def save_song(state: State, owner: int, song: int) -> SavedSong:
    """Put a song into the library."""
    return state[SavedSong].add(lambda id: SavedSong(id=id, owner=owner, song=song, added_at=state.now))


def unsave_song(state: State, owner: int, song: int) -> None:
    """Take a song out of the library."""
    for saved in state[SavedSong].of(owner):
        if saved.song == song:
            state[SavedSong].remove(saved.id)


def save_album(state: State, owner: int, album: int) -> SavedAlbum:
    """Put an album into the library."""
    return state[SavedAlbum].add(lambda id: SavedAlbum(id=id, owner=owner, album=album, added_at=state.now))


def unsave_album(state: State, owner: int, album: int) -> None:
    """Take an album out of the library."""
    for saved in state[SavedAlbum].of(owner):
        if saved.album == album:
            state[SavedAlbum].remove(saved.id)


def like_song(state: State, owner: int, song: int) -> None:
    state[Listener].change(owner, liked_song_ids=insert(state[Listener][owner].liked_song_ids, song))


def unlike_song(state: State, owner: int, song: int) -> None:
    state[Listener].change(owner, liked_song_ids=without(state[Listener][owner].liked_song_ids, song))


def like_album(state: State, owner: int, album: int) -> None:
    state[Listener].change(owner, liked_album_ids=insert(state[Listener][owner].liked_album_ids, album))


def unlike_album(state: State, owner: int, album: int) -> None:
    state[Listener].change(owner, liked_album_ids=without(state[Listener][owner].liked_album_ids, album))


def follow(state: State, owner: int, artist: int) -> None:
    """Follow an artist."""
    state[Listener].change(owner, followed_artist_ids=insert(state[Listener][owner].followed_artist_ids, artist))


def unfollow(state: State, owner: int, artist: int) -> None:
    """Follow an artist no more."""
    state[Listener].change(owner, followed_artist_ids=without(state[Listener][owner].followed_artist_ids, artist))


def create_playlist(
    state: State, owner: int, title: str, songs: Sequence[int] = (), *, public: bool = False
) -> Playlist:
    """Make a playlist, with songs in it if wanted."""
    return state[Playlist].add(
        lambda id: Playlist(
            id=id, owner=owner, title=title, public=public, song_ids=insert((), *songs), created_at=state.now
        )
    )


def change_playlist(state: State, playlist: int, *, title: str | None = None, public: bool | None = None) -> Playlist:
    """Rename a playlist, or make it public or private; None leaves as is."""
    old = state[Playlist][playlist]
    return state[Playlist].change(
        playlist,
        title=old.title if title is None else title,
        public=old.public if public is None else public,
    )


def delete_playlist(state: State, playlist: int) -> None:
    state[Playlist].remove(playlist)


def add_to_playlist(state: State, playlist: int, *songs: int) -> Playlist:
    return state[Playlist].change(playlist, song_ids=insert(state[Playlist][playlist].song_ids, *songs))


def remove_from_playlist(state: State, playlist: int, *songs: int) -> Playlist:
    return state[Playlist].change(playlist, song_ids=without(state[Playlist][playlist].song_ids, *songs))


def review(state: State, author: int, song: int, rating: int, text: str = "") -> SongReview:
    """Rate a song that the author has not rated yet."""
    return state[SongReview].add(
        lambda id: SongReview(id=id, author=author, song=song, rating=rating, text=text, created_at=state.now)
    )


def change_review(state: State, review: int, *, rating: int | None = None, text: str | None = None) -> SongReview:
    """Change a review; None leaves as is."""
    old = state[SongReview][review]
    return state[SongReview].change(
        review,
        rating=old.rating if rating is None else rating,
        text=old.text if text is None else text,
    )


def delete_review(state: State, review: int) -> None:
    state[SongReview].remove(review)


def play(state: State, owner: int, songs: Sequence[int]) -> Player:
    """Replace the queue and play its first song."""
    return state[Player].change(owner, queue=tuple(songs), position=0, playing=True)


def enqueue(state: State, owner: int, *songs: int) -> Player:
    """Add songs at the end of the queue."""
    return state[Player].change(owner, queue=(*state[Player][owner].queue, *songs))


def clear_queue(state: State, owner: int) -> Player:
    """Empty the queue, which stops the player."""
    return state[Player].change(owner, queue=(), position=0, playing=False)


def set_playing(state: State, owner: int, playing: bool) -> Player:
    """Pause or resume."""
    return state[Player].change(owner, playing=playing)


def skip(state: State, owner: int, by: int = 1) -> Player:
    """Go to another song of the queue, round its ends, and play it."""
    player = state[Player][owner]
    return state[Player].change(owner, position=(player.position + by) % len(player.queue), playing=True)


def set_volume(state: State, owner: int, volume: int) -> Player:
    return state[Player].change(owner, volume=volume)
