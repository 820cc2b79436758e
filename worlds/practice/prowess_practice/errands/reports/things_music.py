"""Playlists, albums, artists and songs, one figure each."""

from __future__ import annotations

from prowess_practice.errands.reports.things import Thing, ThingFigure
from prowess_practice.errands.transfers import albums, songs
from prowess_practice.errands.transfers.parts import gathering

_MUSIC = "access_token=music_token"
_LIST = (
    f'playlist_id = ROW["playlist_id"]\nsongs = apis.music.show_playlist({_MUSIC}, playlist_id=playlist_id)["songs"]\n'
)
_ALBUM = f'tracks = apis.music.show_album({_MUSIC}, album_id=ROW["album_id"])["songs"]\n'
_CLOCK = 'minutes, seconds = divmod(sum(song["duration"] for song in songs), 60)\n'
_REVIEWS = f'reviews = all_pages(apis.music.show_song_reviews, {_MUSIC}, song_id=ROW["song_id"])\n'
_TWO = "with two decimals (as in 4.25)"


def _known(word: str, api: str, what: str) -> ThingFigure:
    """How many songs of a playlist another listing has, too."""
    return ThingFigure(
        word=f"{word}_songs",
        says=f"the number of its songs {what}",
        before=gathering(word, f"music.{api}", "song_id"),
        code=f'len([id for id in ROW["song_ids"] if id in {word}])',
        edit=(f"if id in {word}", f"if id not in {word}"),
    )


_LENGTH = ThingFigure(
    word="length",
    says="its length as M:SS (minutes and two-digit seconds, as in 3:07)",
    kind="text",
    inner='minutes, seconds = divmod(ROW["duration"], 60)\n',
    code='f"{minutes}:{seconds:02d}"',
    edit=("{seconds:02d}", "{seconds}"),
)
PLAY = (
    Thing(
        pool=albums.LISTS,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="seconds",
                says="the sum of the durations of its songs in seconds",
                inner=_LIST,
                code='sum(song["duration"] for song in songs)',
                edit=('song["duration"]', "1"),
            ),
            _known("liked", "show_liked_songs", "that I like"),
            ThingFigure(
                word="artists",
                says="the number of different artists of its songs",
                inner=_LIST,
                code='len({song["artist_name"] for song in songs})',
                edit=('song["artist_name"]', 'song["title"]'),
            ),
            ThingFigure(
                word="playing_time",
                says="its playing time as M:SS (minutes and two-digit seconds, as in 41:07)",
                inner=f"{_LIST}{_CLOCK}",
                code='f"{minutes}:{seconds:02d}"',
                kind="text",
                edit=("{seconds:02d}", "{seconds}"),
            ),
            _known("kept", "show_song_library", "that are in my song library"),
            ThingFigure(
                word="mean_plays",
                says=f"the average play count of its songs, {_TWO}",
                inner=_LIST,
                code='round(sum(song["play_count"] for song in songs) / len(songs), 2)',
                kind="mean",
                edit=(" / len(songs)", ""),
            ),
            ThingFigure(
                word="longest",
                says="the title of its longest song (the first of them in the playlist if several are equally long)",
                inner=_LIST,
                kind="text",
                code='max(songs, key=lambda song: song["duration"])["title"]',
                edit=("max(songs", "min(songs"),
            ),
            _known("played", "show_play_history", "that are in my play history"),
            ThingFigure(
                word="newest",
                says="the latest release date among its songs (YYYY-MM-DD)",
                inner=_LIST,
                kind="day",
                code='max(song["release_date"] for song in songs)',
                edit=("max(song", "min(song"),
            ),
        ),
    ),
    Thing(
        pool=albums.KEPT,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="seconds",
                says="the sum of the durations of its songs in seconds",
                inner=_ALBUM,
                code='sum(track["duration"] for track in tracks)',
                edit=('track["duration"]', "1"),
            ),
            ThingFigure(
                word="plays",
                says="the sum of the play counts of its songs",
                inner=_ALBUM,
                code='sum(track["play_count"] for track in tracks)',
                edit=('track["play_count"]', "1"),
            ),
            ThingFigure(
                word="hit",
                says="the title of its song with the highest play count",
                inner=_ALBUM,
                kind="text",
                code='max(tracks, key=lambda track: track["play_count"])["title"]',
                edit=("max(tracks", "min(tracks"),
            ),
        ),
    ),
    Thing(
        pool=albums.FOLLOWED,
        name='ROW["name"]',
        called="the artist's name",
        looks=(
            ThingFigure(
                word="catalogue_songs",
                says="the number of songs by the artist in the catalogue of music",
                inner=f'song_ids = apis.music.show_artist({_MUSIC}, artist_id=ROW["artist_id"])["song_ids"]\n',
                code="len(song_ids)",
                edit=("len(song_ids)", "max(song_ids)"),
            ),
            ThingFigure(
                word="kept_songs",
                says="the number of songs by the artist in my song library",
                before=(
                    f"    library = all_pages(apis.music.show_song_library, {_MUSIC})\n"
                    '    singers = [song["artist_name"] for song in library]\n'
                ),
                code='singers.count(ROW["name"])',
                edit=('singers.count(ROW["name"])', "len(singers)"),
            ),
            ThingFigure(
                word="my_plays",
                says="how often I have played songs by the artist, as my play history counts it",
                before=f"    history = all_pages(apis.music.show_play_history, {_MUSIC})\n",
                code='sum(song["my_play_count"] for song in history if song["artist_id"] == ROW["artist_id"])',
                edit=('song["my_play_count"] for', "1 for"),
            ),
            ThingFigure(
                word="catalogue_albums",
                says="the number of songs on all albums by the artist in the catalogue of music, taken together",
                inner=f'albums = all_pages(apis.music.search_albums, {_MUSIC}, artist_id=ROW["artist_id"])\n',
                code='sum(len(album["song_ids"]) for album in albums)',
                edit=('len(album["song_ids"])', "1"),
            ),
        ),
    ),
    Thing(
        pool=songs.LIKES,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="rating",
                says=f"the average rating of all its reviews, {_TWO}",
                kind="mean",
                inner=f'rating = apis.music.show_song({_MUSIC}, song_id=ROW["song_id"])["rating"]\n',
                code="rating",
                test="rating is not None",
                left="Songs without any review are left out.",
            ),
            _LENGTH,
            ThingFigure(
                word="reviews", says="the number of its reviews (by anybody)", inner=_REVIEWS, code="len(reviews)"
            ),
        ),
    ),
    Thing(
        pool=songs.IN_PLAYLIST,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="stars",
                says="the sum of the stars in all its reviews (by anybody)",
                inner=_REVIEWS,
                code='sum(review["rating"] for review in reviews)',
                edit=('review["rating"] for', "1 for"),
            ),
            _LENGTH,
            ThingFigure(
                word="my_plays",
                says="how often I have played it (0 if my play history does not have it)",
                before=(
                    f"    history = all_pages(apis.music.show_play_history, {_MUSIC})\n"
                    '    plays = {song["song_id"]: song["my_play_count"] for song in history}\n'
                ),
                code='plays.get(ROW["song_id"], 0)',
                edit=('"my_play_count"', '"play_count"'),
            ),
        ),
    ),
    Thing(
        pool=songs.HISTORY,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="listened",
                says="the seconds I have listened to it: its duration times how often I played it",
                code='ROW["duration"] * ROW["my_play_count"]',
                edit=(' * ROW["my_play_count"]', ""),
            ),
            ThingFigure(
                word="last",
                says="the day on which I last played it (YYYY-MM-DD)",
                kind="day",
                code='ROW["last_played_at"][:10]',
            ),
        ),
    ),
)
