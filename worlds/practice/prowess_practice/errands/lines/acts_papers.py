"""What can be done in the notes and the files app about notes, files and folders that a text names."""

from __future__ import annotations

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act

_NOTES, _FILES = ("notes",), ("files",)
_NOTE = "the title of a note"
_NO_NOTE = ("Titles that no note has are skipped.", "If there is no note of that very title, leave it out.")
_IN_DOWNLOADS = "the name of a file in ~/downloads"
_NO_FILE = ("Names that no file in there has are skipped.", "A file that is not in ~/downloads is left out.")


def _listed(filter: str, call: str) -> str:
    """Go through a listing of notes, and do it to those that are named."""
    return f"""
    every = all_pages(apis.notes.list_notes, access_token=notes_token{filter})
    chosen = [one for one in every if one["title"] in names]
    for one in chosen:
        apis.notes.{call}
    return len(chosen)
"""


def _searched(call: str) -> str:
    """Find each by its title, archived or not, and do it to those."""
    return f"""
    count = 0
    for name in names:
        for one in all_pages(apis.notes.search_notes, access_token=notes_token, query=name):
            if one["title"] == name:
                apis.notes.{call}
                count += 1
    return count
"""


def _downloaded(call: str) -> str:
    """Do it to the files of ~/downloads that are named."""
    return f"""
    paths = apis.files.show_directory(access_token=files_token, directory_path="~/downloads")["files"]
    chosen = [path for path in paths if path.split("/")[-1] in names]
    for path in chosen:
        {call}
    return len(chosen)
"""


def _sent(api: str) -> str:
    return (
        "target = f\"{target_folder}/{path.split('/')[-1]}\"\n"
        f"        apis.files.{api}(access_token=files_token, file_path=path, destination_path=target)"
    )


_ID = '(access_token=notes_token, note_id=one["note_id"]'
_TAGS = ("spring", "reread", "shared", "club", "printed")
_TARGETS = ("~/documents/personal", "~/documents/work", "~/backups", "~/receipts")

ACTS = (
    Act(
        word="archive_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=("archive OBJ", "put OBJ into the archive"),
        skips=(
            "Some are in the archive already, and some titles are of no note: there is nothing to do for them.",
            "Skip archived notes, and titles that no note has.",
        ),
        about="Archive the notes",
        code=_listed("", f"archive_note{_ID})"),
        pool=pools.current_notes,
    ),
    Act(
        word="unarchive_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=("take OBJ out of the archive", "bring OBJ back from the archive"),
        skips=(
            "What is not in the archive is skipped.",
            "Notes outside the archive, and titles that no note has, need nothing.",
        ),
        about="Unarchive the notes",
        code=_listed(", archived=True", f"unarchive_note{_ID})"),
        pool=pools.archived_notes,
    ),
    Act(
        word="delete_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=("delete OBJ, archived or not,", "remove OBJ for good, from the archive, too,"),
        skips=_NO_NOTE,
        about="Delete the notes",
        code=_searched(f"delete_note{_ID})"),
        pool=pools.any_notes,
    ),
    Act(
        word="tag_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=('give OBJ the tag "{new_tag}" (archived ones, too)', 'tag OBJ with "{new_tag}", whether archived or not,'),
        skips=_NO_NOTE,
        about="Tag the notes",
        code=_searched(f"tag_note{_ID}, tag=new_tag)"),
        pool=pools.any_notes,
        slots={"new_tag": str},
        choose=lambda draw: {"new_tag": draw.rng.choice(_TAGS)},
    ),
    Act(
        word="pin_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=("pin OBJ", "pin OBJ to the top"),
        skips=(
            "Archived notes do not count, pinned ones stay pinned, and titles that no note has are skipped.",
            "Leave out what is pinned or archived, or is no note at all.",
        ),
        about="Pin the notes",
        code=_listed(", pinned=False", f"pin_note{_ID})"),
        pool=pools.unpinned_notes,
    ),
    Act(
        word="add_line_to_notes",
        apps=_NOTES,
        a=_NOTE,
        one="note",
        do=(
            'append the line "{remark}" to OBJ (also to archived ones)',
            'let OBJ, archived or not, end with a new line "{remark}"',
        ),
        skips=_NO_NOTE,
        about="Append a line to the notes",
        code=_searched(f"append_to_note{_ID}, text=remark)"),
        pool=pools.any_notes,
        slots={"remark": str},
        choose=lambda draw: {"remark": draw.rng.choice(("checked in May", "to be copied", "read aloud", "still true"))},
    ),
    Act(
        word="create_empty_notes",
        apps=_NOTES,
        a="the title of a note to be",
        one="title",
        ones="titles",
        do=('make new empty notes of OBJ, tagged "{new_tag}",', 'start empty notes with the tag "{new_tag}" for OBJ'),
        skips=(
            "If I have a note of that title, archived or not, make none.",
            "A title that one of my notes, archived or not, has already is left out.",
        ),
        about="Create empty notes for the new titles",
        code="""
    known = [one["title"] for one in all_pages(apis.notes.search_notes, access_token=notes_token)]
    missing = [name for name in names if name not in known]
    for name in missing:
        apis.notes.create_note(access_token=notes_token, title=name, tags=[new_tag])
    return len(missing)
""",
        pool=pools.new_titles,
        slots={"new_tag": str},
        choose=lambda draw: {"new_tag": draw.rng.choice(_TAGS)},
    ),
    Act(
        word="copy_notes_to_files",
        apps=("notes", "files"),
        a=_NOTE,
        one="note",
        do=(
            'copy the contents of OBJ, archived or not, into new files in "{target_folder}" (files app), each named'
            " like its note with .txt behind",
            'save OBJ (from the archive, too) as new files in "{target_folder}" in the files app: the title and .txt'
            " is the name, the content the content",
        ),
        skips=_NO_NOTE,
        about="Copy to files the notes",
        code="""
    count = 0
    for name in names:
        for one in all_pages(apis.notes.search_notes, access_token=notes_token, query=name):
            if one["title"] == name:
                text = apis.notes.show_note(access_token=notes_token, note_id=one["note_id"])["content"]
                path = f"{target_folder}/{name}.txt"
                apis.files.create_file(access_token=files_token, file_path=path, content=text)
                count += 1
    return count
""",
        pool=pools.any_notes,
        slots={"target_folder": str},
        choose=lambda draw: {"target_folder": draw.rng.choice(_TARGETS)},
    ),
    Act(
        word="delete_downloads",
        apps=_FILES,
        a=_IN_DOWNLOADS,
        one="file",
        do=("delete OBJ from ~/downloads", "remove OBJ, which lie in ~/downloads, for good"),
        skips=_NO_FILE,
        about="Delete from downloads the files",
        code=_downloaded("apis.files.delete_file(access_token=files_token, file_path=path)"),
        pool=pools.downloads,
    ),
    Act(
        word="move_downloads",
        apps=_FILES,
        a=_IN_DOWNLOADS,
        one="file",
        do=(
            'move OBJ from ~/downloads to "{target_folder}" under the same names',
            'take OBJ out of ~/downloads and put them, names unchanged, into "{target_folder}"',
        ),
        skips=_NO_FILE,
        about="Move out of downloads the files",
        code=_downloaded(_sent("move_file")),
        pool=pools.downloads,
        slots={"target_folder": str},
        choose=lambda draw: {"target_folder": draw.rng.choice(_TARGETS)},
    ),
    Act(
        word="copy_downloads",
        apps=_FILES,
        a=_IN_DOWNLOADS,
        one="file",
        do=(
            'copy OBJ from ~/downloads to "{target_folder}" under the same names',
            'put copies of OBJ, which are in ~/downloads, into "{target_folder}", with their names as they are,',
        ),
        skips=_NO_FILE,
        about="Copy from downloads the files",
        code=_downloaded(_sent("copy_file")),
        pool=pools.downloads,
        slots={"target_folder": str},
        choose=lambda draw: {"target_folder": draw.rng.choice(_TARGETS)},
    ),
    Act(
        word="sign_downloads",
        apps=_FILES,
        a=_IN_DOWNLOADS,
        one="file",
        do=(
            'append the line "{remark}" to OBJ in ~/downloads',
            'let OBJ, which are in ~/downloads, end with a new line "{remark}"',
        ),
        skips=_NO_FILE,
        about="Append a line to the downloaded files",
        code=_downloaded("apis.files.append_to_file(access_token=files_token, file_path=path, text=remark)"),
        pool=pools.downloads,
        slots={"remark": str},
        choose=lambda draw: {"remark": draw.rng.choice(("seen", "for the club", "to be printed", "keep until June"))},
    ),
    Act(
        word="make_folders",
        apps=_FILES,
        a="the name of a folder",
        one="folder",
        do=("create OBJ in my home directory", "make OBJ as new folders right in my home directory"),
        skips=("What is there already stays.", "If a folder of that name is there, do nothing."),
        about="Create at home the folders",
        code="""
    count = 0
    for name in names:
        if not apis.files.directory_exists(access_token=files_token, directory_path=f"~/{name}")["exists"]:
            apis.files.create_directory(access_token=files_token, directory_path=f"~/{name}")
            count += 1
    return count
""",
        pool=pools.new_folders,
    ),
    Act(
        word="pack_folders",
        apps=_FILES,
        a="the name of a folder in my home directory",
        one="folder",
        do=(
            "compress OBJ, each into ~/backups under its name with .zip behind, and keep the folder",
            "pack OBJ, one archive per folder: ~/backups/<name of the folder>.zip; the folder itself stays",
        ),
        skips=("Skip names for which there is no such folder.", "A folder that does not exist is left out."),
        about="Compress the folders",
        code="""
    count = 0
    for name in names:
        if apis.files.directory_exists(access_token=files_token, directory_path=f"~/{name}")["exists"]:
            apis.files.compress_directory(
                access_token=files_token, directory_path=f"~/{name}", archive_path=f"~/backups/{name}.zip"
            )
            count += 1
    return count
""",
        pool=pools.folders,
        fewest=2,
        most=4,
    ),
    Act(
        word="drop_folders",
        apps=_FILES,
        a="the name of a folder in my home directory",
        one="folder",
        do=("delete OBJ with everything in them", "remove OBJ, together with the files they hold,"),
        skips=("Skip names for which there is no such folder.", "Where no such folder is, do nothing."),
        about="Delete the folders",
        code="""
    folders = apis.files.show_directory(access_token=files_token)["directories"]
    chosen = [path for path in folders if path.split("/")[-1] in names]
    for path in chosen:
        apis.files.delete_directory(access_token=files_token, directory_path=path, recursive=True)
    return len(chosen)
""",
        pool=pools.folders,
        fewest=2,
        most=4,
    ),
)
