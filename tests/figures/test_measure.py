"""Measures of literal episodes, and intervals that cover what they promise."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from synthetic import episode, evaluation, skill, task

from prowess.figures.intervals import Apart, Cell, Estimate, average, effective_size, gap, proportion, total
from prowess.figures.measure import Measures, Played, growth, measure, metrics_of, outcomes, places
from prowess.types import Observation, Skill


def play(scenario: str, number: int, *, run: int = 0, split: str = "dev", difficulty: int = 1, **more) -> Played:
    return Played(run=run, split=split, episode=episode(task(scenario, number, difficulty), **more))


def only(played: list[Played]) -> Measures:
    (row,) = measure(played)
    return row


def test_tgc_counts_tasks_and_sgc_scenarios_with_every_task_solved() -> None:
    row = only(
        [play("a", n) for n in (1, 2, 3)]
        + [play("b", 1), play("b", 2), play("b", 3, success=False)]
        + [play("c", n, success=False) for n in (1, 2, 3)]
    )
    assert (row.runs, row.scenarios, row.tasks, row.episodes, row.errors) == (1, 3, 9, 9, 0)
    assert row.tgc.value == pytest.approx(5 / 9)
    assert row.tgc.n == 9
    assert row.sgc.value == pytest.approx(1 / 3)
    assert row.sgc.n == 3
    assert math.isnan(row.tgc.sd)


def test_a_scenario_must_be_solved_within_one_run() -> None:
    row = only(
        [
            play("a", 1, run=0),
            play("a", 2, run=0, success=False),
            play("a", 1, run=1, success=False),
            play("a", 2, run=1),
        ]
    )
    assert row.tgc.value == 0.5
    assert row.sgc.value == 0.0


def test_runs_give_their_mean_and_standard_deviation() -> None:
    row = only(
        [play(name, 1, run=0) for name in "abcd"]
        + [play(name, 1, run=1, success=name != "a") for name in "abcd"]
        + [play(name, 1, run=2, success=name in "ab") for name in "abcd"]
    )
    assert row.runs == 3
    assert row.tgc.value == pytest.approx(0.75)
    assert row.tgc.sd == pytest.approx(0.25)
    assert row.tgc.n == 12


def test_errors_are_counted_and_left_out_of_every_figure() -> None:
    fine = [play("a", 1), play("a", 2), play("b", 1), play("b", 2)]
    broken = [
        play("c", 1),
        play("c", 2, error="the world broke", turns=30, learned=(skill("lost", task("c", 2)),)),
    ]
    row = only(fine + broken)
    assert (row.episodes, row.errors, row.left_out) == (6, 1, 1)
    assert row.tgc.value == 1.0
    assert row.tgc.n == 5
    assert row.sgc.n == 2
    assert row.steps.value == 4
    assert row.library.value == 0


def test_a_scenario_not_yet_played_to_its_end_is_left_out_of_sgc() -> None:
    row = only([play("a", 1), play("a", 2), play("a", 1, run=1)])
    assert row.left_out == 1
    assert row.sgc.n == 1
    assert row.sgc.value == 1.0


def test_nothing_but_errors_gives_no_figure_and_no_crash() -> None:
    row = only([play("a", 1, error="broke"), play("a", 2, error="broke")])
    assert row.errors == 2
    assert math.isnan(row.tgc.value)
    assert math.isnan(row.library.low)
    assert measure([]) == ()


def test_steps_and_tokens_are_means_per_task() -> None:
    row = only([play("a", 1, turns=2, tokens=10), play("b", 1, turns=6, tokens=100)])
    assert row.steps.value == 4
    assert row.tokens.value == (20 + 600) / 2
    assert row.steps.low <= 4 <= row.steps.high


def test_use_is_a_share_of_the_episodes_that_were_offered_something() -> None:
    row = only(
        [
            play("a", 1),
            play("a", 2, offered=("f",), used=("f",)),
            play("a", 3, offered=("f", "g"), used=("f", "f", "g"), success=False),
            play("b", 1),
            play("b", 2, offered=("h",)),
        ]
    )
    assert row.use.value == pytest.approx(2 / 3)
    assert row.use_overall.value == pytest.approx(2 / 5)
    assert row.success_given_use.value == 0.5
    assert row.success_given_use.n == 2


def test_what_a_solved_task_took_does_not_depend_on_how_long_failures_were_let_go_on() -> None:
    short, longer = play("a", 1, success=True, turns=2), play("a", 2, success=True, turns=4)
    row = only([short, longer, play("b", 1, success=False, turns=30), play("b", 2, success=False, turns=40)])
    assert (row.steps.value, row.solved_steps.value, row.solved_steps.n) == (19.0, 3.0, 2)
    tokens = [played.episode.reply_tokens for played in (short, longer)]
    assert row.solved_tokens.value == sum(tokens) / 2 < row.tokens.value
    assert metrics_of(row)["play/solved_steps"] == 3.0
    none = only([play("b", 1, success=False, turns=3)])
    assert math.isnan(none.solved_steps.value), "nobody solved anything"


def test_what_went_wrong_on_the_way_is_a_share_of_episodes_and_what_was_mended_one_of_those() -> None:
    def played(scenario: str, number: int, *, fails: int | None, success: bool) -> Played:
        one = play(scenario, number, success=success, turns=3)
        seen = [Observation(text="", failed=turn == fails) for turn in range(3)]
        turns = [replace(turn, observation=found) for turn, found in zip(one.episode.turns, seen, strict=True)]
        return replace(one, episode=replace(one.episode, turns=tuple(turns)))

    fine, mended = played("a", 1, fails=None, success=True), played("a", 2, fails=0, success=True)
    lost, silent = played("b", 1, fails=1, success=False), played("b", 2, fails=None, success=False)
    row = only([fine, mended, lost, silent])
    assert (row.erred.value, row.erred.n) == (0.5, 4)
    assert (row.mended.value, row.mended.n) == (0.5, 2)
    assert metrics_of(row)["play/mended"] == 0.5
    speechless = replace(lost.episode.turns[1], code="")
    assert not replace(lost.episode, turns=(speechless,)).erred, "no code is no error of code"


def test_the_library_holds_a_name_once_per_scenario_and_run_and_the_last_version_counts() -> None:
    one, two = task("a", 1), task("a", 2)
    narrow, wide, other = skill("f", one, 1), skill("f", two, 3), skill("g", two, 1)
    row = only(
        [
            play("a", 1, learned=(narrow,)),
            play("a", 2, learned=(wide, other)),
            play("b", 1),
            play("a", 1, run=1, learned=(narrow,)),
            play("a", 2, run=1),
            play("b", 1, run=1, learned=(narrow,)),
        ]
    )
    assert row.library.value == 2
    assert row.library.n == 4
    assert row.combining.value == pytest.approx((1 / 2 + 0 / 2) / 2)


def test_an_api_called_twice_is_not_a_combination() -> None:
    twice = Skill(name="f", source="", apis=("mail.send", "mail.send"))
    assert only([play("a", 1, learned=(twice,))]).combining.value == 0.0


def test_rows_come_by_split_and_by_the_difficulty_of_the_hardest_task() -> None:
    rows = measure(
        [
            play("a", 1, split="test"),
            play("b", 1, split="test", difficulty=1),
            play("b", 2, split="test", difficulty=3, success=False),
            play("d", 1, split="test", difficulty=1),
            play("c", 1, split="dev", difficulty=2),
        ]
    )
    assert [(row.split, row.difficulty, row.scenarios) for row in rows] == [
        ("test", None, 3),
        ("test", 1, 2),
        ("test", 3, 1),
        ("dev", None, 1),
    ]
    assert rows[2].tgc.value == 0.5


def test_places_follow_the_order_of_play() -> None:
    facts = outcomes(
        [
            play("a", 2, turns=9),
            play("a", 1, turns=3, offered=("f",), used=("f",)),
            play("b", 1, turns=7),
            play("b", 2, turns=5),
            play("b", 3, error="broke"),
        ]
    )
    first, second = places(facts)
    assert (first.place, first.steps.value, first.use_overall.value) == (1, 8, 0.0)
    assert (second.place, second.steps.value, second.use_overall.value) == (2, 4, 0.5)


def test_growth_counts_names_along_each_run() -> None:
    f, g = skill("f", task("a", 1)), skill("g", task("a", 2))
    played = [play("a", 1, learned=(f,)), play("a", 2, learned=(f, g)), play("a", 3)]
    played += [play("b", 1, learned=(f,)), play("b", 2, learned=(g,), error="broke"), play("a", 1, run=1)]
    assert growth(outcomes(played)) == {0: [1, 2, 2, 3, 3], 1: [0]}


def test_metrics_are_the_measures_by_their_names() -> None:
    row = measure(evaluation(seed=3, scenarios=12))[0]
    metrics = metrics_of(row)
    assert {name.removeprefix("play/") for name in metrics} == {
        *("tgc", "sgc", "steps", "tokens", "solved_steps", "solved_tokens", "use", "use_overall", "success_given_use"),
        *("erred", "mended", "library", "combining", "episodes", "errors", "breaks"),
    }
    for name, value in metrics.items():
        figure = getattr(row, name.removeprefix("play/"))
        assert value == (figure.value if isinstance(figure, Estimate) else figure)


def test_measures_of_an_evaluation_are_the_same_every_time_and_in_any_order() -> None:
    played = list(evaluation(seed=3, scenarios=12))
    shuffled = played.copy()
    random.Random(1).shuffle(shuffled)
    first, again = measure(played), measure(shuffled)
    assert [row.tgc for row in first] == [row.tgc for row in again]
    assert [row.sgc for row in first] == [row.sgc for row in again]
    assert first[0].steps.low == pytest.approx(again[0].steps.low)
    assert first[0].tokens.high == pytest.approx(again[0].tokens.high)


# --- intervals ------------------------------------------------------------------------------------------------------


def test_perfect_scores_of_few_scenarios_leave_room_for_doubt() -> None:
    table = {run: {str(c): Cell(n=3, sum=3) for c in range(19)} for run in range(3)}
    estimate = proportion(table)
    assert (estimate.value, estimate.high, estimate.sd) == (1.0, 1.0, 0.0)
    # Wilson for 19 of 19: 19 scenarios, not 171 episodes.
    assert estimate.low == pytest.approx(0.8318, abs=1e-3)


def test_wilson_agrees_with_the_textbook_when_nothing_is_clustered() -> None:
    # 500 of 1000 independent: 0.4691 to 0.5309 (Student's quantile with 999 degrees is 1.9623).
    estimate = proportion({0: {str(c): Cell(n=1, sum=c % 2) for c in range(1000)}})
    assert estimate.low == pytest.approx(0.4691, abs=2e-4)
    assert estimate.high == pytest.approx(0.5309, abs=2e-4)


def test_siblings_that_always_agree_are_worth_one_observation() -> None:
    assert effective_size(0.5, [Cell(n=3, sum=3), Cell(n=3, sum=0)] * 10) == pytest.approx(20)
    assert effective_size(0.5, [Cell(n=2, sum=1)] * 10) == 20
    assert effective_size(1.0, [Cell(n=3, sum=3)] * 10) == pytest.approx(10)
    assert effective_size(0.0, [Cell(n=3, sum=0)] * 10) == pytest.approx(10)
    assert effective_size(1.0, [Cell(n=9, sum=9), Cell(n=1, sum=1)]) == pytest.approx(100 / 82)


def test_repeating_the_same_runs_does_not_narrow_the_interval() -> None:
    cells = {str(c): Cell(n=3, sum=3.0 * (c % 2)) for c in range(20)}
    once, thrice = proportion({0: cells}), proportion({0: cells, 1: cells, 2: cells})
    assert thrice.high - thrice.low == pytest.approx(once.high - once.low, rel=1e-6)


def test_what_runs_differ_by_is_added_to_what_scenarios_differ_by() -> None:
    """Of 20 scenarios two runs solve the first 16 and two the first 8: means .8 and .4, each .2 from .6. By scenarios
    the variance is 20/19 * 44.8/80^2 = .00737; by runs, beyond the chance of 8 cells .5 from their mean, (.16/3 -
    4/3 * 8 * .25/20^2)/4 = .01167. Together .01904 with 7.51 degrees of freedom, where Student's quantile is 2.3323.
    """
    runs = [{str(c): Cell(n=1, sum=c < solved) for c in range(20)} for solved in (16, 8, 16, 8)]
    share, mean = proportion(dict(enumerate(runs))), average(dict(enumerate(runs)), seed=1)
    assert (share.low, share.high) == pytest.approx((0.2992, 0.8405), abs=5e-4)
    half = 2.3323 * math.sqrt(0.01904)
    assert (mean.low, mean.high) == pytest.approx((0.6 - half, 0.6 + half), abs=0.01)


def test_runs_that_differ_do_not_make_a_count_less_than_nothing() -> None:
    table = {run: {str(c): Cell(n=1, sum=steps) for c in range(20)} for run, steps in enumerate((1, 20))}
    estimate = average(table, seed=1)
    assert (estimate.value, estimate.low) == (10.5, 0.0) and estimate.high > 20


def test_one_scenario_gives_no_interval_for_a_mean() -> None:
    estimate = average({0: {"a": Cell(n=3, sum=12)}}, seed=1)
    assert estimate.value == 4
    assert math.isnan(estimate.low)
    assert total({0: {"a": Cell(n=3, sum=12)}}, seed=1).value == 3


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """Scenarios that differ strongly, three tasks in two runs: 95% promised; naive ones would reach about 70%."""
    chance = random.Random(7)
    hits = {"share": 0, "mean": 0}
    trials = 200
    for trial in range(trials):
        ease = [chance.betavariate(1.5, 1.0) for _ in range(20)]  # mean 0.6
        table = {
            run: {str(c): Cell(n=3, sum=sum(chance.random() < p for _ in range(3))) for c, p in enumerate(ease)}
            for run in range(2)
        }
        share = proportion(table)
        hits["share"] += share.low <= 0.6 <= share.high
        mean = average(table, seed=trial)
        hits["mean"] += mean.low <= 0.6 <= mean.high
    assert 0.91 <= hits["share"] / trials <= 0.99
    assert 0.91 <= hits["mean"] / trials <= 0.99


def test_runs_that_go_well_or_badly_as_a_whole_are_not_taken_for_many_observations() -> None:
    """One library for all scenarios of a run, good in one and bad in another: four runs tell
    about how much, so nine times in ten; by scenarios alone it would be six."""
    chance = random.Random(11)
    hits = {"share": 0, "mean": 0}
    trials = 200
    for trial in range(trials):
        ease = [chance.betavariate(3.0, 2.0) for _ in range(60)]  # mean 0.6
        table = {}
        for run in range(4):
            luck = chance.uniform(-0.2, 0.2)
            solved = [sum(chance.random() < p + luck for _ in range(3)) for p in ease]
            table[run] = {str(c): Cell(n=3, sum=count) for c, count in enumerate(solved)}
        share, mean = proportion(table), average(table, seed=trial)
        hits["share"] += share.low <= 0.6 <= share.high
        hits["mean"] += mean.low <= 0.6 <= mean.high
    assert 0.87 <= hits["share"] / trials <= 0.97
    assert 0.87 <= hits["mean"] / trials <= 0.97


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (60, 2.0003)])
def test_students_quantile_is_that_of_the_textbook_from_one_degree_of_freedom_on(freedom: int, quantile: float) -> None:
    cells = {str(n): Cell(n=1, sum=float(n)) for n in range(freedom + 1)}
    error = (sum((n - freedom / 2) ** 2 for n in range(freedom + 1)) / freedom / (freedom + 1)) ** 0.5
    found = gap(cells, Apart())
    assert (found.high - found.value) / error == pytest.approx(quantile, abs=1e-4)
