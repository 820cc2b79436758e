"""Train families of the music app."""

from __future__ import annotations

from opensage.types import Json
from opensage.worlds.desk.apps.music import Artist, Listener, Song, like_song
from opensage.worlds.desk.families.toolbox import all_pages, apis, login
from opensage.worlds.desk.family import Draw, Family, Mistake, Program, Values
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State


def songs_by(state: State, artist: int) -> list[Song]:
    return [song for song in state[Song] if song.artist == artist]


# Like every song by an artist.


def _make_like(draw: Draw) -> Values | None:
    artist, other = draw.rng.sample(list(draw.state[Artist]), 2)
    songs = songs_by(draw.state, artist.id)
    liked = draw.state[Listener][draw.me.id].liked_song_ids
    if len(songs) < 6 or sum(song.id not in liked for song in sorted(songs, key=lambda song: song.title)[5:]) == 0:
        return None
    like_song(draw.state, draw.me.id, songs[0].id)  # liking it again is refused
    draw.state[Song].add(  # a search for the artist's name finds this one, too
        lambda id: Song(
            id=id,
            title=f"Letter to {artist.name}",
            artist=other.id,
            album=None,
            genre=other.genre,
            seconds=199,
            released=draw.state.now.date(),
            plays=90_001,
        )
    )
    return {"artist": artist.name, "other_artist": other.name}


def _solve_like(state: State, me: Person, values: Values) -> Json:
    artist = next(artist for artist in state[Artist] if artist.name == values["artist"])
    for song in songs_by(state, artist.id):
        like_song(state, me.id, song.id)


def like_songs_by_artist(artist_name: str) -> int:
    """Like every song by an artist that is not liked yet and return how many were added."""
    token = login(app="music")
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=token)}
    songs = all_pages(apis.music.search_songs, access_token=token, query=artist_name)
    count = 0
    for song in songs:
        if song["artist_name"] == artist_name and song["song_id"] not in liked:
            apis.music.like_song(access_token=token, song_id=song["song_id"])
            count += 1
    return count


like_artist = Family(
    name="like_artist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"artist": str},
    wordings=(
        "Like every song by {artist} on music.",
        "I have become a huge fan of {artist}. Please mark all of their songs in the music app as liked.",
        "In my music account, no song of the artist {artist} should be left without my like.",
    ),
    make=_make_like,
    solve=_solve_like,
    program=Program(functions=(like_songs_by_artist,), call="like_songs_by_artist(artist_name={artist!r})"),
    mistakes=(
        Mistake(name="another_artist", swap={"artist": "other_artist"}),
        Mistake(name="first_page", old="all_pages(apis.music.search_songs, ", new="apis.music.search_songs("),
        Mistake(name="every_song_found", old='song["artist_name"] == artist_name and ', new=""),
    ),
)

FAMILIES = (like_artist,)
