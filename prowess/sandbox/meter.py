"""Counting API calls: how many a step and an episode may make, how long they take, and which broke their world."""

from __future__ import annotations

from prowess.sandbox.settings import SandboxSettings
from prowess.types import Break


class Meter:
    """One episode's API calls."""

    def __init__(self, settings: SandboxSettings) -> None:
        self._step = settings.api_calls_step
        self._episode = settings.api_calls_total
        self._seconds = settings.world_seconds
        self._total = 0
        self._spent = 0.0
        self._apis: list[str] = []
        self._breaks: list[Break] = []

    def begin(self) -> None:
        """A new step."""
        self._apis, self._breaks, self._spent = [], [], 0.0

    def spent(self, seconds: float) -> None:
        """The world took this time for a call."""
        self._spent += seconds

    @property
    def apis(self) -> tuple[str, ...]:
        """This step's calls in order, as `app.api`."""
        return tuple(self._apis)

    @property
    def breaks(self) -> tuple[Break, ...]:
        """Those of them that the world broke on."""
        return tuple(self._breaks)

    def broke(self, one: Break) -> None:
        """A call that was made has broken its world."""
        self._breaks.append(one)

    def refusal(self, app: str, api: str) -> str:
        """Count a call that is to be made; or why it may not be, in words."""
        if len(self._apis) >= self._step:
            return (
                f"Number of requests exceeded the limit of {self._step}. "
                "This potentially means that you have an infinite loop in your code."
            )
        if self._total >= self._episode:
            return f"Maximum number of API calls in one task ({self._episode}) reached."
        if self._spent >= self._seconds:
            return f"API calls of this step took more than {self._seconds:g} seconds together; make fewer in one step."
        self._total += 1
        self._apis.append(f"{app}.{api}")
        return ""
