"""An API changes: exactly the skills that rely on it go stale, and come back when it is as before."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from prowess_desk.engine.api import Session
from prowess_desk.engine.case import case_of
from prowess_desk.engine.desk import call
from prowess_desk.engine.family import source_of
from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.job import functions_of, written
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings

from prowess.skills.extract import skills_in
from prowess.store.curate.drift import Drift, follow
from prowess.store.db import Store
from prowess.store.fingerprint import documents, fingerprint, fingerprints
from prowess.store.record import Actor, Provenance, Status
from prowess.types import Json

S = Status
SUITE = DeskSuite(DeskSettings(), None)  # type: ignore[arg-type]  # nothing is opened
NOW = fingerprints(SUITE.documents())


def put(
    store: Store,
    code: str,
    status: Status = S.ACTIVE,
    needs: Collection[str] = (),
    known: Mapping[str, str] = NOW,
) -> str:
    skill = skills_in(code)[-1]
    digest = store.propose(
        skill, Provenance(episode=f"e/{skill.name}", world="desk"), dependencies=needs, fingerprints=known
    ).digest
    store.move(digest, S.VERIFIED, actor=Actor.GATE)
    store.review(digest, "approve", who="ada")
    store.move(digest, S.PROBATION, actor=Actor.GATE)
    if status is S.ACTIVE:
        store.move(digest, status, actor=Actor.CURATOR)
    return digest


def moved(drift: Drift) -> tuple[list[str], list[str]]:
    return sorted(turn.name for turn in drift.stale), sorted(turn.name for turn in drift.back)


def test_words_examples_and_order_do_not_count_and_everything_else_does() -> None:
    doc: dict[str, Json] = {
        "app_name": "music",
        "api_name": "search",
        "path": "/search",
        "description": "Search.",
        "parameters": [
            {"name": "query", "type": "string", "required": True, "description": "words"},
            {"name": "page_limit", "type": "integer", "required": False, "default": 5, "constraints": ["value >= 1"]},
        ],
        "response_schemas": {"success": [{"song_id": 1, "rating": 4.5, "album": "string or null"}]},
    }
    query, limit = doc["parameters"]
    (row,) = doc["response_schemas"]["success"]
    same: list[dict[str, Json]] = [
        {"description": "Find songs."},
        {"path": "/find", "canary_string": "x"},
        {"parameters": [limit, query | {"description": "", "default": None, "constraints": []}]},
        {"response_schemas": {"success": [row | {"song_id": 77, "album": "title or null"}]}},
    ]
    other: list[dict[str, Json]] = [
        {"api_name": "find"},
        {"parameters": [query]},
        {"parameters": [query | {"required": False}, limit]},
        {"parameters": [query | {"type": "integer"}, limit]},
        {"parameters": [query, limit | {"default": 20}]},
        {"parameters": [query, limit | {"constraints": ["value >= 0"]}]},
        {"parameters": [query | {"name": "text"}, limit]},
        {"response_schemas": {"success": row}},
        {"response_schemas": {"success": [row | {"album": "string"}]}},
        {"response_schemas": {"success": [row | {"rating": "string"}]}},
        {"response_schemas": {"success": [{"song_id": 1, "rating": 4.5}]}},
    ]
    assert {fingerprint(doc | change) for change in same} == {fingerprint(doc)}
    assert len({fingerprint(doc), *(fingerprint(doc | change) for change in other)}) == 1 + len(other)


def test_desk_tells_of_every_api_and_an_agent_would_read_the_same() -> None:
    case = case_of(FAMILIES["like_artist"], 0, 0, 0)
    session = Session(supervisor=case.me, instruction="", universe=0, seed=0)
    asked = fingerprints(documents(lambda app, api, arguments: call(case.start, session, app, api, arguments)))
    assert asked == NOW
    assert len(NOW) > 150 and len(set(NOW.values())) == len(NOW)


@pytest.mark.slow
def test_a_changed_api_makes_exactly_the_skills_stale_that_call_it(store: Store) -> None:
    """All programs of desk as skills; one API changes."""
    for family in FAMILIES.values():
        put(store, written(tuple(source_of(each) for each in functions_of(family).values())))
    calls = {entry.name: entry.version.apis for entry in store.entries()}
    before = {entry.name: entry.status for entry in store.entries()}
    assert moved(follow(store, NOW)) == ([], [])
    drift = follow(store, NOW | {"music.search_songs": "another"}, namespace="desk")
    expected = sorted(name for name, apis in calls.items() if "music.search_songs" in apis)
    assert moved(drift) == (expected, []) and 1 < len(expected) < len(calls) / 2
    assert {entry.name for entry in store.entries(statuses=[S.STALE])} == set(expected)
    assert drift.changed == ("music.search_songs",)
    assert drift.stale[0].why == "music.search_songs changed"
    assert moved(follow(store, NOW | {"music.search_songs": "another"})) == ([], [])
    assert moved(follow(store, NOW)) == ([], expected)
    assert {entry.name: entry.status for entry in store.entries()} == before


def test_an_api_that_is_gone_has_changed(store: Store) -> None:
    put(store, "def f() -> int:\n    return apis.music.show_song(song_id=1)")
    drift = follow(store, {api: known for api, known in NOW.items() if api != "music.show_song"})
    assert [turn.why for turn in drift.stale] == ["music.show_song is gone"]


def test_what_depends_on_a_stale_skill_is_stale_too_and_returns_to_where_it_was(store: Store) -> None:
    low = put(store, "def low() -> int:\n    return apis.music.show_song(song_id=1)")
    middle = put(store, "def middle() -> int:\n    return low()", S.PROBATION, [low])
    high = put(store, "def high() -> int:\n    return middle() + apis.wallet.show_balance()", S.ACTIVE, [middle])
    other = put(store, "def other() -> int:\n    return apis.wallet.show_balance()")
    drift = follow(store, NOW | {"music.show_song": "another"})
    assert {turn.name: turn.why for turn in drift.stale} == {
        "low": "music.show_song changed",
        "middle": "music.show_song changed (through low)",
        "high": "music.show_song changed (through middle)",
    }
    assert store.version(other).status is S.ACTIVE
    follow(store, NOW)
    assert [store.version(digest).status for digest in (low, middle, high)] == [S.ACTIVE, S.PROBATION, S.ACTIVE]


def test_one_that_has_two_reasons_comes_back_when_both_are_gone(store: Store) -> None:
    digest = put(store, "def f() -> int:\n    return apis.music.show_song(song_id=apis.wallet.show_balance())")
    follow(store, NOW | {"music.show_song": "another", "wallet.show_balance": "another"})
    assert moved(follow(store, NOW | {"music.show_song": "another"})) == ([], [])
    assert store.version(digest).status is S.STALE
    assert moved(follow(store, NOW)) == ([], ["f"])


def test_a_dry_run_writes_nothing(store: Store) -> None:
    digest = put(store, "def f() -> int:\n    return apis.music.show_song(song_id=1)")
    before = store.events()
    drift = follow(store, {}, dry_run=True)
    assert moved(drift) == (["f"], []) and drift.stale[0].events == ()
    assert store.events() == before and store.version(digest).status is S.ACTIVE


def test_what_a_person_made_stale_stays_and_what_has_no_fingerprint_is_counted(store: Store) -> None:
    digest = put(store, "def f() -> int:\n    return apis.music.show_song(song_id=1)")
    put(store, "def g() -> int:\n    return apis.music.show_song(song_id=2)", known={})
    store.move(digest, S.STALE, actor=Actor.PERSON, who="ada")
    drift = follow(store, NOW)
    assert moved(drift) == ([], []) and drift.unknown == 1
    assert moved(follow(store, {})) == ([], [])


def test_a_version_that_was_replaced_meanwhile_does_not_come_back(store: Store) -> None:
    old = put(store, "def f() -> int:\n    return apis.music.show_song(song_id=1)")
    follow(store, NOW | {"music.show_song": "another"})
    new = put(
        store, "def f() -> int:\n    return apis.music.show_song(id=1)", known=NOW | {"music.show_song": "another"}
    )
    follow(store, NOW)
    assert store.version(old).status is S.SUPERSEDED
    assert store.version(new).status is S.STALE
