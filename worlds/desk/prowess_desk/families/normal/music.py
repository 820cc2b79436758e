"""Families of test_normal: the music app."""

from __future__ import annotations

from datetime import timedelta

from prowess.types import Json
from prowess_desk.apps.music import (
    Artist,
    Listener,
    PlayCount,
    Playlist,
    SavedSong,
    Song,
    SongReview,
    change_playlist,
    create_playlist,
    follow,
    like_song,
    review,
    save_song,
    unfollow,
    unsave_song,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.toolbox import all_pages, apis, login

_TITLES = (
    "Attic Radio|Harvest Table|Lift Music|Open Windows|Paper Planes|Platform Nine|Sand in Shoes|Second Breakfast|"
    "Spare Room|Tidy Desk|Tram Stop|Wool Socks"
).split("|")


def fresh_titles(draw: Draw, count: int) -> list[str]:
    """Titles that none of the supervisor's playlists has."""
    taken = {playlist.title for playlist in draw.state[Playlist].of(draw.me.id)}
    return draw.rng.sample([title for title in _TITLES if title not in taken], count)


def some_songs(draw: Draw, count: int) -> list[int]:
    return draw.rng.sample([song.id for song in draw.state[Song]], count)


# Which is the longest song of a playlist?


def _make_longest_in_playlist(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    playlists = state[Playlist].of(me)
    if len(playlists) < 5:
        return None
    (title,) = fresh_titles(draw, 1)
    # An older playlist is found by the same words; the one meant ends the list of all.
    twin = change_playlist(
        state, draw.rng.choice(playlists[:5]).id, title=f"{title} {draw.rng.choice(('Too', 'Live'))}"
    )
    mine = create_playlist(state, me, title, some_songs(draw, draw.rng.randint(9, 14)))
    songs = [state[Song][song] for song in mine.song_ids]
    longest = max(songs, key=lambda song: song.seconds)
    if longest in songs[:5] or longest.id in twin.song_ids or longest == max(songs, key=lambda song: song.plays):
        return None
    return {"title": title, "other_title": twin.title}


def _solve_longest_in_playlist(state: State, me: Person, values: Values) -> Json:
    playlist = next(row for row in state[Playlist].of(me.id) if row.title == values["title"])
    return sorted((state[Song][song].seconds, state[Song][song].title) for song in playlist.song_ids)[-1][1]


def longest_song_in_playlist(title: str) -> str:
    """Return the title of the longest song in one of the supervisor's playlists."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token)
    playlist_id = next(playlist["playlist_id"] for playlist in playlists if playlist["title"] == title)
    songs = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]
    return max(songs, key=lambda song: song["duration"])["title"]


longest_in_playlist = Family(
    name="longest_in_playlist",
    split="test_normal",
    difficulty=1,
    apps=("music",),
    slots={"title": str},
    wordings=(
        'What is the longest song in my playlist "{title}"? Give me its title.',
        'Of all the tracks I put into "{title}", my music playlist, one takes longer than any other. Name that song.',
        'Please look at my music playlist "{title}" and tell me the title of the song with the greatest duration.',
    ),
    make=_make_longest_in_playlist,
    solve=_solve_longest_in_playlist,
    program=Program(functions=(longest_song_in_playlist,), call="longest_song_in_playlist(title={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_similar_title", swap={"title": "other_title"}),
        Mistake(name="first_five_songs", old='["songs"]', new='["songs"][:5]'),
        Mistake(name="the_shortest", old="return max(", new="return min("),
        Mistake(name="the_most_played", old='song["duration"]', new='song["play_count"]'),
    ),
)


# Make small playlists private.


def _make_hide_small_playlists(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    songs = draw.rng.randint(5, 10)
    others = state[Playlist].of(me)
    sizes = [(songs, True), (songs - 1, False), (songs + 2, True), (songs - 2, True), (songs - 1, True)]
    for title, (size, public) in zip(fresh_titles(draw, len(sizes)), sizes, strict=True):
        create_playlist(state, me, title, some_songs(draw, size), public=public)
    if not any(playlist.public and len(playlist.song_ids) > songs for playlist in others):
        return None
    return {"songs": songs, "other_songs": songs + 1}


def _solve_hide_small_playlists(state: State, me: Person, values: Values) -> Json:
    for playlist in state[Playlist].of(me.id):
        if len(playlist.song_ids) < values["songs"]:
            change_playlist(state, playlist.id, public=False)


def make_small_playlists_private(songs: int) -> int:
    """Make every public playlist with fewer songs than this private and return how many there were."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token)
    small = [playlist for playlist in playlists if playlist["is_public"] and len(playlist["song_ids"]) < songs]
    for playlist in small:
        apis.music.update_playlist(access_token=token, playlist_id=playlist["playlist_id"], is_public=False)
    return len(small)


hide_small_playlists = Family(
    name="hide_small_playlists",
    split="test_normal",
    difficulty=1,
    apps=("music",),
    slots={"songs": int},
    wordings=(
        "Make all my music playlists with fewer than {songs} songs private.",
        "I do not want strangers to see my half-finished playlists on music: hide each one that has less than {songs}"
        " songs, so that it is no longer public.",
        "Only playlists of {songs} songs or more may stay public in my music account. Switch the smaller ones to"
        " private.",
    ),
    make=_make_hide_small_playlists,
    solve=_solve_hide_small_playlists,
    program=Program(functions=(make_small_playlists_private,), call="make_small_playlists_private(songs={songs!r})"),
    mistakes=(
        Mistake(name="one_more", swap={"songs": "other_songs"}),
        Mistake(name="first_page", old="all_pages(apis.music.show_playlists, ", new="apis.music.show_playlists("),
        Mistake(name="all_of_them", old=' and len(playlist["song_ids"]) < songs', new=""),
        Mistake(name="made_public", old="is_public=False", new="is_public=True"),
    ),
)


# Unfollow the artists of a genre of whom nothing is saved.


def _make_unfollow_unsaved_artists(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    genre, other = draw.rng.sample(sorted({artist.genre for artist in state[Artist]}), 2)
    artists = draw.rng.sample([artist for artist in state[Artist] if artist.genre == genre], 3)
    strangers = [artist for artist in state[Artist] if artist.genre == other]
    by = {artist.id: [song.id for song in state[Song] if song.artist == artist.id] for artist in state[Artist]}
    for artist in (*artists, *strangers):
        follow(state, me, artist.id)
        for song in by[artist.id]:
            unsave_song(state, me, song)
    saved = {row.song for row in state[SavedSong].of(me)}
    free = [song.id for song in state[Song] if song.id not in saved and song.genre not in (genre, other)]
    for song in free[: max(0, 22 - len(saved))]:
        save_song(state, me, song)
    # Of one of them a single song is saved, so long ago that it ends the library; of another, one is only liked.
    first = min(row.added_at for row in state[SavedSong].of(me))
    kept, liked = artists[0], artists[1]
    row = save_song(state, me, draw.rng.choice(by[kept.id]))
    state[SavedSong].change(row.id, added_at=first - timedelta(days=3))
    like_song(state, me, by[liked.id][0])
    followed = [state[Artist][id] for id in state[Listener][me].followed_artist_ids]
    if all(artist.genre != genre or artist == kept for artist in followed[5:]):
        return None
    return {"genre": genre, "other_genre": other}


def _solve_unfollow_unsaved_artists(state: State, me: Person, values: Values) -> Json:
    saved = {state[Song][row.song].artist for row in state[SavedSong].of(me.id)}
    for artist in state[Artist]:
        if artist.genre == values["genre"] and artist.id not in saved:
            unfollow(state, me.id, artist.id)


def unfollow_artists_without_saved_songs(genre: str) -> list:
    """Unfollow the artists of a genre by whom no song is in the song library and return their names."""
    token = login(app="music")
    library = all_pages(apis.music.show_song_library, access_token=token)
    saved = {song["artist_id"] for song in library}
    followed = all_pages(apis.music.show_followed_artists, access_token=token)
    gone = [artist for artist in followed if artist["genre"] == genre and artist["artist_id"] not in saved]
    for artist in gone:
        apis.music.unfollow_artist(access_token=token, artist_id=artist["artist_id"])
    return [artist["name"] for artist in gone]


unfollow_unsaved_artists = Family(
    name="unfollow_unsaved_artists",
    split="test_normal",
    difficulty=2,
    apps=("music",),
    slots={"genre": str},
    wordings=(
        "Unfollow every {genre} artist on music by whom I do not have a single song in my song library.",
        "I follow {genre} artists whose songs I never saved. If none of an artist's songs is in my music song library,"
        " stop following that {genre} artist.",
        "Clean up whom I follow on music: among the artists of the genre {genre}, keep those with at least one song in"
        " my song library and unfollow the others.",
    ),
    make=_make_unfollow_unsaved_artists,
    solve=_solve_unfollow_unsaved_artists,
    program=Program(
        functions=(unfollow_artists_without_saved_songs,),
        call="unfollow_artists_without_saved_songs(genre={genre!r})",
    ),
    mistakes=(
        Mistake(name="another_genre", swap={"genre": "other_genre"}),
        Mistake(name="first_page_of_the_library", old="if len(page) < 20:", new="if page:"),
        Mistake(
            name="first_page_of_artists",
            old="all_pages(apis.music.show_followed_artists, ",
            new="apis.music.show_followed_artists(",
        ),
        Mistake(name="any_genre", old='artist["genre"] == genre and ', new=""),
        Mistake(name="liked_songs_instead", old="apis.music.show_song_library", new="apis.music.show_liked_songs"),
    ),
)


# Review the songs I have played often.

_PRAISE = (
    "Never gets old.|I know every word by now.|This one stays with me.|Made for walking home.|"
    "My neighbours know it too.|Still finding new things in it."
).split("|")


def _make_review_favourites(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    counts = sorted(state[PlayCount].of(me), key=lambda row: row.plays, reverse=True)
    reviewed = {row.song for row in state[SongReview].of(me)}
    often = [row for row in counts[:14] if row.song not in reviewed]
    if len(counts) < 21 or len(often) < 4:
        return None
    least = often[draw.rng.randint(3, min(6, len(often) - 1))]  # played exactly so often: it counts
    state[PlayCount].change(often[1].id, last_at=min(row.last_at for row in counts) - timedelta(days=9))
    stars = draw.rng.randint(4, 5)
    if all(row.song not in reviewed for row in counts if row.plays > least.plays):
        review(state, me, often[0].song, 2, "Not sure about it yet.")
    return {"plays": least.plays, "stars": stars, "text": draw.rng.choice(_PRAISE), "other_stars": 9 - stars}


def _solve_review_favourites(state: State, me: Person, values: Values) -> Json:
    reviewed = {row.song for row in state[SongReview].of(me.id)}
    for row in state[PlayCount].of(me.id):
        if row.plays >= values["plays"] and row.song not in reviewed:
            review(state, me.id, row.song, values["stars"], values["text"])


def review_often_played_songs(plays: int, stars: int, text: str) -> int:
    """Review every song played at least so many times that has no review yet and return how many there were."""
    token = login(app="music")
    history = all_pages(apis.music.show_play_history, access_token=token)
    reviews = all_pages(apis.music.show_my_reviews, access_token=token)
    reviewed = {review["song_id"] for review in reviews}
    songs = [song for song in history if song["my_play_count"] >= plays and song["song_id"] not in reviewed]
    for song in songs:
        apis.music.review_song(access_token=token, song_id=song["song_id"], rating=stars, text=text)
    return len(songs)


review_favourites = Family(
    name="review_favourites",
    split="test_normal",
    difficulty=2,
    apps=("music",),
    slots={"plays": int, "stars": int, "text": str},
    wordings=(
        "Review every song that I have played at least {plays} times on music and have not reviewed yet: {stars} stars"
        ' and the text "{text}"',
        'Write "{text}" and give {stars} stars as my review of each song with {plays} or more plays in my own play'
        " history, unless I have a review of it already. Leave those I wrote before as they are.",
        "Some songs I have heard {plays} times or more on music, and yet there is no review of mine. Give each of them"
        ' a rating of {stars} and say "{text}"',
    ),
    make=_make_review_favourites,
    solve=_solve_review_favourites,
    program=Program(
        functions=(review_often_played_songs,),
        call="review_often_played_songs(plays={plays!r}, stars={stars!r}, text={text!r})",
    ),
    mistakes=(
        Mistake(name="a_star_off", swap={"stars": "other_stars"}),
        Mistake(name="the_limit_itself_left_out", old='["my_play_count"] >= plays', new='["my_play_count"] > plays'),
        Mistake(name="first_page", old="if len(page) < 20:", new="if page:"),
        Mistake(name="everybodys_plays", old='song["my_play_count"]', new='song["play_count"]'),
        Mistake(name="no_text", old=", text=text)", new=")"),
    ),
)

FAMILIES = (longest_in_playlist, hide_small_playlists, unfollow_unsaved_artists, review_favourites)
