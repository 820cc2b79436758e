"""From episodes to figures: the measures of the paper, each with a 95% interval.

**What is counted.** An episode that ended in an error (`stop = error`) is in no statistic; it is counted in `errors`.
With N runs each figure is the mean over the runs, `sd` is the spread of the runs around it (N - 1 in the divisor, as
the paper reports), and the interval says how sure we can be about other scenarios of the same kind.

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

*Means and totals* use a seeded bootstrap over scenarios, with percentiles widened for few scenarios (the tail
probability is Phi(-t * sqrt(C / (C - 1))), t being Student's quantile). One scenario alone gives no interval.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, mean, stdev
from typing import TypeVar

from opensage.record import Played
from opensage.seeds import derive
from opensage.types import Skill, Stop

__all__ = ["Estimate", "Measures", "Outcome", "Place", "Played", "measure", "metrics_of", "outcome_of", "outcomes"]

RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the statistics need of an episode: small enough to hold a run's in memory."""

    run: int
    split: str
    scenario: str
    task: str
    difficulty: int
    success: bool
    stop: Stop
    turns: int
    tokens: int
    """Tokens the model wrote."""
    offered: int
    """How many skills it was shown."""
    used: bool
    """True when it called at least one of them, whether or not the call succeeded."""
    learned: tuple[tuple[str, int], ...]
    """Skills saved: name, and how many different APIs its source calls."""
    denied: int
    """Operations the sandbox refused."""
    error: str

    @property
    def broken(self) -> bool:
        return self.stop is Stop.ERROR


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
class Measures:
    """The figures of one split, or of its scenarios of one difficulty. Proportions are in [0, 1]."""

    split: str
    difficulty: int | None
    """None for the whole split. A scenario has the difficulty of its hardest task."""
    runs: int
    scenarios: int
    tasks: int
    episodes: int
    """Episodes played, with the errors."""
    errors: int
    """Episodes that ended in an error: in no figure below."""
    left_out: int
    """Scenarios, over all runs, without a full set of graded tasks: not in SGC."""
    tgc: Estimate
    """Task goal completion: share of tasks with every check passed."""
    sgc: Estimate
    """Scenario goal completion: share of scenarios whose tasks all succeeded in the same run."""
    steps: Estimate
    """Turns per task."""
    tokens: Estimate
    """Tokens the model wrote per task."""
    use: Estimate
    """Share that called a library skill, among the episodes that were offered one."""
    use_overall: Estimate
    """Share that called a library skill, among all episodes: those with nothing on offer count as not using."""
    success_given_use: Estimate
    """Share of tasks solved among the episodes that called a library skill."""
    library: Estimate
    """Skills that a run saved. One of the same scenario and name takes the place of the earlier, as in `Library`."""
    combining: Estimate
    """Share of those skills whose source calls two or more different APIs."""


def outcome_of(played: Played) -> Outcome:
    """The facts of an episode that measures are made of."""
    episode = played.episode
    return Outcome(
        run=played.run,
        split=played.split,
        scenario=episode.task.scenario,
        task=episode.task.id,
        difficulty=episode.task.difficulty,
        success=episode.success,
        stop=episode.stop,
        turns=len(episode.turns),
        tokens=episode.reply_tokens,
        offered=len(episode.offered),
        used=bool(episode.called),
        learned=tuple((skill.name, _breadth(skill)) for skill in episode.learned),
        denied=sum(turn.observation.denied for turn in episode.turns if turn.observation),
        error=episode.error if episode.stop is Stop.ERROR else "",
    )


def outcomes(played: Iterable[Played]) -> tuple[Outcome, ...]:
    """The facts of many episodes, in their order."""
    return tuple(map(outcome_of, played))


def measure(played: Iterable[Played | Outcome]) -> tuple[Measures, ...]:
    """The measures of each split in order of appearance, and below each those of its difficulties if it has several."""
    facts = [each if isinstance(each, Outcome) else outcome_of(each) for each in played]
    rows = []
    for split, members in _grouped(facts, lambda fact: fact.split).items():
        hardest: dict[str, int] = {}
        for fact in members:
            hardest[fact.scenario] = max(fact.difficulty, hardest.get(fact.scenario, 0))
        rows.append(_row(split, None, members))
        if len(set(hardest.values())) > 1:
            for level in sorted(set(hardest.values())):
                rows.append(_row(split, level, [fact for fact in members if hardest[fact.scenario] == level]))
    return tuple(rows)


def metrics_of(row: Measures) -> dict[str, float]:
    """The measures of a row by their metric names, as a run logs them."""
    return {
        "play/tgc": row.tgc.value,
        "play/sgc": row.sgc.value,
        "play/steps": row.steps.value,
        "play/tokens": row.tokens.value,
        "play/use": row.use.value,
        "play/use_overall": row.use_overall.value,
        "play/success_given_use": row.success_given_use.value,
        "play/library": row.library.value,
        "play/combining": row.combining.value,
        "play/episodes": float(row.episodes),
        "play/errors": float(row.errors),
    }


def _row(split: str, difficulty: int | None, facts: Sequence[Outcome]) -> Measures:
    graded = [fact for fact in facts if not fact.broken]
    whole = _whole_scenarios(facts)
    kept = _kept_skills(graded)
    seed = derive("measure", split, -1 if difficulty is None else difficulty)
    return Measures(
        split=split,
        difficulty=difficulty,
        runs=len({fact.run for fact in facts}),
        scenarios=len({fact.scenario for fact in facts}),
        tasks=len({fact.task for fact in facts}),
        episodes=len(facts),
        errors=len(facts) - len(graded),
        left_out=whole.left_out,
        tgc=proportion(_cells(graded, lambda fact: fact.success)),
        sgc=proportion(whole.table),
        steps=average(_cells(graded, lambda fact: fact.turns), seed=derive(seed, "steps")),
        tokens=average(_cells(graded, lambda fact: fact.tokens), seed=derive(seed, "tokens")),
        use=proportion(_cells([fact for fact in graded if fact.offered], lambda fact: fact.used)),
        use_overall=proportion(_cells(graded, lambda fact: fact.used)),
        success_given_use=proportion(_cells([fact for fact in graded if fact.used], lambda fact: fact.success)),
        library=total(kept, seed=derive(seed, "library")),
        combining=proportion(kept),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The observations that one scenario contributes in one run."""

    n: int
    sum: float


Table = Mapping[int, Mapping[str, Cell]]
"""Observations by run and scenario: what every estimate is made from."""


def _cells(facts: Iterable[Outcome], value: Callable[[Outcome], float]) -> Table:
    out: dict[int, dict[str, Cell]] = defaultdict(dict)
    for fact in facts:
        cell = out[fact.run].get(fact.scenario, Cell(n=0, sum=0.0))
        out[fact.run][fact.scenario] = Cell(n=cell.n + 1, sum=cell.sum + value(fact))
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scenarios:
    table: Table
    left_out: int


def _whole_scenarios(facts: Sequence[Outcome]) -> _Scenarios:
    """One observation per scenario and run: did all its tasks succeed? And how many had to be left out."""
    tasks = {name: {fact.task for fact in members} for name, members in _grouped(facts, lambda f: f.scenario).items()}
    table: dict[int, dict[str, Cell]] = defaultdict(dict)
    left_out = 0
    for run, members in _grouped(facts, lambda fact: fact.run).items():
        for name, played in _grouped(members, lambda fact: fact.scenario).items():
            if any(fact.broken for fact in played) or {fact.task for fact in played} != tasks[name]:
                left_out += 1
            else:
                table[run][name] = Cell(n=1, sum=float(all(fact.success for fact in played)))
    return _Scenarios(table=table, left_out=left_out)


def _kept_skills(facts: Sequence[Outcome]) -> Table:
    """The skills of each run's library by the scenario that wrote them; sum counts the combining ones."""
    latest: dict[tuple[int, str], dict[str, int]] = {}
    for fact in facts:
        latest.setdefault((fact.run, fact.scenario), {}).update(fact.learned)
    table: dict[int, dict[str, Cell]] = defaultdict(dict)
    for (run, scenario), breadths in latest.items():
        table[run][scenario] = Cell(n=len(breadths), sum=float(sum(apis >= 2 for apis in breadths.values())))
    return table


def _breadth(skill: Skill) -> int:
    return len(set(skill.apis))


# --- estimates ------------------------------------------------------------------------------------------------------


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
    span = _wilson(value, list(pooled.values()))
    n = sum(cell.n for cell in pooled.values())
    return Estimate(value=value, low=span.low, high=span.high, sd=_spread(shares), n=n)


def average(table: Table, *, seed: int) -> Estimate:
    """A mean per observation, with a bootstrap interval over scenarios."""
    means = _per_run(table)
    if not means:
        return _nothing()
    span = _bootstrap(table, seed, lambda sums, counts: sums / counts)
    n = sum(cell.n for row in table.values() for cell in row.values())
    return Estimate(value=mean(means), low=span.low, high=span.high, sd=_spread(means), n=n)


def total(table: Table, *, seed: int) -> Estimate:
    """How many observations a run has, with a bootstrap interval over scenarios."""
    counts = [float(sum(cell.n for cell in row.values())) for row in table.values()]
    if not counts:
        return _nothing()
    span = _bootstrap(table, seed, lambda sums, counts: counts)
    return Estimate(value=mean(counts), low=span.low, high=span.high, sd=_spread(counts), n=int(sum(counts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    low: float
    high: float


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


def _wilson(p: float, clusters: Sequence[Cell]) -> _Span:
    n = effective_size(p, clusters)
    z = _student(len(clusters) - 1) if 0 < p < 1 else NormalDist().inv_cdf((1 + LEVEL) / 2)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At the ends the formula is exact but rounding is not: 1 must lie inside its own interval.
    return _Span(low=min(p, max(0.0, centre - half)), high=max(p, min(1.0, centre + half)))


def _student(freedom: int) -> float:
    """Student's 97.5% quantile, by Fisher's expansion around the normal one (within 1% from 4 degrees on)."""
    z, v = NormalDist().inv_cdf((1 + LEVEL) / 2), max(freedom, 1)
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return z + first + second + third


def _bootstrap(table: Table, seed: int, figure: Callable[..., object]) -> _Span:
    """The interval of a figure of (sums, counts) per run, averaged over runs, under resampling of scenarios."""
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
    tail = NormalDist().cdf(-_student(size - 1) * math.sqrt(size / (size - 1)))
    low, high = np.quantile(draws, [tail, 1 - tail])
    return _Span(low=float(low), high=float(high))


# --- along a scenario, along a run ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What tasks cost at one place of their chain: the first of a scenario, the second ..."""

    place: int
    """Counted from 1."""
    tgc: Estimate
    steps: Estimate
    tokens: Estimate
    use_overall: Estimate


def places(facts: Iterable[Outcome]) -> tuple[Place, ...]:
    """Measures by place in the scenario, over all splits: what the library saves shows from the second on."""
    at: dict[int, list[Outcome]] = defaultdict(list)
    seen: dict[tuple[int, str, str], dict[str, int]] = defaultdict(dict)
    for fact in facts:
        order = seen[fact.run, fact.split, fact.scenario]
        place = order.setdefault(fact.task, len(order) + 1)
        if not fact.broken:
            at[place].append(fact)
    return tuple(
        Place(
            place=place,
            tgc=proportion(_cells(at[place], lambda fact: fact.success)),
            steps=average(_cells(at[place], lambda fact: fact.turns), seed=derive("place", place, "steps")),
            tokens=average(_cells(at[place], lambda fact: fact.tokens), seed=derive("place", place, "tokens")),
            use_overall=proportion(_cells(at[place], lambda fact: fact.used)),
        )
        for place in sorted(at)
    )


def growth(facts: Iterable[Outcome]) -> dict[int, list[int]]:
    """By run: how many skills the library holds after each task, in the order of the episodes."""
    names: dict[int, set[tuple[str, str, str]]] = defaultdict(set)
    out: dict[int, list[int]] = defaultdict(list)
    for fact in facts:
        if not fact.broken:
            names[fact.run].update((fact.split, fact.scenario, name) for name, _ in fact.learned)
        out[fact.run].append(len(names[fact.run]))
    return dict(sorted(out.items()))


Key = TypeVar("Key")


def _grouped(facts: Iterable[Outcome], key: Callable[[Outcome], Key]) -> dict[Key, list[Outcome]]:
    out: dict[Key, list[Outcome]] = {}
    for fact in facts:
        out.setdefault(key(fact), []).append(fact)
    return out
