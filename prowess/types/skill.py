"""Skills: functions that an agent wrote, and their calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from prowess.types.plain import Json


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
class Use:
    """A library skill really called in an episode."""

    name: str
    turn: int
    origin: str
    """The task that wrote the skill."""
    error: str = ""
