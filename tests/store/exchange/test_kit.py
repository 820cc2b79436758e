"""What leaves with skills: the tape that answers, the clock that stands still, the check of arguments."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pytest

from prowess.sandbox.recording import plain_call
from prowess.store.exchange.kit.check import problem
from prowess.store.exchange.kit.replay import failure, refused

CODE = "def f(n):\n    return [apis.app.api(n=i)['x'] for i in range(n)]"


def trial(call: str, expected: Any, *answers: dict[str, Any], now: str = "") -> dict[str, Any]:
    return {"kind": "replay", "call": call, "answers": list(answers), "expected": expected, "now": now}


def told(n: int, api: str = "app.api") -> dict[str, Any]:
    return {"api": api, "arguments": {"n": n}, "answer": {"x": n}}


@pytest.mark.parametrize(
    ("tried", "wrong"),
    [
        (trial("f(2)", [0, 1], told(0), told(1)), ""),
        (trial("f(2)", [0, 2], told(0), told(1)), "f(2) returned [0, 1], recorded was [0, 2]"),
        (trial("f(2)", [0, 1], told(0)), "f(2) raised AssertionError: app.api is called, and no answer is left"),
        (trial("f(1)", [0], told(0), told(1)), "f(1): app.api was recorded and is not called"),
        (
            trial("f(1)", [0], told(5)),
            "f(1) raised AssertionError: app.api is called with {'n': 0}, recorded was {'n': 5}",
        ),
        (trial("f(1)", [0], told(0, "app.b")), "f(1) raised AssertionError: app.api is called, recorded was app.b"),
        (trial("f(1)", [0], {"api": "app.api", "arguments": {"n": 0}, "error": "no"}), "f(1) raised Exception: no"),
    ],
)
def test_a_recorded_call_is_repeated_to_the_letter(tried: dict[str, Any], wrong: str) -> None:
    assert failure(CODE, tried) == wrong


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("[f(0), hit.append(1)][0]", "is not one call of a function"),
        ("f(hit.append(1))", "has an argument that is not plain data"),
        ("f(*hit)", "has an argument that is not plain data"),
        ("f(**{'n': 0})", "has an argument that is not plain data"),
        ("f(apis.a.b.c)", "has an argument that is not plain data"),
        ("f(apis.__class__.__subclasses__)", "has an argument that is not plain data"),
        ("f(apis._recorded)", "has an argument that is not plain data"),
        ("f(n=0).x", "is not one call of a function"),
        ("eval('hit.append(1)')", "calls 'eval', which the skill does not define"),
        ("system('true')", "calls 'system', which the skill does not define"),
        ("f(0); hit.append(1)", "is not one call of a function"),
        ("f(", "cannot be read"),
    ],
)
def test_what_is_more_than_a_call_of_the_skill_is_not_executed(call: str, why: str) -> None:
    code = f"from os import system\nhit = []\n{CODE}"
    assert why in refused(code, call)
    assert f"was not executed: it {why}" in failure(code, trial(call, []))
    assert bool(plain_call(call)) == ("which the skill does not define" in why)  # as the store judges


@pytest.mark.parametrize("call", ["f(0)", "f(n=[1, {'a': -1.5}])", "f(apis.music, api=apis.music.login)"])
def test_a_call_with_plain_data_or_apis_is_executed(call: str) -> None:
    assert (refused(CODE, call), plain_call(call)) == ("", "f")


def test_the_clock_stands_still_while_a_call_is_repeated_and_then_goes_on() -> None:
    code = (
        "import datetime, time\nfrom datetime import date\n"
        "def f(): return [str(datetime.datetime.now()), str(date.today()), time.time(),"
        " str(datetime.datetime.now(datetime.timezone.utc))]"
    )
    moment = "2023-05-18T12:00:00"
    expected = ["2023-05-18 12:00:00", "2023-05-18", 1684411200.0, "2023-05-18 12:00:00+00:00"]
    assert failure(code, trial("f()", expected, now=moment)) == ""
    assert failure(code, trial("f()", expected)) != ""
    assert time.time() > 1_700_000_000
    assert datetime.datetime.now(datetime.UTC).year > 2023
    assert type(datetime.date(2020, 1, 1)).__module__ == "datetime"


@pytest.mark.parametrize(
    ("value", "schema", "wrong"),
    [
        (1, {}, ""),
        (True, {"type": "integer"}, "the value must be integer, not True"),
        (1, {"type": "number"}, ""),
        (None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, ""),
        (2, {"anyOf": [{"type": "string"}, {"type": "null"}]}, "the value must be string or null, not 2"),
        ("c", {"enum": ["a", 1]}, "the value must be one of 'a', 1, not 'c'"),
        (True, {"enum": ["a", 1]}, "the value must be one of 'a', 1, not True"),
        ([1, "x"], {"type": "array", "items": {"type": "integer"}}, "[1] must be integer, not 'x'"),
        ([{}, {}], {"type": "array", "uniqueItems": True}, "the value must not hold the same item twice"),
        ({"a": {"b": 1}}, {"type": "object", "additionalProperties": {"type": "object"}}, ""),
        ({"a": 1}, {"type": "object", "additionalProperties": {"type": "object"}}, "a must be object, not 1"),
        ({"a": 1}, {"type": "object", "properties": {"b": {}}, "additionalProperties": False}, "unknown a (known: b)"),
        ({}, {"type": "object", "required": ["a", "b"]}, "missing a, b"),
    ],
)
def test_arguments_are_checked_as_the_schema_says(value: Any, schema: dict[str, Any], wrong: str) -> None:
    assert problem(value, schema) == wrong
