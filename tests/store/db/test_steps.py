"""Several steps of a version's life at once: as one by one, with less to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from prowess.errors import StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.db.schema import TABLES
from prowess.store.record import Actor, Provenance, Status
from prowess.types import Origin, Skill

S = Status
FROM = Provenance(run="r1", episode="r1/music_1/0", world="desk")


def numbered(n: int, name: str = "f") -> Skill:
    (found,) = skills_in(f"def {name}(x):\n    return x + {n}", origin=Origin(task="t", instruction=f"Add {n}"))
    return found


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two of them, whose clocks stand still."""
    with (
        Store.open(tmp_path / "one.db", clock=lambda: 1_700_000_000.0) as one,
        Store.open(tmp_path / "other.db", clock=lambda: 1_700_000_000.0) as other,
    ):
        yield one, other
        for store in (one, other):
            assert store.rebuild(verify=True) == ()


def rows(store: Store) -> dict[str, list[Any]]:
    """All that moves change."""
    return {table: list(store.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")) for table in ("event", *TABLES)}


def matching(store: Store) -> list[Any]:
    """Who is found by each term."""
    store.db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen USING fts5vocab(main, text, instance)")
    return list(store.db.execute("SELECT term, doc FROM temp.seen ORDER BY 1, 2"))


@pytest.mark.parametrize(
    "steps",
    [
        (S.VERIFIED, S.PROBATION),
        (S.VERIFIED, S.REJECTED, S.CANDIDATE),
        (S.VERIFIED, S.PROBATION, S.SUSPENDED),
        (S.VERIFIED, S.ACTIVE, S.SUSPENDED, S.ACTIVE),
        (S.VERIFIED, S.PROBATION, S.ACTIVE, S.DEPRECATED, S.RETIRED, S.PROBATION),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 2])
def test_several_steps_at_once_are_the_same_as_one_by_one(
    stores: tuple[Store, Store], steps: Sequence[Status], before: int
) -> None:
    for at_once, store in zip((True, False), stores, strict=True):
        base = store.propose(numbered(99, "base"), FROM).digest
        for n in range(before):  # older versions: one active, one on probation
            older = store.propose(numbered(n), FROM).digest
            store.move(older, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
            if n == 0:
                store.move(older, S.ACTIVE, actor=Actor.PERSON)
        digest = store.propose(numbered(7), FROM, dependencies=[base]).digest
        if at_once:
            event = store.move(digest, *steps, actor=Actor.PERSON, who="ada")
        else:
            for step in steps:
                event = store.move(digest, step, actor=Actor.PERSON, who="ada")
        assert event.after == store.version(digest).status == steps[-1]
    assert rows(stores[0]) == rows(stores[1])
    assert matching(stores[0]) == matching(stores[1])


def test_a_step_that_is_refused_takes_back_those_before_it(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    (send,) = skills_in("def tell(x):\n    return apis.mail.send_mail(text=x)")
    digest = store.propose(send, FROM).digest
    before = rows(store)
    with store.many(), pytest.raises(StoreError, match="must approve"):
        store.move(digest, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
    with pytest.raises(StoreError, match="not said where to"):
        store.move(digest, actor=Actor.GATE)
    assert rows(store) == before


def test_what_is_called_cannot_be_retired_on_the_way_either(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    base = store.propose(numbered(1, "base"), FROM).digest
    store.propose(numbered(7), FROM, dependencies=[base])
    with pytest.raises(StoreError, match="called by f"):
        store.move(base, S.VERIFIED, S.PROBATION, S.RETIRED, actor=Actor.PERSON)
    assert store.version(base).status is S.CANDIDATE


def test_a_version_that_became_the_head_on_the_way_is_held_by_who_holds_the_skill(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    old = store.propose(numbered(1), FROM)
    store.move(old.digest, S.VERIFIED, S.PROBATION, S.SUSPENDED, actor=Actor.PERSON)
    store.pin(old.skill, "ada")
    new = store.propose(numbered(2), FROM).digest
    with pytest.raises(StoreError, match="pinned by ada"):
        store.move(new, S.VERIFIED, S.PROBATION, S.RETIRED, actor=Actor.PERSON)


def test_a_proposal_and_an_admission_take_few_statements(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    store.propose(numbered(0, "first"), FROM)
    seen: list[str] = []

    def note(found: Any) -> None:
        if not found["sql"].startswith("--"):  # FTS5's own
            seen.append(found["sql"])

    with store.many():
        store.db.trace_v2(apsw.SQLITE_TRACE_STMT, note)
        digest = store.propose(numbered(1), FROM).digest
        proposing = len(seen)
        store.move(digest, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
        moving = len(seen) - proposing
        store.db.trace_v2(0)
    assert (proposing, moving) == (12, 10)
