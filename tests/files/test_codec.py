"""Values survive their JSON exactly, and JSON that is not theirs is refused with the place named."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.errors import StoreError
from prowess.files.codec import Played, from_json, line_of, page_of, parsed, to_json
from prowess.types import (
    Call,
    Completion,
    Episode,
    Group,
    Message,
    Observation,
    Origin,
    Rollout,
    Skill,
    Stop,
    Task,
    Turn,
    Use,
    Verdict,
)

# Lone surrogates included: a model's reply may hold them. (Two that form a pair would be read back as one character.)
words = st.text(max_size=20) | st.just("\ud800 lone") | st.just("a\u2028b\x1b[31m\x9b\u202e")
counts = st.integers(min_value=0, max_value=2**63 - 1)
numbers = st.floats(allow_nan=False)


def some(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(strategy, max_size=3).map(tuple)


tasks = st.builds(
    Task,
    id=words,
    scenario=words,
    instruction=words,
    facts=st.dictionaries(words, words, max_size=3),
    difficulty=st.integers(1, 3),
)
completions = st.builds(
    Completion,
    text=words,
    prompt=some(counts),
    tokens=some(counts),
    logprobs=some(numbers),
    prompt_tokens=counts,
    reply_tokens=counts,
    counted=st.sampled_from(["exact", "reported", "estimated"]),
)
observations = st.builds(
    Observation,
    text=words,
    failed=st.booleans(),
    done=st.booleans(),
    calls=some(st.builds(Call, name=words, block=counts, error=words)),
    apis=some(words),
    denied=counts,
    fatal=words,
)
turns = st.builds(Turn, completion=completions, code=words, observation=st.none() | observations)
skills = st.builds(
    Skill,
    name=words,
    source=words,
    imports=some(words),
    docstring=words,
    apis=some(words),
    origin=st.builds(Origin, task=words, scenario=words, turn=counts, instruction=words),
)
episodes = st.builds(
    Episode,
    task=tasks,
    turns=some(turns),
    verdict=st.builds(Verdict, passed=some(words), failed=some(words)),
    stop=st.sampled_from(Stop),
    offered=some(words),
    dropped=some(words),
    called=some(st.builds(Use, name=words, turn=counts, origin=words, error=words)),
    learned=some(skills),
    prompt=some(st.builds(Message, role=st.sampled_from(["system", "user", "assistant"]), content=words)),
    error=words,
    seed=counts,
    seconds=numbers,
)
rollouts = st.builds(Rollout, episodes=some(episodes))

TASK = {"id": "a_1", "scenario": "a", "instruction": "do it"}


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        episodes,
        rollouts,
        tasks,
        skills,
        st.builds(Played, run=counts, split=words, episode=episodes),
        st.builds(Group, chain=some(tasks), rollouts=some(rollouts)),
    )
)
def test_a_value_comes_back_equal_from_one_line_of_text(value: object) -> None:
    line = line_of(to_json(value))
    assert len(line.splitlines()) == 1
    assert from_json(type(value), parsed(line.encode())) == value


def test_every_field_is_written_in_the_order_of_the_class() -> None:
    data = to_json(Task(id="a_1", scenario="a", instruction="do it", facts={"date": "today"}))
    assert list(data) == [field.name for field in fields(Task)]
    assert data["facts"] == {"date": "today"}


def test_named_readers_read_their_value() -> None:
    task = Task(id="a_1", scenario="a", instruction="do it")
    skill = Skill(name="f", source="def f(): ...")
    episode = Episode(task=task, turns=(), verdict=Verdict(passed=("x",), failed=()), stop=Stop.COMPLETED)
    assert from_json(Task, to_json(task)) == task
    assert from_json(Skill, to_json(skill)) == skill
    assert from_json(Episode, to_json(episode)) == episode
    assert from_json(Rollout, to_json(Rollout(episodes=(episode,)))) == Rollout(episodes=(episode,))


def test_numbers_that_json_lacks_are_written_as_strings_and_come_back() -> None:
    completion = Completion(text="", logprobs=(-math.inf, math.inf, -0.5))
    line = line_of(to_json(completion))
    assert json.loads(line)["logprobs"] == ["-Infinity", "Infinity", -0.5]
    assert from_json(Completion, parsed(line)) == completion
    data = to_json(Completion(text="", logprobs=(math.nan,)))
    assert math.isnan(from_json(Completion, data).logprobs[0])


def test_control_characters_never_reach_the_file_raw() -> None:
    line = line_of("\x1b[31m \x9b2J \u2028 \u202e \ud800 é 漢")
    assert line == '"\\u001b[31m \\u009b2J \\u2028 \\u202e \\ud800 é 漢"'
    assert page_of({"a": "\x85"}) == '{\n  "a": "\\u0085"\n}\n'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"id": "a_1", "scenario": "a"}, "cannot read Task: missing field 'instruction'"),
        (TASK | {"hint": "x"}, "cannot read Task: unknown field 'hint'; known: id, scenario"),
        (TASK | {"difficulty": "1"}, "cannot read Task.difficulty: expected int, found '1'"),
        (TASK | {"difficulty": True}, "cannot read Task.difficulty: expected int, found True"),
        (
            TASK | {"difficulty": 2**63},
            "cannot read Task.difficulty: expected int of 64 bits, found 9223372036854775808",
        ),
        (TASK | {"difficulty": -(10**4000)}, "cannot read Task.difficulty: expected int of 64 bits, found -1000"),
        (TASK | {"facts": {"date": 3}}, "cannot read Task.facts['date']: expected str, found 3"),
        (TASK | {"facts": []}, "cannot read Task.facts: expected object, found []"),
        ([], "cannot read Task: expected an object, found []"),
    ],
)
def test_json_of_another_shape_is_refused_with_the_place(data: object, message: str) -> None:
    with pytest.raises(StoreError) as caught:
        from_json(Task, data)
    assert caught.value.message.startswith(message)


def test_the_place_of_a_fault_is_named_down_to_the_item() -> None:
    data = to_json(
        Episode(
            task=from_json(Task, TASK),
            turns=(Turn(completion=Completion(text="a"), code=""),) * 2,
            verdict=Verdict(passed=(), failed=()),
            stop=Stop.TURNS,
        )
    )
    data["turns"][1]["completion"]["counted"] = "guessed"
    with pytest.raises(StoreError, match=r"Episode\.turns\[1\]\.completion\.counted: expected one of exact"):
        from_json(Episode, data)
    data["stop"] = "tired"
    del data["turns"]
    with pytest.raises(StoreError, match=r"missing field 'turns'"):
        from_json(Episode, data)
    data["turns"] = []
    with pytest.raises(StoreError, match=r"Episode\.stop: expected one of completed, no_code"):
        from_json(Episode, data)


def test_a_field_with_a_default_may_be_missing() -> None:
    assert from_json(Task, TASK) == Task(id="a_1", scenario="a", instruction="do it")


def test_a_value_of_the_wrong_type_is_not_written() -> None:
    with pytest.raises(StoreError, match=r"cannot record Task\.difficulty: expected int, found '2'"):
        to_json(Task(id="a", scenario="a", instruction="", difficulty="2"))  # type: ignore[arg-type]
    task, verdict = Task(id="a", scenario="a", instruction=""), Verdict(passed=(), failed=())
    for wrong, expected in (
        ({"seconds": "3"}, r"seconds: expected float, found '3'"),
        ({"seconds": True}, r"seconds: expected float, found True"),
        ({"seconds": 2**53 + 1}, r"seconds: expected float, found 9007199254740993"),
        ({"stop": "completed"}, r"stop: expected Stop, found 'completed'"),
        ({"offered": ["f"]}, r"offered: expected tuple, found \['f'\]"),
        ({"offered": (1,)}, r"offered\[0\]: expected str, found 1"),
    ):
        values: dict[str, Any] = {"task": task, "turns": (), "verdict": verdict, "stop": Stop.COMPLETED, **wrong}
        with pytest.raises(StoreError, match=rf"cannot record Episode\.{expected}"):
            to_json(Episode(**values))


@pytest.mark.parametrize("text", ["", "{", "NaN", "[" * 100_000, "1" * 5000])
def test_text_that_is_not_json_is_a_store_error(text: str) -> None:
    with pytest.raises(StoreError, match="not JSON"):
        parsed(text)
