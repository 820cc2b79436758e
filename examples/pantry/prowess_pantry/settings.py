"""The section `[suite.pantry]` of a recipe: each field is a key, and the line below it is its help."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.errors import check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class PantrySettings:
    """Which pantry is filled."""

    seed: int = 0
    """Draws goods and amounts; another seed, other tasks."""
    scenarios: int = 4
    """Scenarios of each split."""
    most: int = 9
    """The most bags that a task asks for."""

    def __post_init__(self) -> None:
        check_range(self, 1, "scenarios")
        check_range(self, 4, "most", most=99)
