"""Hostile programs made by chance (`generated`), for a bounded time in each of the four configurations.

PROWESS_HUNT_SECONDS and PROWESS_HUNT_SEED make it longer, and another one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from configurations import NOBODY, open_to_all, run_by_nobody
from generated import PRELUDE, hunt, program
from ledger import Ledger, excess

from prowess.sandbox import SandboxSettings, open_sandbox

SECONDS = float(os.environ.get("PROWESS_HUNT_SECONDS", "60")) / 4
SEED = int(os.environ.get("PROWESS_HUNT_SEED", "0"))
FILES = ("attacks.py", "attacks.txt", "generated.py", "ledger.py", "processes.py")


@pytest.mark.slow
@pytest.mark.timeout(SECONDS * 4 + 300)
@pytest.mark.parametrize("namespaces", [True, False], ids=["namespaces", "plain"])
def test_no_program_made_by_chance_gets_past_the_jail(namespaces: bool) -> None:
    found = hunt(seconds=SECONDS, seed=SEED, namespaces=namespaces)
    assert found.wrong == ()
    assert found.programs > 0


@pytest.mark.slow
@pytest.mark.timeout(SECONDS * 4 + 300)
@pytest.mark.parametrize("arguments", [(), ("--plain",)], ids=["namespaces", "plain"])
def test_no_program_made_by_chance_gets_past_the_jail_of_an_ordinary_user(arguments: tuple[str, ...]) -> None:
    asked = ("--seconds", str(SECONDS), "--seed", str(SEED + 1), *arguments)
    with open_to_all(FILES) as folder:
        found: dict[str, Any] = json.loads(run_by_nobody(folder, "generated.py", *asked, seconds=SECONDS * 4 + 250))
    assert found["user"] == NOBODY
    assert found["wrong"] == []
    assert found["programs"] > 0


def test_a_program_is_determined_by_its_seed_and_number() -> None:
    programs = [program(3, number) for number in range(300)]
    assert programs == [program(3, number) for number in range(300)]
    assert len(set(programs)) > 290
    for call in ("# mmap", "# clone", "# futex", "socketpair()", "select.epoll()", "os.kill", "threading.Thread"):
        assert any(call in one for one in programs), call


def test_the_programs_find_what_they_are_given() -> None:
    """A misspelt name in front of them would let every program fail at once, and nothing be tried."""
    sandbox = open_sandbox(SandboxSettings(kind="jail", warm=0))
    try:
        seen = sandbox.open().run(
            f"{PRELUDE}\nprint(go(39), quietly(os.pipe) is None, MAP(0, 4096, 3, 0x22, 2**64 - 1, 0) > 0)", None
        )
    finally:
        sandbox.close()
    assert seen.text == "None False True\n"


def test_the_ledger_notices_what_is_left_behind(tmp_path: Path) -> None:
    before = Ledger.of_this_process()
    with open(tmp_path / "left", "w") as _file:
        sandbox = open_sandbox(SandboxSettings(kind="jail", warm=0))
        more = excess(before, Ledger.of_this_process())
        sandbox.close()
    assert [what.split()[1] for what in more] == ["processes", "descriptors"]
    assert excess(before, Ledger.of_this_process()) == []
