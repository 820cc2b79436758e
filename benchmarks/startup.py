"""What it costs until a command begins its work: CPU seconds and imported modules.

    python benchmarks/startup.py
    python benchmarks/startup.py --beside ../other-checkout            # and the ratio to that, in the same run
    python benchmarks/startup.py --beside ../old --package oldname     # where the package had another name

The two checkouts take turns, with the same interpreter and its packages, so a machine that is busy is busy for both.
The figure is the median of the rounds. The first round of each only fills caches.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
WHAT = {
    "import prowess": ("-c", "import {package}"),
    "prowess --help": ("-m", "{package}", "--help"),
    "prowess recipe sage": ("-m", "{package}", "recipe", "sage"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="compare with another checkout")
    parser.add_argument("--package", default="prowess", help="the package's name there")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is run")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    checkouts = {"here": (ROOT, "prowess")}
    if options.beside:
        checkouts["beside"] = (options.beside.resolve(), options.package)
    figures = {what: measured(arguments, checkouts, options.rounds) for what, arguments in WHAT.items()}
    table = Table(title="what a start costs")
    for column in ("what", "where", "CPU s", "modules", "CPU, here / there"):
        table.add_column(column, justify="left" if column in ("what", "where") else "right")
    for what, rows in figures.items():
        for where, row in rows.items():
            ratio = f"{rows['here']['seconds'] / row['seconds']:.2f}" if where != "here" else ""
            table.add_row(what, where, f"{row['seconds']:.2f}", str(row["modules"]), ratio)
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def measured(
    arguments: tuple[str, ...], checkouts: dict[str, tuple[Path, str]], rounds: int
) -> dict[str, dict[str, float]]:
    """The median CPU seconds of each checkout, and the modules that are imported there."""
    commands = {
        where: ([sys.executable, *(one.format(package=package) for one in arguments)], environment(root))
        for where, (root, package) in checkouts.items()
    }
    seconds: dict[str, list[float]] = {where: [] for where in commands}
    for number in range(rounds + 1):
        for where, (command, env) in commands.items():
            spent = cpu(command, env)
            if number:
                seconds[where].append(spent)
    return {
        where: {"seconds": statistics.median(seconds[where]), "modules": modules(command, env)}
        for where, (command, env) in commands.items()
    }


def cpu(command: list[str], env: dict[str, str]) -> float:
    """The CPU seconds of a command, its children included."""
    before = os.times()
    subprocess.run(command, env=env, cwd=env["PWD"], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def modules(command: list[str], env: dict[str, str]) -> int:
    """How many modules a command imports."""
    program, *rest = command
    done = subprocess.run(
        [program, "-X", "importtime", *rest], env=env, cwd=env["PWD"], capture_output=True, text=True, check=True
    )
    return sum(line.startswith("import time:") and "imported package" not in line for line in done.stderr.splitlines())


def environment(root: Path) -> dict[str, str]:
    """Imports from a checkout, whatever is installed besides."""
    folders = [root, *sorted(root.glob("worlds/*"))]
    return {**os.environ, "PWD": str(root), "PYTHONPATH": os.pathsep.join(map(str, folders))}


if __name__ == "__main__":
    main()
