"""How long a step takes, phase by phase, and whether there is time for another."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from prowess.commands.train.settings import TrainSettings
from prowess.run import StepMetrics
from prowess.run.checkpoints import seconds_in


class Clock:
    """How long the phases of a step took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self.laps[f"time/{phase}"] = now - self._last
        self._last = now


def time_is_over(settings: TrainSettings, before: Sequence[StepMetrics], laps: Mapping[str, float]) -> bool:
    """Whether a step is the last that there is time for, after the steps before it and its own laps so far."""
    spent = seconds_in(before, "time/play", "time/learn", "time/wait") + sum(laps.values())
    return 0 < settings.minutes * 60 <= spent


def time_was_over(settings: TrainSettings, done: Sequence[StepMetrics]) -> bool:
    """Whether the last of some steps was the last that there was time for."""
    known = ("time/play",) if settings.overlap else ("time/play", "time/learn")  # when it was decided
    return time_is_over(settings, done[:-1], {lap: seconds_in(done[-1:], lap) for lap in known})
