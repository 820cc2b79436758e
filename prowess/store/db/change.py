"""What becomes of versions in the store: moved, reviewed, named, pinned, bound; inside a transaction."""

from __future__ import annotations

from typing import Any

import apsw

from prowess.errors import StoreError
from prowess.store import life
from prowess.store.db import derive, index, read
from prowess.store.db.write import Hand, happen, note
from prowess.store.record import Event, Kind, Relation, Status

_STANDS = (
    "SELECT v.id, v.skill, k.id, v.number, s.status, s.review, v.effect,"
    " (SELECT max(number) FROM version o WHERE o.skill = v.skill) FROM version v"
    " JOIN state s ON s.version = v.id JOIN skill k ON k.born = v.skill WHERE v.digest = ?"
)


def move(db: apsw.Connection, hand: Hand, digest: str, *steps: Status) -> Event:
    """Steps in a version's life, one after the other, and what gives way to them; the last event.

    Each step is judged and noted by itself. What follows from them is written once for all of them, except where it
    matters to a rule: before a version retires, and where others give way to it.
    """
    if not steps:
        raise StoreError(f"version {digest[:12]} was to move, but not said where to", hint="name one status or more")
    version, born, skill, number, status, review, effect, versions = _stands(db, digest)
    place = derive.VersionRef(version=version, skill=born, alone=versions == 1)
    known = life.Facts(effect=read.effect_of(effect), approved=review == "approve")
    events: list[Event] = []
    for to in steps:
        if to is Status.RETIRED:
            _follow(db, events, place)
        facts = read.facts(db, digest, to) if to is Status.RETIRED else known
        if reason := life.refusal(Status(status), to, hand.actor, facts):
            held = to is Status.RETIRED and reason == life.in_use(facts)
            mend = "let it go first: prowess skills unpin, or retire what calls it" if held else ""
            raise StoreError(f"version {digest[:12]} stays {status}: {reason}", hint=mend)
        event = note(db, hand, Kind.MOVED, skill=skill, born=born, digest=digest, before=status, after=to)
        events.append(event)
        status = to
        if to is Status.ACTIVE:
            _follow(db, events, place)
            if not place.alone:
                _supersede(db, event, born, number)
    _follow(db, events, place)
    return event


def _stands(db: apsw.Connection, digest: str) -> Any:
    """The row of a version: its number and its skill's, the skill's id, which of its versions, status, review, effect,
    and how many versions there are."""
    row = db.execute(_STANDS, (digest,)).get
    if row is None:
        raise read.unknown_version(digest)
    return row


def _follow(db: apsw.Connection, events: list[Event], place: derive.VersionRef) -> None:
    """What follows from steps of a version that were only noted so far."""
    if events:
        derive.advance(db, events, place)
        index.follow(db, place.version, was=events[0].before, now=events[-1].after)
        events.clear()


def _supersede(db: apsw.Connection, event: Event, skill: int, number: int) -> None:
    """Others of its skill give way to a version that became active."""
    now = life.Standing(digest=event.digest, number=number, status=Status.ACTIVE)
    hand = Hand(at=event.at, why=f"version {number} became active")
    for one in life.superseded(now, derive.standings(db, skill)):
        happen(
            db,
            hand,
            Kind.MOVED,
            skill=event.skill,
            digest=one.digest,
            before=one.status,
            after=Status.SUPERSEDED,
            cause=event.id,
        )


def review(db: apsw.Connection, hand: Hand, digest: str, verdict: str) -> Event:
    _, _, skill, _, _, before, *_ = _stands(db, digest)
    return happen(db, hand, Kind.REVIEWED, skill=skill, digest=digest, before=before, after=verdict)


def alias(db: apsw.Connection, hand: Hand, skill: str, name: str) -> Event:
    entry = read.entry(db, skill)
    owner = read.owner_of(db, name, entry.namespace)
    if owner is None:
        return happen(db, hand, Kind.ALIASED, skill=skill, after=name)
    if owner == skill or read.entry(db, owner).status is not Status.REJECTED:
        raise StoreError(f"'{name}' is a name of the skill {owner} already")
    # What was refused gives up its name, so that whoever calls it finds the skill that it repeats.
    given = happen(db, hand, Kind.ALIASED, skill=owner, before=name)
    return happen(db, hand, Kind.ALIASED, skill=skill, after=name, cause=given.id)


def pin(db: apsw.Connection, hand: Hand, target: str, holder: str, *, held: bool) -> Event:
    """Pin a skill or a snapshot for a holder, or let go of it."""
    is_root = bool(db.execute("SELECT count(*) FROM snapshot WHERE root = ?", (target,)).get)
    name = f"the snapshot {target[:12]}" if is_root else f"'{read.entry(db, target).name}'"
    if not holder:
        raise StoreError("a pin needs a holder", hint="name the person or the run")
    holders = read.holders(db, target)
    if (holder in holders) == held:
        problem = "is pinned already" if held else "is not pinned"
        raise StoreError(f"{name} {problem} by '{holder}'", hint=f"pinned by: {', '.join(holders) or 'nobody'}")
    return happen(
        db,
        hand,
        Kind.PINNED,
        skill="" if is_root else target,
        digest=target if is_root else "",
        before="" if held else holder,
        after=holder if held else "",
    )


def link(db: apsw.Connection, hand: Hand, skill: str, relation: Relation, other: str, *, linked: bool) -> Event:
    """Bind a skill to another, or let it go."""
    if relation is Relation.CALLS:
        raise StoreError("what a skill calls follows from its code", hint="propose it with its dependencies")
    for one in (skill, other):
        read.entry(db, one)
    edge = (skill, relation, other)
    there = bool(db.execute("SELECT count(*) FROM edge WHERE skill = ? AND relation = ? AND other = ?", edge).get)
    if there == linked:
        raise StoreError(f"{skill} is {'already' if linked else 'not'} bound to {other} by {relation}")
    text = f"{relation} {other}"
    return happen(db, hand, Kind.LINKED, skill=skill, before="" if linked else text, after=text if linked else "")
