"""The music app itself, and how songs, albums and artists are found and shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.music.rows import Album, Artist, Song
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, missing, page
from prowess_desk.engine.tables import State

music = with_accounts(App("music", "Songs, albums, artists, playlists, reviews and a player."))

SongId = Annotated[int, "id of the song"]
AlbumId = Annotated[int, "id of the album"]
ArtistId = Annotated[int, "id of the artist"]

SONG = {
    "song_id": 1,
    "title": "string",
    "artist_id": 1,
    "artist_name": "string",
    "album_id": "1 or null for a single",
    "album_title": "string or null",
    "genre": "string",
    "duration": "seconds",
    "release_date": "2020-01-31",
    "play_count": 1000,
}

ALBUM = {
    "album_id": 1,
    "title": "string",
    "artist_id": 1,
    "artist_name": "string",
    "genre": "string",
    "release_date": "2020-01-31",
    "song_ids": [1],
}

ARTIST = {"artist_id": 1, "name": "string", "genre": "string"}


def shown_song(state: State, song: Song) -> dict[str, Json]:
    return {
        "song_id": song.id,
        "title": song.title,
        "artist_id": song.artist,
        "artist_name": state[Artist][song.artist].name,
        "album_id": song.album,
        "album_title": state[Album][song.album].title if song.album else None,
        "genre": song.genre,
        "duration": song.seconds,
        "release_date": song.released.isoformat(),
        "play_count": song.plays,
    }


def shown_album(state: State, album: Album) -> dict[str, Json]:
    return {
        "album_id": album.id,
        "title": album.title,
        "artist_id": album.artist,
        "artist_name": state[Artist][album.artist].name,
        "genre": album.genre,
        "release_date": album.released.isoformat(),
        "song_ids": list(album.song_ids),
    }


def shown_artist(artist: Artist) -> dict[str, Json]:
    return {"artist_id": artist.id, "name": artist.name, "genre": artist.genre}


def shown_songs(state: State, songs: Iterable[Song], page_index: int, page_limit: int) -> Json:
    """One page of songs: only those on the page are written out."""
    return [shown_song(state, song) for song in page(list(songs), page_index, page_limit)]


def song_with(state: State, song_id: int) -> Song:
    return state[Song].get(song_id) or missing("song", song_id)


def album_with(state: State, album_id: int) -> Album:
    return state[Album].get(album_id) or missing("album", album_id)


def artist_with(state: State, artist_id: int) -> Artist:
    return state[Artist].get(artist_id) or missing("artist", artist_id)
