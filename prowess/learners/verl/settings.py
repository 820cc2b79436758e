"""What a recipe may say about learning on several GPUs; imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError


@dataclass(frozen=True, slots=True, kw_only=True)
class VerlSettings:
    """Learning on several GPUs: verl's engine, a process for each GPU, started by Ray."""

    gpus: int = 1
    """Processes on each node, one for each GPU."""
    nodes: int = 1
    """Machines that learn."""
    address: str = ""
    """Of a Ray cluster that is there: `auto`, or `HOST:PORT`. Empty starts one on this machine."""
    tree: bool = True
    """Feed what samples begin alike with once, as on one GPU. `false` takes verl's own engine, which feeds it each
    time, and which can cut long samples over GPUs."""
    sequence: int = 1
    """GPUs over which a sample is cut (Ulysses). More than 1 needs `tree = false`."""
    shard: int = 0
    """GPUs over which weights are spread; 0 for all. Fewer keep several copies, and send less between machines."""
    offload: Literal["none", "states"] = "none"
    """`states` keeps weights and moments in the machine's memory between layers: slower, and far smaller."""
    restarts: int = 0
    """How often processes that were lost are started again, from the last checkpoint."""

    def __post_init__(self) -> None:
        for name, good, allowed in (
            ("gpus", self.gpus >= 1, "1 or more"),
            ("nodes", self.nodes >= 1, "1 or more"),
            ("sequence", self.sequence >= 1 and self.ranks % self.sequence == 0, f"a divisor of {self.ranks}"),
            ("shard", self.shard >= 0 and (not self.shard or self.ranks % self.shard == 0), "0, or a divisor of all"),
            ("restarts", self.restarts >= 0, "0 or more"),
        ):
            if not good:
                raise RecipeError(f"verl.{name} is {getattr(self, name)}", hint=f"allowed: {allowed}")
        if self.tree and self.sequence > 1:
            raise RecipeError(
                f"verl.sequence is {self.sequence}, and verl.tree is true: trees are not cut over GPUs",
                hint="verl.tree = false, or verl.sequence = 1 and a smaller learner.micro_tokens",
            )

    @property
    def ranks(self) -> int:
        """How many processes learn."""
        return self.nodes * self.gpus
