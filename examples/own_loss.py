"""A loss of your own: it learns from what went well, and forgets a share of what went badly.

PYTHONPATH=examples prowess train quickstart --set loss.kind=own_loss:asymmetric
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from prowess.learners.losses import LossSettings

BLAME = 0.5
"""How much a negative advantage counts beside a positive one."""


def asymmetric(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> Tensor:
    """The loss of each token that the model said.

    `new` is its log-probability now and `old` the one before the step, `weights` is its advantage, and `sequence` the
    number of its sample. `loss.kl`, `loss.tis` and `loss.aggregate` are applied on top.
    """
    ratio = (new - old).exp()
    kept = ratio.clamp(1 - settings.clip_low, 1 + settings.clip_high)
    advantage = weights.where(weights > 0, BLAME * weights)
    return -(ratio * advantage).minimum(kept * advantage)
