"""Notes: titled texts with tags, some of them lists, some `key: value` lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

from prowess.types import Json
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, OneOf, PageIndex, PageLimit, Query, conflict, invalid, missing, page
from prowess_desk.engine.reading import counted, labels, matches, without
from prowess_desk.engine.tables import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note; titles are unique among the notes of one person."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at", "updated_at")

    id: int
    owner: int
    title: str
    content: str
    tags: tuple[str, ...]
    """Lower case and sorted."""
    created_at: datetime
    updated_at: datetime
    pinned: bool = False
    archived: bool = False


# Changes


def write_note(
    state: State, owner: int, title: str, content: str = "", tags: Sequence[str] = (), *, pinned: bool = False
) -> Note:
    """Write a new note."""
    return state[Note].add(
        lambda id: Note(
            id=id,
            owner=owner,
            title=title,
            content=content,
            tags=labels(tags),
            created_at=state.now,
            updated_at=state.now,
            pinned=pinned,
        )
    )


def rewrite(state: State, note: int, **fields: Any) -> Note:
    """Change title, content, tags, pinned or archived."""
    return state[Note].change(note, updated_at=state.now, **fields)


def append(state: State, note: int, text: str) -> Note:
    """Add text on a new line at the end."""
    old = state[Note][note].content
    return rewrite(state, note, content=f"{old}\n{text}" if old else text)


def add_tag(state: State, note: int, name: str) -> Note:
    """Add a tag."""
    return rewrite(state, note, tags=labels((*state[Note][note].tags, name)))


def drop_tag(state: State, note: int, name: str) -> Note:
    """Take a tag away."""
    return rewrite(state, note, tags=without(state[Note][note].tags, name.lower()))


def note_titled(state: State, owner: int, title: str) -> Note:
    """A person's note of this title, for those who know that it exists."""
    return next(note for note in state[Note].of(owner) if note.title == title)


# APIs

notes = with_accounts(App("notes", "Write, search, tag, pin and archive notes."))

NoteId = Annotated[int, "id of the note"]
Tag = Annotated[str, "name of the tag"]
Title = Annotated[str, "title, unlike those of your other notes"]
BRIEF: Json = {
    "note_id": 1,
    "title": "string",
    "tags": ["string"],
    "pinned": False,
    "archived": False,
    "created_at": "2025-01-31T10:00:00",
    "updated_at": "2025-01-31T10:00:00",
}
DONE: Json = {"message": "string", "note_id": 1}
SORTS = ("title", "created_at", "-created_at", "updated_at", "-updated_at")


def _brief(note: Note) -> dict[str, Json]:
    return {
        "note_id": note.id,
        "title": note.title,
        "tags": list(note.tags),
        "pinned": note.pinned,
        "archived": note.archived,
        "created_at": note.created_at.isoformat(),
        "updated_at": note.updated_at.isoformat(),
    }


def _mine(ctx: Ctx, note_id: int) -> Note:
    note = ctx.state[Note].get(note_id)
    if note is None or note.owner != ctx.me.id:
        missing("note", note_id)
    return note


def _fresh(ctx: Ctx, title: str, but: int = 0) -> str:
    if not title.strip():
        invalid("title must not be empty.")
    wanted = title.lower()
    if any(note.title.lower() == wanted and note.id != but for note in ctx.state[Note].of(ctx.me.id)):
        conflict(f"You already have a note titled '{title[:80]}'.")
    return title


@notes.api(returns=[BRIEF])
def list_notes(
    ctx: Ctx,
    tag: Annotated[str | None, "only notes with this tag"] = None,
    pinned: Annotated[bool | None, "only pinned (true) or unpinned (false) notes"] = None,
    archived: Annotated[bool, "archived notes instead of the others"] = False,
    sort_by: Annotated[str, "order; - for latest first", OneOf(SORTS)] = "-updated_at",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your notes without their content; paginated."""
    wanted = tag.lower() if tag is not None else None
    found = [
        note
        for note in ctx.state[Note].of(ctx.me.id)
        if note.archived == archived
        and (pinned is None or note.pinned == pinned)
        and (wanted is None or wanted in note.tags)
    ]
    key = sort_by.removeprefix("-")
    found.sort(key=lambda note: (getattr(note, key), note.id), reverse=sort_by[0] == "-")
    return [_brief(note) for note in page(found, page_index, page_limit)]


@notes.api(returns=[BRIEF])
def search_notes(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """Search all your notes, archived ones too, by words of title and content, by title; paginated."""
    found = [note for note in ctx.state[Note].of(ctx.me.id) if matches(query, note.title, note.content)]
    found.sort(key=lambda note: (note.title, note.id))
    return [_brief(note) for note in page(found, page_index, page_limit)]


@notes.api(returns={**BRIEF, "content": "string"})
def show_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Show one note with its content."""
    note = _mine(ctx, note_id)
    return {**_brief(note), "content": note.content}


@notes.api(returns=[{"tag": "string", "notes": 1}])
def list_tags(ctx: Ctx) -> Json:
    """List your tags and how many notes have each."""
    names = (name for note in ctx.state[Note].of(ctx.me.id) for name in note.tags)
    return [{"tag": name, "notes": count} for name, count in counted(names)]


@notes.api(returns=DONE)
def create_note(
    ctx: Ctx,
    title: Title,
    content: Annotated[str, "text of the note"] = "",
    tags: Annotated[list[str] | None, "tags of the note"] = None,
    pinned: Annotated[bool, "pin it"] = False,
) -> Json:
    """Write a new note."""
    made = write_note(ctx.state, ctx.me.id, _fresh(ctx, title), content, tags or (), pinned=pinned)
    return {"message": "Note created.", "note_id": made.id}


@notes.api(returns=DONE)
def update_note(
    ctx: Ctx,
    note_id: NoteId,
    title: Annotated[str | None, "new title"] = None,
    content: Annotated[str | None, "new text, in place of all the old"] = None,
    tags: Annotated[list[str] | None, "new tags, in place of all the old"] = None,
) -> Json:
    """Change title, content or tags of a note; what you do not give stays."""
    note = _mine(ctx, note_id)
    fields: dict[str, Any] = {}
    if title is not None:
        fields["title"] = _fresh(ctx, title, note.id)
    if content is not None:
        fields["content"] = content
    if tags is not None:
        fields["tags"] = labels(tags)
    if not fields:
        invalid("Give at least one of title, content, tags.")
    rewrite(ctx.state, note.id, **fields)
    return {"message": "Note updated.", "note_id": note_id}


@notes.api(returns=DONE)
def append_to_note(ctx: Ctx, note_id: NoteId, text: Annotated[str, "text to add on a new line"]) -> Json:
    """Add text on a new line at the end of a note."""
    append(ctx.state, _mine(ctx, note_id).id, text)
    return {"message": "Text added.", "note_id": note_id}


@notes.api(returns=DONE)
def delete_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Delete a note for good."""
    ctx.state[Note].remove(_mine(ctx, note_id).id)
    return {"message": "Note deleted.", "note_id": note_id}


@notes.api(returns=DONE)
def duplicate_note(ctx: Ctx, note_id: NoteId, title: Annotated[str, "title of the copy"]) -> Json:
    """Copy content and tags of a note into a new one."""
    note = _mine(ctx, note_id)
    made = write_note(ctx.state, ctx.me.id, _fresh(ctx, title), note.content, note.tags)
    return {"message": "Note copied.", "note_id": made.id}


@notes.api(returns=DONE)
def pin_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Pin a note."""
    if _mine(ctx, note_id).pinned:
        conflict(f"Note {note_id} is already pinned.")
    rewrite(ctx.state, note_id, pinned=True)
    return {"message": "Note pinned.", "note_id": note_id}


@notes.api(returns=DONE)
def unpin_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Unpin a note."""
    if not _mine(ctx, note_id).pinned:
        conflict(f"Note {note_id} is not pinned.")
    rewrite(ctx.state, note_id, pinned=False)
    return {"message": "Note unpinned.", "note_id": note_id}


@notes.api(returns=DONE)
def archive_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Put a note into the archive."""
    if _mine(ctx, note_id).archived:
        conflict(f"Note {note_id} is already archived.")
    rewrite(ctx.state, note_id, archived=True)
    return {"message": "Note archived.", "note_id": note_id}


@notes.api(returns=DONE)
def unarchive_note(ctx: Ctx, note_id: NoteId) -> Json:
    """Take a note out of the archive."""
    if not _mine(ctx, note_id).archived:
        conflict(f"Note {note_id} is not archived.")
    rewrite(ctx.state, note_id, archived=False)
    return {"message": "Note taken out of the archive.", "note_id": note_id}


@notes.api(returns=DONE)
def tag_note(ctx: Ctx, note_id: NoteId, tag: Tag) -> Json:
    """Give a note a tag."""
    if not tag.strip():
        invalid("tag must not be empty.")
    add_tag(ctx.state, _mine(ctx, note_id).id, tag)
    return {"message": "Tag added.", "note_id": note_id}


@notes.api(returns=DONE)
def untag_note(ctx: Ctx, note_id: NoteId, tag: Tag) -> Json:
    """Take a tag from a note."""
    if tag.lower() not in _mine(ctx, note_id).tags:
        conflict(f"Note {note_id} has no tag '{tag[:40]}'.")
    drop_tag(ctx.state, note_id, tag)
    return {"message": "Tag removed.", "note_id": note_id}
