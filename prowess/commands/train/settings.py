"""What a recipe may say about training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """The loop; the defaults are the paper's."""

    start: str = ""
    """The checkpoint to start from; empty for that of `prowess sft` with the same recipe, `base` for the bare one."""
    split: str = "train"
    """The split to learn from."""
    last: int = 0
    """Only the last so many scenarios of the split; 0 for all. Drills come first, and imitation knows them best. A line
    says how many are left out."""
    steps: int = 75
    """Optimiser steps; the paper's best checkpoint came at 75."""
    minutes: float = 0
    """Time for playing and learning: the step under way when it is over is the last, and scored like a last one. 0 for
    no limit. For comparisons at equal time; how many steps there are then depends on the machine, so a rate that goes
    by their number (a cosine, a warm-up given as a share) is refused."""
    chains: int = 24
    """Chains in a step."""
    length: int = 2
    """Tasks in a chain; all of a scenario where it has fewer."""
    group: int = 8
    """Rollouts of a chain."""
    masked: int = 0
    """Rollouts of a group that are its control arm: what earlier tasks saved is not offered to later ones. Tells
    `play/uplift`, what the library is worth, and is what the reward `uplift` compares with."""
    peers: Literal["group", "history"] = "group"
    """What an episode is compared with: the same position of all rollouts of its group, as in the paper, or only of
    those whose earlier tasks ended as its own did. With a wrong skill in its library no later task is solved, and
    comparing it with luckier ones blames the reuse for it."""
    most: int = 0
    """At each position of a group only so many rollouts are compared and learnt from, those whose rewards differ most
    from those they are compared with (PODS); 0 for all. Playing many and learning from few pays where learning is what
    takes the time."""
    rehearse: int = 0
    """So many demonstrations of the data set of `prowess sft` are imitated again in each step, each as if it were a
    rollout with an advantage of 1: what rewards are silent about is not forgotten, bad habits in them neither."""
    pairs: Literal["label", "likeness"] = "label"
    """Whether a chain's tasks share their scenario, or only have instructions that are alike (no label needed:
    retrieval must not go by it either)."""
    drop_flat: bool = False
    """Whether groups in which every rollout has the same reward are left out of the batch altogether."""
    refill: int = 0
    """With `drop_flat`, how many further rounds a step plays at most, of as many other chains as groups are left out,
    until it has `chains` groups that differ (DAPO's dynamic sampling); 0 for none. A step may then take so many times
    as long."""
    early_stop: bool = False
    """Whether the slowest rollouts of a step are broken off once the others are in, as the authors do."""
    overlong: Literal["learn", "mask"] = "learn"
    """What becomes of episodes that ran into a limit: learnt from like others, or left out."""
    overlap: bool = False
    """Whether the next step's rollouts are played while this step's are learnt from, with weights that are then one
    step old; for an engine that holds weights of its own (not `local`). `loss.tis` corrects for what has changed."""
    evaluate_every: int = 0
    """Steps between evaluations on the split of [evaluate]; 0 for none but the last."""
    checkpoint_every: int = 5
    """Steps between checkpoints."""
    keep: int = 2
    """Checkpoints kept besides the best."""
    record_every: int = 10
    """Steps between those whose episodes are written to the run, for reading; 0 for none."""

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
