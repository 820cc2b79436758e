"""Files: which of them are renamed, moved or copied, and to what."""

from __future__ import annotations

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.edits.changes import one_of, text_edits
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target

_LISTING = listed("files", "files")
_TARGET = Target(
    word="files",
    app="files",
    row="file",
    rows="files",
    reads=("files = all_pages(apis.files.search_files, access_token=files_token)",),
    mine="my files",
    name="path",
    called="full path",
    update='apis.files.move_file(access_token=files_token, file_path=file["path"]',
)
_PARTS = 'folder, _, name = file["path"].rpartition("/")'
_TEXT = 'content = apis.files.show_file(access_token=files_token, file_path=file["path"])["content"]'


def _moved(path: str) -> str:
    return _TARGET.updating(f"destination_path={path}")


def _copied(path: str) -> str:
    return f'apis.files.copy_file(access_token=files_token, file_path=file["path"], destination_path={path})'


_ENDING = Condition(
    word="by_ending",
    says='ending in ".{kind}"',
    about="with an ending",
    code='ROW["path"].endswith("." + kind)',
    slot="kind",
    pick=lambda rng, rows: rng.choice([row["path"].rpartition(".")[2] for row in rows]),
)
_BELOW = Condition(
    word="below",
    says='lying in the folder "{place}" or below it',
    about="below a folder",
    code="",
    slot="place",
    argument="directory_path",
    pick=lambda rng, rows: rng.choice(["/".join(row["path"].split("/")[:4]) for row in rows]),
)
_FOLDER = one_of("new_folder", "~/sorted|~/handover|~/second-copy|~/spring|~/outbox|~/review-pile")


_CHOICES = (
    *(by(_TARGET, one) for one in (*_LISTING.conditions, _ENDING, _BELOW)),
    by(_TARGET, _ENDING, _LISTING.conditions[2]),
    by(_TARGET, _BELOW, _LISTING.conditions[3]),
    inside(
        _TARGET,
        "with_word_in_text",
        'MINE in whose text "{word}" occurs, spelt exactly like that',
        "with a word in the text",
        "word in content",
        looks=(_TEXT,),
        slots={"word": str},
        draws=lambda draw: {
            "word": draw.rng.choice(("total: 1", "category", "title", "Nothing", "tax", "taken: 2024", "food", "month"))
        },
    ),
    inside(
        _TARGET,
        "of_lines",
        "MINE with exactly {line_count} lines",
        "with so many lines",
        "len(content.splitlines()) == line_count",
        looks=(_TEXT,),
        slots={"line_count": int},
        draws=lambda draw: {"line_count": draw.rng.randint(2, 4)},
    ),
    inside(
        _TARGET,
        "of_long_lines",
        "MINE with a line of more than {letters} characters",
        "with a long line",
        "any(len(line) > letters for line in content.splitlines())",
        looks=(_TEXT,),
        slots={"letters": int},
        draws=lambda draw: {"letters": draw.rng.randint(24, 46)},
    ),
    ranked(
        _TARGET,
        "largest",
        ("my {count} largest files by their size", "the {count} files of mine with the greatest sizes"),
        "the largest files",
        'file["size"]',
        highest=True,
        most=8,
    ),
    ranked(
        _TARGET,
        "newest",
        ("my {count} newest files (by when they were created)", "the {count} files of mine that were created last"),
        "the newest files",
        'file["created_at"]',
        highest=True,
        most=8,
    ),
    ranked(
        _TARGET,
        "stalest",
        ("the {count} files of mine that were left unchanged the longest",),
        "the files left alone the longest",
        'file["updated_at"]',
        highest=False,
        most=8,
    ),
)
_MAKES = ("apis.files.create_directory(access_token=files_token, directory_path=new_folder)",)
_CHANGES = (
    RowChange(
        word="date",
        says=(
            'Rename each of WHICH within its folder to "{front}-DATE-NAME", where DATE is the day it was created, like'
            " 2025-01-31, and NAME the name it has.",
            'TAKE Put "{front}", a hyphen, the date of creation (as in 2025-01-31) and another hyphen before the name'
            " of"
            " each; the folders stay the same.",
            'The names of WHICH should start with "{front}-DATE-", DATE being the day of creation in the form'
            " 2025-01-31,"
            " and go on as before. They stay in their folders.",
        ),
        about="Put a word and the date before the names of",
        each=(_PARTS, _moved("f\"{folder}/{front}-{file['created_at'][:10]}-{name}\"")),
        slots=(one_of("front", "x|doc|old|me|v1"),),
    ),
    RowChange(
        word="gather",
        says=(
            'Make a new folder "{new_folder}" and move WHICH into it, each under the name it has with "{front}-" in'
            " front.",
            'TAKE They should all be moved to a folder "{new_folder}", which you have to create, and be named'
            ' "{front}-NAME" there, NAME being the old name.',
            'I want WHICH in one place: create the folder "{new_folder}", move them there and put "{front}-" before'
            " each name.",
        ),
        about="Move to a new folder under new names",
        before=_MAKES,
        each=('name = file["path"].split("/")[-1]', _moved('f"{new_folder}/{front}-{name}"')),
        slots=(_FOLDER, one_of("front", "a|moved|from-me|all|found")),
    ),
    RowChange(
        word="new_ending",
        says=(
            'Change the ending of WHICH to ".{ending_now}": the last dot in the name and what follows are replaced.',
            'TAKE Rename each so that its name ends in ".{ending_now}" instead of the ending it has; all else stays.',
            'WHICH should have ".{ending_now}" as their ending, in place of what comes after the last dot now.',
        ),
        about="Change the ending of",
        each=('stem = file["path"].rpartition(".")[0]', _moved('f"{stem}.{ending_now}"')),
        slots=(one_of("ending_now", "bak|old|text|dat|keep"),),
    ),
    RowChange(
        word="copy_beside",
        says=(
            'Copy each of WHICH into its own folder as "STEM-{suffix}.ENDING": the same name, with "-{suffix}" put in'
            " before the ending.",
            'TAKE Each gets a copy beside it, named like it but with "-{suffix}" before the last dot.',
            'I want a second version beside each of WHICH, a copy in the same folder. Its name has "-{suffix}" between'
            " the old name and the ending (before the last dot).",
        ),
        about="Make copies beside",
        each=('stem, _, ending = file["path"].rpartition(".")', _copied('f"{stem}-{suffix}.{ending}"')),
        slots=(one_of("suffix", "copy|2|safe|june|before"),),
    ),
    RowChange(
        word="note_size",
        says=(
            'Append to each of WHICH a line "{front}: SIZE bytes", where SIZE is the size it has now.',
            'TAKE On a new line at the end of each, write "{front}: SIZE bytes", with its size before that in place of'
            " SIZE.",
            'WHICH should say how large they were: a last line "{front}: SIZE bytes" in each, SIZE being its size until'
            " now.",
        ),
        about="Append the size to",
        each=(
            "apis.files.append_to_file("
            'access_token=files_token, file_path=file["path"], text=f"{front}: {file[\'size\']} bytes")',
        ),
        slots=(one_of("front", "Size|Was|Before this line|Measured"),),
    ),
    RowChange(
        word="by_year",
        says=(
            'Move WHICH into folders by the year in which they were created: "{new_folder}-2024" for 2024, and so on.'
            " Create those that are missing; the names stay.",
            'TAKE Each goes, under its own name, to the folder "{new_folder}-YEAR", YEAR being the year of its'
            " creation."
            " None of these folders is there at first, so make them.",
            'Sort WHICH by year. What was created in 2025 is moved to a folder "{new_folder}-2025", and likewise for'
            " other years; make each folder when it is first needed.",
        ),
        about="Move to folders by year",
        each=(
            "year_folder = f\"{new_folder}-{file['created_at'][:4]}\"",
            "found = apis.files.directory_exists(access_token=files_token, directory_path=year_folder)",
            'if not found["exists"]:',
            "    apis.files.create_directory(access_token=files_token, directory_path=year_folder)",
            'name = file["path"].split("/")[-1]',
            _moved('f"{year_folder}/{name}"'),
        ),
        slots=(_FOLDER,),
    ),
    RowChange(
        word="head",
        says=(
            'Put a first line "{front}: NAME" into each of WHICH, NAME being the name of the file without its folder.',
            'TAKE The text of each should begin with a new line "{front}: NAME" (the name of the file, ending included,'
            " without the folders), and go on with what was there.",
            'Let WHICH start with their own name: above the old text comes the line "{front}: NAME", where NAME is the'
            " last part of the path.",
        ),
        about="Put the name at the head of",
        each=(
            _TEXT,
            'name = file["path"].split("/")[-1]',
            'new_content = f"{front}: {name}\\n{content}"',
            'apis.files.update_file(access_token=files_token, file_path=file["path"], content=new_content)',
        ),
        slots=(one_of("front", "File|This is|Name|Known as"),),
    ),
    RowChange(
        word="number",
        says=(
            'Number WHICH from the oldest to the newest by their creation: the first gets "{front}1-" before its name,'
            ' the second "{front}2-", and so on, in the folders where they are.',
            'TAKE In the order in which they were created, put "{front}1-", "{front}2-" and so on before their names;'
            " leave them in their folders.",
            'I would like WHICH to carry numbers. The one created first is to be renamed to "{front}1-NAME" in its'
            ' folder, the next to "{front}2-NAME", and so forth, NAME being the old name.',
        ),
        about="Number by age the names of",
        each=(_PARTS, _moved('f"{folder}/{front}{number}-{name}"')),
        order='file["created_at"]',
        slots=(one_of("front", "no|nr|part|item"),),
        matters=((', key=lambda file: file["created_at"])\n    for', ", key=lambda file: file['path'])\n    for"),),
    ),
    RowChange(
        word="underline",
        says=(
            'Rename WHICH within their folders: every hyphen in the name becomes "{mark}".',
            'TAKE Replace each "-" in their names, not in their folders, by "{mark}".',
            'I do not like hyphens in the names of WHICH. Put "{mark}" wherever the name (the last part of the path)'
            " has"
            " one.",
        ),
        about="Replace hyphens in the names of",
        each=(_PARTS, 'new_name = name.replace("-", mark)', _moved('f"{folder}/{new_name}"')),
        also='"-" in file["path"].split("/")[-1]',
        slots=(one_of("mark", "_|.|+|~"),),
    ),
    RowChange(
        word="copy_out",
        says=(
            'Create the folder "{new_folder}" and copy WHICH there. A copy is named "FOLDER-NAME", after the name of'
            " the folder the file lies in and its own name.",
            'TAKE Put copies of them into the new folder "{new_folder}". Their names consist of the name of the folder'
            ' the original lies in (only the last one), a hyphen and the old name, like "FOLDER-NAME".',
            'In "{new_folder}", a folder that you make first, I want copies of WHICH, called "FOLDER-NAME": the name of'
            " the original's folder, a hyphen, the original's name.",
        ),
        about="Copy to a new folder",
        before=_MAKES,
        each=('parent, name = file["path"].split("/")[-2:]', _copied('f"{new_folder}/{parent}-{name}"')),
        slots=(_FOLDER,),
    ),
    RowChange(
        word="shout",
        says=(
            'Write the names of WHICH in capitals within their folders, ending included, and put "{front}_" before'
            " them.",
            'TAKE Rename each to "{front}_NAME", with NAME being its name in upper case; its folder stays.',
            'Make the names of WHICH loud: all letters of the name as capitals, after "{front}_". The folders do not'
            " change.",
        ),
        about="Write in capitals the names of",
        each=(_PARTS, _moved('f"{folder}/{front}_{name.upper()}"')),
        slots=(one_of("front", "A|NEW|X|KEEP"),),
    ),
    RowChange(
        word="lines_of",
        says=(
            'Let the names of WHICH show the number of lines: within its folder, "NAME" becomes "{front}COUNT-NAME".',
            'TAKE Before the name of each, put "{front}", the number of its lines and a hyphen, so that the name looks'
            ' like "{front}3-NAME". It stays where it is.',
            'From the names of WHICH I want to see how many lines they have. Let them be "{front}COUNT-NAME", where'
            " COUNT is the number of lines and NAME the old name; folders stay.",
        ),
        about="Put the number of lines before the names of",
        each=(
            _TEXT,
            _PARTS,
            "count_of_lines = len(content.splitlines())",
            _moved('f"{folder}/{front}{count_of_lines}-{name}"'),
        ),
        slots=(one_of("front", "lines|n|len|rows"),),
    ),
    *text_edits(_TEXT, 'apis.files.update_file(access_token=files_token, file_path=file["path"], content=new_content)'),
)
FILES = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, places=9)
