"""Train families of the files app."""

from __future__ import annotations

from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, file_at, make_directory, move, parent, remove_file, write_file
from prowess_desk.data.files import VENDORS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed
from prowess_desk.families.toolbox import all_pages, apis, login


def in_folder(state: State, me: Person, folder: str) -> list[File]:
    """A person's files in a folder, without those in folders below it."""
    return [file for file in state[File].of(me.id) if parent(file.path) == at_home(me, folder)]


# Delete the files of a folder that have an extension.

_NAMES = "invoice notes chart draft sketch summary export letter plan backup table scan".split()


def _make_extension(draw: Draw) -> Values | None:
    rng = draw.rng
    folder, other = rng.sample(("~/downloads", "~/documents/personal", "~/photos"), 2)
    extension, third = rng.sample(("tmp", "log", "pdf", "png", "csv"), 2)
    names = rng.sample(_NAMES, 10)
    for name in names[:6]:
        filed(draw, f"{folder}/{name}-{rng.randint(10, 99)}.{extension}", name)
    filed(draw, f"{folder}/{names[6]}.{extension}.txt", "an extension in the middle of a name is none")
    filed(draw, f"{folder}/{extension}-{names[7]}.txt", "about such files")
    filed(draw, f"{folder}/{names[8]}.{third}", names[8])
    filed(draw, f"{other}/{names[8]}.{extension}", names[8])
    make_directory(draw.state, draw.me.id, at_home(draw.me, f"{folder}/keep"))
    filed(draw, f"{folder}/keep/{names[9]}.{extension}", names[9])
    return {"folder": folder, "extension": extension, "other_folder": other, "other_extension": third}


def _solve_extension(state: State, me: Person, values: Values) -> Json:
    for file in in_folder(state, me, values["folder"]):
        if file.path.rpartition(".")[2] == values["extension"]:
            remove_file(state, me.id, file.path)


def delete_files_with_extension(folder: str, extension: str) -> int:
    """Delete the files directly in a folder that have an extension and return how many there were."""
    token = login(app="files")
    listing = apis.files.show_directory(access_token=token, directory_path=folder)
    paths = [path for path in listing["files"] if path.endswith(f".{extension}")]
    for path in paths:
        apis.files.delete_file(access_token=token, file_path=path)
    return len(paths)


delete_by_extension = Family(
    name="delete_by_extension",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "extension": str},
    wordings=(
        "Delete all .{extension} files in my folder {folder}, but leave the folders below it alone.",
        "My {folder} directory is cluttered. Get rid of every file right in it whose name ends in .{extension}; do not"
        " touch anything in its subdirectories.",
        "I no longer need the files with the extension .{extension} that lie directly in {folder} (those further down"
        " must stay). Please remove them.",
    ),
    make=_make_extension,
    solve=_solve_extension,
    program=Program(
        functions=(delete_files_with_extension,),
        call="delete_files_with_extension(folder={folder!r}, extension={extension!r})",
    ),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_extension", swap={"extension": "other_extension"}),
        Mistake(name="below_it_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="anywhere_in_the_name", old='path.endswith(f".{extension}")', new="extension in path"),
        Mistake(
            name="first_page_of_a_search",
            old="apis.files.show_directory(access_token=token, directory_path=folder)",
            new=(
                '{"files": [file["path"] for file in apis.files.search_files(\n'
                "        access_token=token, directory_path=folder, query=extension)]}"
            ),
        ),
    ),
)


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


def _make_phrase(draw: Draw) -> Values | None:
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


def _solve_phrase(state: State, me: Person, values: Values) -> Json:
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
    make=_make_phrase,
    solve=_solve_phrase,
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


def _make_receipts(draw: Draw) -> Values | None:
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


def _solve_receipts(state: State, me: Person, values: Values) -> Json:
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
    make=_make_receipts,
    solve=_solve_receipts,
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


def _make_backup(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    folder, other = rng.sample(("~/photos", "~/documents/work", "~/documents/personal", "~/receipts"), 2)
    backup = f"~/backups/{folder.rpartition('/')[2]}-{rng.choice(('safe', 'copy', 'mirror', 'vault', 'shelf'))}"
    make_directory(draw.state, me.id, at_home(me, backup))
    for name in rng.sample(_NAMES, 4):
        filed(draw, f"{folder}/{name}-{rng.randint(100, 999)}.txt", f"{name}, as it is today")
    for file in rng.sample(in_folder(draw.state, me, folder), 3):
        filed(draw, f"{backup}/{file.path.rpartition('/')[2]}", f"an older version of\n{file.content}", days=200)
    filed(draw, f"{backup}/readme.txt", "What is in here was copied by hand.", days=200)
    make_directory(draw.state, me.id, at_home(me, f"{folder}/unsorted"))
    filed(draw, f"{folder}/unsorted/scrap.txt", "Not worth keeping.")
    return {"folder": folder, "backup": backup, "other_folder": other}


def _solve_backup(state: State, me: Person, values: Values) -> Json:
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
    make=_make_backup,
    solve=_solve_backup,
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

FAMILIES = (delete_by_extension, gather_files, receipts_total, complete_backup)
