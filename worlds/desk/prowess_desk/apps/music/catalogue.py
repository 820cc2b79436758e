"""APIs on the catalogue of songs, albums and artists."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
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
from prowess_desk.apps.music.rows import Album, Artist, Song, SongReview
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, Query, page
from prowess_desk.engine.reading import day, matches

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
