"""Changes to the store, as functions of a connection inside a transaction.

Rows, derived state and event change together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import apsw

from opensage.errors import StoreError
from opensage.skills import life
from opensage.skills.canon import Address, legible, skill_id, version_at
from opensage.skills.record import (
    Account,
    Actor,
    Event,
    Kind,
    Provenance,
    Relation,
    Status,
    Trial,
    Usage,
    Verification,
    Version,
)
from opensage.skills.standing import Proposal
from opensage.skills.store import derive, read, text
from opensage.skills.store.rows import PROVENANCE, TRIAL, USAGE, VERIFICATION, VERSION, key_of
from opensage.types import Origin, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Who changes something, when and why."""

    at: str
    actor: Actor = Actor.STORE
    who: str = ""
    why: str = ""


_EVENT = (
    "INSERT INTO event (at, kind, skill, digest, before, after, actor, who, why, cause, undoes)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def happen(
    db: apsw.Connection,
    hand: Hand,
    kind: Kind,
    *,
    skill: str = "",
    digest: str = "",
    before: str = "",
    after: str = "",
    cause: int = 0,
    undoes: int = 0,
) -> Event:
    """Write an event, and what follows from it."""
    event = _note(db, hand, kind, skill=skill, digest=digest, before=before, after=after, cause=cause, undoes=undoes)
    derive.apply(db, event)
    if kind is Kind.MOVED:
        text.follow(db, digest, was=before, now=after)
    return event


def _note(
    db: apsw.Connection,
    hand: Hand,
    kind: Kind,
    *,
    skill: str,
    digest: str,
    before: str,
    after: str,
    cause: int = 0,
    undoes: int = 0,
) -> Event:
    """Write an event alone."""
    who, why = legible(hand.who), legible(hand.why)
    db.execute(_EVENT, (hand.at, kind, skill, digest, before, after, hand.actor, who, why, cause, undoes))
    return Event(
        id=db.last_insert_rowid(),
        at=hand.at,
        kind=kind,
        skill=skill,
        digest=digest,
        before=before,
        after=after,
        actor=hand.actor,
        who=who,
        why=why,
        cause=cause,
        undoes=undoes,
    )


# --- what comes in --------------------------------------------------------------------------------

_VERSION = VERSION.insert("skill", "number")
_PROVENANCE = PROVENANCE.insert("key", "digest", "at").replace("INSERT", "INSERT OR IGNORE")


def known(db: apsw.Connection, digest: str) -> Proposal | None:
    """The version of this digest, where the store has it."""
    row: Any = db.execute("SELECT skill, number FROM version WHERE digest = ?", (digest,)).get
    return Proposal(skill=row[0], digest=digest, number=row[1], new=False) if row is not None else None


_NEWEST = "SELECT k.head, k.namespace, max(s.number) FROM skill k JOIN state s ON s.skill = k.id WHERE k.id = ?"


def add_version(db: apsw.Connection, hand: Hand, version: Version, *, of: str = "") -> Proposal:
    """A new version: of the skill `of`, or of the skill that has its name, or the first of a new skill."""
    if not version.name.isidentifier():
        raise StoreError(f"{version.name!r} cannot name a skill", hint="it is called by its name: a Python identifier")
    owner: Any = db.execute(
        "SELECT skill FROM name WHERE name = ? AND namespace = ?", (version.name, version.namespace)
    ).get
    if of and owner not in (None, of):
        raise StoreError(
            f"the name '{version.name}' is another skill's ({owner})", hint="give the function another name"
        )
    skill = of or owner or skill_id(version.namespace, version.name, version.digest)
    row: Any = db.execute(_NEWEST, (skill,)).get if of or owner else (None, None, None)
    head, namespace, newest = row
    if of and namespace != version.namespace:
        raise StoreError(f"no skill has the id '{of}' in the namespace '{version.namespace}'")
    for digest in (*version.dependencies, *version.parents):
        if known(db, digest) is None:
            raise read.unknown_version(digest)
    if head and not version.parents:
        version = replace(version, parents=(head,))
    number = (newest or 0) + 1
    db.execute(_VERSION, (skill, number, *VERSION.row(version)))
    if apis := [(api, version.digest, version.fingerprints.get(api, "")) for api in version.apis]:
        db.executemany("INSERT INTO api VALUES (?, ?, ?)", apis)
    event = _note(
        db, hand, Kind.PROPOSED, skill=skill, digest=version.digest, before=head or "", after=Status.CANDIDATE
    )
    born = derive.Born(number=number, namespace=version.namespace, name=version.name, dependencies=version.dependencies)
    derive.apply(db, event, born=born)
    return Proposal(skill=skill, digest=version.digest, number=number, new=True)


def add_learned(db: apsw.Connection, hand: Hand, account: Account, skill: Skill, version: Version | None) -> Proposal:
    """A skill that an episode learned, with its version where that is known already."""
    at: Address | Version = version or Address.of(skill, namespace=account.namespace)
    found = known(db, at.digest)
    if found is None:
        if isinstance(at, Address):
            at = version_at(at, skill, fingerprints=account.fingerprints)
        found = add_version(db, hand, at)
    add_provenance(db, hand.at, found, settled(account.provenance, skill.origin))
    return found


def add_provenance(db: apsw.Connection, at: str, found: Proposal, provenance: Provenance) -> None:
    """Where a version came from; told twice, it is kept once."""
    row = PROVENANCE.row(provenance)
    db.execute(_PROVENANCE, (key_of(found.digest, row), found.digest, at, *row))
    if not found.new and db.changes():  # what is new is in no index
        text.retell(db, found.digest, provenance.instruction, provenance.scenario)


def settled(provenance: Provenance, origin: Origin) -> Provenance:
    """A provenance with what the skill itself says of its origin."""
    if origin == Origin():
        return provenance
    return replace(
        provenance, task=origin.task, scenario=origin.scenario, turn=origin.turn, instruction=origin.instruction
    )


_TRIAL = TRIAL.insert("key", "at").replace("INSERT", "INSERT OR IGNORE")


def add_trials(db: apsw.Connection, at: str, trials: Iterable[Trial]) -> int:
    """Tests of versions; told twice, each is kept once. How many were new."""
    rows = [(trial.digest, TRIAL.row(trial)) for trial in trials]
    return sum(_new(db, _TRIAL, (key_of(row), at, *row), digest) for digest, row in rows)


_VERIFICATION = VERIFICATION.insert()


def add_verifications(db: apsw.Connection, at: str, verifications: Iterable[Verification]) -> int:
    rows = [(one.digest, VERIFICATION.row(replace(one, at=one.at or at))) for one in verifications]
    return sum(_new(db, _VERIFICATION, row, digest) for digest, row in rows)


_USAGE = USAGE.insert().replace("INSERT", "INSERT OR IGNORE")


def add_usages(db: apsw.Connection, at: str, usages: Iterable[Usage]) -> int:
    """Uses, and the statistics that follow. The same version in the same episode counts once. How many were new."""
    new: list[Usage] = []
    for usage in usages:
        if not usage.episode:
            raise StoreError("a use needs the episode it belongs to", hint="give Usage.episode, unique in the store")
        dated = usage if usage.at else replace(usage, at=at)
        if _new(db, _USAGE, USAGE.row(dated), usage.digest):
            new.append(dated)
    derive.count(db, new)
    return len(new)


def _new(db: apsw.Connection, statement: str, row: Any, digest: str) -> int:
    try:
        db.execute(statement, row)
    except apsw.ConstraintError:
        raise read.unknown_version(digest) from None
    return db.changes()


def usages_of(account: Account, digest_of: Mapping[str, str]) -> Iterable[Usage]:
    """The uses that an account tells of, for the names that are known."""
    if not account.counts:
        return
    for arm, names in (("offered", account.offered), ("masked", account.masked)):
        for rank, name in enumerate(names):
            if name in digest_of:
                yield Usage(
                    episode=account.provenance.episode,
                    digest=digest_of[name],
                    arm="offered" if arm == "offered" else "masked",
                    task=account.provenance.task,
                    run=account.provenance.run,
                    rank=rank,
                    score=account.scores.get(name, 0.0),
                    called=account.called.get(name, 0),
                    error=account.errors.get(name, ""),
                    success=account.success,
                    turns=account.turns,
                    tokens=account.tokens,
                )


# --- what changes ---------------------------------------------------------------------------------


def move(db: apsw.Connection, hand: Hand, digest: str, *steps: Status) -> Event:
    """Steps in a version's life, one after the other, and what gives way to them; the last event.

    Each step is judged and noted by itself. What follows from them is written once for all of them, except where it
    matters to a rule: before a version retires, and where others give way to it.
    """
    if not steps:
        raise StoreError(f"version {digest[:12]} was to move, but not said where to", hint="name one status or more")
    row: Any = db.execute("SELECT skill, number, status, review FROM state WHERE digest = ?", (digest,)).get
    if row is None:
        raise read.unknown_version(digest)
    skill, number, status, review = row
    events: list[Event] = []
    for to in steps:
        if to is Status.RETIRED:
            _follow(db, events)
        if reason := life.refusal(Status(status), to, hand.actor, read.facts(db, digest, to, review)):
            raise StoreError(f"version {digest[:12]} stays {status}: {reason}")
        event = _note(db, hand, Kind.MOVED, skill=skill, digest=digest, before=status, after=to)
        events.append(event)
        status = to
        if to is Status.ACTIVE:
            _follow(db, events)
            _supersede(db, event, number)
    _follow(db, events)
    return event


def _follow(db: apsw.Connection, events: list[Event]) -> None:
    """What follows from steps of a version that were only noted so far."""
    if events:
        derive.advance(db, events)
        text.follow(db, events[0].digest, was=events[0].before, now=events[-1].after)
        events.clear()


def _supersede(db: apsw.Connection, event: Event, number: int) -> None:
    """Others of its skill give way to a version that became active."""
    now = life.Standing(digest=event.digest, number=number, status=Status.ACTIVE)
    hand = Hand(at=event.at, why=f"version {number} became active")
    for one in life.superseded(now, derive.standings(db, event.skill)):
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
    row: Any = db.execute("SELECT skill, review FROM state WHERE digest = ?", (digest,)).get
    if row is None:
        raise read.unknown_version(digest)
    return happen(db, hand, Kind.REVIEWED, skill=row[0], digest=digest, before=row[1], after=verdict)


def alias(db: apsw.Connection, hand: Hand, skill: str, name: str) -> Event:
    entry = read.entry(db, skill)
    owner: Any = db.execute("SELECT skill FROM name WHERE name = ? AND namespace = ?", (name, entry.namespace)).get
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
    if not is_root:
        read.entry(db, target)
    if not holder:
        raise StoreError("a pin needs a holder", hint="name the person or the run")
    if (holder in read.holders(db, target)) == held:
        raise StoreError(f"'{holder}' holds {target} already" if held else f"'{holder}' does not hold {target}")
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
