"""Notes and files that lines go into."""

from __future__ import annotations

from prowess_practice.errands.reports.parts import Sink
from prowess_practice.errands.reports.slots import OWN_FILE, OWN_NOTE, PATH, TITLE
from prowess_practice.errands.transfers.parts import one_of

JOINED = '"\\n".join(lines)'
_FIND_NOTE = (
    "    own_notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=own_note)\n"
    '    note_id = next(one["note_id"] for one in own_notes if one["title"] == own_note)\n'
)

NOTE = Sink(
    word="note",
    app="notes",
    code=f"    apis.notes.create_note(access_token=notes_token, title=title, content={JOINED})\n",
    give='Write a new note titled "{title}" with CONTENT',
    finish='Write the ITEMS, one below the other, into a new note titled "{title}".',
    place='in a new note titled "{title}"',
    about="into a new note",
    slots=(TITLE,),
)
TAGGED_NOTE = Sink(
    word="tagged_note",
    app="notes",
    code=f"    apis.notes.create_note(access_token=notes_token, title=title, content={JOINED}, tags=[new_tag])\n",
    give='Make a new note "{title}", tagged "{new_tag}", with CONTENT',
    finish='Save the ITEMS as a new note with the title "{title}" and the tag "{new_tag}".',
    place='in a new note called "{title}" with the tag "{new_tag}"',
    about="into a new note with a tag",
    slots=(TITLE, one_of("new_tag", "report", "numbers", "review", "stats")),
)
STORED_NOTE = Sink(
    word="archived_note",
    app="notes",
    code=(
        f"    created = apis.notes.create_note(access_token=notes_token, title=title, content={JOINED})\n"
        '    apis.notes.archive_note(access_token=notes_token, note_id=created["note_id"])\n'
    ),
    give='For my archive, write a new note titled "{title}" and archive it. It should have CONTENT',
    finish='Put the ITEMS into a new note titled "{title}" and move this note into the archive.',
    place='in a new note titled "{title}" that lies in the archive',
    about="into a new note, and archive it",
    slots=(TITLE,),
)
END_OF_NOTE = Sink(
    word="extend_note",
    app="notes",
    code=f"{_FIND_NOTE}    apis.notes.append_to_note(access_token=notes_token, note_id=note_id, text={JOINED})\n",
    give='To the end of my note "{own_note}", append CONTENT',
    finish='Append the ITEMS, one below the other, to my note "{own_note}".',
    place='at the end of my note "{own_note}", below what it says already',
    about="at the end of a note",
    slots=(OWN_NOTE,),
)
REPLACED_NOTE = Sink(
    word="replace_note",
    app="notes",
    code=f"{_FIND_NOTE}    apis.notes.update_note(access_token=notes_token, note_id=note_id, content={JOINED})\n",
    give='Replace the whole text of my note "{own_note}" by CONTENT',
    finish='These ITEMS, one below the other, become the new text of my note "{own_note}"; the old text goes.',
    place='in my note "{own_note}" in place of all that it says now',
    about="into a note in place of its text",
    slots=(OWN_NOTE,),
)
COPIED_NOTE = Sink(
    word="copied_note",
    app="notes",
    code=(
        f"{_FIND_NOTE}"
        "    copy = apis.notes.duplicate_note(access_token=notes_token, note_id=note_id, title=title)\n"
        f'    apis.notes.append_to_note(access_token=notes_token, note_id=copy["note_id"], text={JOINED})\n'
    ),
    give='Duplicate my note "{own_note}" under the title "{title}", and append to the copy CONTENT',
    finish='Copy my note "{own_note}" to a new note "{title}" and append the ITEMS to that copy.',
    place='at the end of a copy of my note "{own_note}" that is titled "{title}"',
    about="at the end of a copy of a note",
    slots=(OWN_NOTE, TITLE),
)
FILE = Sink(
    word="file",
    app="files",
    code=f"    apis.files.create_file(access_token=files_token, file_path=path, content={JOINED})\n",
    give='Create the file "{path}" with CONTENT',
    finish='Save the ITEMS, one below the other, as a new file "{path}".',
    place='in a new file "{path}"',
    about="into a new file",
    slots=(PATH,),
)
END_OF_FILE = Sink(
    word="extend_file",
    app="files",
    code=f"    apis.files.append_to_file(access_token=files_token, file_path=own_file, text={JOINED})\n",
    give='Extend my file "{own_file}" by CONTENT',
    finish='Append the ITEMS, one below the other, to my file "{own_file}".',
    place='at the end of my file "{own_file}", after what it has now',
    about="at the end of a file",
    slots=(OWN_FILE,),
)
REPLACED_FILE = Sink(
    word="replace_file",
    app="files",
    code=f"    apis.files.update_file(access_token=files_token, file_path=own_file, content={JOINED})\n",
    give='Overwrite my file "{own_file}" with CONTENT',
    finish='The ITEMS, one below the other, replace everything that my file "{own_file}" has now.',
    place='in my file "{own_file}", whose old content goes',
    about="into a file in place of its content",
    slots=(OWN_FILE,),
)
COPIED_FILE = Sink(
    word="copied_file",
    app="files",
    code=(
        "    apis.files.copy_file(access_token=files_token, file_path=own_file, destination_path=path)\n"
        f"    apis.files.append_to_file(access_token=files_token, file_path=path, text={JOINED})\n"
    ),
    give='Copy my file "{own_file}" to "{path}", and append to the copy CONTENT',
    finish='Make a copy "{path}" of my file "{own_file}" and append the ITEMS to the copy only.',
    place='at the end of "{path}", which is to be a copy of my file "{own_file}"',
    about="at the end of a copy of a file",
    slots=(OWN_FILE, PATH),
)
NEW_FOLDER = Sink(
    word="file_in_new_folder",
    app="files",
    code=(
        "    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n"
        '    path = f"{new_folder}/report.txt"\n'
        f"    apis.files.create_file(access_token=files_token, file_path=path, content={JOINED})\n"
    ),
    give='Make a folder "{new_folder}" and in it a file report.txt with CONTENT',
    finish='Make a folder "{new_folder}" and save the ITEMS in it as report.txt.',
    place='in a file report.txt in a new folder "{new_folder}"',
    about="into a file in a new folder",
    slots=(one_of("new_folder", "~/reports", "~/documents/reports", "~/documents/2025", "~/figures"),),
)
