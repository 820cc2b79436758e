from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from school import School

from prowess.sandbox import Sandbox, open_sandbox
from prowess.store.db import Store
from prowess.store.gates.admission import replay_settings


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox(replay_settings())
    yield opened
    opened.close()


@pytest.fixture
def school(sandbox: Sandbox, tmp_path: Path) -> Iterator[School]:
    with Store.open(tmp_path / "skills.db") as store:
        yield School(sandbox, store)
