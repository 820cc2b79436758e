"""Receipts, which are files of a few lines: which of them are changed, and what to."""

from __future__ import annotations

from prowess_desk.apps.files import File
from prowess_desk.engine.family import Day, Draw, Values

from prowess_practice.drills.conditions import over, since, under
from prowess_practice.errands.edits.changes import one_of
from prowess_practice.errands.edits.choices import by, inside, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.lines.scene import in_note

_TARGET = Target(
    word="receipts",
    app="files",
    row="file",
    rows="files",
    reads=('files = all_pages(apis.files.search_files, access_token=files_token, directory_path="~/receipts")',),
    mine="the receipts in my folder ~/receipts",
    name="path",
    called="full path",
    update='apis.files.update_file(access_token=files_token, file_path=file["path"]',
)
_TEXT = 'content = apis.files.show_file(access_token=files_token, file_path=file["path"])["content"]'
_FIELDS = 'fields = dict(line.split(": ") for line in content.splitlines())'
_READ = (_TEXT, _FIELDS)
_WRITE = _TARGET.updating("content=new_content")


def _append(text: str) -> str:
    return f'apis.files.append_to_file(access_token=files_token, file_path=file["path"], text={text})'


def _move(path: str) -> str:
    return f'apis.files.move_file(access_token=files_token, file_path=file["path"], destination_path={path})'


def _line(draw: Draw, field: str) -> list[str]:
    texts = [file.content for file in draw.state[File].of(draw.me.id) if "/receipts/" in file.path]
    lines = [line for text in texts for line in text.splitlines()]
    return [line.split(": ")[1] for line in lines if line.startswith(f"{field}: ")]


def _some(draw: Draw, field: str) -> Values | None:
    found = _line(draw, field)
    return {field: draw.rng.choice(found)} if found else None


def _day(draw: Draw) -> Values | None:
    found = _line(draw, "date")
    return {"day": Day(draw.rng.choice(found))} if found else None


def _amount(draw: Draw) -> Values | None:
    found = sorted(float(one) for one in _line(draw, "total"))
    return {"amount": float(int(draw.rng.choice(found)))} if found else None


def _vendors(draw: Draw) -> Values | None:
    found = sorted({*_line(draw, "vendor")})
    if len(found) < 3:
        return None
    some = draw.rng.sample(found, draw.rng.randint(1, len(found) - 1))
    return in_note(draw, [*some, "to be continued"], [one for one in found if one not in some])


_CHOICES = (
    inside(
        _TARGET,
        "of_category",
        ('MINE with the line "category: {category}"', 'MINE that say "category: {category}" on one of their lines'),
        "of a category",
        'fields["category"] == category',
        looks=_READ,
        slots={"category": str},
        draws=lambda draw: _some(draw, "category"),
    ),
    inside(
        _TARGET,
        "over_total",
        'MINE with a total of more than {amount} dollars (by their "total" line)',
        "with a total of more than an amount",
        'float(fields["total"]) > amount',
        looks=_READ,
        slots={"amount": float},
        draws=_amount,
    ),
    inside(
        _TARGET,
        "since_day",
        'MINE that are dated {day} or later in their "date" line',
        "dated since a day",
        'fields["date"] >= day',
        looks=_READ,
        slots={"day": Day},
        draws=_day,
    ),
    inside(
        _TARGET,
        "before_day",
        'MINE whose "date" line gives a day before {day}',
        "dated before a day",
        'fields["date"] < day',
        looks=_READ,
        slots={"day": Day},
        draws=_day,
    ),
    inside(
        _TARGET,
        "of_noted_vendors",
        'MINE whose vendor, in the "vendor" line, is a line in my note "{note}"',
        "of vendors that a note names",
        'fields["vendor"] in vendors',
        before=(
            "notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=note)",
            'note_id = next(one["note_id"] for one in notes if one["title"] == note)',
            'noted = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]',
            "vendors = noted.splitlines()",
        ),
        apps=("notes",),
        looks=_READ,
        slots={"note": str},
        draws=_vendors,
    ),
    by(_TARGET, over("size", "larger than {more_than_size} bytes", "larger than so many bytes")),
    by(_TARGET, under("size", "smaller than {less_than_size} bytes", "smaller than so many bytes")),
    by(_TARGET, since("created_at", "created on or after {since}", "created since a day")),
    ranked(
        _TARGET,
        "newest",
        ("the {count} receipts in my folder ~/receipts that were created last",),
        "the newest receipts",
        'file["created_at"]',
        highest=True,
    ),
)
_CHANGES = (
    RowChange(
        word="add_tip",
        says=(
            'Add a line "{front}: AMOUNT" to each of WHICH, where AMOUNT is {percent} percent of its total, rounded to'
            " two decimals as in 3.50.",
            'TAKE Work out {percent} percent of the total of each and append it as a line "{front}: AMOUNT", with two'
            " decimals.",
            'At the end of WHICH, I want a line "{front}: AMOUNT". AMOUNT is what {percent} percent of the number in'
            " the"
            ' "total" line come to, with two decimals.',
        ),
        about="Add a share of the total to",
        each=(*_READ, 'part = float(fields["total"]) * percent / 100', _append('f"{front}: {part:.2f}"')),
        slots=(one_of("front", "tip|tax|refund|fee"), one_of("percent", "4|8|12|16|20", int)),
        matters=(("part:.2f", "part:.3f"),),
    ),
    RowChange(
        word="recategorize",
        says=(
            'Change the category of WHICH to "{new_category}": the line "category: ..." becomes "category:'
            ' {new_category}", the other lines stay.',
            'TAKE In each, the value after "category: " should be "{new_category}". Nothing else changes.',
            'WHICH belong to another category, "{new_category}". Correct the line that begins with "category: ".',
        ),
        about="Change the category of",
        each=(
            *_READ,
            'new_content = content.replace(f"category: {fields[\'category\']}", f"category: {new_category}")',
            _WRITE,
        ),
        slots=(one_of("new_category", "business|gifts|deductible|shared|various"),),
    ),
    RowChange(
        word="name_by_vendor",
        says=(
            'Rename each of WHICH, within ~/receipts, to "VENDOR-{front}-DATE.txt", with what its lines "vendor" and'
            ' "date" say.',
            'TAKE Their new names in ~/receipts consist of the vendor, "-{front}-", the date, both as in their text,'
            " and"
            ' ".txt".',
            'The names of WHICH should be "VENDOR-{front}-DATE.txt" in the same folder, with vendor and date taken from'
            " the lines of that name in the text.",
        ),
        about="Rename after vendor and date",
        each=(
            *_READ,
            "new_name = f\"{fields['vendor']}-{front}-{fields['date']}.txt\"",
            _move('f"~/receipts/{new_name}"'),
        ),
        slots=(one_of("front", "on|bill|receipt|paid"),),
    ),
    RowChange(
        word="drop_line",
        says=(
            'Remove the line that begins with "{field}: " from each of WHICH, and put a line "{last_line}" at the end.',
            'TAKE The line starting with "{field}: " is to be deleted there; the text ends with a new line'
            ' "{last_line}".',
            'WHICH should no longer have a line "{field}: ...". Take it out, and add "{last_line}" below the lines that'
            " remain.",
        ),
        about="Remove one line and add another in",
        each=(
            _TEXT,
            'kept = [one for one in content.splitlines() if not one.startswith(f"{field}: ")]',
            'new_content = "\\n".join([*kept, last_line])',
            _WRITE,
        ),
        slots=(one_of("field", "vendor|date|category|total"), one_of("last_line", "checked|seen|booked|filed")),
    ),
    RowChange(
        word="into_categories",
        says=(
            'Sort WHICH into folders by category: each is moved to "{new_folder}-CATEGORY" under the same name, with'
            ' the value of its "category" line. Make the folders, none of which is there yet.',
            'TAKE Move each to a folder that is called "{new_folder}-CATEGORY" after the category in its text; create'
            " such a folder when it is needed first. The names stay.",
            'I want WHICH apart by their "category" line: those of the category food in "{new_folder}-food", and so on.'
            " The folders have to be made; the files keep their names.",
        ),
        about="Move to folders by category",
        each=(
            *_READ,
            "category_folder = f\"{new_folder}-{fields['category']}\"",
            "found = apis.files.directory_exists(access_token=files_token, directory_path=category_folder)",
            'if not found["exists"]:',
            "    apis.files.create_directory(access_token=files_token, directory_path=category_folder)",
            'name = file["path"].split("/")[-1]',
            _move('f"{category_folder}/{name}"'),
        ),
        slots=(one_of("new_folder", "~/bills|~/spent|~/tax|~/paper"),),
    ),
    RowChange(
        word="convert",
        says=(
            'Convert the totals of WHICH to {currency} at {rate} for one dollar: append a line "{currency}: AMOUNT"'
            " with"
            " two decimals, and leave the rest.",
            'TAKE Each gets a last line "{currency}: AMOUNT". AMOUNT is its total times {rate}, with two decimals.',
            "How much is that in {currency}? Multiply the total of each of WHICH by {rate} and write it at the end,"
            " as a"
            ' line "{currency}: AMOUNT" with two decimals.',
        ),
        about="Add the total in another currency to",
        each=(*_READ, 'converted = float(fields["total"]) * rate', _append('f"{currency}: {converted:.2f}"')),
        slots=(one_of("currency", "francs|crowns|guilders|marks"), one_of("rate", "0.84|1.36|2.12|6.44|9.88", float)),
    ),
    RowChange(
        word="head",
        says=(
            'Put a heading "{front} VENDOR" with the vendor on a line of its own above the text of each of WHICH, and'
            " sort the lines below it by the alphabet.",
            'TAKE Their text should be: first "{front} VENDOR", the vendor being that of the "vendor" line, then the'
            " old"
            " lines in alphabetical order.",
            'Rewrite WHICH so that they start with a line "{front} VENDOR" (as given by the "vendor" line) and go on'
            " with"
            " all their lines sorted alphabetically.",
        ),
        about="Put a heading above and sort the lines of",
        each=(
            *_READ,
            "heading = f\"{front} {fields['vendor']}\"",
            'new_content = "\\n".join([heading, *sorted(content.splitlines())])',
            _WRITE,
        ),
        slots=(one_of("front", "Receipt from|Bought at|Paid to|Bill of"),),
        matters=(("*sorted(content.splitlines())", "*content.splitlines()"),),
    ),
    RowChange(
        word="copy_small",
        says=(
            'For each of WHICH, write a new file "{new_folder}/NAME" with the same name that only says "VENDOR: TOTAL"'
            " in one line, by its text. Create the folder first; the old files stay.",
            'TAKE In a new folder "{new_folder}", each should have a short version under its own name: the one line'
            ' "VENDOR: TOTAL", with what its vendor and total lines say.',
            'I need WHICH in short. Make a folder "{new_folder}" with a file of the same name for each, whose only line'
            ' is "VENDOR: TOTAL", taken from the text.',
        ),
        about="Write short versions of",
        before=("apis.files.create_directory(access_token=files_token, directory_path=new_folder)",),
        each=(
            *_READ,
            'name = file["path"].split("/")[-1]',
            "summary = f\"{fields['vendor']}: {fields['total']}\"",
            'apis.files.create_file(access_token=files_token, file_path=f"{new_folder}/{name}", content=summary)',
        ),
        slots=(one_of("new_folder", "~/short|~/in-brief|~/totals|~/digest"),),
    ),
)
RECEIPTS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, places=3)
