"""What learning needs: torch, and a GPU that it sees."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from prowess.doctor.finding import Finding
from prowess.doctor.packages import version_of


def torch_and_gpu(*, needed: bool = False) -> Iterator[Finding]:
    torch = version_of("torch")
    yield Finding(
        area="learning",
        what="torch",
        state="ok" if torch else "missing",
        detail=torch or "not installed: playing and evaluating do without",
        remedy="" if torch or needed else "pip install 'prowess[learn]'",  # needed, the extra's line says it
        needed=needed,
    )
    gpus = printed("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader", seconds=20).splitlines()
    if not gpus:
        detail = "none found: small models learn on the CPU"
        yield Finding(area="learning", what="GPU", state="missing", detail=detail)
        return
    # Importing torch takes seconds and may fail in its own ways, so it is asked in a process of its own.
    code = "import torch; print(torch.cuda.device_count())"
    seen = printed(sys.executable, "-c", code, seconds=120).strip() if torch else ""
    usable = seen.isdigit() and int(seen) > 0
    yield Finding(
        area="learning",
        what="GPU",
        state="ok" if usable else "limited",
        detail="; ".join(gpus) + ("" if usable else " (torch does not see it)" if torch else " (needs torch)"),
        remedy=""
        if usable or not torch
        else "install the build of torch for this machine's driver: https://pytorch.org",
    )


def printed(*command: str, seconds: float) -> str:
    """What a command prints; nothing when it is not there, fails or takes too long."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout
