"""APIs on what an account keeps, likes, follows and has played."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.music import rows
from prowess_desk.apps.music.app import (
    ALBUM,
    ARTIST,
    SONG,
    AlbumId,
    ArtistId,
    SongId,
    album_with,
    artist_with,
    music,
    shown_album,
    shown_artist,
    shown_song,
    shown_songs,
    song_with,
)
from prowess_desk.apps.music.rows import Album, Artist, Listener, PlayCount, SavedAlbum, SavedSong, Song
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, conflict, page


@music.api(returns=[{**SONG, "added_at": "2025-01-31T10:00:00"}])
def show_song_library(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the songs in your library, latest added first."""
    saved = sorted(ctx.state[SavedSong].of(ctx.me.id), key=lambda row: (row.added_at, row.id), reverse=True)
    return [
        {**shown_song(ctx.state, ctx.state[Song][row.song]), "added_at": row.added_at.isoformat()}
        for row in page(saved, page_index, page_limit)
    ]


@music.api(returns={"message": "Added to your library.", "song_id": 1})
def add_song_to_library(ctx: Ctx, song_id: SongId) -> Json:
    """Add a song to your library."""
    song_with(ctx.state, song_id)
    if any(row.song == song_id for row in ctx.state[SavedSong].of(ctx.me.id)):
        conflict(f"Song {song_id} is already in your library.")
    rows.save_song(ctx.state, ctx.me.id, song_id)
    return {"message": "Added to your library.", "song_id": song_id}


@music.api(returns={"message": "Removed from your library.", "song_id": 1})
def remove_song_from_library(ctx: Ctx, song_id: SongId) -> Json:
    """Remove a song from your library."""
    song_with(ctx.state, song_id)
    if all(row.song != song_id for row in ctx.state[SavedSong].of(ctx.me.id)):
        conflict(f"Song {song_id} is not in your library.")
    rows.unsave_song(ctx.state, ctx.me.id, song_id)
    return {"message": "Removed from your library.", "song_id": song_id}


@music.api(returns=[{**ALBUM, "added_at": "2025-01-31T10:00:00"}])
def show_album_library(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the albums in your library, latest added first."""
    saved = sorted(ctx.state[SavedAlbum].of(ctx.me.id), key=lambda row: (row.added_at, row.id), reverse=True)
    return [
        {**shown_album(ctx.state, ctx.state[Album][row.album]), "added_at": row.added_at.isoformat()}
        for row in page(saved, page_index, page_limit)
    ]


@music.api(returns={"message": "Added to your library.", "album_id": 1})
def add_album_to_library(ctx: Ctx, album_id: AlbumId) -> Json:
    """Add an album to your library; its songs are not added one by one."""
    album_with(ctx.state, album_id)
    if any(row.album == album_id for row in ctx.state[SavedAlbum].of(ctx.me.id)):
        conflict(f"Album {album_id} is already in your library.")
    rows.save_album(ctx.state, ctx.me.id, album_id)
    return {"message": "Added to your library.", "album_id": album_id}


@music.api(returns={"message": "Removed from your library.", "album_id": 1})
def remove_album_from_library(ctx: Ctx, album_id: AlbumId) -> Json:
    """Remove an album from your library."""
    album_with(ctx.state, album_id)
    if all(row.album != album_id for row in ctx.state[SavedAlbum].of(ctx.me.id)):
        conflict(f"Album {album_id} is not in your library.")
    rows.unsave_album(ctx.state, ctx.me.id, album_id)
    return {"message": "Removed from your library.", "album_id": album_id}


@music.api(returns=[SONG])
def show_liked_songs(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the songs you like."""
    songs = [ctx.state[Song][id] for id in ctx.state[Listener][ctx.me.id].liked_song_ids]
    return shown_songs(ctx.state, songs, page_index, page_limit)


@music.api(returns={"message": "Liked.", "song_id": 1})
def like_song(ctx: Ctx, song_id: SongId) -> Json:
    """Like a song."""
    song_with(ctx.state, song_id)
    if song_id in ctx.state[Listener][ctx.me.id].liked_song_ids:
        conflict(f"You already like song {song_id}.")
    rows.like_song(ctx.state, ctx.me.id, song_id)
    return {"message": "Liked.", "song_id": song_id}


@music.api(returns={"message": "No longer liked.", "song_id": 1})
def unlike_song(ctx: Ctx, song_id: SongId) -> Json:
    """Take back your like of a song."""
    song_with(ctx.state, song_id)
    if song_id not in ctx.state[Listener][ctx.me.id].liked_song_ids:
        conflict(f"You have not liked song {song_id}.")
    rows.unlike_song(ctx.state, ctx.me.id, song_id)
    return {"message": "No longer liked.", "song_id": song_id}


@music.api(returns=[ALBUM])
def show_liked_albums(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the albums you like."""
    albums = page(list(ctx.state[Listener][ctx.me.id].liked_album_ids), page_index, page_limit)
    return [shown_album(ctx.state, ctx.state[Album][id]) for id in albums]


@music.api(returns={"message": "Liked.", "album_id": 1})
def like_album(ctx: Ctx, album_id: AlbumId) -> Json:
    """Like an album."""
    album_with(ctx.state, album_id)
    if album_id in ctx.state[Listener][ctx.me.id].liked_album_ids:
        conflict(f"You already like album {album_id}.")
    rows.like_album(ctx.state, ctx.me.id, album_id)
    return {"message": "Liked.", "album_id": album_id}


@music.api(returns={"message": "No longer liked.", "album_id": 1})
def unlike_album(ctx: Ctx, album_id: AlbumId) -> Json:
    """Take back your like of an album."""
    album_with(ctx.state, album_id)
    if album_id not in ctx.state[Listener][ctx.me.id].liked_album_ids:
        conflict(f"You have not liked album {album_id}.")
    rows.unlike_album(ctx.state, ctx.me.id, album_id)
    return {"message": "No longer liked.", "album_id": album_id}


@music.api(returns=[ARTIST])
def show_followed_artists(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the artists you follow."""
    artists = page(list(ctx.state[Listener][ctx.me.id].followed_artist_ids), page_index, page_limit)
    return [shown_artist(ctx.state[Artist][id]) for id in artists]


@music.api(returns={"message": "Followed.", "artist_id": 1})
def follow_artist(ctx: Ctx, artist_id: ArtistId) -> Json:
    """Follow an artist."""
    artist_with(ctx.state, artist_id)
    if artist_id in ctx.state[Listener][ctx.me.id].followed_artist_ids:
        conflict(f"You already follow artist {artist_id}.")
    rows.follow(ctx.state, ctx.me.id, artist_id)
    return {"message": "Followed.", "artist_id": artist_id}


@music.api(returns={"message": "No longer followed.", "artist_id": 1})
def unfollow_artist(ctx: Ctx, artist_id: ArtistId) -> Json:
    """Stop following an artist."""
    artist_with(ctx.state, artist_id)
    if artist_id not in ctx.state[Listener][ctx.me.id].followed_artist_ids:
        conflict(f"You do not follow artist {artist_id}.")
    rows.unfollow(ctx.state, ctx.me.id, artist_id)
    return {"message": "No longer followed.", "artist_id": artist_id}


@music.api(returns=[SONG])
def show_recommendations(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List songs of the artists you follow that are not in your library, most played first."""
    followed = ctx.state[Listener][ctx.me.id].followed_artist_ids
    known = {row.song for row in ctx.state[SavedSong].of(ctx.me.id)}
    songs = [song for song in ctx.state[Song] if song.artist in followed and song.id not in known]
    return shown_songs(ctx.state, sorted(songs, key=lambda song: -song.plays), page_index, page_limit)


@music.api(returns=[{**SONG, "my_play_count": 10, "last_played_at": "2025-01-31T10:00:00"}])
def show_play_history(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the songs you have played and how often (counted every night), last played first."""
    counts = sorted(ctx.state[PlayCount].of(ctx.me.id), key=lambda row: (row.last_at, row.id), reverse=True)
    return [
        {
            **shown_song(ctx.state, ctx.state[Song][row.song]),
            "my_play_count": row.plays,
            "last_played_at": row.last_at.isoformat(),
        }
        for row in page(counts, page_index, page_limit)
    ]
