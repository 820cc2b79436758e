"""Where AppWorld is on this machine: its own virtual environment, and the root of its data and outputs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prowess.errors import RecipeError

VERSION = "0.1.3.post1"
"""The release of the package that this was written and tested with."""
SETUP = "prowess appworld setup"
MANIFEST = "prowess.json"
"""What set-up writes into each folder it makes: `{"whole": false}` first, and how it was made when it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The two folders that AppWorld needs."""

    python: Path
    """The interpreter of the environment AppWorld is installed in."""
    root: Path
    """What AppWorld calls APPWORLD_ROOT: holds `data`, and `experiments` once something was saved."""

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def environment(self) -> Path:
        return self.python.parent.parent

    def check(self) -> None:
        """Say what is missing, and what to do about it."""
        if not self.python.is_file():
            raise RecipeError(f"AppWorld is not installed: there is no {self.python}", hint=SETUP)
        if manifest_of(self.environment).get("whole") is False:
            raise RecipeError(f"AppWorld's set-up in {self.environment} was not finished", hint=f"{SETUP} finishes it")
        found = installed_version(self.environment)
        if found and found != VERSION:
            raise RecipeError(
                f"AppWorld {found} is installed in {self.environment}; this works with {VERSION} only", hint=SETUP
            )
        if not (self.data / "datasets").is_dir() or not (self.data / "base_dbs").is_dir():
            raise RecipeError(f"AppWorld's data is not at {self.data}", hint=SETUP)


def home() -> Path:
    """The folder of `prowess appworld setup`: PROWESS_APPWORLD, or one in the user's cache."""
    if given := os.environ.get("PROWESS_APPWORLD"):
        return Path(given).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser().absolute() / "prowess" / "appworld"


def place_in(folder: Path) -> Installation:
    """The place that set-up makes in a folder."""
    return Installation(python=folder / "venv" / "bin" / "python", root=folder / "root")


def installed_version(environment: Path) -> str:
    """The release of AppWorld in a virtual environment, by its files; empty when there is none."""
    package = installed_package(environment)
    for folder in package.parent.glob("appworld-*.dist-info"):
        return folder.name.removeprefix("appworld-").removesuffix(".dist-info")
    return ""


def installed_package(environment: Path) -> Path:
    """Where a virtual environment has, or would have, the package."""
    for folder in environment.glob("lib/python3.*/site-packages"):
        return folder / "appworld"
    return environment / "lib" / "appworld"


def manifest_of(folder: Path) -> dict[str, Any]:
    """What set-up wrote about a folder it made; empty for one that it did not make."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        return {"whole": False}
    return found if isinstance(found, dict) else {"whole": False}
