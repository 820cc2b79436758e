"""Containers of the music app: playlists, albums, artists and genres with their songs, songs with their reviews."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.engine.family import Draw
from prowess_desk.families.toolbox import all_pages, apis, login

from prowess.types import Json
from prowess_practice.drills.conditions import also, before, over, person, since, text, under
from prowess_practice.drills.direct_calls import looked_up
from prowess_practice.drills.listing import Action, Measure, rename
from prowess_practice.drills.listings_music import KEEP, LENGTH, LIKE, PLAYS, QUEUE, RATE, SONG
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)

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
FOLLOWING = ContainerDeed(
    word="follow",
    says="follow the artists of OBJ",
    call='apis.music.follow_artist(access_token=music_token, artist_id=ROW["artist_id"])',
    app="music",
    skip=already("artist_id", "show_followed_artists", "followed", "Skip artists whom I follow already."),
    key='ROW["artist_id"]',
)
MIXING = ContainerDeed(
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


ADDING = ContainerDeed(
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
REMOVING = ContainerDeed(
    word="remove",
    says="take OBJ out of the playlist in question",
    about="remove OBJ",
    call=(
        'apis.music.remove_song_from_playlist(access_token=music_token, playlist_id=OUT["playlist_id"], '
        f"song_id={SONG_KEY})"
    ),
    app="music",
)
MUTING = ContainerDeed(
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
DROPPING = ContainerDeed(
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


_IN_PLAYLIST = Inside(
    word="songs",
    row="song",
    rows="songs",
    look='apis.music.show_playlist(access_token=music_token, playlist_id=OUT["playlist_id"])["songs"]',
    one="song",
    many="songs",
    name='ROW["title"]',
    called="title",
    key=SONG_KEY,
    conditions=SONG_CONDITIONS,
    measures=(LENGTH, PLAYS),
    dated="release_date",
    happened="released",
    deeds=(LIKING, REMOVING, KEEPING, MIXING, QUEUEING, RATING, FOLLOWING, ADDING, MUTING, DROPPING),
)
_ON_ALBUM = replace(
    _IN_PLAYLIST,
    look='apis.music.show_album(access_token=music_token, album_id=OUT["album_id"])["songs"]',
    prep="on",
    small=True,
    key="",
    conditions=(LIKED_SONG, SONG[2], NEW_SONG, SONG[6], KEPT_SONG, SONG[3], PLAYED_SONG, UNLIKED_SONG, REVIEWED_SONG),
    dated="",
    deeds=(LIKING, KEEPING, MIXING, RATING, QUEUEING, ADDING, DROPPING),
)
_BY_ARTIST = replace(
    _ON_ALBUM,
    look='all_pages(apis.music.search_songs, access_token=music_token, artist_id=OUT["artist_id"])',
    prep="by",
    conditions=(SONG[6], LIKED_SONG, SONG[5], SONG[2], KEPT_SONG, SONG[4], PLAYED_SONG, REVIEWED_SONG),
    dated="release_date",
    happened="released",
    deeds=(KEEPING, RATING, MIXING, LIKING, ADDING, MUTING),
)
_ALBUMS = Inside(
    word="albums",
    row="album",
    rows="albums",
    look='all_pages(apis.music.search_albums, access_token=music_token, artist_id=OUT["artist_id"])',
    one="album",
    many="albums",
    prep="by",
    small=True,
    name='ROW["title"]',
    called="title",
    conditions=(
        since("release_date", "released on or after {since}", "released since a day"),
        also("album_id", "music", "show_album_library", "kept_albums", "from my album library", "in the library"),
        before("release_date", "released before {before}", "released before a day"),
        also("album_id", "music", "show_liked_albums", "liked_albums", "that I like", "that they like"),
    ),
    measures=(
        Measure(
            field="tracks",
            most="has the most songs",
            least="has the fewest songs",
            sum="numbers of songs",
            code='len(ROW["song_ids"])',
        ),
    ),
    dated="release_date",
    happened="released",
    deeds=(
        ContainerDeed(
            word="keep",
            says="put OBJ into my album library",
            call='apis.music.add_album_to_library(access_token=music_token, album_id=ROW["album_id"])',
            app="music",
            skip=already("album_id", "show_album_library", "kept_albums", "Skip what is in there already."),
        ),
        ContainerDeed(
            word="like",
            says="like OBJ",
            call='apis.music.like_album(access_token=music_token, album_id=ROW["album_id"])',
            app="music",
            skip=already("album_id", "show_liked_albums", "liked_albums", "Skip albums that I like already."),
        ),
    ),
)
_ALBUM = 'album_id=ROW["album_id"]'

PLAYLISTS = ContainerKind(
    app="music",
    word="playlists",
    row="playlist",
    rows="playlists",
    lists="all_pages(apis.music.show_playlists, access_token=music_token)",
    one="music playlist",
    many="music playlists",
    key='ROW["playlist_id"]',
    name='ROW["title"]',
    called="title",
    filters=(
        ContainerFilter(word="public", adjective="public ", given="is_public=True"),
        ContainerFilter(word="private", adjective="private ", given="is_public=False"),
        ContainerFilter(
            word="since",
            post=" created on or after {created_since}",
            condition=replace(
                since("created_at", "", "created since a day"),
                slot="created_since",
                code='ROW["created_at"] >= created_since',
            ),
        ),
    ),
    insides=(_IN_PLAYLIST,),
    deeds=(
        done_by(rename("update_playlist", "playlist_id", "title"), "music"),
        ContainerDeed(
            word="delete",
            says="delete OBJ",
            call='apis.music.delete_playlist(access_token=music_token, playlist_id=ROW["playlist_id"])',
            app="music",
        ),
        ContainerDeed(
            word="open",
            says="make OBJ public",
            call='apis.music.update_playlist(access_token=music_token, playlist_id=ROW["playlist_id"], is_public=True)',
            app="music",
            skip=Skip(test='ROW["is_public"]', says="Nothing has to be done where it is public already."),
        ),
        ContainerDeed(
            word="remind_of",
            says='create a todo task for OBJ, with "Sort", a space and the title as its title',
            call="apis.todo.create_task(access_token=todo_token, title=f'Sort {ROW[\"title\"]}')",
            app="todo",
        ),
    ),
)
LIBRARY = ContainerKind(
    app="music",
    word="albums",
    row="album",
    rows="albums",
    lists="all_pages(apis.music.show_album_library, access_token=music_token)",
    one="album in my album library",
    many="albums in my album library",
    whose="the",
    of="",
    key='ROW["album_id"]',
    name='ROW["title"]',
    called="title",
    filters=(
        ContainerFilter(
            word="until",
            post=" added to it before {added_before}",
            condition=replace(
                before("added_at", "", "added before a day"),
                slot="added_before",
                code='ROW["added_at"] < added_before',
            ),
        ),
    ),
    insides=(_ON_ALBUM,),
    deeds=(
        ContainerDeed(
            word="like",
            says="like OBJ",
            call=f"apis.music.like_album(access_token=music_token, {_ALBUM})",
            app="music",
            skip=already("album_id", "show_liked_albums", "liked_albums", "Skip albums that I like already."),
        ),
        done_by(
            Action(api="remove_album_from_library", verb="remove", arguments=_ALBUM, after=" from my album library"),
            "music",
        ),
        ContainerDeed(
            word="follow",
            says="follow the artist of OBJ",
            call='apis.music.follow_artist(access_token=music_token, artist_id=ROW["artist_id"])',
            app="music",
            skip=FOLLOWING.skip,
            key='ROW["artist_id"]',
        ),
    ),
)
LIKED = replace(
    LIBRARY,
    word="liked_albums",
    lists="all_pages(apis.music.show_liked_albums, access_token=music_token)",
    one="music album that I like",
    many="music albums that I like",
    relative="and that",
    filters=(),
    insides=(
        replace(
            _ON_ALBUM,
            conditions=(SONG[2], NEW_SONG, SONG[6], PLAYED_SONG, LIKED_SONG, SONG[3]),
            deeds=(KEEPING, LIKING),
        ),
    ),
    deeds=(
        done_by(Action(api="unlike_album", verb="unlike", arguments=_ALBUM), "music"),
        ContainerDeed(
            word="keep",
            says="put OBJ into my album library",
            call=f"apis.music.add_album_to_library(access_token=music_token, {_ALBUM})",
            app="music",
            skip=already("album_id", "show_album_library", "kept_albums", "Skip what is in there already."),
        ),
    ),
)
ARTISTS = ContainerKind(
    app="music",
    word="artists",
    row="artist",
    rows="artists",
    lists="all_pages(apis.music.show_followed_artists, access_token=music_token)",
    one="artist whom I follow on music",
    many="artists whom I follow on music",
    whose="the",
    of="",
    relative="and who",
    which="whom",
    pronoun="them",
    key='ROW["artist_id"]',
    name='ROW["name"]',
    called="name",
    insides=(_BY_ARTIST, _ALBUMS),
    deeds=(done_by(Action(api="unfollow_artist", verb="unfollow", arguments='artist_id=ROW["artist_id"]'), "music"),),
)
SONGS = ContainerKind(
    app="music",
    word="library_songs",
    row="song",
    rows="songs",
    few=False,
    lists="all_pages(apis.music.show_song_library, access_token=music_token)",
    one="song in my song library",
    many="songs in my song library",
    whose="the",
    of="",
    key=SONG_KEY,
    name='ROW["title"]',
    called="title",
    insides=(REVIEWS,),
    deeds=(
        replace(LIKING, key=""),
        replace(DROPPING, says="remove OBJ from my song library", skip=None, key=""),
        replace(MIXING, key=""),
    ),
)
_GENRES = ContainerKind(
    app="music",
    word="genres",
    row="genre",
    rows="genres",
    lists="apis.music.list_genres(access_token=music_token)",
    one="genre on music",
    many="genres on music",
    whose="the",
    of="",
    key="ROW",
    name="ROW",
    called="name",
    insides=(
        Inside(
            word="artists",
            row="artist",
            rows="artists",
            look="all_pages(apis.music.search_artists, access_token=music_token, genre=OUT)",
            one="artist",
            many="artists",
            name='ROW["name"]',
            called="name",
            small=True,
            conditions=(
                also("artist_id", "music", "show_followed_artists", "followed", "whom I follow", "whom they follow"),
                also(
                    "artist_id",
                    "music",
                    "show_followed_artists",
                    "followed",
                    "whom I do not follow",
                    "others",
                    yes=False,
                ),
            ),
            deeds=(replace(FOLLOWING, says="follow OBJ", key=""),),
        ),
        replace(
            _BY_ARTIST,
            look="all_pages(apis.music.search_songs, access_token=music_token, genre=OUT)",
            prep="in",
            conditions=(LIKED_SONG, SONG[6], KEPT_SONG, SONG[5], PLAYED_SONG, SONG[2], REVIEWED_SONG, SONG[3]),
            deeds=(MIXING, MUTING, DROPPING),
        ),
        replace(
            _ALBUMS,
            look="all_pages(apis.music.search_albums, access_token=music_token, genre=OUT)",
            prep="in",
        ),
    ),
)
MUSIC = (PLAYLISTS, LIBRARY, LIKED, ARTISTS, SONGS, _GENRES)
