"""Taking a change back: the inverse of an event, as a new event. Nothing is erased."""

from __future__ import annotations

import apsw

from prowess.errors import StoreError
from prowess.store import life
from prowess.store.db import read
from prowess.store.db.rows import EVENT
from prowess.store.db.write import Hand, happen
from prowess.store.record import Event, Kind, Status


def undo(db: apsw.Connection, hand: Hand, id: int) -> tuple[Event, ...]:
    """Take back an event and what followed from it; refused where something newer stands on it."""
    event = read.event(db, id)
    if event.cause:
        raise StoreError(
            f"event {id} followed from event {event.cause}", hint=f"undo event {event.cause}: this one goes with it"
        )
    if event.kind is Kind.PROPOSED:
        raise StoreError(f"event {id} is a proposal, and nothing is ever deleted", hint="move the version to rejected")
    followed = [EVENT.value(row) for row in db.execute(f"SELECT {EVENT.columns} FROM event WHERE cause = ?", (id,))]
    for one in (event, *followed):
        if reason := _refusal(db, one):
            raise StoreError(f"event {id} cannot be undone: {reason}")
    done = [_inverse(db, hand, event)]
    # What gave way comes back after what it gave way to is gone.
    done += [_inverse(db, hand, one, cause=done[0].id) for one in reversed(followed)]
    active = db.execute(
        "SELECT count(*) FROM skill k JOIN version v ON v.skill = k.born JOIN state s ON s.version = v.id"
        " WHERE k.id = ? AND s.status = 'active'",
        (event.skill,),
    ).get
    if int(str(active)) > 1:
        raise StoreError(f"event {id} cannot be undone: another version has become active since")
    return tuple(done)


def _inverse(db: apsw.Connection, hand: Hand, event: Event, cause: int = 0) -> Event:
    return happen(
        db,
        hand,
        event.kind,
        skill=event.skill,
        digest=event.digest,
        before=event.after,
        after=event.before,
        cause=cause,
        undoes=event.id,
    )


def _refusal(db: apsw.Connection, event: Event) -> str:
    newer = [
        EVENT.value(row)
        for row in db.execute(
            f"SELECT {EVENT.columns} FROM event WHERE id > ? AND kind = ? AND digest = ?"
            " AND born = (SELECT born FROM event WHERE id = ?) ORDER BY id",
            (event.id, event.kind, event.digest, event.id),
        )
    ]
    if event.kind in (Kind.ALIASED, Kind.PINNED, Kind.LINKED):  # these are independent of each other
        own = {event.before, event.after} - {""}
        newer = [one for one in newer if own & {one.before, one.after}]
    gone = {one.undoes for one in newer}
    if event.id in gone:
        last = max((one for one in newer if one.undoes == event.id), key=lambda one: one.id)
        if last.id not in gone:
            return f"event {last.id} has undone it already"
    standing = _standing(newer, event.id)
    if standing:
        first = standing[0]
        return f"event {first.id} ({first.before or 'nothing'} to {first.after or 'nothing'}) came after it"
    if event.kind is Kind.MOVED:
        return _unfit(db, event)
    if event.kind is Kind.ALIASED and event.after:
        return _spoken(db, event)
    return ""


def _standing(newer: list[Event], id: int) -> list[Event]:
    """The newer events that have not been taken back, without those that take others back."""
    undone: set[int] = set()
    for one in reversed(newer):  # an undo that was itself undone takes nothing back
        if one.undoes and one.id not in undone:
            undone.add(one.undoes)
    return [one for one in newer if one.id not in undone and not one.undoes and one.id != id]


def _unfit(db: apsw.Connection, event: Event) -> str:
    """Why a version cannot go back to where it was, or nothing."""
    facts = read.facts(db, event.digest, Status(event.before))
    if event.before == Status.RETIRED:
        return life.in_use(facts)
    if event.before in life.OFFERED:
        return life.unapproved(facts)
    return ""


def _spoken(db: apsw.Connection, event: Event) -> str:
    """Why a name cannot be taken away, or nothing."""
    used = db.execute(
        "SELECT count(*) FROM skill k JOIN version v ON v.skill = k.born WHERE k.id = ? AND v.name = ?",
        (event.skill, event.after),
    ).get
    return f"a version is called '{event.after}'" if used else ""
