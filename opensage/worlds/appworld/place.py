"""Where AppWorld is on this machine: its own virtual environment, and the root of its data and outputs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from opensage.errors import WorldError

VERSION = "0.1.3.post1"
"""The release of the package that this was written and tested with."""
SETUP = "opensage appworld setup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The two folders that AppWorld needs."""

    python: Path
    """The interpreter of the environment AppWorld is installed in."""
    root: Path
    """What AppWorld calls APPWORLD_ROOT: holds `data`, and `experiments` once something was saved."""

    @property
    def data(self) -> Path:
        return self.root / "data"

    def check(self) -> None:
        """Say what is missing, and what to do about it."""
        if not self.python.is_file():
            raise WorldError(f"AppWorld is not installed: there is no {self.python}", hint=SETUP)
        if not (self.data / "datasets").is_dir() or not (self.data / "base_dbs").is_dir():
            raise WorldError(f"AppWorld's data is not at {self.data}", hint=SETUP)


def home() -> Path:
    """The folder of `opensage appworld setup`: OPENSAGE_APPWORLD, or one in the user's cache."""
    if given := os.environ.get("OPENSAGE_APPWORLD"):
        return Path(given).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser().absolute() / "opensage" / "appworld"


def place_in(folder: Path) -> Place:
    """The place that set-up makes in a folder."""
    return Place(python=folder / "venv" / "bin" / "python", root=folder / "root")
