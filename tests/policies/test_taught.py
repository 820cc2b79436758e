"""A model that is taught, by teachers who fail: on desk and AppWorld it is played in tests/desk and tests/appworld."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

import pytest
from toy import ToySuite, agent_with, said

from prowess.play.concurrency import play_all
from prowess.play.rollout import play_task
from prowess.policies.taught import taught
from prowess.skills.library import Library
from prowess.types import Completion, Message, Request


class Alone:
    """Every program of it fails."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        return said("x", "print(1/0)")

    def forget(self, key: str) -> None:
        pass


class InPasses(Alone):
    rows = 8

    def __init__(self) -> None:
        self.waiting: list[Request] = []

    def admit(self, request: Request) -> None:
        self.waiting.append(request)

    def advance(self) -> dict[str, Completion]:
        waiting, self.waiting = self.waiting, []
        return {request.key: self(request.messages, seed=request.seed) for request in waiting}


class Flowing(Alone):
    rows = 8

    def ask(self, request: Request) -> Future[Completion]:
        future: Future[Completion] = Future()
        future.set_result(self(request.messages, seed=request.seed))
        return future


def teacher(messages: Sequence[Message], *, seed: int) -> Completion:
    if "counter to 2." in messages[1].content:
        raise KeyError("odd")
    return said("done", "apis.supervisor.complete_task()")


@pytest.mark.parametrize("model", [Alone(), InPasses(), Flowing()])
def test_a_teacher_that_fails_in_one_conversation_leaves_the_others_alone(model: Alone) -> None:
    suite = ToySuite(2)
    policy = taught(model, teacher)
    plays = [partial(play_task, agent_with(policy), suite, task, Library(), seed=1) for task in suite.tasks("train")]
    errors = [episode.error for _, episode in play_all(policy, plays, 2)]
    assert len(errors) == len(plays)
    assert [error for error in errors if error and "KeyError: 'odd'" in error] and errors.count("") > len(errors) // 2
