"""The scripted policy says what it is told, and says so when it runs out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from prowess.errors import PolicyError, RecipeError
from prowess.policies import PolicySettings
from prowess.policies.scripted import Scripted
from prowess.text.tokens import estimate
from prowess.types import Message

GO = Message(role="user", content="Play my most liked song")


def conversation(said: int) -> list[Message]:
    return [GO, *(message for _ in range(said) for message in (Message(role="assistant", content="x"), GO))]


def test_replies_come_in_the_order_of_the_conversation_not_of_the_calls() -> None:
    policy = Scripted(["first", "second", "third"])
    assert [policy(conversation(said), seed=0).text for said in (2, 0, 1, 0)] == ["third", "first", "second", "first"]


def test_a_function_sees_the_conversation() -> None:
    policy = Scripted(lambda messages: f"{len(messages)} messages, last: {messages[-1].content}")
    assert policy([GO], seed=0).text == "1 messages, last: Play my most liked song"


def test_tokens_are_estimated() -> None:
    completion = Scripted(["one two three"])([GO, GO], seed=0)
    assert completion.prompt_tokens == 2 * estimate(GO.content) > 0
    assert completion.reply_tokens == estimate("one two three") > 0
    assert completion.counted == "estimated"


def test_running_out_says_how_many_there_were() -> None:
    with pytest.raises(PolicyError, match="the script has 2 replies and was asked for number 3"):
        Scripted(["first", "second"])(conversation(2), seed=0)


def test_one_text_is_not_a_list_of_texts() -> None:
    with pytest.raises(TypeError, match="letter by letter"):
        Scripted("hello")


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, "not given"), ({"replies": []}, r"\[\]"), ({"replies": "hello"}, "'hello'"), ({"replies": [1]}, r"\[1\]")],
)
def test_a_recipe_without_replies_is_refused_and_told_how_to_give_them(options: Any, told: str) -> None:
    with pytest.raises(
        RecipeError, match=rf"options.replies is {told}; .* a list of texts.*\nhint: --set .*replies = "
    ):
        PolicySettings(name="scripted", options=options)
    assert PolicySettings(name="scripted", options={"replies": ["so"]}).name == "scripted"
    assert PolicySettings(options=options).name == "expert", "what others are given is theirs"


def test_threads_may_share_one() -> None:
    policy = Scripted([str(number) for number in range(50)])
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda number: policy(conversation(number), seed=0).text, range(50)))
    assert said == [str(number) for number in range(50)]
