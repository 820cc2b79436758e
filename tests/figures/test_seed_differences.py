"""Recipes compared seed by seed, on made-up outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from synthetic import episode, task

from prowess.figures.measure import Outcome, outcome_of
from prowess.figures.seeds import SeedComparison, compare_seeds
from prowess.files.codec import Played


def played(solved: int, *, of: int = 10, name: str = "s", tokens: int = 100) -> list[Outcome]:
    """The first so many of ten scenarios are solved."""
    return [
        outcome_of(
            Played(run=0, split="dev", episode=episode(task(f"{name}{n}"), success=n < solved, turns=1, tokens=tokens))
        )
        for n in range(of)
    ]


def compared(before: Sequence[int], after: Sequence[int]) -> SeedComparison:
    found = compare_seeds(*({n: played(solved) for n, solved in enumerate(each)} for each in (before, after)))
    assert found is not None
    return found


def test_the_interval_is_students_over_the_differences_of_the_seeds() -> None:
    found = compared([3, 4, 5], [4, 6, 8])  # 0.1, 0.2 and 0.3 more
    tgc = found.differences["tgc"]
    assert (tgc.before, tgc.after) == pytest.approx((0.4, 0.6))
    assert tgc.gap.value == pytest.approx(0.2)
    assert (tgc.gap.low, tgc.gap.high) == pytest.approx((0.2 - 0.2484, 0.2 + 0.2484), abs=1e-4)  # 4.3027 * 0.1 / 3**0.5
    assert tgc.gap.n == 3 and not tgc.sure
    assert {seed: one.differences["tgc"].gap.value for seed, one in found.each.items()} == pytest.approx(
        {0: 0.1, 1: 0.2, 2: 0.3}
    )


def test_seeds_that_differ_much_and_alike_on_both_sides_leave_no_doubt() -> None:
    found = compared([0, 3, 6], [3, 6, 9])  # 0.3 more each time
    assert found.differences["tgc"].sure
    assert (found.differences["tgc"].gap.low, found.differences["tgc"].gap.high) == pytest.approx((0.3, 0.3))


def test_two_seeds_make_no_claim_however_alike_they_are() -> None:
    tgc = compared([2, 2], [8, 8]).differences["tgc"]
    assert tgc.few and not tgc.sure and tgc.gap.value == pytest.approx(0.6)


def test_only_seeds_and_tasks_that_both_played_are_compared() -> None:
    first: Mapping[int, list[Outcome]] = {0: played(2), 1: played(2), 7: played(2)}
    other = {1: played(8) + played(5, name="more"), 0: played(4), 8: played(9)}
    found = compare_seeds(first, other)
    assert found is not None and sorted(found.each) == [0, 1]
    assert found.differences["tgc"].gap.value == pytest.approx(0.4)
    assert compare_seeds({0: played(2)}, {1: played(2)}) is None
    assert compare_seeds({0: played(2)}, {0: played(2, name="other")}) is None


def test_all_seeds_together_tell_of_other_tasks() -> None:
    found = compared([0, 0, 0], [5, 5, 5])
    assert found.differences["tgc"].gap.low == pytest.approx(0.5), "the seeds agree"
    assert found.overall.scenarios == 10
    assert found.overall.differences["tgc"].gap.low < 0.3, "the tasks do not"
