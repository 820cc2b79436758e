"""`python -m <package>.selftest`: every recorded call of every skill, against recorded answers."""

from __future__ import annotations

import sys

from .package import code_of, index
from .replay import failures


def found() -> list[str]:
    """What is wrong, a line for each; executes the skills' code."""
    return [f"{name}: {text}" for name in index() for text in failures(code_of(name)[0], index()[name]["trials"])]


def main() -> int:
    wrong = found()
    for text in wrong:
        print(f"FAILED {text}", file=sys.stderr)
    tried = sum(bool(trial["call"]) for known in index().values() for trial in known["trials"])
    skills = f"{len(index())} skill{'' if len(index()) == 1 else 's'}"
    print(f"{skills}, {tried - len(wrong)} of {tried} recorded calls passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
