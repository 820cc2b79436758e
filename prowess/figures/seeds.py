"""Is recipe B better than recipe A? Their differences seed by seed, with a 95% interval over the seeds.

Both recipes are trained and evaluated with the same seeds, on the same tasks. The difference is taken within each seed,
task by task (`differences`), so what is hard for both is in none. Over the seeds it has Student's interval: where the
difference lies if both are trained again with other seeds and play these same tasks. It says nothing of other tasks;
`differences.compare` of all seeds together does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from prowess.figures.differences import Comparison, Difference, compare
from prowess.figures.intervals import Apart, Cell, gap
from prowess.figures.measure import Outcome, pooled

SEEDS = 3
"""With fewer seeds no claim is made: two differences cannot tell how much a third may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedComparison:
    """Two recipes on one split, paired by seed."""

    split: str
    each: Mapping[int, Comparison]
    """The comparison within each seed."""
    overall: Comparison
    """All seeds together: its intervals are of other tasks, and of other seeds."""
    differences: Mapping[str, Difference]
    """Means of the differences of the seeds; the intervals are of other seeds."""


def compare_seeds(
    before: Mapping[int, Sequence[Outcome]], after: Mapping[int, Sequence[Outcome]]
) -> SeedComparison | None:
    """The second recipe less the first; None where they share no seed or no task."""
    seeds = [seed for seed in before if seed in after]
    each = {seed: found[0] for seed in seeds if (found := compare(before[seed], after[seed]))}
    overall = compare(*([*pooled(side[seed] for seed in each)] for side in (before, after)))
    if not overall:
        return None
    names = [name for name in overall[0].differences if any(name in one.differences for one in each.values())]
    return SeedComparison(
        split=overall[0].split,
        each=each,
        overall=overall[0],
        differences={name: _over(name, [one.differences.get(name) for one in each.values()]) for name in names},
    )


def _over(name: str, found: Sequence[Difference | None]) -> Difference:
    """The mean of the differences of some seeds, a seed counting as one whatever it played."""
    known = [one for one in found if one is not None]
    cells = {str(number): Cell(n=1, sum=one.gap.value) for number, one in enumerate(known)}
    return Difference(
        name=name,
        before=fmean(one.before for one in known),
        after=fmean(one.after for one in known),
        gap=gap(cells, Apart()),
        least=SEEDS,
    )
