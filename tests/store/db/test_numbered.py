"""Stores of version 3, in which versions were known by digests only: what is seen of them stays the same.

`version3.db.gz` was made by the code of that time (commit ed29a2a), with some of everything; `version3.json` is what
that code told of it, see `told`.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.db.schema import INDEXED, MIGRATIONS, TABLES
from prowess.store.record import Actor, Provenance, Status

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "version3.json").read_text("utf-8"))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "skills.db"
    path.write_bytes(gzip.decompress((HERE / "version3.db.gz").read_bytes()))
    return path


def told(store: Store) -> Any:
    """All that can be asked."""
    entries = store.entries(heads=False)
    asked = {
        "events": store.events(),
        "entries": entries,
        "heads": store.entries(),
        "skills": {
            id: [store.events(skill=id), store.edges(id), [one.digest for one in store.versions(id)]]
            for id in sorted({entry.id for entry in entries})
        },
        "versions": {
            digest: [
                store.events(digest=digest),
                store.provenances(digest),
                store.trials(digest),
                store.verifications(digest),
                store.usages(digest),
                store.statistics(digest),
                store.clones(digest),
            ]
            for digest in sorted(entry.digest for entry in entries)
        },
        "snapshots": store.snapshots(),
        "since": [store.diff(one.root) for one in store.snapshots()],
        "pins": [store.events(digest=one.root) for one in store.snapshots()],
        "library": [skill.name for skill in store.library(probation=True)],
        "libraries": [[skill.name for skill in store.library(one.root)] for one in store.snapshots()],
        "calling": dict(store.calling("mail.show_inbox")),
        "named": [store.resolve(name, "desk").digest for name in ("base", "basis", "tell")],
    }
    return json.loads(json.dumps(asked, default=_plain))


def _plain(value: Any) -> Any:
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else dict(value)  # type: ignore[arg-type]


def everything(store: Store) -> dict[str, list[Any]]:
    return {table: list(store.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")) for table in ("event", *TABLES)}


def test_all_that_can_be_asked_has_the_same_answer(old: Path) -> None:
    with Store.open(old) as store:
        assert store.db.pragma("user_version") == len(MIGRATIONS) > 3
        assert told(store) == EXPECTED


def test_what_is_derived_is_what_follows_from_the_rows(old: Path) -> None:
    with Store.open(old) as store:
        assert store.rebuild(verify=True) == ()
        kept = everything(store)
        store.rebuild()
        assert everything(store) == kept
        assert store.db.execute("PRAGMA integrity_check").get == "ok"
        assert list(store.db.execute("PRAGMA foreign_key_check")) == []
        assert not [name for (name,) in store.db.execute("SELECT name FROM sqlite_schema") if "old_" in str(name)]


def test_the_tables_are_those_of_a_new_store(old: Path, tmp_path: Path) -> None:
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'text%' ORDER BY 1, 2"
    with Store.open(old) as store, Store.open(tmp_path / "new.db") as new:
        assert list(store.db.execute(schema)) == list(new.db.execute(schema))


def test_it_goes_on_like_any_other(old: Path) -> None:
    with Store.open(old) as store:
        (newer,) = skills_in("def base(x):\n    return x + 3")
        found = store.propose(newer, Provenance(run="r", episode="r/1/0", world="desk"))
        assert (found.number, found.new) == (3, True)
        event = store.move(found.digest, Status.VERIFIED, Status.PROBATION, Status.ACTIVE, actor=Actor.PERSON)
        assert store.resolve("base", "desk").digest == found.digest
        store.undo(event.id)
        assert store.resolve("base", "desk").number == 2
        assert store.rebuild(verify=True) == ()


def test_a_store_from_before_the_index_gets_one(old: Path) -> None:
    db = apsw.Connection(str(old))
    for table in ("text", "document", "frequency", "corpus"):
        db.execute(f"DROP TABLE {table}")
    db.execute(f"PRAGMA user_version = {INDEXED - 1}")
    db.close()
    with Store.open(old) as store:
        assert told(store) == EXPECTED
        assert store.db.execute("SELECT count(*) FROM document").get == 3
        assert store.rebuild(verify=True) == ()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE event SET born = born + 1 WHERE id = 2", "event: 2 has the number 2"),
        ("UPDATE version SET skill = 1000 WHERE id = 1", "version (id = 1): skill is 1000; allowed is the number"),
    ],
)
def test_a_wrong_number_is_told(old: Path, damage: str, said: str) -> None:
    with Store.open(old) as store:
        store.db.execute(damage)
        assert any(said in line for line in store.rebuild(verify=True))
