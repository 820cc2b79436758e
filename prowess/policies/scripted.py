"""A policy that says what it was told to say: for tests, demonstrations and replays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prowess.errors import PolicyError
from prowess.text.plural import counted
from prowess.text.tokens import estimated
from prowess.types import Completion, Message


@dataclass(frozen=True, slots=True)
class Scripted:
    """Replies in order, or a function from the conversation to the next reply.

    Which reply is due is read off the conversation, by counting what the assistant has said. Nothing is remembered
    between calls, so any number of episodes may share one.

    >>> policy = Scripted(["first", "second"])
    >>> policy([Message(role="user", content="go"), Message(role="assistant", content="first")], seed=0).text
    'second'
    """

    replies: Sequence[str] | Callable[[Sequence[Message]], str]

    def __post_init__(self) -> None:
        if isinstance(self.replies, str):
            raise TypeError("replies is one text, which would be said letter by letter: give a list of texts")

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        text = self.replies(messages) if callable(self.replies) else _due(self.replies, messages)
        return estimated(Completion(text=text), messages)


def _due(replies: Sequence[str], messages: Sequence[Message]) -> str:
    said = sum(message.role == "assistant" for message in messages)
    if said >= len(replies):
        raise PolicyError(
            f"the script has {counted(len(replies), 'reply', 'replies')} and was asked for number {said + 1}",
            hint="add replies, or end the task in the last one",
        )
    return replies[said]
