"""The recipe's section [skills]: how strict admission is, and what evidence is enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from prowess.errors import RecipeError, check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """How strict admission is."""

    modules: tuple[str, ...] = ()
    """Modules that skills may import besides the standard library: those that the world has."""
    shortest: int = 3
    """Texts shorter than this are no leak."""
    small: int = 3
    """Whole numbers up to this are no leak."""
    similar: float = 0.8
    """From this share of equal code (estimated Jaccard index), two skills are compared by what they do."""
    compared: int = 32
    """A skill is compared with at most so many others, the most similar ones."""
    review_rate: float = 0.1
    """The share of skills that change the world which a person looks at. It is drawn by their digest."""
    unplayed: Literal["probation", "review"] = "probation"
    """Where a skill goes if no call of it was recorded."""
    seed: int = 0
    """The seed of that draw."""

    def __post_init__(self) -> None:
        check_range(self, 1, "shortest", "compared")
        check_range(self, 0, "small")
        check_range(self, 0, "similar", "review_rate", most=1)
        if wrong := [name for name in self.modules if not name.isidentifier()]:
            raise RecipeError(
                f"modules has {wrong[0]!r}, which is no module's name", hint='top-level names, as in ["numpy"]'
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurateSettings:
    """What is enough to promote a skill, and to suspend one."""

    calls: int = 5
    """A skill is promoted only after this many episodes called it."""
    floor: float = 0.5
    """Success when called must lie above this, or success when offered above success when masked."""
    doubt: float = 0.05
    """The share of the posterior that may lie below the floor."""
    rate: float = 0.05
    """The share of suspended skills that may be innocent, on average. Without any harmful skill, it is the chance that
    one is ever suspended, however many there are and however often one looks."""
    errors: float = 0.5
    """The share of the episodes that call a skill in which an exception may leave it."""

    def __post_init__(self) -> None:
        check_range(self, 1, "calls")
        for name in ("floor", "doubt", "rate", "errors"):
            if not 0 < getattr(self, name) < 1:
                raise RecipeError(f"{name} is {getattr(self, name)}; it must lie between 0 and 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSettings:
    """How a skill gets into the library, and how it fares there."""

    gates: GateSettings = field(default_factory=GateSettings)
    curate: CurateSettings = field(default_factory=CurateSettings)
