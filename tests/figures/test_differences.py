"""Two runs side by side: what is paired, and how sure a difference is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from synthetic import episode, task

from prowess.figures.differences import Comparison, compare
from prowess.figures.intervals import Apart, Cell, gap
from prowess.figures.measure import Outcome, outcome_of
from prowess.files.codec import Played


def outcome(scenario: str, number: int = 1, *, run: int = 0, success: bool = True, tokens: int = 100) -> Outcome:
    of = task(scenario, number)
    played = episode(of, success=success, turns=2, tokens=tokens)
    return outcome_of(Played(run=run, split="dev", episode=played))


def only(before: Sequence[Outcome], after: Sequence[Outcome]) -> Comparison:
    (found,) = compare(before, after)
    return found


def test_only_tasks_that_both_played_are_compared() -> None:
    before = [outcome("a", success=False), outcome("b", success=False), outcome("only-before")]
    after = [outcome("b"), outcome("a"), outcome("only-after"), outcome("other", 2)]
    found = only(before, after)
    assert (found.tasks, found.scenarios, found.alone) == (2, 2, (1, 2))
    assert found.differences["tgc"].gap.value == 1.0
    assert (found.differences["tgc"].before, found.differences["tgc"].after) == (0.0, 1.0)


def test_tasks_of_one_name_that_ask_in_other_words_are_not_the_same() -> None:
    before, after = [outcome("a"), outcome("b")], [outcome("a"), replace(outcome("b", success=False), wording=7)]
    found = only(before, after)
    assert (found.tasks, found.reworded, found.alone) == (1, 1, (0, 0))
    assert found.differences["tgc"].gap.value == 0.0
    assert compare(before, [replace(one, wording=7) for one in before]) == ()


def test_runs_of_other_splits_share_nothing() -> None:
    assert compare([outcome("a")], [replace(outcome("a"), split="test")]) == ()


def test_an_episode_that_broke_takes_its_counterpart_of_the_same_run_out() -> None:
    broken = outcome_of(Played(run=0, split="dev", episode=episode(task("a", 1), error="WorldError: no ledger")))
    before = [broken, outcome("a", run=1, success=False), outcome("b"), outcome("b", run=1)]
    after = [outcome("a", success=True), outcome("a", run=1, success=False), outcome("b"), outcome("b", run=1)]
    assert only(before, after).differences["tgc"].gap.value == 0.0


def test_a_scenario_counts_as_solved_only_with_all_its_tasks() -> None:
    before = [outcome("a", 1), outcome("a", 2, success=False), outcome("b", 1), outcome("b", 2)]
    after = [outcome("a", 1), outcome("a", 2), outcome("b", 1, success=False), outcome("b", 2, success=False)]
    found = only(before, after).differences
    assert found["sgc"].gap.value == 0.0 and found["sgc"].before == 0.5
    assert found["tgc"].gap.value == -0.25


def test_tokens_are_also_compared_where_both_solved_for_who_fails_early_is_cheap_too() -> None:
    before = [outcome("a", tokens=100), outcome("b", tokens=100)]
    after = [outcome("a", tokens=100), outcome("b", tokens=10, success=False)]
    found = only(before, after).differences
    assert found["tokens"].gap.value == -90.0 and found["tokens"].relative == -0.45  # two replies each
    assert found["solved_tokens"].gap.value == 0.0 and found["solved_tokens"].gap.n == 1


def test_five_scenarios_that_all_agree_prove_nothing_and_ten_do() -> None:
    def sure(count: int) -> bool:
        names = [f"s{number}" for number in range(count)]
        before = [outcome(name, success=False) for name in names]
        return only(before, [outcome(name) for name in names]).differences["tgc"].sure

    assert not sure(5)
    assert sure(10)


def test_whole_runs_that_differ_widen_the_interval() -> None:
    names = [f"s{number}" for number in range(20)]
    before = [outcome(name, run=run, success=n % 2 == 0) for run in (0, 1) for n, name in enumerate(names)]
    steady = [outcome(name, run=run, success=n % 4 != 1) for run in (0, 1) for n, name in enumerate(names)]
    lucky = [outcome(name, run=run, success=n % 2 == 0 or run == 1) for run in (0, 1) for n, name in enumerate(names)]
    spans = [only(before, after).differences["tgc"].gap for after in (steady, lucky)]
    assert spans[0].value == spans[1].value == 0.25
    assert spans[1].high - spans[1].low > 1.5 * (spans[0].high - spans[0].low)


@pytest.mark.parametrize(
    ("sums", "low", "high"),
    [
        ([0.0] * 10, -0.27, 0.27),  # ten pairs that agree do not prove that there is no difference
        ([1.0] * 6, 0.16, 1.0),  # six that all say the same do: chance alone does so in 3 of 100
        ([1.0, -1.0] * 20, -0.31, 0.31),
    ],
)
def test_the_interval_of_a_difference_of_shares(sums: list[float], low: float, high: float) -> None:
    found = gap({str(n): Cell(n=1, sum=value) for n, value in enumerate(sums)}, Apart(), most=1.0)
    assert (found.low, found.high) == (pytest.approx(low, abs=0.02), pytest.approx(high, abs=0.02))


def test_one_scenario_alone_gives_no_interval() -> None:
    found = gap({"a": Cell(n=3, sum=6.0)}, Apart())
    assert found.value == 2.0 and math.isnan(found.low)
