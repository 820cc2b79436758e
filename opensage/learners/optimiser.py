"""AdamW over a model's trainable parameters, with full-precision copies of those in half precision.

A rate of 1e-6 changes a weight by less than bfloat16 can tell apart: such changes are made to a float32 copy, and the
weight is set to what the copy rounds to. Gradients of micro-batches are added up in float32, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_

from opensage.learners.settings import LearnerSettings

MOMENTS = ("exp_avg", "exp_avg_sq", "step")
"""What AdamW remembers of a parameter."""


class Optimiser:
    """Changes parameters by their gradients."""

    def __init__(self, model: nn.Module, settings: LearnerSettings) -> None:
        self.settings = settings
        self.parameters = {name: one for name, one in model.named_parameters() if one.requires_grad}
        self.masters = {
            name: one if one.dtype == torch.float32 else nn.Parameter(one.detach().float())
            for name, one in self.parameters.items()
        }
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

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """For backward passes: half-precision gradients go to their full-precision sums as soon as they are there."""
        handles = []
        for name in self._copied():
            parameter: Any = self.parameters[name]
            handles.append(parameter.register_post_accumulate_grad_hook(_folds_into(self.masters[name])))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def clear(self) -> None:
        """Forget the gradients."""
        for one in (*self.parameters.values(), *self.masters.values()):
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
        self._publish()

    def state(self) -> dict[str, Tensor]:
        """All that is remembered, by name: `exp_avg/NAME`, `master/NAME` ..."""
        out = {
            f"{moment}/{name}": self._rule.state[one][moment]
            for name, one in self.masters.items()
            if self._rule.state[one]
            for moment in MOMENTS
        }
        return out | {f"master/{name}": self.masters[name].detach() for name in self._copied()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Remember what another one did, and nothing else."""
        self._rule.state.clear()
        for name, one in self.masters.items():
            if f"{MOMENTS[0]}/{name}" in state:
                self._rule.state[one] = {moment: state[f"{moment}/{name}"].to(one.device) for moment in MOMENTS}
        with torch.no_grad():
            for name, one in self.masters.items():
                one.copy_(state.get(f"master/{name}", self.parameters[name]))

    def reset(self) -> None:
        """Begin anew from the model's weights as they are."""
        self.restore({})

    def _copied(self) -> list[str]:
        return [name for name, one in self.parameters.items() if self.masters[name] is not one]

    def _publish(self) -> None:
        with torch.no_grad():
            for name in self._copied():
                self.parameters[name].copy_(self.masters[name])


def _folds_into(master: nn.Parameter) -> Callable[[Tensor], None]:
    """Adds a parameter's gradient to that of its full-precision copy."""

    def fold(parameter: Tensor) -> None:
        assert parameter.grad is not None
        grad = parameter.grad.float()
        master.grad = grad if master.grad is None else master.grad.add_(grad)
        parameter.grad = None

    return fold
