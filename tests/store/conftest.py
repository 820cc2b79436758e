"""A store of its own for every test, and what must be true of it in the end, whatever was done."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # not every test here needs the extra
    from prowess.store.db import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Empty, by a clock that ticks a second at each look. What is derived follows from the rows when a test is over."""
    from prowess.store.db import Store

    ticks = count(1_700_000_000)
    with Store.open(tmp_path / "skills.db", clock=lambda: float(next(ticks))) as store:
        yield store
        assert store.rebuild(verify=True) == ()
        assert store.db.execute("PRAGMA integrity_check").get == "ok"
