"""Dev families of the music app, one of them with notes."""

from __future__ import annotations

from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.music import (
    Album,
    Artist,
    Player,
    Playlist,
    SavedSong,
    Song,
    create_playlist,
    enqueue,
    save_song,
    set_volume,
    unsave_song,
)
from prowess_desk.apps.notes import note_titled
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login, read_note


def recorded(draw: Draw, title: str, artist: int, released: date, album: int | None = None) -> Song:
    """One more song of the catalogue."""
    seconds, genre = draw.rng.randint(130, 400), draw.state[Artist][artist].genre
    return draw.state[Song].add(
        lambda id: Song(
            id=id,
            title=title,
            artist=artist,
            album=album,
            genre=genre,
            seconds=seconds,
            released=released,
            plays=90_000 + id,
        )
    )


# Queue an album and set the volume.


def _make_queue_album(draw: Draw) -> Values | None:
    state, rng = draw.state, draw.rng
    album = rng.choice([album for album in state[Album] if len(album.song_ids) >= 3])
    titles = [state[Song][song].title for song in album.song_ids]
    if titles == sorted(titles):
        return None  # the order of the album must differ from the order in which a search lists its songs
    acoustic = state[Album].add(
        lambda id: Album(
            id=id,
            title=f"{album.title} (Acoustic)",
            artist=album.artist,
            genre=album.genre,
            released=album.released,
            song_ids=(),
        )
    )
    songs = [recorded(draw, f"{title} (Acoustic)", album.artist, album.released, acoustic.id).id for title in titles]
    state[Album].change(acoustic.id, song_ids=tuple(songs))
    loud = state[Player][draw.me.id].volume
    volume = rng.choice([volume for volume in range(10, 96) if abs(volume - loud) > 3])
    return {"album": album.title, "volume": volume, "other_album": acoustic.title, "other_volume": volume + 1}


def _solve_queue_album(state: State, me: Person, values: Values) -> Json:
    album = next(album for album in state[Album] if album.title == values["album"])
    enqueue(state, me.id, *album.song_ids)
    set_volume(state, me.id, values["volume"])


def queue_album_songs(album_title: str, volume: int) -> int:
    """Add the songs of an album to the end of the play queue, set the volume and return how many were added."""
    token = login(app="music")
    albums = all_pages(apis.music.search_albums, access_token=token, query=album_title)
    album_id = next(album["album_id"] for album in albums if album["title"] == album_title)
    songs = apis.music.show_album(access_token=token, album_id=album_id)["songs"]
    for song in songs:
        apis.music.add_to_queue(access_token=token, song_id=song["song_id"])
    apis.music.set_volume(access_token=token, volume=volume)
    return len(songs)


queue_album = Family(
    name="queue_album",
    split="dev",
    difficulty=1,
    apps=("music",),
    slots={"album": str, "volume": int},
    wordings=(
        'Put all songs of the album "{album}" at the end of my play queue, in the order of the album, and set the'
        " volume to {volume}.",
        'After what is queued in my music player I would like to hear "{album}" from its first to its last track. Add'
        " that album's songs to the end of the queue and turn the volume to {volume}.",
        'Volume to {volume}, please, and append the tracks of "{album}" to the queue of the music player one by one, as'
        " they come on the album. Keep what is in the queue.",
    ),
    make=_make_queue_album,
    solve=_solve_queue_album,
    program=Program(functions=(queue_album_songs,), call="queue_album_songs(album_title={album!r}, volume={volume!r})"),
    mistakes=(
        Mistake(name="the_acoustic_album", swap={"album": "other_album"}),
        Mistake(name="a_little_louder", swap={"volume": "other_volume"}),
        Mistake(
            name="played_at_once",
            old=(
                '    for song in songs:\n        apis.music.add_to_queue(access_token=token, song_id=song["song_id"])\n'
            ),
            new="    apis.music.play(access_token=token, album_id=album_id)\n",
        ),
        Mistake(
            name="in_order_of_title",
            old="for song in songs:",
            new='for song in sorted(songs, key=lambda song: song["title"]):',
        ),
        Mistake(
            name="queue_cleared", old="    for song", new="    apis.music.clear_queue(access_token=token)\n    for song"
        ),
    ),
)


# Remove old songs from the library.


def _make_prune_library(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me.id, draw.rng
    saved = {row.song for row in state[SavedSong].of(me)}
    more = [song.id for song in state[Song] if song.id not in saved]
    for song in rng.sample(more, max(0, 25 - len(saved))):
        save_song(state, me, song)
    year = rng.randint(2014, 2021)
    artists = [artist.id for artist in state[Artist]]
    for title, released in (("New Year Bells", date(year, 1, 1)), ("Last Bells of the Year", date(year - 1, 12, 31))):
        save_song(state, me, recorded(draw, title, rng.choice(artists), released).id)
    rows = sorted(state[SavedSong].of(me), key=lambda row: (row.added_at, row.id), reverse=True)
    if sum(state[Song][row.song].released.year < year for row in rows[20:]) < 1:
        return None
    return {"year": year, "other_year": year - 1, "other_later": year + 1}


def _solve_prune_library(state: State, me: Person, values: Values) -> Json:
    for row in state[SavedSong].of(me.id):
        if state[Song][row.song].released < date(values["year"], 1, 1):
            unsave_song(state, me.id, row.song)


def remove_songs_released_before(year: int) -> int:
    """Remove the songs released before a year from the song library and return how many were removed."""
    token = login(app="music")
    library = all_pages(apis.music.show_song_library, access_token=token)
    old = [song for song in library if int(song["release_date"][:4]) < year]
    for song in old:
        apis.music.remove_song_from_library(access_token=token, song_id=song["song_id"])
    return len(old)


prune_library = Family(
    name="prune_library",
    split="dev",
    difficulty=1,
    apps=("music",),
    slots={"year": int},
    wordings=(
        "Remove every song that was released before {year} from my music library.",
        "I am tired of old songs. In the song library of my music app, keep only what came out in {year} or later.",
        "Please clear my saved songs on music of everything with a release date earlier than the first of January"
        " {year}; playlists and likes stay as they are.",
    ),
    make=_make_prune_library,
    solve=_solve_prune_library,
    program=Program(functions=(remove_songs_released_before,), call="remove_songs_released_before(year={year!r})"),
    mistakes=(
        Mistake(name="a_year_earlier", swap={"year": "other_year"}),
        Mistake(name="that_year_too", swap={"year": "other_later"}),
        Mistake(name="new_ones_instead", old=" < year]", new=" >= year]"),
        Mistake(name="first_page", old="if len(page) < 20:", new="if page:"),
    ),
)


# Make a playlist of the songs in a note.

_REASONS = ("Wedding party", "Road trip", "Dance class", "Lake house", "New Year", "Housewarming", "Picnic")
_LISTS = ("Crowd Pleasers", "The List", "For Everyone", "Hand Picked", "Everybody Up", "All of Us")


def _make_playlist_from_note(draw: Draw) -> Values | None:
    state, rng = draw.state, draw.rng
    songs = rng.sample(list(state[Song]), 8)
    artists = [artist.id for artist in state[Artist]]
    day = state.now.date() - timedelta(days=300)
    # Two titles exist twice: once the note means the older song, once the cover.
    covers = [
        recorded(draw, song.title, rng.choice([id for id in artists if id != song.artist]), day) for song in songs[:2]
    ]
    recorded(draw, f"{songs[2].title} (Remix)", songs[2].artist, day)
    wanted = [songs[0], covers[1], *songs[2:]]
    lines = [f"- {song.title} by {state[Artist][song.artist].name}" for song in wanted]
    lines.append(f"- Kitchen Light Waltz by {state[Artist][rng.choice(artists)].name}")  # music does not have it
    rng.shuffle(lines)
    note = f"{rng.choice(_REASONS)} songs"
    twin = older_twin(note)
    jotted(draw, note, "\n".join(lines), days=6)
    jotted(draw, twin, "\n".join(lines[:4]), days=380)
    titles = {playlist.title for playlist in state[Playlist].of(draw.me.id)}
    title = rng.choice([title for title in _LISTS if title not in titles])
    return {"note": note, "title": title, "other_note": twin}


def _solve_playlist_from_note(state: State, me: Person, values: Values) -> Json:
    known = {f"- {song.title} by {state[Artist][song.artist].name}": song.id for song in state[Song]}
    lines = note_titled(state, me.id, values["note"]).content.split("\n")
    create_playlist(state, me.id, values["title"], [known[line] for line in lines if line in known])


def create_playlist_from_note(note_title: str, playlist_title: str) -> int:
    """Create a playlist of the songs in a note, whose lines read `- title by artist`, and return how many it has."""
    token = login(app="music")
    song_ids = []
    for line in read_note(title=note_title)["content"].splitlines():
        title, _, artist = line.removeprefix("- ").partition(" by ")
        found = all_pages(apis.music.search_songs, access_token=token, query=title)
        found = [song for song in found if song["title"] == title]
        found = [song for song in found if song["artist_name"] == artist]
        song_ids += [song["song_id"] for song in found[:1]]
    playlist_id = apis.music.create_playlist(access_token=token, title=playlist_title)["playlist_id"]
    for song_id in song_ids:
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist_id, song_id=song_id)
    return len(song_ids)


playlist_from_note = Family(
    name="playlist_from_note",
    split="dev",
    difficulty=2,
    apps=("music", "notes"),
    slots={"note": str, "title": str},
    wordings=(
        'My note "{note}" lists songs with their artists. Make a playlist "{title}" of them on music, without those'
        " that music does not have.",
        'Create a new playlist called "{title}" in my music app and add each song written down in the note "{note}", in'
        " the version by the artist named there. Skip what cannot be found.",
        'Please look at "{note}" in my notes and search music for every title by that artist. All that exist go into a'
        ' fresh playlist with the title "{title}".',
    ),
    make=_make_playlist_from_note,
    solve=_solve_playlist_from_note,
    program=Program(
        functions=(create_playlist_from_note,),
        call="create_playlist_from_note(note_title={note!r}, playlist_title={title!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"note": "other_note"}),
        Mistake(name="any_artist", old=' if song["artist_name"] == artist', new=""),
        Mistake(
            name="every_version",
            old=(
                '        found = [song for song in found if song["artist_name"] == artist]\n'
                '        song_ids += [song["song_id"] for song in found[:1]]'
            ),
            new='        song_ids += [song["song_id"] for song in found]',
        ),
        Mistake(name="made_public", old="title=playlist_title)", new="title=playlist_title, is_public=True)"),
        Mistake(name="first_five", old="in song_ids:", new="in song_ids[:5]:"),
    ),
)

FAMILIES = (queue_album, prune_library, playlist_from_note)
