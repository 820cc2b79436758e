"""The strength of evidence: that it cannot be had by chance, nor by looking often."""

from __future__ import annotations

import math
from random import Random

import pytest

from prowess.store.curate import CurateSettings, case_against
from prowess.store.curate.evidence import (
    Population,
    against_difference,
    against_harm,
    against_rate,
    convicted,
    posterior_above,
    posterior_bound,
)
from prowess.store.standing import Statistics


def chance(count: int, of: int, rate: float) -> float:
    return math.comb(of, count) * rate**count * (1 - rate) ** (of - count)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.9, 0.99])
@pytest.mark.parametrize(("offered", "masked"), [(1, 1), (12, 3), (30, 5), (5, 30)])
def test_betting_against_a_harmless_skill_wins_nothing_on_average(rate: float, offered: int, masked: int) -> None:
    mean = sum(
        chance(a, offered, rate) * chance(b, masked, rate) * against_difference(a, offered, b, masked)
        for a in range(offered + 1)
        for b in range(masked + 1)
    )
    assert 0 < mean <= 1


@pytest.mark.parametrize("rate", [0.01, 0.2, 0.5])
def test_betting_against_rare_exceptions_wins_nothing_on_average(rate: float) -> None:
    assert sum(chance(n, 20, rate) * against_rate(n, 20, 0.5) for n in range(21)) <= 1


def test_a_harmful_skill_is_found_soon_and_no_evidence_is_none() -> None:
    assert against_difference(0, 18, 2, 2) > 30
    assert against_difference(0, 18, 0, 0) == against_difference(0, 0, 5, 5) == against_rate(0, 0, 0.5) == 1
    assert against_difference(18, 18, 2, 2) < 1
    assert against_difference(0, 10_000, 2_000, 2_000) < math.inf


def test_what_suffices_grows_with_the_number_of_tests_and_falls_with_the_number_of_the_guilty() -> None:
    innocent = [1.0] * 9_900
    assert convicted([1e6, *innocent], 0.05) == pytest.approx(9_901 / 0.05)
    assert convicted([3e3] * 100 + innocent, 0.05) == pytest.approx(10_000 / (0.05 * 100))
    assert convicted([1.9e3] * 100 + innocent, 0.05) == math.inf


def test_posterior_of_known_shares() -> None:
    assert posterior_above(0.5, 1, 1) == pytest.approx(0.5)
    assert posterior_above(0.3, 1, 9) == pytest.approx(0.7**9)
    assert posterior_above(0.3, 4, 8) == pytest.approx(sum(chance(n, 11, 0.3) for n in range(4)))
    assert posterior_above(0.6, 3_000, 2_000) == pytest.approx(0.5, abs=0.01)
    assert posterior_bound(0.95, 5, 1) == pytest.approx(0.05 ** (1 / 5))


@pytest.mark.parametrize("known", [Population(), Population(mean=0.7, weight=16.0), Population(mean=0.9, weight=2.0)])
@pytest.mark.parametrize("uplift", [0.0, 0.1, 0.5])
def test_betting_on_harm_wins_nothing_on_average_over_a_population(known: Population, uplift: float) -> None:
    mean = sum(
        math.exp(share)
        * chance(a, 10, rate + uplift * (1 - rate))
        * chance(b, 2, rate)
        * against_harm(a, 10, b, 2, known)
        for rate, share in known.rates
        for a in range(11)
        for b in range(3)
    )
    assert mean <= 1.001


def test_a_population_is_as_wide_as_the_arms_leave_it() -> None:
    alike = Population.of([(7, 10)] * 30)
    apart = Population.of([(10, 10), (10, 10), (1, 10)] * 10)
    assert alike.mean == pytest.approx(apart.mean, abs=0.01)
    assert alike.weight == 32 and apart.weight <= 2
    assert Population.of([]) == Population.of([(0, 0)]) == Population()
    assert against_harm(0, 8, 1, 1, alike) > 20 * against_harm(0, 8, 1, 1, apart)


def test_hundreds_of_harmless_skills_looked_at_again_and_again_are_left_alone() -> None:
    """600 skills of all rates of success, 25 looks: a bound of 95% would suspend many of them, by chance alone."""
    settings, rng = CurateSettings(), Random(7)
    rates = [rng.random() for _ in range(600)]
    counts = [[0, 0, 0, 0] for _ in rates]
    naive: set[int] = set()
    suspended: set[int] = set()
    for look in range(50):
        for rate, count in zip(rates, counts, strict=True):
            arm = 2 if rng.random() < 0.2 else 0
            count[arm] += 1
            count[arm + 1] += rng.random() < rate
        if look % 2:
            continue
        found = [
            Statistics(
                digest="d",
                offered=count[0],
                offered_successes=count[1],
                called=count[0],
                called_successes=count[1],
                masked=count[2],
                masked_successes=count[3],
            )
            for count in counts
        ]
        known = Population.of([(seen.masked_successes, seen.masked) for seen in found])
        values = [case_against(seen, settings, known).value for seen in found]
        enough = convicted(values, settings.rate)
        suspended |= {at for at, value in enumerate(values) if value >= enough}
        naive |= {
            at
            for at, seen in enumerate(found)
            if seen.uplift is not None and seen.uplift_error and seen.uplift < -1.65 * seen.uplift_error
        }
    assert not suspended
    assert len(naive) > 120
