"""An outage: so much breaks in a row that what comes next would break, too, and is better not begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from prowess.errors import PolicyError, ProwessError, Unanswered
from prowess.types import Episode, Stop

ACCIDENTS = 3
"""So many in a row do not break each for a reason of its own."""


def outage(episodes: Sequence[Episode], which: str, *, hint: str) -> ProwessError:
    """What to say of episodes that all ended in an error, `which` in words."""
    error, often = Counter(episode.error for episode in episodes).most_common(1)[0]
    return ProwessError(f"{which} ended in an error, {often} of them in: {error}", hint=hint)


def all_broke(episodes: Sequence[Episode]) -> bool:
    """Whether every one of some episodes ended in an error, the world's or the policy's."""
    return bool(episodes) and all(episode.stop is Stop.ERROR for episode in episodes)


def left_alone(episodes: Sequence[Episode]) -> Sequence[Episode]:
    """The episodes at the end of a play that broke because the policy did: none if it came back before the end."""
    found = len(episodes)
    while found and _policy_broke(episodes[found - 1]):
        found -= 1
    return episodes[found:]


def unanswered(episodes: Sequence[Episode]) -> int:
    """How many broke for want of any answer; the others may break again however often they are played."""
    return sum(episode.error.startswith(f"{Unanswered.__name__}: ") for episode in episodes)


def _policy_broke(episode: Episode) -> bool:
    kinds = tuple(f"{kind.__name__}: " for kind in (PolicyError, Unanswered))
    return episode.stop is Stop.ERROR and episode.error.startswith(kinds)
