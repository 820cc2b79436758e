"""The same cells in AppWorld's own shell and through our adapter: the agent must read the same."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from prowess_appworld import shell
from prowess_appworld.place import Installation
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite

from prowess.sandbox import SandboxSettings, open_sandbox

HERE = Path(__file__).parent


def snippets() -> list[tuple[str, str, str]]:
    """Name, reason why it differs (or nothing) and code of each cell."""
    found = []
    for part in (HERE / "snippets.txt").read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, _, code = part.partition("\n")
        name, _, reason = head.partition(" | ")
        found.append((name, reason, code))
    return found


def said_by_appworld(place: Installation, task: str, cells: list[str] | None = None) -> list[list[str]]:
    """What AppWorld's shell says to these cells, or to the calls of the reference."""
    asked = {"task": task} | ({"cells": cells} if cells else {"calls": 1})
    run = subprocess.run(
        [str(place.python), str(shell.__file__)],
        input=json.dumps(asked) + "\n",
        env={**os.environ, "APPWORLD_ROOT": str(place.root)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    found: list[list[str]] = json.loads(run.stdout.splitlines()[1])
    return found


@pytest.fixture(scope="module")
def quick(home: Path) -> Any:
    """A suite whose steps end as early as those of the shell that it is compared with."""
    with closing(open_sandbox(SandboxSettings(step_seconds=shell.SECONDS, kind="jail"))) as sandbox:
        with closing(AppWorldSuite(AppWorldSettings(home=str(home)), sandbox)) as suite:
            yield suite


@pytest.mark.appworld
@pytest.mark.slow
def test_snippets_read_the_same(quick: AppWorldSuite) -> None:
    task = quick.tasks("train")[0]
    cells = snippets()
    theirs = said_by_appworld(AppWorldSettings().place, task.id, [code for _, _, code in cells])
    wrong = []
    with closing(quick.open(task)) as world:
        for (name, reason, code), (_, text) in zip(cells, theirs, strict=True):
            mine = world.execute(code).text
            if (mine == text) == bool(reason):
                wrong.append(f"{name}: {mine[-300:]!r} here, {text[-300:]!r} in AppWorld")
    assert wrong == []


@pytest.mark.appworld
@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 33, 60, 87])
def test_the_calls_of_references_read_the_same(quick: AppWorldSuite, number: int) -> None:
    task = quick.tasks("train")[number]
    with closing(quick.open(task)) as world:
        for code, text in said_by_appworld(AppWorldSettings().place, task.id):
            assert world.execute(code).text == text, code.partition("(")[2].partition("(")[0]
