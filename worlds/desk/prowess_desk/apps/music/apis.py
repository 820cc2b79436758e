"""APIs of the music app: catalogue, library, playlists, player and reviews.

They are documented in the order in which they stand here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.music import rows
from prowess_desk.apps.music.rows import (
    Album,
    Artist,
    Listener,
    PlayCount,
    Player,
    Playlist,
    SavedAlbum,
    SavedSong,
    Song,
    SongReview,
)
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import (
    App,
    Ctx,
    OneOf,
    PageIndex,
    PageLimit,
    Query,
    Span,
    conflict,
    forbidden,
    invalid,
    missing,
    page,
)
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import card, day, matches, oldest_first
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


# Catalogue


Genre = Annotated[str | None, "only this genre, one of list_genres"]
SongOrder = Annotated[
    str,
    "order of the results: by title, or longest, most played or newest first",
    OneOf(("title", "duration", "play_count", "release_date")),
]


@music.api(returns=[SONG])
def search_songs(
    ctx: Ctx,
    query: Query = "",
    genre: Genre = None,
    artist_id: Annotated[int | None, "only songs of this artist"] = None,
    min_release_date: Annotated[str | None, "only songs released on or after this day, YYYY-MM-DD"] = None,
    max_release_date: Annotated[str | None, "only songs released on or before this day, YYYY-MM-DD"] = None,
    sort_by: SongOrder = "title",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search the catalogue for songs by words of title or artist, genre, artist and release date."""
    artists = ctx.state[Artist]
    first = day("min_release_date", min_release_date) if min_release_date is not None else None
    last = day("max_release_date", max_release_date) if max_release_date is not None else None
    found = [
        song
        for song in ctx.state[Song]
        if (genre is None or song.genre == genre)
        and (artist_id is None or song.artist == artist_id)
        and (first is None or song.released >= first)
        and (last is None or song.released <= last)
        and (not query or matches(query, song.title, artists[song.artist].name))
    ]
    if sort_by == "title":
        found.sort(key=lambda song: song.title)
    elif sort_by == "duration":
        found.sort(key=lambda song: -song.seconds)
    elif sort_by == "play_count":
        found.sort(key=lambda song: -song.plays)
    else:
        found.sort(key=lambda song: song.released, reverse=True)
    return shown_songs(ctx.state, found, page_index, page_limit)


@music.api(returns=[ALBUM])
def search_albums(
    ctx: Ctx,
    query: Query = "",
    genre: Genre = None,
    artist_id: Annotated[int | None, "only albums of this artist"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search the catalogue for albums by words of title or artist, genre and artist."""
    found = [
        album
        for album in ctx.state[Album]
        if (genre is None or album.genre == genre)
        and (artist_id is None or album.artist == artist_id)
        and (not query or matches(query, album.title, ctx.state[Artist][album.artist].name))
    ]
    return [shown_album(ctx.state, album) for album in page(found, page_index, page_limit)]


@music.api(returns=[ARTIST])
def search_artists(
    ctx: Ctx, query: Query = "", genre: Genre = None, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """Search the catalogue for artists by words of the name and genre."""
    found = [
        artist
        for artist in ctx.state[Artist]
        if (genre is None or artist.genre == genre) and matches(query, artist.name)
    ]
    return [shown_artist(artist) for artist in page(found, page_index, page_limit)]


@music.api(returns=["string"])
def list_genres(ctx: Ctx) -> Json:
    """List the genres of the catalogue."""
    return sorted({artist.genre for artist in ctx.state[Artist]})


@music.api(returns={**SONG, "rating": "average of all reviews or null", "review_count": 1})
def show_song(ctx: Ctx, song_id: SongId) -> Json:
    """Show one song with the average rating of its reviews."""
    song = song_with(ctx.state, song_id)
    ratings = [review.rating for review in ctx.state[SongReview].of(("song", song_id))]
    return {
        **shown_song(ctx.state, song),
        "rating": round(sum(ratings) / len(ratings), 2) if ratings else None,
        "review_count": len(ratings),
    }


@music.api(returns={**ALBUM, "songs": [SONG]})
def show_album(ctx: Ctx, album_id: AlbumId) -> Json:
    """Show one album with its songs."""
    album = album_with(ctx.state, album_id)
    songs = [shown_song(ctx.state, ctx.state[Song][id]) for id in album.song_ids]
    return {**shown_album(ctx.state, album), "songs": songs}


@music.api(returns={**ARTIST, "album_ids": [1], "song_ids": [1]})
def show_artist(ctx: Ctx, artist_id: ArtistId) -> Json:
    """Show one artist with the ids of their albums and songs."""
    artist = artist_with(ctx.state, artist_id)
    return {
        **shown_artist(artist),
        "album_ids": [album.id for album in ctx.state[Album] if album.artist == artist_id],
        "song_ids": [song.id for song in ctx.state[Song] if song.artist == artist_id],
    }


# Library


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
    followed = {*ctx.state[Listener][ctx.me.id].followed_artist_ids}
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


# Playlists


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


# Player


_QUEUE = [{"song_id": 1, "title": "string"}]
_PLAYER = {"current_song": SONG, "is_playing": True, "volume": 50, "position": 0, "queue": _QUEUE}


def _player(ctx: Ctx) -> Json:
    player = ctx.state[Player][ctx.me.id]
    songs = [ctx.state[Song][id] for id in player.queue]
    return {
        "current_song": shown_song(ctx.state, songs[player.position]) if songs else None,
        "is_playing": player.playing,
        "volume": player.volume,
        "position": player.position,
        "queue": [{"song_id": song.id, "title": song.title} for song in songs],
    }


def _queued(ctx: Ctx) -> Player:
    player = ctx.state[Player][ctx.me.id]
    if not player.queue:
        conflict("The queue is empty: play something first.")
    return player


@music.api(returns=_PLAYER)
def show_player(ctx: Ctx) -> Json:
    """Show what is on, the queue and the volume."""
    return _player(ctx)


@music.api(returns={"message": "Playing.", "song_id": 1})
def play(
    ctx: Ctx,
    song_id: Annotated[int | None, "play this song"] = None,
    album_id: Annotated[int | None, "play the songs of this album"] = None,
    playlist_id: Annotated[int | None, "play the songs of this playlist"] = None,
) -> Json:
    """Replace the queue by one song, album or playlist and play it from its start; with none of them, resume."""
    given = [id for id in (song_id, album_id, playlist_id) if id is not None]
    if len(given) > 1:
        invalid("Give one of song_id, album_id and playlist_id, or none to resume.")
    if song_id is not None:
        player = rows.play(ctx.state, ctx.me.id, [song_with(ctx.state, song_id).id])
    elif album_id is not None:
        player = rows.play(ctx.state, ctx.me.id, album_with(ctx.state, album_id).song_ids)
    elif playlist_id is not None:
        songs = playlist_seen(ctx, playlist_id).song_ids
        if not songs:
            conflict(f"Playlist {playlist_id} is empty.")
        player = rows.play(ctx.state, ctx.me.id, songs)
    else:
        _queued(ctx)
        player = rows.set_playing(ctx.state, ctx.me.id, True)
    return {"message": "Playing.", "song_id": player.queue[player.position]}


@music.api(returns={"message": "Paused."})
def pause(ctx: Ctx) -> Json:
    """Pause the player."""
    if not _queued(ctx).playing:
        conflict("The player is already paused.")
    rows.set_playing(ctx.state, ctx.me.id, False)
    return {"message": "Paused."}


@music.api(returns={"message": "Playing.", "song_id": 1})
def skip(
    ctx: Ctx, direction: Annotated[str, "which way in the queue, round its ends", OneOf(("next", "previous"))] = "next"
) -> Json:
    """Go to the next or the previous song of the queue and play it."""
    _queued(ctx)
    player = rows.skip(ctx.state, ctx.me.id, 1 if direction == "next" else -1)
    return {"message": "Playing.", "song_id": player.queue[player.position]}


@music.api(returns={"message": "Added to the queue.", "song_id": 1})
def add_to_queue(ctx: Ctx, song_id: SongId) -> Json:
    """Add a song at the end of the queue."""
    rows.enqueue(ctx.state, ctx.me.id, song_with(ctx.state, song_id).id)
    return {"message": "Added to the queue.", "song_id": song_id}


@music.api(returns={"message": "The queue is empty."})
def clear_queue(ctx: Ctx) -> Json:
    """Empty the queue, which stops the player."""
    rows.clear_queue(ctx.state, ctx.me.id)
    return {"message": "The queue is empty."}


@music.api(returns={"message": "Volume set.", "volume": 50})
def set_volume(ctx: Ctx, volume: Annotated[int, "how loud", Span(0, 100)]) -> Json:
    """Set the volume of the player."""
    rows.set_volume(ctx.state, ctx.me.id, volume)
    return {"message": "Volume set.", "volume": volume}


# Reviews


ReviewId = Annotated[int, "id of the review"]
Rating = Annotated[int, "1 (bad) to 5 (excellent)", Span(1, 5)]

_REVIEW = {
    "review_id": 1,
    "song_id": 1,
    "song_title": "string",
    "rating": 5,
    "text": "string",
    "author": {"name": "string", "email": "string"},
    "created_at": "2025-01-31T10:00:00",
}


def _review(state: State, review: SongReview) -> dict[str, Json]:
    return {
        "review_id": review.id,
        "song_id": review.song,
        "song_title": state[Song][review.song].title,
        "rating": review.rating,
        "text": review.text,
        "author": card(state[Person][review.author]),
        "created_at": review.created_at.isoformat(),
    }


def _own_review(ctx: Ctx, review_id: int) -> SongReview:
    review = ctx.state[SongReview].get(review_id) or missing("review", review_id)
    if review.author != ctx.me.id:
        forbidden(f"Review {review_id} was written by somebody else.")
    return review


@music.api(returns=[_REVIEW])
def show_song_reviews(ctx: Ctx, song_id: SongId, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List everybody's reviews of a song, oldest first."""
    song_with(ctx.state, song_id)
    found = oldest_first(ctx.state[SongReview].of(("song", song_id)))
    return [_review(ctx.state, review) for review in page(found, page_index, page_limit)]


@music.api(returns=[_REVIEW])
def show_my_reviews(
    ctx: Ctx,
    min_rating: Annotated[int, "least rating", Span(1, 5)] = 1,
    max_rating: Annotated[int, "greatest rating", Span(1, 5)] = 5,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List the song reviews you wrote, oldest first."""
    mine = oldest_first(ctx.state[SongReview].of(ctx.me.id))
    found = [row for row in mine if min_rating <= row.rating <= max_rating]
    return [_review(ctx.state, review) for review in page(found, page_index, page_limit)]


@music.api(returns={"message": "Review saved.", "review_id": 1})
def review_song(
    ctx: Ctx, song_id: SongId, rating: Rating, text: Annotated[str, "what you think of it; may be empty"] = ""
) -> Json:
    """Rate a song you have not rated yet, with a text if you want."""
    song_with(ctx.state, song_id)
    if any(row.author == ctx.me.id for row in ctx.state[SongReview].of(("song", song_id))):
        conflict(f"You have already reviewed song {song_id}: use update_review.")
    return {"message": "Review saved.", "review_id": rows.review(ctx.state, ctx.me.id, song_id, rating, text).id}


@music.api(returns={"message": "Review updated.", "review_id": 1})
def update_review(
    ctx: Ctx,
    review_id: ReviewId,
    rating: Annotated[int | None, "new rating, or null to keep it", Span(1, 5)] = None,
    text: Annotated[str | None, "new text, or null to keep it"] = None,
) -> Json:
    """Change the rating or the text of one of your reviews."""
    _own_review(ctx, review_id)
    rows.change_review(ctx.state, review_id, rating=rating, text=text)
    return {"message": "Review updated.", "review_id": review_id}


@music.api(returns={"message": "Review deleted.", "review_id": 1})
def delete_review(ctx: Ctx, review_id: ReviewId) -> Json:
    """Delete one of your reviews."""
    _own_review(ctx, review_id)
    rows.delete_review(ctx.state, review_id)
    return {"message": "Review deleted.", "review_id": review_id}
