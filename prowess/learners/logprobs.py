"""Log-probabilities of given tokens straight from hidden states, without ever holding vocabulary x tokens.

Hidden states are projected onto the vocabulary a chunk of rows at a time, and of a chunk's logits only what is asked
for stays: the log-probability of the token that was said, and the entropy. The backward pass projects again, turns the
logits into (one at the token said - probability) * gradient in place, and adds the two products up:

    to hidden states    slope @ weight
    to the weight       slope^T @ hidden, in full precision; none where the head does not learn

Where all logits together are few, the probabilities are kept instead of being computed again. On a GPU two kernels of
our own look at a table once, where torch would pass over it ten times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import linear

CHUNK = {"cpu": 2**21, "cuda": 2**30}
"""Bytes of logits in full precision at once: what a core's cache holds, and what keeps a GPU busy."""
LEAST = 256
"""Rows at once at least: products of fewer are slow, however large the vocabulary (2 to 5 times at 10 and 20 rows)."""
KEPT = 2**28
"""Bytes of probabilities that are kept for the backward pass instead of being computed again (3 products for 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """One entry per said token."""

    logprobs: Tensor
    entropy: Tensor
    """Of the whole distribution that the token was drawn from; without gradient."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What makes logits of hidden states: a product, and what some families and the sampler do to it."""

    weight: Tensor
    """[vocabulary, hidden]"""
    bias: Tensor | None = None
    scale: float = 1.0
    """The product is multiplied by it ..."""
    cap: float = 0.0
    """... and bent so that it stays within this of 0, unless that is 0 ..."""
    temperature: float = 1.0
    """... and divided by this."""

    @property
    def plain(self) -> bool:
        return (self.scale, self.cap, self.temperature) == (1.0, 0.0, 1.0)

    def product(self, hidden: Tensor) -> Tensor:
        """In the model's own precision, as in any sampler."""
        return linear(hidden, self.weight, self.bias)

    def logits(self, hidden: Tensor) -> Tensor:
        """The product in the model's own precision; all else is done to it in at least single precision."""
        out = self.product(hidden)
        if self.plain:
            return out
        out = out.to(precise(out)).mul_(self.scale)
        if self.cap:
            out = out.div_(self.cap).tanh_().mul_(self.cap)
        return out.div_(self.temperature)

    def bend(self, slope: Tensor, logits: Tensor | None) -> Tensor:
        """A gradient at the logits carried back to the product, in place; a cap needs the logits for it."""
        if self.plain:
            return slope
        slope = slope.mul_(self.scale / self.temperature)
        if self.cap:
            assert logits is not None
            slope = slope.addcmul_(slope, (logits * (self.temperature / self.cap)).square_(), value=-1)
        return slope


def precise(values: Tensor) -> torch.dtype:
    """At least single precision."""
    return torch.promote_types(values.dtype, torch.float32)


def said(
    hidden: Tensor, targets: Tensor, head: Head, *, chunk: int | None = None, least: int = LEAST, kept: int = KEPT
) -> Likelihood:
    """How probable each target is, given its row of hidden states. `chunk` and `kept` in bytes, `least` in rows."""
    kernels = _kernels() if hidden.is_cuda and not head.cap and hidden.dtype != torch.float64 else None
    row = head.weight.shape[0] * (hidden.dtype if kernels else precise(hidden)).itemsize
    rows = max(least, (chunk or CHUNK.get(hidden.device.type, CHUNK["cuda"])) // row)
    keep = torch.is_grad_enabled() and not head.cap and not kernels and len(hidden) * row <= kept
    logprobs, entropy = _Said.apply(hidden, head.weight, head.bias, targets, head, rows, keep, kernels)  # type: ignore[no-untyped-call]
    return Likelihood(logprobs=logprobs, entropy=entropy)


@cache
def _kernels() -> ModuleType | None:
    """Kernels for a GPU, where there is a Triton to compile them and they do what they should."""
    try:
        from prowess.learners import kernels
    except ImportError:
        return None
    return kernels if kernels.good() else None


class _Said(torch.autograd.Function):
    """Log-probabilities and entropies, with gradients to hidden states, weight and bias."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        head: Head,
        rows: int,
        keep: bool,
        kernels: Any,
    ) -> tuple[Tensor, Tensor]:
        logprobs = hidden.new_empty(len(hidden), dtype=precise(hidden))
        entropy, sums = torch.empty_like(logprobs), torch.empty_like(logprobs)
        kept = []
        for some in _chunks(len(hidden), rows):
            if kernels:
                product, told = head.product(hidden[some]), (logprobs[some], entropy[some], sums[some])
                kernels.look(product, targets[some], head.scale / head.temperature, *told)
                continue
            table = head.logits(hidden[some]).log_softmax(-1, dtype=logprobs.dtype)
            logprobs[some] = table.gather(-1, targets[some, None])[:, 0]
            chances = table.exp()
            entropy[some] = -table.clamp_(min=-1e4).mul_(chances).sum(-1)  # 0 * -inf is not a number
            if keep:
                kept.append(chances)
        ctx.save_for_backward(hidden, targets, sums, *kept)
        ctx.head, ctx.rows, ctx.kernels = head, rows, kernels
        ctx.mark_non_differentiable(entropy)
        return logprobs, entropy

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        hidden, targets, sums, *kept = ctx.saved_tensors
        head: Head = ctx.head
        gradient = gradient.contiguous()
        full = {"dtype": precise(hidden), "device": hidden.device}
        below = torch.empty_like(hidden) if ctx.needs_input_grad[0] else None
        weight = torch.zeros(head.weight.shape, **full) if ctx.needs_input_grad[1] else None
        bias = torch.zeros(len(head.weight), **full) if ctx.needs_input_grad[2] else None
        for number, some in enumerate(_chunks(len(hidden), ctx.rows)):
            if ctx.kernels:
                product, scale = head.product(hidden[some]), head.scale / head.temperature
                slope = ctx.kernels.slope(product, targets[some], scale, sums[some], gradient[some])
            else:
                slope = _slope(head, hidden[some], targets[some], gradient[some, None], kept[number] if kept else None)
            if below is not None:
                below[some] = slope @ head.weight
            if weight is not None and weight.dtype == slope.dtype:
                weight.addmm_(slope.T, hidden[some])
            elif weight is not None:
                weight += slope.T @ hidden[some]
            if bias is not None:
                bias += slope.sum(0, dtype=bias.dtype)
        return below, weight, bias, None, None, None, None, None


def _slope(head: Head, hidden: Tensor, targets: Tensor, gradient: Tensor, chances: Tensor | None) -> Tensor:
    """The gradient at the product, from kept probabilities or from those computed again."""
    logits = None
    if chances is None:
        logits = head.logits(hidden)
        slope = logits.softmax(-1, dtype=gradient.dtype).mul_(-gradient)
    else:
        slope = chances * -gradient
    slope.scatter_add_(-1, targets[:, None], gradient)
    return head.bend(slope, logits).to(hidden.dtype)


def _chunks(count: int, rows: int) -> Iterator[slice]:
    return (slice(start, start + rows) for start in range(0, count, rows))
