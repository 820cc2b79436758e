"""The steps of a training: which are still to do, how long each takes, which is the last, and what is kept of them.

    with Steps(learner, checkpoints, settings, score=player.score) as steps:
        for step in steps:                # goes on after the last checkpoint, ends with the steps or the time
            ...                           # play, and learn
            steps.note(groups, figures)   # metrics, episodes, a checkpoint and a score where they are due

Where something breaks inside the `with`, the steps that are done are saved before the error goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from prowess.commands.train.settings import TrainSettings
from prowess.run import StepMetrics
from prowess.run.checkpoints import Checkpoints, Score
from prowess.types import Group, Learner


class Clock:
    """How long the phases of a step took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self.laps[f"time/{phase}"] = now - self._last
        self._last = now


class Step:
    """A step under way."""

    def __init__(self, number: int, settings: TrainSettings, before: Sequence[StepMetrics]) -> None:
        self.number = number
        self.clock = Clock()
        self.figures: dict[str, float] = {}
        """What was measured while it was played."""
        self._settings, self._before = settings, before

    @property
    def played(self) -> bool:
        return "time/play" in self.clock.laps

    @property
    def last(self) -> bool:
        """Whether no other follows. With `overlap` this is known once it is played, else once it is learnt."""
        return is_last(self._settings, self.number, self._before, self.clock.laps)


class Steps:
    """The steps that a training has not done yet. `score` plays with the learner as it is now."""

    def __init__(self, learner: Learner, checkpoints: Checkpoints, settings: TrainSettings, *, score: Score) -> None:
        self._learner, self._checkpoints, self._settings, self._score = learner, checkpoints, settings, score
        self._step: Step | None = None

    def __iter__(self) -> Iterator[Step]:
        settings, checkpoints = self._settings, self._checkpoints
        for number in checkpoints.steps(settings.steps, self._learner, ended=self._ended, score=self._missing):
            step = self._step = Step(number, settings, checkpoints.run.metrics())
            yield step
            if step.last:
                break

    def note(self, groups: Sequence[Group], figures: Mapping[str, float]) -> None:
        """End the step under way: note its figures, and record, save and score it where that is due."""
        step, settings = self._step, self._settings
        assert step is not None, "a step is noted once, when it was played and learnt from"
        step.clock.lap("learn")
        self._step = None
        if settings.record_every and step.number % settings.record_every == 0:
            self._checkpoints.record(step.number, groups, split=settings.split)
        self._checkpoints.finish(
            step.number,
            {**step.figures, **figures, **step.clock.laps},
            self._learner,
            save=step.last or (step.number + 1) % settings.checkpoint_every == 0,
            score=self._score if is_scored(settings, step.number, last=step.last) else None,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Save what was learnt before the step that broke. Once it was played, a learner may be between two steps."""
        if kind and self._step:
            self._checkpoints.keep(self._step.number, self._learner, sure=not self._step.played)

    def _ended(self, done: Sequence[StepMetrics]) -> bool:
        """Whether the last of some steps was the last of all."""
        return bool(done) and is_last(self._settings, done[-1].step, done[:-1], done[-1].values)

    def _missing(self, done: Sequence[StepMetrics]) -> Score | None:
        """How the last of some steps is scored, if it is to be."""
        return self._score if is_scored(self._settings, done[-1].step, last=self._ended(done)) else None


def is_last(settings: TrainSettings, step: int, before: Sequence[StepMetrics], laps: Mapping[str, float]) -> bool:
    """Whether a step is the last of all, or the last that there is time for, after the steps `before` it.

    With `overlap` the next step begins before this one is learnt from, so only the time it was played counts.
    """
    known = ("time/play",) if settings.overlap else ("time/play", "time/learn")
    spent = sum(laps.get(lap, 0.0) for lap in known)
    spent += sum(one.values.get(lap, 0.0) for one in before for lap in ("time/play", "time/learn", "time/wait"))
    return step + 1 == settings.steps or 0 < settings.minutes * 60 <= spent


def is_scored(settings: TrainSettings, step: int, *, last: bool) -> bool:
    """Whether what a step left is played on the split of [evaluate]."""
    return last or (settings.evaluate_every > 0 and (step + 1) % settings.evaluate_every == 0)
