"""What vLLM's scheduler is spared: slots are asked for at the ends of blocks alone. The real one is in tests/vllm."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from prowess.policies.vllm.batching import ask_at_ends


class Manager:
    """Blocks of 16 tokens, and a list of who asked for slots at which place."""

    def __init__(self, groups: int = 1) -> None:
        self.coordinator = SimpleNamespace(single_type_managers=[SimpleNamespace(block_size=16)] * groups)
        self.empty_kv_cache_blocks = "none"
        self.asked: list[int] = []

    def allocate_slots(self, request: Any, tokens: int, **_: Any) -> str | None:
        self.asked.append(request.num_computed_tokens)
        return None


def at(place: int) -> Any:
    return SimpleNamespace(num_computed_tokens=place)


def test_who_speaks_asks_where_a_block_may_end_or_begin() -> None:
    manager = Manager()
    assert ask_at_ends(manager)
    got = [manager.allocate_slots(at(place), 1, num_lookahead_tokens=0) for place in range(32, 64)]
    assert manager.asked == [32, 33, 47, 48, 49, 63]
    assert got.count("none") == 26 and got.count(None) == 6, "what it says is handed on, also that there is no room"


@pytest.mark.parametrize(
    ("tokens", "more"),
    [
        (2, {"num_lookahead_tokens": 0}),
        (1, {"num_lookahead_tokens": 3}),
        (1, {"num_lookahead_tokens": 0, "num_new_computed_tokens": 16}),
        (1, {}),
    ],
    ids=["reads", "drafts", "begins", "unknown"],
)
def test_everybody_else_asks_always(tokens: int, more: dict[str, int]) -> None:
    manager = Manager()
    ask_at_ends(manager)
    assert manager.allocate_slots(at(40), tokens, **more) is None
    assert manager.asked == [40]


def test_several_kinds_of_blocks_and_managers_that_are_not_known_are_left_alone() -> None:
    two = Manager(groups=2)
    assert not ask_at_ends(two) and not ask_at_ends(SimpleNamespace())
    two.allocate_slots(at(40), 1, num_lookahead_tokens=0)
    assert two.asked == [40]
