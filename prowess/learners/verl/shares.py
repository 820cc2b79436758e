"""A batch over ranks: each gets neighbours, so that what samples begin alike with is still fed once, and as many tokens
to feed as the others.

Cut by us and not by a dispatcher: it wants equal numbers of samples, and samples differ a hundredfold in their tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from prowess.types import Sample


def shares_of(samples: Sequence[Sample], ranks: int) -> list[tuple[Sample, ...]]:
    """The samples of each rank, in an order in which neighbours begin alike. There may be fewer samples than ranks.

    >>> long, short = (Sample(tokens=(1,) * n, weights=(1.0,) * n, logprobs=(0.0,) * n) for n in (8, 3))
    >>> [[len(sample.tokens) for sample in share] for share in shares_of([short, long, short, short], 2)]
    [[3, 3, 3], [8]]
    """
    ordered = sorted(samples, key=lambda sample: sample.tokens)
    ends, fed = [], 0
    for before, sample in zip([None, *ordered], ordered, strict=False):
        fed += len(sample.tokens) - (_shared(before, sample) if before else 0)
        ends.append(fed)
    cut: list[list[Sample]] = [[] for _ in range(ranks)]
    for end, begin, sample in zip(ends, [0, *ends], ordered, strict=False):
        middle = (begin + end) / 2
        cut[min(ranks - 1, int(ranks * middle / max(fed, 1)))].append(sample)
    return [tuple(some) for some in cut]


def imbalance(fed: Sequence[float]) -> float:
    """How many times the mean the largest share is: others wait for it."""
    return max(fed) * len(fed) / sum(fed) if sum(fed) else 1.0


def _shared(one: Sample, other: Sample) -> int:
    """How many tokens two samples begin alike with."""
    for place, (left, right) in enumerate(zip(one.tokens, other.tokens, strict=False)):
        if left != right:
            return place
    return min(len(one.tokens), len(other.tokens))
