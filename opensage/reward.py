"""What an episode is worth, seen from the end of its rollout: a later episode may pay an earlier one.

With r the outcome of a task (the share of its checks that pass) and [r=1] for a solved one, for any number of tasks:

    skill     R^k = r^k + [r^k=1] * max over i > k of [r^i=1] * used(i, k)      generation: what k wrote served later
                        + [r^k=1] * used(k, any earlier task)                   usage: k was solved with what was there
    outcome   R^k = r^k
    chain     R^k = r^k + [every task of the chain is solved]

For all three, an episode that ended with a reply without code gets the penalty instead, and counts as unsolved. An
episode that ended in an error has no reward (None): it is no fault of the policy, so it neither earns nor pays.
The first is SAGE's (paper, section 4); the others are its ablations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from opensage.errors import RecipeError
from opensage.recipe import lookup
from opensage.types import Episode, Rollout, Stop

Rewards = tuple[float | None, ...]
"""One per episode of a rollout; None leaves the episode out."""

Reward = Callable[[Rollout], Rewards]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """What an episode is worth."""

    name: str = "skill"
    """skill (SAGE: outcome, and bonuses for skills that serve), outcome, chain, or "module:function"."""
    bonus: float = 1.0
    """Paid once for a skill that served a later solved task, and once for solving a task with an earlier skill."""
    penalty: float = -1.0
    """The reward of an episode that ended with a reply without code."""
    failed_calls: bool = True
    """Whether a call of a skill that raised an exception counts as use, as in the paper."""

    def __post_init__(self) -> None:
        for name in ("bonus", "penalty"):
            if not math.isfinite(getattr(self, name)):
                raise RecipeError(f"{name} is {getattr(self, name)}; it must be a finite number")


PAPER = RewardSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
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
    """For ending without code; the other parts are then 0."""

    @property
    def total(self) -> float:
        return self.outcome + self.generation + self.usage + self.chain + self.penalty


def skill(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """SAGE's skill-integrated reward. A pair of tasks, with u = 1 if the second used a skill of the first:

    r1  r2  u   R1  R2
    1   1   1   2   2
    1   1   0   1   1
    1   .6  1   1   .6
    .5  1   1   .5  2      the usage bonus does not ask whether the skill's author solved its task
    """
    return _totals(_skill_parts(rollout, settings))


def outcome(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """The outcome alone."""
    return _totals(_outcome_parts(rollout, settings))


def chain(rollout: Rollout, settings: RewardSettings = PAPER) -> Rewards:
    """The outcome, and the bonus for every task if all of two or more are solved, whether or not a skill was used."""
    return _totals(_chain_parts(rollout, settings))


def make_reward(settings: RewardSettings) -> Reward:
    """The reward that a recipe names; `"module:function"` is one itself."""
    if settings.name in REWARDS:
        ours = REWARDS[settings.name]
        return lambda rollout: ours(rollout, settings)
    return _checked(settings.name, cast(Reward, lookup("reward", settings.name, REWARDS)))


def parts(rollout: Rollout, settings: RewardSettings = PAPER) -> tuple[Parts | None, ...]:
    """The reward part by part, for the metrics; of somebody else's only outcome and penalty can be told apart."""
    return PARTS.get(settings.name, _outcome_parts)(rollout, settings)


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


def _skill_parts(rollout: Rollout, settings: RewardSettings) -> tuple[Parts | None, ...]:
    solved = [_solved(episode) for episode in rollout.episodes]
    used = uses(rollout, settings)
    served = {k for i, k in used if solved[i]}
    served_by = {i for i, _ in used}
    return tuple(
        _parts(
            episode,
            settings,
            generation=settings.bonus * (solved[k] and k in served),
            usage=settings.bonus * (solved[k] and k in served_by),
        )
        for k, episode in enumerate(rollout.episodes)
    )


def _outcome_parts(rollout: Rollout, settings: RewardSettings) -> tuple[Parts | None, ...]:
    return tuple(_parts(episode, settings) for episode in rollout.episodes)


def _chain_parts(rollout: Rollout, settings: RewardSettings) -> tuple[Parts | None, ...]:
    whole = len(rollout.episodes) > 1 and all(_solved(episode) for episode in rollout.episodes)
    return tuple(_parts(episode, settings, chain=settings.bonus * whole) for episode in rollout.episodes)


def _parts(
    episode: Episode, settings: RewardSettings, *, generation: float = 0.0, usage: float = 0.0, chain: float = 0.0
) -> Parts | None:
    if episode.stop is Stop.ERROR:
        return None
    if episode.stop is Stop.NO_CODE:
        return Parts(penalty=settings.penalty)
    return Parts(outcome=episode.verdict.fraction, generation=generation, usage=usage, chain=chain)


def _solved(episode: Episode) -> bool:
    return episode.success and episode.stop is not Stop.NO_CODE


def _totals(parts: tuple[Parts | None, ...]) -> Rewards:
    return tuple(None if part is None else part.total for part in parts)


def _checked(name: str, reward: Reward) -> Reward:
    """Somebody else's reward, asked for one finite number or None per episode."""

    def rewards(rollout: Rollout) -> Rewards:
        given = tuple(reward(rollout))
        if len(given) != len(rollout.episodes):
            raise RecipeError(
                f"reward '{name}' gave {len(given)} values for {len(rollout.episodes)} episodes",
                hint="return one per episode, in order; None leaves an episode out",
            )
        for value in given:
            if value is not None and not math.isfinite(value):
                raise RecipeError(f"reward '{name}' gave {value}; it must be a finite number, or None")
        return given

    return rewards


REWARDS: Mapping[str, Callable[[Rollout, RewardSettings], Rewards]] = {
    "skill": skill,
    "outcome": outcome,
    "chain": chain,
}

PARTS: Mapping[str, Callable[[Rollout, RewardSettings], tuple[Parts | None, ...]]] = {
    "skill": _skill_parts,
    "outcome": _outcome_parts,
    "chain": _chain_parts,
}
