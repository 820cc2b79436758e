"""Train families of the files app: files and folders that are moved, copied, packed, counted and joined."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import files
from prowess_desk.apps.files import (
    Directory,
    File,
    file_at,
    make_directory,
    move,
    parent,
    remove_directory,
    remove_file,
    write_file,
)
from prowess_desk.data.files import VENDORS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import at_home, filed
from prowess_desk.families.toolbox import all_pages, apis, login


def in_folder(state: State, me: Person, folder: str) -> list[File]:
    """A person's files in a folder, without those in folders below it."""
    return [file for file in state[File].of(me.id) if parent(file.path) == at_home(me, folder)]


FILE_NAMES = "invoice notes chart draft sketch summary export letter plan backup table scan".split()


def made_folder(state: State, me: Person, path: str) -> str:
    """The full path of a folder, which is made unless it is there."""
    full = at_home(me, path)
    if files.directory_at(state, me.id, full) is None:
        files.make_directory(state, me.id, full)
    return full


def put_file(draw: Draw, path: str, content: str, days: float = 30) -> File:
    """A file of the supervisor's, in a folder that is made unless it is there."""
    made_folder(draw.state, draw.me, path.rpartition("/")[0])
    return filed(draw, path, content, days=days)


def folders_in(state: State, me: Person, folder: str) -> list[str]:
    return [one.path for one in state[Directory].of(me.id) if files.parent(one.path) == at_home(me, folder)]


def files_below(state: State, me: Person, path: str) -> list[File]:
    return [file for file in state[File].of(me.id) if file.path.startswith(path + "/")]


# Move the files that contain a phrase into a new folder.

_PHRASES = ("Project Heron", "Project Tundra", "Team Lighthouse", "Operation Thaw", "Client Marlowe", "Phase Cobalt")


_PAPERS = (
    ("offer", "We would like to take part in {phrase} from June on."),
    ("hours", "Monday: {phrase}, six hours\nTuesday: training"),
    ("schedule", "The first milestone of {phrase} is in two weeks."),
    ("contacts", "Everybody below works on {phrase}.\nA full list follows."),
    ("costs", "Travel: 310.00\nMaterial: 95.50\nCharge both to {phrase}."),
    ("questions", "Who decides about {phrase}?\nWho is told first?"),
    ("lessons", "What we learned from {phrase}: start small."),
)


def _make_gather_files(draw: Draw) -> Values | None:
    rng = draw.rng
    phrase, other = rng.sample(_PHRASES, 2)
    source, elsewhere = rng.sample(("~/documents/work", "~/documents/personal"), 2)
    first, second = phrase.split()
    for name, text in _PAPERS:
        filed(draw, f"{source}/{name}-{rng.randint(10, 99)}.txt", text.format(phrase=phrase), days=rng.randint(5, 200))
    filed(draw, f"{source}/aviary.txt", f"The {first.lower()} was easy. We even saw a {second.lower()} on the way.")
    filed(draw, f"{source}/{first.lower()}-{second.lower()}-logo.txt", "Only the picture is missing.")
    filed(draw, f"{source}/other-customers.txt", f"This is about {other}, not about anybody else.")
    filed(draw, f"{elsewhere}/diary-may.txt", f"Long day with {phrase}. Early to bed.")
    return {
        "phrase": phrase,
        "source": source,
        "target": f"~/documents/{second.lower()}",
        "other_phrase": other,
        "other_source": elsewhere,
    }


def _solve_gather_files(state: State, me: Person, values: Values) -> Json:
    target = at_home(me, values["target"])
    make_directory(state, me.id, target)
    for file in in_folder(state, me, values["source"]):
        if values["phrase"] in file.content:
            move(state, me.id, file.path, target + "/" + file.path.split("/")[-1])


def move_files_with_text(text: str, source: str, target: str) -> int:
    """Move the files of a folder whose content has a text in it into a new folder and return how many were moved."""
    token = login(app="files")
    found = all_pages(apis.files.search_files, access_token=token, query=text, directory_path=source, in_content=True)
    apis.files.create_directory(access_token=token, directory_path=target)
    count = 0
    for path in [file["path"] for file in found]:
        if text in apis.files.show_file(access_token=token, file_path=path)["content"]:
            name = path.rpartition("/")[2]
            apis.files.move_file(access_token=token, file_path=path, destination_path=f"{target}/{name}")
            count += 1
    return count


gather_files = Family(
    name="gather_files",
    split="train",
    difficulty=2,
    apps=("files",),
    slots={"phrase": str, "source": str, "target": str},
    wordings=(
        'Create the folder {target} and move every file from {source} into it whose content has the phrase "{phrase}"'
        " in it. The names of the files stay.",
        'I want all that was written about "{phrase}" in one place. Look into the files of {source} and move those with'
        " exactly this phrase in their text, under their old names, to a new directory {target}.",
        'Which files in {source} contain the words "{phrase}", in just this form, in their text (their names do not'
        " matter)? They should move to {target}, which does not exist yet, and keep their names.",
    ),
    make=_make_gather_files,
    solve=_solve_gather_files,
    program=Program(
        functions=(move_files_with_text,),
        call="move_files_with_text(text={phrase!r}, source={source!r}, target={target!r})",
    ),
    mistakes=(
        Mistake(name="another_phrase", swap={"phrase": "other_phrase"}),
        Mistake(name="another_folder", swap={"source": "other_source"}),
        Mistake(name="every_file_found", old="if text in apis", new="if apis"),
        Mistake(name="first_page", old="all_pages(apis.files.search_files, ", new="apis.files.search_files("),
        Mistake(name="copied", old="apis.files.move_file(", new="apis.files.copy_file("),
    ),
)


# How much was spent at a vendor in a year, by the receipts?


def _make_receipts_total(draw: Draw) -> Values | None:
    rng = draw.rng
    vendor, other = rng.sample(list(VENDORS), 2)
    year = rng.choice((2023, 2024, 2025))

    def receipt(who: str, day: date, folder: str = "~/receipts", remark: str = "") -> None:
        total = rng.randint(350, 18000) / 100
        lines = [f"vendor: {who}", f"date: {day}", f"category: {VENDORS[who]}", f"total: {total:.2f}"]
        path = f"{folder}/{day}-{who}.txt"
        if file_at(draw.state, draw.me.id, at_home(draw.me, path)) is None:
            filed(draw, path, "\n".join([*lines, *([f"note: {remark}"] if remark else [])]))

    span = 135 if year == 2025 else 360
    for days in rng.sample(range(span), 7):
        receipt(vendor, date(year, 1, 1) + timedelta(days=days))
    for days in rng.sample(range(120), 2):
        receipt(vendor, date(year + (1 if year == 2023 else -1), 1, 1) + timedelta(days=days))
    for days in rng.sample(range(span), 3):
        receipt(other, date(year, 1, 1) + timedelta(days=days), remark=f"next door to {vendor}")
    receipt(vendor, date(year, 1, 1) + timedelta(days=rng.randrange(span)), "~/documents/work")
    return {"vendor": vendor, "year": year, "other_vendor": other, "other_year": year + (1 if year == 2023 else -1)}


def _solve_receipts_total(state: State, me: Person, values: Values) -> Json:
    cents = 0
    for file in in_folder(state, me, "~/receipts"):
        lines = file.content.split("\n")
        if lines[0] == f"vendor: {values['vendor']}" and lines[1][6:10] == str(values["year"]):
            cents += int(lines[3][7:].replace(".", ""))
    return cents / 100


def spent_at_vendor(vendor: str, year: int) -> float:
    """Return the sum of the receipts of a vendor that are dated in a year."""
    token = login(app="files")
    found = all_pages(
        apis.files.search_files, access_token=token, query=vendor, directory_path="~/receipts", in_content=True
    )
    total = 0.0
    for file in found:
        content = apis.files.show_file(access_token=token, file_path=file["path"])["content"]
        receipt = dict(line.split(": ", 1) for line in content.splitlines())
        if receipt["vendor"] == vendor and receipt["date"].startswith(f"{year}-"):
            total += float(receipt["total"])
    return round(total, 2)


receipts_total = Family(
    name="receipts_total",
    split="train",
    difficulty=2,
    apps=("files",),
    slots={"vendor": str, "year": int},
    wordings=(
        "How much did I spend at {vendor} in {year}, going by the files in ~/receipts?",
        "Please add up the totals of my {vendor} receipts dated {year}. They are text files in the receipts folder of"
        " my home directory.",
        "For my tax return I need one number: the sum of all receipts in ~/receipts whose vendor is {vendor} and whose"
        " date lies in {year}.",
    ),
    make=_make_receipts_total,
    solve=_solve_receipts_total,
    program=Program(functions=(spent_at_vendor,), call="spent_at_vendor(vendor={vendor!r}, year={year!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_vendor", swap={"vendor": "other_vendor"}),
        Mistake(name="another_year", swap={"year": "other_year"}),
        Mistake(name="every_year", old=' and receipt["date"].startswith(f"{year}-")', new=""),
        Mistake(name="mentions_counted", old='receipt["vendor"] == vendor and ', new=""),
        Mistake(name="first_page", old="all_pages(\n        apis.files.search_files, ", new="apis.files.search_files("),
    ),
)


# Copy what a backup lacks.


def _make_complete_backup(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    folder, other = rng.sample(("~/photos", "~/documents/work", "~/documents/personal", "~/receipts"), 2)
    backup = f"~/backups/{folder.rpartition('/')[2]}-{rng.choice(('safe', 'copy', 'mirror', 'vault', 'shelf'))}"
    make_directory(draw.state, me.id, at_home(me, backup))
    for name in rng.sample(FILE_NAMES, 4):
        filed(draw, f"{folder}/{name}-{rng.randint(100, 999)}.txt", f"{name}, as it is today")
    for file in rng.sample(in_folder(draw.state, me, folder), 3):
        filed(draw, f"{backup}/{file.path.rpartition('/')[2]}", f"an older version of\n{file.content}", days=200)
    filed(draw, f"{backup}/readme.txt", "What is in here was copied by hand.", days=200)
    make_directory(draw.state, me.id, at_home(me, f"{folder}/unsorted"))
    filed(draw, f"{folder}/unsorted/scrap.txt", "Not worth keeping.")
    return {"folder": folder, "backup": backup, "other_folder": other}


def _solve_complete_backup(state: State, me: Person, values: Values) -> Json:
    for file in in_folder(state, me, values["folder"]):
        copy = at_home(me, values["backup"]) + file.path[len(at_home(me, values["folder"])) :]
        if file_at(state, me.id, copy) is None:
            write_file(state, me.id, copy, file.content)


def back_up_missing_files(folder: str, backup: str) -> int:
    """Copy the files directly in a folder that its backup does not have yet and return how many were copied."""
    token = login(app="files")
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    there = apis.files.show_directory(access_token=token, directory_path=backup)["files"]
    kept = {path.rpartition("/")[2] for path in there}
    missing = [path for path in paths if path.rpartition("/")[2] not in kept]
    for path in missing:
        copy = f"{backup}/{path.rpartition('/')[2]}"
        apis.files.copy_file(access_token=token, file_path=path, destination_path=copy)
    return len(missing)


complete_backup = Family(
    name="complete_backup",
    split="train",
    difficulty=2,
    apps=("files",),
    slots={"folder": str, "backup": str},
    wordings=(
        "Copy the files of {folder} that are missing in {backup} there, under the same names. What is in the backup"
        " already stays as it is, and folders below {folder} are not needed.",
        "My backup {backup} lacks some files of {folder}. Please add copies of those whose names are not there yet,"
        " without replacing anything; subfolders do not matter.",
        "Bring {backup} up to date: every file right in {folder} (none from deeper down) should have a file of the same"
        " name in the backup. Copy only what has none, overwrite nothing.",
    ),
    make=_make_complete_backup,
    solve=_solve_complete_backup,
    program=Program(
        functions=(back_up_missing_files,), call="back_up_missing_files(folder={folder!r}, backup={backup!r})"
    ),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(
            name="old_copies_replaced",
            old="""not in kept]
    for path in missing:
        copy = f"{backup}/{path.rpartition('/')[2]}"
        apis.files.copy_file(""",
            new="""not in ()]
    for path in missing:
        copy = f"{backup}/{path.rpartition('/')[2]}"
        apis.files.copy_file(overwrite=True, """,
        ),
        Mistake(name="below_it_too", old="path=folder)", new="path=folder, recursive=True)"),
        Mistake(name="moved", old="apis.files.copy_file(", new="apis.files.move_file("),
    ),
)


# Which files are not what their backups hold?

_TOPICS = "survey menu ledger poem roster itinerary glossary inventory speech syllabus".split()


def _make_compare_with_backup(draw: Draw) -> Values | None:
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


def _solve_compare_with_backup(state: State, me: Person, values: Values) -> Json:
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
    make=_make_compare_with_backup,
    solve=_solve_compare_with_backup,
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


# Delete the folders without a file.

_ROOMS = "sketches invoices drafts misc old-stuff summer scans to-sort exports winter templates handouts".split()


_PLACES = ("~/documents/work", "~/documents/personal", "~/photos", "~/downloads", "~/receipts", "~/backups")


def _make_delete_hollow_folders(draw: Draw) -> Values | None:
    rng = draw.rng
    place, other = rng.sample(_PLACES, 2)
    names = rng.sample(_ROOMS, 10)
    for name in names[:5]:
        made_folder(draw.state, draw.me, f"{place}/{name}")
    made_folder(draw.state, draw.me, f"{place}/{names[5]}/{names[9]}")  # nothing but an empty folder in it
    put_file(draw, f"{place}/{names[6]}/{names[1]}/page.txt", "the only file, and deep down")
    for name in names[7:9]:
        made_folder(draw.state, draw.me, f"{place}/{name}/{names[9]}")  # empty, but in a folder that is not
        filed(draw, f"{place}/{name}/{rng.choice(_ROOMS)}.txt", "something")
    made_folder(draw.state, draw.me, f"{other}/{names[2]}")
    return {"folder": place, "kept": names[0], "other_folder": other, "other_kept": names[1]}


def _solve_delete_hollow_folders(state: State, me: Person, values: Values) -> Json:
    for path in folders_in(state, me, values["folder"]):
        if not files_below(state, me, path) and not path.endswith(f"/{values['kept']}"):
            remove_directory(state, me.id, path)


def drop_hollow_folders(folder: str, kept: str) -> int:
    """Delete the folders directly in a folder that have no file at any depth, but for one; return how many."""
    token = login(app="files")
    count = 0
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["directories"]:
        below = apis.files.show_directory(access_token=token, directory_path=path, recursive=True)
        if not below["files"] and path.rpartition("/")[2] != kept:
            apis.files.delete_directory(access_token=token, directory_path=path, recursive=True)
            count += 1
    return count


delete_hollow_folders = Family(
    name="delete_hollow_folders",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "kept": str},
    wordings=(
        "Delete every folder right in {folder} that has no file in it, not even further down; one with nothing but"
        ' empty folders in it goes as well. Only "{kept}" stays in any case.',
        "I keep making folders that I never use. Of those directly in {folder}, whichever has not a single file at any"
        ' depth can go, with its empty subfolders, but not "{kept}": it is empty, yet I am about to need it.',
        'Except for "{kept}", remove all folders of {folder} without any file in them or below them. I mean the top'
        " ones only: empty folders inside a folder that does hold a file somewhere are to be left there.",
    ),
    make=_make_delete_hollow_folders,
    solve=_solve_delete_hollow_folders,
    program=Program(functions=(drop_hollow_folders,), call="drop_hollow_folders(folder={folder!r}, kept={kept!r})"),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_one_kept", swap={"kept": "other_kept"}),
        Mistake(name="top_only", old="path=path, recursive=True)\n        if", new="path=path)\n        if"),
        Mistake(name="empty_ones_hold_on", old='not below["files"]', new='not below["files"] + below["directories"]'),
    ),
)


# Sort dated files into folders by year.

_EVENTS = "meeting storm visit delivery parade exam picnic survey choir fair lecture regatta".split()


_YEARLY = ("~/backups/by-year", "~/documents/years", "~/documents/personal/past", "~/chronicle", "~/by-year")


def _make_file_by_year(draw: Draw) -> Values | None:
    rng = draw.rng
    source, other = rng.sample(("~/photos", "~/receipts", "~/downloads", "~/documents/work"), 2)
    target = rng.choice(_YEARLY)
    events = rng.sample(_EVENTS, 12)

    def dated(year: int) -> str:
        return f"{date(year, 1, 1) + timedelta(days=rng.randrange(135))}-{events.pop()}"

    years = [2022, 2023, 2024, 2025, rng.randint(2022, 2025), rng.randint(2022, 2025)]
    for year in years:
        filed(draw, f"{source}/{dated(year)}.{rng.choice(('jpg', 'txt', 'pdf'))}", f"from {year}")
    there = rng.choice(years)
    put_file(draw, f"{target}/{there}/{dated(there)}.txt", "sorted by hand")  # making that folder again is refused
    filed(draw, f"{source}/{there}-{events.pop()}.txt", "a year is not a date")
    filed(draw, f"{source}/copy-of-{dated(there)}.txt", "the date does not come first")
    put_file(draw, f"{source}/loose/{dated(rng.choice(years))}.txt", "in a folder already")
    filed(draw, f"{other}/{dated(there)}.txt", "somewhere else")
    return {"source": source, "target": target, "other_source": other}


def _solve_file_by_year(state: State, me: Person, values: Values) -> Json:
    for file in state[File].of(me.id):
        folder, _, name = file.path.rpartition("/")
        if folder == at_home(me, values["source"]) and name[:4].isdigit() and name[5:7].isdigit() and name[7] == "-":
            year = made_folder(state, me, f"{values['target']}/{name[:4]}")
            files.move(state, me.id, file.path, f"{year}/{name}")


def sort_into_years(source: str, target: str) -> int:
    """Move the files right in a folder whose names start with a date into a folder for their year; return how many."""
    token = login(app="files")
    moved = 0
    for path in apis.files.show_directory(access_token=token, directory_path=source)["files"]:
        name = path.rpartition("/")[2]
        if re.match(r"\d{4}-\d\d-\d\d", name):
            folder = f"{target}/{name[:4]}"
            if not apis.files.directory_exists(access_token=token, directory_path=folder)["exists"]:
                apis.files.create_directory(access_token=token, directory_path=folder)
            apis.files.move_file(access_token=token, file_path=path, destination_path=f"{folder}/{name}")
            moved += 1
    return moved


file_by_year = Family(
    name="file_by_year",
    split="train",
    difficulty=2,
    apps=("files",),
    slots={"source": str, "target": str},
    wordings=(
        "Move the files right in {source} whose names start with a full date such as 2024-01-31 into a folder for their"
        " year (that one goes to {target}/2024), under their old names. Make the folders that are missing.",
        "Please put {source} in order by year: each file directly in it with a name that begins with year, month and"
        " day like 2024-01-31 goes to the folder of that year in {target}, be it there already or not. The names do not"
        " change, and files without such a date at the start stay where they are, like all in subfolders.",
        "Whatever file lies in {source} itself (not deeper) and has a name that begins with a date as YYYY-MM-DD should"
        " move to {target}/2023, {target}/2024 and so on, by its year, and keep its name. Make the folders you lack.",
    ),
    make=_make_file_by_year,
    solve=_solve_file_by_year,
    program=Program(functions=(sort_into_years,), call="sort_into_years(source={source!r}, target={target!r})"),
    mistakes=(
        Mistake(name="another_source", swap={"source": "other_source"}),
        Mistake(name="below_it_too", old="directory_path=source)", new="directory_path=source, recursive=True)"),
        Mistake(name="a_year_will_do", old=r"\d{4}-\d\d-\d\d", new=r"\d{4}"),
        Mistake(name="date_anywhere", old="re.match(", new="re.search("),
        Mistake(name="copied", old="apis.files.move_file(", new="apis.files.copy_file("),
    ),
)


# How long did the shifts for a client last in a month?

_CLIENTS = ("Harbor Museum", "Elm School", "Rowan Bakery", "City Choir", "Orchard Inn", "Lake Clinic", "Tram Works")


_SHEETS = ("~/documents/work/hours", "~/documents/timesheets", "~/documents/work/weeks", "~/documents/personal/jobs")


def _make_minutes_for_client(draw: Draw) -> Values | None:
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


def _solve_minutes_for_client(state: State, me: Person, values: Values) -> Json:
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
    make=_make_minutes_for_client,
    solve=_solve_minutes_for_client,
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


# Which numbers does a series of files lack?

_SERIES = "scan slide page photo letter chapter track receipt".split()


_FOLDERS = ("~/documents/personal", "~/documents/work", "~/downloads", "~/photos", "~/receipts")


def _make_gaps_in_numbering(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    series, other = rng.sample(_SERIES, 2)
    folder, second = rng.sample(_FOLDERS, 2)
    holes = rng.sample(range(9, 19), 9)
    for n, (place, name) in enumerate(((folder, series), (folder, other), (second, series))):
        for number in sorted({*range(rng.randint(3, 8), rng.randint(20, 26))} - {*holes[3 * n : 3 * n + 3]}):
            papers.filed(draw, f"{place}/{name}-{number}.{('png', 'pdf', 'jpg')[number % 3]}", f"{name} {number}")
    files.make_directory(state, me.id, papers.at_home(me, f"{folder}/sorted"))
    papers.filed(draw, f"{folder}/sorted/{series}-{holes[0]}.png", "One too many.")
    papers.filed(draw, f"{folder}/draft-{series}-{holes[1]}.png", "Not good enough.")
    papers.filed(draw, f"{folder}/{series}-{holes[3]}.txt", "Remarks.")  # the number is there twice
    return {"folder": folder, "series": series, "other_folder": second, "other_series": other}


def _solve_gaps_in_numbering(state: State, me: Person, values: Values) -> Json:
    start = papers.at_home(me, f"{values['folder']}/{values['series']}-")
    ends = [file.path.removeprefix(start) for file in state[files.File].of(me.id) if file.path.startswith(start)]
    there = [int(end.split(".")[0]) for end in ends]
    return [number for number in range(min(there), max(there)) if number not in there]


def gaps_in_series(folder: str, series: str) -> list:
    """Return the numbers between the lowest and the highest of a folder's files `series-7.ext` that no file has."""
    token = login(app="files")
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    matches = [re.fullmatch(rf"{series}-(\d+)\.\w+", path.split("/")[-1]) for path in paths]
    numbers = {int(match[1]) for match in matches if match}
    return [number for number in range(min(numbers), max(numbers)) if number not in numbers]


gaps_in_numbering = Family(
    name="gaps_in_numbering",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "series": str},
    wordings=(
        "The files right in {folder} that are called {series}-7 and so on, whatever their extension, should be numbered"
        " without a gap from the lowest number to the highest. Which numbers are missing?",
        "Is my {series} series in {folder} complete? The names are {series}, a hyphen, a number, a dot and some ending."
        " List the numbers between the first and the last that no file directly in this folder has.",
        "Some of my files {series}-1, {series}-2 and so on have got lost. Going by what lies in {folder} itself, name"
        " the numbers left out between the smallest and the largest one, whatever kind of file the others are.",
        "Please check {folder} for holes: of the files there whose name is {series}-NUMBER.EXTENSION, which numbers,"
        " counted from the lowest that exists up to the highest, does none carry? Subfolders do not count.",
        "In {folder} I number things: {series}-1, {series}-2 and so forth, as pictures, texts or other kinds of file."
        " Ignore subfolders and all other names. What numbers have been skipped between the lowest and the highest?",
    ),
    make=_make_gaps_in_numbering,
    solve=_solve_gaps_in_numbering,
    program=Program(functions=(gaps_in_series,), call="gaps_in_series(folder={folder!r}, series={series!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="folders_below_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="part_of_the_name", old="re.fullmatch(", new="re.search("),
        Mistake(name="from_one_on", old="range(min(numbers), ", new="range(1, "),
    ),
)


# Join the numbered parts of a text.

_LINES = "It rained.|Nobody had seen the letter.|The train was late.|He never spoke of it.|A dog barked.".split("|")


def _make_join_parts(draw: Draw) -> Values | None:
    rng, folder = draw.rng, f"~/documents/{draw.rng.choice('novel memoir thesis travels manual lectures'.split())}"
    stem, other = rng.sample(("chapter", "part", "section", "draft", "page", "scene"), 2)
    make_directory(draw.state, draw.me.id, at_home(draw.me, f"{folder}/old"))
    parts = [f"{stem}-{n + 1}.txt" for n in range(rng.randint(11, 14))]  # sorted as text, 10 comes before 2
    rest = f"{stem}-15.md|{stem}-notes.txt|old-{stem}-3.txt|old/{stem}-20.txt|{other}-1.txt|{other}-2.txt".split("|")
    for name in parts + rest:
        filed(draw, f"{folder}/{name}", "\n".join([f"({name[:-4]})", *rng.sample(_LINES, rng.randint(1, 5))]))
    return {"folder": folder, "stem": stem, "other_stem": other}


def _solve_join_parts(state: State, me: Person, values: Values) -> Json:
    start = f"{at_home(me, values['folder'])}/{values['stem']}"
    parts = [part for n in range(1, 30) if (part := file_at(state, me.id, f"{start}-{n}.txt")) is not None]
    for part in parts:
        remove_file(state, me.id, part.path)
    return write_file(state, me.id, f"{start}.txt", "\n".join(one.content for one in parts)).content.count("\n") + 1


def join_numbered_files(folder: str, stem: str) -> int:
    """Join the files stem-NUMBER.txt of a folder by number as stem.txt, delete them and return its number of lines."""
    token = login(app="files")
    parts: dict = {}
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        if match := re.fullmatch(rf"{re.escape(stem)}-(\d+)\.txt", path.split("/")[-1]):
            parts[int(match[1])] = path
    texts = [apis.files.show_file(access_token=token, file_path=parts[number])["content"] for number in sorted(parts)]
    whole = "\n".join(texts)
    apis.files.create_file(access_token=token, file_path=f"{folder}/{stem}.txt", content=whole)
    for path in parts.values():
        apis.files.delete_file(access_token=token, file_path=path)
    return len(whole.splitlines())


join_parts = Family(
    name="join_parts",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "stem": str},
    wordings=(
        "Join the files {stem}-1.txt, {stem}-2.txt and so on, right in {folder}, by number into one file {stem}.txt"
        " there, each text on a new line after the one before. Delete the parts. How many lines has the file got?",
        "I wrote a text in pieces: they lie in {folder} itself and are called {stem}, a hyphen, a number and .txt. Make"
        " one file of them, {stem}.txt in the same folder, number 1 first and no empty lines in between, and remove the"
        " pieces. Then tell me the number of lines in it.",
        "How many lines is my text if I put its pieces {stem}-NUMBER.txt, right in {folder}, one below the other, the"
        " lowest number first and nothing between? Do so: save it as {stem}.txt beside them and get rid of the pieces.",
        "Turn {stem}-1.txt, {stem}-2.txt and all such files of {folder} (not of its subfolders) into one {stem}.txt"
        " there, in order of number, just a line break from one to the next. Delete them. How many lines has it got?",
        "{folder} holds a document cut into files: {stem}-1.txt is its beginning, then comes {stem}-2.txt, and so on."
        " Save the whole as {stem}.txt in the same place, every part starting on a new line, no blank lines added, and"
        " delete those numbered .txt files. What is the line count of the whole?",
    ),
    make=_make_join_parts,
    solve=_solve_join_parts,
    program=Program(functions=(join_numbered_files,), call="join_numbered_files(folder={folder!r}, stem={stem!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_text", swap={"stem": "other_stem"}),
        Mistake(name="as_listed", old="parts[int(match[1])]", new="parts[match[1]]"),
        Mistake(name="parts_kept", old="        apis.files.delete_file(", new="        dict("),
        Mistake(name="subfolders_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
    ),
)

FAMILIES = (
    gather_files,
    receipts_total,
    complete_backup,
    compare_with_backup,
    delete_hollow_folders,
    file_by_year,
    minutes_for_client,
    gaps_in_numbering,
    join_parts,
)
