"""Piles of songs, albums, playlists and reviews."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import ALBUM, PLAYLIST, Action, rename
from prowess_practice.drills.listings_music import IN_LIKES, KEEP, MUSIC, QUEUE, SONG
from prowess_practice.errands.branches.pile import Pile, RowLook, Size, task_of

_LISTED = {listing.word: listing for listing in MUSIC}
_LENGTH = Size(
    field="duration",
    noun="duration",
    unit=" seconds",
    smallest="from the shortest to the longest",
    largest="from the longest to the shortest",
)
_PLAYS = Size(
    field="play_count",
    noun="play count",
    unit="",
    smallest="from the lowest play count to the highest",
    largest="from the highest play count to the lowest",
    sums=False,
)
_STARS = Action(
    api="update_review",
    verb="change",
    arguments='review_id=ROW["review_id"], text=verdict',
    after=' so that its text is "{verdict}"',
    slot="verdict",
    choices=("Still good.", "Seen enough.", "Worth a second try.", "My mind has changed.", "Ask me later."),
)
_TITLE = task_of('ROW["title"]', "title")
_RATED = RowLook(
    word="well_rated",
    says="with an average rating of more than 3 stars in the app",
    about="well rated in the app",
    look='rating = apis.music.show_song(access_token=music_token, song_id=ROW["song_id"])["rating"]',
    code="rating is not None and rating > 3",
)


def _song_acts(*own: Action) -> tuple[Action, ...]:
    return (*own, QUEUE, _TITLE)


def _removed(word: str) -> Action:
    return _LISTED[word].actions[0]


MUSIC_PILES = (
    Pile(
        word="recommended_songs",
        app="music",
        api="show_recommendations",
        row="song",
        rows="songs",
        many="the songs that music recommends to me",
        tests=(SONG[2], SONG[0], IN_LIKES[0], SONG[5], SONG[6]),
        acts=(KEEP, QUEUE),
        sizes=(_LENGTH, _PLAYS),
    ),
    Pile(
        word="library_songs",
        app="music",
        api="show_song_library",
        row="song",
        rows="songs",
        many="the songs in my song library",
        tests=(SONG[3], IN_LIKES[1], SONG[0], SONG[4], _RATED),
        acts=_song_acts(replace(_removed("library_songs"), after=" from my library")),
        sizes=(_LENGTH, _PLAYS),
    ),
    Pile(
        word="liked_songs",
        app="music",
        api="show_liked_songs",
        row="song",
        rows="songs",
        many="the songs that I like on music",
        tests=(SONG[2], SONG[4], SONG[6], SONG[0], _RATED),
        acts=_song_acts(_removed("liked_songs")),
        sizes=(_LENGTH, _PLAYS),
    ),
    Pile(
        word="playlist_songs",
        app="music",
        row="song",
        rows="songs",
        within=PLAYLIST,
        many='the songs in my playlist "{playlist}"',
        tests=(SONG[3], IN_LIKES[0], SONG[5], SONG[6], _RATED),
        acts=_song_acts(
            Action(
                api="remove_song_from_playlist",
                verb="remove",
                arguments='playlist_id=playlist_id, song_id=ROW["song_id"]',
                after=" from that playlist",
            )
        ),
        sizes=(_LENGTH, _PLAYS),
    ),
    Pile(
        word="album_songs",
        app="music",
        row="song",
        rows="songs",
        within=ALBUM,
        many='the songs on the album "{album}"',
        tests=(SONG[2], IN_LIKES[0], SONG[6], _RATED),
        acts=_song_acts(),
        sizes=(_LENGTH,),
    ),
    Pile(
        word="played_songs",
        app="music",
        api="show_play_history",
        row="song",
        rows="songs",
        many="the songs in my play history",
        tests=(*_LISTED["played_songs"].conditions[2:5], IN_LIKES[1]),
        acts=(QUEUE, _TITLE),
        sizes=(_LENGTH, replace(_PLAYS, field="my_play_count", noun="number of my own plays", smallest="")),
    ),
    Pile(
        word="followed_artists",
        app="music",
        api="show_followed_artists",
        row="artist",
        rows="artists",
        many="the artists whom I follow on music",
        it="them",
        tests=(_LISTED["followed_artists"].conditions[0],),
        acts=(
            _removed("followed_artists"),
            Action(
                api="create_playlist",
                verb="create an empty private playlist for",
                arguments='title=ROW["name"]',
                after=", with the artist's name as its title",
            ),
            task_of('ROW["name"]', "artist's name"),
        ),
    ),
    Pile(
        word="playlists",
        app="music",
        api="show_playlists",
        row="playlist",
        rows="playlists",
        many="my playlists on music",
        tests=(
            *_LISTED["playlists"].conditions[:2],
            *_LISTED["playlists"].flags[:1],
            Condition(
                word="larger",
                says="with more than {song_limit} songs",
                about="with more songs than given",
                code='len(ROW["song_ids"]) > song_limit',
                slot="song_limit",
                kind=int,
                pick=lambda rng, rows: rng.randint(4, 9),
            ),
        ),
        acts=(
            _removed("playlists"),
            rename("update_playlist", "playlist_id", "title"),
            task_of('ROW["title"]', "title"),
        ),
        sizes=(
            Size(
                field="size",
                noun="number of songs",
                unit="",
                smallest="from the one with the fewest songs to the one with the most",
                code='len(ROW["song_ids"])',
            ),
        ),
    ),
    Pile(
        word="song_reviews",
        app="music",
        api="show_my_reviews",
        row="review",
        rows="reviews",
        many="the song reviews that I wrote on music",
        tests=(*_LISTED["song_reviews"].conditions[:4],),
        acts=(
            _removed("song_reviews"),
            _STARS,
            _LISTED["song_reviews"].actions[2],
            task_of('ROW["song_title"]', "song's title"),
        ),
        sizes=(Size(field="rating", noun="number of stars", unit="", sums=False),),
    ),
    Pile(
        word="library_albums",
        app="music",
        api="show_album_library",
        row="album",
        rows="albums",
        many="the albums in my album library",
        tests=(*_LISTED["library_albums"].conditions[2:5],),
        acts=(
            replace(_LISTED["library_albums"].actions[1], after=" from the library"),
            task_of('ROW["title"]', "title"),
            Action(
                api="create_playlist",
                verb="create an empty private playlist for",
                arguments='title=ROW["title"]',
                after=", with the same title",
            ),
        ),
        sizes=(Size(field="size", noun="number of songs", unit="", sums=False, code='len(ROW["song_ids"])'),),
    ),
)
