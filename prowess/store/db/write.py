"""What comes into the store, as functions of a connection inside a transaction.

Rows, derived state and event change together; what becomes of a version later is in `change`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw

from prowess.errors import StoreError
from prowess.store.canon import Address, legible, skill_id, version_at
from prowess.store.db import derive, index, read
from prowess.store.db.rows import PROVENANCE, TRIAL, USAGE, VERIFICATION, VERSION, key_of
from prowess.store.record import (
    Account,
    Actor,
    Arm,
    Event,
    Kind,
    Provenance,
    Status,
    Trial,
    Usage,
    Verification,
    Version,
)
from prowess.store.standing import Proposal
from prowess.types import Origin, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Who changes something, when and why."""

    at: str
    actor: Actor = Actor.STORE
    who: str = ""
    why: str = ""


EVENT_ROW = (
    "INSERT INTO event (id, born, at, kind, skill, digest, before, after, actor, who, why, cause, undoes)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_BORN = "SELECT born FROM skill WHERE id = ?"


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
    born: Any = db.execute(_BORN, (skill,)).get if skill else 0
    event = note(
        db, hand, kind, skill=skill, born=born, digest=digest, before=before, after=after, cause=cause, undoes=undoes
    )
    derive.apply(db, event)
    if kind is Kind.MOVED:
        index.follow(db, derive.place(db, digest).version, was=before, now=after)
    return event


def note(
    db: apsw.Connection,
    hand: Hand,
    kind: Kind,
    *,
    id: int | None = None,
    skill: str,
    born: int,
    digest: str,
    before: str,
    after: str,
    cause: int = 0,
    undoes: int = 0,
) -> Event:
    """Write an event alone; `born` is its skill's number."""
    who, why = legible(hand.who), legible(hand.why)
    db.execute(EVENT_ROW, (id, born, hand.at, kind, skill, digest, before, after, hand.actor, who, why, cause, undoes))
    return Event(
        id=id or db.last_insert_rowid(),
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


VERSION_ROW = VERSION.insert("id", "skill", "number")
_PROVENANCE = PROVENANCE.insert("key", "version", "at") + " ON CONFLICT (version, key) DO NOTHING"


def known(db: apsw.Connection, digest: str) -> Proposal | None:
    """The version of this digest, where the store has it."""
    row: Any = db.execute(_KNOWN, (digest,)).get
    return Proposal(skill=row[0], digest=digest, number=row[1], new=False) if row is not None else None


_KNOWN = "SELECT k.id, v.number FROM version v JOIN skill k ON k.born = v.skill WHERE v.digest = ?"
_NEWEST = (
    "SELECT k.born, s.digest, k.namespace, max(v.number) FROM skill k JOIN state s ON s.version = k.head"
    " JOIN version v ON v.skill = k.born WHERE k.id = ?"
)
NEXT = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0) + 1"
"""The number that the next event will have."""


def add_version(db: apsw.Connection, hand: Hand, version: Version, *, of: str = "") -> Proposal:
    """A new version: of the skill `of`, or of the skill that has its name, or the first of a new skill."""
    if not version.name.isidentifier():
        raise StoreError(f"{version.name!r} cannot name a skill", hint="it is called by its name: a Python identifier")
    owner = read.owner_of(db, version.name, version.namespace)
    if of and owner not in (None, of):
        raise StoreError(
            f"the name '{version.name}' is another skill's ({owner})", hint="give the function another name"
        )
    skill = of or owner or skill_id(version.namespace, version.name, version.digest)
    row: Any = db.execute(_NEWEST, (skill,)).get if of or owner else (None, None, None, None)
    first, head, namespace, newest = row
    if of and namespace != version.namespace:
        raise StoreError(f"no skill has the id '{of}' in the namespace '{version.namespace}'")
    for digest in (*version.dependencies, *version.parents):
        if known(db, digest) is None:
            raise read.unknown_version(digest)
    if head and not version.parents:
        version = replace(version, parents=(head,))
    number = (newest or 0) + 1
    id: Any = db.execute(NEXT).get
    first = first or id
    db.execute(VERSION_ROW, (id, first, number, *VERSION.row(version)))
    if apis := [(api, id, version.fingerprints.get(api, "")) for api in version.apis]:
        db.executemany("INSERT INTO api VALUES (?, ?, ?)", apis)
    event = note(
        db,
        hand,
        Kind.PROPOSED,
        id=id,
        skill=skill,
        born=first,
        digest=version.digest,
        before=head or "",
        after=Status.CANDIDATE,
    )
    born = derive.Born(
        skill=first,
        number=number,
        namespace=version.namespace,
        name=version.name,
        dependencies=version.dependencies,
    )
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
        index.retell(db, found.digest, provenance.instruction, provenance.scenario)


def settled(provenance: Provenance, origin: Origin) -> Provenance:
    """A provenance with what the skill itself says of its origin."""
    if origin == Origin():
        return provenance
    return Provenance(  # `replace` asks for each field's name
        kind=provenance.kind,
        run=provenance.run,
        episode=provenance.episode,
        turn=origin.turn,
        task=origin.task,
        scenario=origin.scenario,
        instruction=origin.instruction,
        checkpoint=provenance.checkpoint,
        world=provenance.world,
        world_version=provenance.world_version,
        who=provenance.who,
        note=provenance.note,
    )


_TRIAL = TRIAL.insert("key", "at") + " ON CONFLICT (version, key) DO NOTHING"


def add_trials(db: apsw.Connection, at: str, trials: Iterable[Trial]) -> int:
    """Tests of versions; told twice, each is kept once. How many were new."""
    rows = []
    for trial in trials:
        if trial.fault:
            raise StoreError(f"a test of version {trial.digest[:12]} cannot be kept: {trial.fault}")
        rows.append((trial.digest, TRIAL.row(trial)))
    return sum(_new(db, _TRIAL, (key_of(row), at, *row), digest) for digest, row in rows)


_VERIFICATION = VERIFICATION.insert()


def add_verifications(db: apsw.Connection, at: str, verifications: Iterable[Verification]) -> int:
    rows = [(one.digest, VERIFICATION.row(replace(one, at=one.at or at))) for one in verifications]
    return sum(_new(db, _VERIFICATION, row, digest) for digest, row in rows)


_USAGE = USAGE.insert() + " ON CONFLICT (version, episode) DO NOTHING"


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
    arms: tuple[tuple[Arm, Sequence[str]], ...] = (("offered", account.offered), ("masked", account.masked))
    for arm, names in arms:
        for rank, name in enumerate(names):
            if name in digest_of:
                yield Usage(
                    episode=account.provenance.episode,
                    digest=digest_of[name],
                    arm=arm,
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
