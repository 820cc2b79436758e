"""What learning takes of memory: the most of a GPU's is told, what is only kept for next time is given back, and a lack
of it is said in our words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from opensage.errors import RecipeError


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
def enough(micro_tokens: int, clear: Callable[[], None]) -> Iterator[None]:
    """Say what to do where memory runs out; `clear` lets go of gradients after any failure."""
    try:
        yield
    except (torch.OutOfMemoryError, RuntimeError) as error:
        clear()
        if not isinstance(error, torch.OutOfMemoryError) and "allocate memory" not in str(error):
            raise
        raise RecipeError(
            f"learning ran out of memory with micro_tokens {micro_tokens}: {str(error).splitlines()[0]}",
            hint=f"a smaller micro_tokens ({max(1, micro_tokens // 2)}), checkpointing, or LoRA",
        ) from error
