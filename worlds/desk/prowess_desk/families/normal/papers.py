"""Families of test_normal: notes and files."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, home, make_directory, move
from prowess_desk.apps.notes import Note, note_titled, rewrite, write_note
from prowess_desk.data.files import SENTENCES, VENDORS
from prowess_desk.data.notes import LISTS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted
from prowess_desk.families.toolbox import all_pages, apis, login

# Put away the pinned notes that were not touched for long.


def _make_archive_stale_pins(draw: Draw) -> Values | None:
    state, now = draw.state, draw.state.now
    notes = [note for note in state[Note].of(draw.me.id) if not note.archived]
    if len(notes) < 8:
        return None
    for note in state[Note].of(draw.me.id):
        state[Note].change(note.id, pinned=False)
    before = (now - timedelta(days=draw.rng.randint(40, 150))).date()
    edge = datetime(before.year, before.month, before.day, 9, 20)
    # Changed that very day, after it though written before, later still, and, at the end of the list, before it.
    ages = (0, -30, -12, -5, 3, 1, 25)
    pins = draw.rng.sample(notes, len(ages))
    for note, age in zip(pins, ages, strict=True):
        changed = edge - timedelta(days=age)
        state[Note].change(note.id, pinned=True, created_at=edge - timedelta(days=60), updated_at=changed)
    loose = next(note for note in notes if note not in pins)  # as old, but not pinned
    state[Note].change(loose.id, created_at=edge - timedelta(days=9), updated_at=edge - timedelta(days=9))
    return {"before": before.isoformat(), "other_before": (before + timedelta(days=1)).isoformat()}


def _solve_archive_stale_pins(state: State, me: Person, values: Values) -> Json:
    before = date.fromisoformat(values["before"])
    for note in state[Note].of(me.id):
        if note.pinned and note.updated_at.date() < before:
            rewrite(state, note.id, pinned=False, archived=True)


def archive_stale_pinned_notes(before: str) -> int:
    """Unpin and archive every pinned note last changed before a day (YYYY-MM-DD) and return how many there were."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, pinned=True)
    stale = [note for note in notes if note["updated_at"][:10] < before]
    for note in stale:
        apis.notes.unpin_note(access_token=token, note_id=note["note_id"])
        apis.notes.archive_note(access_token=token, note_id=note["note_id"])
    return len(stale)


archive_stale_pins = Family(
    name="archive_stale_pins",
    split="test_normal",
    difficulty=1,
    apps=("notes",),
    slots={"before": str},
    wordings=(
        "Unpin all my pinned notes that were last changed before {before} and put them into the archive.",
        "Notes that I pinned but have not edited since before {before} are no longer of use up there: take off the pin"
        " and archive each of them.",
        "For every note that is pinned and whose last update is older than {before} (that day itself does not count),"
        " do two things: remove the pin, and archive the note.",
    ),
    make=_make_archive_stale_pins,
    solve=_solve_archive_stale_pins,
    program=Program(functions=(archive_stale_pinned_notes,), call="archive_stale_pinned_notes(before={before!r})"),
    mistakes=(
        Mistake(name="that_day_too", swap={"before": "other_before"}),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="when_written", old='note["updated_at"]', new='note["created_at"]'),
        Mistake(name="pin_left", old='apis.notes.unpin_note(access_token=token, note_id=note["note_id"])', new="pass"),
    ),
)


# Make one list of two.


def _make_combine_lists(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    titles = {note.title for note in state[Note].of(me)}
    first = draw.rng.choice([title for title in sorted(LISTS) if title in titles])
    items = LISTS[first].split(",")
    mine = [line[2:] for line in note_titled(state, me, first).content.splitlines()]
    rest = [item for item in items if item not in mine]
    more = [*draw.rng.sample(mine, 2), *rest]
    draw.rng.shuffle(more)
    if not rest or mine + rest == sorted(mine + rest):
        return None
    second, third = draw.rng.sample([f"{first} ({word})" for word in ("phone", "desk", "fridge", "bag")], 2)
    jotted(draw, second, "\n".join(f"- {item}" for item in more), days=20)
    jotted(draw, third, "\n".join(f"- {item}" for item in draw.rng.sample(items, 3)), days=40)
    title = f"{first} ({draw.rng.choice(('all', 'complete', 'one list'))})"
    return {"first": first, "second": second, "title": title, "other_second": third}


def _solve_combine_lists(state: State, me: Person, values: Values) -> Json:
    items: set[str] = set()
    for title in (values["first"], values["second"]):
        note = note_titled(state, me.id, title)
        items |= set(note.content.split("\n"))
        state[Note].remove(note.id)
    write_note(state, me.id, values["title"], "\n".join(sorted(items)))


def combine_list_notes(first: str, second: str, title: str) -> int:
    """Write the items of two list notes into a new one, sorted and each once, delete the two; return their number."""
    token = login(app="notes")
    items = []
    for name in (first, second):
        notes = all_pages(apis.notes.search_notes, access_token=token, query=name)
        note_id = next(note["note_id"] for note in notes if note["title"] == name)
        content = apis.notes.show_note(access_token=token, note_id=note_id)["content"]
        items += [line.removeprefix("- ") for line in content.splitlines()]
        apis.notes.delete_note(access_token=token, note_id=note_id)
    items = sorted(set(items))
    apis.notes.create_note(access_token=token, title=title, content="\n".join(f"- {item}" for item in items))
    return len(items)


combine_lists = Family(
    name="combine_lists",
    split="test_normal",
    difficulty=2,
    apps=("notes",),
    slots={"first": str, "second": str, "title": str},
    wordings=(
        'Combine the lists in my notes "{first}" and "{second}" into a new note titled "{title}": every item once, in'
        ' alphabetical order, each on a line that begins with "- ". Then delete the two old notes.',
        'I keep two lists where one would do. Write a note "{title}" that has all the items of "{first}" and of'
        ' "{second}", sorted from A to Z without repeating any, in the same "- item" form, and delete both'
        " originals afterwards.",
        'Please make a note called "{title}" out of "{first}" and "{second}". It should be one alphabetical list, one'
        ' line of the form "- item" for each, and what stands in both notes only once. Delete the two that it'
        " replaces.",
    ),
    make=_make_combine_lists,
    solve=_solve_combine_lists,
    program=Program(
        functions=(combine_list_notes,),
        call="combine_list_notes(first={first!r}, second={second!r}, title={title!r})",
    ),
    mistakes=(
        Mistake(name="the_similar_note", swap={"second": "other_second"}),
        Mistake(name="items_twice", old="sorted(set(items))", new="sorted(items)"),
        Mistake(name="not_sorted", old="sorted(set(items))", new="list(dict.fromkeys(items))"),
        Mistake(name="not_deleted", old="apis.notes.delete_note(access_token=token, note_id=note_id)", new="pass"),
    ),
)


# Which is the largest file below a folder?

_NAMES = "draft|extract|figures|handout|index|journal|letters|outline|questions|sketch|summary|timetable".split("|")
_FOLDERS = ("documents", "photos", "downloads", "receipts", "backups", "documents/work", "documents/personal")


def _text(draw: Draw, sentences: int) -> str:
    return "\n".join(draw.rng.choice(SENTENCES) for _ in range(sentences))


def _make_largest_file(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    folder = draw.rng.choice(_FOLDERS)
    elsewhere = draw.rng.choice([name for name in _FOLDERS if not name.startswith(folder) and folder not in name])
    deep = f"{home(me)}/{folder}/{draw.rng.choice(('old', 'shared', 'unsorted'))}"
    make_directory(state, me.id, deep)
    names = iter(draw.rng.sample(_NAMES, 9))
    relative = deep.removeprefix(f"{home(me)}/")
    for days in (5, 30, 80):
        filed(draw, f"{folder}/{next(names)}.md", _text(draw, draw.rng.randint(3, 9)), days=days)
    for days in (12, 60):
        filed(draw, f"{relative}/{next(names)}.md", _text(draw, draw.rng.randint(2, 9)), days=days)
    largest = filed(draw, f"{relative}/{next(names)}.md", _text(draw, 14), days=140)
    filed(draw, f"{folder}/{next(names)}.md", _text(draw, 11), days=200)
    filed(draw, f"{elsewhere}/{next(names)}.md", _text(draw, 20), days=90)
    paths = sorted(file.path for file in state[File].of(me.id) if file.path.startswith(at_home(me, f"~/{folder}/")))
    if largest.path in paths[:5]:
        return None
    return {"folder": f"~/{folder}", "other_folder": f"~/{elsewhere}"}


def _solve_largest_file(state: State, me: Person, values: Values) -> Json:
    top = at_home(me, values["folder"]) + "/"
    inside = [file for file in state[File].of(me.id) if file.path.startswith(top)]
    return max(inside, key=lambda file: len(file.content)).path.rpartition("/")[2]


def largest_file_below(folder: str) -> str:
    """Return the name of the largest file in a folder and the folders below it."""
    token = login(app="files")
    files = all_pages(apis.files.search_files, access_token=token, directory_path=folder)
    largest = max(files, key=lambda file: file["size"])
    return largest["path"].rpartition("/")[2]


largest_file = Family(
    name="largest_file",
    split="test_normal",
    difficulty=1,
    apps=("files",),
    slots={"folder": str},
    wordings=(
        "What is the name of the largest file in {folder}, folders below it included? Give me the file name only,"
        " without the folder.",
        "Something takes up space under {folder}. Look through that directory and all its subdirectories and answer"
        " with the bare name of the biggest file.",
        "Compare the sizes of all files in my directory {folder} and deeper down. Which one is the largest? Just the"
        " name, no path.",
    ),
    make=_make_largest_file,
    solve=_solve_largest_file,
    program=Program(functions=(largest_file_below,), call="largest_file_below(folder={folder!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="everywhere", old=", directory_path=folder", new=""),
        Mistake(name="first_page", old="all_pages(apis.files.search_files, ", new="apis.files.search_files("),
        Mistake(
            name="no_subfolders",
            old="    largest = ",
            new='    files = [file for file in files if file["path"].rpartition("/")[0].endswith(folder[1:])]\n'
            "    largest = ",
        ),
        Mistake(name="the_latest", old='file["size"]', new='file["created_at"]'),
    ),
)


# Rename the receipts of a category.


def _make_rename_receipts(draw: Draw) -> Values | None:
    state, now = draw.state, draw.state.now
    kinds = sorted(set(VENDORS.values()))
    category, other = draw.rng.sample(kinds, 2)

    def receipt(vendor: str, days: int, folder: str = "receipts", remark: str = "") -> None:
        day = f"{now - timedelta(days=days):%Y-%m-%d}"
        lines = [f"vendor: {vendor}", f"date: {day}", f"category: {VENDORS[vendor]}"]
        total = draw.rng.randint(350, 18_000) / 100
        lines += [f"total: {total:.2f}", *([f"note: {remark}"] if remark else [])]
        filed(draw, f"{folder}/{day}-{vendor}.txt", "\n".join(lines), days=days)

    own = [vendor for vendor in VENDORS if VENDORS[vendor] == category]
    rest = [vendor for vendor in VENDORS if VENDORS[vendor] != category]
    for days in (4, 150, 320, 410):  # listed by day: in the middle and at both ends
        receipt(draw.rng.choice(own), days)
    for days in (6, 90, 330, 415, 430, 445):
        receipt(draw.rng.choice(rest), days)
    receipt(draw.rng.choice(rest), 35, remark=f"not for {category}")
    receipt(draw.rng.choice(own), 60, folder="documents/personal")
    mine = [file for file in state[File].of(draw.me.id) if file.path.startswith(at_home(draw.me, "~/receipts/"))]
    if len({file.path for file in mine}) < len(mine) or not any(f"category: {other}" in row.content for row in mine):
        return None
    return {"category": category, "other_category": other}


def _solve_rename_receipts(state: State, me: Person, values: Values) -> Json:
    folder = at_home(me, "~/receipts")
    for file in state[File].of(me.id):
        facts = dict(line.split(": ", 1) for line in file.content.splitlines() if ": " in line)
        if file.path.startswith(folder + "/") and facts["category"] == values["category"]:
            move(state, me.id, file.path, f"{folder}/{facts['vendor']}-{facts['date']}.txt")


def rename_receipts_by_vendor(category: str, folder: str) -> int:
    """Rename the receipts of a category in a folder from date-vendor.txt to vendor-date.txt and return how many."""
    token = login(app="files")
    files = all_pages(apis.files.search_files, access_token=token, directory_path=folder)
    count = 0
    for file in files:
        content = apis.files.show_file(access_token=token, file_path=file["path"])["content"]
        if f"category: {category}" in content.splitlines():
            name = file["path"].rpartition("/")[2].removesuffix(".txt")
            renamed = f"{folder}/{name[11:]}-{name[:10]}.txt"
            apis.files.move_file(access_token=token, file_path=file["path"], destination_path=renamed)
            count += 1
    return count


rename_receipts = Family(
    name="rename_receipts",
    split="test_normal",
    difficulty=2,
    apps=("files",),
    slots={"category": str},
    wordings=(
        "In ~/receipts, rename the files of all receipts of the category {category} so that the vendor comes before the"
        " date: 2024-02-09-fuelstop.txt would become fuelstop-2024-02-09.txt.",
        "My receipts (the text files in ~/receipts) are called after day and vendor. For those whose category is"
        " {category}, turn it round to vendor and day, as from 2024-02-09-fuelstop.txt to fuelstop-2024-02-09.txt; they"
        " stay in the same folder.",
        "Look at what category stands in each file of ~/receipts. Where it is {category}, the file gets a new name in"
        " the way of fuelstop-2024-02-09.txt in place of 2024-02-09-fuelstop.txt.",
    ),
    make=_make_rename_receipts,
    solve=_solve_rename_receipts,
    program=Program(
        functions=(rename_receipts_by_vendor,),
        call='rename_receipts_by_vendor(category={category!r}, folder="~/receipts")',
    ),
    mistakes=(
        Mistake(name="another_category", swap={"category": "other_category"}),
        Mistake(name="first_page", old="all_pages(apis.files.search_files, ", new="apis.files.search_files("),
        Mistake(name="any_mention", old='f"category: {category}" in content.splitlines()', new="category in content"),
        Mistake(name="copied", old="apis.files.move_file", new="apis.files.copy_file"),
    ),
)

FAMILIES = (archive_stale_pins, combine_lists, largest_file, rename_receipts)
