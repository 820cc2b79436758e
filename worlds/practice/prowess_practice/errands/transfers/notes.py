"""Notes: what other apps, folders and tags say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listings_work import WORK
from prowess_practice.errands.transfers.parts import RowPool, RowSink, Slot, Tie, calling, gathering, one_of, own, pool
from prowess_practice.errands.transfers.scene import (
    alarms_of,
    also_files,
    also_notes,
    also_tasks,
    notes_of,
    own_folder,
    playlists_of,
)
from prowess_practice.errands.transfers.sinks import COUNT, each, filing, naming, tasking

_NOTES, _FILES = "access_token=notes_token", "access_token=files_token"
_LISTED = {listing.word: listing for listing in WORK}
_NOTE = 'note_id=ROW["note_id"]'
_FOLDER = Slot(name="folder", choose=own_folder)

NOTES = pool(
    _LISTED["notes"],
    one="note of mine outside the archive",
    many="notes of mine outside the archive",
    has=("unarchived",),
    conditions=_LISTED["notes"].conditions[1:4],
)
EVERY = pool(_LISTED["all_notes"], one="note of mine (archived or not)", many="notes of mine (archived or not)")
STORED = RowPool(
    app="notes",
    word="archived_notes",
    row="note",
    one="archived note of mine",
    many="archived notes of mine",
    reading=f"    notes = all_pages(apis.notes.list_notes, {_NOTES}, archived=True)\n",
    name="title",
    shuns=("with_copy", "with_playlist", "with_common_tag", "of_lines", "with_alarm"),
)
TAGGED = RowPool(
    app="notes",
    word="notes_tagged",
    row="note",
    one='unarchived note tagged "{tag}"',
    many='unarchived notes tagged "{tag}"',
    has=("unarchived",),
    reading=f"    notes = all_pages(apis.notes.list_notes, {_NOTES}, tag=tag)\n",
    name="title",
    slots=(own("tag", 'sorted({one["tag"] for one in apis.notes.list_tags(access_token=login(app="notes"))})'),),
    shuns=("with_common_tag",),
)
COPIED = Tie(
    word="with_copy",
    yes='with a file TITLE.txt (TITLE being the title of the note) in my folder "{folder}"',
    no='without a file TITLE.txt (TITLE being the title of the note) in my folder "{folder}"',
    whether='my folder "{folder}" has a file TITLE.txt, TITLE being its title',
    test="f\"{ROW['title']}.txt\" IN names",
    app="files",
    prelude=(
        f'    paths = apis.files.show_directory({_FILES}, directory_path=folder)["files"]\n'
        '    names = {path.split("/")[-1] for path in paths}\n'
    ),
    slots=(_FOLDER,),
    scene=also_files(notes_of),
)
PLANNED = Tie(
    word="with_open_task",
    yes="with exactly the title of an open task of mine",
    no="without an open task of exactly the same title",
    whether="an open task of mine has exactly its title",
    test='ROW["title"] IN planned',
    app="todo",
    prelude=(
        "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
        '    planned = {task["title"] for task in tasks}\n'
    ),
    scene=also_tasks(notes_of),
)
FINISHED = Tie(
    word="with_done_task",
    yes="with exactly the title of a done task of mine",
    no="without a done task of exactly the same title",
    whether="a done task of mine has exactly its title",
    test='ROW["title"] IN finished',
    app="todo",
    prelude=(
        "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=True)\n"
        '    finished = {task["title"] for task in tasks}\n'
    ),
    scene=also_tasks(notes_of, done=2),
)
PLAYLISTED = Tie(
    word="with_playlist",
    yes="with exactly the title of one of my playlists on music",
    no="without a playlist of exactly the same title on music",
    whether="one of my playlists on music has exactly its title",
    test='ROW["title"] IN playlists',
    app="music",
    prelude=gathering("playlists", "music.show_playlists", "title"),
    scene=also_notes(playlists_of),
)
SOUNDED = Tie(
    word="with_alarm",
    yes="titled exactly like the label of one of my alarms",
    no="not titled like the label of any of my alarms",
    whether="one of my alarms has exactly its title as the label",
    test='ROW["title"] IN labels',
    app="phone",
    prelude=gathering("labels", "phone.show_alarms", "label"),
    scene=also_notes(alarms_of),
)
COMMON_TAG = Tie(
    word="with_common_tag",
    yes="that have a tag which at least {others} notes have (archived ones counted)",
    no="that have no tag which at least {others} notes have (archived ones counted)",
    whether="it has a tag which at least {others} notes have (archived ones counted)",
    test='common.intersection(ROW["tags"])',
    prelude=(
        f"    tags = apis.notes.list_tags({_NOTES})\n"
        '    common = {one["tag"] for one in tags if one["notes"] >= others}\n'
    ),
    slots=(one_of("others", 3, 4, 5),),
)
LONG = Tie(
    word="of_lines",
    yes="with at least {least} lines of text",
    no="with fewer than {least} lines of text",
    whether="its text has at least {least} lines",
    test='ROW["note_id"] IN long_notes',
    prelude=(
        "    long_notes = set()\n"
        f"    for each in all_pages(apis.notes.search_notes, {_NOTES}):\n"
        f'        content = apis.notes.show_note({_NOTES}, note_id=each["note_id"])["content"]\n'
        "        if len(content.splitlines()) >= least:\n"
        '            long_notes.add(each["note_id"])\n'
    ),
    slots=(one_of("least", 2, 3, 4, 5),),
)
NOTE_TIES = (COPIED, PLANNED, FINISHED, PLAYLISTED, SOUNDED, COMMON_TAG, LONG)
FREE = Tie(word="unpinned", yes="without a pin", no="with a pin", whether="it is pinned", test='ROW["pinned"] is False')
LOOSE = Tie(
    word="unarchived", yes="outside the archive", no="inside", whether="it is free", test='ROW["archived"] is False'
)
_WORDS = one_of("words", "Checked.", "Still open.", "See the other one.", "Ask again.", "Done with this.")
NOTE_SINKS = (
    each("notes", "archive_note", _NOTE, "archive ALL", needs=((LOOSE, True),), bars=("archived_notes",)),
    COUNT,
    each("notes", "pin_note", _NOTE, "pin ALL", needs=((FREE, True),)),
    naming("title", "title"),
    each(
        "notes",
        "tag_note",
        f"{_NOTE}, tag=new_tag",
        'give the tag "{new_tag}" to ALL',
        word="tag",
        slots=(one_of("new_tag", "reviewed", "keep", "someday", "to sort", "shared", "draft"),),
    ),
    tasking("Tidy up TITLE", "f\"Tidy up {ROW['title']}\"", bars=("with_open_task", "with_done_task")),
    each(
        "notes",
        "append_to_note",
        f"{_NOTE}, text=words",
        'append the line "{words}" to ALL',
        word="extend",
        slots=(_WORDS,),
    ),
    each("notes", "delete_note", _NOTE, "delete ALL"),
    filing("TITLE (last changed on YYYY-MM-DD)", "f\"{ROW['title']} (last changed on {ROW['updated_at'][:10]})\""),
    RowSink(
        word="save_as_files",
        app="files",
        about="write the text of each of ALL into a file",
        do='write the text of each of ALL into a file TITLE.txt (TITLE being its title) in a new folder "{new_folder}"',
        code=(
            f"    apis.files.create_directory({_FILES}, directory_path=new_folder)\n"
            "    for ROW in found:\n"
            f'        content = apis.notes.show_note({_NOTES}, {_NOTE})["content"]\n'
            + calling("files.create_file", "file_path=f\"{new_folder}/{ROW['title']}.txt\", content=content")
        ),
        slots=(one_of("new_folder", "~/notes", "~/documents/notes", "~/backups/notes", "~/documents/from-notes"),),
    ),
    RowSink(
        word="task_and_archive",
        app="todo",
        about="make a task of each of ALL, then archive it",
        do="make a task for each of ALL, titled like the note and of priority {priority}, and then archive the note",
        code=(
            "    for ROW in found:\n"
            '        apis.todo.create_task(access_token=todo_token, title=ROW["title"], priority=priority)\n'
            f"        apis.notes.archive_note({_NOTES}, {_NOTE})\n"
        ),
        slots=(one_of("priority", 1, 2, 3),),
        needs=((LOOSE, True),),
        bars=("archived_notes", "with_open_task"),
    ),
    each(
        "notes",
        "duplicate_note",
        f"{_NOTE}, title=f\"{{ROW['title']}} ({{mark}})\"",
        'make a copy, with " ({mark})" added to the title, of ALL',
        word="copy",
        slots=(one_of("mark", "copy", "second", "2025", "spare"),),
    ),
)
