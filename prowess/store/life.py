"""The life of a version: which step is allowed from where, by whom, and what it brings with it.

    candidate ─gates─> verified ─────────────> probation ─evidence─> active ─> stale, suspended, deprecated ─> retired
        │                  └─> review ─person─────┘                    └─ a newer version active ─> superseded
        └─> rejected (kept)                            any ─security─> revoked

Nothing is ever deleted. What somebody refers to is not retired. What cannot be taken back needs a person's approval of
the very digest. Any step can be undone (`Store.undo`), which no rule here forbids but the one about retiring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prowess.store.record import Actor, Effect, Status

_GATE, _CURATOR, _PERSON, _GUARD = Actor.GATE, Actor.CURATOR, Actor.PERSON, Actor.GUARD
_S = Status

STEPS: Mapping[Status, Mapping[Status, frozenset[Actor]]] = {
    _S.CANDIDATE: {
        _S.VERIFIED: frozenset({_GATE, _PERSON}),
        _S.REJECTED: frozenset({_GATE, _PERSON}),
    },
    _S.VERIFIED: {
        _S.REVIEW: frozenset({_GATE, _PERSON}),
        _S.PROBATION: frozenset({_GATE, _CURATOR, _PERSON}),
        _S.ACTIVE: frozenset({_PERSON}),
        _S.REJECTED: frozenset({_GATE, _PERSON}),
    },
    _S.REVIEW: {
        _S.PROBATION: frozenset({_PERSON}),
        _S.ACTIVE: frozenset({_PERSON}),
        _S.REJECTED: frozenset({_PERSON}),
    },
    _S.PROBATION: {
        _S.ACTIVE: frozenset({_CURATOR, _PERSON}),
        _S.STALE: frozenset({_CURATOR, _PERSON}),
        _S.SUSPENDED: frozenset({_CURATOR, _PERSON, _GUARD}),
        _S.DEPRECATED: frozenset({_CURATOR, _PERSON}),
        _S.SUPERSEDED: frozenset({_CURATOR, _PERSON}),
        _S.REJECTED: frozenset({_PERSON}),
        _S.RETIRED: frozenset({_PERSON}),
    },
    _S.ACTIVE: {
        _S.PROBATION: frozenset({_CURATOR, _PERSON}),
        _S.STALE: frozenset({_CURATOR, _PERSON}),
        _S.SUSPENDED: frozenset({_CURATOR, _PERSON, _GUARD}),
        _S.DEPRECATED: frozenset({_CURATOR, _PERSON}),
        _S.SUPERSEDED: frozenset({_CURATOR, _PERSON}),
        _S.RETIRED: frozenset({_PERSON}),
    },
    _S.STALE: {
        _S.CANDIDATE: frozenset({_GATE, _CURATOR, _PERSON}),
        _S.PROBATION: frozenset({_GATE, _CURATOR, _PERSON}),
        _S.ACTIVE: frozenset({_PERSON}),
        _S.SUSPENDED: frozenset({_CURATOR, _PERSON, _GUARD}),
        _S.DEPRECATED: frozenset({_CURATOR, _PERSON}),
        _S.RETIRED: frozenset({_CURATOR, _PERSON}),
    },
    _S.SUSPENDED: {
        _S.PROBATION: frozenset({_CURATOR, _PERSON}),
        _S.ACTIVE: frozenset({_PERSON}),
        _S.DEPRECATED: frozenset({_CURATOR, _PERSON}),
        _S.RETIRED: frozenset({_CURATOR, _PERSON}),
    },
    _S.DEPRECATED: {
        _S.PROBATION: frozenset({_PERSON}),
        _S.ACTIVE: frozenset({_PERSON}),
        _S.RETIRED: frozenset({_CURATOR, _PERSON}),
    },
    _S.SUPERSEDED: {
        _S.PROBATION: frozenset({_CURATOR, _PERSON}),
        _S.ACTIVE: frozenset({_CURATOR, _PERSON}),
        _S.RETIRED: frozenset({_CURATOR, _PERSON}),
    },
    _S.RETIRED: {
        _S.CANDIDATE: frozenset({_PERSON}),
        _S.PROBATION: frozenset({_PERSON}),
    },
    _S.REJECTED: {
        _S.CANDIDATE: frozenset({_GATE, _PERSON}),
    },
    _S.REVOKED: {
        _S.CANDIDATE: frozenset({_PERSON}),
    },
}
"""From where, to where, by whom; besides, a person and security may revoke anything."""

OFFERED = frozenset({Status.ACTIVE, Status.PROBATION})
"""What an agent may be shown: on probation, where asked for."""

_GIVE_WAY = frozenset({Status.ACTIVE, Status.STALE, Status.DEPRECATED})

_WEIGHT = {
    Status.ACTIVE: 5,
    Status.PROBATION: 4,
    **dict.fromkeys((Status.STALE, Status.SUSPENDED, Status.DEPRECATED), 3),
    **dict.fromkeys((Status.CANDIDATE, Status.VERIFIED, Status.REVIEW), 2),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One version among its skill's."""

    digest: str
    number: int
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the rules ask about a version besides its status."""

    effect: Effect = Effect.PURE
    approved: bool = False
    """By a person, this very digest."""
    callers: tuple[str, ...] = ()
    """Names of living skills that call it."""
    holders: tuple[str, ...] = ()
    """Who pins it: people, and live runs that play with a snapshot of it."""


def allowed(status: Status, actor: Actor) -> tuple[Status, ...]:
    """Where this hand may move a version from here."""
    steps = [to for to, actors in STEPS.get(status, {}).items() if actor in actors]
    if actor in (_PERSON, _GUARD) and status is not Status.REVOKED:
        steps.append(Status.REVOKED)
    return tuple(steps)


def refusal(status: Status, to: Status, actor: Actor, facts: Facts) -> str:
    """Why a step is not allowed, or nothing."""
    if to not in allowed(status, actor):
        others = ", ".join(allowed(status, actor)) or "nowhere"
        return f"a {actor} cannot move a version from {status} to {to} (allowed: {others})"
    if to is Status.RETIRED and (reason := in_use(facts)):
        return reason
    return unapproved(facts) if to in OFFERED else ""


def in_use(facts: Facts) -> str:
    """Why a version cannot be retired, or nothing."""
    if facts.callers:
        return f"it is called by {', '.join(facts.callers)}"
    if facts.holders:
        return f"it is pinned by {', '.join(facts.holders)}"
    return ""


def unapproved(facts: Facts) -> str:
    """Why a version cannot be offered, or nothing."""
    if facts.effect is Effect.IRREVERSIBLE and not facts.approved:
        return "what it does cannot be taken back, so a person must approve this very version before it is offered"
    return ""


def superseded(now_active: Standing, others: Iterable[Standing]) -> tuple[Standing, ...]:
    """Versions of the same skill that give way when this one becomes active; what is suspended stays suspended."""
    return tuple(
        other
        for other in others
        if other.digest != now_active.digest
        and (other.status in _GIVE_WAY or (other.status is Status.PROBATION and other.number < now_active.number))
    )


def head(versions: Iterable[Standing]) -> Standing:
    """The version that stands for its skill: the one in use, else the newest that may yet be."""
    return max(versions, key=lambda one: (_WEIGHT.get(one.status, 1), one.number))
