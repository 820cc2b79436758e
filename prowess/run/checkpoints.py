"""Where checkpoints are written, kept and resumed: which steps are done, what was measured, and what is kept.

    checkpoints/step-000015/    the learner after 15 steps, complete or not there at all
    checkpoints/best.json       which of them was best on the development split, and how good

A run that was killed goes on after its last checkpoint: later lines of metrics.jsonl are taken back, and since every
draw of a step is derived from the step's number, it ends as an unbroken run would. A step is scored once its figures
are noted and its checkpoint, if it has one, is saved; its score is a second line of metrics.jsonl. Where scoring broke,
the run goes on by scoring what it has.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.codec import Played
from prowess.run import Run, StepMetrics
from prowess.text.terminal import say
from prowess.types import Group, Learner

SCORES = ("eval/tgc", "eval/sgc")
"""The best checkpoint is the one with the largest sum of these."""

Tell = Callable[[int, Mapping[str, float]], None]
"""Takes the number of a step and figures of it."""

Score = Callable[[], Mapping[str, float]]
"""Plays with the learner as it is now; the figures, `eval/...`."""


_STEP = re.compile("[0-9]{6}|[1-9][0-9]{6,17}")
"""How the number of a step is written in a folder's name."""


class Checkpoints:
    """Keeps a learner's way through its steps. `tell` hears what is noted when it is noted, a step's score apart from
    the rest: whatever breaks meanwhile, it knows what metrics.jsonl holds. `watch` is shown every step once, when it
    is done. Those of before are told and shown again when a run goes on."""

    def __init__(
        self,
        run: Run,
        *,
        keep: int = 2,
        watch: Tell = lambda step, figures: None,
        tell: Tell = lambda step, figures: None,
    ) -> None:
        self.run = run
        self._keep = keep
        self._watch = watch
        self._tell = tell
        self._folder = run.folder / "checkpoints"

    def steps(
        self,
        total: int,
        learner: Learner,
        *,
        ended: Callable[[Sequence[StepMetrics]], bool] = lambda done: False,
        score: Callable[[Sequence[StepMetrics]], Score | None] = lambda done: None,
    ) -> Iterator[int]:
        """The steps still to do, after putting the learner where the last checkpoint left it. There are none where the
        steps that are done have `ended` the training. `score` says how the last of them is scored, if it is: a score
        that broke is played again first."""
        done = self._resume(learner)
        self.run.rewind(done)
        noted = self._best()
        if noted and noted[0] > done:  # of a step that is to be done again
            (self._folder / "best.json").unlink()
        saved = set(self._saved())
        entries = self.run.metrics()
        for entry in entries:
            self._tell(entry.step, entry.values)
        if entries and entries[-1].step + 1 == done and not _scored(entries[-1]) and (missing := score(entries)):
            self._log(entries[-1].step, missing(), learner)
            entries = self.run.metrics()
        for entry in entries:
            self._watch(entry.step, entry.values)
            if entry.step + 1 in saved and self._is_better(entry.values):  # killed between saving and noting it
                self._note_best(entry.step + 1, entry.values)
        if done:  # killed before it deleted what newer ones replace
            self._prune(done)
        yield from range(done, done if ended(entries) else total)

    def record(self, step: int, groups: Sequence[Group], *, split: str) -> None:
        """Write a step's episodes, for people to read; the run of an episode is its rollout's number."""
        played = [
            Played(run=n, split=split, episode=episode)
            for group in groups
            for n, rollout in enumerate(group.rollouts)
            for episode in rollout.episodes
        ]
        self.run.write_episodes(f"{split}-step{step:06}", played)

    @contextmanager
    def keeping(self, done: int, learner: Learner, *, sure: bool = True) -> Iterator[None]:
        """Keep the learner where something breaks, or Ctrl-C comes."""
        try:
            yield
        except BaseException:
            self.keep(done, learner, sure=sure)
            raise

    def keep(self, done: int, learner: Learner, *, sure: bool = True) -> None:
        """Save the learner as it is after so many steps, if it is not saved yet. What happens inside a learner may
        leave it between two steps: there nothing is `sure`, and it is saved if it says itself that so many are
        `done`."""
        if done and done not in self._saved() and getattr(learner, "done", done if sure else None) == done:
            learner.save(self._at(done))

    def finish(
        self, step: int, figures: Mapping[str, float], learner: Learner, *, save: bool, score: Score | None = None
    ) -> None:
        """Note what a step came to; save the learner when it is time to, or when it is the best so far. It is scored
        when that is done: whatever breaks then, what was learnt is not lost."""
        self._log(step, figures, learner)
        with self.keeping(step + 1, learner):
            if save:
                learner.save(self._at(step + 1))
            if score:
                found = score()
                self._log(step, found, learner)
                figures = {**figures, **found}
            better = self._is_better(figures)
            if better and not save:
                learner.save(self._at(step + 1))
            if better:
                self._note_best(step + 1, figures)
            if save or better:
                self._prune(step + 1)
            self._watch(step, figures)

    def _log(self, step: int, figures: Mapping[str, float], learner: Learner) -> None:
        self.run.log(step, figures)
        with self.keeping(step + 1, learner):
            self._tell(step, figures)

    @property
    def best(self) -> Path | None:
        """The best checkpoint, or the last where none was scored."""
        noted = self._best()
        saved = self._saved()
        step = noted[0] if noted else max(saved, default=None)
        return self._at(step) if step is not None else None

    def _resume(self, learner: Learner) -> int:
        """Load the newest checkpoint that is whole; say how many steps it has behind it."""
        problem: StoreError | None = None
        for step in sorted(self._saved(), reverse=True):
            try:
                learner.load(self._at(step))
            except StoreError as error:
                problem = problem or error
                continue
            if problem:
                say(f"note: {problem.message}; going on from {self._at(step)}")
            return step
        if problem:
            raise problem
        return 0

    def _saved(self) -> list[int]:
        """Steps that have a checkpoint; a folder of another name is somebody else's."""
        found = [path.name.removeprefix("step-") for path in self._folder.glob("step-[0-9]*") if path.is_dir()]
        return [int(name) for name in found if _STEP.fullmatch(name)]

    def _at(self, step: int) -> Path:
        return self._folder / f"step-{step:06}"

    def _best(self) -> tuple[int, float] | None:
        path = self._folder / "best.json"
        try:
            noted = json.loads(path.read_text(encoding="utf-8"))  # older versions noted a score of NaN
            step, score = noted["step"], float(noted["score"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
            raise StoreError(f"{path} cannot be read: {error}", hint="delete it") from None
        if type(step) is not int or not 0 <= step < 10**18:
            raise StoreError(f"{path}: step is {step!r:.60}; allowed is a whole number from 0", hint="delete it")
        return step, score

    def _is_better(self, figures: Mapping[str, float]) -> bool:
        if not all(name in figures for name in SCORES):
            return False
        noted, score = self._best(), sum(figures[name] for name in SCORES)
        return not math.isnan(score) and (noted is None or not score <= noted[1])  # one that is not a number is none

    def _note_best(self, step: int, figures: Mapping[str, float]) -> None:
        noted = {"step": step, "score": sum(figures[name] for name in SCORES)}
        noted |= {name: figures[name] for name in SCORES}
        self.run.write_text("checkpoints/best.json", json.dumps(noted, indent=2) + "\n")

    def _prune(self, newest: int) -> None:
        noted = self._best()
        spared = {*sorted(self._saved())[-self._keep :], newest, *([noted[0]] if noted else [])}
        for step in set(self._saved()) - spared:
            going = self._folder / f".{self._at(step).name}.tmp"  # killed halfway, it must not look like a checkpoint
            shutil.rmtree(going, ignore_errors=True)
            with suppress(OSError):
                self._at(step).rename(going)
            shutil.rmtree(going, ignore_errors=True)


def _scored(entry: StepMetrics) -> bool:
    return any(name.startswith("eval/") for name in entry.values)
