"""From a request to what is offered: filters, channels, worth, families, packing, abstaining, arms."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from prowess.errors import RecipeError
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.store.db import Store, text
from prowess.store.record import Actor, Provenance, Relation, Status, Usage
from prowess.store.search import Offer, Query, SearchSettings
from prowess.store.search.candidates import corpora, find
from prowess.store.search.search import Search
from prowess.store.search.vectors import Meaning, Vectors
from prowess.store.standing import Proposal
from prowess.types import Origin, Task

S = Status
ASKED = {
    "pay": "Pay Zoe back what I owe her for the cinema tickets",
    "play": "Play the newest song that I liked in the music app",
    "mail": "Delete every newsletter from my inbox that is older than a week",
    "note": "Write a note with the ingredients of the pancake recipe",
}


def add(
    store: Store,
    name: str,
    body: str = "return x",
    *,
    asked: str = "",
    to: Status = S.ACTIVE,
    world: str = "desk",
    task: str = "",
    dependencies: Sequence[str] = (),
) -> Proposal:
    scenario = name.split("_")[0]
    instruction = asked or ASKED.get(scenario, "")
    origin = Origin(task=task or f"{scenario}_1", scenario=scenario, instruction=instruction)
    skill = skills_in(f"def {name}(x):\n    {body}", origin=origin)[-1]
    run = Provenance(run="r", episode=f"r/{origin.task}/0", world=world)
    new = store.propose(skill, run, dependencies=dependencies)
    if to is not S.CANDIDATE and new.new:
        for step in (S.VERIFIED, S.PROBATION):
            store.move(new.digest, step, actor=Actor.GATE)
        if to is not S.PROBATION:
            store.move(new.digest, S.ACTIVE, actor=Actor.CURATOR)
        if to not in (S.PROBATION, S.ACTIVE):
            store.move(new.digest, to, actor=Actor.CURATOR)
    return new


def four(store: Store) -> dict[str, Proposal]:
    return {name: add(store, f"{name}_it", f"return {place} + x") for place, name in enumerate(ASKED)}


def names(offer: Offer) -> list[str]:
    return [hit.entry.version.name for hit in offer.offered]


def searched(store: Store, asked: str, namespace: str | None = "desk", **settings: Any) -> list[str]:
    chosen = SearchSettings(**{"masked": 0.0, "top": 1, **settings})
    return names(Search(store, chosen)(Query(instruction=asked, namespace=namespace)))


# --- channels -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Pay Bob back what I owe him for the tickets", "pay_it"),
        ("play the newst songs taht I liked", "play_it"),  # letters forgive typing mistakes
        ("every newsletter older than a month is to be deleted from the inbox", "mail_it"),
    ],
)
def test_a_request_finds_the_skill_of_a_like_one(store: Store, asked: str, name: str) -> None:
    four(store)
    assert searched(store, asked) == [name]


def test_what_a_function_says_of_itself_is_found(store: Store) -> None:
    four(store)
    add(store, "other_thing", '"""Waters the plants on the balcony."""\n    return x', asked="Do the usual")
    assert searched(store, "Are the plants on the balcony watered?") == ["other_thing"]


def test_the_same_scenario_is_found_without_a_word_in_common(store: Store) -> None:
    four(store)
    search = Search(store, SearchSettings(masked=0.0))
    assert names(search(Query(instruction="xyzzy", scenario="note", namespace="desk"))) == ["note_it"]
    assert search(Query(instruction="xyzzy", scenario="nothing like it", namespace="desk")).abstained


def test_nothing_is_offered_where_nothing_is_alike(store: Store) -> None:
    four(store)
    offer = Search(store, SearchSettings(masked=0.0))(Query(instruction="Book a flight to Lima", namespace="desk"))
    assert offer == Offer()
    assert offer.abstained


def test_every_word_may_be_common_and_the_best_is_still_first(store: Store) -> None:
    with store.many():
        for n in range(40):
            add(store, f"f{n}", f"return {n}", asked=f"play the song number {n}", task=f"t{n}")
        add(store, "wanted", "return -1", asked="play the song", task="t")
        for n in range(6):  # newer, and alike in one of the words only
            add(store, f"g{n}", f"return -{n} - 2", asked=f"play {n}", task=f"u{n}")
    with store.view():
        (corpus,) = corpora(store.db, "desk")
        mark = text.ASKED + text.space_of("desk")
        found = find(store.db, mark, ["play", "the", "song"], corpus, SearchSettings(candidates=2, postings=10))
    assert found.ids[0] == 4 * 40 + 1  # its event: each skill has four
    assert searched(store, "play the song", candidates=5, postings=10, threshold=0.0) == ["wanted"]


def test_among_few_skills_every_word_is_looked_up(store: Store) -> None:
    four(store)
    query = Query(instruction="Pay for the newest song and write a note", namespace="desk")
    few, many = (Search(store, SearchSettings(terms=terms)).ranking(query) for terms in (1, 100))
    assert [hit.channels for hit in few] == [hit.channels for hit in many]
    assert len(few) == 4


# --- filters --------------------------------------------------------------------------------------


def test_another_namespace_is_not_looked_in(store: Store) -> None:
    add(store, "pay_it", world="bank")
    assert searched(store, ASKED["pay"], "desk") == []
    assert searched(store, ASKED["pay"], "bank") == ["pay_it"]
    assert searched(store, ASKED["pay"], None) == ["pay_it"]


@pytest.mark.parametrize("status", [S.CANDIDATE, S.SUSPENDED, S.DEPRECATED, S.STALE])
def test_what_may_not_be_offered_is_in_no_index(store: Store, status: Status) -> None:
    new = add(store, "pay_it", to=status)
    assert store.db.execute("SELECT count(*) FROM document").get == 0
    assert store.db.execute("SELECT count(*) FROM frequency").get == 0
    assert store.db.execute("SELECT count(*) FROM text").get == 0
    assert searched(store, ASKED["pay"], threshold=0.0) == []
    if status is S.SUSPENDED:
        store.move(new.digest, S.ACTIVE, actor=Actor.PERSON)
        assert searched(store, ASKED["pay"]) == ["pay_it"]


def test_an_undone_step_brings_a_skill_back_into_the_index(store: Store) -> None:
    new = add(store, "pay_it")
    event = store.move(new.digest, S.SUSPENDED, actor=Actor.CURATOR)
    assert searched(store, ASKED["pay"]) == []
    store.undo(event.id)
    assert searched(store, ASKED["pay"]) == ["pay_it"]


def test_probation_can_be_left_out(store: Store) -> None:
    add(store, "pay_it", to=S.PROBATION)
    assert searched(store, ASKED["pay"], spread=0.0) == ["pay_it"]
    assert searched(store, ASKED["pay"], probation=False) == []


def test_a_skill_that_calls_what_cannot_be_called_is_left_out(store: Store) -> None:
    add(store, "pay_it", "return apis.bank.show_debts(user=x)")
    search = Search(store, SearchSettings(masked=0.0))
    for apis, found in ((frozenset({"bank.show_debts"}), ["pay_it"]), (frozenset({"music.search"}), [])):
        assert names(search(Query(instruction=ASKED["pay"], namespace="desk", apis=apis))) == found


def test_a_task_is_not_offered_what_was_written_for_it_alone(store: Store) -> None:
    add(store, "pay_it", task="pay_7")
    search = Search(store, SearchSettings(masked=0.0))
    own = Query(instruction=ASKED["pay"], namespace="desk", task="pay_7")
    assert names(search(own)) == []
    add(store, "pay_it", task="pay_8")  # written for another, too
    assert names(search(own)) == ["pay_it"]


def test_code_written_again_is_found_by_the_new_request_too(store: Store) -> None:
    add(store, "pay_it", task="pay_1")
    assert searched(store, "Settle my debts with the landlord") == []
    add(store, "pay_it", asked="Settle my debts with the landlord of the flat", task="pay_2")
    assert searched(store, "Settle my debts with the landlord") == ["pay_it"]


# --- worth ----------------------------------------------------------------------------------------


def episodes(store: Store, digest: str, arm: Any, times: int, successes: int) -> None:
    store.use(
        Usage(episode=f"{arm}{n}", digest=digest, arm=arm, called=int(arm == "offered"), success=n < successes)
        for n in range(times)
    )


def test_of_two_alike_the_one_that_helps_comes_first(store: Store) -> None:
    good = add(store, "pay_well", "return x + 1")
    bad = add(store, "pay_badly", "return x - 1")
    for digest, won in ((good.digest, 90), (bad.digest, 10)):
        episodes(store, digest, "offered", 100, won)
        episodes(store, digest, "masked", 100, 50)
    ranked = Search(store).ranking(Query(instruction=ASKED["pay"], namespace="desk"))
    assert [hit.text.digest for hit in ranked] == [good.digest, bad.digest]
    assert ranked[0].score == pytest.approx(ranked[0].likeness * math.exp(2 * 0.4), rel=0.2)
    assert searched(store, ASKED["pay"]) == ["pay_well"]


def test_what_is_on_probation_gets_its_turns_and_what_is_active_keeps_its_place(store: Store) -> None:
    add(store, "pay_old", "return x + 1")
    add(store, "pay_new", "return x - 1", to=S.PROBATION)
    search = Search(store, SearchSettings(masked=0.0, top=1))
    first = [names(search(Query(instruction=ASKED["pay"], namespace="desk", episode=f"e{n}")))[0] for n in range(100)]
    assert 20 < first.count("pay_new") < 80
    again = [names(search(Query(instruction=ASKED["pay"], namespace="desk", episode=f"e{n}")))[0] for n in range(100)]
    assert again == first


# --- families and packing -------------------------------------------------------------------------


def test_of_clones_and_duplicates_one_is_offered(store: Store) -> None:
    add(store, "pay_one", "return x + 1")
    add(store, "pay_clone", "return x + 1")  # differs in its name alone
    other = add(store, "pay_other", "y = x\n    return 1 + y")
    assert len(searched(store, ASKED["pay"], top=5)) == 2
    owner = store.resolve("pay_one", "desk")
    store.link(other.skill, Relation.DUPLICATE_OF, owner.id)
    assert len(searched(store, ASKED["pay"], top=5)) == 1


def test_what_is_called_comes_first_and_counts_against_the_budget(store: Store) -> None:
    base = add(store, "helper", "return x * 3", asked="Something else entirely")
    add(store, "pay_it", "return helper(x) + 1", dependencies=[base.digest])
    assert searched(store, ASKED["pay"], top=5) == ["helper", "pay_it"]
    size = store.version(base.digest).version.tokens
    both = size + store.resolve("pay_it", "desk").version.tokens
    assert searched(store, ASKED["pay"], top=5, tokens=both) == ["helper", "pay_it"]
    assert searched(store, ASKED["pay"], top=5, tokens=both - 1) == []


def test_what_calls_a_suspended_skill_is_not_offered(store: Store) -> None:
    base = add(store, "helper", "return x * 3", asked="Something else entirely")
    add(store, "pay_it", "return helper(x) + 1", dependencies=[base.digest])
    store.move(base.digest, S.SUSPENDED, actor=Actor.GUARD)
    assert searched(store, ASKED["pay"], top=5) == []


def test_a_long_skill_leaves_its_room_to_the_next(store: Store) -> None:
    add(store, "pay_long", f"return x + sum([{'1, ' * 400}1])", asked=ASKED["pay"])
    add(store, "pay_short", "return x - 1", asked=ASKED["pay"] + " and the popcorn")
    assert searched(store, ASKED["pay"], top=5, tokens=200) == ["pay_short"]


# --- arms -----------------------------------------------------------------------------------------


def test_a_small_share_is_held_back_and_both_arms_are_counted(store: Store) -> None:
    new = add(store, "pay_it")
    search = Search(store, SearchSettings(masked=0.2))
    held = 0
    for n in range(200):
        offer = search(Query(instruction=ASKED["pay"], namespace="desk", episode=f"e{n}"))
        assert len(offer.offered) + len(offer.masked) == 1
        held += len(offer.masked)
        store.use(offer.uses(f"e{n}", success=n % 2 == 0, called={"pay_it": 1}))
    assert 20 < held < 60
    counted = store.statistics(new.digest)
    assert (counted.offered, counted.masked) == (200 - held, held)
    assert counted.called == 200 - held  # what was held back was not called


def test_what_an_offered_skill_calls_is_never_held_back(store: Store) -> None:
    base = add(store, "pay_base", "return x * 3")
    add(store, "pay_it", "return pay_base(x) + 1", dependencies=[base.digest])
    search = Search(store, SearchSettings(masked=0.5))
    for n in range(40):
        offer = search(Query(instruction=ASKED["pay"], namespace="desk", episode=f"e{n}"))
        assert names(offer) in (["pay_base", "pay_it"], ["pay_base"], [])
        assert "pay_base" not in [hit.entry.name for hit in offer.masked]


# --- meaning --------------------------------------------------------------------------------------

CLUES = {"owe": 0, "debt": 0, "song": 1, "tune": 1, "newsletter": 2, "spam": 2, "recipe": 3, "cook": 3}


def meaning(made: list[str] | None = None, model: str = "clues") -> Meaning:
    """Texts about the same thing have the same vector."""

    def vector(text: str, side: str) -> Any:
        if made is not None and side == "document":
            made.append(text)
        found = np.full(8, 0.01, dtype=np.float32)
        for clue, place in CLUES.items():
            found[place] += clue in text.lower()
        return found / np.linalg.norm(found)

    return Meaning(model=model, vector=vector)


def test_a_reworded_request_is_found_by_its_meaning(store: Store) -> None:
    four(store)
    query = Query(instruction="debt", namespace="desk")
    assert Search(store, SearchSettings(masked=0.0))(query).abstained
    assert names(Search(store, SearchSettings(masked=0.0, top=1), meaning=meaning())(query)) == ["pay_it"]


def test_a_request_is_embedded_once_and_beside_the_text_channels(store: Store) -> None:
    four(store)
    threads: list[int] = []

    def vector(asked: str, side: str) -> Any:
        if asked == "Pay":
            threads.append(threading.get_ident())
        return meaning().vector(asked, "query")

    search = Search(store, SearchSettings(masked=0.0), meaning=Meaning(model="clues", vector=vector))
    assert len(search.ranking(Query(instruction="Pay"))) == 4
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


def test_vectors_are_kept_beside_the_store_and_caught_up_with_its_events(store: Store) -> None:
    four(store)
    Search(store, meaning=meaning(made := [])).catch_up()
    assert len(made) == 4
    new = add(store, "note_two", "return x % 5")
    search = Search(store, SearchSettings(masked=0.0), meaning=meaning(made := []))
    assert names(search(Query(instruction="cook", namespace="desk"))) != []
    assert len(made) == 1  # what is new
    store.move(new.digest, S.SUSPENDED, actor=Actor.CURATOR)
    search(Query(instruction="cook", namespace="desk"))
    assert search.vectors is not None
    assert len(search.vectors) == 4


def test_vectors_that_are_missing_or_another_models_are_made_anew(store: Store) -> None:
    four(store)
    Search(store, meaning=meaning()).catch_up()
    Search(store, meaning=meaning(made := [], model="another")).catch_up()
    assert len(made) == 4
    for file in store.path.parent.glob("*.vectors*"):
        if file.suffix != ".json":
            file.write_bytes(b"torn")
    Search(store, meaning=meaning(made := [], model="another")).catch_up()
    assert len(made) == 4


def test_vectors_in_which_a_bit_has_flipped_are_made_anew(store: Store) -> None:
    four(store)
    Search(store, meaning=meaning()).catch_up()
    (note,) = store.path.parent.glob("*.vectors.json")
    (index,) = store.path.parent.glob("*.vectors-*")
    for file, place in ((index, -20), (index, 100), (note, note.read_bytes().index(b'"event": ') + 9)):
        sound = file.read_bytes()
        changed = bytearray(sound)
        changed[place] ^= 1
        file.write_bytes(changed)
        Search(store, meaning=meaning(made := [])).catch_up()
        assert len(made) == 4
        file.write_bytes(sound)


def test_few_texts_are_embedded_while_a_query_waits(store: Store) -> None:
    with store.many():
        for n in range(40):
            add(store, f"f{n}", f"return {n}", asked=f"song {n}", task=f"t{n}")
    vectors = Vectors(store.path, meaning(made := []))
    with store.view():
        assert vectors.catch_up(store.db, 16) == 24
        assert len(made) == 16
        assert vectors.catch_up(store.db) == 0
    assert len(made) == 40


# --- as a retriever -------------------------------------------------------------------------------


def test_torch_can_still_be_loaded_once_there_is_an_index() -> None:
    """A model that plays after a search by an embedder of one's own."""
    pytest.importorskip("torch")
    code = "from prowess.store.search.vectors import _new_index; _new_index(8); import torch"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_recipe_can_name_the_store(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    four(store)
    settings = RetrievalSettings(name="store", store=str(store.path), namespace="desk", top=1, threshold=0.0)
    task = Task(id="pay_2", scenario="", instruction="Pay Bob back what I owe him")
    retrieve = make_retriever(settings)
    assert [skill.name for skill in retrieve(Library(), task)] == ["pay_it"]


def test_a_recipe_without_a_file_is_told_to_name_one() -> None:
    with pytest.raises(RecipeError, match="needs a skill store"):
        make_retriever(RetrievalSettings(name="store"))
