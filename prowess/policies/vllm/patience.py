"""When an engine lets in who asked while it talked."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.policies.vllm.shape import Shape

READING = 0.02
"""Seconds by which a pass with readers is taken to be slower than one without, where only those without have CUDA
graphs: the kernels of some 28 layers are then started one by one. Steps of four trainings of 0.5B at once on an H200
had 10 to 22 milliseconds more, 18 in the median (docs/results/qwen, nineteenth study)."""


@dataclass(slots=True, kw_only=True)
class Patience:
    """Who asked is let in once those who wait have lost as much as those who talk would by a pass with readers.

    Many who talk are then interrupted seldom, by many readers at once, and one alone hardly waits.
    """

    cost: float
    """Seconds that a pass with readers takes longer."""
    lost: float = 0.0
    """Seconds, added up over those who have waited since somebody was let in."""

    def passed(self, seconds: float, *, waiting: int) -> None:
        """A pass that so many waited for."""
        self.lost += seconds * waiting

    def over(self, *, talking: int, waiting: int) -> bool:
        """Whether it is time to let them in."""
        return waiting > 0 and self.lost >= self.cost * talking

    def renew(self) -> None:
        """They have been let in."""
        self.lost = 0.0


def patience_of(shape: Shape) -> Patience:
    """None where readers cost nothing extra: without graphs, or with graphs for all passes."""
    return Patience(cost=READING if shape.graphs == "decode" and shape.device == "cuda" else 0.0)
