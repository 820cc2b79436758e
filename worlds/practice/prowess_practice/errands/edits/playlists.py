"""Playlists: which of them are changed, and what to."""

from __future__ import annotations

from prowess_desk.apps.music import Playlist, Song
from prowess_desk.engine.family import Day, Draw, Values

from prowess_practice.errands.edits.changes import drawn, numbered, one_of, prefixed, shouted, suffixed, tailed
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target

_LISTING = listed("music", "playlists")
_TARGET = Target(
    word="playlists",
    app="music",
    row="playlist",
    rows="playlists",
    reads=("playlists = all_pages(apis.music.show_playlists, access_token=music_token)",),
    mine="my playlists on music",
    name="title",
    called="title",
    update='apis.music.update_playlist(access_token=music_token, playlist_id=playlist["playlist_id"]',
)
_SONGS = 'songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist["playlist_id"])["songs"]'


def _song(draw: Draw, field: str) -> Values | None:
    mine = [song for one in draw.state[Playlist].of(draw.me.id) for song in one.song_ids]
    return {field: _said(draw, field, draw.rng.choice(mine))} if mine else None


def _said(draw: Draw, field: str, song: int) -> str:
    row = draw.state[Song][song]
    return row.title if field == "song" else str(row.genre)


def _has(word: str, api: str) -> tuple[str, ...]:
    return (f'{word} = {{song["song_id"] for song in all_pages(apis.music.{api}, access_token=music_token)}}',)


_CHOICES = (
    *(by(_TARGET, one) for one in _LISTING.conditions),
    by(_TARGET, _LISTING.conditions[0], _LISTING.flags[0]),
    by(_TARGET, _LISTING.conditions[1], _LISTING.flags[1]),
    inside(
        _TARGET,
        "with_song",
        'MINE that have the song "{song_title}" in them',
        "with a song",
        'song_title in [song["title"] for song in songs]',
        looks=(_SONGS,),
        slots={"song_title": str},
        draws=lambda draw: {"song_title": (_song(draw, "song") or {"song": None})["song"]},
    ),
    inside(
        _TARGET,
        "with_genre",
        ('MINE that hold at least one song of the genre "{genre}"', 'MINE with a song of the genre "{genre}"'),
        "with a song of a genre",
        'any(song["genre"] == genre for song in songs)',
        looks=(_SONGS,),
        slots={"genre": str},
        draws=lambda draw: _song(draw, "genre"),
    ),
    inside(
        _TARGET,
        "longer",
        "MINE whose songs last more than {minutes} minutes altogether",
        "longer than so many minutes",
        'sum(song["duration"] for song in songs) > 60 * minutes',
        looks=(_SONGS,),
        slots={"minutes": int},
        draws=lambda draw: {"minutes": draw.rng.randint(24, 48)},
    ),
    inside(
        _TARGET,
        "with_recent_song",
        "MINE that have a song released on or after {day}",
        "with a song released since a day",
        'any(song["release_date"] >= day for song in songs)',
        looks=(_SONGS,),
        slots={"day": Day},
        draws=lambda draw: {"day": f"2024-{draw.rng.randint(1, 12):02d}-{draw.rng.randint(1, 28):02d}"},
    ),
    inside(
        _TARGET,
        "holding_liked",
        "MINE with {least} or more songs that I like",
        "with many liked songs",
        'len(liked & {*playlist["song_ids"]}) >= least',
        before=_has("liked", "show_liked_songs"),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        _TARGET,
        "holding_kept",
        "MINE of whose songs {least} or more are in my song library",
        "with songs of the library",
        'len(kept & {*playlist["song_ids"]}) >= least',
        before=_has("kept", "show_song_library"),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        _TARGET,
        "holding_played",
        "MINE with fewer than {fewer} songs from my play history",
        "with few songs that were played",
        'len(played & {*playlist["song_ids"]}) < fewer',
        before=_has("played", "show_play_history"),
        slots={"fewer": int},
        draws=lambda draw: {"fewer": draw.rng.randint(2, 5)},
    ),
    inside(
        _TARGET,
        "with_followed",
        "MINE that hold {least} or more songs by artists I follow",
        "with songs by followed artists",
        'sum(song["artist_id"] in followed for song in songs) >= least',
        before=(
            "artists = all_pages(apis.music.show_followed_artists, access_token=music_token)",
            'followed = {artist["artist_id"] for artist in artists}',
        ),
        looks=(_SONGS,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(2, 4)},
    ),
    ranked(
        _TARGET,
        "newest",
        ("the {count} playlists on music that I created last", "my {count} newest playlists on music"),
        "the newest playlists",
        'playlist["created_at"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "longest",
        ("the {count} playlists of mine on music with the most songs",),
        "the playlists with the most songs",
        'len(playlist["song_ids"])',
        highest=True,
    ),
)


def _copies(word: str, what: str, test: str, about: str) -> RowChange:
    """A new playlist with some of the songs."""
    return RowChange(
        word=f"copy_{word}",
        says=(
            f'Make a copy of each of WHICH: a new private playlist titled "TITLE ({{suffix}})", where TITLE is the old'
            f" title, with {what}. The old ones stay as they are.",
            f'TAKE For each of them, create a private playlist with the same title and " ({{suffix}})" behind it, and'
            f" put {what} into it.",
            f'I would like to have WHICH a second time, as private playlists titled "TITLE ({{suffix}})" (TITLE is the'
            f" title of the first one), but each only with {what}.",
        ),
        about=f"Copy {about} of",
        each=(
            _SONGS,
            "title = f\"{playlist['title']} ({suffix})\"",
            'copy_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]',
            "for song in songs:",
            f"    if {test}:",
            "        apis.music.add_song_to_playlist("
            'access_token=music_token, playlist_id=copy_id, song_id=song["song_id"])',
        ),
        slots=(one_of("suffix", "short|copy|to go|travel version|second edition"), *_LIMITS[word]),
        matters=((test, "True"),),
        bars=("playlists_with", "playlists_longer"),
    )


_LIMITS = {
    "short": (one_of("seconds", "180|200|220|240|260", int),),
    "genre": (drawn("kept_genre", lambda draw: (_song(draw, "genre") or {"genre": None})["genre"]),),
    "old": (one_of("year", "2015|2016|2017|2018|2019|2020", int),),
}

_CHANGES = (
    prefixed(_TARGET),
    tailed(
        _TARGET,
        "size",
        "f\"{playlist['title']} ({len(playlist['song_ids'])} songs)\"",
        "TITLE (NUMBER songs)",
        "the number of songs it has, as shown",
        "the number of songs",
    ),
    numbered(_TARGET, 'playlist["title"]', "in the alphabetical order of their titles"),
    tailed(
        _TARGET,
        "first_artist",
        "f\"{playlist['title']} with {songs[0]['artist_name']}\"",
        "TITLE with ARTIST",
        'the word "with" and the name of the artist of its first song',
        "the first artist",
        finds=(_SONGS,),
    ),
    RowChange(
        word="flip",
        says=(
            "Swap who can see WHICH: those that are public become private, and the private ones public.",
            "TAKE Make each of them public if it is private, and private if it is public.",
            "The visibility of WHICH should be turned round, from public to private and from private to public.",
        ),
        about="Turn round who can see",
        each=(_TARGET.updating('is_public=not playlist["is_public"]'),),
        bars=("playlists_from_created_at_is_public", "playlists_until_created_at_not_is_public"),
    ),
    tailed(
        _TARGET,
        "minutes",
        "f\"{playlist['title']}, {minutes_long} min\"",
        "TITLE, NUMBER min",
        "how many full minutes its songs last together (60 seconds each, rounded down), as shown",
        "the length in minutes",
        finds=(_SONGS, 'minutes_long = sum(song["duration"] for song in songs) // 60'),
    ),
    RowChange(
        word="name_by_longest",
        says=(
            'Rename each of WHICH after its longest song: the new title is "Around TITLE", TITLE being that of the'
            " song (the first of them in the playlist, if two are equally long).",
            'TAKE The new title of each is "Around " and the title of the song in it that lasts longest; of two such'
            " songs, the one that comes first in the playlist counts.",
            'Every one of WHICH should be called "Around" and then the title of the longest song it holds, the'
            " first one if there are several of that length.",
        ),
        about="Rename after the longest song",
        each=(
            _SONGS,
            'longest = max(songs, key=lambda song: song["duration"])',
            _TARGET.updating("title=f\"Around {longest['title']}\""),
        ),
        matters=(("longest = max(", "longest = min("),),
    ),
    _copies("short", "its songs shorter than {seconds} seconds", 'song["duration"] < seconds', "the short songs"),
    suffixed(_TARGET),
    tailed(
        _TARGET,
        "year",
        "f\"{playlist['title']} {playlist['created_at'][:4]}\"",
        "TITLE YEAR",
        "a space and the year in which it was created",
        "the year",
        bars=("newest",),
    ),
    tailed(
        _TARGET,
        "today",
        "f\"{playlist['title']} ({today})\"",
        "TITLE (DATE)",
        "today's date by my phone, written like 2025-01-31, in brackets",
        "today's date",
        before=('today = apis.phone.show_current_date_and_time()["date"]',),
        apps=("phone",),
    ),
    _copies("genre", 'its songs of the genre "{kept_genre}"', 'song["genre"] == kept_genre', "songs of a genre"),
    RowChange(
        word="most_played_title",
        says=(
            'Rename each of WHICH to "TITLE & more", where TITLE is the title of the song in it with the most plays'
            " (by its play count).",
            'TAKE Give each the title of the song in it with the highest play count, followed by " & more".',
            'I want to call each of WHICH by the song in it that has the largest play count: its title and " & more".',
        ),
        about="Rename after the most played song",
        each=(
            _SONGS,
            'favorite = max(songs, key=lambda song: song["play_count"])',
            _TARGET.updating("title=f\"{favorite['title']} & more\""),
        ),
        matters=(("favorite = max(", "favorite = min("),),
    ),
    RowChange(
        word="trim",
        says=(
            'Remove all songs longer than {seconds} seconds from WHICH, and add " ({suffix})" to the titles.',
            'TAKE Take out of each the songs that last more than {seconds} seconds, and rename it to "TITLE'
            ' ({suffix})",'
            " with its old title.",
            "WHICH should keep only songs of at most {seconds} seconds, so remove the longer ones. Their titles get"
            ' " ({suffix})" at the end.',
        ),
        about="Remove the long songs from",
        each=(
            _SONGS,
            'for song in [one for one in songs if one["duration"] > seconds]:',
            "    apis.music.remove_song_from_playlist("
            'access_token=music_token, playlist_id=playlist["playlist_id"], song_id=song["song_id"])',
            _TARGET.updating("title=f\"{playlist['title']} ({suffix})\""),
        ),
        slots=(one_of("seconds", "200|230|260|290|320", int), one_of("suffix", "short|trimmed|quick|light")),
        matters=((' if one["duration"] > seconds', ""),),
    ),
    shouted(_TARGET),
    _copies("old", "its songs released before {year}", 'int(song["release_date"][:4]) < year', "the old songs"),
)
PLAYLISTS = EditKind(
    target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_notes", "other_alarms")
)
