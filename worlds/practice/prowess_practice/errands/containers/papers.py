"""Containers of files and notes: folders with files, files and notes with lines, tags with notes."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.engine.family import Draw
from prowess_desk.families.toolbox import apis, login

from prowess.types import Json
from prowess_practice.drills.conditions import Condition, among, before, contains, ending, flag, over, since, under
from prowess_practice.drills.direct_calls import looked_up
from prowess_practice.drills.listing import Action, Measure, rename
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)

_PLACES = ("sorted", "to-keep", "old-things", "second-look", "leftovers")


def _folders() -> Json:
    return apis.files.show_directory(access_token=login(app="files"), recursive=True)["directories"]


def _own_folder(draw: Draw) -> str | None:
    paths = looked_up(_folders, draw.state.origin, draw.me.id, {})
    return draw.rng.choice(paths) if paths else None


def _new_folder(draw: Draw) -> str | None:
    paths = looked_up(_folders, draw.state.origin, draw.me.id, {})
    return f"{paths[0].rpartition('/')[0]}/{draw.rng.choice(_PLACES)}" if paths else None


_EXTENDING = ContainerDeed(
    word="extend",
    says='add the line "{words}" at the end of OBJ',
    about="extend OBJ",
    call='apis.files.append_to_file(access_token=files_token, file_path=ROW["path"], text=words)',
    app="files",
    slot="words",
    choose=one_of("Checked.", "Still open.", "Ask again.", "Done with this."),
)
_DELETING = ContainerDeed(
    word="delete",
    says="delete OBJ",
    call='apis.files.delete_file(access_token=files_token, file_path=ROW["path"])',
    app="files",
)
_MARKING = ContainerDeed(
    word="mark",
    says='rename OBJ by adding ".{mark}" to the path',
    call=(
        'apis.files.move_file(access_token=files_token, file_path=ROW["path"], '
        "destination_path=f'{ROW[\"path\"]}.{mark}')"
    ),
    app="files",
    slot="mark",
    choose=one_of("old", "bak", "done", "keep"),
)
_GATHERING = ContainerDeed(
    word="gather",
    says='make a new folder "{new_folder}" and move OBJ into it under the old name',
    about="move OBJ into a new folder",
    before="    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n",
    call=(
        'apis.files.move_file(access_token=files_token, file_path=ROW["path"], '
        'destination_path=f\'{new_folder}/{ROW["path"].split("/")[-1]}\')'
    ),
    app="files",
    slot="new_folder",
    choose=_new_folder,
)
_COPYING = ContainerDeed(
    word="copy",
    says='copy OBJ into my folder "{target}" under the same name',
    about="copy OBJ into a folder",
    call=(
        'apis.files.copy_file(access_token=files_token, file_path=ROW["path"], '
        'destination_path=f\'{target}/{ROW["path"].split("/")[-1]}\')'
    ),
    app="files",
    slot="target",
    choose=_own_folder,
    skip=Skip(test='ROW["path"].startswith(target)', says="Skip files that are in there or below it already."),
)
SIZE = Measure(field="size", most="is the largest", least="is the smallest", sum="sizes in bytes")
_SIZED = Inside(
    word="files",
    row="file",
    rows="files",
    look="all_pages(apis.files.search_files, access_token=files_token, directory_path=OUT)",
    one="file",
    many="files",
    remark="Files in folders further down count, too.",
    name='ROW["path"]',
    called="path",
    conditions=(
        over("size", "larger than {more_than_size} bytes", "larger than so many bytes"),
        since("created_at", "created on or after {since}", "created since a day"),
        before("updated_at", "last changed before {before}", "last changed before a day"),
        under("size", "smaller than {less_than_size} bytes", "smaller than so many bytes"),
        contains("path", 'with "{word}" in the path', "with a word in the path"),
    ),
    measures=(SIZE,),
    dated="created_at",
    happened="created",
    deeds=(_EXTENDING, _MARKING, _DELETING, _GATHERING, _COPYING),
)


def _plain(deed: ContainerDeed) -> ContainerDeed:
    """Where a row is the path itself."""
    return replace(deed, call=deed.call.replace('ROW["path"]', "ROW"), key="")


_DIRECT = Inside(
    word="direct_files",
    row="path",
    rows="paths",
    look='apis.files.show_directory(access_token=files_token, directory_path=OUT)["files"]',
    one="file",
    many="files",
    remark="Only what is right in a folder counts as its files, not what is further down.",
    name="ROW",
    called="path",
    conditions=(
        replace(ending(), says='with the ending ".{ending}"'),
        contains("", 'with "{word}" in the path', "with a word in the path"),
    ),
    deeds=(_plain(_EXTENDING), _plain(_DELETING), _plain(_MARKING), _plain(_GATHERING)),
)
LINES = Inside(
    word="lines",
    row="line",
    rows="lines",
    look='apis.files.show_file(access_token=files_token, file_path=OUT["path"])["content"].splitlines()',
    one="line",
    many="lines",
    name="ROW",
    called="text",
    conditions=(
        replace(contains("", 'with the word "{word}" in it', "with a word in it"), coarse=True),
        Condition(
            word="with_start",
            coarse=True,
            says='beginning with "{start}"',
            about="with a beginning",
            code="ROW.startswith(start)",
            slot="start",
            pick=lambda rng, rows: rng.choice([f"{row.split(': ')[0]}:" for row in rows if ": " in row]),
        ),
    ),
    whole=False,
)
FOLDERS = ContainerKind(
    app="files",
    word="folders",
    row="folder",
    rows="folders",
    lists='apis.files.show_directory(access_token=files_token, directory_path="~", recursive=True)["directories"]',
    one="folder",
    many="folders",
    key="ROW",
    name="ROW",
    called="path",
    insides=(_DIRECT,),
    deeds=(
        ContainerDeed(
            word="pack",
            says='pack OBJ into an archive beside it, with ".zip" added to its path',
            about="pack OBJ into archives",
            call=(
                'apis.files.compress_directory(access_token=files_token, directory_path=ROW, archive_path=f"{ROW}.zip")'
            ),
            app="files",
        ),
        ContainerDeed(
            word="sign",
            says='write a new file "{file_name}" into OBJ, with nothing but the word "Seen" in it',
            about="write a new file into OBJ",
            call='apis.files.create_file(access_token=files_token, file_path=f"{ROW}/{file_name}", content="Seen")',
            app="files",
            slot="file_name",
            choose=one_of("index.txt", "seen.txt", "about.txt", "marker.txt"),
        ),
        ContainerDeed(
            word="branch",
            says='make a new folder "{subfolder}" in OBJ',
            call='apis.files.create_directory(access_token=files_token, directory_path=f"{ROW}/{subfolder}")',
            app="files",
            slot="subfolder",
            choose=one_of("old", "sorted", "inbox", "later"),
        ),
    ),
)
TOP_FOLDERS = replace(
    FOLDERS,
    word="top_folders",
    lists='apis.files.show_directory(access_token=files_token, directory_path="~")["directories"]',
    one="folder directly in my home directory",
    many="folders directly in my home directory",
    whose="the",
    of="",
    insides=(_SIZED,),
    deeds=(
        ContainerDeed(
            word="delete",
            says="delete OBJ with everything in it",
            about="delete OBJ",
            call="apis.files.delete_directory(access_token=files_token, directory_path=ROW, recursive=True)",
            app="files",
        ),
        ContainerDeed(
            word="pack_away",
            says='pack OBJ into an archive beside it, with ".zip" added to its path, and delete the folder itself',
            about="pack OBJ away",
            call=(
                "apis.files.compress_directory(access_token=files_token, directory_path=ROW, "
                'archive_path=f"{ROW}.zip", delete_directory=True)'
            ),
            app="files",
        ),
    ),
)
FILES = ContainerKind(
    app="files",
    word="files",
    row="file",
    rows="files",
    few=False,
    lists="all_pages(apis.files.search_files, access_token=files_token)",
    one="file",
    many="files",
    key='ROW["path"]',
    name='ROW["path"]',
    called="path",
    filters=(
        ContainerFilter(
            word="sized",
            post=" larger than {more_than_size} bytes",
            condition=over("size", "", "larger than so many bytes"),
        ),
    ),
    insides=(LINES,),
    deeds=(_EXTENDING, _COPYING, _MARKING, _DELETING, _GATHERING),
)

PAPERS = (FOLDERS, TOP_FOLDERS, FILES)


_NOTE = 'note_id=ROW["note_id"]'
_PINNING = ContainerDeed(
    word="pin",
    says="pin OBJ",
    call=f"apis.notes.pin_note(access_token=notes_token, {_NOTE})",
    app="notes",
    skip=Skip(test='ROW["pinned"]', says="Skip notes that are pinned already."),
)
_ARCHIVING = done_by(Action(api="archive_note", verb="archive", arguments=_NOTE), "notes")
_TAGGING = done_by(
    Action(
        api="tag_note",
        verb="tag",
        arguments=f"{_NOTE}, tag=new_tag",
        after=' as "{new_tag}"',
        slot="new_tag",
        choices=("reviewed", "keep", "someday", "to sort", "shared", "draft"),
    ),
    "notes",
)
_NOTING = ContainerDeed(
    word="extend",
    says='add the line "{words}" at the end of OBJ',
    about="extend OBJ",
    call=f"apis.notes.append_to_note(access_token=notes_token, {_NOTE}, text=words)",
    app="notes",
    slot="words",
    choose=one_of("Checked.", "Still open.", "See the other note.", "Ask again."),
)
_REMOVING = ContainerDeed(
    word="delete", says="delete OBJ", call=f"apis.notes.delete_note(access_token=notes_token, {_NOTE})", app="notes"
)
_LISTED = Condition(word="listed", says='beginning with "- "', about="of a list", code='ROW.startswith("- ")')
NOTES = ContainerKind(
    app="notes",
    word="notes",
    row="note",
    rows="notes",
    few=False,
    lists="all_pages(apis.notes.list_notes, access_token=notes_token)",
    one="unarchived note",
    many="unarchived notes",
    key='ROW["note_id"]',
    name='ROW["title"]',
    called="title",
    filters=(
        ContainerFilter(word="tagged", post=' tagged "{tag}"', condition=among("tags", "", "with a tag", slot="tag")),
        ContainerFilter(word="pinned", adjective="pinned ", given="pinned=True"),
        ContainerFilter(word="unpinned", adjective="unpinned ", given="pinned=False"),
    ),
    insides=(
        replace(
            LINES,
            look='apis.notes.show_note(access_token=notes_token, note_id=OUT["note_id"])["content"].splitlines()',
            conditions=(LINES.conditions[0], _LISTED, LINES.conditions[1]),
            whole=True,
        ),
    ),
    deeds=(
        _PINNING,
        _TAGGING,
        _ARCHIVING,
        _NOTING,
        done_by(rename("update_note", "note_id", "title"), "notes"),
        ContainerDeed(
            word="duplicate",
            says='copy OBJ to a new note, with " (copy)" added to the title',
            call=f'apis.notes.duplicate_note(access_token=notes_token, {_NOTE}, title=ROW["title"] + " (copy)")',
            app="notes",
        ),
        _REMOVING,
    ),
)
TAGS = ContainerKind(
    app="notes",
    word="tags",
    row="entry",
    rows="entries",
    lists="apis.notes.list_tags(access_token=notes_token)",
    one="tag in my notes app",
    many="tags in my notes app",
    whose="the",
    of="",
    key='ROW["tag"]',
    name='ROW["tag"]',
    called="name",
    insides=(
        Inside(
            word="notes",
            row="note",
            rows="notes",
            look='all_pages(apis.notes.list_notes, access_token=notes_token, tag=OUT["tag"])',
            one="note",
            many="notes",
            remark="Archived notes do not count.",
            prep="under",
            name='ROW["title"]',
            called="title",
            key='ROW["note_id"]',
            conditions=(
                since("created_at", "created on or after {since}", "created since a day"),
                flag("pinned", "with a pin", "that are pinned"),
                before("updated_at", "last changed before {before}", "last changed before a day"),
                flag("pinned", "without a pin", "without a pin", yes=False),
            ),
            dated="updated_at",
            happened="changed",
            deeds=(
                replace(_PINNING, key='ROW["note_id"]'),
                ContainerDeed(
                    word="untag",
                    says="take the tag in question from OBJ",
                    about="untag OBJ",
                    call=f'apis.notes.untag_note(access_token=notes_token, {_NOTE}, tag=OUT["tag"])',
                    app="notes",
                ),
                replace(_ARCHIVING, key='ROW["note_id"]'),
                replace(_NOTING, key='ROW["note_id"]'),
                replace(_REMOVING, key='ROW["note_id"]'),
            ),
        ),
    ),
)
JOTTINGS = (NOTES, TAGS)
