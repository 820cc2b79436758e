"""What an engine is asked, what it answers, and what that took."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Passes and the seconds they took; among them those in which somebody was still read."""

    passes: int = 0
    seconds: float = 0.0
    reading_passes: int = 0
    reading_seconds: float = 0.0

    def __add__(self, more: Work) -> Work:
        return Work(
            passes=self.passes + more.passes,
            seconds=self.seconds + more.seconds,
            reading_passes=self.reading_passes + more.reading_passes,
            reading_seconds=self.reading_seconds + more.reading_seconds,
        )

    def since(self, before: Work) -> Work:
        """What has been done since then."""
        return Work(
            passes=self.passes - before.passes,
            seconds=self.seconds - before.seconds,
            reading_passes=self.reading_passes - before.reading_passes,
            reading_seconds=self.reading_seconds - before.reading_seconds,
        )

    @property
    def pass_seconds(self) -> float:
        """A pass in which nobody is read: a token of everybody who talks; 0 where there was none."""
        return (self.seconds - self.reading_seconds) / max(1, self.passes - self.reading_passes)

    @property
    def reading_pass_seconds(self) -> float:
        """A pass in which somebody is read; 0 where there was none."""
        return self.reading_seconds / max(1, self.reading_passes)

    @property
    def reading(self) -> float:
        """The share of its time that went into the others."""
        return self.reading_seconds / max(self.seconds, 1e-9)

    def figures(self, *, seconds: float, said: int, engines: int) -> dict[str, float]:
        """What so many engines did in so many seconds, in which they said so many tokens."""
        return {
            "play/engine_idle": max(0.0, 1 - self.seconds / engines / seconds),
            "play/rows": engines * said / max(1, self.passes),
            "play/pass_ms": 1000 * self.pass_seconds,
            "play/reading_ms": 1000 * self.reading_pass_seconds,
            "play/reading": self.reading,
        }


def one_pass(seconds: float, *, reading: bool) -> Work:
    """One pass more."""
    return Work(passes=1, seconds=seconds, reading_passes=int(reading), reading_seconds=seconds if reading else 0.0)
