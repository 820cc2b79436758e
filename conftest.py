from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # where the tests of the GPU run alone
    pass
else:  # no test is about time: on a busy machine drawing may be slow, and examples, too
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")


@pytest.fixture(autouse=True)
def own_kernels() -> Iterator[None]:
    """Where a processor has no products in bfloat16, PyTorch turns oneDNN off at the first of them, for good: other
    tests in this process would then round otherwise than a process of its own does."""
    yield
    if torch := sys.modules.get("torch"):
        torch.backends.mkldnn.set_flags(True)
