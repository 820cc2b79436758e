"""Songs: what else the music app knows of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listing import PLAYLIST
from prowess_practice.drills.listings_music import MUSIC, SONG
from prowess_practice.drills.listings_within import WITHIN
from prowess_practice.errands.transfers.parts import (
    RowPool,
    RowSink,
    Tie,
    calling,
    gathering,
    inside,
    one_of,
    own,
    pool,
)
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

_MUSIC = "access_token=music_token"
LISTED = {listing.word: listing for listing in MUSIC}
_SONG = tuple(one for one in SONG if one.word != "by_artist_name")
LIBRARY = pool(
    LISTED["library_songs"],
    conditions=(*_SONG, *LISTED["library_songs"].conditions[-2:]),
    shuns=("kept", "recommended"),
)
LIKES = pool(
    LISTED["liked_songs"],
    one="song I like on music",
    many="songs I like on music",
    conditions=_SONG,
    shuns=("liked", "queued"),
)
HISTORY = pool(
    LISTED["played_songs"], conditions=LISTED["played_songs"].conditions[2:], shuns=("played", "played_often", "queued")
)
ADVICE = pool(
    LISTED["recommended_songs"],
    one="song recommended to me on music",
    many="songs recommended to me on music",
    conditions=_SONG[:3],
    shuns=("by_followed", "kept", "recommended", "reviewed", "praised", "queued"),
    has=("kept",),
)
IN_PLAYLIST = pool(WITHIN[0], conditions=_SONG[1:], shuns=("in_playlists", "in_playlist", "queued", "on_liked_album"))
ON_ALBUM = pool(
    WITHIN[1],
    conditions=(),
    shuns=("on_kept_album", "on_liked_album", "by_followed", "recommended", "queued", "played_often", "in_playlist"),
)
CATALOGUE = RowPool(
    app="music",
    word="songs_of_genre",
    row="song",
    one='song of the genre "{genre}" in the catalogue of music',
    many='songs of the genre "{genre}" in the catalogue of music',
    reading=f"    songs = all_pages(apis.music.search_songs, {_MUSIC}, genre=genre)\n",
    name="title",
    conditions=_SONG[1:],
    slots=(own("genre", 'apis.music.list_genres(access_token=login(app="music"))'),),
    shuns=("queued", "praised"),
)
QUEUE = RowPool(
    app="music",
    word="queued_songs",
    row="song",
    one="song in the queue of my music player",
    many="songs in the queue of my music player",
    reading=(
        f'    queue = apis.music.show_player({_MUSIC})["queue"]\n'
        f'    songs = [apis.music.show_song({_MUSIC}, song_id=entry["song_id"]) for entry in queue]\n'
    ),
    name="title",
    shuns=("queued", "played_often", "praised", "reviewed", "on_liked_album", "recommended", "on_kept_album"),
)


def ids(name: str, api: str, field: str = "song_id") -> str:
    """A line that collects the ids in a listing of the music app."""
    return gathering(name, f"music.{api}", field)


LIKED = Tie(
    word="liked",
    yes="that I like",
    no="that I do not like",
    whether="I like it",
    test='ROW["song_id"] IN liked',
    prelude=ids("liked", "show_liked_songs"),
)
KEPT = Tie(
    word="kept",
    yes="that are in my song library",
    no="that are not in my song library",
    whether="it is in my song library",
    test='ROW["song_id"] IN kept',
    prelude=ids("kept", "show_song_library"),
)
FOLLOWED = Tie(
    word="by_followed",
    yes="by an artist I follow",
    no="by an artist I do not follow",
    whether="I follow its artist",
    test='ROW["artist_id"] IN followed',
    prelude=ids("followed", "show_followed_artists", "artist_id"),
)
ALBUM_KEPT = Tie(
    word="on_kept_album",
    yes="from an album in my album library",
    no="that do not come from an album in my album library",
    whether="its album is in my album library",
    test='ROW["album_id"] IN kept_albums',
    prelude=ids("kept_albums", "show_album_library", "album_id"),
)
ALBUM_LIKED = Tie(
    word="on_liked_album",
    yes="from an album I like",
    no="that do not come from an album I like",
    whether="I like its album",
    test='ROW["album_id"] IN liked_albums',
    prelude=ids("liked_albums", "show_liked_albums", "album_id"),
)
LISTED_SOMEWHERE = Tie(
    word="in_playlists",
    yes="that are in at least one of my playlists",
    no="that are in none of my playlists",
    whether="it is in any of my playlists",
    test='ROW["song_id"] IN listed',
    prelude=(
        f"    playlists = all_pages(apis.music.show_playlists, {_MUSIC})\n"
        '    listed = {song_id for playlist in playlists for song_id in playlist["song_ids"]}\n'
    ),
)
PLAYED = Tie(
    word="played",
    yes="that I have played before",
    no="that I have never played",
    whether="it is in my play history",
    test='ROW["song_id"] IN played',
    prelude=ids("played", "show_play_history"),
)
OFTEN = Tie(
    word="played_often",
    yes="that I have played more than {plays} times",
    no="that I have not played more than {plays} times",
    whether="I have played it more than {plays} times",
    test='ROW["song_id"] IN often',
    prelude=(
        f"    history = all_pages(apis.music.show_play_history, {_MUSIC})\n"
        '    often = {song["song_id"] for song in history if song["my_play_count"] > plays}\n'
    ),
    slots=(one_of("plays", 10, 15, 20, 25, 30, 40, 50, 60, 70),),
)
RATED = Tie(
    word="reviewed",
    yes="that I have reviewed",
    no="that I have not reviewed",
    whether="I have reviewed it",
    test='ROW["song_id"] IN reviewed',
    prelude=ids("reviewed", "show_my_reviews"),
)
PRAISED = Tie(
    word="praised",
    yes="that I gave at least {stars} stars in a review",
    no="that I did not give {stars} or more stars in a review",
    whether="I gave it at least {stars} stars in a review",
    test='ROW["song_id"] IN praised',
    prelude=(
        f"    reviews = all_pages(apis.music.show_my_reviews, {_MUSIC}, min_rating=stars)\n"
        '    praised = {review["song_id"] for review in reviews}\n'
    ),
    slots=(one_of("stars", 2, 3, 4, 5),),
)
QUEUED = Tie(
    word="queued",
    yes="that are in the queue of my player",
    no="that are not in the queue of my player",
    whether="it is in the queue of my player",
    test='ROW["song_id"] IN queued',
    prelude=f'    queued = {{one["song_id"] for one in apis.music.show_player({_MUSIC})["queue"]}}\n',
)
IN_LIST = Tie(
    word="in_playlist",
    yes='that are in my playlist "{playlist}"',
    no='that are not in my playlist "{playlist}"',
    whether='it is in my playlist "{playlist}"',
    test='ROW["song_id"] IN listed',
    prelude=(
        f"    playlists = all_pages(apis.music.show_playlists, {_MUSIC})\n"
        '    listed = next(one["song_ids"] for one in playlists if one["title"] == playlist)\n'
    ),
    slots=(inside(PLAYLIST),),
)
ADVISED = Tie(
    word="recommended",
    yes="that music recommends to me",
    no="that music does not recommend to me",
    whether="music recommends it to me",
    test='ROW["song_id"] IN recommended',
    prelude=ids("recommended", "show_recommendations"),
)
TIES = (
    LIKED,
    KEPT,
    FOLLOWED,
    ALBUM_KEPT,
    ALBUM_LIKED,
    LISTED_SOMEWHERE,
    PLAYED,
    OFTEN,
    RATED,
    PRAISED,
    QUEUED,
    IN_LIST,
    ADVISED,
)


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
    RowSink(
        word="playlist_of",
        about="make a new playlist of ALL",
        do='make a new playlist "{new_playlist}" of ALL',
        code=(
            f"    playlist = apis.music.create_playlist({_MUSIC}, title=new_playlist)\n"
            "    for ROW in found:\n"
            + calling("music.add_song_to_playlist", f'playlist_id=playlist["playlist_id"], {_ID}')
        ),
        slots=(NEW_LIST,),
    ),
    RowSink(
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
    RowSink(
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
    RowSink(
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
    RowSink(
        word="albums_of",
        about="return the titles of the albums of ALL",
        do="answer with a list of the album titles, each once and none for singles, of ALL",
        question="on which albums are the ALL (a list of album titles, each once; singles do not count)",
        returns='sorted({ROW["album_title"] for ROW in found if ROW["album_id"]})',
        gives="list",
        bars=("songs_in_album", "album_songs", "songs"),
    ),
)
