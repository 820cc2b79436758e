"""What follows from the primary rows: kept with every change, and computed again from nothing to check it.

State follows from events, one after the other, by `apply`: the same function when an event happens and when all are
replayed. Statistics follow from uses: added up as they come, counted by the database when they are checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from opensage.skills.life import Standing, head
from opensage.skills.record import Event, Kind, Relation, Status, Usage
from opensage.skills.store import index
from opensage.skills.store.rows import EVENT
from opensage.skills.store.schema import FOREVER, TABLES

MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Born:
    """What the derived rows need of a version that comes."""

    number: int
    namespace: str
    name: str
    dependencies: Sequence[str]


def apply(db: apsw.Connection, event: Event, to: str = MAIN, born: Born | None = None) -> None:
    """Bring the derived rows of a schema up to an event; `born` is read where it is not given."""
    match event.kind:
        case Kind.PROPOSED:
            _arrive(db, event, born or _born(db, event.digest), to)
        case Kind.MOVED:
            advance(db, [event], to)
        case Kind.REVIEWED:
            db.execute(f"UPDATE {to}.state SET review = ? WHERE digest = ?", (event.after, event.digest))
        case Kind.ALIASED:
            namespace = db.execute(f"SELECT namespace FROM {to}.skill WHERE id = ?", (event.skill,)).get
            if event.before:
                db.execute(f"DELETE FROM {to}.name WHERE namespace = ? AND name = ?", (namespace, event.before))
            if event.after:
                db.execute(f"INSERT INTO {to}.name VALUES (?, ?, ?)", (namespace, event.after, event.skill))
        case Kind.PINNED:
            target = event.skill or event.digest
            if event.before:
                db.execute(f"DELETE FROM {to}.pin WHERE target = ? AND holder = ?", (target, event.before))
            if event.after:
                db.execute(f"INSERT INTO {to}.pin VALUES (?, ?, ?)", (target, event.after, event.id))
        case Kind.LINKED:
            if event.before:
                relation, other = event.before.split(" ")
                db.execute(
                    f"DELETE FROM {to}.edge WHERE skill = ? AND relation = ? AND other = ?",
                    (event.skill, relation, other),
                )
            if event.after:
                relation, other = event.after.split(" ")
                db.execute(f"INSERT INTO {to}.edge VALUES (?, ?, ?)", (event.skill, relation, other))


def standings(db: apsw.Connection, skill: str, to: str = MAIN) -> tuple[Standing, ...]:
    """Every version of a skill, with its status."""
    return tuple(_all(db, skill, to)[0])


def _arrive(db: apsw.Connection, event: Event, born: Born, to: str) -> None:
    """A version has come; the first of a skill brings the skill's row, which nothing has to be asked for."""
    db.execute(f"INSERT INTO {to}.state VALUES (?, ?, ?, ?, '')", (event.digest, event.skill, born.number, event.after))
    db.execute(f"INSERT OR IGNORE INTO {to}.name VALUES (?, ?, ?)", (born.namespace, born.name, event.skill))
    if born.number > 1:
        _refresh(db, [event], *_all(db, event.skill, to), to)
        return
    skill = (event.skill, born.namespace, born.name, event.after, event.digest, event.id, event.id)
    db.execute(f"INSERT INTO {to}.skill VALUES (?, ?, ?, ?, ?, ?, ?)", skill)
    db.execute(_SPAN.format(to=to), (event.skill, event.id, FOREVER, event.digest, event.after))
    _call(db, event.skill, born.dependencies, to)


def _born(db: apsw.Connection, digest: str) -> Born:
    row: Any = db.execute("SELECT number, namespace, name, dependencies FROM version WHERE digest = ?", (digest,)).get
    return Born(number=row[0], namespace=row[1], name=row[2], dependencies=json.loads(row[3]))


def advance(db: apsw.Connection, events: Sequence[Event], to: str = MAIN) -> None:
    """Bring the derived rows up to several steps of one version, each row written once; the same as one by one."""
    skill, digest = events[0].skill, events[0].digest
    before, stood = _all(db, skill, to)
    db.execute(f"UPDATE {to}.state SET status = ? WHERE digest = ?", (events[-1].after, digest))
    _refresh(db, events, before, stood, to)


def _all(db: apsw.Connection, skill: str, to: str) -> tuple[list[Standing], tuple[str, str]]:
    """Every version of a skill, and the digest and status of its head, in one question."""
    rows: Any = db.execute(
        "SELECT s.digest, s.number, s.status, k.head, k.status"
        f" FROM {to}.skill k JOIN main.version v ON v.skill = k.id JOIN {to}.state s ON s.digest = v.digest"
        " WHERE k.id = ?",
        (skill,),
    ).fetchall()
    found = [Standing(digest=digest, number=number, status=Status(status)) for digest, number, status, *_ in rows]
    return found, (rows[0][3], rows[0][4])


_SPAN = "INSERT INTO {to}.span VALUES (?, ?, ?, ?, ?)"


def _refresh(
    db: apsw.Connection, events: Sequence[Event], versions: Sequence[Standing], before: tuple[str, str], to: str
) -> None:
    """The skill's row and its history, after steps of one of its versions; versions and head as they were before."""
    skill, first, spans = events[0].skill, before[0], []
    for event in events:
        moved = Status(event.after)
        versions = [
            Standing(digest=one.digest, number=one.number, status=moved) if one.digest == event.digest else one
            for one in versions
        ]
        now = head(versions)
        if before != (now.digest, now.status):
            before = (now.digest, now.status)
            spans.append((event.id, *before))
    if not spans:
        return
    last, digest, status = spans[-1]
    db.execute(f"UPDATE {to}.span SET until = ? WHERE skill = ? AND until = {FOREVER}", (spans[0][0], skill))
    ends = [*(since for since, *_ in spans[1:]), FOREVER]
    rows = [(skill, since, until, *stood) for (since, *stood), until in zip(spans, ends, strict=True)]
    db.executemany(_SPAN.format(to=to), rows)
    if digest == first:
        db.execute(f"UPDATE {to}.skill SET status = ?, changed = ? WHERE id = ?", (status, last, skill))
        return
    born = _born(db, digest)
    db.execute(
        f"UPDATE {to}.skill SET status = ?, head = ?, changed = ?, name = ? WHERE id = ?",
        (status, digest, last, born.name, skill),
    )
    # The calls of the head take the place of those of the head before.
    db.execute(f"DELETE FROM {to}.edge WHERE skill = ? AND relation = ?", (skill, Relation.CALLS))
    _call(db, skill, born.dependencies, to)


def _call(db: apsw.Connection, skill: str, needed: Sequence[str], to: str) -> None:
    for one in needed:
        other = db.execute(f"SELECT skill FROM {to}.state WHERE digest = ?", (one,)).get
        db.execute(f"INSERT OR IGNORE INTO {to}.edge VALUES (?, ?, ?)", (skill, Relation.CALLS, other))


# --- statistics -----------------------------------------------------------------------------------

_ADD = """
INSERT INTO statistics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET
    offered = offered + excluded.offered, offered_successes = offered_successes + excluded.offered_successes,
    masked = masked + excluded.masked, masked_successes = masked_successes + excluded.masked_successes,
    called = called + excluded.called, called_successes = called_successes + excluded.called_successes,
    errors = errors + excluded.errors,
    first_success = CASE WHEN first_success = '' THEN excluded.first_success
                         WHEN excluded.first_success = '' THEN first_success
                         ELSE min(first_success, excluded.first_success) END,
    last_success = max(last_success, excluded.last_success)
"""

_COUNT = """
INSERT INTO {schema}.statistics
SELECT digest, sum(arm = 'offered'), sum(arm = 'offered' AND success), sum(arm = 'masked'),
       sum(arm = 'masked' AND success), sum(called > 0), sum(called > 0 AND success), sum(error <> ''),
       coalesce(min(CASE WHEN called > 0 AND success THEN at END), ''),
       coalesce(max(CASE WHEN called > 0 AND success THEN at END), '')
FROM main.usage GROUP BY digest
"""


def count(db: apsw.Connection, usages: Iterable[Usage]) -> None:
    """Add new uses to the statistics."""
    sums: dict[str, list[int]] = {}
    times: dict[str, list[str]] = {}
    for usage in usages:
        shown, called, won = usage.arm == "offered", usage.called > 0, usage.success
        more = (shown, shown and won, not shown, not shown and won, called, called and won, bool(usage.error))
        sums[usage.digest] = [one + other for one, other in zip(sums.get(usage.digest, [0] * 7), more, strict=True)]
        if called and won:
            times.setdefault(usage.digest, []).append(usage.at)
    for digest, numbers in sums.items():
        at = times.get(digest, [""])
        db.execute(_ADD, (digest, *numbers, min(at), max(at)))


# --- all of it, again -----------------------------------------------------------------------------


def replay(db: apsw.Connection, to: str) -> None:
    """Fill a schema's empty tables from the primary rows."""
    for row in db.execute(f"SELECT {EVENT.columns} FROM main.event ORDER BY id"):
        apply(db, EVENT.value(row), to)
    db.execute(_COUNT.format(schema=to))
    index.fill(db, to)


def replace(db: apsw.Connection) -> None:
    """Compute the derived rows again, in place; inside a transaction."""
    for table in TABLES:
        db.execute(f"DELETE FROM main.{table}")
    index.clear(db)
    replay(db, MAIN)
