"""Bits that flip on the disk: each is told where it is read, and none is ever other content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import apsw
import pytest
from full_shelf import fill
from shelf import PAY, SONGS, propose

from prowess.errors import StoreError
from prowess.store.db import Store, log
from prowess.store.db.schema import APPLICATION, SCHEMA, TABLES, VERSION
from prowess.store.record import Status

PAGE = 4096
PRIMARY = "version api provenance trial verification usage event snapshot segment refused".split()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A store in which every part holds something."""
    path = tmp_path_factory.mktemp("rot") / "full.db"
    fill(path)
    return path.read_bytes()


def content(path: Path) -> str:
    """A digest of all that is read from a store, by its rows and by its text index."""
    with Store.open(path, create=False) as store, store.view():
        told = hashlib.sha256()
        for table in (*PRIMARY, *TABLES):
            told.update(repr(list(store.db.execute(f"SELECT * FROM {table}"))).encode())
        told.update(repr([store.trials(entry.digest) for entry in store.entries(heads=False)]).encode())
        terms = [str(row[0]) for row in store.db.execute("SELECT term FROM frequency LIMIT 20")]
        for term in terms:
            told.update(
                repr(list(store.db.execute("SELECT rowid FROM text WHERE text MATCH ?", (f'"{term}"',)))).encode()
            )
        return told.hexdigest()


_KNOWN = re.compile("is damaged|is not a skill store|as it was").search


def flips(data: bytes, chance: Random, *, each: int, first: int = 0) -> Iterator[bytes]:
    """The data with one bit changed: some in every page, and one in each byte of the first hundred."""
    places = [place * 8 + chance.randrange(8) for place in range(first, min(first + 100, len(data)))]
    for page in range(first, len(data), PAGE):
        places += [page * 8 + chance.randrange(min(PAGE, len(data) - page) * 8) for _ in range(each)]
    for place in places:
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        yield bytes(changed)


def test_every_flipped_bit_of_the_file_is_found_and_none_is_read_as_content(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "skills.db"
    path.write_bytes(sound)
    whole = content(path)
    told = []
    for changed in flips(sound, Random(7), each=2):
        path.write_bytes(changed)
        told.append((said(path, whole), verified(path)))
    assert len(told) > 200
    assert [one for one in told if not all(map(_KNOWN, one))] == []
    assert [one for one in told if "as it was" in one[1]] == []


def said(path: Path, whole: str) -> str:
    """What a store says when all of it is read."""
    try:
        return "as it was" if content(path) == whole else "other content"
    except StoreError as error:
        return error.message


def verified(path: Path) -> str:
    """What `rebuild --verify` says."""
    try:
        with Store.open(path) as store:
            return "; ".join(store.rebuild(verify=True)) or "as it was"
    except StoreError as error:
        return error.message


def test_every_flipped_bit_of_what_a_killed_process_left_is_found(tmp_path: Path) -> None:
    with Store.open(tmp_path / "live.db") as store:
        fill_log(store)
        main, left = ((tmp_path / name).read_bytes() for name in ("live.db", "live.db-wal"))
    path, beside = tmp_path / "skills.db", tmp_path / "skills.db-wal"

    def restore(log: bytes) -> None:
        path.with_name("skills.db-shm").unlink(missing_ok=True)
        path.write_bytes(main)
        beside.write_bytes(log)

    restore(left)
    whole = content(path)
    told = []
    for changed in flips(left, Random(8), each=2):
        restore(changed)
        told.append(said(path, whole))
    assert len(told) > 200
    assert {one for one in told if "skills.db-wal, which holds what came last, has a " not in one} <= {"as it was"}


def test_several_flipped_bits_before_the_last_transactions_are_no_torn_end(tmp_path: Path) -> None:
    with Store.open(tmp_path / "live.db") as store:
        fill_log(store)
        left = bytearray((tmp_path / "live.db-wal").read_bytes())
    for place in (500, 900, 1300):
        left[place] ^= 1 << place % 7
    (tmp_path / "skills.db-wal").write_bytes(left)
    assert "is damaged in frame 1 of" in log.damage(tmp_path / "skills.db")


def test_a_store_whose_pages_have_no_checksums_is_refused(tmp_path: Path) -> None:
    db = apsw.Connection(str(tmp_path / "skills.db"))
    db.execute(f"{SCHEMA}; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}")
    db.close()
    with pytest.raises(StoreError, match="is damaged: its pages have no checksums"):
        Store.open(tmp_path / "skills.db")


def fill_log(store: Store) -> None:
    propose(store, SONGS, Status.VERIFIED, Status.PROBATION)
    propose(store, PAY, Status.VERIFIED)


def test_a_log_that_a_crash_cut_off_is_no_damage(tmp_path: Path) -> None:
    with Store.open(tmp_path / "live.db") as store:
        fill_log(store)
        before = (tmp_path / "live.db-wal").stat().st_size
        store.snapshot("the last one")
        main, left = ((tmp_path / name).read_bytes() for name in ("live.db", "live.db-wal"))
    chance = Random(9)
    path, beside = tmp_path / "skills.db", tmp_path / "skills.db-wal"
    for torn in range(40):
        path.with_name("skills.db-shm").unlink(missing_ok=True)
        path.write_bytes(main)
        changed = bytearray(left)
        if torn % 2:
            del changed[chance.randrange(before, len(left)) :]
        else:  # blocks of the last transaction that never came to the disk
            for place in range(before, len(left), 512):
                if chance.random() < 0.5:
                    changed[place : place + 512] = bytes(len(changed[place : place + 512]))
        beside.write_bytes(changed)
        assert log.damage(path) == ""
        with Store.open(path) as store:
            assert [entry.name for entry in store.entries()] == ["count_songs", "pay_people"]
            assert [one.note for one in store.snapshots()] in ([], ["the last one"])


def test_a_damaged_recorded_call_is_told_with_what_it_is_and_what_to_do(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "skills.db"
    path.write_bytes(sound)
    db = apsw.Connection(str(path))
    (page,) = (int(str(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'trial'").get)),)
    db.close()
    changed = bytearray(sound)
    changed[page * PAGE - 100] ^= 4
    path.write_bytes(changed)
    with Store.open(path) as store:
        told = rf"is damaged: page {page} is damaged: it holds recorded calls\nhint: put a copy in its place .*backup"
        with pytest.raises(StoreError, match=told):
            [store.trials(entry.digest) for entry in store.entries(heads=False)]
        assert store.rebuild(verify=True) == (f"page {page} is damaged: it holds recorded calls",)
