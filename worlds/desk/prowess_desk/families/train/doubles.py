"""Train families about doubles: equal notes, alarms in each other's way, playlists that overlap, unlike copies."""

from __future__ import annotations

from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import file_at, make_directory
from prowess_desk.apps.music import Playlist, Song, add_to_playlist
from prowess_desk.apps.notes import Note, note_titled, rewrite
from prowess_desk.apps.phone import Alarm, change_alarm, create_alarm, delete_alarm
from prowess_desk.apps.phone.rows import DAYS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.toolbox import all_pages, apis, login

# Merge the notes of a tag that say the same.

_CIRCLES = "allotment choir fencing brewing pottery theater beekeeping chess rowing".split()
_SENTENCES = """The key hangs behind the door.|Ask for the quiet room.|Bring gloves and a hat.|Pay by transfer.|
Meet at the north gate.|The code changes every spring.|Take the last tram.""".replace("\n", "").split("|")


def _make_same(draw: Draw) -> Values | None:
    tag, other = draw.rng.sample(_CIRCLES, 2)
    a, b, c, *rest = draw.rng.sample(_SENTENCES, 7)
    notes = [
        (a, 90, [tag, "phone"], False),
        (a, 60, [tag, "draft"], True),
        (a, 30, [tag, "laptop"], False),
        (b, 80, [tag], True),  # stays in the archive
        (b, 50, [tag, "shared"], False),
        (a, 120, [other, "watch"], False),  # older, but of another tag
        (c, 70, [tag, "tablet"], False),
        (c.replace(".", "!"), 40, [tag, "draft"], False),
        *((text, 20, [tag], False) for text in rest),
    ]
    titles = draw.rng.sample([f"{word} {n}" for word in ("Copy", "Import", "Memo") for n in range(9)], len(notes))
    for title, (text, days, tags, archived) in zip(titles, notes, strict=True):
        papers.jotted(draw, title, text, tags=tags, days=days, archived=archived)
    rewrite(draw.state, note_titled(draw.state, draw.me.id, titles[0]).id)  # written first, changed last
    return {"tag": tag, "other_tag": other}


def _solve_same(state: State, me: Person, values: Values) -> Json:
    notes = [note for note in state[Note].of(me.id) if values["tag"] in note.tags]
    for text in {note.content for note in notes}:
        same = [note for note in notes if note.content == text]
        first = min(same, key=lambda note: note.created_at)
        rewrite(state, first.id, tags=tuple(sorted({tag for note in same for tag in note.tags})))
        for note in {*same} - {first}:
            state[Note].remove(note.id)


def merge_equal_notes(tag: str) -> int:
    """Of the notes with a tag that have the same text keep the oldest, with all their tags; return how many go."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    notes += all_pages(apis.notes.list_notes, access_token=token, tag=tag, archived=True)
    kept: dict = {}
    for note in sorted(notes, key=lambda note: note["created_at"]):
        text = apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"]
        if text not in kept:
            kept[text] = note["note_id"]
            continue
        for name in note["tags"]:
            apis.notes.tag_note(access_token=token, note_id=kept[text], tag=name)
        apis.notes.delete_note(access_token=token, note_id=note["note_id"])
    return len(notes) - len(kept)


merge_same_notes = Family(
    name="merge_same_notes",
    split="train",
    difficulty=3,
    apps=("notes",),
    slots={"tag": str},
    wordings=(
        'Some of my notes tagged "{tag}", archived ones included, have exactly the same text. Keep only the one that'
        " was created first of each such set, give it the tags of all the others and delete those.",
        'Get rid of double notes under the tag "{tag}", archived or not: those with the same text, whatever the title.'
        " The oldest by creation stays where it is and takes over every tag of its doubles, which are deleted.",
        'Among my "{tag}" notes (I mean the tag, and the archive counts) each text should occur just once. Where it'
        " occurs more often, the note written first survives, with the tags of the whole lot. Delete the rest.",
        'I imported my notes several times. For those with the tag "{tag}", also in the archive, merge what has equal'
        " content: the earliest created note stays, gets the tags that only its copies have, and the copies go.",
        'Which notes tagged "{tag}" say the same, word for word? Look in the archive as well. Delete all but the first'
        " one created each time, after its tags have been completed with those of the ones that go.",
    ),
    make=_make_same,
    solve=_solve_same,
    program=Program(functions=(merge_equal_notes,), call="merge_equal_notes(tag={tag!r})"),
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="last_changed_kept", old='note["created_at"]', new='note["updated_at"]'),
        Mistake(name="tags_lost", old='for name in note["tags"]:', new="for name in ():"),
        Mistake(name="archive_left_out", old=", archived=True)", new=")[:0]"),
        Mistake(name="first_page", old="= all_pages(apis.notes.list_notes, ", new="= apis.notes.list_notes("),
    ),
)


# Take the days of an alarm off others that ring about the same time.

_CALLS = "Rowing at dawn|Night shift|Bake the bread|Insulin|Open the studio|Language exam|Milk the goats".split("|")


def _make_clash(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    label, start, minutes = rng.choice(_CALLS), rng.randint(7 * 60, 20 * 60), rng.randint(6, 40)
    *days, one, two, three = rng.sample(DAYS, 7)

    def alarm(name: str, minute: int, days: list[str], *, on: bool = True) -> None:
        time = f"{(start + minute) // 60:02d}:{(start + minute) % 60:02d}"
        create_alarm(state, me.id, name, time, repeat_days=days, enabled=on, snooze_minutes=rng.choice((5, 10)))

    alarm(f"{label} (reserve)", -minutes - 30, [days[0], one])
    alarm("Spare bell", -minutes, [days[0], one])
    alarm("Second bell", 0, days[1:3])
    alarm(label, 0, days)
    alarm("Third bell", rng.randint(1, minutes - 1), list(DAYS))
    alarm("Old bell", 2, days[:2], on=False)
    alarm("Once only", 3, [])
    alarm("Days off", 1, [one, two, three])
    alarm("Late bell", minutes + 1, days[1:])
    return {"label": label, "minutes": minutes, "other_label": f"{label} (reserve)"}


def _solve_clash(state: State, me: Person, values: Values) -> Json:
    mine = [alarm for alarm in state[Alarm].of(me.id) if alarm.enabled and alarm.repeat_days]
    main = next(alarm for alarm in mine if alarm.label == values["label"])
    times = {alarm.id: int(alarm.time[:2]) * 60 + int(alarm.time[3:]) for alarm in mine}
    for alarm in mine:
        if alarm is not main and abs(times[alarm.id] - times[main.id]) <= values["minutes"]:
            change_alarm(state, alarm.id, repeat_days={*alarm.repeat_days} - {*main.repeat_days})
            if not state[Alarm][alarm.id].repeat_days:
                delete_alarm(state, alarm.id)


def clear_around(label: str, minutes: int) -> int:
    """Take an alarm's days off all that are on and ring within so many minutes of it; return how many that changed."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=True)
    main = next(alarm for alarm in alarms if alarm["label"] == label)
    moment = datetime.strptime(main["time"], "%H:%M")
    changed = 0
    for alarm in alarms:
        apart = abs(datetime.strptime(alarm["time"], "%H:%M") - moment)
        shared = set(alarm["repeat_days"]) & set(main["repeat_days"])
        if alarm is main or apart > timedelta(minutes=minutes) or not shared:
            continue
        left = [day for day in alarm["repeat_days"] if day not in shared]
        if left:
            apis.phone.update_alarm(access_token=token, alarm_id=alarm["alarm_id"], repeat_days=left)
        else:
            apis.phone.delete_alarm(access_token=token, alarm_id=alarm["alarm_id"])
        changed += 1
    return changed


alarm_doubles = Family(
    name="alarm_doubles",
    split="train",
    difficulty=3,
    apps=("phone",),
    slots={"label": str, "minutes": int},
    wordings=(
        'On the days of my alarm "{label}", no other alarm that is on and repeats should ring {minutes} minutes or less'
        " before or after it. Take those days off such alarms, and delete one that has no day left.",
        'My alarm labelled "{label}" is enough. Any other enabled repeating alarm at most {minutes} minutes away from'
        " it should lose the days on which that one rings, and be deleted if these are all its days.",
        'I get woken twice! Alarms that are on, repeat and are set within {minutes} minutes of "{label}" (earlier or'
        " later, {minutes} itself included) have to give up the days they share with it; delete those with none left.",
        'Clear the {minutes} minutes before and after "{label}", both ends included, of my other active repeating'
        " alarms, but only on the weekdays that alarm has. Whatever would lose all its days is to be deleted.",
        'Wherever one of my alarms that are on repeats on the same day as "{label}" and its time differs by {minutes}'
        ' minutes at most, it gives way: strike the days it shares with "{label}", and delete it if it has no others.',
    ),
    make=_make_clash,
    solve=_solve_clash,
    program=Program(functions=(clear_around,), call="clear_around(label={label!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="another_alarm", swap={"label": "other_label"}),
        Mistake(name="those_off_too", old=", is_enabled=True", new=""),
        Mistake(name="end_left_out", old="apart > timedelta", new="apart >= timedelta"),
        Mistake(name="only_later_ones", old="abs(datetime.strptime", new="(datetime.strptime"),
        Mistake(name="emptied_not_deleted", old="if left:", new="if True:"),
    ),
)


# Which two playlists have the most in common?


def _make_overlap(draw: Draw) -> Values | None:
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


def _solve_overlap(state: State, me: Person, values: Values) -> Json:
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
    make=_make_overlap,
    solve=_solve_overlap,
    program=Program(functions=(most_alike_playlists,), call="most_alike_playlists(without={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_left_out", swap={"title": "other_title"}),
        Mistake(name="none_left_out", old=' if each["title"] != without', new=""),
        Mistake(name="most_in_all", old='& set(second["song_ids"])', new='| set(second["song_ids"])'),
        Mistake(name="first_page", old="all_pages(apis.music.show_playlists, ", new="apis.music.show_playlists("),
    ),
)


# Which notes no longer say what their copies in a folder say?

_TITLES = "Picnic|Stage props|Seeds|Tool loans|Snacks|Guest beds|Sails|Quiz topics|Costumes|Trail marks".split("|")
_ITEMS = "rope|twine|lamp|torch|chalk|tape|paint|cloth|nails|glue|string|wire|cups|forks|jars|tins|hooks".split("|")


def _make_unlike(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    tag, other = rng.sample(_CIRCLES, 2)
    folder, second = (f"~/documents/{name}" for name in rng.sample(("exported", "shared", "offline", "printed"), 2))
    for place in (folder, second):
        make_directory(state, me.id, papers.at_home(me, place))
    for n, title in enumerate(rng.sample(_TITLES, 10)):
        items = rng.sample(_ITEMS, 6)
        more, fewer, swapped = [*items, "soap"], items[1:], [*items[1:], "soap"]
        copies = [items, items[::-1], more, fewer, swapped, items, None, more, fewer, swapped]
        papers.jotted(draw, title, "\n".join(items), tags=[other if n == 8 else tag], archived=n == 9, days=30 - n)
        if (copy := copies[n]) is not None:
            papers.filed(draw, f"{folder}/{title}.txt", "\n".join(copy))
        papers.filed(draw, f"{second}/{title}.txt", "\n".join(items if n in (2, 3) else more))
    return {"tag": tag, "folder": folder, "other_tag": other, "other_folder": second}


def _solve_unlike(state: State, me: Person, values: Values) -> Json:
    found: list[Json] = []
    for note in state[Note].of(me.id):
        copy = file_at(state, me.id, papers.at_home(me, f"{values['folder']}/{note.title}.txt"))
        if copy and values["tag"] in note.tags and not note.archived:
            found += [note.title] * (sorted(copy.content.split("\n")) != sorted(note.content.split("\n")))
    return found


def unlike_copies(tag: str, folder: str) -> list:
    """Return the titles of the notes with a tag whose copy `title.txt` in a folder does not have the same lines."""
    files_token = login(app="files")
    paths = apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]
    copies = {path.split("/")[-1]: path for path in paths}
    token = login(app="notes")
    unlike = []
    for note in all_pages(apis.notes.list_notes, access_token=token, tag=tag):
        path = copies.get(note["title"] + ".txt")
        if path:
            text = apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"]
            copy = apis.files.show_file(access_token=files_token, file_path=path)["content"]
            if set(text.splitlines()) != set(copy.splitlines()):
                unlike.append(note["title"])
    return unlike


notes_unlike_files = Family(
    name="notes_unlike_files",
    split="train",
    difficulty=2,
    apps=("files", "notes"),
    slots={"tag": str, "folder": str},
    wordings=(
        'My notes with the tag "{tag}" have copies in {folder}, called like the note plus .txt. Which of these notes do'
        " not have the same lines as their copy? The order of the lines does not matter, nor do notes without a copy or"
        " in the archive. Give me the titles.",
        'Tell me the titles of the notes tagged "{tag}" that are out of step with {folder}, where the file TITLE.txt'
        " should have the same lines in whatever order. Skip archived notes and those that have no file there.",
        'In {folder} are texts named after notes, TITLE.txt. Which of my notes tagged "{tag}", archived ones aside,'
        " have such a file and differ from it by a line or more, on either side and in any order? Titles, please.",
        'I keep lists under my notes tag "{tag}" as .txt files of the same name in {folder}, too. Which of them, the'
        " archive aside, have a line their file lacks, or the other way round? No file, no difference.",
        'Which "{tag}" notes (tag, outside the archive) no longer agree with their copies in {folder}? They agree if'
        " note and TITLE.txt hold the same lines in any order. A note without a copy does not count. List the titles.",
    ),
    make=_make_unlike,
    solve=_solve_unlike,
    program=Program(functions=(unlike_copies,), call="unlike_copies(tag={tag!r}, folder={folder!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="any_tag", old=", tag=tag)", new=")"),
        Mistake(name="order_counts", old="set(text.splitlines()) != set(copy.splitlines())", new="text != copy"),
        Mistake(name="one_way", old="set(text.splitlines()) != set", new="set(text.splitlines()) - set"),
    ),
)

FAMILIES = (merge_same_notes, alarm_doubles, closest_playlists, notes_unlike_files)
