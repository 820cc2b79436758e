"""Damage in the write-ahead log of a store: a flipped bit there, told from what a crash leaves.

The log holds what is not in the file yet. SQLite compares its sums once, when the first process opens the store after
a crash, and drops silently whatever comes after the first that is wrong. That is right for the end of a log that was
being written. It is not for a log that the disk has changed: transactions that were acknowledged would be gone.

    header    magic, version, page size, count, two salts, two sums
    frame     page number, size of the file where a transaction ends (else 0), two salts, two sums; then the page
    frame ...

The sums of a frame go on from those of the one before. A frame with other salts is left over from an earlier round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_HEADER, _FRAME = 32, 24
_MANY = 2048
"""Frames whose sums are worked out at once."""
_ROUND = 2**32

_NO_FRAMES = np.empty((0, _FRAME), dtype=np.uint8)

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Log:
    """A log as it lies on the disk."""

    header: Any
    """Its bytes."""
    frames: Any
    """A row of bytes for each whole frame."""

    @property
    def salts(self) -> Pair:
        return _pair(self.header[16:24])

    @property
    def sums(self) -> Pair:
        return _pair(self.header[24:32])

    @property
    def header_sums(self) -> Pair:
        """What its sums must be."""
        return _after((0, 0), _summed(self.header[None, :24], self.order)[0], 24)

    @property
    def order(self) -> str:
        """How the numbers that are summed up lie; all others begin with the largest byte."""
        return ">u4" if self.header[3] & 1 else "<u4"


def damage(path: Path) -> str:
    """What is wrong with the log of a store, in words, or nothing; one that a crash has cut off is as it should be."""
    log = path.with_name(f"{path.name}-wal")
    told = [_fault(log) for _ in range(2)]  # somebody may be writing: what is wrong stays wrong
    return f"{log.name}, which holds what came last, {told[0]}" if all(told) else ""


def _fault(path: Path) -> str:
    try:
        log = _read(path)
    except (OSError, ValueError):  # gone, or cut off, meanwhile
        return ""
    if log is None:
        return ""
    if log.header_sums != log.sums:
        return "has a damaged header"
    sums = log.sums
    for first in range(0, len(log.frames), _MANY):
        block = log.frames[first : first + _MANY]
        summed = np.concatenate([block[:, :8], block[:, _FRAME:]], axis=1)
        for at, added in enumerate(_summed(summed, log.order)):
            end, kept = _after(sums, added, summed.shape[1]), _pair(block[at, 16:_FRAME])
            if end != kept or _pair(block[at, 8:16]) != log.salts:
                return _break(log, first + at, end)
            sums = kept
    return ""


def _read(path: Path) -> _Log | None:
    """A log that holds something; None where there is none."""
    size = path.stat().st_size
    if size < _HEADER + _FRAME:
        return None
    header = np.fromfile(path, dtype=np.uint8, count=_HEADER)
    each = _FRAME + _pair(header[8:16])[0]
    log = _Log(header=header, frames=_NO_FRAMES)
    if log.header_sums != log.sums or not (count := (size - _HEADER) // each):
        return log
    return replace(log, frames=np.memmap(path, dtype=np.uint8, mode="r", offset=_HEADER, shape=(count, each)))


def _break(log: _Log, at: int, end: Pair) -> str:
    """What a frame says that does not go on from the one before: damage, or the end of the log."""
    salts, kept = _pair(log.frames[at, 8:16]), _pair(log.frames[at, 16:_FRAME])
    flipped = sum((one ^ other).bit_count() for one, other in zip((*salts, *end), (*log.salts, *kept), strict=True))
    if flipped == 1 or (salts == log.salts and _one_bit(log.frames.shape[1] - _FRAME + 8, end, kept)):
        return f"has a flipped bit in frame {at + 1} of {len(log.frames)}"
    heads = np.ascontiguousarray(log.frames[at + 1 :, :16]).view(">u4")
    later = int(((heads[:, 2:] == log.salts).all(axis=1) & (heads[:, 1] != 0)).sum())
    # Each transaction is on the disk before the next begins: a crash leaves the last one torn, and none before it.
    return f"is damaged in frame {at + 1} of {len(log.frames)}" if later > 1 else ""


def _one_bit(size: int, end: Pair, kept: Pair) -> bool:
    """Whether sums are wrong by what one bit of so many bytes counts."""
    weights = _weights(size // 4)
    wrong = np.array([(a - b) % _ROUND for a, b in zip(kept, end, strict=True)], dtype=np.uint32)
    changes = [sign * (1 << bit) % _ROUND for bit in range(32) for sign in (1, -1)]
    return any(bool((weights * np.uint32(change) == wrong).all(axis=1).any()) for change in changes)


def _pair(data: Any) -> Pair:
    one, other = np.ascontiguousarray(data).view(">u4")
    return int(one), int(other)


# --- SQLite's sums: for each pair of numbers (x, y), a += x + b and then b += y + a --------------------


@cache
def _weights(count: int) -> Any:
    """How much each of so many numbers counts in the two sums: a row of two for each.

    In its own step x counts once in a and once in b, and y once in b. In a step what counted (a, b) before counts
    (a + b, a + 2b) after it.
    """
    rows = []
    x, y = (1, 1), (0, 1)
    for _ in range(count // 2):
        rows += [y, x]  # from the last pair to the first
        x, y = (((a + b) % _ROUND, (a + 2 * b) % _ROUND) for a, b in (x, y))
    return np.array(rows[::-1], dtype=np.uint32)


def _summed(rows: Any, order: str) -> Any:
    """What each row of bytes adds to the two sums."""
    numbers = np.ascontiguousarray(rows).view(order).astype(np.uint32)
    return np.stack(
        [(numbers * weight).sum(axis=1, dtype=np.uint32) for weight in _weights(numbers.shape[1]).T], axis=1
    )


def _after(sums: Pair, added: Any, size: int) -> Pair:
    """The sums after so many bytes that add this: the sums before count like x = a, y = b - a of a pair in front."""
    (xa, xb), (ya, yb) = _weights(size // 4 + 2)[:2].tolist()
    a, b = sums
    return (a * xa + (b - a) * ya + int(added[0])) % _ROUND, (a * xb + (b - a) * yb + int(added[1])) % _ROUND
