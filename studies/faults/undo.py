"""Change mended lines back, one place at a time, and see the tests fail that guard them.

    python studies/faults/undo.py             all of mends.toml: about an hour on one core, an estimate
    python studies/faults/undo.py F3 filter   those whose name begins so

It works in a copy of HEAD in a temporary folder. The exit status is 1 if a test passes without its mend, or if a line
is not there any more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """One mended place."""

    name: str
    """Of which finding it is, and what of it."""
    file: str
    mended: str
    """What stands in the file now."""
    before: str
    """What brings the fault back."""
    tests: tuple[str, ...]
    """Tests of which one must fail then."""


def mends() -> list[Mend]:
    """All of them, as mends.toml has them."""
    table = tomllib.loads((HERE / "mends.toml").read_text())
    return [Mend(**{**one, "tests": tuple(one["tests"])}) for one in table["mend"]]


def failed(copy: Path, mend: Mend) -> str:
    """The test that fails without a mend; nothing if all pass."""
    place = copy / mend.file
    mended = place.read_text()
    place.write_text(mended.replace(mend.mended, mend.before, 1))
    paths = [copy, *(copy / "worlds" / name for name in ("desk", "practice", "appworld"))]
    try:
        for test in mend.tests:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "--no-header", test],
                cwd=copy,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            if done.returncode == 1:
                lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
                return lines[0].partition(" ")[2].partition(" - ")[0] if lines else test
    finally:
        place.write_text(mended)
    return ""


def main(wanted: list[str]) -> int:
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(copy)], check=True)
        for mend in mends():
            if wanted and not mend.name.startswith(tuple(wanted)):
                continue
            there = mend.mended in (copy / mend.file).read_text()
            test = failed(copy, mend) if there else ""
            said = f"fails: {test}" if test else "NO TEST FAILS" if there else f"NOT IN {mend.file} ANY MORE"
            print(f"{mend.name}: {said}", flush=True)
            bad += not test
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
