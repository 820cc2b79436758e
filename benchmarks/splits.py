"""What it costs to draw the tasks of a desk split: as far as an evaluation plays them, and the whole split.

    python benchmarks/splits.py                                    # the quickstart's: 128 of 384 scenarios
    python benchmarks/splits.py --part all --scenarios 4 --first 30
    python benchmarks/splits.py --beside ../other-checkout         # and the ratio to that, in the same run

Tasks are drawn as somebody looks at them, and most of the cost are their universes: fifty people and all that their
apps hold. Each measurement is a process of its own, and counts its processor seconds from the first task on, without
the imports. They take turns, so that a machine that is busy is busy for all; the figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from origin import origin
from rich.console import Console
from rich.table import Table
from startup import environment

ROOT = Path(__file__).resolve().parent.parent
DRAWING = """
import sys, time
from prowess.play.rollout import chains_of
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings
part, scenarios, seed, split, first = sys.argv[1:]
suite = DeskSuite(DeskSettings(part=part, scenarios=int(scenarios), seed=int(seed)), None)
began = time.process_time()
chains = chains_of(suite, split, first=int(first))
print(time.process_time() - began, len(chains))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What it costs to draw so many scenarios of a split."""

    split: str
    scenarios: int
    where: str
    cpu: float
    """Processor seconds."""
    of_whole: float
    """Their share of what the whole split costs."""
    of_beside: float | None
    """The ratio to what the same costs in the other checkout."""


def drawn(checkout: Path, *words: str) -> tuple[float, int]:
    """Processor seconds to draw the first scenarios of a split, 0 for all, and how many there are."""
    told = subprocess.run(
        [sys.executable, "-c", DRAWING, *words],
        env=environment(checkout),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout.split()
    return float(told[0]), int(told[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", default="starter", help="the part of desk: starter or all")
    parser.add_argument("--scenarios", default="48", help="scenarios of each family")
    parser.add_argument("--first", default="128", help="scenarios that are played")
    parser.add_argument("--splits", default="train,dev", help="the splits to draw")
    parser.add_argument("--seed", default="0", help="the seed of the split")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="compare with another checkout")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is drawn")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    checkouts = {"here": ROOT} | ({"beside": given.beside.resolve()} if given.beside else {})
    places = [
        (split, first, where)
        for split in given.splits.split(",")
        for first in (given.first, "0")
        for where in checkouts
    ]
    seconds: dict[tuple[str, str, str], list[float]] = {place: [] for place in places}
    counts: dict[tuple[str, str, str], int] = {}
    for _ in range(given.rounds):
        for place in places:
            split, first, where = place
            took, counts[place] = drawn(checkouts[where], given.part, given.scenarios, given.seed, split, first)
            seconds[place].append(took)
    cpu = {place: statistics.median(some) for place, some in seconds.items()}
    rows = [
        Row(
            split=split,
            scenarios=counts[split, first, where],
            where=where,
            cpu=cpu[split, first, where],
            of_whole=cpu[split, first, where] / cpu[split, "0", where],
            of_beside=cpu[split, first, "here"] / cpu[split, first, where] if where != "here" else None,
        )
        for split, first, where in places
    ]
    table = Table(title=f"drawing splits of desk, part {given.part}")
    for column in ("split", "scenarios", "where", "CPU s", "of the whole split", "CPU, here / there"):
        table.add_column(column, justify="left" if column in ("split", "where") else "right")
    for row in rows:
        ratio = f"{row.of_beside:.2f}" if row.of_beside is not None else ""
        table.add_row(row.split, str(row.scenarios), row.where, f"{row.cpu:.2f}", f"{row.of_whole:.2f}", ratio)
    Console().print(table)
    if given.json:
        about = origin(int(given.seed)) | {"rows": [asdict(row) for row in rows]}
        given.json.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
