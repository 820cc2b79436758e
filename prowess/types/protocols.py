"""What acts, as protocols: worlds, policies, learners and retrievers live elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol, runtime_checkable

from prowess.errors import PolicyError
from prowess.types.episode import Observation, Verdict
from prowess.types.message import Completion, Message, Request
from prowess.types.sample import Sample
from prowess.types.skill import Skill
from prowess.types.task import Task


class World(Protocol):
    """One task, opened once, played once, graded, closed. Never reset."""

    @property
    def done(self) -> bool:
        """True once the task is marked complete."""
        ...

    def execute(self, code: str) -> Observation:
        """Run a block of code; definitions stay for the next block."""
        ...

    def evaluate(self) -> Verdict:
        """Grade the state as it stands. May be called once, at the end."""
        ...

    def close(self) -> None:
        """Give everything back. May be called twice."""
        ...


@runtime_checkable
class Defining(Protocol):
    """A world that lets functions be defined without letting them act: skills are loaded so, before the task begins."""

    def define(self, code: str) -> Observation:
        """As `execute`, which it counts as, but no API answers."""
        ...


class Suite(Protocol):
    """A set of tasks in named splits, and the way to open one."""

    def splits(self) -> Sequence[str]: ...

    def tasks(self, split: str) -> Sequence[Task]:
        """Tasks of a split, scenario by scenario, in order."""
        ...

    def open(self, task: Task) -> World: ...


class Policy(Protocol):
    """Continues a conversation. A function or a lambda is one."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion: ...


@runtime_checkable
class BatchPolicy(Protocol):
    """A policy that continues many conversations side by side, a pass at a time, and keeps what it computed for their
    next turns. Whoever plays them says when the next pass is, so who shares a pass is no matter of chance."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion: ...

    def admit(self, request: Request) -> None:
        """Let a conversation join; its reply comes out of a later pass."""
        ...

    def advance(self) -> Mapping[str, Completion | PolicyError]:
        """One pass for all conversations that wait: the replies that it ended, by key. An error stands for a reply
        where only that conversation cannot go on."""
        ...

    def forget(self, key: str) -> None:
        """Let go of a conversation, also of a reply to it that is under way. Unknown keys are fine."""
        ...


@runtime_checkable
class FlowPolicy(Protocol):
    """A policy that takes a conversation now and continues it when it can: none waits for another."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion: ...

    def ask(self, request: Request) -> Future[Completion]:
        """The completion to come. A PolicyError concerns this conversation alone, any other error all of them."""
        ...

    def forget(self, key: str) -> None:
        """Let go of a conversation, also of a reply to it that is under way. Unknown keys are fine."""
        ...


class Learner(Protocol):
    """The only owner of the weights. A learner may say in `done` how many whole steps are in its weights, None for a
    part of one. It is then saved wherever a step breaks; another learner only while a step is played."""

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
        """Learn from a batch once. The sum over samples is divided by `per`, or by their number."""
        ...

    def rest(self) -> Mapping[str, float]:
        """Let a step go by that has nothing to learn from: schedules go on, weights stay."""
        ...

    def policy(self) -> Policy:
        """Plays with the weights as they are now."""
        ...

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path) -> None: ...


class LibraryView(Protocol):
    """What a retriever may ask of a library."""

    @property
    def skills(self) -> Sequence[Skill]: ...


class Retriever(Protocol):
    """Chooses, best first, the skills to offer for a task. A function or a lambda is one."""

    def __call__(self, library: LibraryView, task: Task, /) -> Sequence[Skill]: ...
