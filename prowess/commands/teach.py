"""Teach: what was imitated plays, the expert mends what goes wrong, and that is imitated, too; round by round.

Demonstrations show what an expert does where an expert comes to be. Where a model gets to by its own mistakes they do
not show, so it does not know what to do there. In a round it plays (`policies.taught`) with people and values that are
new to it, and learns from how its own conversations were brought to a good end, beside some of the demonstrations.

    OUT/teach1/collect   what it played      OUT/teach1/data   that, and some of the demonstrations
    OUT/teach1/sft       what it learnt      OUT/teach2 ...
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from prowess.commands.collect import CollectSettings
from prowess.commands.dataset import FILE, read_dataset, write_dataset
from prowess.errors import RecipeError, check_range
from prowess.seeds import draw


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachSettings:
    """How what was imitated is taught by its own mistakes, before it is reinforced."""

    rounds: int = 0
    """How often the model plays, is corrected and learns from that; 0 for never."""
    collect: CollectSettings = field(
        default_factory=lambda: CollectSettings(temperatures=(0.8,), tries=2, keep=1, failures=False)
    )
    """What it plays: new people and values of the same kinds, where the world can have any."""
    again: float = 0.3
    """The share of conversations in which the model may try to mend its first mistake. The expert then waits for the
    next."""
    early: float = 0.0
    """The share of conversations in which the expert takes over before any mistake, once the model has looked around
    for two or three replies. Mistakes that do not show are corrected only so."""
    rehearsed: float = 0.5
    """Demonstrations that are imitated again, for each conversation of a round."""
    epochs: int = 1
    """Passes over the data of a round."""
    rate: float = 0
    """The learning rate of a round; 0 for that of [sft.learner]."""

    def __post_init__(self) -> None:
        check_range(self, 0, "rounds", "rehearsed", "rate")
        check_range(self, 0, "again", "early", most=1)
        check_range(self, 1, "epochs")


def mix(taught: Path, shown: Path | None, folder: Path, settings: TeachSettings, *, number: int, seed: int) -> Path:
    """Write the data set of a round: its own conversations, and some that were shown; each round draws others."""
    own, before = list(read_dataset(taught)), list(read_dataset(shown)) if shown else []
    if not own:
        raise RecipeError("nothing that was taught came to a good end", hint="more teach.collect.tries or scenarios")
    count = min(round(settings.rehearsed * len(own)), len(before))
    write_dataset(folder, [*own, *draw(seed, "teach", number).sample(before, count)])
    return folder / FILE
