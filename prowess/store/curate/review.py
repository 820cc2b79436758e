"""A person's word on a version: bound to what was looked at, and what follows from it, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prowess.errors import StoreError
from prowess.store.db import Store
from prowess.store.record import Actor, Event, Status
from prowess.store.standing import Entry

ONWARD: Mapping[Status, Status] = {
    Status.VERIFIED: Status.PROBATION,
    Status.REVIEW: Status.PROBATION,
    Status.PROBATION: Status.ACTIVE,
}
"""Where an approved version goes; from anywhere else it stays, and the approval is noted."""

BACK: Mapping[Status, Status] = {
    Status.STALE: Status.PROBATION,
    Status.SUSPENDED: Status.PROBATION,
    Status.DEPRECATED: Status.PROBATION,
    Status.SUPERSEDED: Status.PROBATION,
    Status.RETIRED: Status.PROBATION,
    Status.REJECTED: Status.CANDIDATE,
    Status.REVOKED: Status.CANDIDATE,
}
"""Where a restored version goes: it has to earn its place again."""

REFUSABLE = (Status.CANDIDATE, Status.VERIFIED, Status.REVIEW, Status.PROBATION)
"""What can be rejected; what is in use is suspended, retired or revoked instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """How a version stood when a person looked at it."""

    digest: str
    status: Status
    head: str
    """Digest of its skill's head."""
    newest: int
    """Number of its skill's newest version."""


def sight_of(store: Store, digest: str) -> Sight:
    """How a version stands now."""
    entry = store.version(digest)
    return Sight(
        digest=digest,
        status=entry.status,
        head=store.skill(entry.id).digest,
        newest=store.versions(entry.id)[-1].number,
    )


def approve(store: Store, seen: Sight, *, who: str, why: str = "", to: Status | None = None) -> tuple[Event, ...]:
    """Approve the very version that was seen, and move it on; refused where the skill has changed since."""
    with store.many():
        entry = _as_seen(store, seen)
        events = [store.review(seen.digest, "approve", who=who, why=why)]
        target = to or ONWARD.get(entry.status)
        if target and target is not entry.status:
            events.append(store.move(seen.digest, target, actor=Actor.PERSON, who=who, why=why or "approved"))
    return tuple(events)


def reject(store: Store, seen: Sight, *, who: str, why: str = "") -> tuple[Event, ...]:
    """Refuse the very version that was seen; it is kept, and no longer goes on."""
    with store.many():
        entry = _as_seen(store, seen)
        if entry.status not in REFUSABLE:
            raise StoreError(
                f"'{entry.name}' ({seen.digest[:12]}) is {entry.status}; "
                f"what can be rejected is {', '.join(REFUSABLE[:-1])} or {REFUSABLE[-1]}",
                hint="retire it, or move it to suspended, deprecated or revoked",
            )
        return (
            store.review(seen.digest, "refuse", who=who, why=why),
            store.move(seen.digest, Status.REJECTED, actor=Actor.PERSON, who=who, why=why or "refused"),
        )


def restore(store: Store, digest: str, *, who: str, why: str = "", to: Status | None = None) -> Event:
    """Bring a version back from where it rests."""
    with store.many():
        entry = store.version(digest)
        if entry.status not in BACK:
            raise StoreError(
                f"'{entry.name}' ({digest[:12]}) is {entry.status}: there is nothing to restore",
                hint=f"what can be restored is {', '.join(BACK)}",
            )
        return store.move(digest, to or BACK[entry.status], actor=Actor.PERSON, who=who, why=why or "restored")


def _as_seen(store: Store, seen: Sight) -> Entry:
    """The version, if nothing about its skill has changed since it was looked at."""
    now = sight_of(store, seen.digest)
    entry = store.version(seen.digest)
    if now == seen:
        return entry
    if now.status is not seen.status:
        change = f"its status was {seen.status} and is {now.status}"
    elif now.newest != seen.newest:
        change = f"version {now.newest} has come"
    else:
        change = f"its head was {seen.head[:12]} and is {now.head[:12]}"
    raise StoreError(f"'{entry.name}' has changed since it was shown: {change}", hint="look at it again, then decide")
