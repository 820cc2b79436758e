"""Train families of the files app about folders: pack, delete, sort into, and what is missing; with phone and notes."""

from __future__ import annotations

import re
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files
from prowess_desk.apps.files import Directory, File, remove_directory
from prowess_desk.apps.notes import note_titled
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login, read_note


def _folder(state: State, me: Person, path: str) -> str:
    """The full path of a folder, which is made unless it is there."""
    full = at_home(me, path)
    if files.directory_at(state, me.id, full) is None:
        files.make_directory(state, me.id, full)
    return full


def _put(draw: Draw, path: str, content: str, days: float = 30) -> File:
    """A file of the supervisor's, in a folder that is made unless it is there."""
    _folder(draw.state, draw.me, path.rpartition("/")[0])
    return filed(draw, path, content, days=days)


def _folders_in(state: State, me: Person, folder: str) -> list[str]:
    return [one.path for one in state[Directory].of(me.id) if files.parent(one.path) == at_home(me, folder)]


def _files_below(state: State, me: Person, path: str) -> list[File]:
    return [file for file in state[File].of(me.id) if file.path.startswith(path + "/")]


# Pack the folders in which nothing has changed for long.

_SHELVES = {
    "~/documents/clients": "marlow calder heronry quayside bluepine tollgate sundial oakworks",
    "~/documents/trips": "lisbon oslo tyrol corsica bergen ghent riga malta",
    "~/documents/personal/courses": "pottery spanish welding statistics sailing bookbinding chess drawing",
    "~/documents/work/tenders": "bridge tunnel school library harbor depot stadium clinic",
    "~/photos/albums": "wedding graduation regatta reunion harvest carnival picnic ski-week",
}


def _make_idle(draw: Draw) -> Values | None:
    rng = draw.rng
    shelf, other = rng.sample(list(_SHELVES), 2)
    days, wrong = rng.sample((30, 45, 60, 90, 120), 2)
    names = rng.sample(_SHELVES[shelf].split(), 8)

    def old(folder: str, count: int) -> None:
        for n in range(1, count + 1):
            _put(draw, f"{folder}/part-{n}.txt", f"part {n} of {folder}", days=days + rng.randint(6, 300))

    for name, count in zip(names, (3, 3, 2, 6, 2, 2, 1, 2), strict=True):
        old(f"{shelf}/{name}", count)
    _put(draw, f"{shelf}/{names[3]}/part-7.txt", "on a later page", days=rng.randint(3, days - 8))
    _put(draw, f"{shelf}/{names[4]}/inbox/letter.txt", "further down", days=rng.randint(3, days - 8))
    ledger = _put(draw, f"{shelf}/{names[5]}/ledger.txt", "old, but written to", days=days + 100)
    draw.state[File].change(ledger.id, updated_at=draw.state.now - timedelta(days=rng.randint(3, days - 8)))
    old(f"{shelf}/{names[6]}/attic", 2)
    _put(draw, f"{shelf}/{names[7]}/index.txt", "older than one of the two", days=(days + wrong) / 2)
    _put(draw, f"{shelf}/overview.txt", "a file, not a folder", days=days + 50)
    old(f"{other}/{_SHELVES[other].split()[0]}", 2)
    return {"folder": shelf, "days": days, "other_folder": other, "other_days": wrong}


def _solve_idle(state: State, me: Person, values: Values) -> Json:
    for folder in _folders_in(state, me, values["folder"]):
        latest = max(file.updated_at for file in _files_below(state, me, folder))
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
    make=_make_idle,
    solve=_solve_idle,
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


# Delete the folders without a file.

_ROOMS = "sketches invoices drafts misc old-stuff summer scans to-sort exports winter templates handouts".split()
_PLACES = ("~/documents/work", "~/documents/personal", "~/photos", "~/downloads", "~/receipts", "~/backups")


def _make_hollow(draw: Draw) -> Values | None:
    rng = draw.rng
    place, other = rng.sample(_PLACES, 2)
    names = rng.sample(_ROOMS, 10)
    for name in names[:5]:
        _folder(draw.state, draw.me, f"{place}/{name}")
    _folder(draw.state, draw.me, f"{place}/{names[5]}/{names[9]}")  # nothing but an empty folder in it
    _put(draw, f"{place}/{names[6]}/{names[1]}/page.txt", "the only file, and deep down")
    for name in names[7:9]:
        _folder(draw.state, draw.me, f"{place}/{name}/{names[9]}")  # empty, but in a folder that is not
        filed(draw, f"{place}/{name}/{rng.choice(_ROOMS)}.txt", "something")
    _folder(draw.state, draw.me, f"{other}/{names[2]}")
    return {"folder": place, "kept": names[0], "other_folder": other, "other_kept": names[1]}


def _solve_hollow(state: State, me: Person, values: Values) -> Json:
    for path in _folders_in(state, me, values["folder"]):
        if not _files_below(state, me, path) and not path.endswith(f"/{values['kept']}"):
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
    make=_make_hollow,
    solve=_solve_hollow,
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


def _make_years(draw: Draw) -> Values | None:
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
    _put(draw, f"{target}/{there}/{dated(there)}.txt", "sorted by hand")  # making that folder again is refused
    filed(draw, f"{source}/{there}-{events.pop()}.txt", "a year is not a date")
    filed(draw, f"{source}/copy-of-{dated(there)}.txt", "the date does not come first")
    _put(draw, f"{source}/loose/{dated(rng.choice(years))}.txt", "in a folder already")
    filed(draw, f"{other}/{dated(there)}.txt", "somewhere else")
    return {"source": source, "target": target, "other_source": other}


def _solve_years(state: State, me: Person, values: Values) -> Json:
    for file in state[File].of(me.id):
        folder, _, name = file.path.rpartition("/")
        if folder == at_home(me, values["source"]) and name[:4].isdigit() and name[5:7].isdigit() and name[7] == "-":
            year = _folder(state, me, f"{values['target']}/{name[:4]}")
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
    make=_make_years,
    solve=_solve_years,
    program=Program(functions=(sort_into_years,), call="sort_into_years(source={source!r}, target={target!r})"),
    mistakes=(
        Mistake(name="another_source", swap={"source": "other_source"}),
        Mistake(name="below_it_too", old="directory_path=source)", new="directory_path=source, recursive=True)"),
        Mistake(name="a_year_will_do", old=r"\d{4}-\d\d-\d\d", new=r"\d{4}"),
        Mistake(name="date_anywhere", old="re.match(", new="re.search("),
        Mistake(name="copied", old="apis.files.move_file(", new="apis.files.copy_file("),
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


def _make_papers(draw: Draw) -> Values | None:
    rng = draw.rng
    title = rng.choice(list(_NEEDED))
    folder, other = rng.sample(("~/documents/personal", "~/documents/work", "~/downloads", "~/backups"), 2)
    names = [f"{name}.{rng.choice(('pdf', 'jpg'))}" for name in rng.sample(_NEEDED[title].split(), 8)]
    listed, late = rng.sample(names[:7], 7), names[7]
    for name in names[: rng.randint(2, 3)]:
        filed(draw, f"{folder}/{name}", f"scan of {name}")
    filed(draw, f"{other}/{names[4]}", "in the wrong folder")
    _put(draw, f"{folder}/expired/{names[5]}", "no longer valid")
    filed(draw, f"{folder}/{names[6][:-4]}.txt", "only a reminder to get the real one")
    jotted(draw, title, "\n".join(["To be handed in:", *(f"- {name}" for name in listed)]), days=20)
    jotted(draw, older_twin(title), "\n".join(f"- {name}" for name in [*listed[1:], late]), days=400)
    return {"title": title, "folder": folder, "other_title": older_twin(title), "other_folder": other}


def _solve_papers(state: State, me: Person, values: Values) -> Json:
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
    make=_make_papers,
    solve=_solve_papers,
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

FAMILIES = (pack_idle_folders, delete_hollow_folders, file_by_year, missing_papers)
