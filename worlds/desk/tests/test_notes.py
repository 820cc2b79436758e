"""Notes through their APIs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from household import answer
from prowess_desk.apps.notes import Note, notes
from prowess_desk.data.notes import generate
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, State

NOW = datetime(2025, 5, 18, 12)
ADA, BEN = people(1)[:2]


class Desk:
    """Ada has seven notes, numbered from the oldest; the last is archived, the first pinned."""

    def __init__(self) -> None:
        kept = [
            Note(
                id=n,
                owner=ADA.id,
                title=f"Note {n}",
                content=f"- milk\n- item {n}",
                tags=("home",) if n % 2 else (),
                created_at=NOW - timedelta(days=10 - n),
                updated_at=NOW - timedelta(days=10 - n),
                pinned=n == 1,
                archived=n == 7,
            )
            for n in range(1, 8)
        ]
        self.state = State.over([Base(Person, (ADA, BEN)), Base(Note, kept)], NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {("notes", "ada"): ADA.id, ("notes", "ben"): BEN.id}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(notes.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def ids(found: list[Any]) -> list[int]:
    return [one["note_id"] for one in found]


def test_notes_are_listed_by_pages_latest_first(desk: Desk) -> None:
    assert ids(desk("list_notes")) == [6, 5, 4, 3, 2]
    assert ids(desk("list_notes", page_index=1)) == [1]
    assert ids(desk("list_notes", archived=True)) == [7]
    assert ids(desk("list_notes", tag="HOME", sort_by="title")) == [1, 3, 5]
    assert ids(desk("list_notes", pinned=True)) == [1]
    assert "content" not in desk("list_notes")[0]
    assert desk("list_notes", token="ben") == []
    assert desk.refused("list_notes", token="x") == 401
    assert desk.refused("list_notes", page_limit=0) == 422


def test_a_search_reads_titles_and_contents_of_archived_notes_too(desk: Desk) -> None:
    assert ids(desk("search_notes", query="MILK 7")) == [7]
    assert ids(desk("search_notes", page_limit=20)) == [1, 2, 3, 4, 5, 6, 7]


def test_a_note_is_written_changed_and_deleted_by_its_owner_only(desk: Desk) -> None:
    made = desk("create_note", title="Plan", content="one", tags=["Work", "home", "work"])["note_id"]
    assert desk.refused("create_note", title="plan") == 409
    assert desk.refused("create_note", title=" ") == 422
    assert desk.refused("show_note", token="ben", note_id=made) == 404
    desk("append_to_note", note_id=made, text="two")
    desk("update_note", note_id=made, title="The plan")
    shown = desk("show_note", note_id=made)
    assert (shown["title"], shown["content"], shown["tags"]) == ("The plan", "one\ntwo", ["home", "work"])
    assert desk.refused("update_note", note_id=made) == 422
    assert desk.refused("update_note", note_id=made, title="Note 1") == 409
    assert desk.refused("delete_note", token="ben", note_id=made) == 404
    desk("delete_note", note_id=made)
    assert desk.refused("show_note", note_id=made) == 404


def test_a_copy_has_content_and_tags(desk: Desk) -> None:
    made = desk("duplicate_note", note_id=1, title="Copy")["note_id"]
    shown = desk("show_note", note_id=made)
    assert (shown["content"], shown["tags"], shown["pinned"]) == ("- milk\n- item 1", ["home"], False)


def test_pins_tags_and_the_archive(desk: Desk) -> None:
    assert desk.refused("pin_note", note_id=1) == 409
    desk("unpin_note", note_id=1)
    assert desk.refused("unpin_note", note_id=1) == 409
    desk("pin_note", note_id=2)
    desk("unarchive_note", note_id=7)
    assert desk.refused("unarchive_note", note_id=7) == 409
    desk("archive_note", note_id=6)
    assert desk.refused("archive_note", note_id=6) == 409
    desk("tag_note", note_id=2, tag="New")
    desk("untag_note", note_id=1, tag="home")
    assert desk.refused("untag_note", note_id=1, tag="home") == 409
    assert desk("list_tags") == [{"tag": "home", "notes": 3}, {"tag": "new", "notes": 1}]


def test_titles_of_one_person_differ_in_a_universe() -> None:
    [base] = generate(7, people(7), NOW)
    titles = [(note.owner, note.title) for note in base.rows.values()]
    assert len(titles) == len(set(titles))
    assert not any(" and " in title or ", " in title for _, title in titles)
    assert all(note.created_at <= note.updated_at <= NOW for note in base.rows.values())
