"""A figure from observations of several runs and scenarios, with a 95% interval.

**What is independent.** Tasks of a scenario share their shape, and runs of a task share the task, so the scenario is
the unit of independence: intervals see C scenarios (clusters), not N episodes.

*Proportions* use Wilson's interval on an effective number of observations. With n_c observations and residuals
e_c = sum(y - p) in cluster c, N = sum(n_c):

    V     = C / (C - 1) * sum(e_c^2) / N^2        variance that respects the clusters
    V0    = p (1 - p) / N                         variance if all were independent
    n_eff = N * V0 / V, kept within [N^2 / sum(n_c^2), N]

The lower bound is one observation per scenario (exactly C when they are equally large). At p = 0 or p = 1 the data
cannot tell how alike siblings are, and the lower bound is used. The normal quantile is replaced by Student's with
C - 1 degrees of freedom, because V is itself an estimate from C clusters.

*Differences* of two sides are taken task by task where both played it; their interval is Student's over the
scenarios (`gap`).

*Means and totals* use a seeded bootstrap over scenarios, with percentiles widened for few scenarios (the tail
probability is Phi(-t * sqrt(C / (C - 1))), t being Student's quantile). One scenario alone gives no interval.

**Runs that go well or badly as a whole.** Where all scenarios of a run share a library, one bad skill in it spoils many
of them, and they are no longer independent of each other. With R runs, means m_r and residuals d_rc of the cells from
their scenario's mean, what runs differ by beyond the chance of their cells is

    W = max(0, var(m_r) - R / (R - 1) * mean over r of sum_c(d_rc^2) / N_r^2)

Shares and means are given V + W / R in place of V, with the degrees of freedom that Satterthwaite gives the sum of two
variances that were estimated from C clusters and from R runs. Two or three runs tell little about how much runs differ:
where they differ strongly, such intervals hold the truth 83 to 86 times in 100, 49 to 58 without W
(`benchmarks/intervals.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, mean, stdev, variance

RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure: the mean over runs, their spread, and where the truth lies 95 times in 100. NaN where there is none."""

    value: float
    low: float
    high: float
    sd: float
    """Standard deviation over the runs; NaN with one run."""
    n: int
    """How many observations it rests on: episodes, scenarios or skills, over all runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The observations that one scenario contributes in one run."""

    n: int
    sum: float


Table = Mapping[int, Mapping[str, Cell]]
"""Observations by run and scenario: what every estimate is made from."""


def proportion(table: Table) -> Estimate:
    """A share of observations, with Wilson's interval on the effective sample size (see the module's opening)."""
    shares = _per_run(table)
    pooled: dict[str, Cell] = {}
    for row in table.values():
        for name, cell in row.items():
            before = pooled.get(name, Cell(n=0, sum=0.0))
            if cell.n:
                pooled[name] = Cell(n=before.n + cell.n, sum=before.sum + cell.sum)
    if not shares:
        return _nothing()
    value = mean(shares)
    span = _wilson(value, list(pooled.values()), together(table))
    n = sum(cell.n for cell in pooled.values())
    return Estimate(value=value, low=span.low, high=span.high, sd=_spread(shares), n=n)


def average(table: Table, *, seed: int) -> Estimate:
    """A mean per observation, with a bootstrap interval over scenarios."""
    means = _per_run(table)
    if not means:
        return _nothing()
    span = _bootstrap(table, seed, lambda sums, counts: sums / counts, together(table))
    n = sum(cell.n for row in table.values() for cell in row.values())
    return Estimate(value=mean(means), low=span.low, high=span.high, sd=_spread(means), n=n)


def total(table: Table, *, seed: int) -> Estimate:
    """How many observations a run has, with a bootstrap interval over scenarios."""
    counts = [float(sum(cell.n for cell in row.values())) for row in table.values()]
    if not counts:
        return _nothing()
    span = _bootstrap(table, seed, lambda sums, counts: counts, Apart())
    return Estimate(value=mean(counts), low=span.low, high=span.high, sd=_spread(counts), n=int(sum(counts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """What whole runs differ by: the variance that it gives their mean, and the degrees of freedom it is known with."""

    variance: float = 0.0
    freedom: float = 1.0

    def student(self, within: float, freedom: float) -> float:
        """Student's quantile for the sum of this variance and that of scenarios (Satterthwaite)."""
        if not self.variance:
            return _student(freedom)
        return _student((within + self.variance) ** 2 / (within**2 / freedom + self.variance**2 / self.freedom))

    def and_also(self, other: Apart) -> Apart:
        """What the whole runs of two sides give the difference of their means."""
        total = self.variance + other.variance
        if not total:
            return Apart()
        parts = self.variance**2 / self.freedom + other.variance**2 / other.freedom
        return Apart(variance=total, freedom=total**2 / parts)

    def wider(self, within: float, freedom: float) -> float:
        """What it adds to either half of an interval that knows of scenarios alone."""
        alone = _student(freedom) * math.sqrt(within)
        return self.student(within, freedom) * math.sqrt(within + self.variance) - alone


def together(table: Table) -> Apart:
    """How much the runs of a table differ as a whole, beyond the chance of their scenarios (see the opening)."""
    rows = [row for row in table.values() if any(cell.n for cell in row.values())]
    if len(rows) < 2:
        return Apart()
    usual: dict[str, float] = {}
    for name in {name for row in rows for name in row}:
        cells = [row[name] for row in rows if name in row]
        usual[name] = sum(cell.sum for cell in cells) / max(1, sum(cell.n for cell in cells))
    chance = [
        sum((cell.sum - usual[name] * cell.n) ** 2 for name, cell in row.items())
        / sum(cell.n for cell in row.values()) ** 2
        for row in rows
    ]
    count = len(rows)
    excess = variance(_per_run(table)) - count / (count - 1) * mean(chance)
    return Apart(variance=max(0.0, excess) / count, freedom=count - 1)


def gap(pairs: Mapping[str, Cell], runs: Apart, *, most: float = math.inf) -> Estimate:
    """The mean difference of two sides that played the same tasks: a cell has the tasks of a scenario, and the sum of
    what one side has more in them than the other. `runs` is what the whole runs of both sides differ by.

    Shares differ by `most` 1. They get two scenarios more, in one of which all is better and in the other all worse, as
    Bonett and Price do with pairs: without them a few scenarios that all agree would leave no doubt at all.

    >>> found = gap({"a": Cell(n=1, sum=1), "b": Cell(n=1, sum=1), "c": Cell(n=1, sum=1)}, Apart(), most=1.0)
    >>> found.value, round(found.low, 2), found.high
    (1.0, -0.51, 1.0)
    """
    cells = [cell for cell in pairs.values() if cell.n]
    count = len(cells)
    size = float(sum(cell.n for cell in cells))
    if not size:
        return _nothing()
    value = sum(cell.sum for cell in cells) / size
    if count < 2:
        return Estimate(value=value, low=math.nan, high=math.nan, sd=math.nan, n=count)
    centre, told = value, [(float(cell.n), cell.sum) for cell in cells]
    if not math.isinf(most):
        usual = size / count
        told += [(usual, most * usual), (usual, -most * usual)]
        size, count = size + 2 * usual, count + 2
        centre = sum(total for _, total in told) / size
    within = count / (count - 1) * sum((total - centre * n) ** 2 for n, total in told) / size**2
    half = runs.student(within, count - 1) * math.sqrt(within + runs.variance)
    low, high = max(-most, min(value, centre - half)), min(most, max(value, centre + half))
    return Estimate(value=value, low=low, high=high, sd=math.nan, n=len(cells))


def _per_run(table: Table) -> list[float]:
    """The mean of each run that has any observation."""
    out = []
    for row in table.values():
        if n := sum(cell.n for cell in row.values()):
            out.append(sum(cell.sum for cell in row.values()) / n)
    return out


def _nothing() -> Estimate:
    return Estimate(value=math.nan, low=math.nan, high=math.nan, sd=math.nan, n=0)


def _spread(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else math.nan


def effective_size(p: float, clusters: Sequence[Cell]) -> float:
    """How many independent observations the clustered ones are worth.

    Siblings that always agree are worth one per scenario; siblings that never do, no more than their number:

    >>> effective_size(0.5, [Cell(n=3, sum=3), Cell(n=3, sum=0)] * 10)
    20.0
    >>> effective_size(0.5, [Cell(n=2, sum=1)] * 10)
    20.0
    """
    n, count = float(sum(cell.n for cell in clusters)), len(clusters)
    least = n * n / sum(cell.n * cell.n for cell in clusters)
    if count < 2 or not 0 < p < 1:
        return least
    variance = count / (count - 1) * sum((cell.sum - p * cell.n) ** 2 for cell in clusters) / n**2
    independent = p * (1 - p) / n
    return max(least, n * independent / variance) if variance > independent else n


def _wilson(p: float, clusters: Sequence[Cell], runs: Apart) -> _Span:
    n, z = effective_size(p, clusters), NormalDist().inv_cdf((1 + LEVEL) / 2)
    if 0 < p < 1:
        within = p * (1 - p) / n
        z = runs.student(within, max(1, len(clusters) - 1))
        n = p * (1 - p) / (within + runs.variance)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At the ends the formula is exact but rounding is not: 1 must lie inside its own interval.
    return _Span(low=min(p, max(0.0, centre - half)), high=max(p, min(1.0, centre + half)))


@lru_cache(maxsize=4096)
def _student(freedom: float) -> float:
    """Student's 97.5% quantile: Newton's steps from Fisher's expansion around the normal one, which alone is a quarter
    too small with one degree of freedom.

    >>> [round(_student(freedom), 2) for freedom in (1, 2, 4, 30)]
    [12.71, 4.3, 2.78, 2.04]
    """
    z, v = NormalDist().inv_cdf((1 + LEVEL) / 2), max(freedom, 1)
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    at = z + first + second + third
    scale = math.exp(math.lgamma((v + 1) / 2) - math.lgamma(v / 2)) / math.sqrt(math.pi)
    for _ in range(6):
        density = 2 * scale / math.sqrt(v) * math.pow(1 + at * at / v, -(v + 1) / 2)
        at += (LEVEL - 2 * scale * _cosines(math.atan(at / math.sqrt(v)), v - 1)) / density
    return at


def _cosines(end: float, power: float, parts: int = 64) -> float:
    """The integral of a power of the cosine from zero, by Simpson's rule: Student's distribution, with angles."""
    values = [math.pow(math.cos(end * n / parts), power) for n in range(parts + 1)]
    return end / parts / 3 * (values[0] + values[-1] + 4 * math.fsum(values[1:-1:2]) + 2 * math.fsum(values[2:-1:2]))


def tail_of(count: int) -> float:
    """The share of resamples to leave out at either end of an interval from so many clusters: the fewer, the less.

    >>> [round(tail_of(count), 4) for count in (5, 23, 1000)]
    [0.001, 0.017, 0.0248]
    """
    return NormalDist().cdf(-_student(count - 1) * math.sqrt(count / (count - 1)))


def _bootstrap(table: Table, seed: int, figure: Callable[..., object], runs: Apart) -> _Span:
    """The interval of a figure of (sums, counts) per run, averaged over runs, under resampling of scenarios, widened by
    what whole runs differ by."""
    import numpy as np

    names = sorted({name for row in table.values() for name in row})
    size = len(names)
    if size < 2:
        return _Span(low=math.nan, high=math.nan)
    empty = Cell(n=0, sum=0.0)
    sums = np.array([[row.get(name, empty).sum for name in names] for row in table.values()])
    counts = np.array([[float(row.get(name, empty).n) for name in names] for row in table.values()])
    picks = np.random.default_rng(seed).multinomial(size, [1 / size] * size, size=RESAMPLES).T
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(figure(sums @ picks, counts @ picks))
    seen = ~np.isnan(values)
    weights = np.maximum(seen.sum(axis=0), 1)
    draws = np.where(seen, values, 0.0).sum(axis=0) / weights
    draws = draws[seen.any(axis=0)]
    tail = tail_of(size)
    low, high = np.quantile(draws, [tail, 1 - tail])
    more = runs.wider(float(draws.var()), size - 1)
    floor = 0.0 if low >= 0 else -math.inf  # what is counted is never less than nothing
    return _Span(low=max(floor, float(low) - more), high=float(high) + more)
