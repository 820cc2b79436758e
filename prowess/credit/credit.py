"""What the episodes of a group are paid, and how they are compared: what makes one recipe's training differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from prowess.credit.advantage import Advantage, AdvantageSettings, make_advantage
from prowess.credit.reward import Paid, Reward, RewardSettings, make_reward, pay_of
from prowess.types import Rollout


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Who is praised for what, in a group."""

    reward: Reward
    pay: Callable[[Sequence[Rollout]], list[Paid]]
    """The same rewards part by part, for the figures."""
    advantage: Advantage


def make_credit(reward: RewardSettings, advantage: AdvantageSettings) -> Credit:
    """The credit that a recipe asks for."""
    return Credit(reward=make_reward(reward), pay=partial(pay_of, settings=reward), advantage=make_advantage(advantage))
