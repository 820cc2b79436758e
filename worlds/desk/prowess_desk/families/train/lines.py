"""Train families in which notes and files are read or rewritten line by line."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes, wallet
from prowess_desk.apps.music import Artist, Song
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import scene
from prowess_desk.families.papers import CHORES, at_home, filed, jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# How long did the shifts for a client last in a month?

_CLIENTS = ("Harbor Museum", "Elm School", "Rowan Bakery", "City Choir", "Orchard Inn", "Lake Clinic", "Tram Works")
_SHEETS = ("~/documents/work/hours", "~/documents/timesheets", "~/documents/work/weeks", "~/documents/personal/jobs")


def _make_minutes(draw: Draw) -> Values | None:
    rng, me, last = draw.rng, draw.me, draw.state.now.replace(day=1) - timedelta(days=1)
    (client, third), (folder, other) = rng.sample(_CLIENTS, 2), rng.sample(_SHEETS, 2)

    def shift(back: int, who: str, start: int = 0) -> str:
        start, length = start or rng.randrange(420, 1020, 15), rng.randrange(200, 330, 5)
        times = [f"{at // 60 % 24:02d}:{at % 60:02d}" for at in (start, start + length)]
        return f"{last - timedelta(days=back):%Y-%m-%d} | {'-'.join(times)} | {who}"

    for place in (folder, f"{folder}/drafts", other):
        files.make_directory(draw.state, me.id, at_home(me, place))
        for n in range(0, 28, 7):
            lines = [shift(n + 1, client), shift(n + 2, f"{client} Annex"), shift(n + 3, third)]
            lines += [shift(n + 4, client, 1320), f"{shift(n + 5, client)} | cancelled", shift(n + 31, client)]
            filed(draw, f"{place}/week-{4 - n // 7}.txt", "\n".join(["Hand in on Friday", *rng.sample(lines, 6)]))
    return {"client": client, "folder": folder, "month": f"{last:%Y-%m}", "other_client": third, "other_folder": other}


def _solve_minutes(state: State, me: Person, values: Values) -> Json:
    top, total = at_home(me, values["folder"]), timedelta()
    for text in (file.content for file in state[files.File].of(me.id) if file.path.rpartition("/")[0] == top):
        for day, first, last in re.findall(rf"^(\S+) \| (\S+)-(\S+) \| {values['client']}$", text, re.MULTILINE):
            start, end = (datetime.fromisoformat(f"{day}T{time}") for time in (first, last))
            total += timedelta() if day[:7] != values["month"] else end - start + timedelta(days=end < start)
    return round(total.total_seconds() / 60)


def minutes_worked_for(client: str, folder: str, month: str) -> int:
    """Add up the minutes of a client's shifts in a month (YYYY-MM) over the timesheets right in a folder."""
    token = login(app="files")
    total = 0
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        for line in apis.files.show_file(access_token=token, file_path=path)["content"].splitlines():
            cells = line.split(" | ")
            if len(cells) != 3 or cells[2] != client or not cells[0].startswith(month):
                continue
            start, end = (int(time[:2]) * 60 + int(time[3:]) for time in cells[1].split("-"))
            total += (end - start) % (24 * 60)
    return total


minutes_for_client = Family(
    name="minutes_for_client",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"client": str, "folder": str, "month": str},
    wordings=(
        "How many minutes did I work for {client} in {month}, by the timesheets right in {folder}? A line reads day |"
        " from-to | client. Some shifts end after midnight; lines that go on with | cancelled do not count.",
        "I have to bill {client} for {month}. The files directly in {folder} have a line per shift, as in 2025-01-31 |"
        " 22:00-01:30 | {client} (210 minutes). Give me all the minutes, without shifts that are marked as cancelled.",
        "Add up my shifts of {month} at {client}, in minutes, from the files of {folder} without its subfolders. They"
        " look like day | start-end | client; an end before the start is on the next day, and no | cancelled counts.",
        "What is my working time, in minutes, for {client} in the month {month}? Look at each file lying in {folder}"
        " itself: day | start-end | client. Mind the shifts past midnight and leave out the cancelled ones.",
        "Timesheets: the files in {folder} (not below it). Client: {client}, none with a longer name. Month: {month}."
        " Total the minutes of the shifts, also of those into the next morning, but of none that says cancelled.",
    ),
    make=_make_minutes,
    solve=_solve_minutes,
    program=Program(
        functions=(minutes_worked_for,),
        call="minutes_worked_for(client={client!r}, folder={folder!r}, month={month!r})",
    ),
    asks=True,
    mistakes=(
        Mistake(name="another_client", swap={"client": "other_client"}),
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="similar_names_too", old="cells[2] != client", new="client not in cells[2]"),
        Mistake(name="cancelled_ones_too", old="len(cells) != 3", new="len(cells) < 3"),
        Mistake(name="midnight_forgotten", old="(end - start) % (24 * 60)", new="end - start"),
        Mistake(name="any_month", old=" or not cells[0].startswith(month)", new=""),
    ),
)


# Complete a list of song titles with what music knows of them.

_SETS = ("Songs for Sunday", "Choir ideas", "Dance list", "Heard on the radio", "For the mixtape", "Singalong")


def _make_songs(draw: Draw) -> Values | None:
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


def _solve_songs(state: State, me: Person, values: Values) -> Json:
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
    make=_make_songs,
    solve=_solve_songs,
    program=Program(functions=(fill_in_song_lines,), call="fill_in_song_lines(title={title!r}, mark={mark!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_mark", swap={"mark": "other_mark"}),
        Mistake(name="near_titles_too", old='each["title"] == name', new='each["title"]'),
        Mistake(name="seconds_in_one_digit", old="% 60:02d}", new="% 60}"),
        Mistake(name="completed_again", old=' or " by " in line', new=""),
    ),
)


# Ask for what a list says is open, and note it there.

_SALES = ("cake-sale", "theater-tickets", "seed-order", "jersey-order", "wine-order", "calendar-sale", "honey-order")
_WARES = ("two boxes", "open tickets", "one large", "four small", "open order from May", "the blue ones")


def _make_open(draw: Draw) -> Values | None:
    rng, people, name = draw.rng, scene.acquaintances(draw), draw.rng.choice(_SALES)
    least = rng.randint(2_000, 4_000)
    sums = ((0, least), (1, 900), (1, least - 850), (2, least + 1_234), (3, least - 1), (4, 600), (4, 700))
    for path, more in ((f"~/documents/{name}.txt", 0), (f"~/backups/{name}.txt", 70)):
        rows = [(n, cents + more, "open") for n, cents in sums]
        rows += [(n, rng.randint(900, 5_000), mark) for n in (0, 1, 3, 4) for mark in ("paid", "waived", "asked")]
        lines = [f"{people[n].name}; {rng.choice(_WARES)}; {cents / 100:.2f}; {mark}" for n, cents, mark in rows]
        filed(draw, path, "\n".join(["name; what; amount; status", *rng.sample(lines, len(lines))]))
    values = {"path": f"~/documents/{name}.txt", "least": least / 100, "note": f"For the {name.replace('-', ' ')}"}
    return {**values, "other_path": f"~/backups/{name}.txt", "other_least": round(least / 150, 2)}


def _solve_open(state: State, me: Person, values: Values) -> Json:
    file = files.file_at(state, me.id, at_home(me, values["path"]))
    assert file is not None
    text, asked = file.content, 0
    for name in sorted(set(re.findall(r"(?m)^(.+?); .+; open$", text))):
        cents = sum(int(part.replace(".", "")) for part in re.findall(rf"(?m)^{name}; .+; (\S+); open$", text))
        if cents >= round(values["least"] * 100):
            text, asked = re.sub(rf"(?m)^({name}; .+; )open$", r"\1asked", text), asked + cents
            wallet.request(state, me.id, scene.named(state, name).id, cents, values["note"])
    files.write_file(state, me.id, file.path, text)
    return asked / 100


def request_open_lines(path: str, least: float, note: str) -> float:
    """Request each person's open sum of a file (`name; what; amount; status`) if large enough; return the total."""
    token = login(app="files")
    content = apis.files.show_file(access_token=token, file_path=path)["content"]
    rows = [line.split("; ") for line in content.splitlines()]
    totals: defaultdict = defaultdict(float)
    for name, _, amount, status in rows:
        if status == "open":
            totals[name] = round(totals[name] + float(amount), 2)
    due = {name: total for name, total in totals.items() if total >= least}
    wallet_token = login(app="wallet")
    for name, total in due.items():
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.wallet.request_payment(access_token=wallet_token, payer_email=email, amount=total, note=note)
    for row in rows:
        if row[0] in due and row[3] == "open":
            row[3] = "asked"
    apis.files.update_file(access_token=token, file_path=path, content="\n".join("; ".join(row) for row in rows))
    return round(sum(due.values()), 2)


ask_for_open_lines = Family(
    name="ask_for_open_lines",
    split="train",
    difficulty=3,
    apps=("files", "wallet"),
    slots={"path": str, "least": float, "note": str},
    wordings=(
        "Lines of {path} read name; what; amount; status. From all people whose open amounts come to ${least} or more,"
        ' request that sum on wallet, note "{note}", and set the status of these lines to asked. How much is it all?',
        'Collect what is open in {path} (name; what; amount; status) on wallet, note "{note}": a request per person'
        " over all of their open lines, which become asked, unless they come to less than ${least}. Tell me the total.",
        "In {path} I keep who has to pay for what: name; what; amount; status. Whoever owes me ${least} or more by the"
        ' open lines gets one wallet request for that sum, saying "{note}", and those lines get asked in place of open.'
        " Nothing else changes. What do all the requests come to?",
        'Please ask for my money with the note "{note}": one wallet request to each person whose open lines in {path}'
        " (name; what; amount; status) reach ${least} together, over their sum. The file then calls these lines asked"
        " and no longer open. What is the sum of your requests?",
        "Whoever has at least ${least} open in {path}, a list of name; what; amount; status, is to be sent a request,"
        ' "{note}", on wallet for what their open lines add up to; these turn from open to asked. Give me the total.',
    ),
    make=_make_open,
    solve=_solve_open,
    program=Program(
        functions=(request_open_lines,), call="request_open_lines(path={path!r}, least={least!r}, note={note!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="the_backup", swap={"path": "other_path"}),
        Mistake(name="less_will_do", swap={"least": "other_least"}),
        Mistake(name="more_than_that", old="total >= least", new="total > least"),
        Mistake(name="last_line_only", old="round(totals[name] + float(amount), 2)", new="float(amount)"),
        Mistake(name="other_lines_marked", old='in due and row[3] == "open":', new="in due:"),
    ),
)


# Put an entry into today's section of a plan, by its time.

_DAYS = ("Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun")
_PLANS = ("Week plan", "Rota", "Days at the cabin", "Visit schedule", "Camp program", "Studio week")


def _make_entry(draw: Draw) -> Values | None:
    rng, title, hour = draw.rng, draw.rng.choice(_PLANS), draw.rng.randint(11, 16)
    times = ("9:30 ", "9:30 ", "8:15 ", f"{hour - 1}:50 ", f"{hour}:45 ", "17:20 ", "", "")
    for name, days in ((title, 3), (older_twin(title), 380)):
        lines = ["Times are local."]
        for day in rng.sample(_DAYS, 7):
            entries = zip(rng.sample(times, 8), rng.sample(CHORES, 8), strict=True)
            lines += [f"{day}day:", *map("".join, entries)]
        jotted(draw, name, "\n".join(lines), days=days)
    entry, other = (f"{at}:{rng.randint(10, 29)} {rng.choice(CHORES)}" for at in (hour, hour - 2))
    return {"title": title, "entry": entry, "other_title": older_twin(title), "other_entry": other}


def _solve_entry(state: State, me: Person, values: Values) -> Json:
    note = notes.note_titled(state, me.id, values["title"])
    before, heading, after = re.split(rf"(?m)^({state.now:%A}:)\n", note.content)
    today, rest = re.split(r"(?m)(?=^\w+:$)|\Z", after, maxsplit=1)
    lines = [*today.strip().split("\n"), values["entry"]]
    lines.sort(key=lambda line: int(re.sub(r"^(\d+):(\d\d) .*|.*", r"\g<1>\g<2>", line, count=1) or 2400))
    notes.rewrite(state, note.id, content=before + "\n".join([heading, *lines, rest]))


def add_entry_to_today(title: str, entry: str) -> int:
    """Put an entry under today's weekday in a note, sort the entries there by time and return how many they are."""
    today = apis.phone.show_current_date_and_time()["weekday"].capitalize()
    note = read_note(title=title)
    lines = note["content"].splitlines()
    start = lines.index(f"{today}:") + 1
    end = next((place for place in range(start, len(lines)) if lines[place].endswith(":")), len(lines))
    day = [*lines[start:end], entry]
    lines[start:end] = sorted(day, key=lambda line: line.split()[0].zfill(5) if line[0].isdigit() else "untimed")
    apis.notes.update_note(access_token=login(app="notes"), note_id=note["note_id"], content="\n".join(lines))
    return end + 1 - start


slot_into_today = Family(
    name="slot_into_today",
    split="train",
    difficulty=2,
    apps=("notes", "phone"),
    slots={"title": str, "entry": str},
    wordings=(
        'Add "{entry}" to today\'s entries in my note "{title}", which has a heading for each day of the week, and sort'
        " them by time. Equal times keep their order, and so do entries without a time, which come last.",
        'My note "{title}" has sections such as "Monday:". In the one for today, put in the line "{entry}" and sort the'
        " section by time of day, untimed lines at its end. What has the same time or none stays in its order.",
        'Something new for today: "{entry}". Write it into the section of this weekday in my note "{title}" and arrange'
        " only this section from early to late, lines with no time last, without a change where times do not differ.",
        'Sort what stands under today\'s weekday in the note "{title}" by the time at the start of the lines, together'
        ' with a new line, "{entry}". Those without a time go to the bottom of that day. Do not rearrange ties.',
        'Today\'s plan is below the name of the weekday in my note "{title}". It needs the entry "{entry}" and should'
        " run from morning to evening, ending with what has no time. Where times do not tell, the order remains.",
    ),
    make=_make_entry,
    solve=_solve_entry,
    program=Program(functions=(add_entry_to_today,), call="add_entry_to_today(title={title!r}, entry={entry!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_entry", swap={"entry": "other_entry"}),
        Mistake(name="sorted_as_text", old=".zfill(5)", new=""),
        Mistake(name="put_at_the_end", old="] = sorted(day,", new="] += sorted(day[-1:],"),
        Mistake(name="untimed_first", old='else "untimed"', new='else ""'),
    ),
)

FAMILIES = (minutes_for_client, complete_song_lines, ask_for_open_lines, slot_into_today)
