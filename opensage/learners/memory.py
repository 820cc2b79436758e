"""What learning takes of a GPU's memory: the most of it is told, and what is only kept for next time is given back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


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
