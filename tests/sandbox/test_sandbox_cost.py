"""What an interpreter costs: two hundred must fit into an ordinary machine, and a step into two milliseconds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from processes import descendants, zygote_of

from prowess.sandbox import SandboxSettings, open_sandbox

pytestmark = pytest.mark.slow

STEPS = (
    "import json, re, datetime, collections",
    "def best(rows, n=3):\n    return sorted(rows, key=lambda row: -row['plays'])[:n]",
    "rows = apis.music.list(page=0) + apis.music.list(page=1)\nprint(best(rows))",
)


def songs(*_: Any) -> Any:
    return [{"title": f"song {n}", "plays": n * 7919 % 101, "artists": ["a", "b"]} for n in range(20)]


def test_two_hundred_live_interpreters_take_less_than_1500_megabytes() -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail"))
    interpreters = [sandbox.open(seed=n) for n in range(200)]
    for interpreter in interpreters:
        for step in STEPS:
            assert not interpreter.run(step, songs).failed
    zygote = zygote_of(sandbox)
    processes = [zygote, *descendants(zygote)]
    assert len(processes) > 200
    total = sum(_proportional(pid) for pid in processes)
    assert total < 1500, f"{total:.0f} MB"
    assert interpreters[0].run("print(len(rows))", songs).text == "40\n"
    assert interpreters[199].run("print(len(rows))", songs).text == "40\n"
    sandbox.close()


def test_a_step_with_three_api_calls_costs_less_than_two_milliseconds_of_cpu() -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail", warm=0, api_calls_total=10_000))
    interpreter = sandbox.open()
    step = "rows = []\nfor page in range(3): rows += apis.music.list(page=page)\n"
    step += (
        "print('\\n'.join(f'{row[\"title\"]}: {row[\"plays\"]}' for row in sorted(rows, key=lambda row: row['plays'])))"
    )
    for _ in range(20):
        assert not interpreter.run(step, songs).failed
    everyone = descendants(zygote_of(sandbox))
    before = time.process_time() + sum(_cpu_seconds(pid) for pid in everyone)
    for _ in range(200):
        interpreter.run(step, songs)
    used = time.process_time() + sum(_cpu_seconds(pid) for pid in everyone) - before
    sandbox.close()
    assert used / 200 < 0.002, f"{used / 200 * 1000:.2f} ms"


def _cpu_seconds(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _proportional(pid: int) -> float:
    """Megabytes of a process, each shared page divided among those who share it."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no Pss line")
