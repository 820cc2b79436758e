"""Train families of the music app with notes or files that list songs, artists and albums."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import music, notes
from prowess_desk.apps.files import File, file_at
from prowess_desk.apps.music import Album, Artist, Player, Playlist, SavedAlbum, Song, SongReview
from prowess_desk.apps.notes import note_titled, write_note
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Play the numbered songs of a file.

_EVENTS = "garden-party housewarming road-trip barbecue ice-rink picnic reunion costume-ball".split()


def _make_queue_setlist(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    paths = [f"~/documents/personal/{event}.txt" for event in rng.sample(_EVENTS, 2)]
    for path in paths:
        songs = rng.sample([f"{song.title} - {state[Artist][song.artist].name}" for song in state[Song]], 13)
        lines = [f"{n}. {song}" for n, song in enumerate(songs[:11], 1)]
        late = lines.pop(rng.randint(2, 8))  # written below the others, though its number is not the last
        remarks = ["What we play", f"Not this time: {songs[11]}", f"- {songs[12]}, only if asked for", "Forgotten:"]
        filed(draw, path, "\n".join([remarks[0], *lines[:6], remarks[1], *lines[6:], *remarks[2:], late]))
    volume = rng.choice([level for level in range(10, 96) if level != state[Player][draw.me.id].volume])
    return {"path": paths[0], "volume": volume, "other_path": paths[1]}


def _solve_queue_setlist(state: State, me: Person, values: Values) -> Json:
    file = next(file for file in state[File].of(me.id) if file.path == at_home(me, values["path"]))
    ids = {song.title: song.id for song in state[Song]}
    lines = [line.split(". ") for line in file.content.split("\n") if line[0].isdigit()]
    lines.sort(key=lambda parts: int(parts[0]))
    queue = tuple(ids[song.split(" - ")[0]] for _, song in lines)
    state[Player].change(me.id, queue=queue, position=0, playing=True, volume=values["volume"])


def play_setlist(path: str, volume: int) -> int:
    """Play a file's numbered songs (`2. title - artist`) by number instead of the old queue; return how many."""
    files_token = login(app="files")
    content = apis.files.show_file(access_token=files_token, file_path=path)["content"]
    entries = re.findall(r"^(\d+)\. (.+) - .+$", content, flags=re.MULTILINE)
    token = login(app="music")
    apis.music.clear_queue(access_token=token)
    for _, title in sorted(entries, key=lambda entry: int(entry[0])):
        songs = all_pages(apis.music.search_songs, access_token=token, query=title)
        song_id = next(song["song_id"] for song in songs if song["title"] == title)
        apis.music.add_to_queue(access_token=token, song_id=song_id)
    apis.music.set_volume(access_token=token, volume=volume)
    apis.music.play(access_token=token)
    return len(entries)


queue_setlist = Family(
    name="queue_setlist",
    split="train",
    difficulty=2,
    apps=("files", "music"),
    slots={"path": str, "volume": int},
    wordings=(
        "Play the songs that have a number in my file {path} on music, in the order of their numbers, in place of what"
        " is in the queue now, and at volume {volume}. Lines without a number are only remarks.",
        "The guests are coming! What to play is in {path}, a numbered line per song: the number, then title and artist."
        " Empty the queue of my music player, fill it with these songs from the lowest number to the highest, set the"
        " volume to {volume} and press play. The other lines of the file do not count.",
        "Set my music player to volume {volume} and let it play nothing but the numbered songs of the file {path}, by"
        " number, whatever line they are on. The queue it has at the moment can go.",
    ),
    make=_make_queue_setlist,
    solve=_solve_queue_setlist,
    program=Program(functions=(play_setlist,), call="play_setlist(path={path!r}, volume={volume!r})"),
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="order_of_the_lines", old="sorted(entries, key=lambda entry: int(entry[0]))", new="entries"),
        Mistake(name="numbers_as_text", old="int(entry[0])", new="entry[0]"),
        Mistake(name="old_queue_kept", old="    apis.music.clear_queue(access_token=token)\n", new=""),
        Mistake(name="not_started", old="    apis.music.play(access_token=token)\n", new=""),
    ),
)


# Which song of a list is rated best?

_LISTS = ("Songs to learn", "Karaoke ideas", "Choir wishes", "Songs for the wedding", "First dance", "Busking set")


def _make_best_rated_listed(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    count = rng.choice((3, 4))
    given = {song.id: [row.rating for row in state[SongReview].of(("song", song.id))] for song in state[Song]}
    mean = {id: round(sum(marks) / len(marks), 2) for id, marks in given.items() if marks}
    enough = [id for id in mean if len(given[id]) >= count]
    for _ in range(60):
        lot = rng.sample(enough, 7)
        best, second = sorted(lot, key=lambda id: -mean[id])[:2]
        few = [id for id in mean if len(given[id]) < count and mean[id] > mean[best]]
        loud, known = max(lot, key=lambda id: state[Song][id].plays), max(len(given[id]) for id in lot)
        if mean[best] > mean[second] and len(few) >= 2 and loud != best and known > len(given[best]):
            break
    else:
        return None
    title = rng.choice(_LISTS)
    older = [id for id in enough if id not in lot]
    for name, songs in ((title, [*lot, *rng.sample(few, 2)]), (older_twin(title), rng.sample(older, 5))):
        rows = [state[Song][id] for id in rng.sample(songs, len(songs))]
        lines = [f"- {song.title} ({state[Artist][song.artist].name})" for song in rows]
        jotted(draw, name, "\n".join(("Which first?", *lines)), days=400 if name != title else rng.randint(2, 40))
    return {"title": title, "count": count, "other_title": older_twin(title)}


def _solve_best_rated_listed(state: State, me: Person, values: Values) -> Json:
    content, found = note_titled(state, me.id, values["title"]).content, []
    for song in state[Song]:
        marks = [row.rating for row in state[SongReview].of(("song", song.id))]
        if f"- {song.title} (" in content and len(marks) >= values["count"]:
            found.append((sum(marks) / len(marks), song.title))
    return max(found)[1]


def best_rated_in_note(note_title: str, least: int) -> str:
    """Return the title of the best rated song of a note's list (`- title (artist)`) with at least so many reviews."""
    lines = read_note(title=note_title)["content"].splitlines()
    token = login(app="music")
    found = []
    for title in [line.removeprefix("- ").rpartition(" (")[0] for line in lines if line.startswith("- ")]:
        songs = all_pages(apis.music.search_songs, access_token=token, query=title)
        song_id = next(song["song_id"] for song in songs if song["title"] == title)
        found.append(apis.music.show_song(access_token=token, song_id=song_id))
    rated = [song for song in found if song["review_count"] >= least]
    return max(rated, key=lambda song: song["rating"])["title"]


best_rated_listed = Family(
    name="best_rated_listed",
    split="train",
    difficulty=1,
    apps=("notes", "music"),
    slots={"title": str, "count": int},
    wordings=(
        'Which of the songs listed in my note "{title}" has the best average rating on music? Only songs with {count}'
        " reviews or more count. Answer with the title of the song, without the artist.",
        'My note "{title}" is a list of songs. Look up how listeners of the music app rate them and tell me the title'
        " of the one with the highest average, leaving out those with fewer than {count} reviews.",
        "I can take only one song, and it should be the one people like best: of all on the list in my note"
        ' "{title}" that have at least {count} reviews on music, name the title with the greatest average rating.',
    ),
    make=_make_best_rated_listed,
    solve=_solve_best_rated_listed,
    program=Program(functions=(best_rated_in_note,), call="best_rated_in_note(note_title={title!r}, least={count!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="few_reviews_too", old='song["review_count"] >= least', new='song["review_count"]'),
        Mistake(name="most_reviews", old='song: song["rating"]', new='song: song["review_count"]'),
        Mistake(name="most_played", old='song: song["rating"]', new='song: song["play_count"]'),
        Mistake(name="the_worst", old="return max(rated", new="return min(rated"),
    ),
)


# Follow and unfollow artists as a note says.

_NOTES = "Artists this year|Who to follow|After the festival|Radio notes|Concert season|Record shop tips".split("|")


def _make_artists_by_note(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    first, *artists = sorted(rng.sample(list(state[Artist]), 10), key=lambda artist: artist.id)
    state[Artist].change(first.id, name=f"{artists[-1].name} Orchestra")  # a search finds this one first
    lines, older = [], []
    for n, artist in enumerate((artists[-1], *rng.sample(artists[:-1], 8))):
        music.unfollow(state, me, artist.id)
        if n in (2, 4, 5, 6, 8):
            music.follow(state, me, artist.id)
        lines += [f"{'+' if n < 4 else '-'} {artist.name}"] if n < 8 else []  # 2 is followed already, 7 never was
        older += [f"{rng.choice('+-')} {artist.name}"] if n else [f"- {artist.name}"]
    title = rng.choice(_NOTES)
    jotted(draw, title, "\n".join(("Plus: follow, minus: no longer", *rng.sample(lines, 8))), days=4)
    jotted(draw, older_twin(title), "\n".join(("Plus: follow, minus: no longer", *older)), days=380)
    return {"title": title, "other_title": older_twin(title)}


def _solve_artists_by_note(state: State, me: Person, values: Values) -> Json:
    lines = note_titled(state, me.id, values["title"]).content.split("\n")
    for artist in state[Artist]:
        if "+ " + artist.name in lines:
            music.follow(state, me.id, artist.id)
        if "- " + artist.name in lines:
            music.unfollow(state, me.id, artist.id)


def follow_as_noted(note_title: str) -> int:
    """Follow the artists on a note's lines `+ name`, unfollow those on its lines `- name`; return how many changed."""
    lines = read_note(title=note_title)["content"].splitlines()
    token = login(app="music")
    followed = {artist["artist_id"] for artist in all_pages(apis.music.show_followed_artists, access_token=token)}
    changed = 0
    for line in lines:
        if not line.startswith(("+ ", "- ")):
            continue
        name, wanted = line[2:], line[0] == "+"
        found = all_pages(apis.music.search_artists, access_token=token, query=name)
        artist_id = next(artist["artist_id"] for artist in found if artist["name"] == name)
        if wanted and artist_id not in followed:
            apis.music.follow_artist(access_token=token, artist_id=artist_id)
            changed += 1
        elif not wanted and artist_id in followed:
            apis.music.unfollow_artist(access_token=token, artist_id=artist_id)
            changed += 1
    return changed


artists_by_note = Family(
    name="artists_by_note",
    split="train",
    difficulty=3,
    apps=("notes", "music"),
    slots={"title": str},
    wordings=(
        'My note "{title}" lists artists, each after a plus or a minus. Follow those with a plus on music and unfollow'
        " those with a minus; where that is already so, there is nothing to do.",
        'Follow the artists with a + in my note "{title}" on music, and stop following those with a -.',
        'Open the note called "{title}". A line that starts with + names an artist I want to follow on music, a line'
        " that starts with - one I am through with. Please change whom I follow accordingly and touch nobody else.",
        "Update the artists that I follow in the music app: add whoever has a + in front of the name in my note"
        ' "{title}", and drop whoever has a - there, if I follow them at all.',
    ),
    make=_make_artists_by_note,
    solve=_solve_artists_by_note,
    program=Program(functions=(follow_as_noted,), call="follow_as_noted(note_title={title!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if artist["name"] == name', new=""),
        Mistake(name="nobody_unfollowed", old="not wanted and artist_id in followed", new="False"),
        Mistake(name="first_five_lines", old='["content"].splitlines()', new='["content"].splitlines()[:5]'),
        Mistake(name="signs_swapped", old='line[0] == "+"', new='line[0] == "-"'),
    ),
)


# Like and keep the albums that a file rates high.

_FILES = """~/documents/personal/album-ratings.txt|~/documents/personal/record-club.txt|~/documents/albums.txt|
~/downloads/album-votes.txt|~/documents/vinyl-evening.txt|~/backups/album-stars.txt""".replace("\n", "").split("|")


def _make_albums_by_stars(draw: Draw) -> Values | None:
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


def _solve_albums_by_stars(state: State, me: Person, values: Values) -> Json:
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
    make=_make_albums_by_stars,
    solve=_solve_albums_by_stars,
    program=Program(functions=(apply_album_stars,), call="apply_album_stars(file_path={path!r}, stars={stars!r})"),
    mistakes=(
        Mistake(name="the_older_file", swap={"path": "other_path"}),
        Mistake(name="more_stars_only", old="int(given) >= stars", new="int(given) > stars"),
        Mistake(name="first_match", old=' if album["title"] == title', new=""),
        Mistake(name="old_likes_kept", old="not good and album_id in liked", new="False"),
        Mistake(name="library_forgotten", old="good and album_id not in saved", new="False"),
    ),
)


# Complete a list of song titles with what music knows of them.

_SETS = ("Songs for Sunday", "Choir ideas", "Dance list", "Heard on the radio", "For the mixtape", "Singalong")


def _make_complete_song_lines(draw: Draw) -> Values | None:
    rng, songs, titles = draw.rng, draw.state[Song], {song.title for song in draw.state[Song]}
    title, (mark, other) = rng.choice(_SETS), rng.sample(("(unknown)", "(?)", "- not found", "(ask again)"), 2)
    plain = [*rng.sample(list(songs), 5), *rng.sample([song for song in songs if song.seconds % 60 < 10], 2)]
    swapped = [" ".join(song.title.split()[::-1]) for song in plain[:5]]  # a search finds these
    names = {song.title for song in plain[1:]} | set(swapped) - titles | {"Ode to a Teapot"}
    rows = [f"- {name}" for name in sorted(names)]
    rows += [f"- {plain[0].title} by {draw.state[Artist][plain[0].artist].name}, live"]  # completed, in its own way
    for name, days in ((title, 4), (older_twin(title), 390)):
        lines = rng.sample(rows, len(rows))
        jotted(draw, name, "\n".join(["Ask the others", *lines[:4], plain[2].title, *lines[4:]]), days=days)
    return {"title": title, "mark": mark, "other_title": older_twin(title), "other_mark": other}


def _solve_complete_song_lines(state: State, me: Person, values: Values) -> Json:
    note, known = notes.note_titled(state, me.id, values["title"]), {song.title: song for song in state[Song]}

    def full(found: re.Match[str]) -> str:
        if song := known.get(found[1]):
            length = datetime.min + timedelta(seconds=song.seconds)
            return f"{found[0]} by {state[Artist][song.artist].name}, {length:%-M:%S}"
        return found[0] if " by " in found[1] else f"{found[0]} {values['mark']}"

    notes.rewrite(state, note.id, content=re.sub(r"(?m)^- (.+)$", full, note.content))


def fill_in_song_lines(title: str, mark: str) -> None:
    """Complete a note's lines `- song` to `- song by artist, m:ss`, or with a mark where music has no such song."""
    note = read_note(title=title)
    token = login(app="music")
    lines = note["content"].splitlines()
    for place, line in enumerate(lines):
        if not line.startswith("- ") or " by " in line:
            continue
        name = line.removeprefix("- ")
        found = all_pages(apis.music.search_songs, access_token=token, query=name)
        song = next((each for each in found if each["title"] == name), None)
        if song:
            lines[place] += f" by {song['artist_name']}, {song['duration'] // 60}:{song['duration'] % 60:02d}"
        else:
            lines[place] += f" {mark}"
    apis.notes.update_note(access_token=login(app="notes"), note_id=note["note_id"], content="\n".join(lines))


complete_song_lines = Family(
    name="complete_song_lines",
    split="train",
    difficulty=2,
    apps=("notes", "music"),
    slots={"title": str, "mark": str},
    wordings=(
        'My note "{title}" has song titles after dashes. Complete these lines from music to "- Blue Year by Jane Doe,'
        ' 3:05" (artist and length), or put " {mark}" behind the title if no song there is called exactly that. Lines'
        ' that have " by " in them stay as they are, and so do lines without a dash.',
        'Please fill in the note "{title}": where a line is just "- Song", make it "- Song by Artist, 4:09" with what'
        ' music says, or "- Song {mark}" if it has no song of precisely this title. Change nothing in the other lines.',
        'Who sings the songs of my note "{title}", and how long are they? Write it behind every title that follows a'
        ' dash and has no " by " yet, as in " by Jane Doe, 2:07". Titles that music does not have word for word get'
        ' " {mark}" in its place. Touch no other line.',
        'Go through "{title}" in my notes. "- Title" becomes "- Title by Artist, M:SS" as music has it, or "- Title'
        ' {mark}" if its catalogue has no song with just that title. All lines with " by " or without a dash remain.',
        'Append artist and duration to the dashed titles in my note "{title}", like "- Night Bus by The Owls, 3:40", or'
        ' a space and "{mark}" if music has no song titled exactly so. Lines that have " by " already are complete.',
    ),
    make=_make_complete_song_lines,
    solve=_solve_complete_song_lines,
    program=Program(functions=(fill_in_song_lines,), call="fill_in_song_lines(title={title!r}, mark={mark!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_mark", swap={"mark": "other_mark"}),
        Mistake(name="near_titles_too", old='each["title"] == name', new='each["title"]'),
        Mistake(name="seconds_in_one_digit", old="% 60:02d}", new="% 60}"),
        Mistake(name="completed_again", old=' or " by " in line', new=""),
    ),
)


_CHARTS = "Playlist chart|Longest playlists|Playing times|Music ranking|Mixtape table|Hours of music|Playlist podium"


_COPIES = "Afterparty|Airport Lounge|All Nighter|Attic Sessions|Autumn Walk|August Rain|Almost Monday"


# Write down the longest playlists in order.


def _make_playlist_chart(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    songs = sorted(state[Song], key=lambda song: song.seconds)
    music.create_playlist(state, me, "Tiny Tunes", [song.id for song in songs[:13]])  # the most songs, but short ones
    music.create_playlist(state, me, "Epics", [song.id for song in rng.sample(songs[-12:], rng.randint(7, 9))])
    found = {row.song_ids: sum(state[Song][song].seconds for song in row.song_ids) for row in state[Playlist].of(me)}
    longest = max(found, key=lambda ids: found[ids])
    music.create_playlist(state, me, rng.choice(_COPIES.split("|")), longest)  # exactly as long, and earlier by title
    count = rng.randint(3, 4)
    places = sorted(found.values(), reverse=True)[:count]
    if len(set(places)) < count or all(seconds % 60 <= 30 for seconds in places[:-1]):
        return None
    return {"title": rng.choice(_CHARTS.split("|")), "count": count, "other_count": count + 1}


def _solve_playlist_chart(state: State, me: Person, values: Values) -> Json:
    mine = sorted(state[Playlist].of(me.id), key=lambda row: row.title)
    lengths = {row.title: sum(state[Song][song].seconds for song in row.song_ids) for row in mine}
    best = sorted(lengths.items(), key=lambda item: item[1], reverse=True)  # the order by title stays within
    lines = [f"{n + 1}. {best[n][0]}: {best[n][1] // 60}" for n in range(values["count"])]
    write_note(state, me.id, values["title"], "\n".join(lines))


def write_playlist_chart(title: str, count: int) -> list:
    """Write a note that ranks the longest playlists in lines `1. title: full minutes` and return these lines."""
    token = login(app="music")
    seconds = {}
    for playlist in all_pages(apis.music.show_playlists, access_token=token):
        songs = apis.music.show_playlist(access_token=token, playlist_id=playlist["playlist_id"])["songs"]
        seconds[playlist["title"]] = sum(song["duration"] for song in songs)
    ranked = sorted(seconds, key=lambda name: (-seconds[name], name))[:count]
    lines = [f"{place}. {name}: {seconds[name] // 60}" for place, name in enumerate(ranked, 1)]
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return lines


playlist_chart = Family(
    name="playlist_chart",
    split="train",
    difficulty=2,
    apps=("music", "notes"),
    slots={"title": str, "count": int},
    wordings=(
        'Write a new note "{title}" with my {count} longest playlists on music by the total length of their songs,'
        " longest first. A line is place, full stop, space, title, colon, space and the full minutes, such as"
        " 1. Road Trip: 34. Playlists of the same length go by title, from A to Z.",
        "Which of my music playlists last longest? Add up the songs of each, rank the top {count} (the same length:"
        ' alphabetically by title) and put nothing but the ranking into a note called "{title}", in lines like'
        " 2. Deep Focus: 41, where 41 is the minutes without the seconds left over.",
        'I need a chart in my notes, titled "{title}": my {count} playlists with the most playing time, longest on top.'
        " Write every line as 1. Title: minutes, counting from 1, and cut the minutes down to whole ones. Should two"
        " playlists be equally long to the second, their titles decide, from A to Z.",
        'Make a note with the title "{title}" of the {count} playlists in my music account that play the longest:'
        " number, dot, blank, name, colon, blank, minutes (rounded down), a line per playlist, in falling order of"
        " their length in seconds and by name where that is equal.",
        'Please start a note "{title}" whose only content is lines like 3. Campfire: 28 for places 1 to {count} of my'
        " own playlists, ordered by how long all their songs take together, from long to short, ties by title from A"
        " to Z. The number at the end is full minutes.",
    ),
    make=_make_playlist_chart,
    solve=_solve_playlist_chart,
    program=Program(functions=(write_playlist_chart,), call="write_playlist_chart(title={title!r}, count={count!r})"),
    mistakes=(
        Mistake(name="a_place_too_many", swap={"count": "other_count"}),
        Mistake(name="most_songs", old='sum(song["duration"] for song in songs)', new="60 * len(songs)"),
        Mistake(name="minutes_rounded", old="{seconds[name] // 60}", new="{round(seconds[name] / 60)}"),
        Mistake(name="ties_as_listed", old="(-seconds[name], name)", new="-seconds[name]"),
        Mistake(name="first_page", old="all_pages(apis.music.show_playlists, ", new="apis.music.show_playlists("),
    ),
)

FAMILIES = (
    queue_setlist,
    best_rated_listed,
    artists_by_note,
    albums_by_stars,
    complete_song_lines,
    playlist_chart,
)
