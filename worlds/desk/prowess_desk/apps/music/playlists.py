"""APIs on playlists."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.music import rows
from prowess_desk.apps.music.app import SONG, SongId, music, shown_song, song_with
from prowess_desk.apps.music.rows import Playlist, Song
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Query, conflict, forbidden, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import matches, oldest_first
from prowess_desk.engine.tables import State

PlaylistId = Annotated[int, "id of the playlist"]
Title = Annotated[str, "title of the playlist, not one that another of your playlists has"]

_PLAYLIST = {
    "playlist_id": 1,
    "title": "string",
    "is_public": False,
    "song_ids": [1],
    "owner": "e-mail address",
    "created_at": "2025-01-31T10:00:00",
}


def _playlist(state: State, playlist: Playlist) -> dict[str, Json]:
    return {
        "playlist_id": playlist.id,
        "title": playlist.title,
        "is_public": playlist.public,
        "song_ids": list(playlist.song_ids),
        "owner": state[Person][playlist.owner].email,
        "created_at": playlist.created_at.isoformat(),
    }


def playlist_seen(ctx: Ctx, playlist_id: int) -> Playlist:
    playlist = ctx.state[Playlist].get(playlist_id)
    if playlist is None or not (playlist.public or playlist.owner == ctx.me.id):
        missing("playlist", playlist_id)
    return playlist


def _own_playlist(ctx: Ctx, playlist_id: int) -> Playlist:
    playlist = playlist_seen(ctx, playlist_id)
    if playlist.owner != ctx.me.id:
        forbidden(f"Playlist {playlist_id} belongs to somebody else.")
    return playlist


def _free_title(ctx: Ctx, title: str, playlist_id: int = 0) -> str:
    """A title that no other playlist of this account has."""
    if not title.strip():
        invalid("title must not be empty.")
    if any(mine.title == title and mine.id != playlist_id for mine in ctx.state[Playlist].of(ctx.me.id)):
        conflict(f"You already have a playlist titled '{title}'.")
    return title


@music.api(returns=[_PLAYLIST])
def show_playlists(
    ctx: Ctx,
    query: Query = "",
    is_public: Annotated[bool | None, "only public or only private playlists"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your playlists, oldest first."""
    found = [
        playlist
        for playlist in oldest_first(ctx.state[Playlist].of(ctx.me.id))
        if (is_public is None or playlist.public == is_public) and matches(query, playlist.title)
    ]
    return [_playlist(ctx.state, playlist) for playlist in page(found, page_index, page_limit)]


@music.api(returns={**_PLAYLIST, "songs": [SONG]})
def show_playlist(ctx: Ctx, playlist_id: PlaylistId) -> Json:
    """Show one playlist, your own or a public one, with its songs."""
    playlist = playlist_seen(ctx, playlist_id)
    songs = [shown_song(ctx.state, ctx.state[Song][id]) for id in playlist.song_ids]
    return {**_playlist(ctx.state, playlist), "songs": songs}


@music.api(returns={"message": "Playlist created.", "playlist_id": 1})
def create_playlist(ctx: Ctx, title: Title, is_public: Annotated[bool, "whether others can see it"] = False) -> Json:
    """Create an empty playlist."""
    playlist = rows.create_playlist(ctx.state, ctx.me.id, _free_title(ctx, title), public=is_public)
    return {"message": "Playlist created.", "playlist_id": playlist.id}


@music.api(returns={"message": "Playlist updated.", "playlist_id": 1})
def update_playlist(
    ctx: Ctx,
    playlist_id: PlaylistId,
    title: Annotated[str | None, "new title, or null to keep it"] = None,
    is_public: Annotated[bool | None, "whether others can see it, or null to keep it"] = None,
) -> Json:
    """Rename one of your playlists, or make it public or private."""
    _own_playlist(ctx, playlist_id)
    if title is not None:
        _free_title(ctx, title, playlist_id)
    rows.change_playlist(ctx.state, playlist_id, title=title, public=is_public)
    return {"message": "Playlist updated.", "playlist_id": playlist_id}


@music.api(returns={"message": "Playlist deleted.", "playlist_id": 1})
def delete_playlist(ctx: Ctx, playlist_id: PlaylistId) -> Json:
    """Delete one of your playlists."""
    _own_playlist(ctx, playlist_id)
    rows.delete_playlist(ctx.state, playlist_id)
    return {"message": "Playlist deleted.", "playlist_id": playlist_id}


@music.api(returns={"message": "Song added to the playlist.", "playlist_id": 1})
def add_song_to_playlist(ctx: Ctx, playlist_id: PlaylistId, song_id: SongId) -> Json:
    """Add a song to one of your playlists."""
    playlist = _own_playlist(ctx, playlist_id)
    song_with(ctx.state, song_id)
    if song_id in playlist.song_ids:
        conflict(f"Song {song_id} is already in playlist {playlist_id}.")
    rows.add_to_playlist(ctx.state, playlist_id, song_id)
    return {"message": "Song added to the playlist.", "playlist_id": playlist_id}


@music.api(returns={"message": "Song removed from the playlist.", "playlist_id": 1})
def remove_song_from_playlist(ctx: Ctx, playlist_id: PlaylistId, song_id: SongId) -> Json:
    """Remove a song from one of your playlists."""
    playlist = _own_playlist(ctx, playlist_id)
    song_with(ctx.state, song_id)
    if song_id not in playlist.song_ids:
        conflict(f"Song {song_id} is not in playlist {playlist_id}.")
    rows.remove_from_playlist(ctx.state, playlist_id, song_id)
    return {"message": "Song removed from the playlist.", "playlist_id": playlist_id}
