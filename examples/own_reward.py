"""A reward of your own: a solved task is worth more when it needed less, and reuse is paid by what it saved.

PYTHONPATH=examples prowess train quickstart --set reward.name=own_reward:frugal
"""

from __future__ import annotations

from prowess.types import Episode, Rollout

SHORT = 2
"""Turns that a solved task may take without losing anything."""


def frugal(rollout: Rollout) -> list[float | None]:
    """A number for each episode of a rollout, in the order of its tasks; None leaves an episode out of learning."""
    return [worth(episode, first=number == 0) for number, episode in enumerate(rollout.episodes)]


def worth(episode: Episode, *, first: bool) -> float:
    """Nothing for a task that failed. 1 for a solved one, less a tenth for each turn above two, plus a half where a
    later task called a skill of an earlier one."""
    if not episode.success:
        return 0.0
    slow = 0.1 * max(0, len(episode.turns) - SHORT)
    return 1.0 - slow + (0.5 if episode.called and not first else 0.0)
