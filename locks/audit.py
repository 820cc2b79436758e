"""Ask the advisory database OSV about every version in the locks: `make audit`, which needs a network.

It ends with 0 if no advisory is known, 1 if there are some, and 2 if the database did not answer for each package.
pip-audit asks; it also ends with 0 where it could ask about nothing, so what it left out is counted here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from make_locks import LOCKS, ROOT, Lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the database said of some versions."""

    clean: int
    advisories: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


def versions(lock: Lock) -> dict[str, str]:
    """The version of each package in a lock's file; a build of torch counts as its release."""
    lines = (ROOT / lock.path).read_text(encoding="utf-8").splitlines()
    named = [line.split()[0].partition("==") for line in lines if "==" in line and not line.startswith("#")]
    return {name: version.partition("+")[0] for name, _, version in named}


def answer_of(report: Mapping[str, Any]) -> Answer:
    """
    >>> known = [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]
    >>> answer_of({"dependencies": [{"name": "six", "version": "1.0", "vulns": known}]})
    Answer(clean=0, advisories=('six 1.0: PYSEC-1, mended in 1.1',), unasked=())
    """
    asked = [one for one in report["dependencies"] if "skip_reason" not in one]
    return Answer(
        clean=len([one for one in asked if not one["vulns"]]),
        advisories=tuple(
            f"{one['name']} {one['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'none'}"
            for one in asked
            for found in one["vulns"]
        ),
        unasked=tuple(one["name"] for one in report["dependencies"] if "skip_reason" in one),
    )


def ask(found: Mapping[str, str], *words: str) -> Answer:
    """Have pip-audit ask about some versions; `words` are options of it."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("".join(f"{name}=={version}\n" for name, version in found.items()))
        file.flush()
        command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json"]
        command += ["--progress-spinner", "off", "--vulnerability-service", "osv", *words, "--requirement", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return answer_of(json.loads(done.stdout))
    except ValueError:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise SystemExit(
            f"error: the advisory database was not reached, so nothing is known ({said[:200]})\n"
            "hint: make audit needs a network that reaches api.osv.dev"
        ) from None


def main(*words: str) -> int:
    worst = 0
    for pins in dict.fromkeys(lock.pins for lock in LOCKS):
        found = {name: at for lock in LOCKS if lock.pins == pins for name, at in versions(lock).items()}
        answer = ask(found, *words)
        print(f"{pins}: {answer.clean} of {len(found)} packages without an advisory")
        for line in answer.advisories:
            print(f"  {line}")
        if answer.unasked:
            print(f"error: the database did not answer for {', '.join(answer.unasked)}", file=sys.stderr)
        worst = max(worst, 2 if answer.unasked else 1 if answer.advisories else 0)
    return worst


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            sys.exit(2)
        raise
