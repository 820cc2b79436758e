"""Slots for keys and values: vLLM's scheduler asks for them where a block may end, and not for every token.

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
from typing import Any

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
