"""How fast is AppWorld through our adapter? Against its own shell, on the same replayed episodes, in one run.

    prowess appworld setup && python benchmarks/appworld.py [--tasks 12] [--rounds 3] [--calls 3] [--json FILE]

An episode opens a task, plays the calls of its reference (three to a cell, as an agent would write) and closes it.
Both play with as many processes as there are cores and both are warm before the clock starts: AppWorld's shell in a
process each, one world after the other; ours with one pool and a thread each, the code in the jail. All texts must be
the same, or the run fails. Rounds take turns, so that a busy moment hits both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from prowess_appworld import shell
from prowess_appworld.place import Installation
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite
from rich.console import Console
from rich.table import Table

from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.types import Task

Said = list[list[str]]


class Shell:
    """A process with AppWorld's own shell."""

    def __init__(self, place: Installation) -> None:
        self._process = subprocess.Popen(
            [str(place.python), str(shell.__file__)],
            env={**os.environ, "APPWORLD_ROOT": str(place.root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._read()

    def ask(self, **asked: Any) -> Said:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        found: Said = self._read()
        return found

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    @property
    def cpu(self) -> float:
        """Seconds of CPU so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tasks", type=int, default=12, help="tasks of train, taken from all over it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=3, help="calls in a cell")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    place = AppWorldSettings().place
    place.check()
    with _shells(place, given.cores) as shells, _suite() as suite:
        tasks = suite.tasks("train")
        tasks = [tasks[at * len(tasks) // given.tasks] for at in range(given.tasks)]
        cells = {
            task.id: [code for code, _ in shells[0].ask(task=task.id, calls=given.calls, dry=True)] for task in tasks
        }
        for each in shells:
            each.ask(task=tasks[0].id, cells=["x = 1"])
        _through(suite, tasks[0], ["x = 1"])
        theirs, ours = [], []
        for _ in range(given.rounds):
            theirs.append(_timed(lambda: _in_shells(shells, tasks, cells)))
            ours.append(_timed(lambda: _in_suite(suite, tasks, cells, given.cores)))
            if theirs[-1][1] != ours[-1][1]:
                sys.exit("the texts differ: nothing was measured")
        opening = _opening(suite, tasks)
        shell_cpu = sum(each.cpu for each in shells)
    figures = _figures(theirs, ours, episodes=len(tasks), steps=sum(map(len, cells.values())))
    figures |= {"ours, opening, ms": opening * 1000, "AppWorld, CPU of all, s": shell_cpu}
    _show(figures, given)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")


@contextmanager
def _shells(place: Installation, number: int) -> Iterator[list[Shell]]:
    shells = [Shell(place) for _ in range(number)]
    try:
        yield shells
    finally:
        for each in shells:
            each.close()


@contextmanager
def _suite() -> Iterator[AppWorldSuite]:
    with (
        closing(open_sandbox(SandboxSettings(kind="jail"))) as sandbox,
        closing(AppWorldSuite(AppWorldSettings(), sandbox)) as suite,
    ):
        yield suite


def _in_shells(shells: list[Shell], tasks: list[Task], cells: dict[str, list[str]]) -> list[Said]:
    free = [*shells]

    def one(task: Task) -> Said:
        shell = free.pop()
        try:
            return shell.ask(task=task.id, cells=cells[task.id])
        finally:
            free.append(shell)

    with ThreadPoolExecutor(len(shells)) as threads:
        return list(threads.map(one, tasks))


def _in_suite(suite: AppWorldSuite, tasks: list[Task], cells: dict[str, list[str]], cores: int) -> list[Said]:
    with ThreadPoolExecutor(cores) as threads:
        return list(threads.map(lambda task: _through(suite, task, cells[task.id]), tasks))


def _through(suite: AppWorldSuite, task: Task, cells: list[str]) -> Said:
    with closing(suite.open(task)) as world:
        return [[code, world.execute(code).text] for code in cells]


def _opening(suite: AppWorldSuite, tasks: list[Task]) -> float:
    times = []
    for task in tasks:
        began = time.perf_counter()
        world = suite.open(task)
        times.append(time.perf_counter() - began)
        world.close()
        time.sleep(0.05)  # as between episodes: the next process is forked meanwhile
    return statistics.median(times)


def _timed(work: Any) -> tuple[float, list[Said]]:
    began = time.perf_counter()
    said = work()
    return time.perf_counter() - began, said


def _figures(theirs: Any, ours: Any, *, episodes: int, steps: int) -> dict[str, float]:
    ratios = [their / our for (their, _), (our, _) in zip(theirs, ours, strict=True)]
    their, our = (statistics.median(seconds for seconds, _ in rounds) for rounds in (theirs, ours))
    return {
        "episodes": episodes,
        "steps": steps,
        "AppWorld, episodes/s": episodes / their,
        "ours, episodes/s": episodes / our,
        "AppWorld, steps/s": steps / their,
        "ours, steps/s": steps / our,
        "times as fast": statistics.median(ratios),
        "least": min(ratios),
        "greatest": max(ratios),
    }


def _show(figures: dict[str, float], given: argparse.Namespace) -> None:
    table = Table("", "AppWorld's shell", "through prowess")
    for name in ("episodes/s", "steps/s"):
        table.add_row(name, f"{figures[f'AppWorld, {name}']:.2f}", f"{figures[f'ours, {name}']:.2f}")
    console = Console()
    console.print(table)
    console.print(
        f"{figures['times as fast']:.2f} times as fast ({figures['least']:.2f} to {figures['greatest']:.2f} in "
        f"{given.rounds} rounds); opening a task {figures['ours, opening, ms']:.0f} ms in the median; "
        f"{figures['episodes']:.0f} episodes, {figures['steps']:.0f} steps of {given.calls} calls; "
        f"{given.cores} cores, {platform.machine()}, Python {platform.python_version()}, "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB in this process"
    )


if __name__ == "__main__":
    main()
