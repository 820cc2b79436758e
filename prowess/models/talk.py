"""A conversation under way as token ids: what was said stays as it was said, and only what is new is rendered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prowess.models.chat import Chat
from prowess.types import Completion, Message


@dataclass(slots=True, kw_only=True)
class Talk:
    """What is kept of a conversation between its turns."""

    messages: tuple[Message, ...]
    """What was asked last time; the reply is not among them."""
    tokens: list[int]
    """All of it so far: prompts and replies. It only grows."""
    prompt: tuple[int, ...] = ()
    """What the reply under way was asked with."""
    said: str = ""
    """The text of the last reply."""

    def __post_init__(self) -> None:
        self.prompt = tuple(self.tokens)

    def hear(self, messages: tuple[Message, ...], chat: Chat) -> bool:
        """Take in what came after the last reply; False, and nothing done, if that is not how it went on."""
        known = (*self.messages, Message(role="assistant", content=self.said))
        fresh = messages[len(known) :]
        if not fresh or messages[: len(known)] != known:
            return False
        self.tokens += chat.glue(self.tokens, fresh)
        self.messages = messages
        self.prompt = tuple(self.tokens)
        return True

    def answered(self, logprobs: Sequence[float], chat: Chat) -> Completion:
        """The reply as it stands at the end of the tokens."""
        tokens = tuple(self.tokens[len(self.prompt) :])
        self.said = chat.text(tokens)
        return Completion(
            text=self.said,
            prompt=self.prompt,
            tokens=tokens,
            logprobs=tuple(logprobs),
            prompt_tokens=len(self.prompt),
            reply_tokens=len(tokens),
            counted="exact",
        )
