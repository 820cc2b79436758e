"""A conversation with a policy: what is said to it, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from prowess.types.plain import SPARSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One entry of the conversation that a policy continues."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a policy said, with the exact token ids where it knows them: nothing is ever re-tokenised."""

    text: str
    prompt: tuple[int, ...] = ()
    """Token ids the model saw; empty for a policy that works on text."""
    tokens: tuple[int, ...] = ()
    """Token ids the model said."""
    logprobs: tuple[float, ...] = ()
    """Log-probability of each said token under the sampler."""
    prompt_tokens: int = 0
    """How long the prompt was, in tokens."""
    reply_tokens: int = 0
    """How long the reply was, in tokens."""
    counted: Literal["exact", "reported", "estimated"] = "estimated"
    """Who counted: our tokenizer, the endpoint, or the estimate of `tokens.estimate`."""
    teacher: bool = field(default=False, metadata=SPARSE)
    """Said by a teacher who stepped in for the model (`policies.taught`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One conversation that waits for a reply, for a policy that answers many at once."""

    key: str
    """Names the conversation: the same key comes again, with more messages, at its next turn."""
    messages: tuple[Message, ...]
    seed: int
