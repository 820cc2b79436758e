"""A play: something under way that asks for replies, whoever gives them."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from prowess.errors import PolicyError, PolicyGone, ProwessError, Unanswered, told
from prowess.types import Completion, Policy, Request

R = TypeVar("R")
Play = Generator[Request, Completion, R]
"""Something under way: gives a conversation that waits for a reply, is sent the reply, ends with its result."""


def played(play: Play[R], policy: Policy) -> R:
    """Play with one policy to the end, giving each conversation its reply."""
    try:
        request = next(play)
        while True:
            try:
                completion = policy(request.messages, seed=request.seed)
            except PolicyGone:
                play.close()
                raise
            except ProwessError as problem:
                request = play.throw(problem)  # recorded where it is thrown
            except Exception as problem:  # noqa: BLE001 (the edge of a stranger's policy)
                kind = Unanswered if isinstance(problem, OSError) else PolicyError  # connections and time-outs
                request = play.throw(kind(f"the policy raised {told(problem)}"))
            else:
                request = play.send(completion)
    except StopIteration as end:
        result: R = end.value
        return result
