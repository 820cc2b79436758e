"""How an engine batches: when it admits who waits, and when vLLM's scheduler is asked for slots of keys and values.

A conversation has its keys and values in blocks of 16 tokens or more. For each conversation in each pass vLLM looks
whether it needs a block more, whether one is full and can be found again by others, and whether there is room: a fourth
of the time that its Python takes. Within a block there is nothing of it to be done, and nothing comes of it:

    place in the block     0     1     2 ... 13    14    15
                          ask   ask       -         -    ask

At 15 the block gets full. It is noted for others once its last token is known, which with vLLM's scheduling ahead of
time is a pass or two later, at 0 or 1; at 0 another one is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prowess.policies.vllm.shape import Shape

READING = 0.02
"""Seconds by which a pass with readers is taken to be slower than one without, where only those without have CUDA
graphs: the kernels of some 28 layers are then started one by one. On an H200 with 0.5B it was
10 to 22 milliseconds, 18 in the median."""


@dataclass(slots=True, kw_only=True)
class Admission:
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


def admission_of(shape: Shape) -> Admission:
    """None where readers cost nothing extra: without graphs, or with graphs for all passes."""
    return Admission(cost=READING if shape.graphs == "decode" and shape.device == "cuda" else 0.0)


SPEAKING = {"num_lookahead_tokens": 0}
"""What the scheduler says of one that speaks, and of nobody else."""


def ask_at_ends(manager: Any) -> bool:
    """Let a manager of keys and values be asked at the ends of blocks alone; False where it is not as we know it."""
    groups: Sequence[Any] = getattr(getattr(manager, "coordinator", None), "single_type_managers", ())
    if len(groups) != 1 or not all(hasattr(manager, name) for name in ("allocate_slots", "empty_kv_cache_blocks")):
        return False
    size, none, ask = groups[0].block_size, manager.empty_kv_cache_blocks, manager.allocate_slots

    def allocate_slots(request: Any, tokens: int, *given: Any, **more: Any) -> Any:
        if tokens == 1 and 1 < request.num_computed_tokens % size < size - 1 and more == SPEAKING and not given:
            return none
        return ask(request, tokens, *given, **more)

    manager.allocate_slots = allocate_slots
    return True
