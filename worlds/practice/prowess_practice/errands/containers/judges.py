"""How containers are judged by what lies in them: those of which something holds, or the one that comes first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from prowess_desk.engine.family import Day


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a container holds, for drawing values that make sense."""

    name: str
    rows: int
    fitting: int
    worth: Any
    """The sum over the fitting rows, or their latest day; None where there is none."""
    each: tuple[Any, ...]
    """What is measured on each of the fitting rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A test of a container by its rows."""

    word: str
    says: tuple[str, str, str]
    """`HAVE ...` after `my playlists that`, `WHERE ...` after `my playlists`, and another. INNER and INNERS stand for
    the fitting rows, BARE and BARES for rows as such, SUMS for what is added up, DATED for `created` or `sent`."""
    about: str
    test: str
    """FITTING stands for the fitting rows, ROWS for all, TOTAL for the sum, LATEST for the last day."""
    short: str = ""
    """The same, where no list of the fitting rows is needed: EACH stands for a loop over the rows' tests."""
    slot: str = ""
    kind: type = int
    limit: Callable[[Random, Sequence[Score]], Any] = lambda rng, scores: None
    """A value for the slot that some containers pass and some do not."""
    sums: bool = False
    dates: bool = False
    bare: bool = False
    """Whether it makes sense for all rows, without a condition on them."""
    some: bool = True
    """Whether those that pass hold at least one fitting row."""
    more: bool = False
    """Whether it says more than that there is a fitting row."""


def _enough(rng: Random, scores: Sequence[Score]) -> int | None:
    counts = sorted({score.fitting for score in scores})[1:]
    counts = [count for count in counts if count > 1]
    return rng.choice(counts) if counts else None


def _few(rng: Random, scores: Sequence[Score]) -> int | None:
    counts = [count for count in sorted({score.fitting for score in scores})[1:] if count > 1]
    return rng.choice(counts[:3]) if counts else None


def _total(rng: Random, scores: Sequence[Score]) -> Any:
    worth = sorted({score.worth for score in scores if score.worth})[:-1]
    return rng.choice(worth) if worth else None


def _day(rng: Random, scores: Sequence[Score]) -> Day | None:
    worth = sorted({score.worth[:10] for score in scores if score.worth})[1:]
    return Day(rng.choice(worth)) if worth else None


SOME = Judge(
    word="with_some",
    says=("HAVE at least one INNER", "WHERE at least one INNER can be found", "with at least one INNER"),
    about="with any INNERS",
    test="FITTING",
    short="any(EACH)",
)
NONE = Judge(
    word="without",
    says=("HAVE not a single INNER", "WHERE there is no INNER at all", "without a single INNER"),
    about="without any INNERS",
    test="not FITTING",
    short="not any(EACH)",
    bare=True,
    some=False,
)
ALL = Judge(
    word="with_only",
    says=(
        "HAVE at least one BARE and nothing but INNERS",
        "WHERE every BARE is one PHRASE (but not if there is no BARE at all)",
        "with nothing but INNERS (at least one BARE, and none of another sort)",
    ),
    about="with nothing but INNERS",
    test="FITTING and len(FITTING) == len(ROWS)",
    short="ROWS and all(EACH)",
)
ENOUGH = Judge(
    word="with_enough",
    says=(
        "HAVE {least} or more INNERS",
        "WHERE there are at least {least} INNERS",
        "with no fewer than {least} INNERS",
    ),
    about="with at least so many INNERS",
    test="len(FITTING) >= least",
    slot="least",
    limit=_enough,
    bare=True,
    more=True,
)
FEW = Judge(
    word="with_few",
    says=(
        "HAVE fewer than {fewer_than} INNERS, or none at all",
        "WHERE there are fewer than {fewer_than} INNERS (none is fewer, too)",
        "with less than {fewer_than} INNERS, including none",
    ),
    about="with fewer than so many INNERS",
    test="len(FITTING) < fewer_than",
    slot="fewer_than",
    limit=_few,
    bare=True,
    some=False,
)
MOSTLY = Judge(
    word="with_mostly",
    says=(
        "HAVE more INNERS than other BARES",
        "WHERE more than half of all BARES are ones PHRASE",
        "WHERE the INNERS outnumber all the other BARES",
    ),
    about="with mostly INNERS",
    test="2 * len(FITTING) > len(ROWS)",
    more=True,
)
TOTAL = Judge(
    word="by_total",
    says=(
        "HAVE INNERS whose SUMS add up to more than {more_than}",
        "WHERE the SUMS of the INNERS add up to more than {more_than}",
        "with INNERS that come to more than {more_than}, all SUMS taken together",
    ),
    about="with INNERS that add up to more",
    test="TOTAL > more_than",
    slot="more_than",
    limit=_total,
    sums=True,
    bare=True,
    more=True,
)
STALE = Judge(
    word="by_latest",
    says=(
        "HAVE at least one INNER, but none of these was DATED on {day} or later",
        "WHERE there are INNERS, all of them DATED before {day}",
        "with at least one INNER, but with none DATED on or after {day}",
    ),
    about="with INNERS, but none since a day",
    test="FITTING and LATEST < day",
    slot="day",
    kind=Day,
    limit=_day,
    dates=True,
    bare=True,
    more=True,
)
JUDGES = (ENOUGH, SOME, NONE, ALL, MOSTLY, TOTAL, FEW, STALE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """What makes one container the first of all; it must be the only one."""

    word: str
    says: tuple[str, str, str]
    """As a judge's, of one container."""
    about: str
    worth: str
    """What is compared; FITTING stands for the fitting rows, MEASURE for a loop over what is measured on them."""
    greatest: bool = True
    sums: bool = False
    dates: bool = False

    def of(self, score: Score) -> Any:
        """What a container is worth."""
        return score.worth if self.sums or self.dates else score.fitting


MOST = Best(
    word="most",
    says=(
        "HAVE the most INNERS",
        "WHERE there are more INNERS than PREP any other",
        "with the greatest number of INNERS",
    ),
    about="with the most INNERS",
    worth="len(FITTING)",
)
FEWEST = Best(
    word="fewest",
    says=(
        "HAVE the fewest INNERS",
        "WHERE there are fewer INNERS than PREP any other",
        "with the smallest number of INNERS",
    ),
    about="with the fewest INNERS",
    worth="len(FITTING)",
    greatest=False,
)
GREATEST = Best(
    word="greatest",
    says=(
        "HAVE the greatest sum if one adds up the SUMS of the INNERS",
        "WHERE the SUMS of the INNERS add up to the most",
        "with the greatest sum of the SUMS of all INNERS",
    ),
    about="with the greatest total over INNERS",
    worth="sum(MEASURE)",
    sums=True,
)
LATEST = Best(
    word="latest",
    says=(
        "HAVE the most recently DATED of all INNERS",
        "WHERE one finds that of all INNERS which was DATED last",
        "with the most recently DATED one of all INNERS",
    ),
    about="with the latest of all INNERS",
    worth='max((MEASURE), default="")',
    dates=True,
)
BESTS = (MOST, GREATEST, FEWEST, LATEST)
