"""The errands of set-up, which other programs run: what they print, and in plain words why one failed."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

from prowess.errors import ProwessError, StoreError, WorldError
from prowess.text.terminal import safe

LAST_LINES = 4
MIB = 2**20
_UNREACHED = (
    *("NewConnectionError", "Max retries exceeded", "ConnectionError", "ProxyError", "ConnectTimeout"),
    *("name resolution", "Connection refused", "Network is unreachable", "Retrying (Retry", "Failed to download file"),
)
_FULL = ("No space left on device", "Errno 28", "Disk quota exceeded")


def told(*command: str | Path, what: str, seconds: float, hint: str = "", **env: str) -> str:
    """Run a program and return what it printed; when it fails, say so with its last words and what they mean."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            env={**kept, **env},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise WorldError(f"{what} took more than {seconds:g} seconds", hint=hint) from None
    if done.returncode:
        raise _failure(done.stdout, done.returncode, what, hint)
    return done.stdout


def _failure(printed: str, code: int, what: str, hint: str) -> ProwessError:
    lines = [line.rstrip() for line in safe(printed).splitlines() if line.strip()]
    last = "".join(f"\n    {line[:200]}" for line in lines[-LAST_LINES:])
    if any(word in printed for word in _FULL):
        return StoreError(f"{what} failed, the disk is full{last}", hint="free some space and run it again")
    if any(word in printed for word in _UNREACHED):
        again = "run it again when there is a connection"
        return WorldError(f"{what} failed, the network was not reached{last}", hint=hint or again)
    return WorldError(f"{what} failed with status {code}{last}", hint=hint)


def want_room(folder: Path, size: int, what: str) -> None:
    """Say it at once when a disk has no room."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise StoreError(
            f"{what} needs about {size / MIB:.0f} MB and {folder} has {free / MIB:.0f} MB free, the disk is full",
            hint="free some space, or name a folder on another disk: --home DIR",
        )


def disk_error(problem: OSError, folder: Path) -> StoreError:
    """A failure of the disk in plain words."""
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError(f"the disk of {folder} is full", hint="free some space and run it again")
    return StoreError(
        f"{problem.filename or folder} cannot be written: {problem.strerror or problem}",
        hint="--home DIR or PROWESS_APPWORLD names another folder",
    )
