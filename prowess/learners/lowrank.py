"""LoRA, learnt through the merged weight: the model holds W' = W + scale * B A and is an ordinary one.

What plays and what learns are the same weights, and no layer is added to the model. While it learns, an adapted layer
computes as always, y = x W'^T, and only its backward pass is ours: what A and B get is

    dA = scale * (dy B)^T x        dB = scale * dy^T (x A^T)

which are the gradients of LoRA, and cost little: the gradient of W' itself, a third of all products in the learning of
all parameters, is never computed. After a step W' is written anew from the frozen W.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

from prowess.errors import StoreError
from prowess.learners.settings import LearnerSettings
from prowess.learners.weights import once, write_model
from prowess.models import Brain
from prowess.models.adapter import (
    ADAPTER,
    BASE,
    Factors,
    entries,
    layers_of,
    merged,
    names_of,
    scale_in,
    write_adapter,
)
from prowess.seeds import derive


class LowRank:
    """The factors of a model's linear layers; all of its own parameters are frozen."""

    kind, file = "adapter", ADAPTER

    def __init__(self, model: Any, settings: LearnerSettings, *, seed: int) -> None:
        self.model = model
        self.rank, self.alpha = settings.lora_rank, settings.lora_alpha
        self.layers: dict[str, Any] = layers_of(model, settings.lora_targets)
        for one in model.parameters():
            one.requires_grad_(False)
        self.parameters: dict[str, nn.Parameter] = {
            f"{path}.weight": layer.weight for path, layer in self.layers.items()
        }
        self.frozen = {path: layer.weight.detach().clone() for path, layer in self.layers.items()}
        self.factors = {path: self._drawn(layer, derive(seed, "lora", path)) for path, layer in self.layers.items()}
        self.masters: dict[str, Any] = {
            f"{path}.{letter}": getattr(pair, letter) for path, pair in self.factors.items() for letter in "ab"
        }

    def __repr__(self) -> str:
        return f"LoRA of rank {self.rank}"

    def _drawn(self, layer: nn.Linear, seed: int) -> Factors:
        """Factors as peft draws them: A as a linear layer is, B zero, so that the model begins as it is."""
        a, b = torch.empty(self.rank, layer.in_features), torch.zeros(layer.out_features, self.rank)
        nn.init.kaiming_uniform_(a, a=math.sqrt(5), generator=torch.Generator().manual_seed(seed))
        a, b = (nn.Parameter(one.to(layer.weight.device)) for one in (a, b))
        return Factors(a=a, b=b, scale=self.alpha / self.rank)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """The adapted layers hand what they hear of their weights' gradients to the factors."""
        before = {path: vars(layer).get("forward") for path, layer in self.layers.items()}
        for path, layer in self.layers.items():
            layer.forward = _through(layer, self.factors[path])
        try:
            yield
        finally:
            for path, layer in self.layers.items():
                del layer.forward
                if own := before[path]:
                    layer.forward = own

    def publish(self) -> None:
        with torch.no_grad():
            for path, layer in self.layers.items():
                layer.weight.copy_(merged(self.frozen[path], self.factors[path]))

    def held(self) -> dict[str, Tensor]:
        pairs = [zip(entries(path), (one.a, one.b), strict=True) for path, one in self.factors.items()]
        return {name: one for pair in pairs for name, one in pair}

    def beside(self) -> dict[str, Tensor]:
        return {}

    def settle(self, beside: Mapping[str, Tensor]) -> None:
        self.publish()

    def start(self) -> list[Tensor]:
        """Before anything was learnt it is the frozen weights, which stay as they are."""
        if not any(bool(one.b.any()) for one in self.factors.values()):
            return list(self.frozen.values())
        return [one.detach().clone() for one in self.parameters.values()]

    def write(self, folder: Path, brain: Brain) -> None:
        names = names_of(self.model, self.layers)
        write_adapter(folder, self.held(), base=brain.origin, rank=self.rank, alpha=self.alpha, names=names)
        if not brain.origin:  # made on the spot, it is nowhere else
            write_model(folder / BASE, brain, self._under())

    def check(self, folder: Path) -> None:
        there, here = scale_in(folder), self.alpha / self.rank
        if there != here:
            raise StoreError(
                f"checkpoint {folder} scales its adapter by {there:g}, and the learner by {here:g}",
                hint="set lora_alpha as it was",
            )

    def _under(self) -> dict[str, Tensor]:
        """The weights of the model without what was learnt."""
        frozen = {f"{path}.weight": one for path, one in self.frozen.items()}
        return once(self.model.state_dict(keep_vars=True)) | frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """The factors of a layer for one step: as they change, and as products take them."""

    factors: Factors
    a: Tensor
    b: Tensor


def _through(layer: nn.Linear, factors: Factors) -> Callable[[Tensor], Tensor]:
    """What an adapted layer computes while it learns."""
    apply: Callable[..., Tensor] = _Adapted.apply
    dtype = layer.weight.dtype
    pair = _Pair(factors=factors, a=factors.a.detach().to(dtype), b=factors.b.detach().to(dtype))

    def forward(x: Tensor) -> Tensor:
        y: Tensor = apply(x, layer.weight, layer.bias, factors.a, pair)
        return y

    return forward


class _Adapted(torch.autograd.Function):
    """A linear layer whose weight is merged: forward as always, backward to its input and its factors.

    What the factors get is added up here, in one kernel each: autograd would cast, scale and add in three.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, learnt: Tensor, pair: _Pair) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.pair = pair  # `learnt` is only there so that a gradient is asked for, even if `x` needs none
        return linear(x, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, dy: Tensor) -> tuple[Tensor | None, ...]:
        x, weight = ctx.saved_tensors
        pair: _Pair = ctx.pair
        rows, seen = dy.flatten(0, -2), x.flatten(0, -2)
        _add(pair.factors.a, (rows @ pair.b).T @ seen, pair.factors.scale)
        _add(pair.factors.b, rows.T @ (seen @ pair.a.T), pair.factors.scale)
        return dy @ weight if ctx.needs_input_grad[0] else None, None, None, None, None


def _add(master: Tensor, gradient: Tensor, scale: float) -> None:
    """Add to a master's gradient, in full precision."""
    if master.grad is None:
        master.grad = gradient.float().mul_(scale)
    else:
        master.grad.add_(gradient, alpha=scale)
