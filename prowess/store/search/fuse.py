"""Several channels as one: reciprocal rank fusion in which a vote counts as much as the likeness behind it.

Plain fusion trusts every channel alike, and two channels that found next to nothing outvote the one that understood.
Here it is likeness^3 / (60 + rank). With this power fusion is as good as its best channel, or better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

RANKS = 60
"""How little the first ranks stand out: the usual constant of reciprocal rank fusion."""

POWER = 3
"""How much more a strong likeness counts than a weak one; 0 would be plain reciprocal rank fusion."""


def votes(likeness: Sequence[float]) -> list[float]:
    """What a channel gives each text: its likeness, cubed, over the rank, equal likeness sharing the better rank."""
    seen = [min(max(round(each, 6), 0.0), 1.0) for each in likeness]
    rank: dict[float, int] = {}
    for place, each in enumerate(sorted(seen, reverse=True), start=1):
        rank.setdefault(each, place)
    return [each**POWER * (RANKS + 1) / (RANKS + rank[each]) for each in seen]


def foremost(lists: Iterable[Sequence[int]], most: int) -> list[int]:
    """Those that stand highest in the lists taken together, by plain reciprocal rank fusion.

    >>> foremost([[7, 8, 9], [9, 5]], 2)
    [9, 7]
    """
    sums: dict[int, float] = {}
    for one in lists:
        for rank, id in enumerate(one, start=1):
            sums[id] = sums.get(id, 0.0) + 1 / (RANKS + rank)
    return sorted(sums, key=lambda id: (-round(sums[id], 9), id))[:most]


def fused(
    channels: Mapping[str, Sequence[float]], weights: Mapping[str, float], bonus: Mapping[str, Sequence[float]]
) -> list[float]:
    """One likeness out of several; 1 for a text that all of them find first and the same.

    A bonus counts where it is there and is not missed where it is not. The root takes the cube back, so that the result
    reads like a likeness.

    >>> fused({"words": [1.0, 0.5], "meaning": [1.0, 0.0]}, {"words": 1.0, "meaning": 1.0}, {})[0]
    1.0
    """
    total = sum(weights[name] for name in channels) or 1.0
    cast = [[weights[name] * vote / total for vote in votes(seen)] for name, seen in {**channels, **bonus}.items()]
    return [min(sum(of_text), 1.0) ** (1 / POWER) for of_text in zip(*cast, strict=True)]
