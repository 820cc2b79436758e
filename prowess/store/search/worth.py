"""What the evidence says a version is worth: its uplift, as far as it can be believed. Pure.

Worths are taken to lie around 0 with a spread of `spread`. The difference between the arms, with its error, moves that
belief (two normal distributions): a few lucky episodes move it a little, hundreds move it all the way.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from prowess.store.standing import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """A belief about an uplift."""

    mean: float
    error: float

    def drawn(self, chance: random.Random) -> float:
        """One value that it may have: what is little known is now high, now low, and so gets its turn."""
        return chance.gauss(self.mean, self.error)


def worth_of(statistics: Statistics, spread: float) -> Worth:
    """The belief that the counts leave.

    >>> worth_of(Statistics(digest="d"), 0.2)
    Worth(mean=0.0, error=0.2)
    >>> many = Statistics(digest="d", offered=1000, offered_successes=800, masked=1000, masked_successes=500)
    >>> round(worth_of(many, 0.2).mean, 2)
    0.3
    """
    uplift = statistics.uplift
    if uplift is None or not spread:
        return Worth(mean=0.0, error=spread)
    # One success and one failure more in each arm: three of three is not certain.
    error = _error(statistics.offered, statistics.offered_successes) + _error(
        statistics.masked, statistics.masked_successes
    )
    trust = spread**2 / (spread**2 + error)
    return Worth(mean=uplift * trust, error=math.sqrt(error * trust))


def _error(times: int, successes: int) -> float:
    share = (successes + 1) / (times + 2)
    return share * (1 - share) / (times + 2)
