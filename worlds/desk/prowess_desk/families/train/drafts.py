"""Train families of the files app about what files hold: write, add to, bring up to date and compare."""

from __future__ import annotations

from datetime import timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, file_at, make_directory, write_file
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import VoiceMessage, send_voice
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago, named
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login, read_note

# Write down what somebody said in voice messages.

_SAID = """The key is under the blue pot.|I will be ten minutes late, start without me.|The code for the gate is 4471.|
Remind me to give you the book back.|They moved the match to Sunday.|Your parcel is at our place.|
I found a good recipe for the plums.|The train leaves from platform six.|Do not forget the sun hat.|
Can you water the tomatoes on Thursday?|The landlord says yes.|We need two more chairs for the party.|
The dog is fine, he only ate a sock.|I left the tickets with the neighbor.""".replace("\n", "").split("|")


def _make_said(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    person, other, *_ = acquaintances(draw)
    said = iter(rng.sample(_SAID, 13))

    def spoke(sender: Person, receiver: Person, days: int) -> None:
        message = send_voice(draw.state, sender.id, receiver.id, next(said))
        draw.state[VoiceMessage].change(message.id, sent_at=ago(draw, days))

    for days in rng.sample(range(2, 300), 7):
        spoke(person, me, days)
    for days in rng.sample(range(2, 300), 3):
        spoke(me, person, days)
        spoke(other, me, days)
    folder, wrong = rng.sample(("~/documents", "~/documents/personal", "~/backups", "~/downloads"), 2)
    name = f"{rng.choice(('voice', 'spoken', 'messages', 'memos'))}-{person.first.lower()}.txt"
    paths = {"path": f"{folder}/{name}", "other_path": f"{wrong}/{name}"}
    return {"person": person.name, "other_person": other.name, **paths}


def _solve_said(state: State, me: Person, values: Values) -> Json:
    sender = named(state, values["person"])
    heard = [one for one in state[VoiceMessage].of(me.id) if (one.sender, one.receiver) == (sender.id, me.id)]
    heard.sort(key=lambda one: one.sent_at)
    lines = [f"{one.sent_at:%Y-%m-%d}: {one.transcript}" for one in heard]
    write_file(state, me.id, at_home(me, values["path"]), "\n".join(lines))


def write_voice_messages(person: str, path: str) -> int:
    """Write a file with a line `day: transcript` per voice message from a contact, oldest first; return how many."""
    number = contact_named(name=person)["phone_number"]
    token = login(app="phone")
    found = all_pages(apis.phone.show_voice_messages, access_token=token, phone_number=number, direction="received")
    lines = [f"{message['sent_at'][:10]}: {message['transcript']}" for message in reversed(found)]
    token = login(app="files")
    apis.files.create_file(access_token=token, file_path=path, content="\n".join(lines))
    return len(lines)


transcribe_voice_messages = Family(
    name="transcribe_voice_messages",
    split="train",
    difficulty=2,
    apps=("phone", "files"),
    slots={"person": str, "path": str},
    wordings=(
        "Write down all voice messages that I got from {person} in a new file {path}: one line for each, the oldest"
        " first, that reads day, colon, space, transcript (2025-01-31: Call me back.), and nothing else.",
        "I want to keep what {person} told me in voice messages. Please make the file {path} with a line per message I"
        " received (none that I sent), from the first to the latest, in the form YYYY-MM-DD: transcript.",
        "Create {path} from the voice messages {person} has sent me, in order of time with the most recent one last."
        " Each line is the date, as in 2025-01-31, then a colon and a space, then the words as the phone app has them.",
    ),
    make=_make_said,
    solve=_solve_said,
    program=Program(functions=(write_voice_messages,), call="write_voice_messages(person={person!r}, path={path!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="another_path", swap={"path": "other_path"}),
        Mistake(name="latest_first", old="in reversed(found)", new="in found"),
        Mistake(name="sent_ones_too", old=', direction="received"', new=""),
        Mistake(name="first_page", old="reversed(found)", new="reversed(found[:5])"),
    ),
)


# Add today's line to the logs that lack it.

_LOGS = {
    "~/documents/logs": "boiler pump meter alarm lift gate",
    "~/documents/personal/journals": "running sleep piano garden bread budget",
    "~/documents/work/shifts": "kitchen counter night-desk store-room bakery delivery",
    "~/documents/hives": "linden orchard meadow brook south-wall old-oak",
    "~/documents/personal/plants": "lemon fig orchid ivy basil rubber-tree",
}
_ENTRIES = ("as usual", "all quiet", "half an hour", "skipped", "checked twice", "a bit late", "nothing new", "done")


def _make_logs(draw: Draw) -> Values | None:
    rng, me, today = draw.rng, draw.me, draw.state.now.date()
    folder, other = rng.sample(list(_LOGS), 2)
    text, wrong = rng.sample(("nothing to report", "no entry, was away", "day off", "not checked", "all in order"), 2)
    make_directory(draw.state, me.id, at_home(me, f"{folder}/closed"))
    make_directory(draw.state, me.id, at_home(me, other))

    def log(path: str, *ends: str) -> None:
        days = sorted(rng.sample(range(1, 40), rng.randint(3, 6)), reverse=True)
        lines = [f"{today - timedelta(days=day)}: {rng.choice(_ENTRIES)}" for day in days]
        filed(draw, f"{path}.txt", "\n".join([*lines, *ends]))

    names = rng.sample(_LOGS[folder].split(), 6)
    yesterday, tomorrow = today - timedelta(days=1), today + timedelta(days=1)
    log(f"{folder}/{names[0]}")
    log(f"{folder}/{names[1]}", f"{yesterday}: next round on {today}: bring the ladder")  # a mention is no entry
    filed(draw, f"{folder}/{names[2]}.txt", f"{today - timedelta(days=365)}: first entry, and the only one")
    log(f"{folder}/{names[3]}", f"{today}: {rng.choice(_ENTRIES)}")
    log(f"{folder}/{names[4]}", f"{today}: {text}", f"{tomorrow}: planned")
    filed(draw, f"{folder}/{names[5]}.txt", "")
    log(f"{folder}/closed/{names[0]}")
    log(f"{other}/{_LOGS[other].split()[0]}")
    return {"folder": folder, "text": text, "other_folder": other, "other_text": wrong}


def _solve_logs(state: State, me: Person, values: Values) -> Json:
    today, folder = str(state.now.date()), at_home(me, values["folder"])
    for file in state[File].of(me.id):
        days = [line[:10] for line in file.content.split("\n")]
        if file.path.rpartition("/")[0] == folder and today not in days:
            write_file(state, me.id, file.path, f"{file.content}\n{today}: {values['text']}".strip())


def log_day_where_missing(folder: str, text: str) -> int:
    """Add the line `today: text` to the files right in a folder that have no line of today; return how many."""
    today = apis.phone.show_current_date_and_time()["date"]
    token = login(app="files")
    count = 0
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        lines = apis.files.show_file(access_token=token, file_path=path)["content"].splitlines()
        if not any(line.startswith(today) for line in lines):
            apis.files.append_to_file(access_token=token, file_path=path, text=f"{today}: {text}")
            count += 1
    return count


log_missing_day = Family(
    name="log_missing_day",
    split="train",
    difficulty=2,
    apps=("files", "phone"),
    slots={"folder": str, "text": str},
    wordings=(
        'Every file right in {folder} is a log: its lines start with a day as in "2025-01-31: all well". Add a line'
        ' with today\'s date and the text "{text}" at the end of each log that has no line for today yet.',
        'I forgot my logs in {folder}. Wherever no line begins with today\'s date, put down "{text}" for today in a'
        " last line of the form YYYY-MM-DD: text. Dates inside a line do not count, and leave the subfolders alone.",
        "Please see to it that each file directly in {folder} has an entry for today, that is, a line that starts with"
        ' the date like 2025-01-31. Those without one get the entry "{text}", written after the date, a colon and a'
        " space, on a new line at the bottom. Change nothing in the others.",
    ),
    make=_make_logs,
    solve=_solve_logs,
    program=Program(functions=(log_day_where_missing,), call="log_day_where_missing(folder={folder!r}, text={text!r})"),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_text", swap={"text": "other_text"}),
        Mistake(name="every_log", old="if not any(line.startswith(today) for line in lines)", new="if path"),
        Mistake(name="mentions_count", old="line.startswith(today)", new="today in line"),
        Mistake(name="last_line_only", old="for line in lines)", new="for line in lines[-1:])"),
        Mistake(name="below_it_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
    ),
)


# Bring the amounts in a file up to date with a note.

_PRICES = {
    "Market stall prices": "tea,green tea,jam,plum jam,honey,rolls,cake,apple juice,juice,eggs",
    "Repair rates": "tyre,flat tyre,chain,brakes,lights,full service,service,saddle,bell,pedals",
    "Room rates": "attic,attic with bath,garden room,room,suite,cot,breakfast,late breakfast,parking,dog",
    "Lesson fees": "guitar,bass guitar,piano,voice,group voice,theory,drums,trial lesson,lesson,flute",
    "Copy shop tariffs": "copy,color copy,scan,poster,large poster,binding,cards,postcards,labels,stickers",
}


def _make_prices(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_PRICES))
    things = rng.sample(_PRICES[title].split(","), 10)
    folder, other = rng.sample(("~/documents/work", "~/documents/personal", "~/documents", "~/downloads"), 2)
    name, twin = f"{title.lower().replace(' ', '-')}.txt", older_twin(title)

    def lines(names: list[str]) -> list[str]:
        return [f"{each}: {rng.randint(120, 9900) / 100:.2f}" for each in names]

    old = lines(things[:7])
    filed(draw, f"{folder}/{name}", "\n".join(["Current list", *old[:3], "Only on request", *old[3:]]))
    filed(draw, f"{other}/{name}", "\n".join(["Not in use any more", *lines(things[:6])]), days=300)
    new = lines(rng.sample([*things[1:5], *things[7:9]], 6))
    jotted(draw, title, "\n".join(["Agreed on with everybody", *new, old[5]]), days=3)  # the last one is as before
    jotted(draw, twin, "\n".join(lines(rng.sample(things, 5))), days=380)
    paths = {"path": f"{folder}/{name}", "other_path": f"{other}/{name}"}
    return {"title": title, "other_title": twin, **paths}


def _solve_prices(state: State, me: Person, values: Values) -> Json:
    file = file_at(state, me.id, at_home(me, values["path"]))
    assert file is not None
    lines = file.content.split("\n")
    for new in note_titled(state, me.id, values["title"]).content.split("\n"):
        thing, colon, _ = new.partition(":")
        places = [n for n, line in enumerate(lines) if colon and line.startswith(thing + colon)]
        if places:
            lines[places[0]] = new
        elif colon:
            lines.append(new)
    write_file(state, me.id, file.path, "\n".join(lines))


def take_over_amounts(title: str, path: str) -> int:
    """Give a file's lines `thing: amount` a note's amounts, new things at its end; return how many lines it has."""
    noted = read_note(title=title)["content"].splitlines()
    amounts = dict(line.split(": ") for line in noted if ": " in line)
    token = login(app="files")
    merged = []
    for line in apis.files.show_file(access_token=token, file_path=path)["content"].splitlines():
        thing = line.split(": ")[0]
        merged.append(f"{thing}: {amounts.pop(thing)}" if thing in amounts else line)
    merged += [f"{thing}: {amount}" for thing, amount in amounts.items()]
    apis.files.update_file(access_token=token, file_path=path, content="\n".join(merged))
    return len(merged)


refresh_price_file = Family(
    name="refresh_price_file",
    split="train",
    difficulty=3,
    apps=("notes", "files"),
    slots={"title": str, "path": str},
    wordings=(
        'Bring the file {path} up to date with my note "{title}". Both have lines such as bread: 2.50. If the note has'
        " a thing that the file has, too, its line gets the amount of the note. Lines for things that the file lacks"
        " go to its end, in the order of the note. All other lines stay what and where they are.",
        'My note "{title}" has the new prices, the file {path} the old ones, each on a line like bread: 2.50. Please'
        " correct the amounts in the file in place, leave the lines the note says nothing about alone, and append the"
        " lines for things that only the note has, as the note orders them.",
        'The amounts in {path} are outdated: for whatever is listed in my note "{title}" as well, take the amount from'
        " there. Things in the note for which the file has no line are added below its last line in the same order and"
        " form (bread: 2.50). Lines without an amount are not to be carried over, and the file loses none of its own.",
    ),
    make=_make_prices,
    solve=_solve_prices,
    program=Program(functions=(take_over_amounts,), call="take_over_amounts(title={title!r}, path={path!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="first_match", old=' if note["title"] == title', new=""),
        Mistake(name="nothing_added", old="merged += [", new="rest = ["),
        Mistake(name="added_on_top", old="merged += [", new="merged[:0] = ["),
        Mistake(name="none_replaced", old='f"{thing}: {amounts.pop(thing)}" if thing in amounts else line', new="line"),
    ),
)


# Which files are not what their backups hold?

_TOPICS = "survey menu ledger poem roster itinerary glossary inventory speech syllabus".split()


def _make_unlike(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    folder = rng.choice(("~/documents/work", "~/documents/personal", "~/photos", "~/receipts"))
    inner = rng.choice(("series", "more", "part-two", "extra"))
    backup, other = (f"~/backups/{folder.rpartition('/')[2]}-{day}" for day in rng.sample(("mon", "wed", "fri"), 2))
    for place in (f"{folder}/{inner}", f"{backup}/{inner}", f"{other}/{inner}"):
        make_directory(draw.state, me.id, at_home(me, place))
    names = [f"{topic}-{rng.randint(100, 999)}.txt" for topic in rng.sample(_TOPICS, 10)]
    paths = [name if n % 2 else f"{inner}/{name}" for n, name in enumerate(names)]
    for name, path in zip(names, paths, strict=True):
        filed(draw, f"{folder}/{path}", f"{name}, version 4", days=rng.randint(1, 90))
        filed(draw, f"{other}/{path}", f"{name}, version 2", days=250)
    for n, version in enumerate((4, 4, 3, 3, 4.1, rng.choice((4, 4.1)))):  # the same, as long, longer
        filed(draw, f"{backup}/{paths[n]}", f"{names[n]}, version {version}", days=100)
    filed(draw, f"{backup}/{names[6]}", "of the same name, but it lay elsewhere", days=100)
    filed(draw, f"{backup}/{inner}/readme.txt", "only in the backup", days=100)
    return {"folder": folder, "backup": backup, "other_backup": other}


def _solve_unlike(state: State, me: Person, values: Values) -> Json:
    top, copies = at_home(me, values["folder"]) + "/", at_home(me, values["backup"]) + "/"
    texts = {file.path: file.content for file in state[File].of(me.id)}
    pairs = [(path, copies + path[len(top) :]) for path in texts if path.startswith(top)]
    return [path.split("/")[-1] for path, copy in pairs if texts.get(copy, texts[path]) != texts[path]]


def files_unlike_backup(folder: str, backup: str) -> list:
    """Return the names of the files below a folder whose copies at the same place in a backup hold something else."""
    token = login(app="files")
    listing = apis.files.show_directory(access_token=token, directory_path=folder, recursive=True)
    changed = []
    for path in listing["files"]:
        copy = backup + path.removeprefix(listing["directory_path"])
        if apis.files.file_exists(access_token=token, file_path=copy)["exists"]:
            new = apis.files.show_file(access_token=token, file_path=path)
            old = apis.files.show_file(access_token=token, file_path=copy)
            if new["content"] != old["content"]:
                changed.append(path.rpartition("/")[2])
    return changed


compare_with_backup = Family(
    name="compare_with_backup",
    split="train",
    difficulty=3,
    apps=("files",),
    slots={"folder": str, "backup": str},
    wordings=(
        "Which files in {folder} and its subfolders differ from their copies in {backup}? A copy has the same name and"
        " lies in the same subfolder there; files without one do not matter. Tell me the file names without folders.",
        "I would like to know what I changed since I made the backup {backup} of {folder}. Please compare the texts of"
        " the files, at every depth, that exist in both at the same place, and give me the names (no paths) of those"
        " that are no longer the same.",
        "{backup} is an old and incomplete copy of {folder} with all its folders. List the names, without the path, of"
        " the files whose content at the same place is not the same in both. Leave out what one of the two lacks.",
    ),
    make=_make_unlike,
    solve=_solve_unlike,
    program=Program(functions=(files_unlike_backup,), call="files_unlike_backup(folder={folder!r}, backup={backup!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_backup", swap={"backup": "other_backup"}),
        Mistake(name="by_size", old='new["content"] != old["content"]', new='new["size"] != old["size"]'),
        Mistake(name="by_time", old='new["content"] != old["content"]', new='new["updated_at"] > old["updated_at"]'),
        Mistake(name="top_only", old=", recursive=True)", new=")"),
        Mistake(name="those_unchanged", old='new["content"] != old', new='new["content"] == old'),
    ),
)

FAMILIES = (transcribe_voice_messages, log_missing_day, refresh_price_file, compare_with_backup)
