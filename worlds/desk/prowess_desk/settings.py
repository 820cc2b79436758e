"""Which part of desk is played. Families are imported where some are named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, unknown

SCENARIOS = 10_000
"""The most scenarios of one family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSettings:
    """Which part of desk is played."""

    seed: int = 0
    """Draws people and values. Another seed gives other scenarios."""
    part: Literal["all", "starter"] = "all"
    """`starter`: a few short families, the same in every split but for people and values; for very small models."""
    scenarios: int = 1
    """Scenarios of each family."""
    wording: Literal["shared", "mixed"] = "shared"
    """Whether the tasks of a scenario share one wording or each have their own."""
    families: tuple[str, ...] = ()
    """Only these families; empty for all."""
    difficulties: tuple[int, ...] = ()
    """Only families of these difficulties (1 to 3); empty for all."""
    drills: int = 0
    """Scenarios of drills, which come before the families of train. Drills are short tasks made from the listings of
    apps, so that a model meets more programs. Beyond some 1,700 they come again, with other people, values and words.
    They need part = "all"."""
    errands: int = 0
    """Scenarios of errands, which come after the drills. Errands are tasks of two or three stages, made from tables.
    Beyond some 7,200 they come again, with `fresh_errands` beyond three quarters of that. They need part = "all"."""
    fresh: int = 0
    """Scenarios of one family of train in four, which come last and not before. Use them for teaching and
    reinforcement, which learn little from what imitation knows. 0 for no such families."""
    fresh_errands: int = 0
    """Scenarios of one errand in four, which come at the very end and not before. Beyond some 1,800 they come again.
    They need part = "all"."""

    def __post_init__(self) -> None:
        if not 1 <= self.scenarios <= SCENARIOS:
            raise RecipeError(f"scenarios is {self.scenarios}; allowed is 1 to {SCENARIOS} of each family")
        if self.families:
            from prowess_desk.families import FAMILIES  # slow to import, and most recipes name none

            for name in self.families:
                if name not in FAMILIES:
                    raise unknown("desk family", name, FAMILIES)
        for name in ("drills", "errands", "fresh_errands"):
            given = getattr(self, name)
            if given < 0 or (given and self.part != "all"):
                raise RecipeError(
                    f"{name} is {given} with part = {self.part!r}; it must be at least 0, and 0 unless part is 'all'"
                )
        if self.fresh < 0:
            raise RecipeError(f"fresh is {self.fresh}; it must be at least 0")
        if extra := set(self.difficulties) - {1, 2, 3}:
            raise RecipeError(f"difficulties holds {sorted(extra)}; allowed are 1, 2 and 3")
