"""Where the sequences of a stream stand: segments one after the other, and what each of them looks back on.

sequences   a b c d   a b c e f   x y         the first two share a beginning (see `tree`)
stream      a b c d e f x y                   one row, [1, 8], of four segments: a b c, d, e f, x y
positions   0 1 2 3 3 4 0 1                   go on from what leads to a segment
ends        0 3 4 6 8                         of the segments
paths       0 1 2   0 1 2 3   0 1 2 4 5   6 7 the slots of the tokens that each segment looks back on, and its own
path_ends   0 3 7 12 14
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from prowess.learners.tree import Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the segments of a stream begin and end, and what each of them looks back on."""

    lengths: tuple[int, ...]
    ways: tuple[Way, ...]
    """The segments that lead to each, itself included."""
    reaches: tuple[int, ...]
    """How many tokens the last of a segment sees, itself included: the length of the segment's path."""
    ends: Tensor
    """0, then the end of each segment: int32, one longer than `lengths`."""
    path_ends: Tensor
    """The same of their paths."""
    paths: Tensor | None
    """The slots of each segment's path, one path after the other; None where nothing is shared: the stream itself."""
    positions: Tensor
    """Each token's place in its own sequence, [1, stream]."""

    @property
    def longest(self) -> int:
        return max(self.lengths)

    @property
    def farthest(self) -> int:
        return max(self.reaches)


def layout(lengths: Sequence[int], ways: Sequence[Way] | None = None, device: torch.device | str = "cpu") -> Layout:
    """The layout of segments put one after the other; without `ways` each is a sequence of its own.

    >>> one = layout([3, 1, 2, 2], [(0,), (0, 1), (0, 2), (3,)])
    >>> one.reaches, one.positions.tolist(), one.ends.tolist(), one.path_ends.tolist()
    ((3, 4, 5, 2), [[0, 1, 2, 3, 3, 4, 0, 1]], [0, 3, 4, 6, 8], [0, 3, 7, 12, 14])
    >>> one.paths.tolist()
    [0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 5, 6, 7]
    """
    ways = tuple(ways or ((number,) for number in range(len(lengths))))
    reaches = tuple(sum(lengths[number] for number in way) for way in ways)
    slots = slots_of(lengths)
    positions = torch.cat([torch.arange(to - of, to) for of, to in zip(lengths, reaches, strict=True)])
    shared = any(len(way) > 1 for way in ways)
    return Layout(
        lengths=tuple(lengths),
        ways=ways,
        reaches=reaches,
        ends=_ends(lengths).to(device),
        path_ends=_ends(reaches).to(device),
        paths=torch.cat([slots[number] for way in ways for number in way]).to(device) if shared else None,
        positions=positions[None].to(device),
    )


def slots_of(lengths: Sequence[int]) -> tuple[Tensor, ...]:
    """Where the tokens of each segment stand in the stream."""
    return torch.split(torch.arange(sum(lengths)), list(lengths))


def _ends(lengths: Sequence[int]) -> Tensor:
    return torch.tensor([0, *lengths], dtype=torch.int64).cumsum(0).to(torch.int32)
