"""How fast is the sandbox? Against exec in this process, smolagents' executor and IPython's shell, in one run.

    python benchmarks/sandbox.py [--seconds 2] [--json FILE]

Measured for each: starting an interpreter and running its first, empty step; a trivial step; and `step3`, a step as
agents write them: three API calls answered by the host, 20 JSON records, a sort, f-strings, a print. CPU time counts
the host and, for the jail and monty, their processes too. All must print the same text, or the run fails.
Only the jail and monty contain what they run; the others are here as yardsticks.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox

STEP1 = "x = 1"
STEP3 = """\
rows = []
for page in range(3):
    rows += apis.music.list_songs(page_index=page, page_limit=7)
best = sorted(rows, key=lambda row: (-row["plays"], row["title"]))[:5]
lines = [f"{row['title']}: {row['plays']} plays, {', '.join(row['artists'])}" for row in best]
print("\\n".join(lines))
"""
SONGS = [
    {"song_id": n, "title": f"Song {n}", "plays": n * 7919 % 101, "artists": [f"Artist {n % 3}", "Band"], "rating": 4.5}
    for n in range(20)
]

Run = Callable[[str], str]
"""Executes a block in an interpreter and returns what it printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What was measured of one contender, in milliseconds unless said otherwise."""

    name: str
    contained: bool
    start: float
    step1: float
    step3: float
    steps_per_second: float
    """Of step3, one after the other."""
    cpu: float
    """CPU time of a step3, host and interpreter together."""


def world(app: str, api: str, arguments: Mapping[str, Any]) -> Any:
    """The host's side: one page of songs."""
    begin = arguments["page_index"] * arguments["page_limit"]
    return SONGS[begin : begin + arguments["page_limit"]]


class Music:
    """The same API for contenders that run in this process."""

    def list_songs(self, page_index: int, page_limit: int) -> Any:
        return world("music", "list_songs", {"page_index": page_index, "page_limit": page_limit})


class Apis:
    music = Music()


def in_sandbox(sandbox: Sandbox) -> Iterator[Run]:
    while True:
        interpreter = sandbox.open(seed=0)
        yield lambda code, interpreter=interpreter: interpreter.run(code, world).text  # type: ignore[misc]
        interpreter.close()


def in_exec() -> Iterator[Run]:
    while True:
        names: dict[str, Any] = {"apis": Apis()}

        def run(code: str, names: dict[str, Any] = names) -> str:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "<step>", "exec"), names)  # noqa: S102 - the yardstick
            return printed.getvalue()

        yield run


def in_smolagents() -> Iterator[Run]:
    from smolagents.local_python_executor import LocalPythonExecutor

    while True:
        executor = LocalPythonExecutor(additional_authorized_imports=[])
        executor.send_tools({})
        executor.send_variables({"apis": Apis()})
        yield lambda code, executor=executor: str(executor(code).logs)  # type: ignore[misc]


def in_ipython() -> Iterator[Run]:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    while True:
        shell = InteractiveShell()
        shell.history_manager.enabled = False  # type: ignore[union-attr]
        shell.push({"apis": Apis()})

        def run(code: str, shell: Any = shell) -> str:
            with capture_output() as printed:
                shell.run_cell(code, store_history=False).raise_error()
            return str(printed.stdout)

        yield run


def measure(
    name: str, opened: Iterator[Run], *, contained: bool, seconds: float, first: Callable[[], float]
) -> Figures:
    """Time one contender; `first` gives the CPU seconds of its other processes."""
    expected = next(in_exec())(STEP3)
    starts: list[float] = []
    until = time.perf_counter() + seconds / 2
    while time.perf_counter() < until or len(starts) < 5:
        time.sleep(0.01)  # episodes do not begin back to back: what is kept warm has time to be replaced
        began = time.perf_counter()
        run = next(opened)
        run(STEP1)
        starts.append(time.perf_counter() - began)
    if run(STEP3) != expected:
        raise SystemExit(f"{name} printed something else:\n{run(STEP3)}")
    step1, _ = repeat(run, STEP1, seconds=seconds / 2, others=first)
    step3, cpu = repeat(run, STEP3, seconds=seconds, others=first)
    return Figures(
        name=name,
        contained=contained,
        start=statistics.median(starts) * 1000,
        step1=statistics.median(step1) * 1000,
        step3=statistics.median(step3) * 1000,
        steps_per_second=len(step3) / sum(step3),
        cpu=cpu / len(step3) * 1000,
    )


def repeat(run: Run, code: str, *, seconds: float, others: Callable[[], float]) -> tuple[list[float], float]:
    """Wall time of each repetition, and the CPU seconds of all."""
    times: list[float] = []
    cpu = time.process_time() + others()
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        run(code)
        times.append(time.perf_counter() - began)
    return times, time.process_time() + others() - cpu


def cpu_of_children() -> float:
    """CPU seconds of every process below this one, threads included."""
    return sum(
        int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0]) / 1e9
        for pid in descendants(os.getpid())
        for task in tasks(pid)
    )


def tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def descendants(pid: int) -> Iterator[int]:
    for task in tasks(pid):
        for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def table(figures: list[Figures]) -> Table:
    """One row per contender, each number with its ratio to the jail's."""
    jail = figures[0]
    shown = Table(title="an interpreter for model-written code, median; x = times the jail's")
    shown.add_column("")
    shown.add_column("contains")
    for heading in ("start ms", "step1 ms", "step3 ms", "step3 per s", "CPU ms per step3"):
        shown.add_column(heading, justify="right")
    for one in figures:
        cells = [
            f"{mine:,.2f}  x{mine / base:<5.3g}"
            for mine, base in (
                (one.start, jail.start),
                (one.step1, jail.step1),
                (one.step3, jail.step3),
                (one.steps_per_second, jail.steps_per_second),
                (one.cpu, jail.cpu),
            )
        ]
        shown.add_row(one.name, "yes" if one.contained else "no", *cells)
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to repeat each measurement")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    seconds = options.seconds
    figures: list[Figures] = []
    with contextlib.ExitStack() as stack:

        def sandbox(name: str, **settings: Any) -> None:
            opened = open_sandbox(SandboxSettings(api_calls_step=10**9, api_calls_total=10**9, **settings))
            stack.callback(opened.close)
            runs = in_sandbox(opened)
            figures.append(measure(name, runs, contained=True, seconds=seconds, first=cpu_of_children))

        sandbox("jail", kind="jail")
        sandbox("jail, nothing kept warm", kind="jail", warm=0)
        with contextlib.suppress(ImportError), contextlib.redirect_stderr(io.StringIO()):
            import pydantic_monty  # noqa: F401

            sandbox("monty (reduced Python)", kind="monty")
        for name, runs in (
            ("exec in this process", in_exec()),
            ("smolagents", in_smolagents()),
            ("IPython", in_ipython()),
        ):
            try:
                figures.append(measure(name, runs, contained=False, seconds=seconds, first=lambda: 0.0))
            except ImportError as missing:
                print(f"{name} left out: {missing} (pip install 'prowess[bench]')", file=sys.stderr)
    Console(width=150).print(table(figures))
    if options.json:
        about = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
        options.json.write_text(json.dumps({**about, "figures": [asdict(one) for one in figures]}, indent=1))


if __name__ == "__main__":
    main()
