"""A skill is tried before it is offered, once for each version, world and state of its APIs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from prowess_appworld.settings import IMPORTS

from prowess.errors import RecipeError
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.store.curate import curate, plan
from prowess.store.db import Store
from prowess.store.ground import Ground
from prowess.store.record import Actor, Provenance, Status, Trial
from prowess.store.search import Query, SearchSettings
from prowess.store.search.search import Search
from prowess.store.search.smoke import Smoke
from prowess.types import Origin, Task

S = Status
COUNT = '''
def count_songs(artist: str) -> int:
    """Count the songs of an artist."""
    found = apis.music.search_songs(query=artist)
    return len(found) + 0
'''
BOTH = '''
def count_both(one: str, other: str) -> int:
    """Count the songs of two artists."""
    return count_songs(one) + count_songs(other)
'''
REQUEST = "Count the songs of Ann and Bob."
SONGS = {"api": "music.search_songs", "arguments": {"query": "Ann"}, "answer": [{"title": "A"}, {"title": "B"}]}


def put(store: Store, code: str = COUNT, *, expected: int | None = 2, needs: tuple[str, ...] = ()) -> str:
    """An active skill; with a recorded call where something is expected of it."""
    origin = Origin(task="songs_1", scenario="songs", turn=1, instruction=REQUEST)
    one = skills_in(code, origin=origin)[-1]
    where = Provenance(episode=f"e/{one.name}", world="desk", task="songs_1", instruction=REQUEST)
    digest = store.propose(one, where, namespace="desk", dependencies=needs, fingerprints={}).digest
    for step in (S.VERIFIED, S.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    store.move(digest, S.ACTIVE, actor=Actor.CURATOR)
    if expected is not None:
        store.test(Trial(digest=digest, call="count_songs(artist='Ann')", answers=(SONGS,), expected=expected))
    return digest


def smoke(store: Store, *, apis: Mapping[str, str] | None = None, note: bool = True, world: str = "desk") -> Smoke:
    return Smoke(store, Ground(world=world, fingerprints=lambda: apis or {}), calls=2, note=note)


def offered(store: Store, test: Smoke, *, top: int = 5, tokens: int = 4000) -> list[str]:
    settings = SearchSettings(masked=0.0, threshold=0.0, top=top, tokens=tokens)
    found = Search(store, settings)(Query(instruction=REQUEST, namespace="desk"), test.problem)
    names = [hit.entry.name for hit in found.offered]
    test.close()
    return names


def file(store: Store) -> Path:
    return store.path.with_name("skills.db.smoke.jsonl")


def test_what_works_is_offered_and_tried_once_for_all_processes(store: Store) -> None:
    digest = put(store)
    first, second = smoke(store), smoke(store)
    assert offered(store, first) == ["count_songs"]
    assert len(file(store).read_text().splitlines()) == 1
    assert second.problem(store.version(digest)) == ""
    assert second._sandbox is None  # the file told
    assert store.verifications(digest) == ()


def test_what_fails_is_not_offered_and_curation_suspends_it(store: Store) -> None:
    digest = put(store, expected=3)
    assert offered(store, smoke(store)) == []
    (told,) = store.verifications(digest)
    assert (told.check, told.verdict) == ("smoke", "fail")
    assert told.evidence == {"problem": "count_songs(artist='Ann'): returns 2 instead of 3"}
    assert offered(store, smoke(store)) == []
    assert len(store.verifications(digest)) == 1
    (step,) = plan(store)
    assert (step.to, step.why) == (S.SUSPENDED, f"a recorded call does not come out again: {told.evidence['problem']}")
    (done,) = curate(store)
    assert done.event is not None and store.version(digest).status is S.SUSPENDED
    store.undo(done.event.id, who="ada")
    assert store.version(digest).status is S.ACTIVE


def test_what_a_person_put_back_is_not_suspended_for_the_same_failure(store: Store) -> None:
    digest = put(store, expected=3)
    offered(store, smoke(store))
    curate(store)
    store.move(digest, S.ACTIVE, actor=Actor.PERSON, who="ada")
    assert plan(store) == ()


def test_another_world_or_api_is_tried_anew_and_a_later_success_clears_the_failure(store: Store) -> None:
    digest = put(store, expected=3)
    offered(store, smoke(store))
    for other in (smoke(store, apis={"music.search_songs": "new"}), smoke(store, world="other")):
        other.problem(store.version(digest))
        assert other._sandbox is not None
        other.close()
    same = smoke(store, apis={"mail.send": "new"})  # none of its APIs
    assert same.problem(store.version(digest)) and same._sandbox is None
    good = put(store, COUNT.replace("+ 0", "+ 1"), expected=3)
    assert offered(store, smoke(store)) == ["count_songs"]
    assert store.verifications(good) == ()


def test_without_recorded_calls_it_is_offered_untried(store: Store) -> None:
    put(store, expected=None)
    test = smoke(store)
    assert offered(store, test) == ["count_songs"]
    assert not file(store).exists()


def test_what_calls_something_broken_is_not_offered_either(store: Store) -> None:
    inner = put(store, expected=3)
    put(store, BOTH, expected=None, needs=(inner,))
    assert offered(store, smoke(store)) == []


def test_the_next_best_takes_the_place_of_what_fails(store: Store) -> None:
    put(store, expected=3)
    spare = put(store, COUNT.replace("count_songs", "count_titles").replace("+ 0", "* 1"), expected=None)
    other = put(store, COUNT.replace("count_songs", "tell_songs").replace("len(found) + 0", "found"), expected=None)
    search = Search(store, SearchSettings(masked=0.0, threshold=0.0))
    likeness = {hit.text.digest: hit.likeness for hit in search.ranking(Query(instruction=REQUEST, namespace="desk"))}
    assert likeness[spare] > likeness[other]
    best = [offered(store, smoke(store), top=top) for top in (1, 2)]
    assert best == [["count_titles"], ["count_titles", "tell_songs"]]
    assert offered(store, smoke(store), tokens=store.version(spare).version.tokens) == ["count_titles"]
    store.move(spare, S.SUSPENDED, actor=Actor.CURATOR)
    assert offered(store, smoke(store), top=1) == ["tell_songs"]


def test_nothing_below_the_threshold_takes_the_place_of_what_fails(store: Store) -> None:
    put(store, expected=3)
    pay = 'def pay(who: str) -> dict:\n    """Send money."""\n    return apis.bank.show_account(owner=who + "!")\n'
    skill = skills_in(pay, origin=Origin(task="pay_1", scenario="pay", turn=1, instruction="Send money to Eve."))[-1]
    digest = store.propose(skill, Provenance(episode="e/pay", world="desk"), namespace="desk").digest
    for step in (S.VERIFIED, S.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    search, test = Search(store, SearchSettings(masked=0.0)), smoke(store)
    query = Query(instruction=REQUEST, namespace="desk")
    assert [hit.entry.name for hit in search(query).offered] == ["count_songs"]
    assert search(query, test.problem).abstained
    test.close()


def test_what_is_held_back_is_the_same_whatever_fails(store: Store) -> None:
    put(store, expected=3)
    put(store, COUNT.replace("count_songs", "count_titles").replace("+ 0", "* 1"), expected=None)
    search, test = Search(store, SearchSettings(masked=0.5, threshold=0.0)), smoke(store)
    held = set()
    for seed in range(20):
        query = Query(instruction=REQUEST, namespace="desk", seed=seed, episode=f"e{seed}")
        before, after = search(query), search(query, test.problem)
        held |= {hit.entry.name for hit in before.masked}
        assert [hit.entry.name for hit in after.masked] == [
            hit.entry.name for hit in before.masked if hit.entry.name != "count_songs"
        ]
    assert held == {"count_songs", "count_titles"}
    test.close()


def test_a_skill_is_tried_with_the_code_of_what_it_calls(store: Store) -> None:
    inner = put(store)
    outer = put(store, BOTH, expected=None, needs=(inner,))
    twice = (SONGS, {**SONGS, "arguments": {"query": "Bob"}})
    store.test(Trial(digest=outer, call="count_both(one='Ann', other='Bob')", answers=twice, expected=4))
    assert sorted(offered(store, smoke(store))) == ["count_both", "count_songs"]


def test_a_file_that_is_torn_or_gone_costs_another_try_and_no_more(store: Store) -> None:
    digest = put(store)
    offered(store, smoke(store))
    for content in (None, b"", b"nonsense\n{\n", file(store).read_bytes()[:-9]):
        file(store).unlink()
        if content is not None:
            file(store).write_bytes(content)
        test = smoke(store)
        assert test.problem(store.version(digest)) == "" and test._sandbox is not None
        test.close()


def test_who_must_not_change_the_store_tells_it_nothing(store: Store) -> None:
    digest = put(store, expected=3)
    assert offered(store, smoke(store, note=False)) == []
    assert store.verifications(digest) == ()


def test_the_worlds_own_imports_are_there(store: Store) -> None:
    code = COUNT.replace("len(found) + 0", "len(found) + datetime.date(2023, 1, 1).day - 1")
    digest = put(store, code)
    bare, equipped = smoke(store), Smoke(store, Ground(world="appworld", imports=IMPORTS), calls=1)
    assert "datetime" in bare.problem(store.version(digest))
    assert equipped.problem(store.version(digest)) == ""
    (fail, cleared) = store.verifications(digest)
    assert (fail.verdict, cleared.verdict) == ("fail", "pass")
    assert plan(store) == ()
    for test in (bare, equipped):
        test.close()


@pytest.mark.parametrize(("calls", "names"), [(2, []), (0, ["count_songs"])])
def test_the_retriever_of_a_recipe_tries_what_it_offers_unless_told_not_to(
    store: Store, calls: int, names: list[str]
) -> None:
    put(store, expected=3)
    settings = RetrievalSettings(name="store", store=str(store.path), threshold=0.0, smoke=calls, model="minilm")
    retrieve = make_retriever(settings, Ground(world="desk"))
    task = Task(id="songs_2", scenario="songs", instruction=REQUEST)
    assert [skill.name for skill in retrieve(Library(), task)] == names
    retrieve.close()  # type: ignore[attr-defined]
    with pytest.raises(RecipeError, match="smoke is -1, and cannot be negative"):
        RetrievalSettings(smoke=-1)
