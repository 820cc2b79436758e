"""The rewards on the paper's table and on longer chains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prowess.credit.reward import Pay, RewardSettings, chain, make_reward, outcome, pay_of, skill, uplifts, uses
from prowess.errors import RecipeError
from prowess.types import Episode, Rollout, Stop, Task, Use, Verdict

TENTHS = {1.0: 10, 0.6: 6, 0.5: 5, 0.0: 0}
NO_CODE, BROKEN = "no code", "error"


def episode(number: int, result: float | str, *, uses: tuple[int, ...] = (), error: str = "") -> Episode:
    """Task `number` of a chain with an outcome, having called a skill of each of the tasks in `uses`."""
    stop = {NO_CODE: Stop.NO_CODE, BROKEN: Stop.ERROR}.get(str(result), Stop.COMPLETED)
    good = 10 if isinstance(result, str) else TENTHS[result]  # what is left out or punished might even pass all checks
    return Episode(
        task=Task(id=f"a_{number}", scenario="a", instruction="Pay."),
        turns=(),
        verdict=Verdict(
            passed=tuple(f"good {n}" for n in range(good)), failed=tuple(f"bad {n}" for n in range(10 - good))
        ),
        stop=stop,
        called=tuple(Use(name="pay", turn=0, origin=f"a_{one}", error=error) for one in uses),
    )


def rollout(*episodes: Episode) -> Rollout:
    return Rollout(episodes=episodes)


def pair(r1: float | str, r2: float | str, u: int) -> Rollout:
    return rollout(episode(1, r1), episode(2, r2, uses=(1,) if u else ()))


def test_without_partial_credit_only_solved_tasks_are_worth_something() -> None:
    whole = RewardSettings(partial=False)
    assert skill(pair(0.6, 1.0, 1), whole) == (0.0, 2.0)
    assert outcome(pair(1.0, 0.5, 0), whole) == (1.0, 0.0)
    assert chain(pair(NO_CODE, 0.6, 0), whole) == (-1.0, 0.0)


@pytest.mark.parametrize(
    ("r1", "r2", "u", "rewards"),
    [
        (1.0, 1.0, 1, (2.0, 2.0)),
        (1.0, 1.0, 0, (1.0, 1.0)),
        (1.0, 0.6, 1, (1.0, 0.6)),
        (0.5, 1.0, 1, (0.5, 2.0)),
        (0.5, 0.6, 0, (0.5, 0.6)),
        (0.5, 0.6, 1, (0.5, 0.6)),
        (NO_CODE, 1.0, 1, (-1.0, 2.0)),
        (1.0, NO_CODE, 0, (1.0, -1.0)),
        (1.0, NO_CODE, 1, (1.0, -1.0)),
        (BROKEN, 1.0, 1, (None, 2.0)),
        (1.0, BROKEN, 1, (1.0, None)),
        (BROKEN, BROKEN, 1, (None, None)),
    ],
)
def test_the_skill_reward_of_a_pair(
    r1: float | str, r2: float | str, u: int, rewards: tuple[float | None, ...]
) -> None:
    assert skill(pair(r1, r2, u)) == rewards


@pytest.mark.parametrize(
    ("r1", "r2", "alone", "together"),
    [
        (1.0, 1.0, (1.0, 1.0), (2.0, 2.0)),
        (1.0, 0.6, (1.0, 0.6), (1.0, 0.6)),
        (0.0, 1.0, (0.0, 1.0), (0.0, 1.0)),
        (NO_CODE, 1.0, (-1.0, 1.0), (-1.0, 1.0)),
        (1.0, BROKEN, (1.0, None), (1.0, None)),
    ],
)
@pytest.mark.parametrize("u", [0, 1])
def test_the_ablations_of_a_pair_do_not_look_at_use(
    r1: float | str, r2: float | str, u: int, alone: tuple[float | None, ...], together: tuple[float | None, ...]
) -> None:
    assert outcome(pair(r1, r2, u)) == alone
    assert chain(pair(r1, r2, u)) == together


@pytest.mark.parametrize(("result", "reward"), [(1.0, 1.0), (0.6, 0.6), (NO_CODE, -1.0), (BROKEN, None)])
def test_a_chain_of_one_task_has_its_outcome_and_no_bonus(result: float | str, reward: float | None) -> None:
    alone = rollout(episode(1, result, uses=(1,)))

    assert skill(alone) == outcome(alone) == chain(alone) == (reward,)


@pytest.mark.parametrize(
    ("results", "called", "rewards"),
    [
        # Nobody uses anything.
        ((1.0, 1.0, 1.0), ((), (), ()), (1.0, 1.0, 1.0)),
        # The second uses the first's, the third uses the second's: the one in the middle earns both bonuses.
        ((1.0, 1.0, 1.0), ((), (1,), (2,)), (2.0, 3.0, 2.0)),
        # Two users pay the author once, two authors pay the user once.
        ((1.0, 1.0, 1.0), ((), (1,), (1,)), (2.0, 2.0, 2.0)),
        ((1.0, 1.0, 1.0), ((), (), (1, 2)), (2.0, 2.0, 2.0)),
        # The second used it and failed; the third used it and succeeded: the author is paid all the same.
        ((1.0, 0.5, 1.0), ((), (1,), (1,)), (2.0, 0.5, 2.0)),
        # An author that failed earns nothing, its user does.
        ((0.5, 1.0, 1.0), ((), (1,), (2,)), (0.5, 3.0, 2.0)),
        # No code at the end takes both bonuses and pays nobody.
        ((1.0, NO_CODE, 1.0), ((), (1,), (2,)), (1.0, -1.0, 2.0)),
        # What broke pays nobody, and its skill may still be used.
        ((1.0, BROKEN, 1.0), ((), (1,), (2,)), (1.0, None, 2.0)),
    ],
)
def test_the_skill_reward_of_three_tasks(
    results: tuple[float | str, ...], called: tuple[tuple[int, ...], ...], rewards: tuple[float | None, ...]
) -> None:
    played = [episode(n, result, uses=used) for n, (result, used) in enumerate(zip(results, called, strict=True), 1)]

    assert skill(rollout(*played)) == rewards


def test_the_chain_bonus_asks_for_every_task_of_three() -> None:
    assert chain(rollout(episode(1, 1.0), episode(2, 1.0), episode(3, 1.0))) == (2.0, 2.0, 2.0)
    assert chain(rollout(episode(1, 1.0), episode(2, 1.0), episode(3, 0.6))) == (1.0, 1.0, 0.6)


def test_only_skills_of_earlier_tasks_of_the_rollout_count_as_used() -> None:
    own_later_and_foreign = rollout(episode(1, 1.0, uses=(1, 2, 9)), episode(2, 1.0, uses=(2, 9)))

    assert uses(own_later_and_foreign) == frozenset()
    assert skill(own_later_and_foreign) == (1.0, 1.0)


def test_a_call_that_raised_counts_as_use_unless_the_settings_say_otherwise() -> None:
    failing = rollout(episode(1, 1.0), episode(2, 1.0, uses=(1,), error="KeyError: 'email'"))

    assert skill(failing) == (2.0, 2.0)
    assert skill(failing, RewardSettings(failed_calls=False)) == (1.0, 1.0)
    assert skill(pair(1.0, 1.0, 1), RewardSettings(failed_calls=False)) == (2.0, 2.0)


def test_bonus_and_penalty_are_settings() -> None:
    settings = RewardSettings(bonus=0.25, penalty=-0.5)

    assert make_reward(settings)([pair(1.0, 1.0, 1)]) == [(1.25, 1.25)]
    assert make_reward(settings)([pair(1.0, NO_CODE, 1)]) == [(1.0, -0.5)]
    assert make_reward(replace(settings, name="chain"))([pair(1.0, 1.0, 0)]) == [(1.25, 1.25)]
    assert make_reward(replace(settings, name="outcome"))([pair(1.0, NO_CODE, 1)]) == [(1.0, -0.5)]


def test_the_parts_of_a_reward_add_up_to_it() -> None:
    three = rollout(episode(1, 1.0), episode(2, 1.0, uses=(1,)), episode(3, 1.0, uses=(2,)))

    (found,) = pay_of([three])
    assert found == (
        Pay(outcome=1.0, generation=1.0),
        Pay(outcome=1.0, generation=1.0, usage=1.0),
        Pay(outcome=1.0, usage=1.0),
    )
    assert pay_of([three], RewardSettings(name="chain")) == [(Pay(outcome=1.0, chain=1.0),) * 3]
    assert pay_of([three], RewardSettings(name="outcome")) == [(Pay(outcome=1.0),) * 3]
    assert pay_of([pair(NO_CODE, BROKEN, 1)]) == [(Pay(penalty=-1.0), None)]


def by_turns(rollout: Rollout) -> list[float]:
    return [0.5] * len(rollout.episodes)


def one_short(rollout: Rollout) -> list[float]:
    return [0.5] * (len(rollout.episodes) - 1)


def not_a_number(rollout: Rollout) -> list[float]:
    return [float("nan")] * len(rollout.episodes)


def one_for_all(rollout: Rollout) -> float:
    return 1.0


def in_words(rollout: Rollout) -> list[str]:
    return ["good"] * len(rollout.episodes)


def of_numpy(rollout: Rollout) -> np.ndarray:
    return np.full(len(rollout.episodes), 0.5, dtype=np.float32)


def test_somebody_elses_reward_is_named_by_module_and_function() -> None:
    assert make_reward(RewardSettings(name="test_reward:by_turns"))([pair(1.0, 0.5, 0)]) == [(0.5, 0.5)]
    assert pay_of([pair(1.0, 0.5, 0)], RewardSettings(name="test_reward:by_turns")) == [
        (Pay(outcome=1.0), Pay(outcome=0.5))
    ]


def test_the_uplift_pays_for_use_what_the_library_added_in_the_group() -> None:
    """With a library the second task reaches 1.0 and 0.5, without 0.5 and 0.0: the library added a half."""
    control = [replace(pair(1.0, 0.5, 0), masked=True), replace(pair(1.0, 0.0, 0), masked=True)]
    played = [pair(1.0, 1.0, 1), pair(1.0, 0.5, 1), *control]
    assert uplifts(played, pay_of(played)) == (0.0, 0.5)
    assert make_reward(RewardSettings(name="uplift"))(played) == [(1.5, 1.5), (1.0, 0.5), (1.0, 0.5), (1.0, 0.0)]


def test_a_skill_that_served_two_tasks_is_paid_the_most_that_the_library_added_to_one() -> None:
    """The first one's skill is used by both others; the library added a half to the second, and all to the third."""
    control = replace(rollout(episode(1, 1.0), episode(2, 0.5), episode(3, 0.0)), masked=True)
    played = [rollout(episode(1, 1.0), episode(2, 1.0, uses=(1,)), episode(3, 1.0, uses=(1,))), control]
    assert uplifts(played, pay_of(played)) == (0.0, 0.5, 1.0)
    assert make_reward(RewardSettings(name="uplift"))(played) == [(2.0, 1.5, 2.0), (1.0, 0.5, 0.0)]


def test_without_partial_credit_the_uplift_is_of_solved_tasks() -> None:
    """With a library one of two second tasks is solved, without none; by shares of checks it would add 0.2."""
    control = [replace(pair(1.0, 0.6, 0), masked=True), replace(pair(1.0, 0.6, 0), masked=True)]
    whole = RewardSettings(name="uplift", partial=False)
    played = [pair(1.0, 1.0, 1), pair(1.0, 0.6, 1), *control]
    assert uplifts(played, pay_of(played)) == pytest.approx((0.0, 0.2))
    assert uplifts(played, pay_of(played, whole)) == (0.0, 0.5)
    assert make_reward(whole)(played) == [(1.5, 1.5), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]


def test_a_library_that_harms_costs_whoever_used_it_and_one_that_was_not_compared_pays_nothing() -> None:
    control = replace(pair(1.0, 1.0, 0), masked=True)
    harmful = [pair(1.0, 1.0, 1), pair(1.0, 0.0, 1), control]
    assert make_reward(RewardSettings(name="uplift"))(harmful) == [(0.5, 0.5), (1.0, 0.0), (1.0, 1.0)]
    broken = replace(pair(1.0, BROKEN, 0), masked=True)
    without, alone = [pair(1.0, 1.0, 1), broken], [pair(1.0, 1.0, 1)]
    assert uplifts(without, pay_of(without)) == (0.0, None)
    assert uplifts(alone, pay_of(alone)) == (None, None)
    assert make_reward(RewardSettings(name="uplift"))([pair(1.0, 1.0, 1)]) == [(1.0, 1.0)]


def test_somebody_elses_reward_neither_pays_nor_blames_an_episode_that_broke() -> None:
    theirs = make_reward(RewardSettings(name="test_reward:by_turns"))
    assert theirs([pair(BROKEN, 0.5, 0), pair(1.0, BROKEN, 0)]) == [(None, 0.5), (0.5, None)]


def test_of_somebody_elses_reward_no_penalty_is_told_that_it_does_not_know() -> None:
    theirs = RewardSettings(name="test_reward:by_turns")
    assert pay_of([pair(NO_CODE, 1.0, 0)], theirs) == [(Pay(), Pay(outcome=1.0))]


def test_somebody_elses_reward_is_held_to_one_finite_number_per_episode() -> None:
    with pytest.raises(RecipeError, match="'test_reward:one_short' gave 1 value for 2 episodes"):
        make_reward(RewardSettings(name="test_reward:one_short"))([pair(1.0, 1.0, 0)])
    for name, what in (("not_a_number", "gave nan"), ("one_for_all", "gave 1.0, which"), ("in_words", "gave 'good'")):
        with pytest.raises(RecipeError, match=rf"'test_reward:{name}' {what}[\s\S]*one number per episode"):
            make_reward(RewardSettings(name=f"test_reward:{name}"))([pair(1.0, 1.0, 0)])
    (given,) = make_reward(RewardSettings(name="test_reward:of_numpy"))([pair(1.0, 1.0, 0)])
    assert [type(value) for value in given] == [float, float]


def test_an_unknown_reward_and_an_infinite_bonus_are_refused() -> None:
    with pytest.raises(RecipeError, match=r"unknown reward 'skil'[\s\S]*did you mean 'skill'"):
        make_reward(RewardSettings(name="skil"))
    with pytest.raises(RecipeError, match="bonus is inf"):
        RewardSettings(bonus=float("inf"))
