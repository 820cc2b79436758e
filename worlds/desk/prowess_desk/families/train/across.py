"""Train families of music with files, with the phone and with notes, and of the phone with files."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, write_file
from prowess_desk.apps.music import Album, Artist, Player, SavedAlbum, Song, SongReview, save_album
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import TextMessage, VoiceMessage, delete_voice, send_voice
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago, named, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login, read_note

# Play the numbered songs of a file.

_EVENTS = "garden-party housewarming road-trip barbecue ice-rink picnic reunion costume-ball".split()


def _make_setlist(draw: Draw) -> Values | None:
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


def _solve_setlist(state: State, me: Person, values: Values) -> Json:
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
    make=_make_setlist,
    solve=_solve_setlist,
    program=Program(functions=(play_setlist,), call="play_setlist(path={path!r}, volume={volume!r})"),
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="order_of_the_lines", old="sorted(entries, key=lambda entry: int(entry[0]))", new="entries"),
        Mistake(name="numbers_as_text", old="int(entry[0])", new="entry[0]"),
        Mistake(name="old_queue_kept", old="    apis.music.clear_queue(access_token=token)\n", new=""),
        Mistake(name="not_started", old="    apis.music.play(access_token=token)\n", new=""),
    ),
)


# Keep the albums that somebody recommends by text.

_STARTS = ("Album tip:", "Hear this:", "New favorite:", "On repeat:", "You need this:")


def _make_tips(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, *_ = acquaintances(draw)
    start, second = rng.sample(_STARTS, 2)
    mine = {row.album for row in state[SavedAlbum].of(me.id)}
    fresh = rng.sample([album.title for album in state[Album] if album.id not in mine], 10)
    kept = rng.sample([album.title for album in state[Album] if album.id in mine], 2)
    days = rng.randint(20, 60)
    noon = (state.now - timedelta(days=days)).replace(hour=12, minute=0)
    for n, title in enumerate((*fresh[:6], *kept, fresh[0], "Echoes of Nowhere")):  # one of them twice
        texted(draw, person, me, f"{start} {title}", ago(draw, 0.5 + (days - 3) * n / 10))
    texted(draw, person, me, f"{start} {fresh[6]}", noon)  # that day counts
    texted(draw, person, me, f"{start} {fresh[7]}", noon - timedelta(days=1))
    texted(draw, me, person, f"{start} {fresh[8]}", ago(draw, 2))
    texted(draw, other, me, f"{start} {fresh[9]}", ago(draw, 3))
    texted(draw, person, me, f"{second} {state[Song][rng.randint(1, 150)].title}", ago(draw, 4))  # a song, no album
    texted(draw, person, me, f"Did you like my last one? {start} I will send more.", ago(draw, 1))
    since = noon.date().isoformat()
    return {"person": person.name, "start": start, "since": since, "other_person": other.name, "other_start": second}


def _solve_tips(state: State, me: Person, values: Values) -> Json:
    person, start = named(state, values["person"]), values["start"]
    theirs = [row for row in state[TextMessage].of(me.id) if row.sender == person.id]
    texts = {row.text for row in theirs if row.sent_at >= datetime.fromisoformat(values["since"])}
    mine = {row.album for row in state[SavedAlbum].of(me.id)}
    for album in state[Album]:
        if f"{start} {album.title}" in texts and album.id not in mine:
            save_album(state, me.id, album.id)


def keep_album_tips(name: str, start: str, since: str) -> int:
    """Add the albums that a person texted since a day (`start title`) to the library, if new, and return how many."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    texts = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", from_date=since
    )
    titles = {text["text"].removeprefix(start).strip() for text in texts if text["text"].startswith(start)}
    music_token = login(app="music")
    kept = {album["title"] for album in all_pages(apis.music.show_album_library, access_token=music_token)}
    count = 0
    for title in sorted(titles - kept):
        for album in all_pages(apis.music.search_albums, access_token=music_token, query=title):
            if album["title"] == title:
                apis.music.add_album_to_library(access_token=music_token, album_id=album["album_id"])
                count += 1
    return count


save_tipped_albums = Family(
    name="save_tipped_albums",
    split="train",
    difficulty=2,
    apps=("phone", "music"),
    slots={"person": str, "start": str, "since": str},
    wordings=(
        '{person} names albums to me in texts that read "{start}" and then the title. Add those from the texts I got'
        " since {since}, that day included, to my album library on music. Skip what is in there already and what the"
        " catalogue does not have.",
        'Go through the text messages that {person} has sent me on {since} or later. After the words "{start}" at the'
        " start of a message comes the title of an album: save that album in my music library unless I have it."
        " Titles that music does not know can be ignored.",
        "Please put the albums that {person} recommended into my library on music. I mean the titles that follow"
        ' "{start}" where a text to me begins with it, from {since} on (the day itself counts). Some albums I keep'
        " already, others are not on music at all: leave those out.",
    ),
    make=_make_tips,
    solve=_solve_tips,
    program=Program(
        functions=(keep_album_tips,), call="keep_album_tips(name={person!r}, start={start!r}, since={since!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="other_texts", swap={"start": "other_start"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="sent_ones_too", old=', direction="received"', new=""),
        Mistake(name="from_anybody", old="phone_number=number, ", new=""),
        Mistake(name="first_page", old="    titles = {", new="    texts = texts[:5]\n    titles = {"),
    ),
)


# Which song of a list is rated best?

_LISTS = ("Songs to learn", "Karaoke ideas", "Choir wishes", "Songs for the wedding", "First dance", "Busking set")


def _make_rated(draw: Draw) -> Values | None:
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


def _solve_rated(state: State, me: Person, values: Values) -> Json:
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
    make=_make_rated,
    solve=_solve_rated,
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


# Write what somebody said into a file, and delete it from the phone.

_SAID = """Please bring the long ladder on Saturday.|The code for the gate has changed.|I found your scarf in the car.|
The vet says everything is fine.|We start an hour later than planned.|Grandma asks for the photos.|
The roof is tight again.|I need the recipe for the plum cake.|They have moved the rehearsal.|My new job starts in June.
""".replace("\n", "").split("|")


def _make_voices(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, *_ = acquaintances(draw)

    def spoke(sender: Person, receiver: Person, text: str, days: float) -> str:
        row = send_voice(state, sender.id, receiver.id, text)
        when = state[VoiceMessage].change(row.id, sent_at=ago(draw, days)).sent_at
        return f"{when:%Y-%m-%d}: {text}"

    said = rng.sample(_SAID, 10)
    first = rng.randint(40, 60)
    known = [spoke(person, me, text, first - 3 * n) for n, text in enumerate(said[:3])]
    for n, text in enumerate((*said[3:8], said[0])):  # the last one was said before, on another day
        spoke(person, me, text, 2 + 4 * n)
    spoke(me, person, said[8], 3)
    for text in said[7:]:
        spoke(other, me, text, rng.randint(1, 30))
    path = f"~/documents/personal/{person.first.lower()}-{rng.choice(('said', 'voice', 'spoken', 'log'))}.txt"
    filed(draw, path, "\n".join((f"What {person.first} tells me", *known)), days=first - 8)
    return {"person": person.name, "path": path, "other_person": other.name}


def _solve_voices(state: State, me: Person, values: Values) -> Json:
    person, path = named(state, values["person"]), at_home(me, values["path"])
    heard = [row for row in state[VoiceMessage].of(me.id) if (row.sender, row.receiver) == (person.id, me.id)]
    for row in sorted(heard, key=lambda row: row.sent_at):
        line = f"{row.sent_at.date()}: {row.transcript}"
        file = next(file for file in state[File].of(me.id) if file.path == path)
        if line not in file.content.split("\n"):
            write_file(state, me.id, path, f"{file.content}\n{line}")
        delete_voice(state, me.id, row.id)


def write_down_voices(name: str, path: str) -> int:
    """Append a person's voice messages (`day: transcript`) to a file, if missing; delete them and return how many."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(apis.phone.show_voice_messages, access_token=token, phone_number=number, direction="received")
    files_token = login(app="files")
    known = apis.files.show_file(access_token=files_token, file_path=path)["content"].splitlines()
    for message in sorted(messages, key=lambda message: message["sent_at"]):
        line = f"{message['sent_at'][:10]}: {message['transcript']}"
        if line not in known:
            apis.files.append_to_file(access_token=files_token, file_path=path, text=line)
        apis.phone.delete_voice_message(access_token=token, message_id=message["message_id"])
    return len(messages)


file_voice_messages = Family(
    name="file_voice_messages",
    split="train",
    difficulty=3,
    apps=("phone", "files"),
    slots={"person": str, "path": str},
    wordings=(
        "My file {path} keeps the voice messages that {person} sends me, a line each: the day (YYYY-MM-DD), a colon, a"
        " space and what was said. Add those that are missing at the end, oldest first, and then delete all voice"
        " messages from {person} to me on my phone.",
        "Write down what {person} told me in voice messages: every message that has no line in {path} yet gets one at"
        ' the end of that file, in the order in which they came and like the lines there ("2025-01-31: transcript").'
        " Then delete all voice messages on my phone that came from {person}.",
        "Please move the voice messages I have from {person} out of my phone and into the file {path}. Append a line"
        " per message, earliest first, made of its day as YYYY-MM-DD, a colon, a space and the transcript; a message"
        " whose line is in the file already is not written again, but it is deleted like the rest. What I sent stays.",
    ),
    make=_make_voices,
    solve=_solve_voices,
    program=Program(functions=(write_down_voices,), call="write_down_voices(name={person!r}, path={path!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="latest_first", old='message["sent_at"])', new='message["sent_at"], reverse=True)'),
        Mistake(name="written_again", old="if line not in known:", new="if line:"),
        Mistake(name="said_before_is_known", old="line not in known", new="line[12:] not in str(known)"),
        Mistake(name="sent_ones_too", old=', direction="received"', new=""),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (queue_setlist, save_tipped_albums, best_rated_listed, file_voice_messages)
