"""Train families of the notes app with contacts and the calendar of the phone."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import notes
from prowess_desk.apps.notes import Note, note_titled, rewrite, write_note
from prowess_desk.apps.phone import Contact, add_contact, change_contact
from prowess_desk.data.notes import TAGS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import FIRST, LAST, Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, SCRAPS, jotted, older_twin
from prowess_desk.families.scene import widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login, read_note

# Write the phone numbers of a circle into a note.

_DIRECTORIES = (
    "Call list",
    "Phone tree",
    "Numbers for the fridge",
    "Who to call",
    "Paper address book",
    "Backup numbers",
)


def _make_phone_numbers_note(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, other = rng.sample(("coworker", "friend", "roommate"), 2)
    mine = state[Contact].of(me.id)
    if not me.related(relation) or not me.related(other):
        return None
    free = [first for first in FIRST if first not in {person.first for person in draw.people}]
    for first in rng.sample(free, 6):  # so many that one page does not hold them, and not in order of name
        name, number = f"{first} {rng.choice(LAST)}", f"555{rng.randrange(10**7):07d}"
        add_contact(state, me.id, name, number, relationships=[relation], address="12 Quay Street, Harborton")
    both = rng.choice([contact for contact in mine if contact.relationships == (other,)])
    change_contact(state, both.id, relationships=[relation, other])  # counts as well
    return {"title": rng.choice(_DIRECTORIES), "relation": relation, "other_relation": other}


def _solve_phone_numbers_note(state: State, me: Person, values: Values) -> Json:
    book = {row.name: row.phone for row in state[Contact].of(me.id) if values["relation"] in row.relationships}
    write_note(state, me.id, values["title"], "\n".join(f"{name}: {book[name]}" for name in sorted(book)))


def note_phone_numbers(title: str, relationship: str) -> int:
    """Write a note with a line `name: number` for each contact of a relationship, by name, and return how many."""
    contacts = sorted(contacts_who_are(relationship=relationship), key=lambda contact: contact["name"])
    lines = [f"{contact['name']}: {contact['phone_number']}" for contact in contacts]
    token = login(app="notes")
    apis.notes.create_note(access_token=token, title=title, content="\n".join(lines))
    return len(lines)


phone_numbers_note = Family(
    name="phone_numbers_note",
    split="train",
    difficulty=2,
    apps=("phone", "notes"),
    slots={"title": str, "relation": str},
    wordings=(
        'Write a note "{title}" with the phone numbers of all my {relation}s, ordered by name: nothing but a line per'
        " person that reads full name, colon, space, number.",
        "I want to have the number of every {relation} among my phone contacts in one place. Make a new note titled"
        ' "{title}" in which each line is a full name, then a colon and a space, then the number; sort the lines by'
        " name and add nothing else.",
        'Create "{title}" in my notes app: look up who is a {relation} of mine in the phone app and list them'
        " alphabetically, one per line, like Jane Doe: 5550001111, with no other text.",
    ),
    make=_make_phone_numbers_note,
    solve=_solve_phone_numbers_note,
    program=Program(
        functions=(note_phone_numbers,), call="note_phone_numbers(title={title!r}, relationship={relation!r})"
    ),
    mistakes=(
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="as_listed", old=', key=lambda contact: contact["name"])', new=", key=lambda contact: 0)"),
        Mistake(name="on_one_line", old=r'"\n".join(lines)', new='", ".join(lines)'),
    ),
)


# Archive what has not been changed for long.


def _make_archive_stale_notes(draw: Draw) -> Values | None:
    rng, table = draw.rng, draw.state[Note]
    days, (tag, other) = rng.randint(40, 180), rng.sample(TAGS, 2)
    last = (draw.state.now - timedelta(days=days)).replace(hour=0)
    if any(note.updated_at.date() == last.date() for note in table.of(draw.me.id)):
        return None
    scraps = iter(rng.sample(SCRAPS, 12))
    for n in range(5):
        jotted(draw, *next(scraps), days=days + 2 + 30 * n)
    day_of = jotted(draw, *next(scraps), days=days)
    table.change(day_of.id, created_at=last, updated_at=last.replace(hour=16, minute=20))  # so many days, not more
    edited = jotted(draw, *next(scraps), days=days + 150)
    table.change(edited.id, updated_at=draw.state.now - timedelta(days=rng.randint(1, 20)))  # old, but changed
    pinned = jotted(draw, *next(scraps), days=days + 40)
    table.change(pinned.id, pinned=True)
    jotted(draw, *next(scraps), tags=[tag], days=days + 60)
    jotted(draw, *next(scraps), archived=True, days=days + 70)  # archived already
    jotted(draw, *next(scraps), tags=[tag], days=days / 2)
    jotted(draw, *next(scraps), days=days / 3)
    return {"days": days, "tag": tag, "other_days": days + 20, "other_tag": other}


def _solve_archive_stale_notes(state: State, me: Person, values: Values) -> Json:
    for note in state[Note].of(me.id):
        age = (state.now.date() - note.updated_at.date()).days
        if age > values["days"] and not (note.pinned or note.archived or values["tag"] in note.tags):
            rewrite(state, note.id, archived=True)


def archive_notes_unchanged_for(days: int, kept_tag: str) -> int:
    """Archive the notes that last changed more than some days ago, but none pinned or with a tag; return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    limit = (today - timedelta(days=days)).isoformat()
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, pinned=False)
    stale = [note for note in notes if note["updated_at"][:10] < limit and kept_tag not in note["tags"]]
    for note in stale:
        apis.notes.archive_note(access_token=token, note_id=note["note_id"])
    return len(stale)


archive_stale_notes = Family(
    name="archive_stale_notes",
    split="train",
    difficulty=2,
    apps=("notes", "phone"),
    slots={"days": int, "tag": str},
    wordings=(
        "Archive all my notes that were last changed more than {days} days ago, except pinned ones and those tagged"
        ' "{tag}".',
        'Notes I have not edited for more than {days} days belong into the archive, unless they have the tag "{tag}" or'
        " are pinned. Please see to that in the notes app.",
        'My notes app is full of old stuff. Leave alone what is pinned and what is tagged "{tag}"; of the rest, put'
        " everything into the archive whose last change lies more than {days} days back. When it was first written does"
        " not matter.",
    ),
    make=_make_archive_stale_notes,
    solve=_solve_archive_stale_notes,
    program=Program(
        functions=(archive_notes_unchanged_for,), call="archive_notes_unchanged_for(days={days!r}, kept_tag={tag!r})"
    ),
    mistakes=(
        Mistake(name="later", swap={"days": "other_days"}),
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="pinned_ones_too", old=", pinned=False", new=""),
        Mistake(name="when_written", old='note["updated_at"]', new='note["created_at"]'),
        Mistake(name="that_day_too", old="[:10] < limit", new="[:10] <= limit"),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
    ),
)


# Copy a note for everybody of a circle.

_FORMS = {
    "Interview questions": "Where do you see the team in a year?\nWhat should we stop doing?\nAnything else?",
    "Feedback form": "went well:\ncould be better:\nnext time:",
    "Visit planner": "arrival:\nbed or sofa:\nfood to avoid:\ndeparture:",
    "Secret present": "likes:\nowns already:\nbudget: 25.00",
    "Race card": "start number:\ntarget time:\npick-up point:",
    "House key receipt": "key number:\nhanded over on:\nreturned on:",
}


def _make_copy_note_per_contact(draw: Draw) -> Values | None:
    rng = draw.rng
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not draw.me.related(other) or not widened(draw, relation, other, 8):
        return None
    title = rng.choice(list(_FORMS))
    jotted(draw, title, _FORMS[title], tags=rng.sample(TAGS, 2), days=rng.randint(10, 60))
    twin = older_twin(title)
    jotted(draw, twin, _FORMS[title].split("\n")[0], tags=["old"], days=410)
    circle = [contact for contact in draw.state[Contact].of(draw.me.id) if relation in contact.relationships]
    for n, contact in enumerate(rng.sample(circle, 2)):  # these have theirs, filled in, one of them archived
        jotted(draw, f"{title} for {contact.name}", f"{_FORMS[title]}\nFilled in.", archived=n == 1, days=5)
    return {"title": title, "relation": relation, "other_title": twin, "other_relation": other}


def _solve_copy_note_per_contact(state: State, me: Person, values: Values) -> Json:
    form = note_titled(state, me.id, values["title"])
    taken = {note.title for note in state[Note].of(me.id)}
    for contact in state[Contact].of(me.id):
        title = f"{form.title} for {contact.name}"
        if values["relation"] in contact.relationships and title not in taken:
            write_note(state, me.id, title, form.content, form.tags)


def copy_note_for_each(title: str, relationship: str) -> int:
    """Copy a note for each contact of a relationship as `<title> for <name>`, unless there is one; return how many."""
    contacts = contacts_who_are(relationship=relationship)
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_ids = {note["title"]: note["note_id"] for note in found}
    copies = [f"{title} for {contact['name']}" for contact in contacts]
    missing = [copy for copy in copies if copy not in note_ids]
    for copy in missing:
        apis.notes.duplicate_note(access_token=token, note_id=note_ids[title], title=copy)
    return len(missing)


copy_note_per_contact = Family(
    name="copy_note_per_contact",
    split="train",
    difficulty=3,
    apps=("phone", "notes"),
    slots={"title": str, "relation": str},
    wordings=(
        'Make a copy of my note "{title}", text and tags, for each {relation} in my phone contacts. A copy is titled'
        ' like the note, then the word "for" and the full name, as in "{title} for Jane Doe". Where a note of that'
        " title exists, archived or not, make none.",
        'I want to fill in the note "{title}" for everybody my phone lists as {relation}. So duplicate it, with its'
        ' tags, once per person, under titles of the form "{title} for Jane Doe" (full names, please). Some people have'
        " theirs already, perhaps in the archive: skip them.",
        'Every contact of mine who is a {relation} should have a note called "{title} for Jane Doe", with their own'
        " full name in it of course. Create those that I do not have yet, in the archive or outside it, as duplicates"
        ' of "{title}" with the same content and tags.',
    ),
    make=_make_copy_note_per_contact,
    solve=_solve_copy_note_per_contact,
    program=Program(
        functions=(copy_note_for_each,), call="copy_note_for_each(title={title!r}, relationship={relation!r})"
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="first_match", old="note_ids[title]", new='found[0]["note_id"]'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="first_names", old="contact['name']}", new="contact['name'].split()[0]}"),
        Mistake(
            name="tags_forgotten",
            old="apis.notes.duplicate_note(access_token=token, note_id=note_ids[title], title=copy)",
            new="""text = apis.notes.show_note(access_token=token, note_id=note_ids[title])["content"]
        apis.notes.create_note(access_token=token, title=copy, content=text)""",
        ),
    ),
)


# What of a note runs out soon.

_STOCK = {
    "Pantry dates": "oats|lentils|rice flour|peanut butter|crackers|honey|tomato sauce|olives|soy milk|couscous",
    "Medicine cabinet": "aspirin|eye drops|plasters|cough syrup|sun lotion|throat sweets|iodine|ear drops|zinc|cream",
    "Vouchers": "spa day|book shop|climbing hall|cinema|pizza place|shoe repair|florist|zoo|sauna|bakery",
    "Passes": "tram pass|parking card|gym card|fishing permit|museum pass|ski pass|visa|pool card|bus card|phone card",
}


def _make_running_out_soon(draw: Draw) -> Values | None:
    rng, today, title = draw.rng, draw.state.now.date(), draw.rng.choice(list(_STOCK))
    days = rng.randint(5, 40)
    ahead = [0, days, rng.randint(1, days - 1), -1, days + 1, -364, 364 + days, rng.randint(-90, -5), days + 30]
    things = rng.sample(_STOCK[title].split("|"), 10)
    for name, late in ((title, 0), (older_twin(title), 3)):
        when = [today + timedelta(days=n + late) for n in ahead]
        lines = [f"{thing}: {day.day} {day:%B %Y}" for thing, day in zip(things[1:], when, strict=True)]
        jotted(draw, name, "\n".join(("What ends when", *rng.sample(lines, 9), things[0])), days=40 + 100 * late)
    return {"title": title, "days": days, "other_title": older_twin(title), "other_days": days - 1}


def _solve_running_out_soon(state: State, me: Person, values: Values) -> Json:
    wanted = [state.now.date() + timedelta(days=n) for n in range(values["days"] + 1)]
    endings = tuple(f": {day.day} {day:%B %Y}" for day in wanted)
    lines = note_titled(state, me.id, values["title"]).content.split("\n")
    return [line.split(":")[0] for line in lines if line.endswith(endings)]


def running_out_within(note_title: str, days: int) -> list:
    """List the things of a note (`thing: 31 January 2025`) whose day is today or at most so many days ahead."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    token = login(app="notes")
    notes = all_pages(apis.notes.search_notes, access_token=token, query=note_title)
    note_id = next(note["note_id"] for note in notes if note["title"] == note_title)
    found = []
    for line in apis.notes.show_note(access_token=token, note_id=note_id)["content"].splitlines():
        thing, _, day = line.partition(": ")
        if day and 0 <= (datetime.strptime(day, "%d %B %Y").date() - today).days <= days:
            found.append(thing)
    return found


running_out_soon = Family(
    name="running_out_soon",
    split="train",
    difficulty=1,
    apps=("notes", "phone"),
    slots={"title": str, "days": int},
    wordings=(
        'Which things in my note "{title}" run out in the next {days} days? Today and the day {days} days from now both'
        " count; what ran out before today does not.",
        'My note "{title}" says up to which day each thing is good. List those whose day is not over yet but comes'
        " within {days} days from today, the last of these days included.",
        'What must I see to? In "{title}", one of my notes, most things have a date. Give me the ones dated from today'
        " until {days} days from today, both included.",
        'I want to use things in time. Name everything in the note "{title}" that has {days} days or less left, with'
        " what ends today, but without what has ended already.",
        'Look at the dates in my note "{title}" and tell me what falls between today and {days} days from today (both'
        " belong to it): just the things, separated by commas.",
    ),
    make=_make_running_out_soon,
    solve=_solve_running_out_soon,
    program=Program(functions=(running_out_within,), call="running_out_within(note_title={title!r}, days={days!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="a_day_less", swap={"days": "other_days"}),
        Mistake(name="ended_ones_too", old="0 <= (date", new="(date"),
        Mistake(name="not_today", old="0 <= (date", new="0 < (date"),
        Mistake(name="any_year", old=".date() - today", new=".date().replace(year=today.year) - today"),
    ),
    asks=True,
)


# Put an entry into today's section of a plan, by its time.

_DAYS = ("Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun")


_PLANS = ("Week plan", "Rota", "Days at the cabin", "Visit schedule", "Camp program", "Studio week")


def _make_slot_into_today(draw: Draw) -> Values | None:
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


def _solve_slot_into_today(state: State, me: Person, values: Values) -> Json:
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
    make=_make_slot_into_today,
    solve=_solve_slot_into_today,
    program=Program(functions=(add_entry_to_today,), call="add_entry_to_today(title={title!r}, entry={entry!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_entry", swap={"entry": "other_entry"}),
        Mistake(name="sorted_as_text", old=".zfill(5)", new=""),
        Mistake(name="put_at_the_end", old="] = sorted(day,", new="] += sorted(day[-1:],"),
        Mistake(name="untimed_first", old='else "untimed"', new='else ""'),
    ),
)

FAMILIES = (
    phone_numbers_note,
    archive_stale_notes,
    copy_note_per_contact,
    running_out_soon,
    slot_into_today,
)
