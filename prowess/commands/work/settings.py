"""The recipe's section [work]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, check_range

STDIN = "-"
"""The queue that is standard input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSettings:
    """What is worked on, and what becomes of what is learned there."""

    store: str = "skills.db"
    """The file of the skill store; begun if there is none and the library is to grow."""
    queue: str = ""
    """A file of task ids or JSON lines, `-` for standard input; empty: the split, in an order drawn by the seed."""
    split: str = "train"
    """The split that is worked through when no queue is given."""
    skip: int = 0
    """Leave out the first so many tasks of the queue or split."""
    tasks: int = 0
    """Stop after so many tasks; 0 for all there are."""
    every: int = 10
    """Tasks between two rounds of care: what was learned is taken in, admitted and curated, and a snapshot is taken.
    A part of the result, unlike the number of workers."""
    library: Literal["grow", "frozen", "masked", "none"] = "grow"
    """Whether the library is used and added to; used as it stands; retrieved from with all of it hidden; or not there.
    Only the first changes the store."""
    root: str = ""
    """For a library that does not grow: the snapshot to play with; as the store stands now unless given."""
    mask: float = 0.05
    """Chance that a retrieved skill is held back as a control, so that its worth can be told."""
    approve: str = ""
    """In whose name skills that wait for a person are approved at once; only for worlds in which nothing is real."""
    temperature: float | None = None
    """The policy's temperature; its own unless given."""

    def __post_init__(self) -> None:
        check_range(self, 0, "skip", "tasks")
        check_range(self, 1, "every")
        if not 0 <= self.mask <= 1:
            raise RecipeError(f"mask is {self.mask}; it is a chance, from 0 to 1")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise RecipeError(f"temperature is {self.temperature}; allowed is 0 to 2")
        if self.root and self.library in ("grow", "none"):
            raise RecipeError(
                f"root is '{self.root}' and library is '{self.library}': a snapshot is played with as it stands",
                hint='library = "frozen" or "masked"',
            )
