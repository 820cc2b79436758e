"""Turning queries and keys by their positions, in fewer steps than transformers takes.

    turned = x * cos + (-x2, x1) * sin          with x1 and x2 the halves of x

transformers negates, joins, multiplies twice and adds, for queries and for keys, and autograd goes back through each of
them: some thirty kernels a layer, and a small model's GPU waits for the processor to start them. Here they are twelve,
and nothing but cos and sin is kept for the backward pass. It stands in while the learner uses the model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

NAME = "apply_rotary_pos_emb"
"""What transformers calls it, in the module of each family."""

Turn = Callable[..., tuple[Tensor, Tensor]]
Angles = tuple[Tensor, Tensor, Tensor]


@contextmanager
def turning(model: nn.Module) -> Iterator[None]:
    """Let a model turn queries and keys our way, if that is the same; its own comes back at the end."""
    modules = {name: sys.modules[name] for name in {type(part).__module__ for part in model.modules()}}
    found: dict[str, Turn] = {name: vars(one)[NAME] for name, one in modules.items() if NAME in vars(one)}
    swapped = {name: turn for name, turn in found.items() if _same(turn)}
    for name, turn in swapped.items():
        setattr(modules[name], NAME, _standing_in(turn))
    try:
        yield
    finally:
        for name, turn in swapped.items():
            setattr(modules[name], NAME, turn)


class _Turned(torch.autograd.Function):
    """Queries and keys, turned; their gradients, turned back."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, angles: Angles) -> tuple[Tensor, Tensor]:
        ctx.angles = angles
        cos, sin, _ = angles
        return _turn(query, cos, sin), _turn(key, cos, sin)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        cos, _, back = ctx.angles
        return _turn(gradients[0], cos, back), _turn(gradients[1], cos, back), None


def _turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    one, two = x.chunk(2, -1)
    return (x * cos).addcmul_(torch.cat((two, one), -1), sin)


def _angles(cos: Tensor, sin: Tensor) -> Angles:
    """Cosines, and sines with their signs, for turning and for turning back."""
    one, two = sin.chunk(2, -1)
    there, back = torch.cat((-one, two), -1), torch.cat((two, -one), -1)
    return cos.unsqueeze(1), there.unsqueeze(1), back.unsqueeze(1)


def _standing_in(own: Turn) -> Turn:
    kept: dict[str, Any] = {"sin": None}  # all layers of a pass have the same

    def turn(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, *more: Any, **others: Any) -> tuple[Tensor, Tensor]:
        part = cos.shape[-1] < q.shape[-1]  # of each head, by a setting of the model: what is tried out has none
        if more or others or part or not q.dtype == k.dtype == cos.dtype == sin.dtype or cos.requires_grad:
            return own(q, k, cos, sin, *more, **others)
        if kept["sin"] is not sin:
            kept.update(sin=sin, angles=_angles(cos, sin))
        out: tuple[Tensor, Tensor] = _Turned.apply(q, k, kept["angles"])  # type: ignore[no-untyped-call]
        return out

    return turn


@cache
def _same(own: Turn) -> bool:
    """Whether a family turns as it is done here, tried out: some turn a part of each head, or neighbours together."""
    draw = torch.Generator().manual_seed(0)
    shapes = ((1, 2, 3, 8), (1, 1, 3, 8), (1, 3, 8), (1, 3, 8))
    query, key, cos, sin = (torch.randn(shape, generator=draw) for shape in shapes)
    try:
        theirs, ours = own(query, key, cos, sin), _standing_in(own)(query, key, cos, sin)
        return all(torch.allclose(one, other, atol=1e-5) for one, other in zip(theirs, ours, strict=True))
    except Exception:  # noqa: BLE001 - a family of another kind
        return False
