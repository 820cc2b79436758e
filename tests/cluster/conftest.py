"""Ray on this machine, whose processors stand for GPUs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

collect_ignore_glob = [] if find_spec("ray") and find_spec("verl") else ["test_*.py"]
"""They need verl and Ray (make test-cluster)."""
HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PLACES = 4
"""Ranks that fit at once."""
os.environ |= {
    "VERL_PLATFORM": "cpu",
    "VERL_USE_EXTERNAL_MODULES": "cpu_platform",
    "PYTHONPATH": os.pathsep.join(str(place) for place in (HERE, HERE.parent, ROOT, *sorted(ROOT.glob("worlds/*")))),
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "HF_HUB_OFFLINE": "1",
}


@pytest.fixture(scope="module")
def ranks() -> Iterator[None]:
    """Places for learners, one after the other, in one Ray."""
    import ray
    import torch

    torch.set_num_threads(1)
    ray.init(num_gpus=PLACES, num_cpus=16, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()
