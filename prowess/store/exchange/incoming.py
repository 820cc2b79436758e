"""What comes in from files that strangers wrote: each piece is taken or refused by itself, in batches that stay.

A batch is one transaction. A command that is stopped keeps the batches before, and given again it goes on: what is in
the store already is known by its digest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from prowess.errors import UNFORESEEN, StoreError, words_of
from prowess.skills.extract import LONGEST
from prowess.store.db import Store
from prowess.store.standing import Proposal
from prowess.text.terminal import Watch, unseen

BATCH = 200
"""Pieces in one transaction: so many are lost at most where it is stopped, and other writers wait no longer."""

CODE = 4 * LONGEST
"""The longest code that is written and read, in bytes: its syntax tree takes a thousand times as much memory."""

Piece = TypeVar("Piece")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What became of one thing that was imported."""

    name: str
    proposal: Proposal
    source: str
    """The folder or the line it was read from."""
    message: str
    """What happened, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One thing that was not imported."""

    source: str
    """The folder or the line it was read from."""
    why: StoreError

    def __post_init__(self) -> None:
        """Let go of the frames that the error came through: they hold what was read, of each piece."""
        self.why.__traceback__ = self.why.__cause__ = self.why.__context__ = None


Outcome = Arrival | Refusal


def taken(
    store: Store,
    pieces: Iterable[Piece | Refusal],
    take: Callable[[Piece], Outcome],
    *,
    total: int,
    source: Path,
    strict: bool = False,
    watch: Watch = unseen,
) -> Iterator[Outcome]:
    """What becomes of each piece, told when it is on the disk; `strict`: if one is refused, all are."""
    if strict:
        with store.many():
            return iter([_allowed(one) for one in _batches(store, pieces, take, total, source, watch)])
    return _batches(store, pieces, take, total, source, watch)


def _allowed(one: Outcome) -> Arrival:
    if isinstance(one, Refusal):
        raise one.why
    return one


def _batches(
    store: Store,
    pieces: Iterable[Piece | Refusal],
    take: Callable[[Piece], Outcome],
    total: int,
    source: Path,
    watch: Watch,
) -> Iterator[Outcome]:
    rest = iter(pieces)
    refused = 0
    with watch(total, f"import {source}") as bar:
        while batch := list(islice(rest, BATCH)):
            with store.many():
                outcomes = [one if isinstance(one, Refusal) else _tried(store, one, take) for one in batch]
            refused += sum(isinstance(one, Refusal) for one in outcomes)
            bar.advance(len(batch), refused=refused or "")
            yield from outcomes


def _tried(store: Store, piece: Piece, take: Callable[[Piece], Outcome]) -> Outcome:
    """Code may be made to break what reads it: then nothing of that piece stays."""
    try:
        with store.many():
            return take(piece)
    except UNFORESEEN as error:
        if fault := store.fault_behind(error):
            raise fault from error
        return Refusal(source=str(piece), why=StoreError(f"'{piece}' cannot be taken in: {words_of(error)}"))
