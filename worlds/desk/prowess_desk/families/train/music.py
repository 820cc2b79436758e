"""Train families of the music app: songs, albums, reviews, the player and its queue."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import music
from prowess_desk.apps.music import (
    Album,
    Artist,
    Listener,
    PlayCount,
    Player,
    SavedAlbum,
    SavedSong,
    Song,
    SongReview,
    change_review,
)
from prowess_desk.data.music import GENRES
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


# Which song of an artist have I played most?


def _count(draw: Draw, song: int, plays: int, when: datetime) -> None:
    draw.state[PlayCount].add(lambda id: PlayCount(id=id, owner=draw.me.id, song=song, plays=plays, last_at=when))


def _make_most_played_by_artist(draw: Draw) -> Values | None:
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


def _solve_most_played_by_artist(state: State, me: Person, values: Values) -> Json:
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
    make=_make_most_played_by_artist,
    solve=_solve_most_played_by_artist,
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


def _make_rate_album(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    album = draw.rng.choice(list(state[Album]))
    rated = {row.song for row in state[SongReview].of(me)}
    if len(album.song_ids) < 3 or rated & set(album.song_ids[1:]):
        return None
    stars = draw.rng.randint(2, 5)
    if album.song_ids[0] in rated:
        return None
    music.review(state, me, album.song_ids[0], draw.rng.randint(1, stars - 1), "I have to hear it again.")
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


def _solve_rate_album(state: State, me: Person, values: Values) -> Json:
    album = next(album for album in state[Album] if album.title == values["album"])
    mine = {row.song: row.id for row in state[SongReview].of(me.id)}
    for song in album.song_ids:
        if song in mine:
            change_review(state, mine[song], rating=values["stars"])
        else:
            music.review(state, me.id, song, values["stars"])


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
    make=_make_rate_album,
    solve=_solve_rate_album,
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


# Leave no trace of the songs that were rated low before a day.


def _make_forget_low_rated(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    rows = state[SongReview].of(me)
    last = len(rows) - 2  # this one and the next were written on the day or later
    day = rows[last].created_at.date()
    if len(rows) < 9 or rows[last - 1].created_at.date() == day:
        return None
    stars, good = rng.randint(2, 3), rng.sample(range(1, last), last - 6)
    for n, row in enumerate(rows):
        rating = stars + 1 if n in good else rng.randint(1, stars) if n else stars
        music.change_review(state, row.id, rating=rating, text=rng.choice(("", "Heard it on the radio.")))
        music.unlike_song(state, me, row.song)
        if n % 4 < 2 or n in good:
            music.like_song(state, me, row.song)
        if n % 2 and n not in good:
            music.unsave_song(state, me, row.song)
    return {"stars": stars, "day": day.isoformat(), "other_stars": stars + 1}


def _solve_forget_low_rated(state: State, me: Person, values: Values) -> Json:
    for row in state[SongReview].of(me.id):
        if row.rating <= values["stars"] and row.created_at.date() < date.fromisoformat(values["day"]):
            music.unsave_song(state, me.id, row.song)
            music.unlike_song(state, me.id, row.song)
            music.delete_review(state, row.id)


def clear_out_low_rated(max_rating: int, before: str) -> int:
    """Drop songs rated at most this before a day (YYYY-MM-DD) from library, likes and reviews; return how many."""
    token = login(app="music")
    reviews = all_pages(apis.music.show_my_reviews, access_token=token, max_rating=max_rating)
    saved = {song["song_id"] for song in all_pages(apis.music.show_song_library, access_token=token)}
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=token)}
    old = [review for review in reviews if review["created_at"][:10] < before]
    for review in old:
        if review["song_id"] in saved:
            apis.music.remove_song_from_library(access_token=token, song_id=review["song_id"])
        if review["song_id"] in liked:
            apis.music.unlike_song(access_token=token, song_id=review["song_id"])
        apis.music.delete_review(access_token=token, review_id=review["review_id"])
    return len(old)


forget_low_rated = Family(
    name="forget_low_rated",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"stars": int, "day": str},
    wordings=(
        "Every song that I reviewed before {day} and gave {stars} out of 5 or less should leave my song library and"
        " lose my like, if it has one. Then delete those reviews as well.",
        "I do not want to be reminded of songs I found bad. Find my music reviews written earlier than {day} with a"
        " rating of at most {stars}; take these songs out of my library and out of the songs I like, wherever they are"
        " in one of them, and remove the reviews themselves.",
        "Clean up my music account: reviews of mine with {stars} stars or fewer from the time before {day} (not from"
        " that day) are to be deleted, and the songs in question neither kept in my song library nor liked any more.",
    ),
    make=_make_forget_low_rated,
    solve=_solve_forget_low_rated,
    program=Program(functions=(clear_out_low_rated,), call="clear_out_low_rated(max_rating={stars!r}, before={day!r})"),
    mistakes=(
        Mistake(name="a_star_more", swap={"stars": "other_stars"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="any_day", old=' if review["created_at"][:10] < before', new=""),
        Mistake(name="likes_kept", old='if review["song_id"] in liked:', new="if False:"),
        Mistake(name="first_page", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
        Mistake(name="library_kept", old='if review["song_id"] in saved:', new="if False:"),
    ),
)


# Go to a song of the queue and pause there.


def _make_cue_song(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    songs = rng.sample(list(state[Song]), 8)
    target = rng.randint(3, 8)
    live = add_song(draw, f"{songs[-1].title} (Live)", state[Artist][songs[-1].artist])
    queue = [song.id for song in songs[:-1]]
    queue.insert(target - 1, songs[-1].id)
    queue.insert(rng.randint(0, target - 1), live.id)  # the similar title comes first
    position = rng.choice([place for place in range(1, 9) if abs(place - target) > 1])
    state[Player].change(me, queue=tuple(queue), position=position, playing=rng.random() < 0.5)
    volume, other = rng.sample([5 * n for n in range(2, 20) if 5 * n != state[Player][me].volume], 2)
    return {"title": songs[-1].title, "volume": volume, "other_title": live.title, "other_volume": other}


def _solve_cue_song(state: State, me: Person, values: Values) -> Json:
    player = state[Player][me.id]
    titles = [state[Song][song].title for song in player.queue]
    music.skip(state, me.id, titles.index(values["title"]) - player.position)
    music.set_volume(state, me.id, values["volume"])
    music.set_playing(state, me.id, False)


def cue_song_in_queue(title: str, volume: int) -> int:
    """Go to the song of this title in the player's queue, set the volume, pause and return how many skips it took."""
    token = login(app="music")
    player = apis.music.show_player(access_token=token)
    titles = [song["title"] for song in player["queue"]]
    steps = (titles.index(title) - player["position"]) % len(titles)
    for _ in range(steps):
        apis.music.skip(access_token=token)
    apis.music.set_volume(access_token=token, volume=volume)
    if steps > 0 or player["is_playing"]:
        apis.music.pause(access_token=token)
    return steps


cue_song = Family(
    name="cue_song",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"title": str, "volume": int},
    wordings=(
        'Skip to "{title}" in the queue of my music player, set the volume to {volume} and pause it there.',
        'I want "{title}" ready to go on music. It is somewhere in the queue, which should stay the way it is: just go'
        " to that song, turn the volume to {volume} and leave the player paused.",
        "Prepare the music player for tonight: volume {volume}, not playing, and standing at the song called"
        ' "{title}". You will find it in the current queue; please keep all that is queued.',
    ),
    make=_make_cue_song,
    solve=_solve_cue_song,
    program=Program(functions=(cue_song_in_queue,), call="cue_song_in_queue(title={title!r}, volume={volume!r})"),
    mistakes=(
        Mistake(name="the_live_version", swap={"title": "other_title"}),
        Mistake(name="another_volume", swap={"volume": "other_volume"}),
        Mistake(name="one_skip", old="range(steps)", new="range(1)"),
        Mistake(name="from_the_start", old='titles.index(title) - player["position"]', new="titles.index(title)"),
        Mistake(name="left_playing", old="apis.music.pause(access_token=token)", new="pass"),
        Mistake(
            name="queue_replaced",
            old="skip(access_token=token)",
            new='play(access_token=token, song_id=player["queue"][titles.index(title)]["song_id"])',
        ),
    ),
)


# Play the recommended songs that are rated well and not too long.


def _rated(draw: Draw, song: int, *ratings: int) -> None:
    """Have a song rated like this by other people, and by nobody else."""
    for row in draw.state[SongReview].of(("song", song)):
        draw.state[SongReview].remove(row.id)
    others = [person.id for person in draw.people if person != draw.me]
    for author, rating in zip(draw.rng.sample(others, len(ratings)), ratings, strict=True):
        music.review(draw.state, author, song, rating)


def _make_queue_recommendations(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    saved = {row.song for row in state[SavedSong].of(me)}
    artists = state[Listener][me].followed_artist_ids
    found = [song for song in state[Song] if song.artist in artists and song.id not in saved]
    songs = sorted(found, key=lambda song: -song.plays)  # as they are recommended
    stars = draw.rng.choice((3, 4))
    seconds = sorted(song.seconds for song in songs)[-draw.rng.randint(5, 9)]  # one of them is exactly this long
    short = [song.id for song in songs if song.seconds < seconds]
    if songs.index(state[Song][short[-1]]) < 20:
        return None  # the largest page would hold them all
    some = draw.rng.sample(short[:-1], 3)
    _rated(draw, some[0], stars, stars - 1, stars)  # hardly too bad
    _rated(draw, some[1])  # by nobody
    _rated(draw, some[2], stars - 1, stars + 1)  # just good enough
    _rated(draw, short[-1], 5)
    _rated(draw, next(song.id for song in songs if song.seconds == seconds), stars, 5)
    _rated(draw, draw.rng.choice([song.id for song in songs if song.seconds > seconds]), 5, 5)  # too long
    return {"stars": stars, "seconds": seconds, "other_stars": 7 - stars}


def _solve_queue_recommendations(state: State, me: Person, values: Values) -> Json:
    saved = {row.song for row in state[SavedSong].of(me.id)}
    wanted = []
    for song in sorted(state[Song], key=lambda song: song.plays, reverse=True):
        ratings = [row.rating for row in state[SongReview].of(("song", song.id))]
        good = bool(ratings) and sum(ratings) >= values["stars"] * len(ratings)
        if good and song.id not in saved and song.seconds <= values["seconds"]:
            wanted += [song.id] if song.artist in state[Listener][me.id].followed_artist_ids else []
    music.play(state, me.id, wanted)


def play_rated_recommendations(min_rating: int, max_seconds: int) -> int:
    """Play a new queue of the recommended songs rated this well and at most this long; return how many there are."""
    token = login(app="music")
    recommended = all_pages(apis.music.show_recommendations, access_token=token)
    short = [song["song_id"] for song in recommended if song["duration"] <= max_seconds]
    songs = [apis.music.show_song(access_token=token, song_id=song_id) for song_id in short]
    rated = [song["song_id"] for song in songs if song["rating"] is not None and song["rating"] >= min_rating]
    apis.music.clear_queue(access_token=token)
    for song_id in rated:
        apis.music.add_to_queue(access_token=token, song_id=song_id)
    apis.music.play(access_token=token)
    return len(rated)


queue_recommendations = Family(
    name="queue_recommendations",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"stars": int, "seconds": int},
    wordings=(
        "Empty the queue of my music player, fill it with the songs recommended to me that are rated {stars} or better"
        " on average and last at most {seconds} seconds, in the order of the recommendations, and start playing.",
        "Play me what music recommends, but only songs of {seconds} seconds or less whose average rating is at least"
        " {stars}. They replace what is queued now and come in the order in which they are recommended.",
        "I am tired of my queue. Throw it out and let the player run through my recommendations in their order. Leave"
        " out every song that lasts more than {seconds} seconds, has no reviews or is rated below {stars} on average.",
    ),
    make=_make_queue_recommendations,
    solve=_solve_queue_recommendations,
    program=Program(
        functions=(play_rated_recommendations,),
        call="play_rated_recommendations(min_rating={stars!r}, max_seconds={seconds!r})",
    ),
    mistakes=(
        Mistake(name="another_rating", swap={"stars": "other_stars"}),
        Mistake(name="better_only", old='song["rating"] >= min_rating', new='song["rating"] > min_rating'),
        Mistake(name="shorter_only", old='song["duration"] <= max_seconds', new='song["duration"] < max_seconds'),
        Mistake(name="old_queue_kept", old="apis.music.clear_queue(access_token=token)", new="pass"),
        Mistake(name="first_page", old="if len(page) < 20:", new="if page:"),
        Mistake(name="back_to_front", old="for song_id in rated:", new="for song_id in rated[::-1]:"),
    ),
)


# Trade an artist's albums for their songs.


def _make_trade_albums(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    first, artist = sorted(rng.sample(list(state[Artist]), 2), key=lambda each: each.id)
    songs = songs_by(state, artist.id)
    others = [row for row in state[SavedAlbum].of(me) if state[Album][row.album].artist not in (first.id, artist.id)]
    if len(songs) < 4 or len(others) < 5:
        return None
    first = state[Artist].change(first.id, name=f"{artist.name} {rng.choice(('Trio', 'Tribute', 'Ensemble'))}")
    for album in state[Album]:
        if album.artist in (artist.id, first.id):
            music.unsave_album(state, me, album.id)
            old = state.now - timedelta(days=560 + album.id)  # the end of the list
            state[SavedAlbum].change(music.save_album(state, me, album.id).id, added_at=old)
    add_song(draw, f"Unplugged by {artist.name}", artist)  # a single
    add_song(draw, f"Thinking of {artist.name}", first)
    if songs[0].id not in {row.song for row in state[SavedSong].of(me)}:
        music.save_song(state, me, songs[0].id)  # adding it again is refused
    return {"artist": artist.name, "other_artist": first.name}


def _solve_trade_albums(state: State, me: Person, values: Values) -> Json:
    artist = next(artist.id for artist in state[Artist] if artist.name == values["artist"])
    for row in state[SavedAlbum].of(me.id):
        if state[Album][row.album].artist == artist:
            music.unsave_album(state, me.id, row.album)
    new = {song.id for song in songs_by(state, artist)} - {row.song for row in state[SavedSong].of(me.id)}
    for song in sorted(new):
        music.save_song(state, me.id, song)
    return len(new)


def replace_albums_by_songs(artist_name: str) -> int:
    """Take an artist's albums out of the library, save all their songs there and return how many were added."""
    token = login(app="music")
    artists = all_pages(apis.music.search_artists, access_token=token, query=artist_name)
    artist_id = next(artist["artist_id"] for artist in artists if artist["name"] == artist_name)
    for album in all_pages(apis.music.show_album_library, access_token=token):
        if album["artist_id"] == artist_id:
            apis.music.remove_album_from_library(access_token=token, album_id=album["album_id"])
    saved = {song["song_id"] for song in all_pages(apis.music.show_song_library, access_token=token)}
    artist = apis.music.show_artist(access_token=token, artist_id=artist_id)
    missing = [song_id for song_id in artist["song_ids"] if song_id not in saved]
    for song_id in missing:
        apis.music.add_song_to_library(access_token=token, song_id=song_id)
    return len(missing)


trade_albums = Family(
    name="trade_albums",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"artist": str},
    wordings=(
        "Remove all albums by {artist} from my album library and add every song by them, singles included, to my song"
        " library instead. How many songs did you have to add?",
        "I would rather keep the songs of {artist} one by one than as albums: take their albums out of my album"
        " library on music and put all their songs into my song library. Tell me how many were not there before.",
        "On music, let no album of {artist} stay in my library, but save each song they ever made to my song"
        " library. Some are there already: how many have come in addition?",
    ),
    make=_make_trade_albums,
    solve=_solve_trade_albums,
    program=Program(functions=(replace_albums_by_songs,), call="replace_albums_by_songs(artist_name={artist!r})"),
    asks=True,
    mistakes=(
        Mistake(name="first_match", old=' if artist["name"] == artist_name', new=""),
        Mistake(name="albums_kept", old='if album["artist_id"] == artist_id:', new="if False:"),
        Mistake(name="first_page", old="library, access_token=token):", new="library, access_token=token)[:5]:"),
        Mistake(name="counts_all", old="return len(missing)", new='return len(artist["song_ids"])'),
        Mistake(name="another_artist", swap={"artist": "other_artist"}),
    ),
)


# Fill the time of a dinner with songs that have rested.


def _make_fill_dinner_queue(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    before = (state.now - timedelta(days=rng.randint(8, 16))).replace(hour=0, minute=0)
    queue, counts = state[music.Player][me.id].queue, state[music.PlayCount]
    rows = sorted((row for row in counts.of(me.id) if row.song not in queue), key=lambda row: -row.plays)
    counts.change(rows[0].id, last_at=before + timedelta(hours=rng.randint(1, 20)))  # that very day
    rested = [row for row in rows[1:] if row.last_at < before]
    if len(rested) < 10:
        return None
    music.enqueue(state, me.id, rested.pop(rng.randint(0, 2)).song)  # it is in the queue
    lengths = [state[music.Song][row.song].seconds for row in rested]
    total = next(sum(lengths[:n]) for n in range(rng.randint(5, 7), 9) if sum(lengths[:n]) % 60)
    day, later = (f"{before + timedelta(days=n):%Y-%m-%d}" for n in (0, 1))
    return {"before": day, "minutes": total // 60, "other_before": later}


def _solve_fill_dinner_queue(state: State, me: Person, values: Values) -> Json:
    missing = 60 * values["minutes"]
    for row in sorted(state[music.PlayCount].of(me.id), key=lambda row: row.plays, reverse=True):
        if missing > 0 and f"{row.last_at}" < values["before"] and row.song not in state[music.Player][me.id].queue:
            music.enqueue(state, me.id, row.song)
            missing -= state[music.Song][row.song].seconds


def queue_rested(before: str, minutes: int) -> int:
    """Queue songs last played before a day, most played first, until they fill some minutes; return how many."""
    token = login(app="music")
    queued = {song["song_id"] for song in apis.music.show_player(access_token=token)["queue"]}
    history = all_pages(apis.music.show_play_history, access_token=token)
    rested = [song for song in history if song["last_played_at"][:10] < before and song["song_id"] not in queued]
    seconds = count = 0
    for song in sorted(rested, key=lambda song: song["my_play_count"], reverse=True):
        if seconds >= 60 * minutes:
            break
        apis.music.add_to_queue(access_token=token, song_id=song["song_id"])
        seconds += song["duration"]
        count += 1
    return count


fill_dinner_queue = Family(
    name="fill_dinner_queue",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"before": str, "minutes": int},
    wordings=(
        "Add songs that I last played before {before} to my music queue, the one I have played most often first and so"
        " on, until what you added lasts {minutes} minutes or more. Leave out what is in the queue already.",
        "Guests for dinner! I need {minutes} minutes of music I have not heard lately. Go through the songs of my play"
        " history whose last play was earlier than {before}, from my highest play count down, and put them at the end"
        " of the queue, except those that are in it. Stop once the added songs run for {minutes} minutes or longer.",
        "Queue songs I have played, but not on {before} or later, behind what is in the queue (none that it holds),"
        " those with the most plays by me first. Once these additions come to at least {minutes} minutes, stop.",
        "Please lengthen my music queue by at least {minutes} minutes: take my listening history, drop what was played"
        " on or after {before} and what the queue holds, sort the rest by how often I have played it, most first, and"
        " append song by song. The one with which the {minutes} minutes are reached is the last.",
        "Which songs did I love and then forget? Those last played before {before}. Queue them, my most played first,"
        " none that is in the queue, just as many as it takes to fill {minutes} minutes (a bit over is fine, less is"
        " not).",
    ),
    make=_make_fill_dinner_queue,
    solve=_solve_fill_dinner_queue,
    program=Program(functions=(queue_rested,), call="queue_rested(before={before!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="a_day_later", swap={"before": "other_before"}),
        Mistake(name="one_too_few", old="if seconds >=", new='if seconds + song["duration"] >'),
        Mistake(name="fewest_plays_first", old=", reverse=True", new=""),
        Mistake(name="plays_by_all", old='song["my_play_count"]', new='song["play_count"]'),
        Mistake(name="queued_again", old=' and song["song_id"] not in queued', new=""),
        Mistake(name="first_page", old="all_pages(apis.music.show_play_history, ", new="apis.music.show_play_history("),
    ),
)


# How much of the library is of a genre?


def _share(songs: list[Song], genre: str) -> float:
    return 100 * sum(song.seconds for song in songs if song.genre == genre) / sum(song.seconds for song in songs)


def _make_genre_share(draw: Draw) -> Values | None:
    state, me, (genre, other) = draw.state, draw.me.id, draw.rng.sample(GENRES, 2)
    rows = sorted(state[SavedSong].of(me), key=lambda row: (row.added_at, row.id), reverse=True)
    songs = [state[Song][row.song] for row in rows]
    share, count = _share(songs, genre), sum(song.genre == genre for song in songs)
    wrong = (_share(songs[:5], genre), _share(songs, other), 100 * count / len(songs))
    if share < 1 or not 0.52 < share % 1 < 0.98 or round(share) in map(round, wrong):
        return None
    return {"genre": genre, "other_genre": other}


def _solve_genre_share(state: State, me: Person, values: Values) -> Json:
    return int(_share([state[Song][row.song] for row in state[SavedSong].of(me.id)], values["genre"]) + 0.5)


def genre_share_of_library(genre: str) -> int:
    """Return how many per cent of the playing time of the song library a genre takes, as a whole number."""
    songs = all_pages(apis.music.show_song_library, access_token=login(app="music"))
    total = sum(song["duration"] for song in songs)
    part = sum(song["duration"] for song in songs if song["genre"] == genre)
    return round(100 * part / total)


genre_share = Family(
    name="genre_share",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"genre": str},
    wordings=(
        "How many per cent of the playing time of my song library on music is {genre}? Round to a whole number.",
        "Add up the lengths of all songs in my library on music. What share, rounded to whole per cent, is {genre}?",
        "If I played every song in my music library once, how many per cent of the time, rounded, would be {genre}?",
        "Tell me the part that {genre} has in my saved songs on music, by duration and not by number of songs, as a"
        " percentage without decimals (rounded).",
        "I claim to be a {genre} fan. Add up the seconds of the {genre} songs in my song library on music, compare that"
        " with the seconds of the whole library and give me the per cent, rounded to the nearest whole one.",
    ),
    make=_make_genre_share,
    solve=_solve_genre_share,
    program=Program(functions=(genre_share_of_library,), call="genre_share_of_library(genre={genre!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_genre", swap={"genre": "other_genre"}),
        Mistake(name="songs_counted", old='song["duration"] for', new="1 for"),
        Mistake(name="cut_off", old="round(100 * part / total)", new="100 * part // total"),
        Mistake(name="first_page", old="for song in songs", new="for song in songs[:5]"),
    ),
)

FAMILIES = (
    most_played_by_artist,
    rate_album,
    forget_low_rated,
    cue_song,
    queue_recommendations,
    trade_albums,
    fill_dinner_queue,
    genre_share,
)
