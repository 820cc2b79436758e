"""AdamW over what is learnt of a model: changes masters by their gradients, and lets the model's weights follow."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from opensage.learners.settings import LearnerSettings
from opensage.learners.weights import Weights

MOMENTS = ("exp_avg", "exp_avg_sq", "step")
"""What AdamW remembers of a parameter."""


class Optimiser:
    """Changes weights by their gradients."""

    def __init__(self, weights: Weights, settings: LearnerSettings) -> None:
        self.settings = settings
        self.weights = weights
        self.masters = weights.masters
        decayed = [one for one in self.masters.values() if one.ndim >= 2]
        spared = [one for one in self.masters.values() if one.ndim < 2]
        self._rule = torch.optim.AdamW(
            [
                {"params": decayed, "weight_decay": settings.weight_decay},
                {"params": spared, "weight_decay": 0.0},
            ],
            lr=settings.rate,
            betas=(settings.betas[0], settings.betas[1]),
            fused=True,
        )

    def clear(self) -> None:
        """Forget the gradients."""
        for one in (*self.weights.parameters.values(), *self.masters.values()):
            one.grad = None

    def shorten(self) -> float:
        """The gradient's length before it is shortened to the limit; not finite where a gradient is not."""
        limit = self.settings.clip_norm or float("inf")
        return float(clip_grad_norm_(self.masters.values(), limit))

    def change(self, rate: float) -> None:
        """Change the weights by their gradients."""
        for group in self._rule.param_groups:
            group["lr"] = rate
        self._rule.step()
        self.weights.publish()

    def state(self) -> dict[str, Tensor]:
        """All that is remembered, by name: `exp_avg/NAME`, `master/NAME` ..."""
        out = {
            f"{moment}/{name}": self._rule.state[one][moment]
            for name, one in self.masters.items()
            if self._rule.state[one]
            for moment in MOMENTS
        }
        return out | {f"master/{name}": one for name, one in self.weights.beside().items()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Remember what another one did, and nothing else; the weights themselves have been read."""
        self._rule.state.clear()
        for name, one in self.masters.items():
            if f"{MOMENTS[0]}/{name}" in state:
                self._rule.state[one] = {moment: state[f"{moment}/{name}"].to(one.device) for moment in MOMENTS}
        start = "master/"
        self.weights.settle({name.removeprefix(start): one for name, one in state.items() if name.startswith(start)})

    def reset(self) -> None:
        """Begin anew from the weights as they are."""
        self.restore({})
