"""What follows from the record: how skills stand now, and how they stood at a moment.

Nothing here is kept for its own sake: all of it can be computed again from events and uses, bit for bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from prowess.store.record import Relation, Status, Usage, Version
from prowess.types import Origin, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What is known of a version's worth: counts, and exact functions of them."""

    digest: str
    offered: int = 0
    offered_successes: int = 0
    masked: int = 0
    masked_successes: int = 0
    called: int = 0
    """Episodes in which it was called."""
    called_successes: int = 0
    errors: int = 0
    """Episodes in which an exception left it."""
    first_success: str = ""
    """When an episode that called it first succeeded."""
    last_success: str = ""

    @property
    def alpha(self) -> int:
        """Of the Beta posterior of success when called, from a flat prior."""
        return 1 + self.called_successes

    @property
    def beta(self) -> int:
        return 1 + self.called - self.called_successes

    @property
    def success(self) -> float:
        """The posterior's mean.

        >>> Statistics(digest="d", called=8, called_successes=7).success
        0.8
        """
        return self.alpha / (self.alpha + self.beta)

    @property
    def uplift(self) -> float | None:
        """P(success | offered) - P(success | masked), or None while an arm is empty.

        >>> Statistics(digest="d", offered=4, offered_successes=3, masked=4, masked_successes=1).uplift
        0.5
        """
        if not self.offered or not self.masked:
            return None
        return self.offered_successes / self.offered - self.masked_successes / self.masked

    @property
    def uplift_error(self) -> float | None:
        """The standard error of the uplift: of a difference of two independent shares."""
        if not self.offered or not self.masked:
            return None
        shown, hidden = self.offered_successes / self.offered, self.masked_successes / self.masked
        return math.sqrt(shown * (1 - shown) / self.offered + hidden * (1 - hidden) / self.masked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What became of a proposed skill."""

    skill: str
    """The skill's id."""
    digest: str
    number: int
    new: bool
    """False for code that the store knew: then it is more evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A skill as it stands: its id and names, and one of its versions (its head, unless another was asked for)."""

    id: str
    namespace: str
    name: str
    status: Status
    """Of this version."""
    version: Version
    number: int = 1
    """Which of the skill's versions, counted from 1."""
    origin: Origin = field(default_factory=Origin)
    """Where this code was first written."""
    aliases: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    """Who pins the skill."""
    approved: bool = False
    """Whether a person has approved this very digest."""

    @property
    def digest(self) -> str:
        return self.version.digest

    @property
    def skill(self) -> Skill:
        return self.version.skill(self.origin)


@dataclass(frozen=True, slots=True)
class Outline:
    """The little of a skill's head that tells which others it may be like: enough of it for all skills of a store."""

    digest: str
    namespace: str
    apis: str
    """As JSON."""
    alpha_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use, with the skill that it was of."""

    name: str
    number: int
    """Which of the skill's versions."""
    namespace: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a version costs in prompts, and what comes of it."""

    skill: str
    namespace: str
    name: str
    number: int
    digest: str
    status: Status
    tokens: int
    """About how long it is in a prompt."""
    offered: int
    """Episodes."""
    called: int
    called_successes: int
    unused: int
    """Tokens in all of the prompts of episodes that did not call it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One skill's relation to another, by their ids."""

    skill: str
    relation: Relation
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of all skills at one moment, known by its Merkle root."""

    root: str
    event: int
    """The last event it takes in."""
    at: str
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different about one skill between two snapshots; empty where it is not there."""

    skill: str
    name: str
    old: str = ""
    new: str = ""
    """Digests of the heads."""
    old_status: Status | None = None
    new_status: Status | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """From one snapshot to another; a skill whose digest and status both differ is in `changed` alone."""

    added: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    moved: tuple[Change, ...] = ()
    """Same digest, another status."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.moved)
