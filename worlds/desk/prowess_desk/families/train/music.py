"""Train families of the music app: songs, artists and albums."""

from __future__ import annotations

from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.music import (
    Album,
    Artist,
    Listener,
    PlayCount,
    Playlist,
    SavedSong,
    Song,
    SongReview,
    change_review,
    create_playlist,
    like_song,
    review,
    save_song,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.toolbox import all_pages, apis, login


def songs_by(state: State, artist: int) -> list[Song]:
    return [song for song in state[Song] if song.artist == artist]


def add_song(draw: Draw, title: str, artist: Artist, album: int | None = None) -> Song:
    """One more song of the catalogue."""
    return draw.state[Song].add(
        lambda id: Song(
            id=id,
            title=title,
            artist=artist.id,
            album=album,
            genre=artist.genre,
            seconds=draw.rng.randint(430, 900),
            released=draw.state.now.date() - timedelta(days=draw.rng.randint(1, 25)),
            plays=90_000 + id,
        )
    )


# Like every song by an artist.


def _make_like(draw: Draw) -> Values | None:
    artist, other = draw.rng.sample(list(draw.state[Artist]), 2)
    songs = songs_by(draw.state, artist.id)
    liked = draw.state[Listener][draw.me.id].liked_song_ids
    if len(songs) < 6 or sum(song.id not in liked for song in sorted(songs, key=lambda song: song.title)[5:]) == 0:
        return None
    like_song(draw.state, draw.me.id, songs[0].id)  # liking it again is refused
    add_song(draw, f"Letter to {artist.name}", other)  # a search for the artist's name finds this one, too
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

# Make a playlist of the saved songs of a genre.

_TITLES = (
    "Sunset Drive|Cabin Weekend|Third Coffee|Night Bus|Slow Sunday|Paint the Fence|Ferry Crossing|Rooftop|Rain Delay|"
    "Packing Boxes|Snow Day|Long Stairs|Market Morning|Quiet Car|Sparring|Balcony Hours"
).split("|")


def _make_genre(draw: Draw) -> Values | None:
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


def _solve_genre(state: State, me: Person, values: Values) -> Json:
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
    make=_make_genre,
    solve=_solve_genre,
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


# Which song of an artist have I played most?


def _count(draw: Draw, song: int, plays: int, when: datetime) -> None:
    draw.state[PlayCount].add(lambda id: PlayCount(id=id, owner=draw.me.id, song=song, plays=plays, last_at=when))


def _make_most(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    counts = {row.song: row for row in state[PlayCount].of(me)}
    heard = sorted({state[Song][song].artist for song in counts})
    artist, other = draw.rng.sample(heard, 2)
    songs = sorted(songs_by(state, artist), key=lambda song: song.plays)
    if len(songs) < 4 or len(counts) < 20:
        return None
    free = [plays for plays in range(20, 110) if plays not in {row.plays for row in counts.values()}]
    plays = sorted(draw.rng.sample(free, 4), reverse=True)
    for song in songs:
        if song.id in counts:
            state[PlayCount].remove(counts[song.id].id)
    first = min(row.last_at for row in counts.values())
    # The song I played most was last played long ago: it ends the history. The world's favourite begins it.
    whens = (first - timedelta(days=40), first - timedelta(days=30), first - timedelta(days=20), state.now)
    for song, often, when in zip((*songs[:3], songs[-1]), plays, whens, strict=True):
        _count(draw, song.id, often, when)
    top = max(state[PlayCount].of(me), key=lambda row: row.plays)
    if state[Song][top.song].artist == artist:
        return None
    return {"artist": state[Artist][artist].name, "other_artist": state[Artist][other].name}


def _solve_most(state: State, me: Person, values: Values) -> Json:
    artist = next(artist.id for artist in state[Artist] if artist.name == values["artist"])
    plays = {row.song: row.plays for row in state[PlayCount].of(me.id) if state[Song][row.song].artist == artist}
    return state[Song][max(plays, key=lambda song: plays[song])].title


def most_played_song_of_artist(artist_name: str) -> str:
    """Return the title of the song by an artist that the supervisor has played most often."""
    token = login(app="music")
    history = all_pages(apis.music.show_play_history, access_token=token)
    songs = [song for song in history if song["artist_name"] == artist_name]
    return max(songs, key=lambda song: song["my_play_count"])["title"]


most_played_by_artist = Family(
    name="most_played_by_artist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"artist": str},
    wordings=(
        "Which song by {artist} have I played most often? Answer with its title.",
        "Look through my listening history on music and tell me the title of the {artist} track I played the most.",
        "I wonder what my personal number one by {artist} is, going by my own play counts. What is the song's title?",
    ),
    make=_make_most,
    solve=_solve_most,
    program=Program(functions=(most_played_song_of_artist,), call="most_played_song_of_artist(artist_name={artist!r})"),
    asks=True,
    mistakes=(
        Mistake(name="everybodys_plays", old='song["my_play_count"]', new='song["play_count"]'),
        Mistake(name="first_page", old="if len(page) < 20:", new="if page:"),
        Mistake(name="another_artist", swap={"artist": "other_artist"}),
        Mistake(name="any_artist", old='if song["artist_name"] == artist_name', new=""),
    ),
)


# Rate every song of an album.


def _make_rate(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    album = draw.rng.choice(list(state[Album]))
    rated = {row.song for row in state[SongReview].of(me)}
    if len(album.song_ids) < 3 or rated & set(album.song_ids[1:]):
        return None
    stars = draw.rng.randint(2, 5)
    if album.song_ids[0] in rated:
        return None
    review(state, me, album.song_ids[0], draw.rng.randint(1, stars - 1), "I have to hear it again.")
    live = f"{album.title} (Live)"  # a search for the album finds this one, too
    added = state[Album].add(
        lambda id: Album(
            id=id, title=live, artist=album.artist, genre=album.genre, released=state.now.date(), song_ids=()
        )
    )
    titles = [f"{state[Song][song].title} (Live)" for song in album.song_ids]
    songs = [add_song(draw, title, state[Artist][album.artist], added.id).id for title in titles]
    state[Album].change(added.id, song_ids=tuple(songs))
    return {"album": album.title, "stars": stars, "other_album": live, "other_stars": stars - 1}


def _solve_rate(state: State, me: Person, values: Values) -> Json:
    album = next(album for album in state[Album] if album.title == values["album"])
    mine = {row.song: row.id for row in state[SongReview].of(me.id)}
    for song in album.song_ids:
        if song in mine:
            change_review(state, mine[song], rating=values["stars"])
        else:
            review(state, me.id, song, values["stars"])


def rate_songs_of_album(album_title: str, rating: int) -> int:
    """Give every song of an album a rating, updating the reviews that exist, and return the number of songs."""
    token = login(app="music")
    albums = all_pages(apis.music.search_albums, access_token=token, query=album_title)
    album_id = next(album["album_id"] for album in albums if album["title"] == album_title)
    reviews = all_pages(apis.music.show_my_reviews, access_token=token)
    mine = {review["song_id"]: review["review_id"] for review in reviews}
    songs = apis.music.show_album(access_token=token, album_id=album_id)["songs"]
    for song in songs:
        if song["song_id"] in mine:
            apis.music.update_review(access_token=token, review_id=mine[song["song_id"]], rating=rating)
        else:
            apis.music.review_song(access_token=token, song_id=song["song_id"], rating=rating)
    return len(songs)


rate_album = Family(
    name="rate_album",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"album": str, "stars": int},
    wordings=(
        'Rate every song on the album "{album}" with {stars} stars, without a text. Where I have already reviewed a'
        " song, change only the rating.",
        'All tracks of "{album}" deserve {stars} out of 5 from me in the music app: leave a rating and no words, and if'
        " a review of mine exists, keep its text and just set the new rating.",
        'Please go through the songs of the album titled "{album}" and set my rating of each to {stars}. Do not write'
        " any text, and do not touch the text of reviews I wrote before.",
    ),
    make=_make_rate,
    solve=_solve_rate,
    program=Program(
        functions=(rate_songs_of_album,), call="rate_songs_of_album(album_title={album!r}, rating={stars!r})"
    ),
    mistakes=(
        Mistake(name="the_live_album", swap={"album": "other_album"}),
        Mistake(name="a_star_less", swap={"stars": "other_stars"}),
        Mistake(
            name="text_lost",
            old='review_id=mine[song["song_id"]], rating=rating',
            new='review_id=mine[song["song_id"]], rating=rating, text=""',
        ),
        Mistake(
            name="old_reviews_left",
            old='apis.music.update_review(access_token=token, review_id=mine[song["song_id"]], rating=rating)',
            new="continue",
        ),
    ),
)

FAMILIES = (like_artist, playlist_from_genre, most_played_by_artist, rate_album)
