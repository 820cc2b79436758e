"""The replay evaluation: what counts as the same, on made-up states and on mutants of real references."""

from __future__ import annotations

import json
import re
from contextlib import closing
from random import Random
from typing import Any

import pytest
from prowess_appworld.grading import State, grade
from prowess_appworld.pool import Host
from prowess_appworld.world import AppWorldSuite


def state(answer: str = "null", status: str = "success", **tables: Any) -> State:
    changes = {
        name.replace("__", "."): {"added": added, "removed": removed, "last": 10}
        for name, (added, removed) in tables.items()
    }
    return State(changes=changes, answer=answer, status=status)


def notes(*titles: str, first: int = 11) -> list[dict[str, Any]]:
    return [{"id": first + n, "title": title, "tags": '["a"]'} for n, title in enumerate(titles)]


TAGS: tuple[Any, Any] = ([{"id": 11, "note_id": 11, "tag": "x"}], [])
REFERENCE = state(note__notes=(notes("one", "two"), []), note__tags=TAGS)


def test_the_same_in_another_order_is_the_same() -> None:
    found = state(note__notes=(notes("two", "one"), []), note__tags=([{"id": 11, "note_id": 12, "tag": "x"}], []))
    verdict = grade(REFERENCE, found)
    assert verdict.success
    assert verdict.passed == (
        "note.notes is as it should be",
        "note.tags is as it should be",
        "nothing else changed",
        "completed with the right answer",
    )


@pytest.mark.parametrize(
    ("found", "failed"),
    [
        (state(), ("note.notes is as it should be", "note.tags is as it should be")),
        (state(note__notes=(notes("one"), []), note__tags=TAGS), ("note.notes is as it should be",)),
        (
            state(note__notes=(notes("one", "two"), []), note__tags=([{"id": 11, "note_id": 4, "tag": "x"}], [])),
            ("note.tags is as it should be",),
        ),
        (
            state(note__notes=(notes("one", "two"), notes("old", first=3)), note__tags=TAGS),
            ("note.notes is as it should be",),
        ),
        (
            state(note__notes=(notes("one", "two"), []), note__tags=TAGS, mail__drafts=(notes("x"), [])),
            ("nothing else changed",),
        ),
        (
            state("3", note__notes=(notes("one", "two"), []), note__tags=TAGS),
            ("completed with the right answer",),
        ),
        (
            state(status="fail", note__notes=(notes("one", "two"), []), note__tags=TAGS),
            ("completed with the right answer",),
        ),
    ],
)
def test_what_differs_is_named(found: State, failed: tuple[str, ...]) -> None:
    assert grade(REFERENCE, found).failed == failed


def test_ids_of_new_rows_are_marked_within_json_text_too() -> None:
    def told(first: int, made_up: str) -> State:
        row = {"id": 11, "data": f'{{"note_ids": [{first}], "by": 4}}', "file": f"binary:{made_up}"}
        return state(note__notes=(notes("one", "two"), []), note__log=([row], []))

    assert grade(told(11, "abc"), told(12, "xyz")).success
    assert not grade(told(11, "abc"), told(3, "abc")).success


def test_an_id_counts_as_new_only_where_it_names_a_new_row_of_its_own_kind() -> None:
    def sent(to: int) -> State:
        row = {"id": 11, "note_id": 11, "user_id": to}
        return state(note__notes=(notes("one", "two"), []), note__shares=([row], []))

    assert not grade(sent(11), sent(12)).success  # people of these numbers were there before


def test_the_answer_that_the_benchmark_holds_is_right_too() -> None:
    reference = State(changes={}, answer="a , b", status="success", told="a, b")
    assert grade(reference, State(changes={}, answer="a, b", status="success")).success
    assert grade(reference, State(changes={}, answer="a , b", status="success")).success
    assert not grade(reference, State(changes={}, answer="", status="success")).success


def test_json_text_is_compared_by_its_value() -> None:
    one = state(a__b=([{"id": 11, "v": '{"x": 1, "y": 2}'}], []))
    two = state(a__b=([{"id": 12, "v": '{"y":2,"x":1}'}], []))
    assert grade(one, two).success


@pytest.mark.slow
def test_references_score_one_and_their_mutants_less(suite: AppWorldSuite) -> None:
    """A call left out, an argument changed, a call that changes something else: each on six tasks that change state."""
    changing = [task for task in suite.tasks("train")[::7] if suite.reference(task).changes][:6]
    assert len(changing) == 6
    for task in changing:
        path = suite.place.data / "tasks" / task.id / "ground_truth" / "api_calls.json"
        calls = json.loads(path.read_text())
        writes = [n for n, call in enumerate(calls) if call["method"] != "get" and "auth/token" not in call["url"]]
        acts = [n for n in writes if calls[n]["url"] != "/supervisor/message"]
        assert _score(suite, task, calls) == 1.0
        assert _score(suite, task, []) < 1.0
        rng = Random(7)
        for _ in range(2):
            gone = rng.choice(acts)
            assert _score(suite, task, calls[:gone] + calls[gone + 1 :]) < 1.0, (task.id, gone)
            assert _score(suite, task, [*calls[:gone], _wrong(calls[gone]), *calls[gone + 1 :]]) < 1.0, (task.id, gone)
        assert _score(suite, task, [*calls, _answer("something else")]) < 1.0
        assert _score(suite, task, calls[:-1]) < 1.0  # never completed
        with closing(suite.open(task)) as world:
            host: Host = world.host
            host.ask({"replay": True})
            world.execute(EXTRA)
            assert not world.evaluate().success


EXTRA = """
me = apis.supervisor.show_profile()
password = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}["simple_note"]
token = apis.simple_note.login(username=me["email"], password=password)["access_token"]
apis.simple_note.create_note(title="extra", content="x", access_token=token)
"""


def _wrong(call: dict[str, Any]) -> dict[str, Any]:
    """The call with another number in its path, or another value of an argument."""
    if number := re.search(r"\d+", call["url"]):
        other = f"{call['url'][: number.start()]}{int(number.group()) + 1}{call['url'][number.end() :]}"
        return call | {"url": other}
    name = next((name for name, value in call["data"].items() if name != "access_token" and value), "access_token")
    value = call["data"][name]
    other = (not value) if isinstance(value, bool) else value + 1 if isinstance(value, (int, float)) else f"{value}x"
    return call | {"data": call["data"] | {name: other}}


def _answer(text: str) -> dict[str, Any]:
    return {"method": "post", "url": "/supervisor/message", "data": {"answer": text, "status": "success"}}


def _score(suite: AppWorldSuite, task: Any, calls: list[dict[str, Any]]) -> float:
    with closing(suite.open(task)) as world:
        world.host.ask({"replay": calls})
        return world.evaluate().fraction
