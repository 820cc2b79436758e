"""Songs, albums, reviews and playlists to report on."""

from __future__ import annotations

from prowess_practice.errands.reports.groups import Key, ReportField
from prowess_practice.errands.reports.sources import ReportSource, day, month, year
from prowess_practice.errands.transfers import albums, songs
from prowess_practice.errands.transfers.parts import RowPool

_MUSIC = "access_token=music_token"
ARTIST = Key(word="artist", code='ROW["artist_name"]', called="artist", of="by that artist")
GENRE = Key(word="genre", code='ROW["genre"]', called="genre", of="of that genre")
RELEASED = year("release_date", "release year", "from that year")
LENGTH = ReportField(word="duration", code='ROW["duration"]', one="duration in seconds", many="durations in seconds")
PLAYS = ReportField(word="plays", code='ROW["play_count"]', one="play count", many="play counts")
MINE = ReportField(
    word="my_plays", code='ROW["my_play_count"]', one="number of plays by me", many="numbers of plays by me"
)
RATING = ReportField(word="rating", code='ROW["rating"]', one="star rating", many="star ratings")
TITLE = ReportField(word="titles", code='ROW["title"]', one="title", many="titles")
ARTISTS = ReportField(word="artists", code='ROW["artist_name"]', one="artist", many="artists")
TRACKS = ReportField(word="tracks", code='len(ROW["song_ids"])', one="number of songs", many="numbers of songs")
_LISTED = RowPool(
    app="music",
    word="songs_in_playlists",
    row="song",
    one="song in a playlist of mine",
    many="songs in all playlists of mine (a song counts as often as it is in one)",
    reading=(
        "    songs = []\n"
        f"    for playlist in all_pages(apis.music.show_playlists, {_MUSIC}):\n"
        f'        shown = apis.music.show_playlist({_MUSIC}, playlist_id=playlist["playlist_id"])\n'
        '        songs += shown["songs"]\n'
    ),
)
_ON_SHELF = RowPool(
    app="music",
    word="songs_on_albums",
    row="song",
    one="song on an album in my album library",
    many="songs on the albums in my album library",
    reading=(
        "    songs = []\n"
        f"    for album in all_pages(apis.music.show_album_library, {_MUSIC}):\n"
        f'        songs += apis.music.show_album({_MUSIC}, album_id=album["album_id"])["songs"]\n'
    ),
)
_OF_FOLLOWED = RowPool(
    app="music",
    word="albums_of_followed",
    row="album",
    one="album of an artist I follow on music",
    many="albums of the artists I follow on music",
    reading=(
        "    albums = []\n"
        f"    for star in all_pages(apis.music.show_followed_artists, {_MUSIC}):\n"
        f'        albums += all_pages(apis.music.search_albums, {_MUSIC}, artist_id=star["artist_id"])\n'
    ),
)
_BY_SINGER = Key(
    word="artist",
    code=f'apis.music.show_song({_MUSIC}, song_id=ROW["song_id"])["artist_name"]',
    called="artist",
    of="of songs by that artist",
    hint="The artist is that of the reviewed song.",
)
_STARS = Key(
    word="stars",
    code="f\"{ROW['rating']} stars\"",
    called="rating",
    of="with that rating",
    hint='Ratings are written as "N stars", also "1 stars".',
)
_REVIEWED = ReportField(word="songs", code='ROW["song_title"]', one="song title", many="song titles")

MUSIC = (
    ReportSource(
        pool=songs.LIBRARY,
        keys=(ARTIST, GENRE, month("added_at", "month of addition", "added in that month"), RELEASED),
        numbers=(LENGTH, PLAYS),
        days=(day("release_date", "release date"),),
        names=(TITLE,),
        kinds=(ARTISTS,),
    ),
    ReportSource(pool=songs.LIKES, keys=(GENRE, ARTIST, RELEASED), numbers=(PLAYS, LENGTH), names=(TITLE,)),
    ReportSource(
        pool=songs.HISTORY,
        keys=(ARTIST, GENRE, RELEASED),
        numbers=(MINE, LENGTH),
        days=(day("last_played_at", "date of last playing"),),
        names=(TITLE,),
        kinds=(ARTISTS,),
    ),
    ReportSource(pool=songs.ADVICE, keys=(ARTIST, GENRE), numbers=(PLAYS, LENGTH)),
    ReportSource(pool=songs.IN_PLAYLIST, keys=(GENRE, ARTIST, RELEASED), numbers=(LENGTH, PLAYS), names=(TITLE,)),
    ReportSource(pool=songs.CATALOGUE, keys=(ARTIST, RELEASED), numbers=(PLAYS, LENGTH)),
    ReportSource(pool=songs.QUEUE, keys=(ARTIST,), numbers=(LENGTH,), names=(TITLE,)),
    ReportSource(pool=_LISTED, keys=(ARTIST, GENRE, RELEASED), numbers=(LENGTH, PLAYS), kinds=(ARTISTS,)),
    ReportSource(pool=_ON_SHELF, keys=(ARTIST, GENRE), numbers=(LENGTH, PLAYS), names=(TITLE,)),
    ReportSource(pool=_OF_FOLLOWED, keys=(ARTIST, GENRE, RELEASED), numbers=(TRACKS,), names=(TITLE,)),
    ReportSource(pool=albums.KEPT, keys=(GENRE, RELEASED), numbers=(TRACKS,), names=(TITLE,), kinds=(ARTISTS,)),
    ReportSource(pool=albums.LIKED, keys=(GENRE,), numbers=(TRACKS,), names=(TITLE,)),
    ReportSource(
        pool=albums.FOLLOWED,
        keys=(GENRE,),
        names=(ReportField(word="names", code='ROW["name"]', one="name", many="names"),),
    ),
    ReportSource(
        pool=albums.REVIEWS,
        keys=(_STARS, month("created_at"), _BY_SINGER),
        numbers=(RATING,),
        days=(day("created_at"),),
        names=(_REVIEWED,),
    ),
)
