"""What learning takes of memory: the most of a GPU's is told, what is only kept for next time is given back, and a lack
of it makes micro-batches smaller, then computes layers again, and is said in our words where neither helps.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from prowess.errors import RecipeError

R = TypeVar("R")
log = logging.getLogger(__name__)


@contextmanager
def watched(device: torch.device, told: dict[str, float], *, shared: bool) -> Iterator[None]:
    """Tell the most memory that tensors took meanwhile, in GiB; on a GPU alone.

    PyTorch keeps what it once had. Where the device is `shared` with others, vLLM's engines or a second run, that is
    given back at the end: allocating it again takes milliseconds in a step of seconds.
    """
    if device.type != "cuda":
        yield
        return
    torch.cuda.reset_peak_memory_stats(device)
    yield
    told["learn/peak_gb"] = torch.cuda.max_memory_allocated(device) / 2**30
    if shared:
        torch.cuda.empty_cache()


@contextmanager
def recomputed(model: nn.Module) -> Iterator[None]:
    """Let a model's layers keep nothing but what they are given: backward computes them again.

    transformers does so in training mode alone, which some families drop out and add noise in.
    """
    layers: list[Any] = _layers(model)
    for layer in layers:
        layer.forward = partial(checkpoint, layer.forward, use_reentrant=False, preserve_rng_state=False)
    try:
        yield
    finally:
        for layer in layers:
            del layer.forward


def check_recomputed(model: nn.Module) -> None:
    """Refuse a model that has no layers to be computed again."""
    if not is_recomputable(model):
        raise RecipeError(f"{type(model).__name__} has no layers for checkpointing", hint="checkpointing = false")


def is_recomputable(model: nn.Module) -> bool:
    """Whether backward can compute a model's layers again."""
    return bool(_layers(model))


def _layers(model: nn.Module) -> list[nn.Module]:
    from transformers.modeling_layers import GradientCheckpointingLayer

    return [part for part in model.modules() if isinstance(part, GradientCheckpointingLayer)]


class Room:
    """How many tokens a micro-batch may have, and whether its layers keep what backward needs; less of both, each time
    that memory runs out.
    """

    def __init__(self, tokens: int, clear: Callable[[], None], *, again: bool, able: bool) -> None:
        self.tokens = tokens
        self.clear = clear
        """Lets go of gradients."""
        self.again = again
        """Whether backward computes layers again."""
        self.able = able
        """Whether it can."""

    def made(self, work: Callable[[], R], *, least: float = math.inf) -> R:
        """What `work` gives, which may begin anew; the budget does not become less than half of `least`, and stays
        where that is not given: the batch is cut up already.

        Others may share the device, and what they take changes: what fitted a minute ago may fit no more.
        """
        while True:
            try:
                return work()
            except TOLD as error:
                if not _is_lack(error) or not self._reduced(least):
                    raise
            self.clear()  # here, where no traceback holds tensors any more
            if torch.cuda.is_available():
                torch.cuda.empty_cache()

    def _reduced(self, least: float) -> bool:
        """Ask for less from now on; False where there is no less."""
        if self.tokens >= max(least, 2):
            log.warning("memory ran out with micro-batches of %d tokens: half as many from now on", self.tokens)
            self.tokens //= 2
            return True
        if self.able and not self.again:
            log.warning("memory ran out, and micro-batches cannot be smaller: checkpointing from now on")
            self.again = True
            return True
        return False

    @contextmanager
    def enough(self) -> Iterator[None]:
        """Say what to do where memory runs out for good, and let go of gradients after any failure."""
        try:
            yield
        except TOLD as error:
            self.clear()
            if not _is_lack(error):
                raise
            ways = (f"a smaller micro_tokens ({max(1, self.tokens // 2)})", *(() if self.again else ("checkpointing",)))
            raise RecipeError(
                f"learning ran out of memory with micro_tokens {self.tokens}: {str(error).splitlines()[0]}",
                hint=", ".join((*ways, "LoRA, a smaller agent.context_tokens, or less for others on the device")),
            ) from error


TOLD = (RuntimeError, RecipeError)
"""Where a lack of memory is told: by PyTorch, or by us of a loss of somebody else's that met it."""
LACKS = ("out of memory", "allocate memory", "ALLOC_FAILED")
"""How PyTorch's allocator, a processor's, and cuBLAS say it."""


def _is_lack(error: Exception) -> bool:
    return any(words in str(error) for words in LACKS)
