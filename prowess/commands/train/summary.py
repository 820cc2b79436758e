"""What a step was played like, in figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from prowess.credit.credit import Credit
from prowess.credit.reward import Paid, uplifts
from prowess.credit.samples import OVERLONG
from prowess.types import Group, Stop


def summary(groups: Sequence[Group], credit: Credit) -> dict[str, float]:
    """A step's figures: how well it was played, with which skills, and what the rewards were made of."""
    rollouts = [rollout for group in groups for rollout in group.rollouts]
    episodes = [episode for group in groups for episode in group.episodes]
    graded = [episode for episode in episodes if episode.stop is not Stop.ERROR]
    whole = [rollout for rollout in rollouts if all(episode.stop is not Stop.ERROR for episode in rollout.episodes)]
    offered = [episode for episode in graded if episode.offered]
    used = [episode for episode in graded if episode.called]
    rewards = [value for group in groups for row in credit.reward(group.rollouts) for value in row if value is not None]
    made = [credit.pay(group.rollouts) for group in groups]
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
        "play/breaks": float(sum(len(episode.breaks) for episode in episodes)),
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


def _control(groups: Sequence[Group], made: Sequence[Sequence[Paid]]) -> dict[str, float]:
    """What the library was worth, where a control arm tells."""
    found = [uplifts(group.rollouts, rows) for group, rows in zip(groups, made, strict=True)]
    measured = [uplift for each in found for uplift in each[1:] if uplift is not None]
    return {"play/uplift": _mean(measured)} if measured else {}


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
