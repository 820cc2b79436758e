"""Processes that are killed at random moments. The moments come from a seed, which is printed.

`make chaos` draws other moments each time. `make chaos PROWESS_CHAOS_SEED=123` repeats those of a run that failed.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.register_assert_rewrite("killing")  # what differs is then told

from killing import Commands, adopting, orphans  # noqa: E402

from prowess.seeds import derive  # noqa: E402

SEED = "PROWESS_CHAOS_SEED"
os.environ.setdefault(SEED, str(secrets.randbelow(1_000_000)))  # what pytest-xdist starts inherits it


def pytest_report_header() -> str:
    return f"{SEED}={os.environ[SEED]}"


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Random:
    """The test's own source of moments."""
    print(f"{SEED}={os.environ[SEED]}")
    return Random(derive(int(os.environ[SEED]), request.node.name))


@pytest.fixture
def prowess(tmp_path: Path) -> Iterator[Commands]:
    """Runs commands in a folder of their own; in the end none of their processes is left."""
    with adopting():
        before = orphans()
        yield Commands(tmp_path)
        assert orphans(before, patience=10) == set()
