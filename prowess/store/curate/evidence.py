"""How strong the evidence is, as exact functions of counts.

Two different questions get two different answers. What is believed of a skill is its Beta posterior, as everywhere.
Whether it is to be suspended is a test, made again and again, on thousands of skills at once; a posterior's bound would
be crossed by chance by many good ones, sooner or later. So the case against a skill is an e-value: what a gambler who
bets that it does harm has made of a stake of 1, at fair odds. While it does none, the gambler has no winning strategy:

    P(the stake ever reaches x) <= 1/x         whenever one looks, and however often (Ville)
    the mean of several e-values is one        so three complaints about a skill are one case
    the k largest of m, all >= m / (rate k)    of those suspended, at most this share is innocent on average (e-BH)

And if none of the m does harm, the chance that anything is ever suspended is at most `rate`: for that, the mean of all
m stakes has to reach 1/rate, and it is an e-value itself.

`against_difference` assumes nothing about a skill: the gambler spreads the stake over all rates of success (a
Beta(1/2, 1/2) mixture, one for each arm) and is paid against the rates that suit the accused best (universal
inference). It has only the skill's own masked episodes to compare with, which are few. `against_harm` also knows how
episodes end from which other skills were held back (`Population`): it promises the same on average over skills whose
tasks are like those, not for each skill alone. Where tasks differ much, the population is wide, and it says little.

Success must come at a steady rate in each arm; where tasks change with time, both arms change together, which the
random masking sees to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_HALF = math.lgamma(0.5) * 2 - math.lgamma(1.0)
"""log B(1/2, 1/2)"""


def against_difference(low: int, low_of: int, high: int, high_of: int) -> float:
    """The e-value against "the first succeeds at least as often as the second", `low` of `low_of`, `high` of `high_of`.

    >>> round(against_difference(0, 20, 4, 4)), round(against_difference(19, 20, 4, 4), 2)
    (1703, 0.06)
    """
    if not low_of or not high_of:
        return 1.0
    if low * high_of >= high * low_of:
        best = _likelihood(low, low_of, low / low_of) + _likelihood(high, high_of, high / high_of)
    else:
        both = (low + high) / (low_of + high_of)
        best = _likelihood(low, low_of, both) + _likelihood(high, high_of, both)
    return _exp(_mixture(low, low_of) + _mixture(high, high_of) - best)


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """How often episodes succeed from which a skill was held back, from skill to skill: a Beta distribution."""

    mean: float = 0.5
    weight: float = 1.0
    """How much the skills are alike: the distribution's alpha + beta. The default is that nothing is known."""

    @classmethod
    def of(cls, arms: Sequence[tuple[int, int]]) -> Population:
        """The widest one that fits masked arms well, each `successes, of`.

        >>> Population.of([(0, 1), (1, 1)] * 9), Population.of([(3, 4), (2, 3), (4, 5), (3, 5)] * 9).weight
        (Population(mean=0.5, weight=1.0), 16.0)
        """
        arms = [arm for arm in arms if arm[1]]
        mean = (sum(won for won, _ in arms) + 0.5) / (sum(of for _, of in arms) + 1)
        fits = [(sum(_spread(won, of, mean, weight) for won, of in arms), weight) for weight in _WEIGHTS]
        best = max(fit for fit, _ in fits)
        return cls(mean=mean, weight=min(weight for fit, weight in fits if fit >= best - 2))

    @property
    def rates(self) -> tuple[tuple[float, float], ...]:
        """Rates with the log of their share."""
        return _rates(self.mean, self.weight)


def against_harm(low: int, low_of: int, high: int, high_of: int, known: Population) -> float:
    """The e-value against "the first succeeds as often as the second" (or more), the second's rate drawn from those.

    >>> usual = Population(mean=0.7, weight=16)
    >>> round(against_harm(0, 8, 1, 1, usual)), round(against_harm(0, 8, 1, 1, Population()), 1)
    (280, 7.6)
    >>> round(against_harm(7, 8, 1, 1, usual), 1)
    0.2
    """
    if not low_of:
        return 1.0
    innocent, guilty = [], []
    for rate, share in known.rates:
        without = share + _likelihood(high, high_of, rate)
        innocent.append(without + _likelihood(low, low_of, rate))
        guilty += [without + _likelihood(low, low_of, rate * part) - _PARTS_LOG for part in _PARTS]
    return _exp(_sum(guilty) - _sum(innocent))


def against_rate(count: int, of: int, limit: float) -> float:
    """The e-value against "it happens at a rate of `limit` at most".

    >>> round(against_rate(9, 10, 0.3)), round(against_rate(3, 10, 0.3), 2)
    (673, 0.25)
    """
    if not of:
        return 1.0
    return _exp(_mixture(count, of) - _likelihood(count, of, min(limit, count / of)))


def convicted(values: Sequence[float], rate: float) -> float:
    """The e-value that suffices now, so that of all those who reach it at most `rate` are innocent on average.

    >>> convicted([1.0, 1.0, 1.0, 1.0], 0.05), round(convicted([60.0, 1.0, 41.0, 45.0], 0.05), 2)
    (inf, 26.67)
    """
    tests = len(values)
    for place, value in sorted(enumerate(sorted(values, reverse=True), start=1), reverse=True):
        if value >= tests / (rate * place):
            return tests / (rate * place)
    return math.inf


def posterior_above(rate: float, alpha: float, beta: float) -> float:
    """The share of a Beta(alpha, beta) that lies above a rate.

    >>> round(posterior_above(0.5, 9, 1), 4)
    0.998
    """
    if rate <= 0 or rate >= 1:
        return float(rate <= 0)
    front = math.exp(
        alpha * math.log(rate)
        + beta * math.log1p(-rate)
        + math.lgamma(alpha + beta)
        - math.lgamma(alpha)
        - math.lgamma(beta)
    )
    if rate < (alpha + 1) / (alpha + beta + 2):
        return 1 - front * _fraction(rate, alpha, beta) / alpha
    return front * _fraction(1 - rate, beta, alpha) / beta


def posterior_bound(share: float, alpha: float, beta: float) -> float:
    """The rate above which this share of a Beta(alpha, beta) lies.

    >>> round(posterior_bound(0.95, 9, 1), 3)
    0.717
    """
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if posterior_above(middle, alpha, beta) >= share else (low, middle)
    return low


class Difference(NamedTuple):
    """Of two rates, with its standard error."""

    value: float
    error: float


def difference(one: int, one_of: int, other: int, other_of: int) -> Difference:
    """How much more often the first succeeds, and the error of that (after Agresti and Caffo).

    A success and a failure are added to each arm: an arm of two that both succeeded is not known without an error.
    """
    first, second = (one + 1) / (one_of + 2), (other + 1) / (other_of + 2)
    error = math.sqrt(first * (1 - first) / (one_of + 2) + second * (1 - second) / (other_of + 2))
    return Difference(first - second, error)


_WEIGHTS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_PARTS = tuple((n + 0.5) / 8 for n in range(8))
"""What harm may leave of a rate: none of it, to nearly all."""
_PARTS_LOG = math.log(len(_PARTS))
_GRID = 24


@lru_cache(maxsize=4096)
def _rates(mean: float, weight: float) -> tuple[tuple[float, float], ...]:
    alpha, beta = mean * weight, (1 - mean) * weight
    above = [posterior_above(n / _GRID, alpha, beta) for n in range(_GRID + 1)]
    shares = [(n, above[n] - above[n + 1]) for n in range(_GRID)]
    return tuple(((n + 0.5) / _GRID, math.log(share)) for n, share in shares if share > 0)


def _spread(won: int, of: int, mean: float, weight: float) -> float:
    """The log of the beta-binomial probability of a masked arm."""
    alpha, beta = mean * weight, (1 - mean) * weight
    there = math.lgamma(alpha + won) + math.lgamma(beta + of - won) - math.lgamma(weight + of)
    return there - math.lgamma(alpha) - math.lgamma(beta) + math.lgamma(weight)


def _sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + math.log(sum(math.exp(one - most) for one in logs))


def _mixture(count: int, of: int) -> float:
    """The log of what the spread stake makes of these outcomes."""
    return math.lgamma(count + 0.5) + math.lgamma(of - count + 0.5) - math.lgamma(of + 1) - _HALF


def _likelihood(count: int, of: int, rate: float) -> float:
    found = count * math.log(rate) if count else 0.0
    return found + ((of - count) * math.log1p(-rate) if of > count else 0.0)


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, from the front."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    found = d
    for n in range(1, 1000):
        for term in (
            n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)),
            -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1)),
        ):
            d = 1 + term * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + term / c
            c = c if abs(c) > tiny else tiny
            found *= c * d
        if abs(c * d - 1) < 1e-13:
            break
    return found
