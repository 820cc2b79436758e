"""Files: what notes, tasks and folders say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listings_work import WORK
from prowess_practice.errands.transfers.parts import RowPool, RowSink, Slot, Tie, calling, gathering, one_of, pool
from prowess_practice.errands.transfers.scene import also_files, notes_of, own_folder, tasks_of
from prowess_practice.errands.transfers.sinks import COUNT, adding, each, naming, noting, tasking

_FILES = "access_token=files_token"
_LISTED = {listing.word: listing for listing in WORK}
_FOLDER = Slot(name="folder", choose=own_folder)
_WORDS = one_of("words", "Checked.", "Still open.", "See the other one.", "Ask again.", "Done with this.")
_FILE = 'file_path=ROW["path"]'
FILES = pool(_LISTED["files"], conditions=_LISTED["files"].conditions[:5])
FOUND = RowPool(
    app="files",
    word="files_below",
    row="file",
    one='file in my folder "{directory}" or below it',
    many='files in my folder "{directory}" or below it',
    reading=f"    files = all_pages(apis.files.search_files, {_FILES}, directory_path=directory)\n",
    name="path",
    slots=(one_of("directory", "~/documents", "~/photos", "~/receipts", "~/downloads"),),
    shuns=("with_note", "with_task"),
)
COPIES = RowPool(
    app="files",
    word="copies",
    row="file",
    one='file in my folder "{folder}"',
    many='files in my folder "{folder}"',
    reading=f"    files = all_pages(apis.files.search_files, {_FILES}, directory_path=folder)\n",
    name="path",
    slots=(_FOLDER,),
    shuns=("in_crowded_folder", "saying"),
)
HAS_NOTE = Tie(
    word="with_note",
    yes="called like one of my notes (archived or not) plus .txt",
    no="without a note of the same name (the file's name being the note's title plus .txt)",
    whether="one of my notes, archived or not, has its name without .txt as the title",
    test='ROW["path"].split("/")[-1].removesuffix(".txt") IN titles',
    app="notes",
    prelude=gathering("titles", "notes.search_notes", "title"),
    scene=also_files(notes_of),
)
HAS_TASK = Tie(
    word="with_task",
    yes="called like one of my open tasks plus .txt",
    no="without an open task of the same name (the file's name being the task's title plus .txt)",
    whether="one of my open tasks has its name without .txt as the title",
    test='ROW["path"].split("/")[-1].removesuffix(".txt") IN titles',
    app="todo",
    prelude=(
        "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
        '    titles = {task["title"] for task in tasks}\n'
    ),
    scene=also_files(tasks_of),
)
CROWDED = Tie(
    word="in_crowded_folder",
    yes="lying directly in a folder with more than {others} files",
    no="lying directly in a folder with {others} files or fewer",
    whether="more than {others} files lie directly in its folder, itself included",
    test='folders.count(ROW["path"].rpartition("/")[0]) > others',
    prelude=(
        f"    every = all_pages(apis.files.search_files, {_FILES})\n"
        '    folders = [each["path"].rpartition("/")[0] for each in every]\n'
    ),
    slots=(one_of("others", 2, 3, 4),),
)
SAID = Tie(
    word="saying",
    yes='with the word "{word}" (in capitals or not) in the text',
    no='without the word "{word}" (in capitals or not) in the text',
    whether='the word "{word}" occurs in its text, in capitals or not',
    test='ROW["path"] IN saying',
    prelude=(
        "    saying = set()\n"
        f"    for each in all_pages(apis.files.search_files, {_FILES}):\n"
        f'        content = apis.files.show_file({_FILES}, file_path=each["path"])["content"]\n'
        "        if word.lower() in content.lower():\n"
        '            saying.add(each["path"])\n'
    ),
    slots=(
        one_of("word", "food", "transport", "open", "final", "figures", "quarter", "photo", "category", "downloaded"),
    ),
)
FILE_TIES = (HAS_NOTE, HAS_TASK, CROWDED, SAID)
FILE_SINKS = (
    each("files", "delete_file", _FILE, "delete ALL"),
    COUNT,
    RowSink(
        word="move_files",
        about="move ALL into a new folder",
        do='make a new folder "{new_folder}" and move there, names kept, ALL',
        code=(
            f"    apis.files.create_directory({_FILES}, directory_path=new_folder)\n"
            "    for ROW in found:\n"
            "        target = f\"{new_folder}/{ROW['path'].split('/')[-1]}\"\n"
            + calling("files.move_file", f"{_FILE}, destination_path=target")
        ),
        slots=(one_of("new_folder", "~/sorted", "~/documents/sorted", "~/old", "~/backups/old", "~/aside"),),
    ),
    noting("PATH: SIZE", "f\"{ROW['path']}: {ROW['size']}\""),
    adding("size", "sizes", " in bytes"),
    tasking("Check PATH", "f\"Check {ROW['path']}\""),
    each(
        "files",
        "append_to_file",
        f"{_FILE}, text=words",
        'append the line "{words}" to ALL',
        word="extend",
        slots=(_WORDS,),
    ),
    naming("path", "path"),
    RowSink(
        word="copy_files",
        about="copy ALL into a new folder",
        do='make a new folder "{new_folder}" and put there, names kept, copies of ALL',
        code=(
            f"    apis.files.create_directory({_FILES}, directory_path=new_folder)\n"
            "    for ROW in found:\n"
            "        target = f\"{new_folder}/{ROW['path'].split('/')[-1]}\"\n"
            + calling("files.copy_file", f"{_FILE}, destination_path=target")
        ),
        slots=(one_of("new_folder", "~/picked", "~/documents/picked", "~/handover", "~/backups/picked"),),
    ),
    RowSink(
        word="notes_from",
        app="notes",
        about="make a note of the text of each of ALL",
        do='make a note for each of ALL, with the file\'s path as the title, its text as the text and the tag "{tag}"',
        code=(
            "    for ROW in found:\n"
            f'        content = apis.files.show_file({_FILES}, {_FILE})["content"]\n'
            + calling("notes.create_note", 'title=ROW["path"], content=content, tags=[tag]')
        ),
        slots=(one_of("tag", "files", "imported", "papers", "from files"),),
    ),
)
