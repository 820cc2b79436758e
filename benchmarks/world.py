"""How much a desk world costs: opening one, its memory, and an API call on the host.

    python benchmarks/world.py

Opening is measured as episodes open it: the case is worked out (cold: drawn and solved; warm: remembered), the state
forked and an interpreter taken from the sandbox; then three short blocks are run. An API call is measured on the host,
arguments checked and login verified, over every read API of every app that needs no argument but a token.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
import tracemalloc
from pathlib import Path

from prowess_desk.engine.api import Session
from prowess_desk.engine.case import case_of
from prowess_desk.engine.desk import APPS, call
from prowess_desk.engine.people import APPS_WITH_LOGIN, password
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings
from rich.console import Console
from rich.table import Table

from prowess.sandbox import SandboxSettings, open_sandbox

ROUNDS = 5
"""Each API is timed in so many rounds, and the median round counts: a round that the machine interrupts does not."""
BLOCKS = (
    "profile = apis.supervisor.show_profile()",
    "print(apis.api_docs.show_app_descriptions())",
    "print([apis.api_docs.show_api_descriptions(app_name=app) for app in ('music', 'wallet', 'phone')])",
)
"""What is played between opening a world and the next, so that worlds are opened at the pace of short episodes."""


def quantiles(times: list[float]) -> dict[str, float]:
    """Median, 99th percentile and worst, in milliseconds."""
    ordered = sorted(times)
    return {
        "p50": statistics.median(ordered) * 1e3,
        "p99": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e3,
        "max": ordered[-1] * 1e3,
    }


def opening(suite: DeskSuite) -> dict[str, dict[str, float]]:
    """Milliseconds to open a world, cold and warm, and to open and close one."""
    tasks = [task for split in suite.splits() for task in suite.tasks(split)]
    for split in suite.splits():
        suite.open(suite.tasks(split)[0]).close()
    found = {}
    for name in ("cold", "warm"):
        times = []
        for task in tasks:  # the cold pass forgets them again, one before each task
            suite.case(task)
        for task in tasks:
            if name == "cold":
                case_of.cache_clear()
            began = time.perf_counter()
            world = suite.open(task)
            times.append(time.perf_counter() - began)
            for block in BLOCKS:
                world.execute(block)
            world.close()
        found[name] = quantiles(times)
    return found


def memory(suite: DeskSuite, count: int = 60) -> float:
    """Megabytes on the host for one more open world (its interpreter's own memory is measured in sandbox.py)."""
    tasks = suite.tasks("dev")
    worlds = [suite.open(task) for task in tasks[:3]]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    worlds += [suite.open(tasks[n % len(tasks)]) for n in range(count)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    for world in worlds:
        world.close()
    return (after - before) / count / 2**20


def calls(suite: DeskSuite, repeats: int = 200) -> dict[str, dict[str, float]]:
    """Milliseconds of an API call on the host, by app: every read that needs only a token."""
    case = suite.case(suite.tasks("dev")[0])
    state = case.start.fork()
    session = Session(supervisor=case.me, instruction="", universe=case.universe, seed=0)
    found: dict[str, dict[str, float]] = {}
    for app in APPS_WITH_LOGIN:
        user = case.me.phone if app == "phone" else case.me.email
        login = {"username": user, "password": password(case.universe, case.me, app)}
        token = call(state, session, app, "login", login)["access_token"]
        means = []
        for name, api in APPS[app].apis.items():
            if not name.startswith(("show_", "list_", "search_")):
                continue
            if any(p.required and p.name != "access_token" for p in api.parameters):
                continue
            arguments = {"access_token": token} if api.login else {}
            rounds = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                for _ in range(repeats // ROUNDS):
                    call(state, session, app, name, arguments)
                rounds.append((time.perf_counter() - began) / (repeats // ROUNDS))
            means.append(statistics.median(rounds))
        found[app] = quantiles(means) | {"apis": float(len(means))}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    sandbox = open_sandbox(SandboxSettings())
    try:
        suite = DeskSuite(DeskSettings(), sandbox)
        began = time.perf_counter()
        count = sum(len(suite.tasks(split)) for split in suite.splits())
        listing = time.perf_counter() - began
        figures = {"calls": calls(suite), "opening": opening(suite), "megabytes": memory(suite)}
    finally:
        sandbox.close()
    table = Table(title=f"desk on {sandbox.name}: {count} tasks, drawn and solved in {listing:.1f} s")
    for column in ("what", "p50 ms", "p99 ms", "worst ms"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, row in figures["opening"].items():
        table.add_row(f"open a world, case {name}", *(f"{row[key]:.2f}" for key in ("p50", "p99", "max")))
    for app, row in figures["calls"].items():
        title = f"{app}: {row['apis']:.0f} reads"
        table.add_row(title, *(f"{row[key]:.4f}" for key in ("p50", "p99", "max")))
    Console().print(table)
    Console().print(f"memory per open world on the host: {figures['megabytes']:.3f} MB")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
