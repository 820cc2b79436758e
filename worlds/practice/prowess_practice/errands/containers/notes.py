"""Containers of the notes app: notes with their lines, and tags with their notes."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, among, before, flag, since
from prowess_practice.drills.listing import Action, rename
from prowess_practice.errands.containers.files import LINES
from prowess_practice.errands.containers.parts import Deed, Filter, Inside, Kind, Skip, done_by, one_of

_NOTE = 'note_id=ROW["note_id"]'
_PINNING = Deed(
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
_NOTING = Deed(
    word="extend",
    says='add the line "{words}" at the end of OBJ',
    about="extend OBJ",
    call=f"apis.notes.append_to_note(access_token=notes_token, {_NOTE}, text=words)",
    app="notes",
    slot="words",
    choose=one_of("Checked.", "Still open.", "See the other note.", "Ask again."),
)
_REMOVING = Deed(
    word="delete", says="delete OBJ", call=f"apis.notes.delete_note(access_token=notes_token, {_NOTE})", app="notes"
)
_LISTED = Condition(word="listed", says='beginning with "- "', about="of a list", code='ROW.startswith("- ")')
NOTES = Kind(
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
        Filter(word="tagged", post=' tagged "{tag}"', condition=among("tags", "", "with a tag", slot="tag")),
        Filter(word="pinned", adjective="pinned ", given="pinned=True"),
        Filter(word="unpinned", adjective="unpinned ", given="pinned=False"),
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
        Deed(
            word="duplicate",
            says='copy OBJ to a new note, with " (copy)" added to the title',
            call=f'apis.notes.duplicate_note(access_token=notes_token, {_NOTE}, title=ROW["title"] + " (copy)")',
            app="notes",
        ),
        _REMOVING,
    ),
)
TAGS = Kind(
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
                Deed(
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
