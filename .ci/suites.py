"""Which suites a check runs: `make test` first, then those that a change concerns, then as many others as fit.

    python3 .ci/suites.py            # what .ci/run calls
    python3 .ci/suites.py --plan     # only print what would run

A suite is concerned if its code, its pins or its tests changed in the last day of history. The others take turns by
date. The whole check ends within an hour: the rest is left out, and said.
"""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINUTES = 55.0
"""Of the hour, what installing leaves."""
MARGIN = 1.3
"""A suite is begun only if this many times its usual minutes are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    name: str
    """Its target is `make NAME`."""
    minutes: float
    """What it usually takes on two cores, its environment included."""
    paths: tuple[str, ...]
    """How the names of files begin that it tests or is made of."""


FIRST = Suite(name="test", minutes=6, paths=("",))
SHARED = ("pyproject.toml", "locks/", "Makefile", "conftest.py")
OTHERS = (
    Suite(name="test-slow", minutes=9, paths=("prowess/", "tests/", "recipes/", "worlds/desk/", *SHARED)),
    Suite(
        name="test-worlds", minutes=9, paths=("prowess/sandbox/", "prowess/worlds/", "worlds/desk/", "worlds/practice/")
    ),
    Suite(name="test-packaging", minutes=5, paths=("pyproject.toml", "locks/", "examples/", "tests/packaging/")),
    Suite(
        name="test-appworld",
        minutes=12,
        paths=("worlds/appworld/", "prowess/worlds/", "prowess/sandbox/", "prowess/play/"),
    ),
    Suite(
        name="test-vllm",
        minutes=12,
        paths=("tests/vllm/", "prowess/policies/", "prowess/learners/", "prowess/models/", "locks/"),
    ),
    Suite(
        name="chaos",
        minutes=6,
        paths=(
            "tests/chaos/",
            "prowess/run/",
            "prowess/files/",
            "prowess/commands/",
            "prowess/store/",
            "prowess/learners/",
        ),
    ),
)


def concerned(changed: Iterable[str], suites: Sequence[Suite] = OTHERS) -> list[Suite]:
    """The suites that some changed files belong to.

    >>> [suite.name for suite in concerned(["worlds/practice/prowess_practice/__init__.py", "README.md"])]
    ['test-worlds']
    """
    names = tuple(changed)
    return [suite for suite in suites if any(name.startswith(suite.paths) for name in names)]


def in_turn(suites: Sequence[Suite], day: int) -> list[Suite]:
    """Another one first each day, so that each comes to be run.

    >>> [suite.name for suite in in_turn(OTHERS[:3], day=7)]
    ['test-worlds', 'test-packaging', 'test-slow']
    """
    if not suites:
        return []
    first = day % len(suites)
    return [*suites[first:], *suites[:first]]


def order(changed: Iterable[str], day: int, suites: Sequence[Suite] = OTHERS) -> list[Suite]:
    """The suites that the change concerns, then the others; each part in turn by date."""
    first = concerned(changed, suites)
    return [*in_turn(first, day), *in_turn([suite for suite in suites if suite not in first], day)]


def changed_files(root: Path = ROOT) -> list[str]:
    """Files that the commits of the day before the last commit touched, the last commit's included."""
    last = int(_git(root, "log", "-1", "--format=%ct"))
    since = f"--since={last - 24 * 3600}"
    return sorted({line for line in _git(root, "log", since, "--format=", "--name-only").splitlines() if line})


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a suite ended."""

    suite: Suite
    minutes: float
    passed: bool


def check(
    suites: Sequence[Suite],
    run: Callable[[Suite, float], bool],
    *,
    minutes: float = MINUTES,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Ended], list[Suite]]:
    """Run FIRST, then each suite for which time is left; what ended, and what was left out.

    `run` gets a suite and the minutes it may take. On a machine that is slower than usual, all suites are expected to
    take longer by as much as the first one did. If the first one fails, nothing else is run.
    """
    began = clock()

    def timed(suite: Suite) -> Ended:
        at = clock()
        passed = run(suite, minutes - (at - began) / 60)
        return Ended(suite=suite, minutes=(clock() - at) / 60, passed=passed)

    ended = [timed(FIRST)]
    if not ended[0].passed:
        return ended, list(suites)
    pace = max(1.0, ended[0].minutes / FIRST.minutes)
    left_out = []
    for suite in suites:
        if (clock() - began) / 60 + suite.minutes * pace * MARGIN > minutes:
            left_out.append(suite)
        else:
            ended.append(timed(suite))
    return ended, left_out


def make(suite: Suite, minutes: float) -> bool:
    """Run the suite's target; False if it fails or takes more minutes than are left."""
    print(f"\n== make {suite.name}", flush=True)
    with subprocess.Popen(["make", suite.name], cwd=ROOT, start_new_session=True) as process:
        try:
            return process.wait(timeout=minutes * 60) == 0
        except subprocess.TimeoutExpired:
            print(f"error: make {suite.name} did not end within the {minutes:.0f} minutes that were left", flush=True)
            return False
        finally:  # Ctrl-C is for it, too; and what it began must not outlive it
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGTERM)


def table(ended: Sequence[Ended], left_out: Sequence[Suite]) -> str:
    """What ran, how long it took, and what did not run."""
    lines = [f"{end.suite.name:16}{end.minutes:6.1f} min  {'passed' if end.passed else 'FAILED'}" for end in ended]
    return "\n".join(
        [*lines, *(f"{suite.name:16}{'':10}  left out: usually {suite.minutes:g} min" for suite in left_out)]
    )


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", action="store_true", help="print the order of suites and end")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long the check may take (60)")
    given = parser.parse_args(words)
    suites = order(changed_files(), datetime.datetime.now(tz=datetime.UTC).toordinal())
    if given.plan:
        print("\n".join(suite.name for suite in [FIRST, *suites]))
        return 0
    ended, left_out = check(suites, make, minutes=given.minutes)
    print(f"\n{table(ended, left_out)}", flush=True)
    return 0 if all(end.passed for end in ended) else 1


if __name__ == "__main__":
    sys.exit(main())
