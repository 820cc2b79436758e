"""Norms and gates in one kernel each, where Liger is installed and there is a GPU.

A decoder layer of a small model spends more time on passes over memory than on products: transformers norms in five
kernels and gates in two. Liger does each in one, forward and backward. They stand in while the learner uses the model,
which itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from torch import Tensor, nn


@contextmanager
def fused(model: nn.Module) -> Iterator[None]:
    """Let norms and gates of a model on a GPU be computed in one go each."""
    kernels = _liger() if next(model.parameters()).is_cuda else None
    swapped = [part for part in model.modules() if kernels and _stand_in(part, kernels)]
    try:
        yield
    finally:
        for part in swapped:
            del part.forward


def _stand_in(part: Any, kernels: Any) -> bool:
    """Put a kernel in the place of what a module computes, if it is one of those that are known."""
    if "forward" in vars(part):
        return False
    if type(part).__name__ in NORMS:
        part.forward = partial(_norm, part, kernels.liger_rms_norm)
        return True
    gated = all(hasattr(part, name) for name in ("gate_proj", "up_proj", "down_proj"))
    if gated and type(getattr(part, "act_fn", None)).__name__ in ("SiLU", "SiLUActivation"):
        part.forward = partial(_gated, part, kernels.liger_swiglu)
        return True
    return False


NORMS = frozenset({"LlamaRMSNorm", "MistralRMSNorm", "Qwen2RMSNorm", "Qwen3RMSNorm"})
"""Norms that multiply by their weight after rounding, as Llama does."""


def _norm(part: Any, kernel: Callable[..., Tensor], hidden: Tensor) -> Tensor:
    return kernel(hidden, part.weight, part.variance_epsilon, 0.0, "llama", False)


def _gated(part: Any, kernel: Callable[..., Tensor], hidden: Tensor) -> Tensor:
    out: Tensor = part.down_proj(kernel(part.gate_proj(hidden), part.up_proj(hidden)))
    return out


@cache
def _liger() -> Any:
    try:
        from liger_kernel.transformers import functional
    except ImportError:
        return None
    return functional
