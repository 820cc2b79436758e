"""Sequences that begin alike as a tree, so that what they share is computed once.

    sequences   a b c d     a b c e f     a b c e g     x y

    segments    0: a b c    1: d    2: e    3: f    4: g    5: x y
    ways        0           0 1     0 2     0 2 3   0 2 4   5          the segments that lead to each, itself included
    sequences   0 1         0 2 3           0 2 4           5

The rollouts of a group share their prompt, and all of a batch the system's words. A cut costs a little, too: another
call of attention, or another row of it. So nothing is shared where it is shorter than `SHORTEST`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, count, pairwise
from operator import ne

Tokens = tuple[int, ...]
Way = tuple[int, ...]
"""Numbers of the segments that lead from the beginning of a sequence to its end."""

SHORTEST = 16
"""Tokens that are worth a cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """What begins alike, once."""

    segments: tuple[Tokens, ...]
    ways: tuple[Way, ...]
    """Of each segment, itself included."""
    sequences: tuple[Way, ...]
    """Of each sequence."""


def tree_of(sequences: Sequence[Tokens], shortest: int = SHORTEST) -> Tree:
    """The tree of sequences that are in order, so that those that begin alike stand together.

    >>> tree = tree_of([(1, 2, 3, 4), (1, 2, 3, 5, 6), (7, 8)], shortest=2)
    >>> tree.segments, tree.sequences
    (((1, 2, 3), (4,), (5, 6), (7, 8)), ((0, 1), (0, 2), (3,)))
    >>> tree_of([(1, 2, 3, 4), (1, 2, 3, 5, 6), (7, 8)], shortest=4).segments
    ((1, 2, 3, 4), (1, 2, 3, 5, 6), (7, 8))
    """
    segments: list[Tokens] = []
    ways: list[Way] = []
    ends: list[Way] = [()] * len(sequences)
    alike = [alikeness(one, other) for one, other in pairwise(sequences)]
    work: list[tuple[int, int, int, Way]] = [(0, len(sequences), 0, ())] if sequences else []
    while work:
        first, last, begun, way = work.pop()  # sequences first to last - 1 share `begun` tokens, which `way` holds
        common = min(alike[first : last - 1], default=len(sequences[first]))
        if common - begun >= (shortest if last - first > 1 else 1):
            way = (*way, len(segments))
            segments.append(sequences[first][begun:common])
            ways.append(way)
            begun = common
        if last - first == 1:
            ends[first] = way
            continue
        cuts = [first, *(n + 1 for n in range(first, last - 1) if alike[n] == common), last]
        work += [(one, other, begun, way) for one, other in zip(cuts[-2::-1], cuts[:0:-1], strict=True)]
    return Tree(segments=tuple(segments), ways=tuple(ways), sequences=tuple(ends))


def alikeness(one: Tokens, other: Tokens) -> int:
    """With how many of the same tokens two sequences begin.

    >>> alikeness((1, 2, 3, 4), (1, 2, 5)), alikeness((1, 2), (1, 2, 5)), alikeness((), (1,))
    (2, 2, 0)
    """
    return next(compress(count(), map(ne, one, other)), min(len(one), len(other)))


def filled(sequences: Sequence[Tokens], budget: int, shortest: int = SHORTEST) -> Iterator[range]:
    """Sequences in order, cut into runs whose trees hold at most so many tokens, or that hold one sequence.

    What a sequence adds to a tree is what it does not share with its neighbour, and less than `shortest` more.
    """
    start = total = 0
    for number, sequence in enumerate(sequences):
        shared = alikeness(sequences[number - 1], sequence) if number > start else 0
        added = len(sequence) - max(0, shared + 1 - shortest)
        if number > start and total + added > budget:
            yield range(start, number)
            start, total, added = number, 0, len(sequence)
        total += added
    if sequences:
        yield range(start, len(sequences))
