"""What a step learns from: the rewards of its groups, compared, as samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prowess.commands.train.settings import TrainSettings
from prowess.credit.advantage import Table, among_peers, fewer, peers_in
from prowess.credit.credit import Credit
from prowess.credit.samples import OVERLONG, samples_of
from prowess.types import Group, Sample

Compared = list[list[float | None]]
"""Advantages, by rollout, then by position in the chain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What a step learns from."""

    samples: tuple[Sample, ...]
    rollouts: int
    """How many rollouts the objective is a mean over."""
    flat: float = 0.0
    """Share of the groups in which all that is compared is alike: those that `drop_flat` leaves out."""


def batch_of(groups: Sequence[Group], settings: TrainSettings, credit: Credit) -> Batch:
    """Rewards, advantages and samples of a step's groups."""
    samples: list[Sample] = []
    rollouts = flat = 0
    mask = settings.overlong == "mask"
    for group in groups:
        compared = _compared(group, settings, credit)
        if _is_flat(compared):
            flat += 1
            if settings.drop_flat:
                continue
        samples += samples_of(group, compared, overlong=not mask)
        rollouts += min(len(group.rollouts), settings.most or len(group.rollouts))
    # With all groups left out, what is rehearsed weighs as ever, however many rounds were played.
    usual = sum(len(group.rollouts) for group in groups[: settings.chains])
    return Batch(samples=tuple(samples), rollouts=rollouts or max(usual, 1), flat=flat / max(len(groups), 1))


def differs(group: Group, settings: TrainSettings, credit: Credit) -> bool:
    """Whether there is something to learn from a group."""
    return not _is_flat(_compared(group, settings, credit))


def _compared(group: Group, settings: TrainSettings, credit: Credit) -> Compared:
    """The advantages of a group."""
    rewards: Table = credit.reward(group.rollouts)
    by_history = settings.peers == "history"
    if settings.most:
        places = peers_in(group, by_history=by_history)
        rewards = fewer(_short(group, rewards) if settings.overlong == "mask" else rewards, settings.most, places)
    return among_peers(group, rewards, credit.advantage, by_history=by_history)


def _is_flat(compared: Compared) -> bool:
    """Whether nothing in a group is better than anything else in it."""
    return not any(value for row in compared for value in row)


def _short(group: Group, rewards: Table) -> list[list[float | None]]:
    """The rewards of episodes that did not run into a limit: of those that will be learnt from."""
    return [
        [None if episode.stop in OVERLONG else value for episode, value in zip(rollout.episodes, row, strict=True)]
        for rollout, row in zip(group.rollouts, rewards, strict=True)
    ]
