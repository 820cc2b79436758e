"""Train families of the notes app about whole notes: archived, pinned, copied, deleted; with the phone and files."""

from __future__ import annotations

from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.files import make_directory, write_file
from prowess_desk.apps.notes import Note, note_titled, rewrite, write_note
from prowess_desk.apps.phone import Contact
from prowess_desk.data.notes import TAGS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, jotted, older_twin
from prowess_desk.families.scene import widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login

_SCRAPS = (
    ("Bakery on the corner", "Opens at six, the rye is gone by eight."),
    ("Chess evening", "Board three, white, nine o'clock."),
    ("Curtain lengths", "left: 210\nright: 208"),
    ("Dentist advice", "Softer brush, and not so hard."),
    ("Ferry times", "06:40\n09:15\n17:50"),
    ("Knots to learn", "bowline\nclove hitch\nsheet bend"),
    ("Language course", "Room 12, bring the blue book."),
    ("Meter reading", "water: 4471\ngas: 20318"),
    ("Plant hospital", "The fig wants less water."),
    ("Radio interview", "Ask about the lighthouse first."),
    ("Sewing pattern", "Size 42, cut twice on the fold."),
    ("Voucher codes", "spring: MOSS-20\nautumn: FERN-15"),
)
"""Notes that nobody has at first."""

# Archive what has not been changed for long.


def _make_stale(draw: Draw) -> Values | None:
    rng, table = draw.rng, draw.state[Note]
    days, (tag, other) = rng.randint(40, 180), rng.sample(TAGS, 2)
    last = (draw.state.now - timedelta(days=days)).replace(hour=0)
    if any(note.updated_at.date() == last.date() for note in table.of(draw.me.id)):
        return None
    scraps = iter(rng.sample(_SCRAPS, 12))
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


def _solve_stale(state: State, me: Person, values: Values) -> Json:
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
    make=_make_stale,
    solve=_solve_stale,
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


# Have these notes pinned and no others.


def _make_pins(draw: Draw) -> Values | None:
    rng, table = draw.rng, draw.state[Note]
    mine = rng.sample(table.of(draw.me.id), 6)
    settings = ((True, False), (False, False), (False, True), (True, True), (True, False), (True, True))
    for note, (pinned, archived) in zip(mine, settings, strict=True):  # the last two are not among those asked for
        table.change(note.id, pinned=pinned, archived=archived)
    twin = jotted(draw, older_twin(mine[1].title), mine[1].content, days=400)
    table.change(twin.id, pinned=True)
    for title, text in rng.sample(_SCRAPS, 5):  # the first page
        jotted(draw, title, text, days=1)
    titles = [note.title for note in rng.sample(mine[:4], 4)]
    return {"titles": titles, "other_titles": [mine[4].title, *titles[1:]]}


def _solve_pins(state: State, me: Person, values: Values) -> Json:
    for note in state[Note].of(me.id):
        wanted = note.title in values["titles"]
        rewrite(state, note.id, pinned=wanted, archived=note.archived and not wanted)


def pin_only_notes(titles: list) -> int:
    """Pin the notes of these titles, out of the archive, and unpin all others; return how many others there were."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token)
    notes += all_pages(apis.notes.list_notes, access_token=token, archived=True)
    wanted = [note for note in notes if note["title"] in titles]
    for note in wanted:
        if note["archived"]:
            apis.notes.unarchive_note(access_token=token, note_id=note["note_id"])
        if not note["pinned"]:
            apis.notes.pin_note(access_token=token, note_id=note["note_id"])
    others = [note for note in notes if note["pinned"] and note["title"] not in titles]
    for note in others:
        apis.notes.unpin_note(access_token=token, note_id=note["note_id"])
    return len(others)


pin_only_these = Family(
    name="pin_only_these",
    split="train",
    difficulty=2,
    apps=("notes",),
    slots={"titles": list},
    wordings=(
        "Of all my notes, archived ones included, exactly these should be pinned: {titles}. Unpin the rest, and take"
        " any of the ones I named that is in the archive out of it.",
        "I need these notes at hand: {titles}. Make sure that each of them is pinned and not archived, and that no"
        " other note, in the archive or not, is pinned any more.",
        "Sort out the pins in my notes app. {titles} get one, unless they have it, and come back from the archive if"
        " they are there; all other notes lose theirs, even archived ones, and otherwise stay where they are.",
    ),
    make=_make_pins,
    solve=_solve_pins,
    program=Program(functions=(pin_only_notes,), call="pin_only_notes(titles={titles!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"titles": "other_titles"}),
        Mistake(name="archive_not_seen", old=", archived=True)", new=")[:0]"),
        Mistake(name="left_in_the_archive", old='if note["archived"]:', new="if False:"),
        Mistake(name="old_pins_kept", old="for note in others:", new="for note in ():"),
        Mistake(
            name="first_page",
            old="notes = all_pages(apis.notes.list_notes, ",
            new="notes = apis.notes.list_notes(",
        ),
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


def _make_copies(draw: Draw) -> Values | None:
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


def _solve_copies(state: State, me: Person, values: Values) -> Json:
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
    make=_make_copies,
    solve=_solve_copies,
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


# Turn archived notes into files.

_SHELVES = ("~/documents/old-notes", "~/backups/notebook", "~/documents/personal/shelf", "~/documents/paper-trail")


def _make_filed(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    folder, another = rng.sample(_SHELVES, 2)
    scraps = iter(rng.sample(_SCRAPS, 10))
    for n in range(6):
        jotted(draw, *next(scraps), tags=[tag, other][: 1 + n % 2], archived=True, days=rng.randint(30, 400))
    jotted(draw, *next(scraps), tags=[tag], days=70)  # still in use
    jotted(draw, *next(scraps), tags=[other], archived=True, days=90)
    title, text = next(scraps)
    jotted(draw, title, f"{text}\n#{tag}", archived=True, days=200)  # not a tag
    return {"tag": tag, "folder": folder, "other_tag": other, "other_folder": another}


def _solve_filed(state: State, me: Person, values: Values) -> Json:
    folder = at_home(me, values["folder"])
    make_directory(state, me.id, folder)
    for note in state[Note].of(me.id):
        if note.archived and values["tag"] in note.tags:
            write_file(state, me.id, f"{folder}/{note.title}.txt", note.content)
            state[Note].remove(note.id)


def move_archived_notes_to_files(tag: str, folder: str) -> int:
    """Write the archived notes with a tag into files `<title>.txt` of a new folder, delete them, return how many."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag, archived=True)
    files_token = login(app="files")
    apis.files.create_directory(access_token=files_token, directory_path=folder)
    for note in notes:
        content = apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"]
        path = f"{folder}/{note['title']}.txt"
        apis.files.create_file(access_token=files_token, file_path=path, content=content)
        apis.notes.delete_note(access_token=token, note_id=note["note_id"])
    return len(notes)


archived_notes_to_files = Family(
    name="archived_notes_to_files",
    split="train",
    difficulty=3,
    apps=("notes", "files"),
    slots={"tag": str, "folder": str},
    wordings=(
        'Move my archived notes with the tag "{tag}" into files: create the folder {folder}, write the text of each'
        " note there into a file named like its title with .txt at the end, and delete the notes.",
        'I no longer want the "{tag}" notes (by tag) of my archive in the notes app. For each, save its content,'
        " nothing else, as <title>.txt in a new directory {folder}, then delete the note for good. Notes outside the"
        " archive stay.",
        'Make a directory {folder}. What is tagged "{tag}" and archived among my notes goes there, a text file per'
        " note: the title plus .txt is its name, the body is what it holds. Those notes can then be deleted, and only"
        " those.",
    ),
    make=_make_filed,
    solve=_solve_filed,
    program=Program(
        functions=(move_archived_notes_to_files,),
        call="move_archived_notes_to_files(tag={tag!r}, folder={folder!r})",
    ),
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="those_in_use", old="tag=tag, archived=True", new="tag=tag"),
        Mistake(name="all_of_the_archive", old="tag=tag, archived=True", new="archived=True"),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="notes_kept", old="apis.notes.delete_note(", new="apis.notes.show_note("),
    ),
)

FAMILIES = (archive_stale_notes, pin_only_these, copy_note_per_contact, archived_notes_to_files)
