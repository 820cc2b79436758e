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
    """The file of the skill store. If there is none and the library grows, it is made."""
    queue: str = ""
    """A file of task ids or JSON lines, `-` for standard input; empty: the split, in an order drawn by the seed."""
    split: str = "train"
    """The split that is worked through when no queue is given."""
    skip: int = 0
    """Leave out the first tasks of the queue or split, this many."""
    tasks: int = 0
    """Stop after this many tasks; 0 for all."""
    every: int = 10
    """Tasks in a round. After a round, what was learned is taken in, admitted and curated, and a snapshot is taken.
    This is a part of the result, unlike the number of workers."""
    library: Literal["grow", "frozen", "masked", "none"] = "grow"
    """`grow`: skills are offered and added. `frozen`: they are offered only. `masked`: they are retrieved and hidden.
    `none`: there are none. Only `grow` changes the store."""
    root: str = ""
    """For a library that does not grow: the snapshot to play with. If empty, the store as it is now."""
    mask: float = 0.05
    """The chance that a retrieved skill is held back as a control. So its worth can be measured."""
    approve: str = ""
    """Skills that wait for a person are approved at once in this name. Only for worlds in which nothing is real."""
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
