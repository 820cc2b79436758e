"""What the sandbox held of what it promises, in each of the four configurations: run as root.

python tests/sandbox/promises.py --seconds 60        tries everything and prints the table of docs/sandbox.md
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from attacks import ATTACKS, trials
from configurations import open_to_all, run_by_nobody
from generated import hunt

HEAD = ("root, namespaces", "root", "user, namespaces", "user")
FILES = ("attacks.py", "attacks.txt", "generated.py", "ledger.py", "processes.py")
CHANCE = "made by chance"


def cells(wrong: Mapping[str, list[str]], found: Mapping[str, Any]) -> dict[str, str]:
    """For each group of programs how many were contained."""
    groups = dict.fromkeys(attack.group for attack in ATTACKS)
    held = {}
    for group in groups:
        names = [attack.name for attack in ATTACKS if attack.group == group]
        held[group] = f"{sum(not wrong[name] for name in names)} of {len(names)}"
    lost = len(found["wrong"])
    return {**held, CHANCE: f"{found['programs'] - lost} of {found['programs']}"}


def told(wrong: dict[str, list[str]]) -> dict[str, list[str]]:
    """The same, said where somebody reads it."""
    for name, what in wrong.items():
        if what:
            print(name, *what, sep="\n    ", file=sys.stderr)
    return wrong


def table(columns: list[dict[str, str]]) -> str:
    rows = [("hostile programs", *HEAD), ("---", *["---"] * len(HEAD))]
    rows += [(group, *(column[group] for column in columns)) for group in columns[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="try every hostile program in the four configurations")
    parser.add_argument("--seconds", type=float, default=60, help="for programs made by chance, in each configuration")
    seconds = parser.parse_args().seconds
    columns = []
    for namespaces in (True, False):
        found = asdict(hunt(seconds=seconds, seed=1, namespaces=namespaces))
        columns.append(cells(told(trials(namespaces=namespaces, workers=2)), found))
    with open_to_all(FILES) as folder:
        for way in ("namespaces", "plain"):
            plain = ["--plain"] if way == "plain" else []
            asked = ["--seconds", str(seconds), "--seed", "2", *plain]
            found = json.loads(run_by_nobody(folder, "generated.py", *asked, seconds=seconds * 4 + 200))
            columns.append(cells(told(json.loads(run_by_nobody(folder, "attacks.py", way))["wrong"]), found))
    print(table(columns))


if __name__ == "__main__":
    main()
