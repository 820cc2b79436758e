"""The sandbox's settings and its contract: what a world asks of any tier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from prowess.errors import RecipeError, check_range
from prowess.types import Json, Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """Where model-written code runs and how much of the machine it may use (recipe section `[sandbox]`)."""

    kind: str = "auto"
    """`auto` (the jail, else monty with a notice, else refusal), `jail`, `monty`, or `unsafe` (no protection)."""
    step_seconds: float = 100.0
    """Time for one step. Then the step is interrupted; its variables are kept if possible."""
    world_seconds: float = 300.0
    """Time that the world may take for the API calls of one step. Then further calls of the step are refused."""
    grace_seconds: float = 2.0
    """Time to react to the interrupt. Then the interpreter is killed."""
    start_seconds: float = 30.0
    """Time for an interpreter to start on a busy machine."""
    memory_mb: int = 512
    """Memory that one interpreter may take."""
    cpu_seconds: int = 1000
    """CPU time of one interpreter over the whole episode. It ends threads that go on between steps."""
    threads: int = 64
    """Threads that one interpreter may start; 512 more where the kernel counts them with the user's other processes."""
    output_chars: int = 200_000
    """Printed characters kept of a step; the agent cuts further."""
    api_calls_step: int = 1000
    """API calls answered in one step, as in AppWorld."""
    api_calls_total: int = 2000
    """API calls answered in one episode."""
    frame_bytes: int = 2_000_000
    """Largest message between host and interpreter: arguments and answers of an API call, code, output."""
    json_depth: int = 50
    """Deepest nesting of an API call's arguments."""
    warm: int = 2
    """Interpreters kept ready, so that opening one takes no time."""
    namespaces: bool = True
    """Use namespaces where the kernel grants them."""
    echo: bool = False
    """Show the value of a block's last expression, as a notebook does."""
    record_bytes: int = 0
    """How much is kept of an episode's function calls and their API answers, as tests of skills. 0 keeps nothing."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RecipeError(f"unknown sandbox kind '{self.kind}'", hint=f"known: {', '.join(KINDS)}")
        for name in _POSITIVE:
            if not 0 < getattr(self, name) <= MOST:
                raise RecipeError(f"{name} is {getattr(self, name)}; it must be more than 0, and at most {MOST}")
        check_range(self, 0, "record_bytes", "warm", "api_calls_step", "api_calls_total")
        if self.frame_bytes < self._least_frame(self.record_bytes):
            raise RecipeError(
                f"frame_bytes = {self.frame_bytes} is too small for output_chars = {self.output_chars}",
                hint=f"at least {self._least_frame(self.record_bytes)}",
            )
        check_range(self, 64, "memory_mb")

    def recording(self, room: int) -> SandboxSettings:
        """The same with calls recorded; how much is kept stays as it is where it is said."""
        kept = self.record_bytes or room
        return replace(self, record_bytes=kept, frame_bytes=max(self.frame_bytes, self._least_frame(kept)))

    def _least_frame(self, recorded: int) -> int:
        """Room for a step's output and, where calls are recorded, for these."""
        return 8 * self.output_chars + (300_000 if recorded else 100_000)


MOST = 2**31 - 1
"""No limit is larger: the kernel takes only so much."""
_POSITIVE = (
    *("step_seconds", "world_seconds", "grace_seconds", "start_seconds"),
    *("memory_mb", "cpu_seconds", "threads", "output_chars", "json_depth"),
)

KINDS = ("auto", "jail", "monty", "unsafe")

ApiCall = Callable[[str, str, Mapping[str, Json]], Json]
"""Answers one API call of the code: app, api and its arguments. Raises ApiFailure to refuse it, an error of
`prowess.errors` where no call could be answered; anything else fails the call (`answer`)."""


NO_APIS = "APIs do not answer while functions are being defined."
"""What code hears that calls an API where none answers."""

ApiNames = Mapping[str, Sequence[str]]
"""The APIs of each app."""


class ApiFailure(Exception):
    """An API's refusal: its message reaches the code as `Exception(message)`."""


class Interpreter(Protocol):
    """One episode's Python: variables and functions stay from step to step. For one thread at a time."""

    def run(self, code: str, call: ApiCall | None) -> Observation:
        """Execute a block; `call` answers the API calls it makes.

        With None these are refused and not counted; in the jail no thread starts then, either.
        """
        ...

    def close(self) -> None:
        """Give everything back. May be called twice."""
        ...


class Sandbox(Protocol):
    """Opens interpreters."""

    @property
    def name(self) -> str:
        """The tier in words, such as `jail (landlock+seccomp)`."""
        ...

    def open(
        self, *, seed: int = 0, now: str | None = None, imports: Sequence[str] = (), apis: ApiNames | None = None
    ) -> Interpreter:
        """An interpreter with its own state; `now` (ISO) freezes its clock. From any thread.

        `imports` are import statements whose names are there from the start, as far as their modules are; `apis`
        names the APIs of each app, so that others are refused where they are read.
        """
        ...

    def close(self) -> None:
        """End every interpreter. May be called twice."""
        ...
