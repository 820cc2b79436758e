"""What a recipe may say about collecting."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.errors import RecipeError, check_range

DEGREES = 1000
"""The most temperatures that are played at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectSettings:
    """What is played, how often it is tried, and what is kept; the defaults are the paper's."""

    split: str = "train"
    """The split to play."""
    scenarios: int = 0
    """Only the first scenarios, this many; 0 for all."""
    last: int = 0
    """Of these, only the last ones, this many; 0 for all. A line reports how many are left out."""
    length: int = 0
    """Only the first tasks of a scenario, this many; 0 for all. The first task writes new functions, the others reuse
    them."""
    once: float = 0.0
    """The share of scenarios of which only the first task is played. Reuse is learned from a few examples; new
    functions differ from scenario to scenario."""
    crossed: float = 0.0
    """The share of scenarios that are played in pairs. Their tasks take turns, and each is offered the skills of both.
    In half of the pairs the second scenario begins with helpers of the first alone, as after a failure. If nothing
    fits, the agent reads and writes anew."""
    skip: tuple[str, ...] = ()
    """Scenarios whose names begin with one of these are not played. They are left for reinforcement, which learns
    little from what imitation knows."""
    low: float = 0.05
    """The lowest temperature."""
    high: float = 1.0
    """The highest temperature."""
    count: int = 20
    """The number of temperatures, evenly from the lowest to the highest. One alone is the lowest."""
    temperatures: tuple[float, ...] = ()
    """These temperatures instead."""
    tries: int = 10
    """How often a task is tried at most, until it succeeds."""
    keep: int = 2
    """A scenario is kept if its first tasks, this many, succeeded; if it has fewer, all of them."""
    checked: bool = True
    """Whether a try must pass all checks to succeed, as in the paper. If not, it must only be completed, so bad habits
    stay in the demonstrations."""
    failures: bool = True
    """Whether replies whose code failed bear loss, as in the paper. If not, only later replies are learned: a model
    that imitates slips makes them."""

    def __post_init__(self) -> None:
        check_range(self, 0, "scenarios", "last", "length")
        check_range(self, 1, "count", "tries", "keep")
        if self.count > DEGREES:
            raise RecipeError(f"count is {self.count}; allowed is 1 to {DEGREES} temperatures")
        if not 0 <= self.low <= self.high <= 2:
            raise RecipeError(f"low is {self.low} and high is {self.high}; allowed is 0 <= low <= high <= 2")
        for name in ("once", "crossed"):
            if not 0 <= getattr(self, name) <= 1:
                raise RecipeError(f"{name} is {getattr(self, name)}; allowed is 0 to 1, a share of the scenarios")
        for temperature in self.temperatures:
            if not 0 <= temperature <= 2:
                raise RecipeError(f"temperatures holds {temperature}; allowed is 0 to 2")

    @property
    def degrees(self) -> tuple[float, ...]:
        """The temperatures to play at.

        >>> CollectSettings(count=5, low=0.2).degrees
        (0.2, 0.4, 0.6, 0.8, 1.0)
        """
        step = (self.high - self.low) / (self.count - 1) if self.count > 1 else 0.0
        return self.temperatures or tuple(round(self.low + n * step, 6) for n in range(self.count))
