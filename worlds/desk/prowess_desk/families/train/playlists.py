"""Train families of the music app: playlists."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.music import (
    Listener,
    Playlist,
    Song,
    add_to_playlist,
    change_playlist,
    delete_playlist,
    follow,
    remove_from_playlist,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.toolbox import all_pages, apis, login


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


def playlist_titled(title: str) -> dict:
    """Find the supervisor's playlist with exactly this title and return it with its songs."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token, query=title)
    playlist = next(playlist for playlist in playlists if playlist["title"] == title)
    return apis.music.show_playlist(access_token=token, playlist_id=playlist["playlist_id"])


# Remove the short songs of a playlist.


def _make_short(draw: Draw) -> Values | None:
    mine, older = twins(draw)
    lengths = sorted(draw.state[Song][song].seconds for song in mine.song_ids)
    limit = lengths[draw.rng.randint(2, len(lengths) - 3)]  # one song is exactly this long, and stays
    if all(draw.state[Song][song].seconds >= limit for song in older.song_ids):
        return None
    return {"title": mine.title, "seconds": limit, "other_title": older.title}


def _solve_short(state: State, me: Person, values: Values) -> Json:
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
    make=_make_short,
    solve=_solve_short,
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


# Follow every artist of a playlist.


def _make_follow(draw: Draw) -> Values | None:
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


def _solve_follow(state: State, me: Person, values: Values) -> Json:
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
    make=_make_follow,
    solve=_solve_follow,
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


def _make_merge(draw: Draw) -> Values | None:
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


def _solve_merge(state: State, me: Person, values: Values) -> Json:
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
    make=_make_merge,
    solve=_solve_merge,
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

FAMILIES = (trim_playlist, follow_playlist_artists, merge_two_playlists)
