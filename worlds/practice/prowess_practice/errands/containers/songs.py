"""Conditions on songs, what is done to them, wherever they lie, and their reviews."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.engine.family import Draw
from prowess_desk.families.toolbox import all_pages, apis, login

from prowess.types import Json
from prowess_practice.drills.conditions import also, over, person, since, text, under
from prowess_practice.drills.door import looked_up
from prowess_practice.drills.listing import Measure
from prowess_practice.drills.listings_music import KEEP, LIKE, QUEUE, RATE, SONG
from prowess_practice.errands.containers.parts import Deed, Inside, Skip, done_by, one_of

SONG_KEY = 'ROW["song_id"]'
LIKED_SONG = also("song_id", "music", "show_liked_songs", "liked_songs", "that I like", "that they like")
UNLIKED_SONG = also("song_id", "music", "show_liked_songs", "liked_songs", "that I do not like", "not liked", yes=False)
KEPT_SONG = also("song_id", "music", "show_song_library", "kept_songs", "from my song library", "in the library")
NEW_SONG = also(
    "song_id", "music", "show_song_library", "kept_songs", "missing from my song library", "not in it", yes=False
)
PLAYED_SONG = also("song_id", "music", "show_play_history", "played_songs", "that I have played", "played before")
REVIEWED_SONG = also("song_id", "music", "show_my_reviews", "reviewed_songs", "that I have reviewed", "reviewed")
_ARTISTS = also(
    "artist_id", "music", "show_followed_artists", "followed", "by artists whom I follow", "by followed artists"
)
SONG_CONDITIONS = (
    *SONG[:3],
    LIKED_SONG,
    SONG[5],
    NEW_SONG,
    SONG[6],
    PLAYED_SONG,
    SONG[3],
    KEPT_SONG,
    SONG[4],
    _ARTISTS,
    UNLIKED_SONG,
    REVIEWED_SONG,
)

_MIXES = ("New mix", "For the road", "Sunday sounds", "On repeat", "Hand picked", "Fresh start", "Second hearing")


def already(condition_of: str, api: str, word: str, says: str) -> Skip:
    one = also(condition_of, "music", api, word, "", "")
    return Skip(test=one.code, prelude=one.prelude, says=says)


LIKING = done_by(
    LIKE,
    "music",
    skip=already("song_id", "show_liked_songs", "liked_songs", "Skip songs that I like already."),
    key=SONG_KEY,
)
KEEPING = done_by(
    KEEP,
    "music",
    skip=already("song_id", "show_song_library", "kept_songs", "Skip what is in there already."),
    key=SONG_KEY,
)
RATING = done_by(
    replace(RATE, choices=RATE.choices[1:]),
    "music",
    skip=already("song_id", "show_my_reviews", "reviewed_songs", "Skip songs that I have reviewed already."),
    key=SONG_KEY,
)
FOLLOWING = Deed(
    word="follow",
    says="follow the artists of OBJ",
    call='apis.music.follow_artist(access_token=music_token, artist_id=ROW["artist_id"])',
    app="music",
    skip=already("artist_id", "show_followed_artists", "followed", "Skip artists whom I follow already."),
    key='ROW["artist_id"]',
)
MIXING = Deed(
    word="mix",
    says='put OBJ into a new music playlist titled "{new_playlist}"',
    about="put OBJ into a new playlist",
    before=(
        "    made = apis.music.create_playlist(access_token=music_token, title=new_playlist)\n"
        '    playlist_id = made["playlist_id"]\n'
    ),
    call=f"apis.music.add_song_to_playlist(access_token=music_token, playlist_id=playlist_id, song_id={SONG_KEY})",
    app="music",
    slot="new_playlist",
    choose=one_of(*_MIXES),
    key=SONG_KEY,
)


def _playlists() -> Json:
    return all_pages(apis.music.show_playlists, access_token=login(app="music"))


def _own_playlist(draw: Draw) -> str | None:
    titles = [row["title"] for row in looked_up(_playlists, draw.state.origin, draw.me.id, {})]
    return draw.rng.choice(titles) if titles else None


ADDING = Deed(
    word="add",
    says='add OBJ to my music playlist "{target}"',
    about="add OBJ to a playlist",
    call='apis.music.add_song_to_playlist(access_token=music_token, playlist_id=goal_id, song_id=ROW["song_id"])',
    app="music",
    slot="target",
    choose=_own_playlist,
    skip=Skip(
        test='ROW["song_id"] in goal["song_ids"]',
        prelude=(
            "    mine = all_pages(apis.music.show_playlists, access_token=music_token)\n"
            '    goal = next(one for one in mine if one["title"] == target)\n'
            '    goal_id = goal["playlist_id"]\n'
        ),
        says="Skip songs that this one has already.",
    ),
    key=SONG_KEY,
)
QUEUEING = replace(done_by(QUEUE, "music", says="append OBJ, in their order there, to my play queue"), ordered=True)
REMOVING = Deed(
    word="remove",
    says="take OBJ out of the playlist in question",
    about="remove OBJ",
    call=(
        'apis.music.remove_song_from_playlist(access_token=music_token, playlist_id=OUT["playlist_id"], '
        f"song_id={SONG_KEY})"
    ),
    app="music",
)
MUTING = Deed(
    word="unlike",
    says="take back my like of OBJ",
    call=f"apis.music.unlike_song(access_token=music_token, song_id={SONG_KEY})",
    app="music",
    skip=Skip(
        test='ROW["song_id"] not in liked_songs',
        prelude=LIKED_SONG.prelude,
        says="Skip songs that I do not like anyway.",
    ),
    key=SONG_KEY,
)
DROPPING = Deed(
    word="drop",
    says="take OBJ out of my song library",
    about="drop OBJ",
    call=f"apis.music.remove_song_from_library(access_token=music_token, song_id={SONG_KEY})",
    app="music",
    skip=Skip(
        test='ROW["song_id"] not in kept_songs',
        prelude=KEPT_SONG.prelude,
        says="Skip songs that are not in there anyway.",
    ),
    key=SONG_KEY,
)
REVIEWS = Inside(
    word="reviews",
    row="review",
    rows="reviews",
    look='all_pages(apis.music.show_song_reviews, access_token=music_token, song_id=OUT["song_id"])',
    one="review",
    many="reviews",
    prep="of",
    name='ROW["text"]',
    called="text",
    conditions=(
        over("rating", "with more than {more_than_rating} stars", "with more stars than given"),
        replace(person("author", 'written by "{person}"', "by a person"), coarse=True),
        under("rating", "with fewer than {less_than_rating} stars", "with fewer stars than given"),
        since("created_at", "written on or after {since}", "written since a day"),
        text("text", 'with the text "{opinion}"', "with a text", slot="opinion"),
    ),
    measures=(Measure(field="rating", most="gave the most stars", least="gave the fewest stars", sum="stars"),),
    dated="created_at",
    happened="written",
)
