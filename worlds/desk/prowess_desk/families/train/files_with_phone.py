"""Train families of files with the phone: logs, letters, voice messages and birthdays."""

from __future__ import annotations

from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files
from prowess_desk.apps.files import File, file_at, make_directory, remove_directory, write_file
from prowess_desk.apps.phone import Contact, VoiceMessage, change_contact, delete_voice, send_voice
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed
from prowess_desk.families.scene import acquaintances, ago, contact_called, named, widened
from prowess_desk.families.toolbox import all_pages, apis, contact_named, contacts_who_are, login
from prowess_desk.families.train.files import files_below, folders_in, put_file

# Write what somebody said into a file, and delete it from the phone.

_VOICE_MESSAGES = """
Please bring the long ladder on Saturday.|The code for the gate has changed.|I found your scarf in the car.|
The vet says everything is fine.|We start an hour later than planned.|Grandma asks for the photos.|
The roof is tight again.|I need the recipe for the plum cake.|They have moved the rehearsal.|My new job starts in June.
""".replace("\n", "").split("|")


def _make_file_voice_messages(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, *_ = acquaintances(draw)

    def spoke(sender: Person, receiver: Person, text: str, days: float) -> str:
        row = send_voice(state, sender.id, receiver.id, text)
        when = state[VoiceMessage].change(row.id, sent_at=ago(draw, days)).sent_at
        return f"{when:%Y-%m-%d}: {text}"

    said = rng.sample(_VOICE_MESSAGES, 10)
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


def _solve_file_voice_messages(state: State, me: Person, values: Values) -> Json:
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
    make=_make_file_voice_messages,
    solve=_solve_file_voice_messages,
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


# Write down what somebody said in voice messages.

_SPOKEN_NOTES = """
The key is under the blue pot.|I will be ten minutes late, start without me.|The code for the gate is 4471.|
Remind me to give you the book back.|They moved the match to Sunday.|Your parcel is at our place.|
I found a good recipe for the plums.|The train leaves from platform six.|Do not forget the sun hat.|
Can you water the tomatoes on Thursday?|The landlord says yes.|We need two more chairs for the party.|
The dog is fine, he only ate a sock.|I left the tickets with the neighbor.""".replace("\n", "").split("|")


def _make_transcribe_voice_messages(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    person, other, *_ = acquaintances(draw)
    said = iter(rng.sample(_SPOKEN_NOTES, 13))

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


def _solve_transcribe_voice_messages(state: State, me: Person, values: Values) -> Json:
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
    make=_make_transcribe_voice_messages,
    solve=_solve_transcribe_voice_messages,
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


def _make_log_missing_day(draw: Draw) -> Values | None:
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


def _solve_log_missing_day(state: State, me: Person, values: Values) -> Json:
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
    make=_make_log_missing_day,
    solve=_solve_log_missing_day,
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


# Pack the folders in which nothing has changed for long.

_SHELVES = {
    "~/documents/clients": "marlow calder heronry quayside bluepine tollgate sundial oakworks",
    "~/documents/trips": "lisbon oslo tyrol corsica bergen ghent riga malta",
    "~/documents/personal/courses": "pottery spanish welding statistics sailing bookbinding chess drawing",
    "~/documents/work/tenders": "bridge tunnel school library harbor depot stadium clinic",
    "~/photos/albums": "wedding graduation regatta reunion harvest carnival picnic ski-week",
}


def _make_pack_idle_folders(draw: Draw) -> Values | None:
    rng = draw.rng
    shelf, other = rng.sample(list(_SHELVES), 2)
    days, wrong = rng.sample((30, 45, 60, 90, 120), 2)
    names = rng.sample(_SHELVES[shelf].split(), 8)

    def old(folder: str, count: int) -> None:
        for n in range(1, count + 1):
            put_file(draw, f"{folder}/part-{n}.txt", f"part {n} of {folder}", days=days + rng.randint(6, 300))

    for name, count in zip(names, (3, 3, 2, 6, 2, 2, 1, 2), strict=True):
        old(f"{shelf}/{name}", count)
    put_file(draw, f"{shelf}/{names[3]}/part-7.txt", "on a later page", days=rng.randint(3, days - 8))
    put_file(draw, f"{shelf}/{names[4]}/inbox/letter.txt", "further down", days=rng.randint(3, days - 8))
    ledger = put_file(draw, f"{shelf}/{names[5]}/ledger.txt", "old, but written to", days=days + 100)
    draw.state[File].change(ledger.id, updated_at=draw.state.now - timedelta(days=rng.randint(3, days - 8)))
    old(f"{shelf}/{names[6]}/attic", 2)
    put_file(draw, f"{shelf}/{names[7]}/index.txt", "older than one of the two", days=(days + wrong) / 2)
    put_file(draw, f"{shelf}/overview.txt", "a file, not a folder", days=days + 50)
    old(f"{other}/{_SHELVES[other].split()[0]}", 2)
    return {"folder": shelf, "days": days, "other_folder": other, "other_days": wrong}


def _solve_pack_idle_folders(state: State, me: Person, values: Values) -> Json:
    for folder in folders_in(state, me, values["folder"]):
        latest = max(file.updated_at for file in files_below(state, me, folder))
        if (state.now.date() - latest.date()).days > values["days"]:
            files.write_file(state, me.id, f"{folder}.zip", files.packed(state, me.id, folder))
            remove_directory(state, me.id, folder)


def zip_idle_folders(folder: str, days: int) -> int:
    """Replace each folder in a folder where no file changed in the last so many days by a .zip; return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    first = (today - timedelta(days=days)).isoformat()
    token = login(app="files")
    count = 0
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["directories"]:
        inside = all_pages(apis.files.search_files, access_token=token, directory_path=path)
        if all(file["updated_at"][:10] < first for file in inside):
            apis.files.compress_directory(
                access_token=token, directory_path=path, archive_path=f"{path}.zip", delete_directory=True
            )
            count += 1
    return count


pack_idle_folders = Family(
    name="pack_idle_folders",
    split="train",
    difficulty=3,
    apps=("files", "phone"),
    slots={"folder": str, "days": int},
    wordings=(
        "Pack every folder right in {folder} in which no file, at any depth, was changed in the last {days} days into a"
        " zip archive of its name next to it (plans becomes plans.zip), and delete the folder.",
        "{folder} is getting crowded. Take each of the folders directly in it where nothing has been modified for more"
        " than {days} days, counting everything further down as well: compress it to a .zip file that has the folder's"
        " name and lies in {folder}, too, then remove the folder itself. The others stay as they are.",
        "Some of the top folders in {folder} hold no file, however deep, whose last change falls within the past {days}"
        " days. Turn each of them into one archive in the same place: the folder abc goes, abc.zip is there instead.",
    ),
    make=_make_pack_idle_folders,
    solve=_solve_pack_idle_folders,
    program=Program(functions=(zip_idle_folders,), call="zip_idle_folders(folder={folder!r}, days={days!r})"),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_age", swap={"days": "other_days"}),
        Mistake(name="when_created", old='file["updated_at"]', new='file["created_at"]'),
        Mistake(name="one_old_file_is_enough", old="if all(", new="if any("),
        Mistake(name="first_page", old="all_pages(apis.files.search_files, ", new="apis.files.search_files("),
        Mistake(name="folders_kept", old="delete_directory=True", new="delete_directory=False"),
    ),
)


# List the birthdays to come.


def _make_birthdays_to_come(draw: Draw) -> Values | None:
    rng, state, today = draw.rng, draw.state, draw.state.now.date()
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not widened(draw, relation, other, least=8):
        return None
    rows = [row for row in state[Contact].of(draw.me.id) if relation in row.relationships]
    soon = today + timedelta(days=rng.randint(30, 200))
    days = (today, today - timedelta(days=1), today + timedelta(days=1), soon, soon)
    for row, day in zip(rng.sample(rows, 6), (*days, None), strict=True):
        change_contact(state, row.id, birthday=day and day.replace(year=rng.randint(1950, 2003)))
    name, ending = rng.choice(("birthdays", "cakes", "cards-to-write", "parties")), rng.choice(("txt", "md"))
    return {"relation": relation, "path": f"~/documents/{name}.{ending}", "other_relation": other}


def _solve_birthdays_to_come(state: State, me: Person, values: Values) -> Json:
    found = []
    rows = [row for row in state[Contact].of(me.id) if values["relation"] in row.relationships and row.birthday]
    for ahead in range(365):
        day = state.now.date() + timedelta(days=ahead)
        for row in sorted(rows, key=lambda row: row.name):
            if row.birthday and (row.birthday.month, row.birthday.day) == (day.month, day.day):
                found.append(f"{day}: {row.name} ({day.year - row.birthday.year})")
    write_file(state, me.id, at_home(me, values["path"]), "\n".join(found))


def write_birthdays(path: str, relationship: str) -> int:
    """Write a file with the next birthdays of the contacts who are this, with ages, by day; return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    lines = []
    for contact in contacts_who_are(relationship=relationship):
        if contact["birthday"]:
            born = date.fromisoformat(contact["birthday"])
            coming = born.replace(year=today.year)
            if coming < today:
                coming = born.replace(year=today.year + 1)
            lines.append(f"{coming}: {contact['name']} ({coming.year - born.year})")
    token = login(app="files")
    apis.files.create_file(access_token=token, file_path=path, content="\n".join(sorted(lines)))
    return len(lines)


birthdays_to_come = Family(
    name="birthdays_to_come",
    split="train",
    difficulty=2,
    apps=("phone", "files"),
    slots={"relation": str, "path": str},
    wordings=(
        "Write a new file {path} with the next birthday of each {relation} in my phone contacts whose birthday I have:"
        ' lines like "2025-01-31: Jane Doe (40)", with the age they reach that day. The soonest comes first, today'
        " counts, and on the same day they go by name.",
        "Who has a birthday when? For everybody my phone contacts list as {relation}, put a line into {path}, which is"
        " not there yet: date of the next birthday (it may be today), colon, space, full name, space, and in brackets"
        ' how old they will be, as in "2025-01-31: Jane Doe (40)". Sort by date, then by name. Contacts without a'
        " birthday are left out.",
        "I keep missing birthdays. Make me a list in the file {path}, from the next one on: every {relation} of mine in"
        ' the phone once, in the form "2025-01-31: Jane Doe (40)", that is the coming birthday, this year or next, the'
        " name and the age then. A birthday today is the first; equal days go by name; no birthday, no line.",
        "Take the birthdays of my contacts with the relationship {relation}, as far as they are known, and work out for"
        " each when it is next, today included, and which birthday it is. Save that as {path}, a line like"
        ' "2025-01-31: Jane Doe (40)" for each, in the order of the days and, on one day, of the full names.',
        "From today on, a year ahead: which {relation} of mine turns how old, and on what date? I want a file {path}"
        " that answers this for all in my phone contacts who have a birthday there, in lines such as"
        ' "2025-01-31: Jane Doe (40)", from the earliest date to the latest, then by name. Today counts, too.',
    ),
    make=_make_birthdays_to_come,
    solve=_solve_birthdays_to_come,
    program=Program(functions=(write_birthdays,), call="write_birthdays(path={path!r}, relationship={relation!r})"),
    mistakes=(
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="all_this_year", old="coming < today", new="coming < born"),
        Mistake(name="not_today", old="coming < today", new="coming <= today"),
        Mistake(name="age_of_this_year", old="({coming.year - born.year})", new="({today.year - born.year})"),
        Mistake(name="not_sorted", old="sorted(lines)", new="lines"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)


# Fill in a letter for somebody.

_LETTERS = {
    "invitation": "we are getting married in June, and you must be there|Please tell us what you eat",
    "thank-you": "thank you for the lovely present|It has its place on the shelf already",
    "change-of-address": "we have moved, and the door is open for you|There is a guest room",
    "reunion": "our class meets again after all these years|Bring old pictures if you have any",
    "garden-party": "the roses are out, and the grill is ready|Come hungry",
}


def _make_letter_for_person(draw: Draw) -> Values | None:
    rng = draw.rng
    person, other = acquaintances(draw)[:2]
    kind, target = rng.choice(list(_LETTERS)), f"~/documents/{person.first.lower()}-letter.txt"
    first, second = _LETTERS[kind].split("|")
    rest = rng.sample((f"{second}.", "Is [phone] still your number?", "I also wrote to [e-mail].", "[weather]"), 4)
    lines = ("[name]", "[address]", "", f"Dear [first name], {first}.", *rest, "Yours, dear [first name],", "[me]")
    filed(draw, f"documents/personal/{kind}.txt", "\n".join(lines), days=rng.randint(3, 40))
    filed(draw, f"documents/work/{kind}.txt", "\n".join((*lines[:4], "[e-mail]", "[me]")), days=400)
    values = {"path": f"~/documents/personal/{kind}.txt", "other_path": f"~/documents/work/{kind}.txt"}
    return {"person": person.name, "target": target, "other_person": other.name, **values}


def _solve_letter_for_person(state: State, me: Person, values: Values) -> Json:
    contact, letter = contact_called(state, me, values["person"]), file_at(state, me.id, at_home(me, values["path"]))
    assert letter is not None
    text = letter.content.replace("[first name]", contact.name.partition(" ")[0]).replace("[name]", contact.name)
    text = text.replace("[address]", contact.address).replace("[phone]", contact.phone)
    write_file(state, me.id, at_home(me, values["target"]), text.replace("[e-mail]", contact.email))


def fill_letter(template: str, name: str, target: str) -> str:
    """Fill the gaps of a letter with what the phone contacts say of a person, save it as a new file and return it."""
    contact = contact_named(name=name)
    details = {"name": contact["name"], "first name": contact["name"].split()[0], "address": contact["address"]}
    details |= {"phone": contact["phone_number"], "e-mail": contact["email"]}
    token = login(app="files")
    text = apis.files.show_file(access_token=token, file_path=template)["content"]
    for gap, detail in details.items():
        text = text.replace(f"[{gap}]", detail)
    apis.files.create_file(access_token=token, file_path=target, content=text)
    return text


letter_for_person = Family(
    name="letter_for_person",
    split="train",
    difficulty=1,
    apps=("phone", "files"),
    slots={"person": str, "path": str, "target": str},
    wordings=(
        "Fill in the letter {path} for {person} and save the result as {target}: put what my phone contacts say in"
        " place of [name], [first name], [address], [phone] and [e-mail], and change nothing else.",
        "Make {target} from the text in {path}, for {person}: where it says [name], [first name], [address], [phone]"
        " or [e-mail], what my contacts have for {person} must stand instead. Leave other brackets, and {path}, as is.",
        "{person} should get a letter. The text is in {path}, with gaps in square brackets. Replace [first name],"
        " [name], [phone], [e-mail] and [address], each time they occur, by what my phone has for {person}, and save"
        " the letter as {target}, a new file. I see to the other gaps myself.",
        "Create {target} for me, a copy of {path} in which every [name] (the full one), [first name], [address],"
        " [e-mail] and [phone] has become what is true of {person} according to my phone contacts.",
        "Look up {person} in my phone contacts and put what is there into the letter {path} at [address], [phone],"
        " [e-mail], [name] and, for the first name alone, [first name]. Save that as {target} and keep {path}.",
    ),
    make=_make_letter_for_person,
    solve=_solve_letter_for_person,
    program=Program(
        functions=(fill_letter,),
        call="fill_letter(template={path!r}, name={person!r}, target={target!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_older_letter", swap={"path": "other_path"}),
        Mistake(name="once_each", old='(f"[{gap}]", detail)', new='(f"[{gap}]", detail, 1)'),
        Mistake(name="full_name_always", old='contact["name"].split()[0]', new='contact["name"]'),
        Mistake(name="brackets_stay", old='(f"[{gap}]", detail)', new="(gap, detail)"),
    ),
)

FAMILIES = (
    file_voice_messages,
    transcribe_voice_messages,
    log_missing_day,
    pack_idle_folders,
    birthdays_to_come,
    letter_for_person,
)
