"""Train: SAGE's loop. Play chains with the policy as it is, score what came of it, learn from it once, and again.

    opensage train recipes/sage.toml

Every step (paper, section 3): for each of some scenarios two of its tasks in order; for each such chain a group of
independent rollouts, each with its own library that starts empty; the reward pays for skills that served; the advantage
compares only rollouts of the same chain at the same position; one optimiser step. Ablations are other values of the
recipe. The learner hears nothing of skills, and the world nothing of the model.

What is not algorithm sits behind calls: `Course` keeps checkpoints and resumes, `summary` makes the figures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Literal

from opensage.advantage import Advantage, Table, among_peers, fewer, peers_in
from opensage.agent import Agent
from opensage.ahead import Ahead
from opensage.chains import chains_by_label, chains_by_likeness
from opensage.course import Course, Score, seconds_in
from opensage.errors import OpensageError, RecipeError
from opensage.outage import all_broke, outage
from opensage.reward import Parts, Reward, uplifts
from opensage.rollout import Enough, play_groups
from opensage.run import Entry
from opensage.samples import OVERLONG, samples_of
from opensage.seeds import derive
from opensage.types import Chain, Group, Learner, Policy, Sample, Stop, Suite
from opensage.words import every


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """The loop; the defaults are the paper's."""

    start: str = ""
    """The checkpoint to start from; empty for that of `opensage sft` with the same recipe, `base` for the bare one."""
    split: str = "train"
    """The split to learn from."""
    last: int = 0
    """Only the last so many scenarios of the split; 0 for all. Drills come first, and imitation knows them best. A line
    says how many are left out."""
    steps: int = 75
    """Optimiser steps; the paper's best checkpoint came at 75."""
    minutes: float = 0
    """Time for playing and learning: the step under way when it is over is the last, and scored like a last one. 0 for
    no limit. For comparisons at equal time; how many steps there are then depends on the machine, so a rate that goes
    by their number (a cosine, a warm-up given as a share) is refused."""
    chains: int = 24
    """Chains in a step."""
    length: int = 2
    """Tasks in a chain."""
    group: int = 8
    """Rollouts of a chain."""
    masked: int = 0
    """Rollouts of a group that are its control arm: what earlier tasks saved is not offered to later ones. Tells
    `play/uplift`, what the library is worth, and is what the reward `uplift` compares with."""
    peers: Literal["group", "history"] = "group"
    """What an episode is compared with: the same position of all rollouts of its group, as in the paper, or only of
    those whose earlier tasks ended as its own did. With a wrong skill in its library no later task is solved, and
    comparing it with luckier ones blames the reuse for it."""
    most: int = 0
    """At each position of a group only so many rollouts are compared and learnt from, those whose rewards differ most
    from those they are compared with (PODS); 0 for all. Playing many and learning from few pays where learning is what
    takes the time."""
    rehearse: int = 0
    """So many demonstrations of the data set of `opensage sft` are imitated again in each step, each as if it were a
    rollout with an advantage of 1: what rewards are silent about is not forgotten, bad habits in them neither."""
    pairs: Literal["label", "likeness"] = "label"
    """Whether a chain's tasks share their scenario, or only have instructions that are alike (no label needed:
    retrieval must not go by it either)."""
    drop_flat: bool = False
    """Whether groups in which every rollout has the same reward are left out of the batch altogether."""
    early_stop: bool = False
    """Whether the slowest rollouts of a step are broken off once the others are in, as the authors do."""
    overlong: Literal["learn", "mask"] = "learn"
    """What becomes of episodes that ran into a limit: learnt from like others, or left out."""
    overlap: bool = False
    """Whether the next step's rollouts are played while this step's are learnt from, with weights that are then one
    step old; for an engine that holds weights of its own (vLLM). `loss.tis` corrects for what has changed since."""
    evaluate_every: int = 0
    """Steps between evaluations on the split of [evaluate]; 0 for none but the last."""
    checkpoint_every: int = 5
    """Steps between checkpoints."""
    keep: int = 2
    """Checkpoints kept besides the best."""
    record_every: int = 10
    """Steps between those whose episodes are written to the run, for reading; 0 for none."""

    def __post_init__(self) -> None:
        for name, least in (
            ("steps", 1),
            ("chains", 1),
            ("length", 1),
            ("group", 1),
            ("last", 0),
            ("minutes", 0),
            ("rehearse", 0),
            ("evaluate_every", 0),
            ("checkpoint_every", 1),
            ("keep", 1),
            ("record_every", 0),
        ):
            if getattr(self, name) < least:
                raise RecipeError(f"{name} is {getattr(self, name)}; it must be at least {least}")
        if not 0 <= self.masked < self.group:
            raise RecipeError(f"masked is {self.masked}; allowed is 0 to {self.group - 1}, fewer than the group has")
        if self.most < 0 or self.most == 1:
            raise RecipeError(
                f"most is {self.most}; it must be 0 (all) or at least 2: one alone is compared with nobody"
            )


def train(
    learner: Learner,
    agent: Agent,
    suite: Suite,
    settings: TrainSettings,
    course: Course,
    *,
    reward: Reward,
    parts: Callable[..., list[tuple[Parts | None, ...]]],
    advantage: Advantage,
    score: Callable[[Agent], Mapping[str, float]],
    rehearse: Callable[[int], Sequence[Sample]] = lambda step: (),
    seed: int,
    workers: int,
) -> None:
    """Go through the steps that the course has not done yet. `rehearse` gives what is imitated beside each of them."""
    policies: list[Policy] = []

    def prepare(step: int) -> Callable[[], Played]:
        """The rollouts of a step, to be played with the weights of this moment."""
        policy = learner.policy()
        if settings.overlap and not getattr(policy, "apart", False):
            raise RecipeError(
                f"overlap is true, and {policy!r} plays with the very weights that are learnt",
                hint="sampling.engine = 'vllm', or overlap = false",
            )
        policies[:] = [policy]
        chains = chains_for(suite, settings, seed=derive(seed, "chains", step))
        return lambda: _played(replace(agent, policy=policy), suite, chains, settings, step, seed=seed, workers=workers)

    def mark() -> Mapping[str, float]:
        """How well it plays now, with nothing else under way."""
        clock = Clock()
        ahead.wait()
        clock.lap("wait")
        found = score(replace(agent, policy=learner.policy()))
        clock.lap("evaluate")
        return {**found, **clock.laps}

    def learnt(step: int, groups: Sequence[Group]) -> dict[str, float]:
        """What a step was played like, and what was learnt from it."""
        batch = batch_of(groups, settings, reward=reward, advantage=advantage)
        told = summary(groups, reward=reward, parts=parts) | {"play/flat": batch.flat}
        samples = (*batch.samples, *rehearse(step))
        return {**told, **(learner.step(samples, per=batch.rollouts) if samples else learner.rest())}

    def missing(done: Sequence[Entry]) -> Score | None:
        return mark if is_scored(settings, done[-1].step, last=ended(done)) else None

    ended = partial(was_last, settings)
    with Ahead(prepare, overlap=settings.overlap) as ahead:
        try:
            for step in course.steps(settings.steps, learner, ended=ended, score=missing):
                clock = Clock()
                groups, figures = ahead.take(step)
                clock.lap("play")
                if trouble := _trouble(groups, step):
                    course.keep(step, learner)
                    raise trouble
                before = course.run.metrics()
                last = step + 1 == settings.steps
                if settings.overlap and not last:  # the next step begins now, so it is decided now
                    last = time_is_over(settings, before, clock.laps)
                if not last:
                    ahead.begin(step + 1)
                figures |= learnt(step, groups)
                clock.lap("learn")
                last = last or (not settings.overlap and time_is_over(settings, before, clock.laps))
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
        except BaseException:
            for policy in policies:
                replace(agent, policy=policy).hang_up()
            raise


def _trouble(groups: Sequence[Group], step: int) -> OpensageError | None:
    """What to say of a step that has nothing to learn from, because every episode of it ended in an error."""
    episodes = [episode for group in groups for rollout in group.rollouts for episode in rollout.episodes]
    if not all_broke(episodes):
        return None
    return outage(
        episodes,
        f"{every(len(episodes), 'episode')} of step {step}",
        hint="mend what broke (opensage check tells what is wrong with a world); the same command then goes on from"
        " this step",
    )


def is_scored(settings: TrainSettings, step: int, *, last: bool) -> bool:
    """Whether what a step left is played on the split of [evaluate]."""
    return last or (settings.evaluate_every > 0 and (step + 1) % settings.evaluate_every == 0)


def was_last(settings: TrainSettings, done: Sequence[Entry]) -> bool:
    """Whether the last of some steps was the last of all; asked where a course goes on."""
    return bool(done) and (done[-1].step + 1 == settings.steps or time_was_over(settings, done))


def time_is_over(settings: TrainSettings, before: Sequence[Entry], laps: Mapping[str, float]) -> bool:
    """Whether a step is the last that there is time for, after the steps before it and its own laps so far."""
    spent = seconds_in(before, "time/play", "time/learn", "time/wait") + sum(laps.values())
    return 0 < settings.minutes * 60 <= spent


def time_was_over(settings: TrainSettings, done: Sequence[Entry]) -> bool:
    """Whether the last of some steps was the last that there was time for."""
    known = ("time/play",) if settings.overlap else ("time/play", "time/learn")  # when it was decided
    return time_is_over(settings, done[:-1], {lap: seconds_in(done[-1:], lap) for lap in known})


Played = tuple[list[Group], dict[str, float]]
"""The rollouts of a step, and what was measured while they were played."""


def _played(
    agent: Agent, suite: Suite, chains: Sequence[Chain], settings: TrainSettings, step: int, *, seed: int, workers: int
) -> Played:
    begun = time.perf_counter()
    groups = play_groups(
        agent,
        suite,
        chains,
        size=settings.group,
        seed=derive(seed, "play", step),
        workers=workers,
        enough=Enough.for_turns(agent.limits.turns) if settings.early_stop else None,
        masked=settings.masked,
    )
    figures: Callable[[], dict[str, float]] = getattr(agent.policy, "figures", dict)
    return groups, figures() | {"time/rollouts": time.perf_counter() - begun}


def chains_for(suite: Suite, settings: TrainSettings, *, seed: int) -> list[Chain]:
    """The chains of one step."""
    choose = chains_by_label if settings.pairs == "label" else chains_by_likeness
    tasks = suite.tasks(settings.split)
    if not tasks:
        raise RecipeError(f"the split '{settings.split}' holds no task to learn from")
    if settings.last:
        late = {*list(dict.fromkeys(task.scenario for task in tasks))[-settings.last :]}
        tasks = [task for task in tasks if task.scenario in late]
    return choose(tasks, count=settings.chains, length=settings.length, seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What a step learns from."""

    samples: tuple[Sample, ...]
    rollouts: int
    """How many rollouts the objective is a mean over."""
    flat: float = 0.0
    """Share of the groups in which all that is compared is alike: those that `drop_flat` leaves out."""


def batch_of(groups: Sequence[Group], settings: TrainSettings, *, reward: Reward, advantage: Advantage) -> Batch:
    """Rewards, advantages and samples of a step's groups."""
    samples: list[Sample] = []
    rollouts = flat = 0
    mask = settings.overlong == "mask"
    for group in groups:
        rewards: Table = reward(group.rollouts)
        by_history = settings.peers == "history"
        if settings.most:
            places = peers_in(group, by_history=by_history)
            rewards = fewer(_short(group, rewards) if mask else rewards, settings.most, places)
        compared = among_peers(group, rewards, advantage, by_history=by_history)
        if not any(value for row in compared for value in row):
            flat += 1
            if settings.drop_flat:
                continue
        samples += samples_of(group, compared, overlong=not mask)
        rollouts += min(len(group.rollouts), settings.most or len(group.rollouts))
    played = sum(len(group.rollouts) for group in groups)  # with all groups left out, what is rehearsed weighs as ever
    return Batch(samples=tuple(samples), rollouts=rollouts or max(played, 1), flat=flat / max(len(groups), 1))


def _short(group: Group, rewards: Table) -> list[list[float | None]]:
    """The rewards of episodes that did not run into a limit: of those that will be learnt from."""
    return [
        [None if episode.stop in OVERLONG else value for episode, value in zip(rollout.episodes, row, strict=True)]
        for rollout, row in zip(group.rollouts, rewards, strict=True)
    ]


def summary(
    groups: Sequence[Group], *, reward: Reward, parts: Callable[..., list[tuple[Parts | None, ...]]]
) -> dict[str, float]:
    """A step's figures: how well it was played, with which skills, and what the rewards were made of."""
    rollouts = [rollout for group in groups for rollout in group.rollouts]
    episodes = [episode for rollout in rollouts for episode in rollout.episodes]
    graded = [episode for episode in episodes if episode.stop is not Stop.ERROR]
    whole = [rollout for rollout in rollouts if all(episode.stop is not Stop.ERROR for episode in rollout.episodes)]
    offered = [episode for episode in graded if episode.offered]
    used = [episode for episode in graded if episode.called]
    rewards = [value for group in groups for row in reward(group.rollouts) for value in row if value is not None]
    made = [parts(group.rollouts) for group in groups]
    pieces = [piece for rows in made for row in rows for piece in row if piece is not None]
    return {
        "play/tgc": _mean(episode.success for episode in graded),
        "play/sgc": _mean(all(episode.success for episode in rollout.episodes) for rollout in whole),
        **_control(groups, made),
        "play/use": _mean(bool(episode.called) for episode in offered),
        "play/success_given_use": _mean(episode.success for episode in used),
        "play/erred": _mean(episode.erred for episode in graded),
        "play/mended": _mean(episode.success for episode in graded if episode.erred),
        "play/steps": _mean(len(episode.turns) for episode in graded),
        "play/tokens": _mean(episode.reply_tokens for episode in graded),
        "play/errors": float(len(episodes) - len(graded)),
        "play/no_code": _mean(episode.stop is Stop.NO_CODE for episode in graded),
        "play/repeats": _mean(episode.stop is Stop.REPEATS for episode in graded),
        "play/overlong": _mean(episode.stop in OVERLONG for episode in graded),
        "reward/mean": _mean(rewards),
        "reward/outcome": _mean(piece.outcome for piece in pieces),
        "reward/generation": _mean(piece.generation for piece in pieces),
        "reward/usage": _mean(piece.usage for piece in pieces),
        "reward/chain": _mean(piece.chain for piece in pieces),
        "reward/penalty": _mean(piece.penalty for piece in pieces),
    }


def _control(groups: Sequence[Group], made: Sequence[Sequence[Sequence[Parts | None]]]) -> dict[str, float]:
    """What the library was worth, where a control arm tells."""
    found = [uplifts(group.rollouts, rows) for group, rows in zip(groups, made, strict=True)]
    measured = [uplift for each in found for uplift in each[1:] if uplift is not None]
    return {"play/uplift": _mean(measured)} if measured else {}


def _mean(values: object) -> float:
    found = [float(value) for value in values]  # type: ignore[attr-defined]
    return fmean(found) if found else 0.0


class Clock:
    """How long the phases of a step took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self.laps[f"time/{phase}"] = now - self._last
        self._last = now
