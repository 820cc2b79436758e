"""A batch over ranks: nothing is lost, nothing is twice, and no rank has much more to feed than others."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from prowess.learners.verl.shares import imbalance, shares_of
from prowess.types import Sample


def sample(tokens: list[int]) -> Sample:
    return Sample(tokens=tuple(tokens), weights=(1.0,) * len(tokens), logprobs=(0.0,) * len(tokens))


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=30).map(sample), max_size=20),
    st.integers(1, 9),
)
def test_nothing_is_lost_and_nothing_is_twice(samples: list[Sample], ranks: int) -> None:
    shares = shares_of(samples, ranks)
    assert len(shares) == ranks
    assert Counter(one for share in shares for one in share) == Counter(samples)


def test_samples_that_begin_alike_are_neighbours() -> None:
    groups = [[sample([*range(group, group + 50), end]) for end in range(4)] for group in (100, 200, 300, 400)]
    shuffled = [groups[number % 4][number // 4] for number in range(16)]
    shares = shares_of(shuffled, 4)
    assert shares == [tuple(group) for group in groups]


def test_ranks_feed_about_as_much_where_nothing_is_shared() -> None:
    samples = [sample([number, *[7] * (10 + 13 * number % 40)]) for number in range(64)]
    fed = [sum(len(one.tokens) for one in share) for share in shares_of(samples, 4)]
    assert imbalance(fed) < 1.1


def test_fewer_samples_than_ranks_leave_ranks_without_any() -> None:
    shares = shares_of([sample([1] * 100)], 3)
    assert sorted(map(len, shares)) == [0, 0, 1]
    assert imbalance([100, 0, 0]) == 3.0
