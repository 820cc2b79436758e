"""What an engine is asked, and what it says to that."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the engine is asked."""

    tokens: tuple[int, ...]
    seed: int
    temperature: float
    room: int
    """The longest reply, in tokens."""
    opening: int = 0
    """A number for what the conversation began with: several engines share them out by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What it said."""

    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    cached: int
    """Tokens of the question that were not read again."""


class Answer(Future[Reply]):
    """A reply to come, by the name that its question is known by."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
