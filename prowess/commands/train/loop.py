"""Train: SAGE's loop. Play chains with the policy as it is, score what came of it, learn from it once, and again.

    prowess train recipes/sage.toml

Every step (paper, section 3): for each of some scenarios two of its tasks in order; for each such chain a group of
independent rollouts, each with its own library that starts empty; the reward pays for skills that served; the advantage
compares only rollouts of the same chain at the same position; one optimiser step. Ablations are other values of the
recipe. The learner hears nothing of skills, and the world nothing of the model.

What is not algorithm sits behind calls: `Checkpoints` keeps checkpoints and resumes, `summary` makes the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from prowess.commands.train.ahead import Ahead
from prowess.commands.train.batch import batch_of
from prowess.commands.train.clock import Clock, time_is_over, time_was_over
from prowess.commands.train.player import Stage
from prowess.commands.train.rounds import Played
from prowess.commands.train.settings import TrainSettings
from prowess.commands.train.summary import summary
from prowess.credit.credit import Credit
from prowess.errors import ProwessError
from prowess.play import Agent
from prowess.play.outage import all_broke, outage
from prowess.run import StepMetrics
from prowess.run.checkpoints import Checkpoints, Score, Tell
from prowess.text.plural import every
from prowess.types import Group, Learner, Sample, Suite


def train(
    learner: Learner,
    agent: Agent,
    suite: Suite,
    settings: TrainSettings,
    course: Checkpoints,
    *,
    credit: Credit,
    score: Callable[[Agent], Mapping[str, float]],
    rehearse: Callable[[int], Sequence[Sample]] = lambda step: (),
    underway: Tell = lambda step, figures: None,
    seed: int,
    workers: int,
) -> None:
    """Go through the steps that the course has not done yet. `rehearse` gives what is imitated beside each of them;
    `underway` is shown a step that may take several rounds, whenever one of them begins."""
    stage = Stage(learner, agent, suite, settings, credit, underway, seed=seed, workers=workers)
    with Ahead(stage.prepare, overlap=settings.overlap) as ahead, stage.open():
        mark = partial(_mark, stage, ahead, score)
        ended, missing = partial(was_last, settings), partial(_missing, settings, mark)
        for step in course.steps(settings.steps, learner, ended=ended, score=missing):
            clock = Clock()
            with course.keeping(step, learner):
                groups, figures = ahead.take(step)
                clock.lap("play")
                if trouble := _trouble(groups, step):
                    raise trouble
            is_last = partial(_is_last, settings, step, course.run.metrics(), clock)
            last = settings.overlap and is_last()  # the next step begins now, so it is decided now
            if not last:
                ahead.begin(step + 1)
            with course.keeping(step, learner):
                batch = batch_of(groups, settings, credit)
                figures |= summary(groups, credit) | {"play/flat": batch.flat}
                samples = (*batch.samples, *rehearse(step))
            with course.keeping(step, learner, sure=False):
                figures |= learner.step(samples, per=batch.rollouts) if samples else learner.rest()
            clock.lap("learn")
            last = last or (not settings.overlap and is_last())
            if settings.record_every and step % settings.record_every == 0:
                course.record(step, groups, split=settings.split)
            course.finish(
                step,
                figures | clock.laps,
                learner,
                save=last or (step + 1) % settings.checkpoint_every == 0,
                score=mark if is_scored(settings, step, last=last) else None,
            )
            if last:
                break


def _mark(stage: Stage, ahead: Ahead[Played], score: Callable[[Agent], Mapping[str, float]]) -> Mapping[str, float]:
    """How well it plays now, with nothing else under way."""
    clock = Clock()
    ahead.wait()
    clock.lap("wait")
    found = score(stage.player())
    clock.lap("evaluate")
    return {**found, **clock.laps}


def _missing(settings: TrainSettings, mark: Score, done: Sequence[StepMetrics]) -> Score | None:
    """How the last of some steps is scored, if it is to be."""
    return mark if is_scored(settings, done[-1].step, last=was_last(settings, done)) else None


def _trouble(groups: Sequence[Group], step: int) -> ProwessError | None:
    """What to say of a step that has nothing to learn from, because every episode of it ended in an error."""
    episodes = [episode for group in groups for episode in group.episodes]
    if not all_broke(episodes):
        return None
    return outage(
        episodes,
        f"{every(len(episodes), 'episode')} of step {step}",
        hint="mend what broke (prowess check tells what is wrong with a world); the same command then goes on from"
        " this step",
    )


def _is_last(settings: TrainSettings, step: int, before: Sequence[StepMetrics], clock: Clock) -> bool:
    """Whether a step under way is the last of all."""
    return step + 1 == settings.steps or time_is_over(settings, before, clock.laps)


def is_scored(settings: TrainSettings, step: int, *, last: bool) -> bool:
    """Whether what a step left is played on the split of [evaluate]."""
    return last or (settings.evaluate_every > 0 and (step + 1) % settings.evaluate_every == 0)


def was_last(settings: TrainSettings, done: Sequence[StepMetrics]) -> bool:
    """Whether the last of some steps was the last of all; asked where a course goes on."""
    return bool(done) and (done[-1].step + 1 == settings.steps or time_was_over(settings, done))
