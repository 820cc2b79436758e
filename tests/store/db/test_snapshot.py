"""Snapshots: a library, for good, by one root."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from pathlib import Path

import pytest

from prowess.errors import RecipeError, StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Leaf, Store, root_of
from prowess.store.record import Actor, Provenance, Status

S = Status
FROM = Provenance(world="desk", task="t_1", scenario="t")


def propose(store: Store, name: str, n: int = 0, *, status: Status = S.ACTIVE) -> str:
    digest = store.propose(skills_in(f"def {name}(x): return x + {n}")[0], FROM).digest
    steps = [S.CANDIDATE, S.VERIFIED, S.PROBATION, S.ACTIVE]
    for _, to in pairwise(steps[: steps.index(status) + 1]):
        store.move(digest, to, actor=Actor.PERSON)
    return digest


def test_the_root_is_a_merkle_tree_over_sorted_leaves() -> None:
    leaves = [Leaf(skill=skill, digest="d", status=S.ACTIVE) for skill in ("b", "a", "c")]

    def sha(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    a, b, c = (sha(b'\0["%c","d","active"]' % letter) for letter in b"abc")
    assert root_of(leaves) == sha(b"\1" + sha(b"\1" + a + b) + c).hex()
    assert root_of(leaves[:1]) == b.hex()


def test_a_library_can_be_read_again_whatever_came_later(store: Store) -> None:
    first, second = propose(store, "one"), propose(store, "two")
    propose(store, "three", status=S.PROBATION)
    before = store.library()
    assert [skill.name for skill in before] == ["one", "two"]
    assert [skill.name for skill in store.library(probation=True)] == ["one", "two", "three"]
    both = store.library(probation=True)
    root = store.snapshot("now").root
    propose(store, "one", 5)
    store.move(second, S.SUSPENDED, actor=Actor.CURATOR)
    propose(store, "four")
    assert [skill.source for skill in store.library()] == ["def one(x): return x + 5", "def four(x): return x + 0"]
    assert store.library(root) == before
    assert store.library(root, probation=True) == both
    assert store.library(root[:10]) == before
    assert len(store.library(root, namespace="mail")) == 0
    assert store.library(root).digest == before.digest
    assert first != second


def test_the_root_depends_on_the_state_alone(store: Store, tmp_path: Path) -> None:
    propose(store, "one")
    propose(store, "two")
    with Store.open(tmp_path / "other.db") as other:
        propose(other, "two")
        propose(other, "one")
        assert other.snapshot().root == store.snapshot().root
    assert store.snapshot() == store.snapshot("again")
    assert len(store.snapshots()) == 1


def test_a_difference_says_what_was_added_removed_changed_and_moved(store: Store) -> None:
    empty = store.snapshot().root
    one, two = propose(store, "one"), propose(store, "two")
    a = store.snapshot().root
    newer = propose(store, "one", 1)
    store.move(two, S.STALE, actor=Actor.CURATOR)
    three = propose(store, "three", status=S.CANDIDATE)
    b = store.snapshot().root
    found = store.diff(a, b)
    assert store.diff(a) == found and not store.diff(b)
    assert [(change.name, change.old, change.new) for change in found.changed] == [("one", one, newer)]
    assert [(change.name, change.old_status, change.new_status) for change in found.moved] == [
        ("two", S.ACTIVE, S.STALE)
    ]
    assert [(change.name, change.new, change.old_status) for change in found.added] == [("three", three, None)]
    assert found.removed == ()
    back = store.diff(b, a)
    assert [change.name for change in back.removed] == ["three"]
    assert not store.diff(a, a)
    assert len(store.diff(empty, b).added) == 3


def test_a_snapshot_is_meant_by_six_letters_of_its_root(store: Store) -> None:
    propose(store, "one")
    taken = store.snapshot()
    assert store.snapshots_at(taken.root[:6]) == store.snapshots_at(taken.root) == (taken,)
    for text in (taken.root[:5], taken.root[:5] + "?", taken.root.upper(), ""):
        assert store.snapshots_at(text) == ()


def test_an_unknown_root_and_a_history_that_was_changed_are_told(store: Store) -> None:
    propose(store, "one")
    root = store.snapshot().root
    with pytest.raises(RecipeError, match="no snapshot"):
        store.library("abcdef12")
    with store.many():
        store.db.execute("UPDATE span SET status = 'revoked' WHERE status = 'active'")
    with pytest.raises(StoreError, match="another root"):
        store.library(root)
    store.rebuild()
    assert len(store.library(root)) == 1
