"""The rounds of a stream: where each begins, and what its snapshot of the store offers.

Reports read them, so nothing here needs the store.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from prowess.commands.work.ledger import Ledger
from prowess.figures.intervals import Estimate
from prowess.figures.measure import Measures
from prowess.run import Run

ROUNDS = "rounds.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Where in the stream a snapshot begins to be played with."""

    first: int
    """Place of its first task."""
    root: str
    """The snapshot; nothing where no library is used."""
    skills: int
    """How many it offers."""


def offering(run: Run) -> int:
    """How many skills the next task would be offered from: those of the last snapshot."""
    rounds = tuple(Ledger(run.folder / ROUNDS, Round))
    return rounds[-1].skills if rounds else 0


def with_library(rows: Sequence[Measures], run: Run) -> tuple[Measures, ...]:
    """The measures of a stream. Its library is what the store offers, not all that was proposed."""
    whole, part = _exactly(offering(run)), _exactly(math.nan)
    return tuple(replace(row, library=whole if row.difficulty is None else part) for row in rows)


def _exactly(value: float) -> Estimate:
    return Estimate(value=value, low=math.nan, high=math.nan, sd=math.nan, n=1)
