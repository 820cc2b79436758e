"""What is played: a group holds rollouts of one chain, a rollout an episode per task, an episode turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from prowess.types.message import Completion, Message
from prowess.types.plain import SPARSE
from prowess.types.skill import Call, Skill, Tape, Use
from prowess.types.task import Chain, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """An API call that the world broke on: it raised what is neither a refusal nor an outage."""

    api: str
    """As `app.api`."""
    error: str
    """What it raised, for its author; the agent hears nothing of it."""
    place: str = ""
    """Where, as `mine.py:5`; empty where no line of the author's is known."""


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
    breaks: tuple[Break, ...] = field(default=(), metadata=SPARSE)
    """API calls that the world broke on: to the code they failed."""


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
    TOKENS = "tokens"
    """The episode had said as much as it may; graded as it stands."""
    REPEATS = "repeats"
    """The same code was run with the same observation, time and again; graded as it stands."""
    ERROR = "error"
    """The world, the sandbox or the policy broke; left out of the statistics."""


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
    def erred(self) -> bool:
        """Whether some of its code failed."""
        return any(turn.code and turn.observation and turn.observation.failed for turn in self.turns)

    @property
    def breaks(self) -> tuple[Break, ...]:
        """The API calls that the world broke on."""
        return tuple(one for turn in self.turns if turn.observation for one in turn.observation.breaks)

    @property
    def prompt_tokens(self) -> int:
        """Tokens that the model read, over all replies: each reads the conversation so far."""
        return sum(turn.completion.prompt_tokens for turn in self.turns)

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

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """Those of its rollouts, one after the other."""
        return tuple(episode for rollout in self.rollouts for episode in rollout.episodes)
