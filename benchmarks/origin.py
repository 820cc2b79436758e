"""Where figures come from: the commit, the seed, the machine and the day. A file of figures begins with it."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

_CPU = Path("/proc/cpuinfo")


def origin(seed: int) -> dict[str, str | int]:
    """What has to be known to make figures again."""
    git = ("git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude=*")
    lines = _CPU.read_text().splitlines() if _CPU.exists() else []
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    machine = (f"{os.cpu_count()} cores", platform.machine(), model, f"Python {platform.python_version()}")
    return {
        "commit": subprocess.run(git, capture_output=True, text=True).stdout.strip(),
        "seed": seed,
        "machine": ", ".join(part for part in machine if part),
        "day": f"{datetime.now(UTC):%Y-%m-%d}",
    }
