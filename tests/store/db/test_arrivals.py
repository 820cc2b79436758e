"""New skills of a journal, written table by table: the same rows as one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from prowess.skills.extract import skills_in
from prowess.store.canon import address_of
from prowess.store.db import Journal, Store, ingest
from prowess.store.db.arrivals import Arrivals
from prowess.store.db.journal import Record
from prowess.store.db.schema import TABLES
from prowess.store.record import Account, Actor, Provenance, Status, Usage, Verification
from prowess.types import Origin, Skill, Tape

PRIMARY = ("version", "api", "provenance", "trial", "verification", "usage", "event", "segment", "refused")


def skill(name: str, body: str = "return x") -> Skill:
    origin = Origin(task="t", scenario="s", turn=2, instruction=f"Do what {name} does")
    return skills_in(f"def {name}(x):\n    {body}", origin=origin)[0]


def account(episode: str, *learned: Skill, namespace: str = "desk", **more: Any) -> Account:
    told = Provenance(run="r", episode=episode, world="desk", instruction="Do it")
    return Account(namespace=namespace, provenance=told, learned=learned, **more)


def records() -> list[Record]:
    """Plain ones, and everything that is not."""
    calls = skill("calls", "return apis.mail.show_inbox(q=x) + apis.mail.show_mail(id=x)")
    digest = address_of(skill("plain"), namespace="desk")
    return [
        account("1", skill("plain")),
        account("2", skill("second"), skill("third")),
        account("3", calls, fingerprints={"mail.show_inbox": "f1"}),
        Usage(episode="u", digest=digest, called=1, success=True),  # of what has just come
        Verification(digest=digest, check="smoke", verdict="pass", at="2026-01-01T00:00:00.000000Z"),
        account("4", skill("plain")),  # the same once more
        account("5", skill("plain", "return x + 1")),  # its second version
        account("6", skill("fourth"), skill("fourth", "return 4")),  # both versions at once
        account("7", skill("fifth"), skill("fifth")),
        account("8", skill("sixth"), offered=("plain", "second", "nobody"), success=True),
        account("9", skill("seventh"), tapes=(Tape(name="seventh", block=0, call="seventh(1)", expected=1),)),
        account("10", skill("plain", "return 'another place'"), namespace="other"),
        account("11"),
        account("12", replace(skill("eighth"), source="def eighth(x:")),  # does not parse
        account("13", skill("ninth", "return 'zoë'")),
        account("14", skill("eighth", "return 8")),  # a name that has come the usual way
        account("15", skill("tenth", "return 10")),
    ]


def everything(store: Store) -> dict[str, list[Any]]:
    tables = {table: list(store.db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")) for table in (*PRIMARY, *TABLES)}
    store.db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.seen USING fts5vocab(main, text, instance)")
    return {**tables, "text": list(store.db.execute("SELECT term, doc FROM temp.seen ORDER BY 1, 2"))}


def opened(path: Path) -> Store:
    return Store.open(path, clock=lambda: 1_700_000_000.0)


def test_all_rows_are_the_same_as_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(*records())
    added: list[bool] = []
    add = Arrivals.add

    def noted(self: Arrivals, *told: Any) -> bool:
        added.append(add(self, *told))
        return added[-1]

    with opened(tmp_path / "one.db") as one, opened(tmp_path / "other.db") as other:
        monkeypatch.setattr(Arrivals, "add", noted)
        assert ingest(one, tmp_path / "j").refused == 0
        monkeypatch.setattr(Arrivals, "add", lambda *_: False)
        assert ingest(other, tmp_path / "j").refused == 0
        assert everything(one) == everything(other)
        for store in (one, other):
            for entry in store.entries(statuses=[Status.CANDIDATE]):
                store.move(entry.digest, Status.VERIFIED, Status.PROBATION, actor=Actor.PERSON)
            assert store.rebuild(verify=True) == ()
        assert everything(one) == everything(other)
    plain = {"1", "2", "3", "10", "13", "15"}
    told = [record.provenance.episode for record in records() if isinstance(record, Account)]
    assert {episode for episode, taken in zip(told, added, strict=True) if taken} == plain


def test_a_batch_asks_nothing_for_each_skill(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(*(account(str(n), skill(f"f{n}")) for n in range(40)))
    seen: list[str] = []
    with opened(tmp_path / "skills.db") as store:
        store.db.trace_v2(apsw.SQLITE_TRACE_STMT, lambda found: seen.append(found["sql"].split()[0]))
        assert ingest(store, tmp_path / "j").records == 40
        store.db.trace_v2(0)
    assert seen.count("SELECT") == 7  # four times how far it was read; digests, names and the number of the next event
    assert (
        seen.count("INSERT") == 40 * 7 + 1
    )  # event, version, provenance, state, name, skill, span; how far it is read


def test_a_batch_that_is_refused_in_its_middle_is_taken_without_that_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(
            account("1", skill("one")), Usage(episode="u", digest="0" * 64), account("2", skill("two")), account("3")
        )
    with opened(tmp_path / "skills.db") as store:
        found = ingest(store, tmp_path / "j")
        assert (found.records, found.refused) == (4, 1)
        assert [entry.name for entry in store.entries()] == ["one", "two"]
        assert store.rebuild(verify=True) == ()
