from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Models this small are faster on one thread, all the more beside other tests."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def own_kernels() -> Iterator[None]:
    """Where a processor has no products in bfloat16, PyTorch turns oneDNN off at the first of them, for good: other
    tests in this process would then round otherwise than a process of its own does."""
    from torch.backends import mkldnn

    before = mkldnn.enabled
    yield
    mkldnn.set_flags(before)
