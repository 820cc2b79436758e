"""Many changes in one transaction without parts: all of them or none, and quicker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from prowess.errors import StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Journal, Store, ingest
from prowess.store.record import Account, Actor, Provenance, Status, Usage
from prowess.types import Origin, Skill

S = Status
FROM = Provenance(run="r1", episode="r1/music_1/0", world="desk")


def numbered(n: int) -> Skill:
    (found,) = skills_in(f"def f{n}(x):\n    return x + {n}", origin=Origin(task="t", instruction=f"Add {n}"))
    return found


def account(n: int) -> Account:
    return Account(namespace="desk", provenance=Provenance(run="r", episode=f"r/{n}/0"), learned=(numbered(n),))


def statements(store: Store) -> list[str]:
    seen: list[str] = []

    def note(found: Any) -> None:
        seen.append(found["sql"].split()[0])

    store.db.trace_v2(apsw.SQLITE_TRACE_STMT, note)
    return seen


def test_one_failure_takes_all_back_even_if_it_is_caught(store: Store) -> None:
    kept = store.propose(numbered(0), FROM).digest

    def work() -> None:
        with store.many(apart=False):
            store.move(kept, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
            store.propose(numbered(1), FROM)
            with pytest.raises(StoreError, match="no version"):
                store.move("0" * 64, S.VERIFIED, actor=Actor.GATE)
            store.propose(numbered(2), FROM)

    with pytest.raises(StoreError, match="nothing of it is kept"):
        work()
    assert [(entry.name, entry.status) for entry in store.entries()] == [("f0", S.CANDIDATE)]
    store.propose(numbered(3), FROM)  # and the next one is as ever
    assert len(store.entries()) == 2


def test_inside_another_transaction_it_fails_as_one_part(store: Store) -> None:
    def part() -> None:
        with store.many(apart=False):
            digest = store.propose(numbered(1), FROM).digest
            store.move(digest, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
            with pytest.raises(StoreError, match="no version"), store.many():
                store.move("0" * 64, S.VERIFIED, actor=Actor.GATE)

    with store.many():
        store.propose(numbered(0), FROM)
        with pytest.raises(StoreError, match="nothing of it is kept"):
            part()
        with pytest.raises(StoreError, match="no version"):  # these are apart again
            store.move("0" * 64, S.VERIFIED, actor=Actor.GATE)
        store.propose(numbered(2), FROM)
    assert [entry.name for entry in store.entries()] == ["f0", "f2"]


def test_no_savepoint_is_made_for_what_is_not_apart(store: Store) -> None:
    seen = statements(store)
    with store.many(apart=False):
        digest = store.propose(numbered(1), FROM).digest
        store.move(digest, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
    assert "SAVEPOINT" not in seen and seen.count("COMMIT") == 1
    with store.many():
        store.propose(numbered(2), FROM)
    assert "SAVEPOINT" in seen


def test_journals_are_taken_in_without_savepoints_unless_the_store_refuses_something(
    store: Store, tmp_path: Path
) -> None:
    seen = statements(store)
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(*map(account, range(5)))
        journal.path.write_bytes(
            journal.path.read_bytes().replace(b"r/3/0", b"r/9/0")
        )  # damaged: the store is not asked
    assert ingest(store, tmp_path / "j").refused == 1
    assert "SAVEPOINT" not in seen
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(5), Usage(episode="e", digest="0" * 64), account(6))
    found = ingest(store, tmp_path / "j")
    assert (found.records, found.refused) == (3, 1)
    assert "SAVEPOINT" in seen
    assert [entry.name for entry in store.entries()] == ["f0", "f1", "f2", "f4", "f5", "f6"]
    assert len(list(store.db.execute("SELECT * FROM refused"))) == 2


def test_sums_of_a_batch_are_those_of_one_by_one(store: Store, tmp_path: Path) -> None:
    """With versions that come, leave and come back in the same transaction."""
    with Store.open(tmp_path / "other.db") as other:
        for each, many in ((store, True), (other, False)):
            digests = [each.propose(numbered(n), FROM).digest for n in range(100)]

            def admit(each: Store = each, digests: list[str] = digests) -> None:
                for n, digest in enumerate(digests):
                    each.move(digest, S.VERIFIED, S.PROBATION, actor=Actor.PERSON)
                    if n % 3:
                        each.move(digest, S.SUSPENDED, actor=Actor.PERSON)
                    if n % 3 == 2:
                        each.move(digest, S.PROBATION, actor=Actor.PERSON)

            if many:
                with each.many(apart=False):
                    admit()
            else:
                admit()
        for table in ("corpus", "frequency"):
            rows = [list(each.db.execute(f"SELECT * FROM {table} ORDER BY 1")) for each in (store, other)]
            assert rows[0] == rows[1] != []
        assert other.rebuild(verify=True) == ()


def test_questions_with_other_values_are_not_prepared_anew(store: Store) -> None:
    """What SQLite does where it may look at the values: for joins that takes longer than to answer them."""
    assert store.db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, -1) == 1


def test_the_beginning_of_a_digest_is_looked_up_not_searched_for(store: Store) -> None:
    digests = [store.propose(numbered(n), FROM).digest for n in range(20)]
    steps: list[int] = []

    def note(found: Any) -> None:
        if "FROM version" in found["sql"]:
            steps.append(found["stmt_status"]["SQLITE_STMTSTATUS_FULLSCAN_STEP"])

    store.db.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)
    assert store.resolve(digests[7][:12]).digest == digests[7]
    store.db.trace_v2(0)
    assert steps and set(steps) == {0}
