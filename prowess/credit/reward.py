"""What an episode is worth, seen from the end of its rollout: a later episode may pay an earlier one.

With r the outcome of a task (the share of its checks that pass, or 1 and 0 alone) and [r=1] for a solved one, for any
number of tasks:

    skill     R^k = r^k + [r^k=1] * max over i > k of [r^i=1] * used(i, k)      generation: what k wrote served later
                        + [r^k=1] * used(k, any earlier task)                   usage: k was solved with what was there
    outcome   R^k = r^k
    chain     R^k = r^k + [every task of the chain is solved]
    uplift    as skill, each bonus times what the library was measured to add to r at the task that used it:
              the mean of r over the group's rollouts that were offered one, less that over those that were not

For all of them, an episode that ended with a reply without code gets the penalty instead, and counts as unsolved. An
episode that ended in an error has no reward (None): it is no fault of the policy, so it neither earns nor pays.
The first is SAGE's (paper, section 4), the next two are its ablations, the last is ours: use is not contribution, and
a control arm (`train.masked`) tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import cast

from prowess.errors import RecipeError, blamed
from prowess.recipe import lookup, numbers_from
from prowess.text.plural import counted
from prowess.types import Episode, Rollout, Stop

Rewards = tuple[float | None, ...]
"""One per episode of a rollout; None leaves the episode out."""

Reward = Callable[[Sequence[Rollout]], list[Rewards]]
"""What each rollout of a group is worth; most look at one at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """What an episode is worth."""

    name: str = "skill"
    """skill (SAGE: outcome, and bonuses for skills that serve), outcome, chain, uplift, or "module:function"."""
    bonus: float = 1.0
    """Paid once for a skill that served a later solved task, and once for solving a task with an earlier skill."""
    penalty: float = -1.0
    """The reward of an episode that ended with a reply without code."""
    partial: bool = True
    """Whether an unsolved task is worth the share of its checks that pass, as in the paper. If not, it is worth
    nothing. Where most checks say that nothing else changed, doing nothing pays, and a weak model soon does nothing."""
    failed_calls: bool = True
    """Whether a call of a skill that raised an exception counts as use, as in the paper."""

    def __post_init__(self) -> None:
        for name in ("bonus", "penalty"):
            if not math.isfinite(getattr(self, name)):
                raise RecipeError(f"{name} is {getattr(self, name)}; it must be a finite number")


PAPER = RewardSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay:
    """What an episode's reward is made of: the sum of these."""

    outcome: float = 0.0
    """Share of the task's checks that passed."""
    generation: float = 0.0
    """For a skill that served a later solved task."""
    usage: float = 0.0
    """For solving the task with an earlier task's skill."""
    chain: float = 0.0
    """For a chain solved as a whole."""
    penalty: float = 0.0
    """For ending without code; all else is then 0."""

    @property
    def total(self) -> float:
        return self.outcome + self.generation + self.usage + self.chain + self.penalty


Paid = tuple[Pay | None, ...]
"""One per episode of a rollout; None where it ended in an error."""


def skill(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """SAGE's skill-integrated reward. A pair of tasks, with u = 1 if the second used a skill of the first:

    r1  r2  u   R1  R2
    1   1   1   2   2
    1   1   0   1   1
    1   .6  1   1   .6
    .5  1   1   .5  2      the usage bonus does not ask whether the skill's author solved its task
    """
    return _totals(_skill_pay(rollout, settings))


def outcome(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """The outcome alone."""
    return _totals(_outcome_pay(rollout, settings))


def chain(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """The outcome, and the bonus for every task if all of two or more are solved, whether or not a skill was used."""
    return _totals(_chain_pay(rollout, settings))


def make_reward(settings: RewardSettings) -> Reward:
    """The reward that a recipe names, for a whole group; `"module:function"` is one for a rollout."""
    if settings.name in PAYS:
        return lambda rollouts: [_totals(each) for each in pay_of(rollouts, settings)]
    found = lookup("reward", settings.name, PAYS, takes=["rollout"])
    theirs = _checked(settings.name, cast(Callable[[Rollout], Rewards], found))
    return lambda rollouts: [theirs(rollout) for rollout in rollouts]


def pay_of(rollouts: Sequence[Rollout], settings: RewardSettings = PAPER) -> list[Paid]:
    """The rewards of a group part by part; of somebody else's nothing is known, and the outcome alone is told."""
    if settings.name not in PAYS:
        return _each(_outcome_pay)(rollouts, replace(settings, penalty=0.0))
    return PAYS[settings.name](rollouts, settings)


def uplifts(rollouts: Sequence[Rollout], made: Sequence[Sequence[Pay | None]]) -> tuple[float | None, ...]:
    """By how much the outcome at each position was better for rollouts with a library than for the control arm; None
    where nobody of an arm has one, and nothing was measured. `made` is what their rewards are made of."""
    found = []
    for column in zip(*made, strict=True):
        arms = [
            [part.outcome for one, part in zip(rollouts, column, strict=True) if part and one.masked is masked]
            for masked in (False, True)
        ]
        found.append(fmean(arms[0]) - fmean(arms[1]) if all(arms) else None)
    return tuple(found)


def uses(rollout: Rollout, settings: RewardSettings = PAPER) -> frozenset[tuple[int, int]]:
    """Who used whom: (i, k) for each episode i that called a skill written in an earlier episode k."""
    return frozenset(
        (i, k)
        for i, later in enumerate(rollout.episodes)
        for k, earlier in enumerate(rollout.episodes[:i])
        for use in later.called
        if use.origin == earlier.task.id and (settings.failed_calls or not use.error)
    )


# ---------------------------------------------------------------------------------------------------------- by part


def _skill_pay(rollout: Rollout, settings: RewardSettings, worth: Sequence[float] | None = None) -> Paid:
    """With what a use at each position is worth: 1, unless it was measured."""
    worth = worth or [1.0] * len(rollout.episodes)
    solved = [_solved(episode) for episode in rollout.episodes]
    used = uses(rollout, settings)
    served = {k: max(worth[i] for i, by in used if by == k and solved[i]) for i, k in used if solved[i]}
    serves = {i: worth[i] for i, _ in used}
    return tuple(
        _pay(
            episode,
            settings,
            generation=settings.bonus * solved[k] * served.get(k, 0.0),
            usage=settings.bonus * solved[k] * serves.get(k, 0.0),
        )
        for k, episode in enumerate(rollout.episodes)
    )


def _uplift_pay(rollouts: Sequence[Rollout], settings: RewardSettings) -> list[Paid]:
    # What was not measured pays nothing. `train.early_stop` may break off all of a control arm, which is slower: to
    # wait for it would cost what stopping early saves, and where an arm ended in errors there is nothing to wait for.
    made = [_outcome_pay(rollout, settings) for rollout in rollouts]
    worth = [value or 0.0 for value in uplifts(rollouts, made)]
    return [_skill_pay(rollout, settings, worth) for rollout in rollouts]


def _outcome_pay(rollout: Rollout, settings: RewardSettings) -> Paid:
    return tuple(_pay(episode, settings) for episode in rollout.episodes)


def _chain_pay(rollout: Rollout, settings: RewardSettings) -> Paid:
    whole = len(rollout.episodes) > 1 and all(_solved(episode) for episode in rollout.episodes)
    return tuple(_pay(episode, settings, chain=settings.bonus * whole) for episode in rollout.episodes)


def _pay(
    episode: Episode, settings: RewardSettings, *, generation: float = 0.0, usage: float = 0.0, chain: float = 0.0
) -> Pay | None:
    if episode.stop is Stop.ERROR:
        return None
    if episode.stop is Stop.NO_CODE:
        return Pay(penalty=settings.penalty)
    return Pay(outcome=_reached(episode, settings), generation=generation, usage=usage, chain=chain)


def _reached(episode: Episode, settings: RewardSettings) -> float:
    """The outcome r of a task."""
    return episode.verdict.fraction if settings.partial else float(episode.success)


def _solved(episode: Episode) -> bool:
    return episode.success and episode.stop is not Stop.NO_CODE


def _totals(paid: Paid) -> Rewards:
    return tuple(None if part is None else part.total for part in paid)


def _checked(name: str, reward: Callable[[Rollout], Rewards]) -> Callable[[Rollout], Rewards]:
    """Somebody else's reward, asked for one finite number or None per episode; for what broke it is None, as ours."""

    hint = "a reward gets a rollout and returns one number per episode, in order; None leaves an episode out"

    def rewards(rollout: Rollout) -> Rewards:
        with blamed(f"reward '{name}'"):
            given = tuple(numbers_from("reward", name, reward(rollout), hint=hint))
        if len(given) != len(rollout.episodes):
            raise RecipeError(
                f"reward '{name}' gave {counted(len(given), 'value')} for {counted(len(rollout.episodes), 'episode')}",
                hint=hint,
            )
        broken = [episode.stop is Stop.ERROR for episode in rollout.episodes]
        return tuple(None if broke else value for broke, value in zip(broken, given, strict=True))

    return rewards


def _each(
    of_one: Callable[[Rollout, RewardSettings], Paid],
) -> Callable[[Sequence[Rollout], RewardSettings], list[Paid]]:
    """For rewards that look at one rollout at a time."""
    return lambda rollouts, settings: [of_one(rollout, settings) for rollout in rollouts]


PAYS: Mapping[str, Callable[[Sequence[Rollout], RewardSettings], list[Paid]]] = {
    "skill": _each(_skill_pay),
    "outcome": _each(_outcome_pay),
    "chain": _each(_chain_pay),
    "uplift": _uplift_pay,
}
