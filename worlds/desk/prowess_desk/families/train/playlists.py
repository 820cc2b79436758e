"""Train families of the music app: playlists that are made, trimmed, merged, split and compared."""

from __future__ import annotations

import re
from collections import Counter

from prowess.types import Json
from prowess_desk.apps import music
from prowess_desk.apps.music import (
    Artist,
    Listener,
    Playlist,
    SavedSong,
    Song,
    SongReview,
    add_to_playlist,
    change_playlist,
    create_playlist,
    delete_playlist,
    follow,
    like_song,
    remove_from_playlist,
    review,
    save_song,
)
from prowess_desk.data.music import GENRES
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import scene
from prowess_desk.families.papers import older_twin
from prowess_desk.families.toolbox import all_pages, apis, login

# Make a playlist of the saved songs of a genre.

_TITLES = (
    "Sunset Drive|Cabin Weekend|Third Coffee|Night Bus|Slow Sunday|Paint the Fence|Ferry Crossing|Rooftop|Rain Delay|"
    "Packing Boxes|Snow Day|Long Stairs|Market Morning|Quiet Car|Sparring|Balcony Hours"
).split("|")


def _make_playlist_from_genre(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    saved = {row.song for row in state[SavedSong].of(me)}
    for song in draw.rng.sample([song.id for song in state[Song] if song.id not in saved], max(0, 26 - len(saved))):
        save_song(state, me, song)
    rows = sorted(state[SavedSong].of(me), key=lambda row: (row.added_at, row.id), reverse=True)
    songs = [state[Song][row.song] for row in rows]
    genre = draw.rng.choice([song.genre for song in songs[20:]])  # not all of them on the largest page
    others = sorted({song.genre for song in songs} - {genre})
    unsaved = [song for song in state[Song] if song.genre == genre and song not in songs]
    if sum(song.genre == genre for song in songs) < 3 or not unsaved or not others:
        return None
    like_song(state, me, unsaved[0].id)  # liked, but not in the library
    titles = {playlist.title for playlist in state[Playlist].of(me)}
    title = draw.rng.choice([title for title in _TITLES if title not in titles])
    return {"title": title, "genre": genre, "other_genre": draw.rng.choice(others)}


def _solve_playlist_from_genre(state: State, me: Person, values: Values) -> Json:
    songs = [state[Song][row.song] for row in state[SavedSong].of(me.id)]
    create_playlist(state, me.id, values["title"], [song.id for song in songs if song.genre == values["genre"]])


def create_playlist_from_library(title: str, genre: str) -> int:
    """Create a playlist of all songs of a genre in the song library and return how many it holds."""
    token = login(app="music")
    library = all_pages(apis.music.show_song_library, access_token=token)
    songs = [song for song in library if song["genre"].lower() == genre.lower()]
    playlist = apis.music.create_playlist(access_token=token, title=title)
    for song in songs:
        apis.music.add_song_to_playlist(
            access_token=token, playlist_id=playlist["playlist_id"], song_id=song["song_id"]
        )
    return len(songs)


playlist_from_genre = Family(
    name="playlist_from_genre",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"title": str, "genre": str},
    wordings=(
        'Make a playlist called "{title}" with all the {genre} songs from my song library.',
        'Which {genre} songs have I saved to my music library? Put every one of them into a new playlist, "{title}".',
        'I need a new music playlist: title "{title}", contents all saved songs of my library whose genre is {genre}.',
    ),
    make=_make_playlist_from_genre,
    solve=_solve_playlist_from_genre,
    program=Program(
        functions=(create_playlist_from_library,),
        call="create_playlist_from_library(title={title!r}, genre={genre!r})",
    ),
    mistakes=(
        Mistake(name="another_genre", swap={"genre": "other_genre"}),
        Mistake(name="first_page", old="if len(page) < 20:", new="if page:"),
        Mistake(name="liked_songs_instead", old="apis.music.show_song_library", new="apis.music.show_liked_songs"),
        Mistake(name="made_public", old="title=title)", new="title=title, is_public=True)"),
    ),
)


def twins(draw: Draw) -> tuple[Playlist, Playlist]:
    """A playlist of at least eight songs, and an older one whose title holds its title: a search finds that first."""
    state = draw.state
    older, mine = sorted(draw.rng.sample(state[Playlist].of(draw.me.id), 2), key=lambda playlist: playlist.id)
    older = change_playlist(state, older.id, title=f"{mine.title} {draw.rng.choice(('Remix', 'Old', 'Backup'))}")
    if len(mine.song_ids) < 8:
        more = [song.id for song in state[Song] if song.id not in mine.song_ids]
        mine = add_to_playlist(state, mine.id, *draw.rng.sample(more, 8 - len(mine.song_ids)))
    return mine, older


def playlist_of(state: State, me: Person, title: str) -> Playlist:
    return next(playlist for playlist in state[Playlist].of(me.id) if playlist.title == title)


# Remove the short songs of a playlist.


def _make_trim_playlist(draw: Draw) -> Values | None:
    mine, older = twins(draw)
    lengths = sorted(draw.state[Song][song].seconds for song in mine.song_ids)
    limit = lengths[draw.rng.randint(2, len(lengths) - 3)]  # one song is exactly this long, and stays
    if all(draw.state[Song][song].seconds >= limit for song in older.song_ids):
        return None
    return {"title": mine.title, "seconds": limit, "other_title": older.title}


def _solve_trim_playlist(state: State, me: Person, values: Values) -> Json:
    playlist = playlist_of(state, me, values["title"])
    short = [song for song in playlist.song_ids if state[Song][song].seconds < values["seconds"]]
    remove_from_playlist(state, playlist.id, *short)


def remove_short_songs(title: str, seconds: int) -> int:
    """Remove the songs shorter than some seconds from a playlist and return how many were removed."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token)
    playlist_id = next(playlist["playlist_id"] for playlist in playlists if playlist["title"] == title)
    songs = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]
    short = [song for song in songs if song["duration"] < seconds]
    for song in short:
        apis.music.remove_song_from_playlist(access_token=token, playlist_id=playlist_id, song_id=song["song_id"])
    return len(short)


trim_playlist = Family(
    name="trim_playlist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"title": str, "seconds": int},
    wordings=(
        'Remove all songs shorter than {seconds} seconds from my playlist "{title}".',
        'My music playlist "{title}" has too many short tracks: take out whatever lasts less than {seconds} seconds.',
        'Only songs of at least {seconds} seconds should stay in "{title}", one of my playlists; drop any others.',
    ),
    make=_make_trim_playlist,
    solve=_solve_trim_playlist,
    program=Program(functions=(remove_short_songs,), call="remove_short_songs(title={title!r}, seconds={seconds!r})"),
    mistakes=(
        Mistake(name="another_playlist", swap={"title": "other_title"}),
        Mistake(name="the_limit_itself", old='song["duration"] < seconds', new='song["duration"] <= seconds'),
        Mistake(name="long_ones_instead", old='song["duration"] < seconds', new='song["duration"] > seconds'),
        Mistake(
            name="whole_playlist_deleted",
            extra=(
                'token = login(app="music")\n'
                "apis.music.delete_playlist(access_token=token, playlist_id=apis.music.show_playlists(\n"
                '    access_token=token)[0]["playlist_id"])'
            ),
        ),
    ),
)


def playlist_titled(title: str) -> dict:
    """Find the supervisor's playlist with exactly this title and return it with its songs."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token, query=title)
    playlist = next(playlist for playlist in playlists if playlist["title"] == title)
    return apis.music.show_playlist(access_token=token, playlist_id=playlist["playlist_id"])


# Follow every artist of a playlist.


def _make_follow_playlist_artists(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    mine, older = twins(draw)
    artists = [state[Song][song].artist for song in mine.song_ids]
    follow(state, me, artists[0])  # following again is refused
    followed = state[Listener][me].followed_artist_ids
    wanted = set(artists) - set(followed)
    late = wanted - set(artists[:5])
    if len(wanted) < 3 or not late or wanted == {state[Song][song].artist for song in older.song_ids} - set(followed):
        return None
    return {"title": mine.title, "other_title": older.title}


def _solve_follow_playlist_artists(state: State, me: Person, values: Values) -> Json:
    for song in playlist_of(state, me, values["title"]).song_ids:
        follow(state, me.id, state[Song][song].artist)


def follow_artists_in_playlist(title: str) -> int:
    """Follow every artist with a song in a playlist who is not followed yet and return how many were added."""
    token = login(app="music")
    followed = all_pages(apis.music.show_followed_artists, access_token=token)
    known = {artist["artist_id"] for artist in followed}
    artists = {song["artist_id"] for song in playlist_titled(title=title)["songs"]}
    for artist_id in sorted(artists - known):
        apis.music.follow_artist(access_token=token, artist_id=artist_id)
    return len(artists - known)


follow_playlist_artists = Family(
    name="follow_playlist_artists",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"title": str},
    wordings=(
        'Follow all the artists who have a song in my playlist "{title}".',
        'I like everyone on "{title}". Whoever sings a track of that playlist of mine and is not among the artists I'
        " follow on music should be added there.",
        'Please go through my music playlist titled "{title}" and start following each artist that appears in it.',
    ),
    make=_make_follow_playlist_artists,
    solve=_solve_follow_playlist_artists,
    program=Program(
        functions=(playlist_titled, follow_artists_in_playlist), call="follow_artists_in_playlist(title={title!r})"
    ),
    mistakes=(
        Mistake(name="another_playlist", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if playlist["title"] == title', new=""),
        Mistake(name="first_five_songs", old='(title=title)["songs"]', new='(title=title)["songs"][:5]'),
        Mistake(
            name="others_unfollowed",
            old="    return len(artists - known)",
            new=(
                "    for artist_id in known - artists:\n"
                "        apis.music.unfollow_artist(access_token=token, artist_id=artist_id)\n"
                "    return len(artists - known)"
            ),
        ),
    ),
)


# Merge a playlist into another.


def _make_merge_two_playlists(draw: Draw) -> Values | None:
    state = draw.state
    mine, older = twins(draw)
    rest = [playlist for playlist in state[Playlist].of(draw.me.id) if playlist.id not in (mine.id, older.id)]
    target = draw.rng.choice(rest)
    target = add_to_playlist(state, target.id, *mine.song_ids[1:3])  # adding these again is refused
    if set(mine.song_ids[5:]) <= set(target.song_ids):
        return None
    return {
        "source": mine.title,
        "target": target.title,
        "other_source": target.title,
        "other_target": mine.title,
        "other_twin": older.title,
    }


def _solve_merge_two_playlists(state: State, me: Person, values: Values) -> Json:
    source, target = (playlist_of(state, me, values[name]) for name in ("source", "target"))
    add_to_playlist(state, target.id, *source.song_ids)
    delete_playlist(state, source.id)


def merge_playlists(source: str, target: str) -> int:
    """Add the songs of one playlist to another, each once, delete the first and return how many were added."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token)
    by_title = {playlist["title"]: playlist for playlist in playlists}
    target_id = by_title[target]["playlist_id"]
    missing = [song_id for song_id in by_title[source]["song_ids"] if song_id not in by_title[target]["song_ids"]]
    for song_id in missing:
        apis.music.add_song_to_playlist(access_token=token, playlist_id=target_id, song_id=song_id)
    apis.music.delete_playlist(access_token=token, playlist_id=by_title[source]["playlist_id"])
    return len(missing)


merge_two_playlists = Family(
    name="merge_two_playlists",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"source": str, "target": str},
    wordings=(
        'Merge my playlist "{source}" into "{target}", no song twice, and then delete "{source}".',
        'I have one music playlist too many. Everything from "{source}" that is not yet in "{target}" should be added'
        ' there; after that, get rid of "{source}".',
        'In my music app, let "{target}" take over all songs of "{source}" (skip those it already has) and remove the'
        ' playlist "{source}" afterwards.',
    ),
    make=_make_merge_two_playlists,
    solve=_solve_merge_two_playlists,
    program=Program(functions=(merge_playlists,), call="merge_playlists(source={source!r}, target={target!r})"),
    mistakes=(
        Mistake(name="wrong_way_round", swap={"source": "other_source", "target": "other_target"}),
        Mistake(name="the_similar_title", swap={"source": "other_twin"}),
        Mistake(
            name="not_deleted",
            old='apis.music.delete_playlist(access_token=token, playlist_id=by_title[source]["playlist_id"])',
            new="pass",
        ),
        Mistake(name="first_five_songs", old='[source]["song_ids"] if', new='[source]["song_ids"][:5] if'),
    ),
)


# Add a song of each genre that a playlist lacks.

_NEW = "Bit of Everything|Open Ears|Grand Tour|Patchwork|Around the Dial|Full Spectrum|Mixed Company".split("|")


def _make_every_genre_playlist(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    mine, older = twins(draw)
    top: dict[str, Song] = {}
    for song in sorted(state[Song], key=lambda song: song.plays):
        top[song.genre] = song
    gone = rng.sample(sorted(top), 3)
    songs = [state[Song][id] for id in mine.song_ids]
    music.remove_from_playlist(
        state, mine.id, *(song.id for song in songs if song.genre in gone or song in top.values())
    )
    music.change_playlist(state, mine.id, public=False)
    music.add_to_playlist(state, older.id, top[gone[0]].id)  # what the other playlist lacks is not the same
    titles = sorted(song.title for song in state[Song] if song.genre == gone[0])
    if titles.index(top[gone[0]].title) < 5 or len(state[Playlist][mine.id].song_ids) < 3:
        return None
    return {"title": mine.title, "new": rng.choice(_NEW), "other_title": older.title}


def _solve_every_genre_playlist(state: State, me: Person, values: Values) -> Json:
    playlist = playlist_of(state, me, values["title"])
    there = {state[Song][song].genre for song in playlist.song_ids}
    for genre in {artist.genre for artist in state[Artist]} - there:
        plays = {song.plays: song.id for song in state[Song] if song.genre == genre}
        music.add_to_playlist(state, playlist.id, plays[max(plays)])
    music.change_playlist(state, playlist.id, title=values["new"])


def complete_genres_of_playlist(title: str, new_title: str) -> int:
    """Add the most played song of each genre that a playlist lacks, rename it and return how many were added."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token, query=title)
    playlist_id = next(playlist["playlist_id"] for playlist in playlists if playlist["title"] == title)
    songs = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]
    there = {song["genre"] for song in songs}
    missing = [genre for genre in apis.music.list_genres(access_token=token) if genre not in there]
    for genre in missing:
        found = all_pages(apis.music.search_songs, access_token=token, genre=genre)
        top = max(found, key=lambda song: song["play_count"])
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist_id, song_id=top["song_id"])
    apis.music.update_playlist(access_token=token, playlist_id=playlist_id, title=new_title)
    return len(missing)


every_genre_playlist = Family(
    name="every_genre_playlist",
    split="train",
    difficulty=3,
    apps=("music",),
    slots={"title": str, "new": str},
    wordings=(
        'For every genre of the music catalogue that my playlist "{title}" has no song of, add the song of that genre'
        ' with the most plays by all listeners. Then rename the playlist to "{new}".',
        'My playlist "{title}" should have something of each genre there is on music. Where a genre is missing, put in'
        ' its most played song (everybody\'s plays count, not just mine), and call the playlist "{new}" from now on.',
        'Please give "{title}", one of my music playlists, the new title "{new}" and round it off: for each genre that'
        " is not in it yet, it gets the one song of that genre with the highest play count in the catalogue.",
    ),
    make=_make_every_genre_playlist,
    solve=_solve_every_genre_playlist,
    program=Program(
        functions=(complete_genres_of_playlist,),
        call="complete_genres_of_playlist(title={title!r}, new_title={new!r})",
    ),
    mistakes=(
        Mistake(name="another_playlist", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if playlist["title"] == title', new=""),
        Mistake(name="every_genre", old=" if genre not in there]", new="]"),
        Mistake(name="the_longest", old='song["play_count"]', new='song["duration"]'),
        Mistake(name="first_page", old="all_pages(apis.music.search_songs, ", new="apis.music.search_songs("),
        Mistake(name="made_public", old="title=new_title)", new="title=new_title, is_public=True)"),
    ),
)


# Fill one side of a tape with liked songs, the longest first.

_TAPES = "Tape for the car|Side A|Mix for the train|Cassette one|Ferry tape|Ironing tape|Songs for the sauna".split("|")


def _taken(lengths: list[int], limit: int) -> list[int]:
    taken: list[int] = []
    for length in lengths:
        taken += [length] if sum(taken) + length <= limit else []
    return taken


def _make_fill_tape_side(draw: Draw) -> Values | None:
    rng, minutes = draw.rng, draw.rng.randint(22, 48)
    songs = rng.sample(list(draw.state[music.Song]), rng.randint(22, 27))
    draw.state[music.Listener].change(draw.me.id, liked_song_ids=tuple(sorted(song.id for song in songs)))
    lengths = sorted((song.seconds for song in songs), reverse=True)
    taken = _taken(lengths, minutes * 60)
    if taken == lengths[: len(taken)]:  # nothing short would fit into what is left
        return None
    return {"title": rng.choice(_TAPES), "minutes": minutes, "other_minutes": minutes - 7}


def _solve_fill_tape_side(state: State, me: Person, values: Values) -> Json:
    liked = {state[music.Song][id].seconds: id for id in state[music.Listener][me.id].liked_song_ids}
    taken = _taken(sorted(liked)[::-1], 60 * values["minutes"])
    music.create_playlist(state, me.id, values["title"], [liked[seconds] for seconds in taken])


def fill_with_likes(title: str, minutes: int) -> int:
    """Make a playlist of liked songs, longest first, each that still fits into some minutes; return its seconds."""
    token = login(app="music")
    songs = all_pages(apis.music.show_liked_songs, access_token=token)
    playlist_id = apis.music.create_playlist(access_token=token, title=title)["playlist_id"]
    total = 0
    for song in sorted(songs, key=lambda song: song["duration"], reverse=True):
        if total + song["duration"] > minutes * 60:
            continue
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist_id, song_id=song["song_id"])
        total += song["duration"]
    return total


fill_tape_side = Family(
    name="fill_tape_side",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"title": str, "minutes": int},
    wordings=(
        'Make a new playlist "{title}" that lasts {minutes} minutes at most: go through the songs I like on music from'
        " the longest to the shortest and add every one that still fits into the time that is left.",
        'One side of a tape holds {minutes} minutes. Create the playlist "{title}" for it out of my liked songs: begin'
        " with the longest, go on to ever shorter ones, skip what would run over and keep trying those after it.",
        "{minutes} minutes of music, please, and not a second more. Take the songs with my like in order of their"
        ' length, longest first; what still has room goes into a new playlist called "{title}", the rest does not.',
        'On music, set up the new playlist "{title}" out of my likes. Sort these songs by duration, longest on top, and'
        " pick each one with which the whole stays within {minutes} minutes, even after one that was too long.",
        'Could you pack my liked songs into a playlist titled "{title}"? Always try the longest one that you have not'
        " tried yet, and put it in unless the whole would then exceed {minutes} minutes.",
    ),
    make=_make_fill_tape_side,
    solve=_solve_fill_tape_side,
    program=Program(functions=(fill_with_likes,), call="fill_with_likes(title={title!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="less_time", swap={"minutes": "other_minutes"}),
        Mistake(name="ends_at_the_first", old="            continue", new="            break"),
        Mistake(name="shortest_first", old=", reverse=True)", new=")"),
        Mistake(name="first_page", old="all_pages(apis.music.show_liked_songs, ", new="apis.music.show_liked_songs("),
        Mistake(name="saved_ones", old="apis.music.show_liked_songs", new="apis.music.show_song_library"),
    ),
)


# Which two playlists have the most in common?


def _make_closest_playlists(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    *some, last = state[Playlist].of(draw.me.id)
    if len(some) < 5:
        return None
    whole, near, third, long = rng.sample(some, 4)
    songs = rng.sample([song.id for song in state[Song]], 60)
    for row, n, m in ((whole, 0, 45), (near, 0, 9), (last, 0, 6), (third, 5, 10), (long, 20, 60)):
        add_to_playlist(state, row.id, *songs[n:m])
    pairs = _overlaps(state, draw.me, whole.title)
    (second, _), (most, best) = sorted((count, pair) for pair, count in pairs.items())[-2:]
    return {"title": whole.title, "other_title": near.title} if most > second and last.title in best else None


def _overlaps(state: State, me: Person, without: str) -> dict[tuple[str, str], int]:
    lists = {row.title: {*row.song_ids} for row in state[Playlist].of(me.id) if row.title != without}
    names = list(lists)
    return {(a, b): len(lists[a] & lists[b]) for n, b in enumerate(names) for a in names[:n]}


def _solve_closest_playlists(state: State, me: Person, values: Values) -> Json:
    pairs = _overlaps(state, me, values["title"])
    return list(max((count, pair) for pair, count in pairs.items())[1])


def most_alike_playlists(without: str) -> list:
    """Return the titles of the two playlists, one playlist left out, that have the most songs in common."""
    token = login(app="music")
    compared = [each for each in all_pages(apis.music.show_playlists, access_token=token) if each["title"] != without]
    most, titles = -1, []
    for n, first in enumerate(compared):
        for second in compared[n + 1 :]:
            common = len(set(first["song_ids"]) & set(second["song_ids"]))
            if common > most:
                most, titles = common, [first["title"], second["title"]]
    return titles


closest_playlists = Family(
    name="closest_playlists",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"title": str},
    wordings=(
        'Which two of my playlists have the most songs in common, "{title}" left aside? Give me both titles.',
        'I want to merge two playlists on music, and they should be the ones that overlap most. "{title}" has a bit of'
        " everything, so do not count it. What are the two called?",
        'Compare each of my music playlists with each other one, except "{title}", and name the pair that shares the'
        " largest number of songs.",
        'Leaving out "{title}", find the two playlists of mine with the greatest number of songs that are in both, and'
        " tell me their titles, separated by a comma.",
        'Two of my playlists must be nearly the same by now. Do not look at "{title}"; of all the others, which two'
        " contain the most of the same songs? A number of songs, not a share, is what I mean.",
    ),
    make=_make_closest_playlists,
    solve=_solve_closest_playlists,
    program=Program(functions=(most_alike_playlists,), call="most_alike_playlists(without={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_left_out", swap={"title": "other_title"}),
        Mistake(name="none_left_out", old=' if each["title"] != without', new=""),
        Mistake(name="most_in_all", old='& set(second["song_ids"])', new='| set(second["song_ids"])'),
        Mistake(name="first_page", old="all_pages(apis.music.show_playlists, ", new="apis.music.show_playlists("),
    ),
)


# Make a playlist of the songs whose reviews carry a hashtag.

_HASHTAGS = ("campfire", "cooking", "drive", "rain", "wedding", "sprint", "window", "quiet")


def _make_hashtag_playlist(draw: Draw) -> Values | None:
    rng, state, me, (person, *_) = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (tag, other), stars = rng.sample(_HASHTAGS, 2), rng.choice((3, 4))
    known = {row.song for one in (me, person) for row in state[SongReview].of(one.id)}
    songs = iter(rng.sample([song.id for song in state[Song] if song.id not in known], 12))
    fit = [f"Lovely. #{tag}", f"#{tag.capitalize()}, what else", f"Play it again #{other} #{tag}!", f"#{tag}"]
    for text in rng.sample([*fit, f"Fine, #{tag}er than most.", f"No {tag} without it.", f"#my{tag}", f"#{other}"], 8):
        review(state, me.id, next(songs), rng.randint(stars, 5), text)
    for who, rating, text in ((me, stars, f"Good. #{tag}"), (me, stars - 1, f"Well. #{tag}"), (person, 5, f"#{tag}")):
        review(state, who.id, next(songs), rating, text)
    title = f"{tag.capitalize()} {rng.choice(('hour', 'box', 'pearls'))}"
    return {"tag": tag, "stars": stars, "title": title, "other_stars": stars - 1}


def _solve_hashtag_playlist(state: State, me: Person, values: Values) -> Json:
    word = re.compile(rf"#{values['tag']}\b", re.IGNORECASE)
    mine = [row for row in state[SongReview].of(me.id) if row.rating >= values["stars"]]
    create_playlist(state, me.id, values["title"], [row.song for row in mine if word.search(row.text)], public=True)


def gather_hashtag(tag: str, stars: int, title: str) -> int:
    """Make a public playlist of the songs reviewed with a hashtag and enough stars and return how many they are."""
    token = login(app="music")
    reviews = all_pages(apis.music.show_my_reviews, access_token=token, min_rating=stars)
    songs = [each["song_id"] for each in reviews if tag in re.findall(r"#(\w+)", each["text"].lower())]
    playlist = apis.music.create_playlist(access_token=token, title=title, is_public=True)
    for song_id in songs:
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist["playlist_id"], song_id=song_id)
    return len(songs)


hashtag_playlist = Family(
    name="hashtag_playlist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"tag": str, "stars": int, "title": str},
    wordings=(
        'Make a public playlist "{title}" of all songs that I gave {stars} stars or more in a review with the hashtag'
        " #{tag}, in capitals or not.",
        "I put hashtags into my song reviews. Everything I tagged #{tag} there (case does not matter, longer hashtags"
        ' are other ones) and rated at least {stars} belongs into a new playlist on music, "{title}", open to all.',
        'On music, I need a playlist called "{title}" that others can see. Into it go the songs whose review by me has'
        " {stars} or more stars and says #{tag} or #{tag} with capital letters. The bare word without # is nothing.",
        "Please look through what I wrote about songs. Where the text has the hashtag #{tag}, large or small letters,"
        ' and my rating is not below {stars}, add the song to "{title}", a public playlist which you create for that.',
        '"{title}" shall be the name of a new public playlist in my music app, filled with whatever I reviewed under'
        " #{tag} (exactly that hashtag, however it is capitalized), as long as it got {stars} stars or better from me.",
    ),
    make=_make_hashtag_playlist,
    solve=_solve_hashtag_playlist,
    program=Program(functions=(gather_hashtag,), call="gather_hashtag(tag={tag!r}, stars={stars!r}, title={title!r})"),
    mistakes=(
        Mistake(name="a_star_less", swap={"stars": "other_stars"}),
        Mistake(name="any_mention", old=r're.findall(r"#(\w+)", each["text"].lower())', new='each["text"].lower()'),
        Mistake(name="small_letters_only", old='each["text"].lower()', new='each["text"]'),
        Mistake(name="private", old=", is_public=True", new=""),
        Mistake(name="first_page", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
    ),
)


# Split a playlist into one for each genre it has enough of.


def _make_split_by_genre(draw: Draw) -> Values | None:
    rng, me, count = draw.rng, draw.me, draw.rng.randint(3, 5)
    title = rng.choice(("Everything Else", "Big Mix", "Car Songs", "Shuffle Box", "All Year Long", "Leftovers"))
    songs = {genre: [song.id for song in draw.state[Song] if song.genre == genre] for genre in GENRES}
    genres = rng.sample([genre for genre, ids in songs.items() if len(ids) >= count + 4], 4)
    picked = [rng.sample(songs[genre], count + more) for genre, more in zip(genres, (2, 0, 1, -1), strict=True)]
    create_playlist(draw.state, me.id, older_twin(title), [song for ids in picked for song in ids[:count]])
    there = (*picked[2][:2], *rng.sample(sorted(set(songs[genres[2]]) - set(picked[2])), 2))
    create_playlist(draw.state, me.id, f"{title}: {genres[2]}", there, public=True)  # begun some time ago
    create_playlist(draw.state, me.id, title, [song for ids in picked for song in ids], public=rng.random() < 0.5)
    return {"title": title, "count": count, "other_title": older_twin(title)}


def _solve_split_by_genre(state: State, me: Person, values: Values) -> Json:
    lists = {playlist.title: playlist for playlist in state[Playlist].of(me.id)}
    songs = [state[Song][id] for id in lists[values["title"]].song_ids]
    for genre in sorted({song.genre for song in songs}):
        ids = [song.id for song in songs if song.genre == genre]
        if len(ids) >= values["count"]:
            name = f"{values['title']}: {genre}"
            add_to_playlist(state, (lists.get(name) or create_playlist(state, me.id, name)).id, *ids)
            remove_from_playlist(state, lists[values["title"]].id, *ids)


def split_playlist(title: str, least: int) -> list:
    """Move the songs of each genre a playlist has enough songs of to the playlist `title: genre`; return the genres."""
    token = login(app="music")
    mine = {each["title"]: each for each in all_pages(apis.music.show_playlists, access_token=token)}
    source = mine[title]["playlist_id"]
    songs = apis.music.show_playlist(access_token=token, playlist_id=source)["songs"]
    counts = Counter(song["genre"] for song in songs)
    genres = [genre for genre, count in counts.items() if count >= least]
    for genre in genres:
        name = f"{title}: {genre}"
        if name not in mine:
            mine[name] = apis.music.create_playlist(access_token=token, title=name) | {"song_ids": []}
        target = mine[name]["playlist_id"]
        for song_id in [song["song_id"] for song in songs if song["genre"] == genre]:
            if song_id not in mine[name]["song_ids"]:
                apis.music.add_song_to_playlist(access_token=token, playlist_id=target, song_id=song_id)
            apis.music.remove_song_from_playlist(access_token=token, playlist_id=source, song_id=song_id)
    return genres


split_by_genre = Family(
    name="split_by_genre",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"title": str, "count": int},
    wordings=(
        'Split my playlist "{title}" by genre: if it has {count} or more songs of a genre, they move to a playlist of'
        ' their own, titled like "{title}: jazz". Make those that do not exist, as private ones. The rest stays.',
        'My music playlist "{title}" is too big. Wherever {count} songs or more in it are of one genre, take them out'
        ' and put them into the playlist "{title}: " plus the name of the genre (as in "{title}: folk"). If I have that'
        " one, just add what it lacks, otherwise create it, not public.",
        'Genres with at least {count} songs in my playlist "{title}" deserve a playlist each: rock songs move to'
        ' "{title}: rock", and so on. Playlists that are there already get the songs they lack; new ones are private.',
        'Clear out my playlist "{title}": only songs of genres it has fewer than {count} of remain. All others go to'
        ' playlists named like "{title}: pop", with their own genre: to those that exist, or else to new private ones.',
        'Count the songs of each genre in my playlist "{title}". For each count of {count} or above, move these songs'
        ' to "{title}: GENRE" (the genre in place of GENRE), a new private playlist unless I have one of this title.',
    ),
    make=_make_split_by_genre,
    solve=_solve_split_by_genre,
    program=Program(functions=(split_playlist,), call="split_playlist(title={title!r}, least={count!r})"),
    mistakes=(
        Mistake(name="the_older_playlist", swap={"title": "other_title"}),
        Mistake(name="only_copied", old="            apis.music.remove_song_from_playlist(", new="            dict("),
        Mistake(name="more_than_that", old="count >= least", new="count > least"),
        Mistake(name="made_public", old="title=name)", new="title=name, is_public=True)"),
    ),
)

FAMILIES = (
    playlist_from_genre,
    trim_playlist,
    follow_playlist_artists,
    merge_two_playlists,
    every_genre_playlist,
    fill_tape_side,
    closest_playlists,
    hashtag_playlist,
    split_by_genre,
)
