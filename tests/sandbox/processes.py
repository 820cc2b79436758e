"""The processes of a jail, as the kernel tells them."""

from __future__ import annotations

from pathlib import Path

from prowess.sandbox import Sandbox


def zygote_of(jail: Sandbox) -> int:
    return int(jail._zygote._process.pid)  # type: ignore[attr-defined]


def descendants(pid: int) -> list[int]:
    """All below a process; one that ends while they are counted has none."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [found for child in children for found in (int(child), *descendants(int(child)))]
