from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def own_kernels() -> Iterator[None]:
    """Where a processor has no products in bfloat16, PyTorch turns oneDNN off at the first of them, for good: other
    tests in this process would then round otherwise than a process of its own does."""
    yield
    if torch := sys.modules.get("torch"):
        torch.backends.mkldnn.set_flags(True)
