"""How much better an episode was than its siblings: the rollouts of the same chain, at the same position.

Rewards come as `rewards[g][k]`, rollout g and position k, and go back in the same shape. Positions are never mixed: a
first task without a library and a second one with it are not alike. What is None (no reward) stays None and counts
nowhere; a lone reward has nothing to be compared with, and its advantage is 0.

    rewards        mean            loo             std
    2    -1        1    -1.5       1.33  -2.25     1.22   -1
    0    2         -1   1.5        -1.33 2.25      -1.22  1
    1    .5        0    0          0     0         0      0
    1    None      0    None       0     None      0      None

Leave-one-out is the mean's advantage times n / (n - 1). Std divides the mean's by the standard deviation (n - 1 in the
divisor), which lifts positions that hardly differ to the size of all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import pvariance, stdev
from typing import Literal, cast

from prowess.errors import RecipeError, blamed, check_range
from prowess.recipe import lookup, numbers_from
from prowess.types import Group, Rollout

Table = Sequence[Sequence[float | None]]
"""By rollout, then by position in the chain."""

Advantage = Callable[[Table], list[list[float | None]]]

Comparison = Callable[[Sequence[float]], list[float]]
"""From the rewards of one position to their advantages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvantageSettings:
    """How an episode is compared with its siblings."""

    name: str = "mean"
    """mean (the paper's), loo (leave-one-out), std (divided by the standard deviation), or "module:function"."""
    least: float = 0.0
    """Advantages nearer to 0 than this are left out of learning (LOOP: 0.01)."""
    flat: Literal["keep", "drop"] = "keep"
    """Positions where every rollout has the same reward: learned from with advantage 0, or left out (as in DAPO)."""

    def __post_init__(self) -> None:
        check_range(self, 0, "least")


def mean(rewards: Sequence[float]) -> list[float]:
    """Minus the mean of the group: the paper's."""
    return [_lead(reward, rewards) / len(rewards) for reward in rewards]


def loo(rewards: Sequence[float]) -> list[float]:
    """Minus the mean of the others."""
    return [_lead(reward, rewards) / max(len(rewards) - 1, 1) for reward in rewards]


def std(rewards: Sequence[float]) -> list[float]:
    """Minus the mean, by the standard deviation."""
    if not _differ(rewards):
        return [0.0] * len(rewards)
    spread = stdev(rewards)
    return [advantage / spread for advantage in mean(rewards)]


COMPARISONS: Mapping[str, Comparison] = {"mean": mean, "loo": loo, "std": std}


def make_advantage(settings: AdvantageSettings) -> Advantage:
    """The advantage that a recipe names; `"module:function"` is one itself, from table to table."""
    if settings.name in COMPARISONS:
        compare: Advantage = _by_position(COMPARISONS[settings.name])
    else:
        found = lookup("advantage", settings.name, COMPARISONS, takes=["rewards"])
        compare = _checked(settings.name, cast(Advantage, found))

    def advantage(rewards: Table) -> list[list[float | None]]:
        live = [_differ(_valid(column)) for column in zip(*rewards, strict=True)]
        return [
            [
                None
                if value is None or abs(value) < settings.least or (settings.flat == "drop" and not live[k])
                else value
                for k, value in enumerate(row)
            ]
            for row in compare(rewards)
        ]

    return advantage


def among_peers(group: Group, rewards: Table, advantage: Advantage, *, by_history: bool) -> list[list[float | None]]:
    """Advantages in a group. Rollouts with a library and those of the control arm are not compared, not at the first
    task either: what is paid for a skill that serves later, the control arm cannot earn. Nor, if so wished, are those
    whose earlier tasks ended otherwise."""
    places = peers_in(group, by_history=by_history)
    found: list[list[float | None]] = [[None] * len(row) for row in rewards]
    for place in dict.fromkeys(chain.from_iterable(places)):
        compared = advantage(
            [
                [value if mine == place else None for value, mine in zip(row, where, strict=True)]
                for row, where in zip(rewards, places, strict=True)
            ]
        )
        for n, where in enumerate(places):
            found[n] = [compared[n][k] if mine == place else found[n][k] for k, mine in enumerate(where)]
    return found


def peers_in(group: Group, *, by_history: bool) -> list[list[Hashable]]:
    """For each rollout and position a mark; those with the same one at a position are compared with each other."""
    return [
        [(rollout.masked, _past(rollout, k) if by_history else ()) for k in range(len(rollout.episodes))]
        for rollout in group.rollouts
    ]


def telling(rewards: Sequence[float], most: int) -> list[int]:
    """Which of them to learn from: so many whose variance is the largest there is, some of the lowest and some of the
    highest.

    >>> telling([0, 3, 0, 0, 1, 0], 3), telling([1, 0, 1, 0], 2), telling([2, 2], 4)
    ([0, 1, 2], [1, 2], [0, 1])
    """
    order = sorted(range(len(rewards)), key=lambda n: rewards[n])
    left_out = max(len(order) - most, 0)
    choices = [order[:low] + order[low + left_out :] for low in reversed(range(len(order) - left_out + 1))]
    return sorted(max(choices, key=lambda chosen: _squares([rewards[n] for n in chosen])))


def shares(sets: Sequence[Sequence[float]], most: int) -> tuple[int, ...]:
    """How many to learn from of each of some sets, so many in all, that the squared advantages within them add up to
    the most there is. What is alone in its set, or in a set where all are alike, says nothing.

    >>> shares([[2, 2, 2, 2], [1, 0, 0, 0]], 4), shares([[3, 0], [1, 0, 0]], 4), shares([[1, 0]], 4)
    ((0, 4), (2, 2), (2,))
    """
    if len(sets) == 1 or sum(map(len, sets)) <= most:  # nothing to weigh
        return tuple(min(len(rewards), most) for rewards in sets)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for rewards in sets:
        squares = [_squares([rewards[n] for n in telling(rewards, count)]) for count in range(len(rewards) + 1)]
        ways = [
            (taken + count, value + squares[count], (*counts, count))
            for taken, (value, counts) in best.items()
            for count in range(min(len(rewards), most - taken) + 1)
        ]
        best = {}
        for taken, value, counts in ways:
            if taken not in best or value > best[taken][0]:
                best[taken] = (value, counts)
    return best[max(best)][1]


def fewer(rewards: Table, most: int, places: Sequence[Sequence[Hashable]] = ()) -> list[list[float | None]]:
    """The same table with so many rewards at each position, the most telling ones of those that are compared: all, or
    those with the same place."""
    fewer = [list(row) for row in rewards]
    for k, column in enumerate(zip(*rewards, strict=True)):
        there: dict[Hashable, list[int]] = {}
        for n, reward in enumerate(column):
            if reward is not None:
                there.setdefault(places[n][k] if places else None, []).append(n)
        sets = [_valid([column[n] for n in peers]) for peers in there.values()]
        for peers, values, count in zip(there.values(), sets, shares(sets, most), strict=True):
            chosen = {peers[n] for n in telling(values, count)}
            for n in set(peers) - chosen:
                fewer[n][k] = None
    return fewer


def _squares(rewards: Sequence[float]) -> float:
    """The squares of what lies between rewards and their mean, added up."""
    return pvariance(rewards) * len(rewards) if rewards else 0.0


def _by_position(compare: Comparison) -> Advantage:
    def advantage(rewards: Table) -> list[list[float | None]]:
        columns = []
        for column in zip(*rewards, strict=True):
            compared = iter(compare(_valid(column)))
            columns.append([None if reward is None else next(compared) for reward in column])
        return [list(row) for row in zip(*columns, strict=True)]

    return advantage


def _past(rollout: Rollout, position: int) -> tuple[bool, ...]:
    return tuple(episode.success for episode in rollout.episodes[:position])


def _checked(name: str, compare: Advantage) -> Advantage:
    """Somebody else's advantage, asked for the shape it was given."""

    hint = "it gets rewards by rollout, then by task, and returns a number for each; None leaves an episode out"

    def advantage(rewards: Table) -> list[list[float | None]]:
        with blamed(f"advantage '{name}'"):
            found: object = compare(rewards)
            rows = found if isinstance(found, Iterable) else [found]
            given = [numbers_from("advantage", name, row, hint=hint) for row in rows]
        if [len(row) for row in given] != [len(row) for row in rewards]:
            raise RecipeError(
                f"advantage '{name}' gave rows of {[len(row) for row in given]} for {[len(row) for row in rewards]}",
                hint=hint,
            )
        return given

    return advantage


def _lead(reward: float, rewards: Sequence[float]) -> float:
    """By how much a reward beats the others, added up: exactly 0 where all are equal, which a rounded mean is not."""
    return math.fsum(reward - other for other in rewards)


def _valid(column: Sequence[float | None]) -> list[float]:
    return [reward for reward in column if reward is not None]


def _differ(rewards: Sequence[float]) -> bool:
    return len(rewards) > 1 and min(rewards) < max(rewards)
