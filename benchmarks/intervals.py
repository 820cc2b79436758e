"""How often intervals hold the truth, where runs differ as a whole and where they do not: with and without what
`prowess.figures.intervals` knows of whole runs, on the same made-up evaluations.

    python benchmarks/intervals.py [--trials 400] [--seed 3]

Scenarios of three tasks differ in how easy they are (a share of 0.6 is solved on average); a run adds its luck to all
of them, at most so much either way: one library for all, a good one or a bad one.
"""

from __future__ import annotations

import argparse
import random
from unittest.mock import patch

from prowess.figures import intervals as estimate
from prowess.figures.intervals import Apart, Cell, Table

TRUTH = 0.6
CASES = ((3, 23, 0.0), (3, 69, 0.0), (2, 69, 0.2), (3, 69, 0.2), (4, 69, 0.2), (3, 69, 0.1))
"""Runs, scenarios, and the most luck of a run."""


def evaluation(chance: random.Random, *, runs: int, scenarios: int, luck: float) -> Table:
    """What so many runs solved of the same scenarios."""
    ease = [chance.betavariate(3, 2) for _ in range(scenarios)]
    table = {}
    for run in range(runs):
        more = chance.uniform(-luck, luck)
        solved = [sum(chance.random() < share + more for _ in range(3)) for share in ease]
        table[run] = {str(number): Cell(n=3, sum=count) for number, count in enumerate(solved)}
    return table


def held(tables: list[Table]) -> tuple[float, float]:
    """How often the interval of the share of tasks holds the truth, and how wide it is on average."""
    found = [estimate.proportion(table) for table in tables]
    hits = sum(one.low <= TRUTH <= one.high for one in found)
    return hits / len(found), sum(one.high - one.low for one in found) / len(found)


GAPS = ((6, 0.0), (6, 0.2), (23, 0.0), (23, 0.2), (96, 0.1))
"""Scenarios that both sides played, and what the second solves more."""


def differences(chance: random.Random, *, scenarios: int, more: float) -> tuple[float, float, float]:
    """One comparison of two sides, a run each: the true difference, and its interval."""
    pairs = {}
    for number in range(scenarios):
        ease = (1 - more) * chance.betavariate(3, 2)
        counts = [sum(chance.random() < share for _ in range(3)) for share in (ease, ease + more)]
        pairs[str(number)] = Cell(n=3, sum=counts[1] - counts[0])
    found = estimate.gap(pairs, Apart(), most=1.0)
    return more, found.low, found.high


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--trials", type=int, default=400)
    ask.add_argument("--seed", type=int, default=3)
    given = ask.parse_args()
    print("runs  scenarios  luck    truth held (width)     by scenarios alone")
    for runs, scenarios, luck in CASES:
        chance = random.Random(given.seed)
        tables = [evaluation(chance, runs=runs, scenarios=scenarios, luck=luck) for _ in range(given.trials)]
        ours, width = held(tables)
        with patch.object(estimate, "together", lambda _: Apart()):
            alone, narrow = held(tables)
        print(f"{runs:4}  {scenarios:9}  {luck:4.1f}    {ours:6.1%} ({width:.3f})        {alone:6.1%} ({narrow:.3f})")
    print("\nscenarios  difference    truth held    zero is outside")
    for scenarios, more in GAPS:
        chance = random.Random(given.seed)
        found = [differences(chance, scenarios=scenarios, more=more) for _ in range(given.trials)]
        held_by = sum(low <= truth <= high for truth, low, high in found) / given.trials
        sure = sum(low > 0 or high < 0 for _, low, high in found) / given.trials
        print(f"{scenarios:9}  {more:10.1f}    {held_by:10.1%}    {sure:15.1%}")


if __name__ == "__main__":
    main()
