"""Two passes over a table of logits as Triton kernels: on a GPU they read it once where plain torch does ten times.

What they compute is what `logprobs` computes without them, and is checked against that once per process. (Without the
usual import from __future__: Triton reads the annotations.)
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from functools import cache

import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 4096


@triton.jit
def _look(logits, targets, logprobs, entropy, sums, size, scale, BLOCK: tl.constexpr):
    """A row's logsumexp with a running peak, total and mean in each lane; then the lanes together."""
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    peak = tl.full((BLOCK,), -1e30, tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    mean = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, size, BLOCK):
        place = start + lane
        x = tl.load(logits + row * size + place, mask=place < size, other=float("-inf")).to(tl.float32) * scale
        x = tl.maximum(x, -1e30)  # 0 * -inf is not a number
        higher = tl.maximum(peak, x)
        before = tl.exp(peak - higher)
        now = tl.exp(x - higher)
        total = total * before + now
        mean = mean * before + now * x
        peak = higher
    top = tl.max(peak, 0)
    share = tl.exp(peak - top)
    total_of_all = tl.sum(total * share, 0)
    whole = top + tl.log(total_of_all)
    said = tl.load(logits + row * size + tl.load(targets + row)).to(tl.float32) * scale
    tl.store(logprobs + row, said - whole)
    tl.store(entropy + row, whole - tl.sum(mean * share, 0) / total_of_all)
    tl.store(sums + row, whole)


@triton.jit
def _slope(logits, targets, sums, gradient, size, scale, BLOCK: tl.constexpr):
    """(one at the target - probability) * gradient, where the logits were."""
    row = tl.program_id(0).to(tl.int64)
    place = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    at = logits + row * size + place
    x = tl.load(at, mask=place < size, other=0.0).to(tl.float32) * scale
    said = (place == tl.load(targets + row)).to(tl.float32)
    slope = (said - tl.exp(x - tl.load(sums + row))) * tl.load(gradient + row) * scale
    tl.store(at, slope.to(logits.dtype.element_ty), mask=place < size)


def look(logits: Tensor, targets: Tensor, scale: float, logprobs: Tensor, entropy: Tensor, sums: Tensor) -> None:
    """Fill in the log-probability of each row's target, its entropy and its logsumexp."""
    rows, size = logits.shape
    _look[(rows,)](logits, targets, logprobs, entropy, sums, size, scale, BLOCK=BLOCK, num_warps=8)


def slope(logits: Tensor, targets: Tensor, scale: float, sums: Tensor, gradient: Tensor) -> Tensor:
    """The gradient at the logits, in their place."""
    rows, size = logits.shape
    grid = (rows, triton.cdiv(size, BLOCK))
    _slope[grid](logits, targets, sums, gradient, size, scale, BLOCK=BLOCK, num_warps=8)
    return logits


@cache
def good() -> bool:
    """Whether the kernels work here, tried out on a small table."""
    draw = torch.Generator("cuda").manual_seed(0)
    logits = torch.randn(3, 9000, generator=draw, device="cuda") * 4
    targets = torch.tensor([0, 8999, 4096], device="cuda")
    logprobs, entropy, sums, gradient = (torch.full((3,), 0.5, device="cuda") for _ in range(4))
    table = (logits * 0.7).log_softmax(-1)
    right = -table.exp()
    right[torch.arange(3), targets] += 1
    try:
        look(logits, targets, 0.7, logprobs, entropy, sums)
        found = [logprobs, entropy, slope(logits, targets, 0.7, sums, gradient)]
    except Exception:  # noqa: BLE001 (a stranger's compiler, driver and tools: whatever fails there, torch serves)
        return False
    expected = [table[torch.arange(3), targets], -(table.exp() * table).sum(-1), right * 0.5 * 0.7]
    return all(torch.allclose(one, other, atol=1e-4) for one, other in zip(found, expected, strict=True))
