"""Train families of notes and files: one is copied to, compared with or sorted by the other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes
from prowess_desk.apps.files import Directory, File, directory_at, file_at, make_directory, move, parent, write_file
from prowess_desk.apps.notes import Note, note_titled, write_note
from prowess_desk.data.notes import TAGS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import SCRAPS, at_home, filed, jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login, read_note
from prowess_desk.families.train.files import put_file
from prowess_desk.families.train.notes import CLUBS

# Turn archived notes into files.

_SHELVES = ("~/documents/old-notes", "~/backups/notebook", "~/documents/personal/shelf", "~/documents/paper-trail")


def _make_archived_notes_to_files(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    folder, another = rng.sample(_SHELVES, 2)
    scraps = iter(rng.sample(SCRAPS, 10))
    for n in range(6):
        jotted(draw, *next(scraps), tags=[tag, other][: 1 + n % 2], archived=True, days=rng.randint(30, 400))
    jotted(draw, *next(scraps), tags=[tag], days=70)  # still in use
    jotted(draw, *next(scraps), tags=[other], archived=True, days=90)
    title, text = next(scraps)
    jotted(draw, title, f"{text}\n#{tag}", archived=True, days=200)  # not a tag
    return {"tag": tag, "folder": folder, "other_tag": other, "other_folder": another}


def _solve_archived_notes_to_files(state: State, me: Person, values: Values) -> Json:
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
    make=_make_archived_notes_to_files,
    solve=_solve_archived_notes_to_files,
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


# Bring the amounts in a file up to date with a note.

_PRICES = {
    "Market stall prices": "tea,green tea,jam,plum jam,honey,rolls,cake,apple juice,juice,eggs",
    "Repair rates": "tyre,flat tyre,chain,brakes,lights,full service,service,saddle,bell,pedals",
    "Room rates": "attic,attic with bath,garden room,room,suite,cot,breakfast,late breakfast,parking,dog",
    "Lesson fees": "guitar,bass guitar,piano,voice,group voice,theory,drums,trial lesson,lesson,flute",
    "Copy shop tariffs": "copy,color copy,scan,poster,large poster,binding,cards,postcards,labels,stickers",
}


def _make_refresh_price_file(draw: Draw) -> Values | None:
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


def _solve_refresh_price_file(state: State, me: Person, values: Values) -> Json:
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
    make=_make_refresh_price_file,
    solve=_solve_refresh_price_file,
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


# Which of the files that a note lists are missing?

_NEEDED = {
    "Visa papers": "passport-scan bank-statement visa-form cover-letter hotel-booking portrait invitation flights",
    "Mortgage papers": "payslips floor-plan land-register valuation savings-proof loan-offer id-card energy-pass",
    "Tax return papers": "wage-slip donations rent-receipts interest pension commute childcare craftsmen",
    "Car sale papers": "title-deed service-book inspection key-receipt warranty tyre-bill sale-contract photos-outside",
    "Job application": "cover-page diploma references portfolio work-samples certificate motivation salary-note",
    "School enrolment": "birth-record vaccinations report-card custody-form music-choice bus-pass lunch-form consent",
}


def _make_missing_papers(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_NEEDED))
    folder, other = rng.sample(("~/documents/personal", "~/documents/work", "~/downloads", "~/backups"), 2)
    names = [f"{name}.{rng.choice(('pdf', 'jpg'))}" for name in rng.sample(_NEEDED[title].split(), 8)]
    listed, late = rng.sample(names[:7], 7), names[7]
    for name in names[: rng.randint(2, 3)]:
        filed(draw, f"{folder}/{name}", f"scan of {name}")
    filed(draw, f"{other}/{names[4]}", "in the wrong folder")
    put_file(draw, f"{folder}/expired/{names[5]}", "no longer valid")
    filed(draw, f"{folder}/{names[6][:-4]}.txt", "only a reminder to get the real one")
    jotted(draw, title, "\n".join(["To be handed in:", *(f"- {name}" for name in listed)]), days=20)
    jotted(draw, older_twin(title), "\n".join(f"- {name}" for name in [*listed[1:], late]), days=400)
    return {"title": title, "folder": folder, "other_title": older_twin(title), "other_folder": other}


def _solve_missing_papers(state: State, me: Person, values: Values) -> Json:
    there = {file.path for file in state[File].of(me.id)}
    listed = re.findall(r"(?m)^- (.+)$", note_titled(state, me.id, values["title"]).content)
    return [name for name in listed if f"{at_home(me, values['folder'])}/{name}" not in there]


def listed_files_missing(title: str, folder: str) -> list:
    """Return the file names that a note lists in lines `- name` and for which a folder has no file."""
    lines = read_note(title=title)["content"].splitlines()
    names = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    token = login(app="files")
    missing = []
    for name in names:
        found = apis.files.file_exists(access_token=token, file_path=f"{folder}/{name}")["exists"]
        if not found:
            missing.append(name)
    return missing


missing_papers = Family(
    name="missing_papers",
    split="train",
    difficulty=1,
    apps=("notes", "files"),
    slots={"title": str, "folder": str},
    wordings=(
        'The note "{title}" lists the files I have to hand in, one per line after a dash. Which of them are not in'
        " {folder} itself yet? Tell me their names as the note has them.",
        'I am collecting documents in {folder}. What is still missing there of the files listed in my note "{title}"'
        " (the lines with a dash)? Folders below it do not count, and the file name must be exactly the same.",
        'Please compare {folder} with my note "{title}". Each line of it that starts with a dash is a file name; I need'
        " the list of those for which there is no such file directly in that folder.",
    ),
    make=_make_missing_papers,
    solve=_solve_missing_papers,
    program=Program(functions=(listed_files_missing,), call="listed_files_missing(title={title!r}, folder={folder!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="first_match", old=' if note["title"] == title', new=""),
        Mistake(name="those_that_are_there", old="if not found", new="if found"),
        Mistake(name="anywhere", old="not found", new="not apis.files.search_files(access_token=token, query=name)"),
    ),
)


# Which categories went over their limits in a month?

_CATEGORIES = "food|transport|health|leisure|household|clothes|pets|gifts|garden|school|coffee|sports".split("|")


def _make_over_budget_categories(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    folder = rng.choice(("~/documents/bills", "~/household", "~/documents/personal/costs", "~/spending"))
    files.make_directory(state, me.id, papers.at_home(me, f"{folder}/work"))
    last = state.now.date().replace(day=1) - timedelta(days=rng.choice((1, 40, 70, 100)))
    before = last.replace(day=1) - timedelta(days=1)
    limits = {name: rng.randint(40, 300) * 100 for name in rng.sample(_CATEGORIES, 8)}
    first, second, third, even, early, elsewhere, free, _ = limits  # nothing is spent on the last one
    bills: list[tuple[str, int, date, str]] = []
    for name in (first, second, third, even):  # none of these bills is over the limit by itself
        half, over = limits[name] * rng.randint(40, 60) // 100, 0 if name == even else rng.randint(1, 1_500)
        bills += [(name, half, last.replace(day=3), ""), (name, limits[name] - half + over, last, "")]
    for name, month, inside in ((early, before, ""), (elsewhere, last, "work/")):
        bills += [(name, limits[name] // 3, last.replace(day=9), ""), (name, limits[name], month, inside)]
    bills += [(free, 90_000, last.replace(day=20), ""), (early, 50_000, last.replace(year=last.year - 1, day=7), "")]
    for (name, cents, day, inside), number in zip(bills, rng.sample(range(1_000, 9_999), len(bills)), strict=True):
        text = f"number: {number}\ndate: {day}\ncategory: {name}\ntotal: {cents / 100:.2f}"
        papers.filed(draw, f"{folder}/{inside}bill-{number}.txt", text)
    title = rng.choice(("What we may spend", "Household limits", "Spending plan", "Caps per month"))
    kept = rng.sample([name for name in limits if name != free], 7)
    for note, factor, days in ((title, 1, 9), (papers.older_twin(title), 3, 400)):
        lines = [f"{name}: {limits[name] * factor / 100:.2f}" for name in kept]
        papers.jotted(draw, note, "\n".join(("Not more than this in a month.", *lines)), days=days)
    others = {"other_title": papers.older_twin(title), "other_month": f"{before:%Y-%m}"}
    return {"title": title, "folder": folder, "month": f"{last:%Y-%m}", **others}


def _solve_over_budget_categories(state: State, me: Person, values: Values) -> Json:
    spent: Counter[str] = Counter()
    for file in state[files.File].of(me.id):
        lines = file.content.split("\n")
        if files.parent(file.path) == papers.at_home(me, values["folder"]) and values["month"] in lines[1]:
            spent[lines[2].removeprefix("category: ")] += int(lines[3].removeprefix("total: ").replace(".", ""))
    rows = [row.split(": ") for row in notes.note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    return [name for name, limit in rows if spent[name] > int(limit.replace(".", ""))]


def overspent_in_month(title: str, folder: str, month: str) -> list:
    """List the categories whose bills right in a folder from a month (YYYY-MM) are above their limits in a note."""
    content = read_note(title=title)["content"]
    limits = re.findall(r"^(.+): (\d+\.\d\d)$", content, flags=re.MULTILINE)
    token = login(app="files")
    spent: defaultdict = defaultdict(float)
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        text = apis.files.show_file(access_token=token, file_path=path)["content"]
        bill = dict(line.split(": ", 1) for line in text.splitlines())
        if bill["date"].startswith(month):
            spent[bill["category"]] += float(bill["total"])
    return [name for name, limit in limits if round(spent[name], 2) > float(limit)]


over_budget_categories = Family(
    name="over_budget_categories",
    split="train",
    difficulty=2,
    apps=("files", "notes"),
    slots={"title": str, "folder": str, "month": str},
    wordings=(
        'In which categories did I spend more in {month} than my note "{title}" allows for a month? My bills are the'
        " files right in {folder}, each with its date, category and total. Categories without a limit do not matter.",
        "Every file in {folder} (leave out its subfolders) is a bill with a date, a category and a total. For which"
        ' categories do those of {month} add up to more than the limit in the note "{title}"? Just the limit is fine.',
        'I set myself monthly limits, see "{title}" in my notes. Where did I break them in {month}? Go by the bills'
        " directly in {folder}, nothing below it, and give me the names of those categories.",
        'Tell me the categories that went over budget in {month}. The budget is my note "{title}", the most I may spend'
        " a month on each; what I spent is in the bills of {folder} itself, not of folders in there.",
        'Please check {month} for me: sum up, for each category that has a limit in "{title}" (a note), the totals of'
        " that month's bills lying right in {folder}, and list the categories with a sum larger than the limit.",
    ),
    make=_make_over_budget_categories,
    solve=_solve_over_budget_categories,
    program=Program(
        functions=(overspent_in_month,), call="overspent_in_month(title={title!r}, folder={folder!r}, month={month!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_month", swap={"month": "other_month"}),
        Mistake(name="the_limit_itself", old="2) > float", new="2) >= float"),
        Mistake(name="subfolders_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="bill_by_bill", old='["category"]] += float', new='["category"]] = float'),
    ),
)


# Sort photos by the trips of a note.

_PLACES = "Lisbon Oslo Prague Dublin Verona Ghent Malaga Tromso Bergen Porto Krakow Seville".split()


_SIGHTS = "tower harbor bridge square tram sunset market cat".split()


def _make_photos_by_trip(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    folder, other = rng.sample(("~/pictures", "~/camera", "~/travel-photos", "~/documents/snaps"), 2)
    day, lines, old = state.now.date() - timedelta(days=rng.randint(300, 330)), ["Days of travel count, too."], []
    for path in (folder, other, f"{folder}/kept"):
        make_directory(state, me.id, at_home(me, path))
    for n, place in enumerate(rng.sample(_PLACES, 4)):
        first, last = day, day + timedelta(days=rng.randint(3, 9))
        day = last + timedelta(days=rng.randint(20, 40))
        lines.append(f"{place}: {first} to {last}")
        old.append(f"{place}: {first + timedelta(days=1)} to {last + timedelta(days=2)}")
        ends = (first - timedelta(days=1), last + timedelta(days=1), first, last)
        for taken in ends if n else ends[:2]:  # the first trip has no photo
            filed(draw, f"{folder}/{taken}-{rng.choice(_SIGHTS)}.jpg", "photo", days=40)
        filed(draw, f"{other if n % 2 else folder + '/kept'}/{first}-{rng.choice(_SIGHTS)}.jpg", "photo", days=40)
    filed(draw, f"{folder}/panorama.jpg", "photo", days=40)
    title = rng.choice(("Trips", "Travel days", "Where we were", "Our journeys"))
    jotted(draw, title, "\n".join(lines), days=20)
    jotted(draw, older_twin(title), "\n".join(old), days=200)
    return {"title": title, "folder": folder, "other_title": older_twin(title), "other_folder": other}


def _solve_photos_by_trip(state: State, me: Person, values: Values) -> Json:
    top = at_home(me, values["folder"])
    for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]:
        place, _, first, _, last = line.replace(":", " :").split()
        for file in state[File].of(me.id):
            name = file.path.rpartition("/")[2]
            if parent(file.path) == top and first <= name <= f"{last}~":
                if directory_at(state, me.id, f"{top}/{place}") is None:
                    make_directory(state, me.id, f"{top}/{place}")
                move(state, me.id, file.path, f"{top}/{place}/{name}")


def file_trip_photos(folder: str, note_title: str) -> int:
    """Move the photos of a folder from the days of the trips in a note to folders of the places; return how many."""
    token = login(app="files")
    trips = re.findall(r"^(\w+): (\S{10}) to (\S{10})$", read_note(title=note_title)["content"], re.MULTILINE)
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    moved = 0
    for place, first_day, last_day in trips:
        names = [path.split("/")[-1] for path in paths if first_day <= path.split("/")[-1][:10] <= last_day]
        target = f"{folder}/{place}"
        if names:
            apis.files.create_directory(access_token=token, directory_path=target)
        for name in names:
            new_path = f"{target}/{name}"
            apis.files.move_file(access_token=token, file_path=f"{folder}/{name}", destination_path=new_path)
        moved += len(names)
    return moved


photos_by_trip = Family(
    name="photos_by_trip",
    split="train",
    difficulty=3,
    apps=("files", "notes"),
    slots={"title": str, "folder": str},
    wordings=(
        'My note "{title}" has a line per trip with the place, the first and the last day. Move each file right in'
        " {folder} whose name starts with a day of a trip (first and last included) into a new folder in {folder} that"
        " is named like the place. A place without such files gets no folder.",
        "Sort the photos lying directly in {folder}: their names begin with the date. Whatever was taken during a trip"
        ' of my note "{title}", from its first day through its last, goes into a folder of the name of the place, which'
        " you create in {folder} if there is anything to put into it.",
        'I have been to the places in my note "{title}", from and to the days that stand there. Put the pictures from'
        " all these days into new folders in {folder}, one per place and called just that, but no empty ones. I mean"
        " the files in {folder} itself with a date in front, not those below.",
        'For every journey in my note "{title}" that has pictures in {folder} (its first and its last day count), make'
        " a folder there with the name of the place and move them into it. The names of the pictures start with the"
        " day; what is already in a folder of {folder} stays there.",
        "Where did I take these? If the date in front of the name of a picture right in {folder} is a day of a trip in"
        ' my note "{title}", the two that stand there and all between, move it one level down to a folder with the name'
        " of that place. Make those folders, but none that would be empty.",
    ),
    make=_make_photos_by_trip,
    solve=_solve_photos_by_trip,
    program=Program(functions=(file_trip_photos,), call="file_trip_photos(folder={folder!r}, note_title={title!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="last_day_left_out", old="[:10] <= last_day", new="[:10] < last_day"),
        Mistake(name="first_day_left_out", old="if first_day <= path", new="if first_day < path"),
        Mistake(name="empty_folders", old="if names:", new="if target:"),
    ),
)


# Which notes no longer say what their copies in a folder say?

_TITLES = "Picnic|Stage props|Seeds|Tool loans|Snacks|Guest beds|Sails|Quiz topics|Costumes|Trail marks".split("|")


_ITEMS = "rope|twine|lamp|torch|chalk|tape|paint|cloth|nails|glue|string|wire|cups|forks|jars|tins|hooks".split("|")


def _make_notes_unlike_files(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    tag, other = rng.sample(CLUBS, 2)
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


def _solve_notes_unlike_files(state: State, me: Person, values: Values) -> Json:
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
    make=_make_notes_unlike_files,
    solve=_solve_notes_unlike_files,
    program=Program(functions=(unlike_copies,), call="unlike_copies(tag={tag!r}, folder={folder!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="any_tag", old=", tag=tag)", new=")"),
        Mistake(name="order_counts", old="set(text.splitlines()) != set(copy.splitlines())", new="text != copy"),
        Mistake(name="one_way", old="set(text.splitlines()) != set", new="set(text.splitlines()) - set"),
    ),
)


_ROOTS = "~/documents/clubs|~/documents/courses|~/photos/albums|~/downloads/kits|~/backups/drives|~/documents/clients"


_FOLDERS = "amber|birch|cobalt|dune|ember|fjord|garnet|heron|indigo|juniper|kelp|lotus".split("|")


_COUNTS = "File census|Folder count|Stocktaking|What lies where|Number of files|Shelf count|Tidy-up figures"


# Count the files of a kind folder by folder.


def _make_files_per_folder(draw: Draw) -> Values | None:
    rng, root = draw.rng, draw.rng.choice(_ROOTS.split("|"))
    kind, other = rng.sample(("txt", "md", "csv", "pdf", "jpg", "log"), 2)
    names = rng.sample(_FOLDERS, 5)
    names.append(f"{names[0]}-old")  # begins like another
    for name, count in zip(names, rng.sample((0, 2, 2, 3, 5, rng.randint(6, 8)), 6), strict=True):
        make_directory(draw.state, draw.me.id, papers.at_home(draw.me, f"{root}/{name}/parts/more"))
        for n in range(count):
            papers.filed(draw, f"{root}/{name}/{('parts/more/', 'parts/', '')[n % 3]}{n + 1}-{name}.{kind}", name)
        papers.filed(draw, f"{root}/{name}/parts/{name}.{other}", "Not of that kind.")
        papers.filed(draw, f"{root}/{name}/{name}.{kind}.{other}", "Nor is this.")
    papers.filed(draw, f"{root}/contents.{kind}", "In none of the folders.")
    return {"folder": root, "extension": kind, "title": rng.choice(_COUNTS.split("|")), "other_extension": other}


def _solve_files_per_folder(state: State, me: Person, values: Values) -> Json:
    root, end = papers.at_home(me, values["folder"]) + "/", "." + values["extension"]
    names = [row.path.removeprefix(root) for row in state[Directory].of(me.id) if row.path.startswith(root)]
    paths = [row.path.removeprefix(root) for row in state[File].of(me.id) if row.path.startswith(root)]
    first = [path.split("/")[0] for path in paths if "/" in path and path[-len(end) :] == end]
    order = sorted((-first.count(name), name) for name in names if "/" not in name)
    text = "\n".join(f"{name}: {-count}" for count, name in [*order, (-len(first), "total")])
    write_note(state, me.id, values["title"], text)


def note_census(folder: str, extension: str, title: str) -> dict:
    """Write a note with how many files of a kind each folder in a folder holds, most first; return the counts."""
    token = login(app="files")
    counts = {}
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["directories"]:
        inside = apis.files.show_directory(access_token=token, directory_path=path, recursive=True)
        counts[path.split("/")[-1]] = sum(file.endswith(f".{extension}") for file in inside["files"])
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    lines = [f"{name}: {counts[name]}" for name in ranked] + [f"total: {sum(counts.values())}"]
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return counts


files_per_folder = Family(
    name="files_per_folder",
    split="train",
    difficulty=2,
    apps=("files", "notes"),
    slots={"folder": str, "extension": str, "title": str},
    wordings=(
        "Count the .{extension} files in each folder right in {folder}, at any depth, and make a note titled"
        ' "{title}" of it: lines like amber: 4, most first, equal numbers by name, zeros too, and a last line total:'
        " with the sum.",
        "How are my .{extension} files spread over the folders directly in {folder}? Write a new note titled"
        ' "{title}" with a line per folder (name, colon, space, number at any depth, zeros too), from the highest'
        " number to the lowest and alphabetically within the same, and at the end total, colon, space, sum.",
        'Put together a note called "{title}": for every direct subfolder of {folder} its name and the number of files'
        " ending in .{extension} in it and all below it, in the form dune: 3, sorted by number, large ones on top,"
        " then by name. Include empty ones, and close with a line such as total: 17.",
        "I want figures on {folder}. How many .{extension} files are in each of the folders in it, at all levels? Loose"
        ' files beside the folders do not count. Note that down under the title "{title}", a line of folder, colon,'
        " space, number each, in falling order (ties A to Z, 0 included), followed by total: and all of them added.",
        'Note "{title}", please: a line name: count for each folder on the first level of {folder}, count being all the'
        " .{extension} files inside, at any depth and maybe 0. Large ones first, equal ones by name, and below them a"
        " line total: with the sum.",
    ),
    make=_make_files_per_folder,
    solve=_solve_files_per_folder,
    program=Program(
        functions=(note_census,), call="note_census(folder={folder!r}, extension={extension!r}, title={title!r})"
    ),
    mistakes=(
        Mistake(name="another_kind", swap={"extension": "other_extension"}),
        Mistake(name="every_kind", old='file.endswith(f".{extension}")', new="1"),
        Mistake(name="first_level_only", old=", recursive=True", new=""),
        Mistake(name="by_name_alone", old="(-counts[name], name)", new="name"),
        Mistake(name="empty_ones_left_out", old="for name in ranked]", new="for name in ranked if counts[name]]"),
    ),
)

FAMILIES = (
    archived_notes_to_files,
    refresh_price_file,
    missing_papers,
    over_budget_categories,
    photos_by_trip,
    notes_unlike_files,
    files_per_folder,
)
