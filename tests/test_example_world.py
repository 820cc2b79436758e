"""The example world is sound, can be solved, and is what the guide says."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opensage.sandbox import Sandbox, SandboxSettings, open_sandbox
from opensage.worlds.check import RULES, check

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings())
    yield opened
    opened.close()


@pytest.fixture
def pantry(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "examples")
    yield importlib.import_module("own_world").suite(None, sandbox)
    sys.modules.pop("own_world")


def test_the_example_world_keeps_the_contract(pantry: Any) -> None:
    assert check(pantry, tasks=2) == ()


def test_the_example_world_can_be_solved(pantry: Any) -> None:
    world = pantry.open(pantry.tasks("test")[1])
    assert world.execute("print(apis.pantry.show())").text.strip() == '{"salt": 1, "sugar": 1}'
    refused = world.execute("apis.pantry.add(goods='salt', bags=-1)")
    assert refused.failed and "0 < bags < 100" in refused.text
    seen = world.execute("apis.pantry.add(goods='salt', bags=2)\napis.supervisor.complete_task()")
    assert seen.done and seen.apis == ("pantry.add", "supervisor.complete_task")
    assert world.evaluate().success
    world.close()


def test_the_guide_lists_every_rule() -> None:
    guide = (ROOT / "docs" / "worlds.md").read_text(encoding="utf-8")
    assert [line.split("|")[1].strip() for line in guide.splitlines() if line.startswith("| ")][1:] == list(RULES)
