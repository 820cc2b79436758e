"""Advantages on literal rewards: like is compared with like."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from statistics import pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.credit.advantage import AdvantageSettings, fewer, make_advantage, telling
from prowess.errors import RecipeError

REWARDS = [[2.0, -1.0], [0.0, 2.0], [1.0, 0.5], [1.0, None]]


def advantages(rewards: list[list[float | None]], **settings: object) -> list[list[float | None]]:
    return make_advantage(AdvantageSettings(**settings))(rewards)  # type: ignore[arg-type]


def test_the_mean_is_taken_by_position_without_what_has_no_reward() -> None:
    assert advantages(REWARDS) == [[1.0, -1.5], [-1.0, 1.5], [0.0, 0.0], [0.0, None]]


def test_leave_one_out_compares_with_the_mean_of_the_others() -> None:
    first = pytest.approx(2.0 - (0 + 1 + 1) / 3, abs=1e-12)

    assert advantages(REWARDS, name="loo") == [[first, -2.25], [-4 / 3, 2.25], [0.0, 0.0], [0.0, None]]


def test_std_divides_by_the_deviation_with_n_minus_1() -> None:
    lead = pytest.approx(1 / math.sqrt(2 / 3), abs=1e-12)

    [[a, b], [c, d], *rest] = advantages(REWARDS, name="std")
    assert (a, b) == (lead, pytest.approx(-1.0, abs=1e-12))
    assert (-(c or 0), d) == (lead, pytest.approx(1.0, abs=1e-12))
    assert rest == [[0.0, 0.0], [0.0, None]]


@pytest.mark.parametrize("name", ["mean", "loo", "std"])
def test_a_lone_reward_and_equal_rewards_have_advantage_zero(name: str) -> None:
    assert advantages([[3.0, None], [None, None]], name=name) == [[0.0, None], [None, None]]
    assert advantages([[0.1]] * 6, name=name) == [[0.0]] * 6  # the mean of six 0.1 in floating point is not 0.1


@pytest.mark.parametrize("name", ["mean", "loo", "std"])
@given(st.lists(st.floats(-1, 3), min_size=2, max_size=9))
def test_advantages_add_up_to_nothing_and_keep_the_order(name: str, rewards: list[float]) -> None:
    found = [row[0] for row in advantages([[reward] for reward in rewards], name=name)]

    assert math.isclose(math.fsum(found), 0, abs_tol=1e-9)
    ordered = [advantage for _, advantage in sorted(zip(rewards, found, strict=True))]
    assert all(a <= b + 1e-12 for a, b in pairwise(ordered))


def test_advantages_below_the_least_are_left_out() -> None:
    rewards = [[1.0], [1.0], [1.01], [0.9]]  # the mean is 0.9775

    assert advantages(rewards, least=0.03) == [[None], [None], [pytest.approx(0.0325)], [pytest.approx(-0.0775)]]
    assert advantages([[1.0], [1.0]], least=0.01) == [[None], [None]]


def test_positions_without_variance_are_left_out_when_asked() -> None:
    rewards = [[1.0, 2.0, None], [1.0, 0.0, 1.0], [1.0, 1.0, None]]

    assert advantages(rewards, flat="drop") == [[None, 1.0, None], [None, -1.0, None], [None, 0.0, None]]
    assert advantages(rewards) == [[0.0, 1.0, None], [0.0, -1.0, 0.0], [0.0, 0.0, None]]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 3.0]), max_size=8), st.integers(0, 8))
def test_those_that_are_learnt_from_differ_as_much_as_any_so_many_can(rewards: list[float], most: int) -> None:
    chosen = telling(rewards, most)
    assert chosen == sorted({*chosen}) and len(chosen) == min(most, len(rewards))
    if chosen:
        best = max(pvariance(some) for some in combinations(rewards, len(chosen)))
        assert pvariance([rewards[n] for n in chosen]) == pytest.approx(best)


def test_the_most_telling_are_chosen_at_each_position_for_itself() -> None:
    assert fewer([[0, 1], [0, 1], [1, None], [0, 3]], 2) == [[0, 1], [None, None], [1, None], [None, 3]]
    assert fewer([[0.0], [1.0]], 4) == [[0.0], [1.0]], "where there are fewer, all"


def transposed(rewards: list[list[float | None]]) -> list[list[float | None]]:
    return [list(column) for column in zip(*rewards, strict=True)]


def undefined(rewards: list[list[float | None]]) -> list[list[float]]:
    return [[math.nan] * len(row) for row in rewards]


def one_for_all(rewards: list[list[float | None]]) -> float:
    return 1.0


def as_given(rewards: list[list[float | None]]) -> list[list[float | None]]:
    return rewards


def test_somebody_elses_advantage_is_named_by_module_and_function_and_held_to_the_shape() -> None:
    assert advantages([[1.0, 0.001], [2.0, 3.0]], name="test_advantage:as_given", least=0.01) == [
        [1.0, None],
        [2.0, 3.0],
    ]
    with pytest.raises(RecipeError, match=r"rows of \[3, 3\] for \[2, 2, 2\]"):
        advantages([[1.0, 2.0]] * 3, name="test_advantage:transposed")
    for name, what in (("undefined", "gave nan; it must be a finite number"), ("one_for_all", "gave 1.0, which")):
        with pytest.raises(RecipeError, match=rf"'test_advantage:{name}' {what}[\s\S]*by rollout, then by task"):
            advantages([[1.0, 2.0]] * 3, name=f"test_advantage:{name}")


def test_rollouts_of_different_length_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="shorter"):
        advantages([[1.0, 2.0], [1.0]])


def test_an_unknown_name_and_a_negative_least_are_refused() -> None:
    with pytest.raises(RecipeError, match="unknown advantage 'median'"):
        make_advantage(AdvantageSettings(name="median"))
    with pytest.raises(RecipeError, match="least is -1"):
        AdvantageSettings(least=-1)
