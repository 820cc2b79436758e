"""AppWorld for its tests: set up before (`make test-appworld`), opened once for all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prowess_appworld.place import Installation, place_in
from prowess_appworld.place import home as usual_home
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite

from prowess.errors import WorldError
from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.appworld)


@pytest.fixture(scope="session")
def home() -> Path:
    """The folder of a whole AppWorld; tests that want it are skipped without one."""
    folder = usual_home()
    try:
        place_in(folder).check()
    except WorldError as missing:
        pytest.skip(f"{missing.message} (make test-appworld sets it up)")
    return folder


@pytest.fixture(scope="session")
def place(home: Path) -> Installation:
    return place_in(home)


@pytest.fixture(scope="session")
def bundle() -> Path:
    """The encrypted data that AppWorld was set up from."""
    found = Path(os.environ.get("APPWORLD_BUNDLE", "none"))
    if not found.is_file():
        pytest.skip("no bundle: APPWORLD_BUNDLE names it")
    return found


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with closing(open_sandbox(SandboxSettings())) as opened:
        yield opened


@pytest.fixture(scope="session")
def suite(home: Path, sandbox: Sandbox) -> Iterator[AppWorldSuite]:
    """The benchmark, its warm process and the jail, shared by every test that does not break them."""
    with closing(AppWorldSuite(AppWorldSettings(home=str(home)), sandbox)) as opened:
        yield opened
