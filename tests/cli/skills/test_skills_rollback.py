"""Back to yesterday, and copies to come back to."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from shelf import HOSTILE, PAY, SONGS, Run, propose

from prowess.store.curate.rollback import event_at, roll_back
from prowess.store.db import Store
from prowess.store.record import Actor, Kind, Status

S = Status
BETTER = SONGS.replace("return len(", "return 0 + len(")


def test_all_skills_go_back_to_a_snapshot_and_what_came_since_is_rejected(run: Run, store: Store) -> None:
    songs = propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
    pay = propose(store, PAY, S.VERIFIED, S.REVIEW)
    root = run("snapshot").out.strip()
    store.review(pay, "approve", who="mallory")
    store.move(pay, S.PROBATION, actor=Actor.PERSON, who="mallory")
    better = propose(store, BETTER, S.VERIFIED, S.PROBATION, S.ACTIVE)  # the first version gives way
    new = propose(store, HOSTILE, S.VERIFIED, S.PROBATION)
    tried = run("rollback", root[:12], "--dry-run")
    assert tried.code == 0 and "probation → review" in tried.out and "to take it back" not in tried.err
    assert store.version(better).status is S.ACTIVE
    before = store.snapshot().root
    done = run("rollback", root[:12], "--who", "ada", "--why", "yesterday was a mistake")
    assert done.code == 0, done.err
    assert [store.version(one).status for one in (songs, pay, better, new)] == [
        S.ACTIVE,
        S.REVIEW,
        S.REJECTED,
        S.REJECTED,
    ]
    assert not store.version(pay).approved
    difference = store.diff(root)
    assert [one.name for one in difference.added] == ["tidy"] and not (difference.changed or difference.moved)
    assert {event.who for event in store.events(newest=True, limit=3)} == {"ada"}
    assert f"to take it back: prowess skills rollback {before[:12]}" in done.err
    assert run("rollback", before).code == 0
    assert store.snapshot().root == before and store.version(pay).approved


def test_a_time_is_what_the_log_tells(run: Run, store: Store) -> None:
    songs = propose(store, SONGS, S.VERIFIED, S.PROBATION)  # events 1 to 3, a second each, from 22:13:20 on
    times = [event.at for event in store.events()]
    assert [event_at(store, at.removesuffix(".000000Z")) for at in times] == [0, 1, 2]
    assert event_at(store, "2030-01-01") == 3 and event_at(store, "2000-01-01") == 0
    assert run("rollback", times[2][:19]).code == 0
    assert store.version(songs).status is S.VERIFIED
    wrong = run("rollback", "yesterday")
    assert wrong.code == 2 and "'yesterday' is neither the root of a snapshot nor a time" in wrong.err


def test_a_time_without_a_zone_is_utc_wherever_the_machine_stands(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(store, SONGS, S.VERIFIED, S.PROBATION)
    at = store.events()[1].at.removesuffix(".000000Z")
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        assert event_at(store, at) == event_at(store, f"{at}+00:00") == 1
    time.tzset()


def test_what_was_undone_since_needs_no_undoing(store: Store) -> None:
    songs = propose(store, SONGS, S.VERIFIED, S.PROBATION)
    moved = store.move(songs, S.SUSPENDED, actor=Actor.PERSON, who="ada")
    (back,) = store.undo(moved.id, who="ada")
    again = store.undo(back.id, who="ada")[0]  # suspended after all
    made = roll_back(store, moved.id - 1, who="bob")
    assert store.version(songs).status is S.PROBATION and made.changes.moved
    assert [one.undoes for one in store.events(after=again.id) if one.kind is Kind.MOVED] == [moved.id]


def test_a_backup_is_a_store_of_the_moment_and_takes_the_place_of_nothing(
    run: Run, waiting: Store, tmp_path: Path
) -> None:
    copy = tmp_path / "copies" / "monday.db"
    made = run("backup", str(copy))
    assert (made.code, made.out) == (0, f"{copy}\n")
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
    propose(waiting, BETTER)
    with Store.open(copy, create=False) as other:
        assert other.rebuild(verify=True) == ()
        assert len(other.events()) == len(waiting.events()) - 1
        assert other.db.pragma("journal_mode") == "wal"
    again = run("backup", str(copy))
    assert again.code == 2 and "is there already" in again.err


def test_a_copy_that_cannot_be_written_says_where_and_leaves_nothing(
    run: Run, waiting: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    refused = run("backup", str(file / "copy.db"))
    assert refused.code == 1 and "error: " in refused.err and str(file) in refused.err
