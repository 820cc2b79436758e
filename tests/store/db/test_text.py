"""The text index: derived, kept in the same transaction, checked and made again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.db.index import ROOM
from prowess.store.db.text import SAMPLE, Text, asked_terms, run_terms, space_of, terms_of
from prowess.store.record import Account, Actor, Provenance, Status
from prowess.types import Origin

FROM = Provenance(run="r", episode="r/1", world="desk")


def offer(store: Store, number: int, status: Status = Status.PROBATION) -> str:
    origin = Origin(task=f"t{number}", scenario="pay", instruction=f"Pay Zoe share {number}")
    skill = skills_in(f"def pay_{number}(x):\n    return x + {number}", origin=origin)[-1]
    digest = store.propose(skill, FROM).digest
    for step in (Status.VERIFIED, status):
        store.move(digest, step, actor=Actor.PERSON)
    return digest


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "skills.db", clock=lambda: 1_700_000_000.0)
    for number in range(3 * SAMPLE):
        offer(store, number)
    return store


def test_terms_are_marked_with_channel_and_namespace() -> None:
    text = Text(
        id=1, digest="d", skill="s", namespace="desk", family="", asked=("Pay",), labels=("pay",), said="pay_it"
    )
    marked = terms_of(text).marked
    assert [term[0] + term[7:] for term in marked if term[0] != "c"] == ["qpay", "r_pay", "rpay_", "sit", "spay"]
    assert len({term[1:7] for term in marked}) == 1


def test_words_in_any_alphabet_are_terms_that_the_index_takes_whole(store: Store) -> None:
    assert list(asked_terms("Größe 東京 ÉTÉ")) == ["größe", "東京", "été"]
    assert "ße_東" in run_terms("Größe 東京")
    origin = Origin(task="t", scenario="ß", instruction='Größe 東京 "quoted" AND (OR) x* \x00 \ud800')
    digest = store.propose(skills_in("def f(): return 1", origin=origin)[0], FROM).digest
    for step in (Status.VERIFIED, Status.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    assert store.rebuild(verify=True) == ()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM text WHERE rowid = (SELECT min(id) FROM document)", "text: "),
        ("INSERT INTO text (rowid, terms) VALUES (99999, 'qmore')", "text: 'qmore' is kept for 99999, computed for"),
        ("UPDATE frequency SET n = n + 1 WHERE term = (SELECT max(term) FROM frequency)", "frequency: only kept"),
        ("UPDATE corpus SET said = said + 1", "corpus: only kept"),
        ("DELETE FROM document WHERE id = (SELECT max(id) FROM document)", "state (version = "),
    ],
)
def test_a_damaged_index_is_told_and_made_again(store: Store, damage: str, told: str) -> None:
    assert store.rebuild(verify=True) == ()
    with store.many():
        store.db.execute(damage)
    assert any(line.startswith(told) for line in store.rebuild(verify=True))
    store.rebuild()
    assert store.rebuild(verify=True) == ()


def test_a_step_that_fails_leaves_the_index_as_it_was(store: Store) -> None:
    digest = offer(store, 1000)
    before = store.db.execute("SELECT count(*) FROM text").get

    def fail() -> None:
        with store.many():
            store.move(digest, Status.SUSPENDED, actor=Actor.GUARD)
            with store.view():
                assert store.db.execute("SELECT count(*) FROM text").get == before - 1
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert store.db.execute("SELECT count(*) FROM text").get == before
    assert store.rebuild(verify=True) == ()


def holding(store: Store, word: str) -> list[int]:
    """Who has a word of an instruction, as a search inside the transaction sees it."""
    with store.view():
        found = store.db.execute("SELECT rowid FROM text WHERE text MATCH ?", (f'"q{space_of("desk")}{word}"',))
        return [row[0] for row in found]


def test_what_waits_for_the_index_comes_back_when_a_part_fails_that_had_written_it(store: Store) -> None:
    with store.many():
        first = offer(store, 1001)

        def fail() -> None:
            with store.many():
                second = offer(store, 1002)
                assert len(holding(store, "1001")) == len(holding(store, "1002")) == 1  # both are written here
                store.move(second, Status.SUSPENDED, actor=Actor.GUARD)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        assert len(holding(store, "1001")) == 1
        assert holding(store, "1002") == []
        store.move(first, Status.SUSPENDED, actor=Actor.GUARD)
        assert holding(store, "1001") == []
        offer(store, 1003)
    assert len(holding(store, "1003")) == 1
    assert store.rebuild(verify=True) == ()


def test_a_search_inside_a_transaction_sees_what_was_just_admitted_and_no_more_than_fits_waits(store: Store) -> None:
    with store.many():
        for number in range(2000, 2000 + ROOM + 5):
            offer(store, number)
        assert len(store.db.waiting) == 5  # type: ignore[attr-defined]
        assert len(holding(store, "2000")) == len(holding(store, str(2000 + ROOM + 4))) == 1
    assert store.rebuild(verify=True) == ()


def test_only_a_new_instruction_or_scenario_changes_what_a_version_is_found_by(store: Store) -> None:
    digest = store.resolve("pay_7", "desk").digest
    skill = store.version(digest).skill
    for task, instruction, scenario in (
        ("u1", skill.origin.instruction, "pay"),
        ("u2", "Settle up", "owe"),
        ("u3", "", ""),
    ):
        told = Provenance(
            run="r", episode=f"r/{task}", world="desk", task=task, instruction=instruction, scenario=scenario
        )
        store.propose(replace(skill, origin=Origin()), told)
    asked, labels = store.db.execute("SELECT asked, labels FROM document WHERE digest = ?", (digest,)).get
    assert (json.loads(asked), json.loads(labels)) == (["Pay Zoe share 7", "Settle up"], ["pay", "owe"])
    assert len(holding(store, "settle")) == 1
    assert store.rebuild(verify=True) == ()


def test_an_account_can_say_which_version_it_played_with(store: Store) -> None:
    old = offer(store, 1000, Status.ACTIVE)
    newer = skills_in("def pay_1000(x):\n    return 1 + x")[0]
    new = store.propose(newer, FROM)
    assert store.resolve("pay_1000", "desk").digest == old
    told = Provenance(run="r", episode="r/9", world="desk")
    store.take(Account(namespace="desk", provenance=told, offered=("pay_1000",), digests={"pay_1000": new.digest}))
    assert store.statistics(new.digest).offered == 1
    assert store.statistics(old).offered == 0
