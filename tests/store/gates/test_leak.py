"""Which values of an episode the leak gate finds in code, and what it takes for wording."""

from __future__ import annotations

import pytest

from prowess.store.canon import version_of
from prowess.store.gates.context import Context, Subject
from prowess.store.gates.leak import leak
from prowess.store.record import Provenance, Trial, Verification
from prowess.store.settings import GateSettings
from prowess.types import Json, Skill

ASKED = "Like all songs by Juno Halloway since 2019, at most 37 of them for 12.50, and note: ripe plums"
ANSWER: Json = {
    "api": "music.show_songs",
    "answer": [
        {"title": "Paper Moons", "plays": 4127, "share": 0.375, "genre": "shoegaze"},
        {"title": "Songs of old", "order": "ascending"},
    ],
}
DOCUMENT: Json = {"api": "api_docs.show_app", "answer": {"text": ["sort by hearsay", {"of": "Lanterns"}]}}
WORDS = frozenset({"like", "all", "songs", "note", "at most", "since", "ascending"})


def told(
    value: str,
    *siblings: str,
    asked: str = ASKED,
    printed: str = "",
    words: frozenset[str] = WORDS,
    answers: tuple[Json, ...] = (ANSWER, DOCUMENT),
) -> Verification:
    """What the gate says of a function that has this in it."""
    code = f'def f(x: str) -> str:\n    """Juno Halloway"""\n    apis.music.show_songs()\n    return {value}'
    version = version_of(Skill(name="f", source=code), namespace="desk")
    subject = Subject(
        version=version,
        skill="s",
        provenances=(Provenance(instruction=asked),),
        trials=(Trial(digest=version.digest, call="f()", answers=answers),),
        siblings=siblings,
    )
    return leak(subject, Context(vocabulary=words, observations=lambda _: (printed,)), GateSettings())


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("x == 'Juno Halloway'", "the instruction"),
        ("x == 'JUNO Halloway.'", "the instruction"),
        ("{'Juno Halloway': x}", "the instruction"),
        ("x['Juno Halloway']", "the instruction"),
        ("x.get('Juno Halloway')", "the instruction"),
        ("x == 37", "the instruction"),
        ("f(x, most=37)", "the instruction"),
        ("x == 12.5", "the instruction"),
        ("x == 'Paper Moons'", "an API's answer"),
        ("x == 'shoegaze'", "an API's answer"),
        ("x == 4127", "an API's answer"),
        ("x == 0.375", "an API's answer"),
        ("x == 'Moons Over'", "an observation"),
        ("x == 'of Old'", "an observation"),
        ("x == 'Halloway since'", "the instruction"),
        ("x == 'Halloway songs'", "the instruction"),
    ],
)
def test_a_value_is_found_and_it_is_said_where_it_was_seen(value: str, seen: str) -> None:
    documents = WORDS | {"juno halloway"}  # documents give examples of values, too
    said = told(value, asked=f"{ASKED}: Halloway songs", printed="It is Paper Moons Over, by Juno", words=documents)
    assert said.verdict == "fail"
    (found,) = said.evidence["values"]
    assert (found["line"], found["seen in"]) == (4, seen)
    assert str(found["value"]) in value


@pytest.mark.parametrize(
    "value",
    [
        "x['ripe'], x.get('ripe'), {'ripe': x, **x}",  # names of fields
        "'Show songs', 'music', 'plays', 'title:', 'Title plays'",  # words of APIs and fields
        "apis.music.show_songs(page_limit=37), x[:37]",  # a size of pages, then that size
        "'hearsay', 'Lanterns', 'since', 'ascending'",  # words of documents
        "'', '-', 'at', 'moons', 'Juno Hallow', 'uno', 201, 7, 12, 50, 'Somebody Else', None, b'2019'",
    ],
)
def test_what_is_no_value_of_the_episode_is_let_through(value: str) -> None:
    asked = f"{ASKED}. Show songs in the music app by title, plays and genre; title plays since the hearsay of lanterns"
    assert told(value, asked=asked, printed="It is Paper Moons").verdict == "pass"


def test_what_an_api_is_called_is_no_value_though_no_call_was_recorded() -> None:
    assert (
        told("'music', 'songs'", asked="Like songs in the music app", words=frozenset(), answers=()).verdict == "pass"
    )


def test_numbers_of_everybody_are_no_values_though_the_episode_has_them() -> None:
    numbers: list[Json] = [0, 1, 2, 3, 50, 365, 999, 1000, 1500, 3600, 9999, 86400, 0.5, 0.75, float("inf"), True]
    answers: tuple[Json, ...] = ("a stranger's", {"api": "a.b", "answer": numbers})
    code = "[0, 1, 2, 3, 50, 365, 999, 1000, 1500, 3600, 9999, 86400, 0.5, 0.75, 1e400, True]"
    assert told(code, asked="Like songs", answers=answers).verdict == "pass"
    assert told("[0, 1, 2, 3, True]", asked="Take 0, 1, 2 or 3").verdict == "pass"
    for number, verdict in ((4, "pass"), (999, "pass"), (1001, "fail"), (1000000, "fail"), (50.5, "fail")):
        assert told(f"{number}", asked="Like songs", answers=({"api": "a.b", "answer": number},)).verdict == verdict


@pytest.mark.parametrize(
    ("value", "asked", "verdict"),
    [
        ("12.5", "Pay 12.50.", "fail"),
        ("12.5", "Walk 12.5 miles", "fail"),
        ("12.5", "Walk 12 miles", "pass"),
        ("12", "Pay $12.00", "fail"),
        ("12", "Pay $12.50", "pass"),
        ("50", "Pay $12.50", "pass"),
        ("4", "Take 4.", "fail"),
        ("4", "Take 41 or 14", "pass"),
        (f"{10**400}", "Take 4", "pass"),
    ],
)
def test_a_number_is_in_a_task_as_people_write_it_and_not_as_a_part_of_another(
    value: str, asked: str, verdict: str
) -> None:
    assert told(value, asked=asked).verdict == verdict


def test_what_may_be_wording_is_doubted_until_other_tasks_tell() -> None:
    for value in ("'ripe plums'", "f'{x}: ripe plums'", "'I say ' + 'Juno Halloway'", "'Note for ripe plums'"):
        asked = f"{ASKED}. Note for ripe plums"
        said = told(value, asked=asked)
        assert (said.verdict, len(said.evidence["values"])) == ("abstain", 1)
        assert told(value, "Like songs by Nina", "Like songs by Ada", asked=asked).verdict == "fail"
        assert told(value, "Note for ripe plums: Juno Halloway", "Like songs by Ada", asked=asked).verdict == "pass"


def test_without_documents_a_plain_word_may_be_an_apis_own() -> None:
    unread = frozenset[str]()
    assert told("'shoegaze'", words=unread).verdict == "abstain"
    assert told("'ripe'", "Like songs", words=unread).verdict == "abstain"
    assert told("'Paper Moons'", words=unread).verdict == told("4127", words=unread).verdict == "fail"


def test_what_was_merely_printed_or_answered_is_not_settled_by_what_other_tasks_say() -> None:
    assert told("f'{x}Paper Moons'", "Like songs").verdict == "abstain"


def test_what_looks_like_a_value_is_none_only_if_all_other_tasks_say_it() -> None:
    for value in ("'Juno Halloway'", "37"):
        assert told(value, "By Juno Halloway, 37", "By Nina, 38").verdict == "fail"
        assert told(value, "By Juno Halloway, 37", "Juno Halloway, in 37").verdict == "pass"


def test_where_nothing_of_the_episode_is_known_the_gate_says_nothing() -> None:
    assert told("'Juno Halloway'", asked="", answers=()).verdict == "abstain"
    assert told("x", asked="", answers=(), printed="Hello").verdict == "pass"
    assert told("x", asked="Like", answers=()).verdict == "pass"
    assert told("x", asked="", answers=({"api": "a.b", "answer": "Hello"},)).verdict == "pass"


def test_at_most_twenty_values_are_listed() -> None:
    numbers = list(range(4001, 4031, 1))
    said = told(f"{numbers}", answers=({"api": "a.b", "answer": list(numbers)},))
    assert len(said.evidence["values"]) == 20
