"""When an engine lets in who asked meanwhile."""

from __future__ import annotations

import pytest

from prowess.policies.vllm.batching import READING, Admission, admission_of
from prowess.policies.vllm.shape import Shape


def passes_until_let_in(patience: Admission, *, talking: int, waiting: int, seconds: float = 1 / 128) -> int:
    """How many passes go by, if everybody waits from the start."""
    for number in range(1000):
        if patience.over(talking=talking, waiting=waiting):
            return number
        patience.passed(seconds, waiting=waiting)
    raise AssertionError("they wait for ever")


@pytest.mark.parametrize(
    ("talking", "waiting", "passes"),
    [(0, 1, 0), (1, 1, 4), (4, 1, 16), (100, 1, 400), (100, 10, 40), (100, 100, 4)],
)
def test_who_asks_waits_the_longer_the_more_talk_and_the_fewer_wait(talking: int, waiting: int, passes: int) -> None:
    assert passes_until_let_in(Admission(cost=1 / 32), talking=talking, waiting=waiting) == passes


def test_nobody_is_let_in_where_nobody_waits() -> None:
    patience = Admission(cost=0.0)
    assert not patience.over(talking=3, waiting=0)
    assert patience.over(talking=3, waiting=1)


def test_what_was_lost_is_forgotten_once_they_are_in() -> None:
    patience = Admission(cost=0.02)
    patience.passed(1.0, waiting=1)
    assert patience.over(talking=9, waiting=1)
    patience.renew()
    assert not patience.over(talking=9, waiting=1)


@pytest.mark.parametrize(
    ("graphs", "device", "cost"),
    [("decode", "cuda", READING), ("compiled", "cuda", 0.0), ("none", "cuda", 0.0), ("decode", "cpu", 0.0)],
)
def test_readers_only_cost_where_passes_without_them_have_graphs(graphs: str, device: str, cost: float) -> None:
    shape = Shape(
        model="",
        dtype="bfloat16",
        device=device,
        limit=1,
        stops=(),
        rows=1,
        cache_bytes=1,
        prefill_tokens=1,
        graphs=graphs,
        sleep=False,
        rank=0,
    )
    assert admission_of(shape).cost == cost
