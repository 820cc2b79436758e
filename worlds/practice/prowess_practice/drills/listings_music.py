"""Listings of the music app."""

from __future__ import annotations

from prowess_practice.drills.conditions import also, before, flag, month, over, since, text, under
from prowess_practice.drills.listing import Action, Listing, Measure, rename

_GENRE = text("genre", 'of the genre "{genre}"', "of a genre")
_ARTIST = text("artist_name", 'by "{artist_name}"', "by an artist")
_NEW = since("release_date", "released on or after {since}", "released since a day")
_OLD = before("release_date", "released before {before}", "released before a day")
_LONG = over("duration", "longer than {more_than_duration} seconds", "longer than so many seconds")
_SHORT = under("duration", "shorter than {less_than_duration} seconds", "shorter than so many seconds")
_HEARD = over("play_count", "with more than {more_than_play_count} plays", "with more plays than given")
_KEPT = ("song_id", "music", "show_song_library", "kept_songs")
_LIKED = ("song_id", "music", "show_liked_songs", "liked_songs")
IN_LIBRARY = (
    also(*_KEPT, "that are in my song library", "that are in the song library"),
    also(*_KEPT, "missing from my song library", "missing from the song library", yes=False),
)
IN_LIKES = (
    also(*_LIKED, "that I like", "that they like"),
    also(*_LIKED, "that I have not liked", "that they have not liked", yes=False),
)
SONG = (_GENRE, _ARTIST, _LONG, _SHORT, _NEW, _OLD, _HEARD)
LENGTH = Measure(field="duration", most="is the longest", least="is the shortest", sum="durations in seconds")
PLAYS = Measure(field="play_count", most="has the most plays", least="has the fewest plays", sum="play counts")
RELEASE = Measure(field="release_date", most="came out last", least="came out first")
LIKE = Action(api="like_song", verb="like", arguments='song_id=ROW["song_id"]')
KEEP = Action(api="add_song_to_library", verb="put", arguments='song_id=ROW["song_id"]', after=" into my song library")
QUEUE = Action(api="add_to_queue", verb="append", arguments='song_id=ROW["song_id"]', after=" to my play queue")
RATE = Action(
    api="review_song",
    verb="review",
    arguments='song_id=ROW["song_id"], rating=rating',
    after=" with {rating} stars and no text",
    slot="rating",
    choices=("1", "2", "3", "4", "5"),
)

MUSIC = (
    Listing(
        app="music",
        api="show_song_library",
        word="library_songs",
        row="song",
        one="song in my music library",
        many="songs in my music library",
        name="title",
        called="title",
        conditions=(
            *SONG,
            since("added_at", "added on or after {since}", "added since a day"),
            month("added_at", "added in {month}", "added in a month"),
        ),
        flags=IN_LIKES,
        measures=(LENGTH, PLAYS, RELEASE, Measure(field="added_at", most="was added last", least="was added first")),
        actions=(
            Action(api="remove_song_from_library", verb="remove", arguments='song_id=ROW["song_id"]', after=" again"),
            LIKE,
            QUEUE,
            RATE,
        ),
    ),
    Listing(
        app="music",
        api="show_liked_songs",
        word="liked_songs",
        row="song",
        one="song among those I like on music",
        many="songs that I like on music",
        name="title",
        called="title",
        conditions=SONG,
        flags=IN_LIBRARY,
        measures=(
            LENGTH,
            PLAYS,
            RELEASE,
            Measure(
                field="review_count",
                most="has the most reviews",
                least="has the fewest reviews",
                sum="numbers of reviews",
                code='apis.music.show_song(access_token=music_token, song_id=ROW["song_id"])["review_count"]',
            ),
        ),
        actions=(Action(api="unlike_song", verb="unlike", arguments='song_id=ROW["song_id"]'), KEEP, QUEUE),
    ),
    Listing(
        app="music",
        api="show_recommendations",
        word="recommended_songs",
        row="song",
        one="song that music recommends to me",
        many="songs that music recommends to me",
        name="title",
        called="title",
        conditions=SONG,
        flags=(*IN_LIKES, *IN_LIBRARY),
        measures=(LENGTH, PLAYS, RELEASE),
        actions=(LIKE, KEEP, RATE),
    ),
    Listing(
        app="music",
        api="show_play_history",
        word="played_songs",
        row="song",
        one="song in my play history on music",
        many="songs in my play history on music",
        name="title",
        called="title",
        conditions=(
            _GENRE,
            _ARTIST,
            over(
                "my_play_count",
                "that I played more than {more_than_my_play_count} times",
                "played more often than given",
            ),
            since("last_played_at", "last played on or after {since}", "last played since a day"),
            before("last_played_at", "last played before {before}", "last played before a day"),
            month("last_played_at", "last played in {month}", "last played in a month"),
        ),
        flags=(*IN_LIBRARY, *IN_LIKES),
        measures=(
            Measure(
                field="my_play_count",
                most="I played most often",
                least="I played least often",
                sum="numbers of plays by me",
            ),
            Measure(field="last_played_at", most="I played last", least="I have not played for the longest time"),
            LENGTH,
        ),
        actions=(LIKE, KEEP, QUEUE),
    ),
    Listing(
        app="music",
        api="show_album_library",
        word="library_albums",
        row="album",
        one="album in my album library",
        many="albums in my album library",
        name="title",
        called="title",
        conditions=(_GENRE, _ARTIST, _NEW, _OLD, before("added_at", "added before {before}", "added before a day")),
        measures=(RELEASE, Measure(field="added_at", most="was added last", least="was added first")),
        actions=(
            Action(api="like_album", verb="like", arguments='album_id=ROW["album_id"]'),
            Action(
                api="remove_album_from_library", verb="remove", arguments='album_id=ROW["album_id"]', after=" again"
            ),
        ),
    ),
    Listing(
        app="music",
        api="show_liked_albums",
        word="liked_albums",
        row="album",
        one="album among those I like on music",
        many="albums that I like on music",
        name="title",
        called="title",
        conditions=(_GENRE, _ARTIST, _NEW, _OLD),
        measures=(RELEASE,),
        actions=(
            Action(api="unlike_album", verb="unlike", arguments='album_id=ROW["album_id"]'),
            Action(
                api="add_album_to_library",
                verb="put",
                arguments='album_id=ROW["album_id"]',
                after=" into my album library",
            ),
        ),
    ),
    Listing(
        app="music",
        api="search_songs",
        word="catalogue_songs",
        row="song",
        one="song in the whole catalogue of music",
        many="songs in the whole catalogue of music",
        name="title",
        called="title",
        conditions=(
            text("genre", 'of the genre "{genre}"', "of a genre", argument="genre"),
            _ARTIST,
            text("album_title", 'on the album "{album_title}"', "on an album"),
        ),
        measures=(LENGTH, PLAYS, RELEASE),
        actions=(LIKE, KEEP),
    ),
    Listing(
        app="music",
        api="search_albums",
        word="catalogue_albums",
        row="album",
        one="album in the whole catalogue of music",
        many="albums in the whole catalogue of music",
        name="title",
        called="title",
        conditions=(text("genre", 'of the genre "{genre}"', "of a genre", argument="genre"), _ARTIST, _NEW, _OLD),
        measures=(RELEASE,),
        actions=(Action(api="like_album", verb="like", arguments='album_id=ROW["album_id"]'),),
    ),
    Listing(
        app="music",
        api="search_artists",
        word="artists",
        row="artist",
        one="artist in the catalogue of music",
        many="artists in the catalogue of music",
        name="name",
        called="name",
        conditions=(text("genre", 'of the genre "{genre}"', "of a genre", argument="genre", coarse=True),),
        actions=(Action(api="follow_artist", verb="follow", arguments='artist_id=ROW["artist_id"]'),),
    ),
    Listing(
        app="music",
        api="show_followed_artists",
        word="followed_artists",
        row="artist",
        one="artist whom I follow on music",
        many="artists whom I follow on music",
        name="name",
        called="name",
        conditions=(_GENRE,),
        actions=(Action(api="unfollow_artist", verb="unfollow", arguments='artist_id=ROW["artist_id"]'),),
    ),
    Listing(
        app="music",
        api="show_playlists",
        word="playlists",
        row="playlist",
        one="playlist of mine on music",
        many="playlists of mine on music",
        name="title",
        called="title",
        conditions=(
            since("created_at", "created on or after {since}", "created since a day"),
            before("created_at", "created before {before}", "created before a day"),
            month("created_at", "created in {month}", "created in a month"),
        ),
        flags=(
            flag("is_public", "open to the public", "open to the public"),
            flag("is_public", "not open to the public", "not open to the public", yes=False),
        ),
        measures=(
            Measure(field="created_at", most="is the newest", least="is the oldest"),
            Measure(
                field="size",
                most="has the most songs",
                least="has the fewest songs",
                sum="numbers of songs",
                code='len(apis.music.show_playlist(access_token=music_token, playlist_id=ROW["playlist_id"])["songs"])',
            ),
        ),
        actions=(
            Action(api="delete_playlist", verb="delete", arguments='playlist_id=ROW["playlist_id"]'),
            Action(
                api="update_playlist",
                verb="open",
                arguments='playlist_id=ROW["playlist_id"], is_public=True',
                after=" to the public",
            ),
            rename("update_playlist", "playlist_id", "title"),
        ),
    ),
    Listing(
        app="music",
        api="show_my_reviews",
        word="song_reviews",
        row="review",
        one="review of a song that I wrote on music",
        many="reviews of songs that I wrote on music",
        name="song_title",
        called="song title",
        conditions=(
            over("rating", "with more than {more_than_rating} stars", "with more stars than given", coarse=True),
            under("rating", "with fewer than {less_than_rating} stars", "with fewer stars than given", coarse=True),
            since("created_at", "written on or after {since}", "written since a day"),
            before("created_at", "written before {before}", "written before a day"),
            month("created_at", "written in {month}", "written in a month"),
        ),
        measures=(
            Measure(field="created_at", most="is the latest", least="is the earliest"),
            Measure(field="rating", most="gave the most stars", least="gave the fewest stars", sum="stars"),
        ),
        actions=(
            Action(api="delete_review", verb="delete", arguments='review_id=ROW["review_id"]'),
            Action(
                api="update_review",
                verb="raise",
                arguments='review_id=ROW["review_id"], rating=min(5, ROW["rating"] + 1)',
                after=" by one star, to five at most",
            ),
            Action(
                api="update_review",
                verb="change",
                arguments='review_id=ROW["review_id"], rating=rating',
                after=" to {rating} stars",
                slot="rating",
                choices=("1", "2", "3", "4", "5"),
            ),
        ),
    ),
)
