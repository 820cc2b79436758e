"""When nothing is offered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prowess.errors import RecipeError
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status
from prowess.store.search import Query, SearchSettings
from prowess.store.search.abstain import stands_out
from prowess.store.search.search import Search
from prowess.store.search.vectors import Meaning
from prowess.types import Origin

WORDS = [{"play", "song"}, {"play", "song", "again"}, {"pay", "debt"}]


@pytest.mark.parametrize(
    ("likeness", "good"),
    [
        ([], False),
        ([0.24], False),  # below the floor, alone as it may be
        ([0.26], True),
        ([0.30, 0.30, 0.24], True),  # a copy is not held against it
        ([0.30, 0.30, 0.26], False),  # another kind is
        ([0.36, 0.36, 0.36], True),  # good enough whatever else there is
        ([0.34, 0.34, 0.34], False),
    ],
)
def test_the_best_must_fit_and_stand_out_from_what_is_unlike_it(likeness: list[float], good: bool) -> None:
    assert stands_out(likeness, WORDS.__getitem__) is good


def test_words_are_looked_at_only_where_it_matters() -> None:
    seen: list[int] = []

    def words(at: int) -> set[str]:
        seen.append(at)
        return {str(at)}

    assert stands_out([0.40, 0.30, 0.20], words)
    assert not stands_out([0.20, 0.10], words)
    assert seen == []
    assert not stands_out([0.30, 0.29, 0.20], words)
    assert seen == [0, 1]


def add(store: Store, code: str, instruction: str) -> str:
    skill = skills_in(code, origin=Origin(task=f"t {instruction}", instruction=instruction))[-1]
    digest = store.propose(skill, Provenance(world="desk", episode=skill.name)).digest
    store.move(digest, Status.VERIFIED, Status.PROBATION, actor=Actor.GATE)
    store.move(digest, Status.ACTIVE, actor=Actor.CURATOR)
    return digest


PLACES: dict[str, list[float]] = {"alpha": [1.0, 0.0, 0.0], "beta": [0.95, 0.31, 0.0], "request": [0.45, 0.0, 0.89]}


def vector(text: str, kind: str) -> Any:
    found = next((place for word, place in PLACES.items() if word in text), [0.0, 0.0, 1.0])
    return np.array(found, dtype=np.float32) / np.linalg.norm(found)


MEANING = Meaning(model="places", vector=vector)
ALPHA = "def alpha(user: str) -> list:\n    songs = apis.music.show_songs(owner=user)\n    return songs[:{n}]\n"
BETA = "def beta(debt: float) -> float:\n    rest = apis.bank.show_account()\n    return rest - debt + {n}\n"


def test_a_near_copy_beside_the_best_changes_nothing_and_a_rival_of_another_kind_does(store: Store) -> None:
    search = Search(store, SearchSettings(masked=0.0), meaning=MEANING)
    query = Query(instruction="request", namespace="desk")

    def offered() -> list[str]:
        return sorted(hit.entry.name for hit in search(query).offered)

    add(store, ALPHA.format(n=3), "alpha")
    assert 0.25 < search.ranking(query)[0].likeness < 0.35
    assert offered() == ["alpha"]
    add(store, ALPHA.format(n=4).replace("def alpha", "def alpha_too"), "alpha")
    assert offered() == ["alpha", "alpha_too"]
    add(store, BETA.format(n=1), "beta")
    assert search.ranking(query)[0].text.asked == ("alpha",)
    assert offered() == []


def test_a_threshold_that_is_given_is_all_that_counts(store: Store) -> None:
    usual = SearchSettings()
    assert (usual.least(meaning=True), usual.least(meaning=False)) == (None, 0.25)
    assert SearchSettings(threshold=0.0).least(meaning=True) == 0.0
    with pytest.raises(RecipeError, match=r"threshold is 1\.5"):
        SearchSettings(threshold=1.5)
    add(store, BETA.format(n=1), "beta")
    query = Query(instruction="something else", namespace="desk")
    assert Search(store, SearchSettings(masked=0.0), meaning=MEANING)(query).abstained
    assert not Search(store, SearchSettings(masked=0.0, threshold=0.0), meaning=MEANING)(query).abstained
