"""Train families of the music app: the player, its queue, and what the libraries hold; one of them with files."""

from __future__ import annotations

from datetime import timedelta

from prowess.types import Json
from prowess_desk.apps import music
from prowess_desk.apps.files import file_at
from prowess_desk.apps.music import Album, Artist, Listener, Player, SavedAlbum, SavedSong, Song, SongReview
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed
from prowess_desk.families.toolbox import all_pages, apis, login
from prowess_desk.families.train.music import add_song, songs_by

# Go to a song of the queue and pause there.


def _make_cue(draw: Draw) -> Values | None:
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


def _solve_cue(state: State, me: Person, values: Values) -> Json:
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
    make=_make_cue,
    solve=_solve_cue,
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


def _make_rated(draw: Draw) -> Values | None:
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


def _solve_rated(state: State, me: Person, values: Values) -> Json:
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
    make=_make_rated,
    solve=_solve_rated,
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


def _make_trade(draw: Draw) -> Values | None:
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


def _solve_trade(state: State, me: Person, values: Values) -> Json:
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
    make=_make_trade,
    solve=_solve_trade,
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


# Like and keep the albums that a file rates high.

_FILES = """~/documents/personal/album-ratings.txt|~/documents/personal/record-club.txt|~/documents/albums.txt|
~/downloads/album-votes.txt|~/documents/vinyl-evening.txt|~/backups/album-stars.txt""".replace("\n", "").split("|")


def _make_stars(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    path, stars = rng.choice(_FILES), rng.randint(3, 5)
    first, *albums = sorted(rng.sample(list(state[Album]), 9), key=lambda album: album.id)
    state[Album].change(first.id, title=f"{albums[-1].title} (Demos)")  # a search finds this one first
    lines, older = [], []
    for n, album in enumerate((albums[-1], *rng.sample(albums[:-1], 7))):
        given = (stars, 5, stars, 5, stars - 1, 1, stars - 1, rng.randint(1, 5))[n]
        lines.append(f"{album.title}: {given}")
        older.append(f"{album.title}: {rng.randint(1, 5) if n else stars - 1}")
        music.unsave_album(state, me, album.id)
        music.unlike_album(state, me, album.id)
        if n in (2, 3, 4):
            music.save_album(state, me, album.id)
        if n in (1, 3, 4, 5):
            music.like_album(state, me, album.id)
    filed(draw, path, "\n".join(rng.sample(lines, 8)), days=9)
    twin = path.replace(".txt", "-2024.txt")
    filed(draw, twin, "\n".join(older), days=400)
    return {"path": path, "stars": stars, "other_path": twin}


def _solve_stars(state: State, me: Person, values: Values) -> Json:
    file = file_at(state, me.id, at_home(me, values["path"]))
    assert file is not None
    saved = {row.album for row in state[SavedAlbum].of(me.id)}
    for album in state[Album]:
        given = [line[-1] for line in file.content.split("\n") if line[:-3] == album.title]
        if given and int(given[0]) < values["stars"]:
            music.unlike_album(state, me.id, album.id)
        elif given:
            music.like_album(state, me.id, album.id)
            if album.id not in saved:
                music.save_album(state, me.id, album.id)


def apply_album_stars(file_path: str, stars: int) -> int:
    """Save and like the albums that lines `title: stars` of a file rate so high, unlike the rest; return how many."""
    file = apis.files.show_file(access_token=login(app="files"), file_path=file_path)
    token = login(app="music")
    liked = {album["album_id"] for album in all_pages(apis.music.show_liked_albums, access_token=token)}
    saved = {album["album_id"] for album in all_pages(apis.music.show_album_library, access_token=token)}
    count = 0
    for line in file["content"].splitlines():
        title, given = line.rsplit(": ", 1)
        found = all_pages(apis.music.search_albums, access_token=token, query=title)
        album_id = next(album["album_id"] for album in found if album["title"] == title)
        good = int(given) >= stars
        count += good
        if good and album_id not in saved:
            apis.music.add_album_to_library(access_token=token, album_id=album_id)
        if good and album_id not in liked:
            apis.music.like_album(access_token=token, album_id=album_id)
        elif not good and album_id in liked:
            apis.music.unlike_album(access_token=token, album_id=album_id)
    return count


albums_by_stars = Family(
    name="albums_by_stars",
    split="train",
    difficulty=3,
    apps=("files", "music"),
    slots={"path": str, "stars": int},
    wordings=(
        "The file {path} has an album per line with the stars I gave it. On music, like every album with {stars} stars"
        " or more and put it into my album library; take back my like where an album has fewer.",
        "My stars for some albums are written down in {path}. Those that got at least {stars} should be among my liked"
        " albums and in my library on music. I no longer like those that got less, but leave them in the library.",
        "Please bring music in line with {path}, where each line says album, colon, stars: from {stars} stars up an"
        " album is saved in my library and liked, below that it has no like of mine. Change nothing else.",
    ),
    make=_make_stars,
    solve=_solve_stars,
    program=Program(functions=(apply_album_stars,), call="apply_album_stars(file_path={path!r}, stars={stars!r})"),
    mistakes=(
        Mistake(name="the_older_file", swap={"path": "other_path"}),
        Mistake(name="more_stars_only", old="int(given) >= stars", new="int(given) > stars"),
        Mistake(name="first_match", old=' if album["title"] == title', new=""),
        Mistake(name="old_likes_kept", old="not good and album_id in liked", new="False"),
        Mistake(name="library_forgotten", old="good and album_id not in saved", new="False"),
    ),
)

FAMILIES = (cue_song, queue_recommendations, trade_albums, albums_by_stars)
