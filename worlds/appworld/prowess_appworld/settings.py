"""Which AppWorld is played, and what its shell has imported before the agent's first block."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prowess.errors import RecipeError
from prowess_appworld.place import Installation, home, place_in

IMPORTS = (
    "import builtins",
    "import calendar",
    "import datetime",
    "import itertools",
    "import json",
    "import math",
    "import random",
    "import re",
    "from collections import Counter, defaultdict",
    "from collections.abc import Iterator",
    "from copy import deepcopy",
    "from functools import reduce",
)
"""What AppWorld's shell has imported before the first block; it also has pendulum, which is not in the jail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppWorldSettings:
    """Which AppWorld is played, and how it is judged."""

    home: str = ""
    """The folder of `prowess appworld setup`; empty for the usual one."""
    python: str = ""
    """The interpreter of another environment with AppWorld in it, instead of the one in `home`."""
    root: str = ""
    """Another APPWORLD_ROOT, instead of the one in `home`."""
    difficulties: tuple[int, ...] = ()
    """Of the split `train`, only scenarios of these difficulties; empty for all. The paper trains on 1 and 2."""
    evaluation: Literal["auto", "official", "replay"] = "auto"
    """`official`: AppWorld's own programs; `replay`: against the reference's changes; `auto`: official where it is."""
    experiment: str = ""
    """Where AppWorld's files of each played task are written, under `experiments/outputs`; empty for nowhere."""

    def __post_init__(self) -> None:
        if extra := set(self.difficulties) - {1, 2, 3}:
            raise RecipeError(f"difficulties holds {sorted(extra)}; allowed are 1, 2 and 3")
        if Path(self.experiment).is_absolute() or ".." in Path(self.experiment).parts:
            raise RecipeError(f"experiment is '{self.experiment}'; it is a name, or names with '/' between them")

    @property
    def place(self) -> Installation:
        usual = place_in(Path(self.home).expanduser().absolute() if self.home else home())
        return Installation(
            python=Path(self.python).expanduser().absolute() if self.python else usual.python,
            root=Path(self.root).expanduser().absolute() if self.root else usual.root,
        )
