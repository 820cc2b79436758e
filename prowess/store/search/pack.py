"""From a ranking to what is shown: one of each family, as many as fit, what they call first. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Packable:
    """A version as packing sees it."""

    digest: str
    name: str
    tokens: int
    needs: tuple[str, ...] = ()
    """Digests of the versions it calls."""
    kin: frozenset[str] = frozenset()
    """Marks of its families; two that share one are of one family."""
    usable: bool = True
    """False for one that may not even be loaded for a caller."""


def one_per_family(pieces: Iterable[Packable]) -> Iterator[Packable]:
    """The best of each family."""
    taken: set[str] = set()
    for piece in pieces:
        if not piece.kin & taken:
            yield piece
        taken |= piece.kin  # also of one that is left out: its other kin are of the same family


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """One version in its place, and for whose sake it is there."""

    digest: str
    chosen: str
    """The digest of the version that was chosen: its own, or that of its caller."""


def packed(
    pieces: Iterable[Packable], look: Callable[[str], Packable | None], *, tokens: int, top: int
) -> list[Packed]:
    """As many as fit, best first, each after what it calls; one that does not fit leaves its room to the next.

    Two versions of one name cannot be loaded side by side, so the first wins.
    """
    order: list[Packed] = []
    names: dict[str, str] = {}
    left, count = tokens, 0
    for piece in pieces:
        if count == top:
            break
        if piece.digest in names.values():  # there already, for another's sake
            count += 1
            order = [Packed(digest=one.digest, chosen=_own(one, piece)) for one in order]
            continue
        needed = _needed(piece, look)
        if needed is None:
            continue
        new = [one for one in needed if names.get(one.name) != one.digest]
        clash = len({one.name for one in new}) < len(new) or any(one.name in names for one in new)
        size = sum(one.tokens for one in new)
        if clash or size > left:
            continue
        left -= size
        count += 1
        names |= {one.name: one.digest for one in new}
        order += [Packed(digest=one.digest, chosen=piece.digest) for one in new]
    return order


def _own(one: Packed, piece: Packable) -> str:
    return piece.digest if one.digest == piece.digest else one.chosen


def _needed(piece: Packable, look: Callable[[str], Packable | None]) -> list[Packable] | None:
    """All that a version needs to run, itself last; None where something of it may not be loaded."""
    order: list[Packable] = []
    waiting: list[tuple[Packable, bool]] = [(piece, False)]
    seen: set[str] = set()
    while waiting:
        one, ready = waiting.pop()
        if ready:
            order.append(one)
            continue
        if one.digest in seen:
            continue
        seen.add(one.digest)
        waiting.append((one, True))
        for digest in one.needs:
            other = look(digest)
            if other is None or not other.usable:
                return None
            waiting.append((other, False))
    return order
