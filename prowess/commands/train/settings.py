"""What a recipe may say about training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """The loop; the defaults are the paper's."""

    start: str = ""
    """The checkpoint to start from. If empty, that of `prowess sft` with the same recipe; `base` for the bare model."""
    split: str = "train"
    """The split to learn from."""
    last: int = 0
    """Only the last scenarios of the split, this many; 0 for all. Drills come first, and imitation knows them best. A
    line reports how many are left out."""
    steps: int = 75
    """Optimiser steps; the paper's best checkpoint came at 75."""
    minutes: float = 0
    """Time for playing and learning; 0 for no limit. The step under way when it is over is the last one, and is scored.
    Use it for comparisons at equal time. A rate that depends on the number of steps (a cosine, a warm-up given as a
    share) is then refused."""
    chains: int = 24
    """Chains in a step."""
    length: int = 2
    """Tasks in a chain; all of a scenario where it has fewer."""
    group: int = 8
    """Rollouts of a chain."""
    masked: int = 0
    """Rollouts of a group that are its control arm: later tasks are not offered what earlier ones saved. This gives
    `play/uplift`, the worth of the library. The reward `uplift` compares with it."""
    peers: Literal["group", "history"] = "group"
    """What an episode is compared with. `group`: the same position in all rollouts of its group, as in the paper.
    `history`: only those whose earlier tasks ended in the same way. With a wrong skill in its library no later task is
    solved, and `group` blames the reuse for it."""
    most: int = 0
    """At each position of a group, only this many rollouts are compared and learned from; 0 for all. These are the ones
    whose rewards differ most (PODS). It helps if learning takes longer than playing."""
    rehearse: int = 0
    """Demonstrations of the data set of `prowess sft` that each step imitates again, each like a rollout with an
    advantage of 1. So the model does not forget what rewards ignore, its bad habits included."""
    pairs: Literal["label", "likeness"] = "label"
    """`label`: a chain's tasks share their scenario. `likeness`: their instructions are alike, so no label is needed.
    Retrieval must then not use the label either."""
    drop_flat: bool = False
    """Whether groups in which every rollout has the same reward are left out of the batch."""
    refill: int = 0
    """With `drop_flat`: a step plays at most this many more rounds, of other chains in place of the groups left out,
    until `chains` groups differ (DAPO's dynamic sampling). 0 for none. A step may take as many times longer."""
    early_stop: bool = False
    """Whether the slowest rollouts of a step are stopped once the others are in, as the paper's authors do."""
    overlong: Literal["learn", "mask"] = "learn"
    """What happens to episodes that ran into a limit: they are learned from like others, or left out."""
    overlap: bool = False
    """Whether the next step plays while this step learns, with weights that are one step old. It needs an engine with
    weights of its own (not `local`). `loss.tis` corrects for the difference."""
    evaluate_every: int = 0
    """Steps between evaluations on the split of [evaluate]; 0 for none but the last."""
    checkpoint_every: int = 5
    """Steps between checkpoints."""
    keep: int = 2
    """Checkpoints kept besides the best."""
    record_every: int = 10
    """Steps between those whose episodes are written to the run, for you to read; 0 for none."""

    def __post_init__(self) -> None:
        check_range(self, 1, "steps", "chains", "length", "group", "checkpoint_every", "keep")
        check_range(self, 0, "last", "minutes", "rehearse", "refill", "evaluate_every", "record_every")
        if self.refill and not self.drop_flat:
            raise RecipeError(
                f"refill is {self.refill}, and drop_flat is false: no group is left out that another could stand in"
                " for, so allowed is 0",
                hint="drop_flat = true, or refill = 0",
            )
        if not 0 <= self.masked < self.group:
            raise RecipeError(f"masked is {self.masked}; allowed is 0 to {self.group - 1}, fewer than the group has")
        if self.most < 0 or self.most == 1:
            raise RecipeError(
                f"most is {self.most}; it must be 0 (all) or at least 2: one alone is compared with nobody"
            )
