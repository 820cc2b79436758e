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
    """Only the first so many scenarios; 0 for all."""
    last: int = 0
    """Only the last so many scenarios, of those; 0 for all. What nobody demonstrated comes last. A line says how many
    are left out."""
    length: int = 0
    """Only the first so many tasks of a scenario; 0 for all. The first is written anew, those after it reuse."""
    once: float = 0.0
    """Of this share of the scenarios only the first task is played. Reuse is soon learnt; what is written anew differs
    from scenario to scenario."""
    crossed: float = 0.0
    """This share of the scenarios is played in pairs, their tasks in turn, and offered what both have saved; in half of
    the pairs the second begins with the first one's helpers alone, as after a failure. Who finds nothing that fits
    reads and writes anew."""
    skip: tuple[str, ...] = ()
    """Scenarios whose names begin with one of these are left for reinforcement, which has little to find where
    imitation knows everything."""
    low: float = 0.05
    """The lowest temperature."""
    high: float = 1.0
    """The highest temperature."""
    count: int = 20
    """How many temperatures, evenly from the lowest to the highest; one alone is the lowest."""
    temperatures: tuple[float, ...] = ()
    """These temperatures instead."""
    tries: int = 10
    """How often a task is tried at most, until it succeeds."""
    keep: int = 2
    """How many of a scenario's first tasks must succeed for it to be kept; all of them where it has fewer."""
    checked: bool = True
    """Whether a try succeeds by its checks, as in the paper; if not, by being completed: demonstrations that nobody
    graded, bad habits and all."""
    failures: bool = True
    """Whether replies whose code failed bear loss, as in the paper; if not, only what mended them is learnt: whoever
    imitates slips makes them."""

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
