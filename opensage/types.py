"""The nouns. Everything that travels between modules is one of these frozen values.

A group holds rollouts of one chain; a rollout holds one episode per task of the chain; an episode holds turns.
What acts (worlds, policies, retrievers, the agent) is described here as protocols and lives elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from opensage.errors import PolicyError

Json = Any
"""A JSON value: None, bool, int, float, str, a list of these, or a dict of these with string keys."""

SPARSE: Mapping[str, bool] = {"sparse": True}
"""Marks a field that is recorded only where it holds something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to do, as the agent is told it."""

    id: str
    """Unique in its suite: `<scenario>_<n>`."""
    scenario: str
    """Tasks of one scenario have the same shape and different people and values."""
    instruction: str
    """What the supervisor asks for, in their words."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the prompt may know besides: date and time, and the supervisor's name, e-mail and phone number."""
    difficulty: int = 1
    """1 to 3, as the suite grades it."""


Chain = tuple[Task, ...]
"""Tasks played in order, one library growing along the way."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A function defined by an earlier block, called by this one: seen in the execution trace."""

    name: str
    block: int
    """Which `execute` call of this world defined it, counted from 0."""
    error: str = ""
    """The exception that left the function, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """A recorded call of a function that the agent wrote: what went in, what APIs answered meanwhile, what came out.

    Secrets in it are masked, so that it can be kept as a test of the function and replayed anywhere.
    """

    name: str
    block: int
    """Which `execute` call of this world defined the function, counted from 0."""
    call: str
    """The call as code: `top_songs(limit=3)`."""
    answers: tuple[Json, ...] = ()
    """The API calls in order: `{"api", "arguments", "answer"}`, or `"error"` in place of the answer."""
    expected: Json = None
    """What it returned, as JSON."""
    now: str = ""
    """The world's frozen clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the world answers to a block of code."""

    text: str
    """What the agent reads: printed text, `Execution successful.` or `Execution failed. Traceback: ...`"""
    failed: bool = False
    """True when the code raised, did not parse, or ran out of its limits."""
    done: bool = False
    """True once the task is marked complete."""
    calls: tuple[Call, ...] = ()
    """Functions of earlier blocks that this block really called."""
    apis: tuple[str, ...] = ()
    """World APIs called, in order, as `app.api`."""
    denied: int = 0
    """Operations the sandbox refused: a measure of tampering."""
    fatal: str = ""
    """Why the interpreter cannot go on (killed by its deadline, out of memory ...), or nothing."""
    tapes: tuple[Tape, ...] = field(default=(), metadata=SPARSE)
    """Calls of the agent's functions, where the sandbox records them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One reply of the model and what came of it."""

    completion: Completion
    code: str
    """The first python block of the reply; empty when there is none."""
    observation: Observation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome of a task: which of its checks on the final state passed."""

    passed: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def fraction(self) -> float:
        """Share of checks that passed, in [0, 1]: the outcome r of the paper."""
        total = len(self.passed) + len(self.failed)
        return len(self.passed) / total if total else 0.0

    @property
    def success(self) -> bool:
        """True when every check passed."""
        return bool(self.passed) and not self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a skill was written."""

    task: str = ""
    scenario: str = ""
    turn: int = 0
    instruction: str = ""
    """The task it was written for: the key that query retrieval compares with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A function the agent wrote, with what it needs to run elsewhere."""

    name: str
    source: str
    """The function, preceded by the helpers it calls."""
    imports: tuple[str, ...] = ()
    """Import statements it needs, one per entry."""
    docstring: str = ""
    apis: tuple[str, ...] = ()
    """World APIs its source calls, as `app.api`, sorted."""
    origin: Origin = field(default_factory=Origin)

    @property
    def code(self) -> str:
        """What to execute to define it."""
        return "\n".join([*self.imports, "", "", self.source] if self.imports else [self.source])


class Stop(StrEnum):
    """Why an episode ended."""

    COMPLETED = "completed"
    """The agent marked the task complete."""
    NO_CODE = "no_code"
    """A reply held no python block; in training this costs the penalty of -1."""
    TURNS = "turns"
    """The turn limit was reached; graded as it stands."""
    CONTEXT = "context"
    """The conversation outgrew the context; graded as it stands."""
    REPEATS = "repeats"
    """The same code was run with the same observation, time and again; graded as it stands."""
    ERROR = "error"
    """The world, the sandbox or the policy broke; left out of the statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A library skill really called in an episode."""

    name: str
    turn: int
    origin: str
    """The task that wrote the skill."""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One task played once."""

    task: Task
    turns: tuple[Turn, ...]
    verdict: Verdict
    stop: Stop
    offered: tuple[str, ...] = ()
    """Names of the skills shown to the model: retrieved and loaded without error."""
    dropped: tuple[str, ...] = ()
    """Names of retrieved skills that did not load and were not shown."""
    called: tuple[Use, ...] = ()
    """Calls of offered skills, from the execution trace."""
    learned: tuple[Skill, ...] = ()
    """Skills saved on the way; the last good one of a name."""
    prompt: tuple[Message, ...] = ()
    """The conversation's opening, before the first reply."""
    error: str = ""
    """What broke, when stop is error."""
    tapes: tuple[Tape, ...] = field(default=(), metadata=SPARSE)
    """Recorded calls of skills that it learned or was offered; empty unless the sandbox records."""
    seed: int = 0
    seconds: float = 0.0
    """Wall time; the only field that differs between two equal runs."""

    @property
    def success(self) -> bool:
        return self.stop is not Stop.ERROR and self.verdict.success

    @property
    def reply_tokens(self) -> int:
        return sum(turn.completion.reply_tokens for turn in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """One pass over a chain: an episode per task, in order."""

    episodes: tuple[Episode, ...]
    masked: bool = False
    """Played as a control: later tasks were not offered what earlier ones had saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Independent rollouts of one chain, compared with each other in training."""

    chain: Chain
    rollouts: tuple[Rollout, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sequence to learn from: what was seen and said, and how much each said token counts.

    All have the same length. For a prompt of 3 tokens, a reply of 2, an observation of 1 and a reply of 1, with
    advantage a:

        tokens     p  p  p  r  r  o  r
        weights    0  0  0  a  a  0  a
        logprobs   0  0  0  l  l  0  l
    """

    tokens: tuple[int, ...]
    weights: tuple[float, ...]
    """0 on what the model did not say; the advantage, or 1 in imitation, on what it did."""
    logprobs: tuple[float, ...]
    """The sampler's log-probability of each said token; 0 elsewhere, and where it is not known."""
    said: tuple[bool, ...] = ()
    """True on what the model said. May be left empty where every said token has a weight other than 0."""

    @property
    def mask(self) -> tuple[bool, ...]:
        """True on what the model said: an advantage of 0 teaches nothing, and still counts in token means and KL."""
        return self.said or tuple(weight != 0 for weight in self.weights)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One conversation that waits for a reply, for a policy that answers many at once."""

    key: str
    """Names the conversation: the same key comes again, with more messages, at its next turn."""
    messages: tuple[Message, ...]
    seed: int


@runtime_checkable
class BatchPolicy(Protocol):
    """A policy that continues many conversations in one go and keeps what it computed for their next turns."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion: ...

    def replies(self, requests: Sequence[Request]) -> list[Completion | PolicyError]:
        """One completion per request, in order; an error in its place where only that conversation cannot go on."""
        ...

    def forget(self, key: str) -> None:
        """Let go of what is kept for a conversation that has ended. Unknown keys are fine."""
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
    """Owns the weights, alone."""

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
