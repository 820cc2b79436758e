"""What can become of songs: liked, kept, queued, reviewed, put into playlists, written down, counted."""

from __future__ import annotations

from prowess_practice.errands.transfers.parts import Sink, calling, one_of
from prowess_practice.errands.transfers.sinks import (
    COUNT,
    adding,
    each,
    filing,
    foremost,
    naming,
    noting,
    tasking,
    telling_apart,
)
from prowess_practice.errands.transfers.songs import KEPT, LIKED, RATED, ids

_M = "access_token=music_token"


NEW_LIST = one_of("new_playlist", "New mix", "For the road", "Sunday sounds", "Hand picked", "Fresh start", "Up next")
_ID = 'song_id=ROW["song_id"]'
_ALIKE = ("genre_songs", "artist_songs", "album_songs", "catalogue_songs", "songs")
"""What songs of one genre are called in errands, those of one artist last."""
ACTS = (
    each("music", "like_song", _ID, "like ALL", needs=((LIKED, False),), bars=("liked_songs",)),
    each(
        "music",
        "add_song_to_library",
        _ID,
        "add [to my song library] ALL",
        word="keep",
        needs=((KEPT, False),),
        bars=("library_songs", "reviewed", "praised"),
    ),
    Sink(
        word="playlist_of",
        about="make a new playlist of ALL",
        do='make a new playlist "{new_playlist}" of ALL',
        code=(
            f"    playlist = apis.music.create_playlist({_M}, title=new_playlist)\n"
            "    for ROW in found:\n"
            + calling("music.add_song_to_playlist", f'playlist_id=playlist["playlist_id"], {_ID}')
        ),
        slots=(NEW_LIST,),
    ),
    Sink(
        word="follow_artists_of",
        about="follow the artists of ALL",
        do="follow the artists, apart from those I follow already, of ALL",
        code=(
            ids("known", "show_followed_artists", "artist_id")
            + '    artist_ids = {ROW["artist_id"] for ROW in found} - known\n'
            "    for artist_id in artist_ids:\n" + calling("music.follow_artist", "artist_id=artist_id")
        ),
        returns="len(artist_ids)",
        bars=("by_followed", "recommended_songs", "recommended", *_ALIKE[1:]),
        drops=((" - known\n", "\n"),),
    ),
    each(
        "music",
        "review_song",
        f"{_ID}, rating=rating",
        "write a review of {rating} stars and without a text for each of ALL",
        word="rate",
        slots=(one_of("rating", 2, 3, 4, 5),),
        needs=((RATED, False),),
    ),
    each(
        "music",
        "unlike_song",
        _ID,
        "take back my like of ALL",
        word="unlike",
        needs=((LIKED, True),),
        bars=("liked_songs", "queued_songs", "songs_of_genre", "recommended_songs"),
    ),
    Sink(
        word="keep_albums_of",
        about="put the albums of ALL into the library",
        do="add to my album library the albums, as far as they are not in it yet, of ALL (singles have none)",
        code=(
            ids("known", "show_album_library", "album_id")
            + '    album_ids = {ROW["album_id"] for ROW in found if ROW["album_id"]} - known\n'
            "    for album_id in album_ids:\n" + calling("music.add_album_to_library", "album_id=album_id")
        ),
        returns="len(album_ids)",
        bars=("on_kept_album", "songs_in_album", "album_songs", "songs"),
    ),
    Sink(
        word="queue",
        about="append ALL to the queue by title",
        do="append [to the queue of my player, in alphabetical order of the titles,] ALL",
        code=(
            '    found.sort(key=lambda ROW: ROW["title"])\n    for ROW in found:\n' + calling("music.add_to_queue", _ID)
        ),
        bars=("queued_songs", "queued", "songs_of_genre", "songs_in_album"),
        drops=(('    found.sort(key=lambda song: song["title"])\n', ""),),
    ),
    each(
        "music",
        "remove_song_from_library",
        _ID,
        "remove [from my song library] ALL",
        word="discard",
        needs=((KEPT, True),),
        bars=("library_songs", "recommended_songs", "queued_songs"),
    ),
)
_LINE = "f\"{ROW['title']} - {ROW['artist_name']}\""
CARRIES = (
    noting("TITLE - ARTIST", _LINE),
    tasking("Listen to TITLE", "f\"Listen to {ROW['title']}\""),
    filing("TITLE - ARTIST", _LINE),
    noting("ARTIST: TITLE", "f\"{ROW['artist_name']}: {ROW['title']}\""),
)
ASKS = (
    COUNT,
    naming("title", "title"),
    adding("duration", "durations", " in seconds"),
    telling_apart("artist_name", "artist name", bars=_ALIKE[1:]),
    foremost("longest", "duration", "title", "title", bars=("over_duration", "under_duration")),
    adding("play_count", "play counts"),
    telling_apart("genre", "genre", bars=("by_genre", "songs_of_genre", "songs_in_album", *_ALIKE)),
    foremost(
        "newest",
        "release_date",
        "title",
        "title",
        bars=("from_release_date", "until_release_date", "songs_in_album", "album_songs", "songs"),
    ),
    Sink(
        word="albums_of",
        about="return the titles of the albums of ALL",
        do="answer with a list of the album titles, each once and none for singles, of ALL",
        question="on which albums are the ALL (a list of album titles, each once; singles do not count)",
        returns='sorted({ROW["album_title"] for ROW in found if ROW["album_id"]})',
        gives="list",
        bars=("songs_in_album", "album_songs", "songs"),
    ),
)
