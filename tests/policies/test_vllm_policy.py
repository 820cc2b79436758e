"""A policy whose engines say nothing. Those that speak are played in tests/vllm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from prowess.errors import ContextOverflow, PolicyError, PolicyGone
from prowess.play import Play
from prowess.play.concurrency import in_flow
from prowess.policies.sampling import SamplingSettings
from prowess.policies.vllm.policy import VllmPolicy
from prowess.policies.vllm.question import Answer, Question, Work
from prowess.policies.vllm.routing import Router
from prowess.types import Message, Request


class Silent:
    """Engines that answer nothing, and let go of what is broken off."""

    size, work, limit = 1, Work(), 64

    def __init__(self, enough: int, then: Callable[[], None]) -> None:
        self.asked: list[Question] = []
        self.enough, self.then = enough, then

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        if len(self.asked) == self.enough:
            threading.Timer(0.05, self.then).start()
        return Answer(f"0/{len(self.asked)}")

    def abort(self, answer: Answer) -> None:
        answer.set_exception(PolicyError("the reply was broken off"))


def test_a_policy_that_is_closed_ends_every_play_at_once_and_lets_none_begin() -> None:
    """As Ctrl-C does while the next step's rollouts are played ahead: nobody waits for worlds that open for nothing."""
    begun: list[tuple[int, int]] = []

    def chain(number: int) -> Play[int]:
        for task in range(3):
            begun.append((number, task))
            with suppress(PolicyError):  # the end of an episode, not of the chain
                yield Request(key=f"{number}/{task}", messages=(Message(role="user", content="go"),), seed=number)
        return number

    engine: Any = Silent(4, lambda: policy.close())
    chat: Any = SimpleNamespace(opening=lambda messages: (1, 2, 3))
    policy = VllmPolicy(engine, chat, SamplingSettings(rows=4))
    with pytest.raises(PolicyGone, match="the policy was closed"):
        list(in_flow(policy, [partial(chain, number) for number in range(40)], workers=2))
    assert sorted(begun) == [(number, 0) for number in range(4)]
    with pytest.raises(PolicyGone, match="the policy was closed"):
        policy((Message(role="user", content="go"),), seed=1)


def test_a_question_asked_while_the_policy_is_closed_is_broken_off_too() -> None:
    """Closed by one thread after another one has looked: nobody would wait for the reply but who asked."""

    class Closing(Silent):
        def ask(self, question: Question) -> Answer:
            policy.close()
            return super().ask(question)

    engine: Any = Closing(9, lambda: None)
    chat: Any = SimpleNamespace(opening=lambda messages: (1, 2, 3))
    policy = VllmPolicy(engine, chat, SamplingSettings())
    asked = policy.ask(Request(key="k", messages=(Message(role="user", content="go"),), seed=1))
    with pytest.raises(PolicyGone, match="the policy was closed"):
        asked.result(timeout=1)


def test_questions_leave_room_and_name_their_opening_and_replies_are_counted() -> None:
    engine: Any = Silent(99, lambda: None)
    lengths = {"short": 10, "long": 60, "full": 64}
    chat: Any = SimpleNamespace(
        opening=lambda messages: (1,) * lengths[messages[0].content], text=lambda tokens: "x", stop_ids=()
    )
    policy = VllmPolicy(engine, chat, SamplingSettings(reply_tokens=20))
    for name in lengths:
        asked = policy.ask(Request(key=name, messages=(Message(role="user", content=name),), seed=1))
    with pytest.raises(ContextOverflow, match="has 64 tokens; at most 63"):
        asked.result(timeout=1)
    short, long = engine.asked
    assert (short.room, long.room) == (20, 4)
    assert short.opening != long.opening and short.opening and long.opening
    policy.close()


def test_conversations_without_a_beginning_go_to_whoever_has_least_to_do() -> None:
    homes = Router()
    assert [homes.of(0, [3, 1]), homes.of(0, [1, 3]), homes.of(7, [3, 1]), homes.of(7, [1, 3])] == [1, 0, 1, 1]
