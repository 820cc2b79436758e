"""When to offer nothing: how good the best is, and how far it stands before the best of another kind.

A request that no skill was made for is often a little like many of them, and one that has its skill is most like that
one and its near-copies. So the best must fit, and stand out from what is unlike it; its own copies do not count against
it. A threshold alone lets more pass the larger a library is. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

UNLIKE = 0.5
"""Two skills that share less than this of their words (Jaccard index) are of different kinds."""

FLOOR = 0.25
"""The least likeness of anything that is offered."""

SURE = 0.35
"""The least likeness of the best, with its lead over the best of another kind added to it."""


def stands_out(likeness: Sequence[float], words: Callable[[int], Set[str]]) -> bool:
    """Whether the first of some candidates, best first, is good enough; `words` are those of the candidate at a place.

    >>> stands_out([0.31, 0.30, 0.22], [{"play"}, {"play", "it"}, {"pay"}].__getitem__)  # 0.31 + (0.31 - 0.22)
    True
    >>> stands_out([0.31, 0.30, 0.22], [{"play"}, {"stop", "it"}, {"pay"}].__getitem__)
    False
    """
    if not likeness or likeness[0] < FLOOR:
        return False
    best = likeness[0]
    if 2 * best - likeness[min(1, len(likeness) - 1)] >= SURE:  # whatever kind the next is
        return True
    first = words(0)
    other = next((one for at, one in enumerate(likeness) if at and _shared(first, words(at)) < UNLIKE), 0.0)
    return 2 * best - other >= SURE


def _shared(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / (len(one | other) or 1)
