"""Albums, artists, playlists and reviews: what else the music app knows of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.errands.transfers.parts import RowSink, Tie, calling, gathering, one_of, pool
from prowess_practice.errands.transfers.scene import also_notes, playlists_of
from prowess_practice.errands.transfers.sinks import COUNT, adding, each, filing, naming, noting, tasking, telling_apart
from prowess_practice.errands.transfers.songs import LISTED, ids

_MUSIC = "access_token=music_token"


def _has(word: str, api: str, which: str, holder: str) -> Tie:
    """Whether some song of an album or playlist is in another listing."""
    return Tie(
        word=f"with_{word}_song",
        yes=f"with at least one song {which}",
        no=f"without a single song {which}",
        whether=f"at least one of its songs is among those {which}",
        test=f'{word}.intersection({holder}["song_ids"])',
        prelude=ids(word, api),
    )


# Albums

KEPT = pool(LISTED["library_albums"], conditions=LISTED["liked_albums"].conditions[2:])
LIKED = pool(LISTED["liked_albums"], one="album I like on music", many="albums I like on music", conditions=())
ALBUM_TIES = (
    _has("kept", "show_song_library", "in my song library", "ROW"),
    _has("liked", "show_liked_songs", "that I like", "ROW"),
    _has("played", "show_play_history", "that I have played", "ROW"),
    _has("reviewed", "show_my_reviews", "that I have reviewed", "ROW"),
    Tie(
        word="by_followed",
        yes="by an artist I follow",
        no="by an artist I do not follow",
        whether="I follow its artist",
        test='ROW["artist_id"] IN followed',
        prelude=ids("followed", "show_followed_artists", "artist_id"),
    ),
)
LIKED_TIE = Tie(
    word="liked",
    yes="that I like",
    no="that I do not like",
    whether="I like it",
    test='ROW["album_id"] IN liked_albums',
    prelude=ids("liked_albums", "show_liked_albums", "album_id"),
)
KEPT_TIE = Tie(
    word="kept",
    yes="that are in my album library",
    no="that are not in my album library",
    whether="it is in my album library",
    test='ROW["album_id"] IN kept_albums',
    prelude=ids("kept_albums", "show_album_library", "album_id"),
)
_ALBUM = 'album_id=ROW["album_id"]'
ALBUM_SINKS = (
    each("music", "like_album", _ALBUM, "like ALL", needs=((LIKED_TIE, False),), bars=("liked_albums",)),
    noting("TITLE (ARTIST)", "f\"{ROW['title']} ({ROW['artist_name']})\""),
    each(
        "music",
        "add_album_to_library",
        _ALBUM,
        "add [to my album library] ALL",
        word="keep",
        needs=((KEPT_TIE, False),),
        bars=("library_albums", "kept_albums", "albums"),
    ),
    COUNT,
    RowSink(
        word="keep_songs_of",
        about="add to the song library the songs of ALL",
        do="add to my song library all songs, as far as they are not in it yet, of ALL",
        code=(
            ids("known", "show_song_library")
            + '    song_ids = {song_id for ROW in found for song_id in ROW["song_ids"]} - known\n'
            "    for song_id in song_ids:\n" + calling("music.add_song_to_library", "song_id=song_id")
        ),
        returns="len(song_ids)",
        bars=("with_kept_song",),
    ),
    each(
        "music",
        "remove_album_from_library",
        _ALBUM,
        "remove [from my album library] ALL",
        word="discard",
        bars=("liked_albums",),
    ),
    tasking("Hear TITLE", "f\"Hear {ROW['title']}\""),
    RowSink(
        word="playlist_of",
        about="make a new playlist of all songs of ALL",
        do='make a new playlist "{new_playlist}" of all songs of ALL',
        code=(
            f"    playlist = apis.music.create_playlist({_MUSIC}, title=new_playlist)\n"
            "    for ROW in found:\n"
            '        for song_id in ROW["song_ids"]:\n'
            + calling("music.add_song_to_playlist", 'playlist_id=playlist["playlist_id"], song_id=song_id', indent=12)
        ),
        slots=(one_of("new_playlist", "Albums in full", "Long plays", "From the shelf", "Start to end"),),
    ),
    telling_apart("artist_name", "artist name", bars=("by_artist_name",)),
    each(
        "music",
        "unlike_album",
        _ALBUM,
        "take back my like of ALL",
        word="unlike",
        bars=("library_albums", "albums", "kept_albums"),
    ),
    naming("title", "title"),
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
        bars=("by_followed",),
    ),
)

# Artists

FOLLOWED = pool(LISTED["followed_artists"], one="artist I follow on music", many="artists I follow on music")
_ARTIST = 'artist_id=ROW["artist_id"]'


def _by(word: str, api: str, what: str) -> Tie:
    return Tie(
        word=f"of_{word}",
        yes=f"with {what}",
        no=f"without {what}",
        whether=f"there is {what} by them",
        test='ROW["artist_id"] IN artist_ids',
        prelude=ids("artist_ids", api, "artist_id"),
    )


ARTIST_TIES = (
    _by("library_song", "show_song_library", "a song in my song library"),
    _by("liked_song", "show_liked_songs", "a song that I like"),
    _by("played_song", "show_play_history", "a song in my play history"),
    _by("kept_album", "show_album_library", "an album in my album library"),
    _by("liked_album", "show_liked_albums", "an album that I like"),
)
ARTIST_SINKS = (
    noting("NAME (GENRE)", "f\"{ROW['name']} ({ROW['genre']})\""),
    tasking("Discover NAME", "f\"Discover {ROW['name']}\""),
    each("music", "unfollow_artist", _ARTIST, "unfollow ALL"),
    filing("GENRE: NAME", "f\"{ROW['genre']}: {ROW['name']}\""),
    RowSink(
        word="playlist_of",
        about="make a new playlist of all songs of ALL",
        do='make a new playlist "{new_playlist}" of all songs in the catalogue by ALL',
        code=(
            f"    playlist = apis.music.create_playlist({_MUSIC}, title=new_playlist)\n"
            "    for ROW in found:\n"
            f"        for song in all_pages(apis.music.search_songs, {_MUSIC}, {_ARTIST}):\n"
            + calling(
                "music.add_song_to_playlist", 'playlist_id=playlist["playlist_id"], song_id=song["song_id"]', indent=12
            )
        ),
        slots=(one_of("new_playlist", "Only these", "Complete works", "My artists", "All of them"),),
    ),
)

# Playlists

LISTS = pool(LISTED["playlists"])
OPEN = pool(
    LISTED["playlists"],
    given=", is_public=True",
    word="public_playlists",
    one="public playlist of mine on music",
    many="public playlists of mine on music",
    conditions=(),
)
_PLAYLIST = 'playlist_id=ROW["playlist_id"]'
_NOTED = Tie(
    word="noted",
    yes="with exactly the title of one of my notes (archived or not)",
    no="without a note of exactly the same title (archived or not)",
    whether="one of my notes, archived or not, has exactly its title",
    test='ROW["title"] IN noted',
    app="notes",
    prelude=gathering("noted", "notes.search_notes", "title"),
    scene=also_notes(playlists_of),
)
PLAYLIST_TIES = (
    *(
        _has(word, api, which, "ROW")
        for word, api, which in (
            ("reviewed", "show_my_reviews", "that I have reviewed"),
            ("kept", "show_song_library", "in my song library"),
            ("liked", "show_liked_songs", "that I like"),
            ("advised", "show_recommendations", "that music recommends to me"),
        )
    ),
    _NOTED,
)
PLAYLIST_SINKS = (
    each("music", "delete_playlist", _PLAYLIST, "delete ALL"),
    noting("TITLE: NUMBER OF SONGS", "f\"{ROW['title']}: {len(ROW['song_ids'])}\""),
    each(
        "music",
        "update_playlist",
        f"{_PLAYLIST}, title=f\"{{ROW['title']}} ({{mark}})\"",
        'add " ({mark})" to the title of ALL',
        word="mark",
        slots=(one_of("mark", "old", "kept", "2025", "mine", "checked"),),
        bars=("noted",),
    ),
    each(
        "music",
        "update_playlist",
        f"{_PLAYLIST}, is_public=False",
        "make [private] ALL",
        word="close",
        bars=("playlists",),
    ),
    naming("title", "title"),
    tasking("Sort out TITLE", "f\"Sort out {ROW['title']}\""),
    RowSink(
        word="merge",
        about="make one new playlist of all songs of ALL",
        do='make one new playlist "{new_playlist}" with all songs that occur in ALL, each once',
        code=(
            '    song_ids = {song_id for ROW in found for song_id in ROW["song_ids"]}\n'
            f"    playlist = apis.music.create_playlist({_MUSIC}, title=new_playlist)\n"
            "    for song_id in song_ids:\n"
            + calling("music.add_song_to_playlist", 'playlist_id=playlist["playlist_id"], song_id=song_id')
        ),
        slots=(one_of("new_playlist", "Everything", "Big mix", "One for all", "Joined"),),
    ),
)

# Reviews

REVIEWS = pool(
    LISTED["song_reviews"],
    one="song review of mine on music",
    many="song reviews of mine on music",
    conditions=LISTED["song_reviews"].conditions[2:],
)
_REVIEW = 'review_id=ROW["review_id"]'


def _on(word: str, api: str, what: str) -> Tie:
    return Tie(
        word=f"on_{word}",
        yes=f"about a song {what}",
        no=f"about a song that is not among those {what}",
        whether=f"the song it is about is one {what}",
        test='ROW["song_id"] IN song_ids',
        prelude=ids("song_ids", api),
    )


REVIEW_TIES = (
    _on("liked", "show_liked_songs", "that I like"),
    _on("played", "show_play_history", "that I have played"),
)
REVIEW_SINKS = (
    each("music", "delete_review", _REVIEW, "delete ALL"),
    each(
        "music",
        "update_review",
        f"{_REVIEW}, text=words",
        'replace by "{words}" the text of ALL',
        word="rewrite",
        slots=(one_of("words", "Heard it again.", "Still true.", "My taste has changed.", "No comment."),),
    ),
    each(
        "music",
        "update_review",
        f'{_REVIEW}, rating=max(1, ROW["rating"] - 1)',
        "lower by one star (to 1 at the least) the rating of ALL",
        word="lower",
    ),
    noting("SONG TITLE: STARS", "f\"{ROW['song_title']}: {ROW['rating']}\""),
    adding("rating", "stars"),
    RowSink(
        word="like_songs_of",
        about="like the songs of ALL",
        do="like the songs, apart from those I like already, of ALL",
        code=(
            ids("known", "show_liked_songs") + '    fresh = {ROW["song_id"] for ROW in found} - known\n'
            "    for song_id in fresh:\n" + calling("music.like_song", "song_id=song_id")
        ),
        returns="len(fresh)",
        bars=("on_liked",),
    ),
    naming("song_title", "song title"),
    COUNT,
)
