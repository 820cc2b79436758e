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
    """Draws people and values; another seed, other scenarios."""
    part: Literal["all", "starter"] = "all"
    """`starter`: a few short families, the same in every split but for people and values; for very small models."""
    scenarios: int = 1
    """Scenarios per family, as many as wanted."""
    wording: Literal["shared", "mixed"] = "shared"
    """Whether the tasks of a scenario share one wording or each have their own."""
    families: tuple[str, ...] = ()
    """Only these families; empty for all."""
    difficulties: tuple[int, ...] = ()
    """Only families of these difficulties (1 to 3); empty for all."""
    drills: int = 0
    """So many scenarios of drills come before the families of train, whichever these are: short things to do, made from
    the apps' listings, so that a model meets more than some dozens of programs. Beyond some 1,700 they come again, with
    other people, values and words. They need part = "all"."""
    errands: int = 0
    """So many scenarios of errands come after the drills: things to do of two or three stages, made of tables likewise.
    Beyond some 7,200, or three quarters of it with `fresh_errands`, they come again. They need part = "all"."""
    fresh: int = 0
    """So many scenarios of each fourth family of train come last, and none of it before: for teaching or reinforcement,
    which have little to find where imitation knows everything. 0 for no such families."""
    fresh_errands: int = 0
    """So many scenarios of errands come at the very end, out of one errand in four, and none of these before. Beyond
    some 1,800 they come again. They need part = "all"."""

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
