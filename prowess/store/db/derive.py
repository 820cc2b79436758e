"""What follows from the primary rows: kept with every change, and computed again from nothing to check it.

State follows from events, one after the other, by `apply`: the same function when an event happens and when all are
replayed. Statistics follow from uses: added up as they come, counted by the database when they are checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from prowess.store.db import index
from prowess.store.db.rows import EVENT
from prowess.store.db.schema import FOREVER, TABLES
from prowess.store.life import Standing, head
from prowess.store.record import Event, Kind, Relation, Status, Usage
from prowess.text.terminal import Watch, unseen

MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Born:
    """What the derived rows need of a version that comes."""

    skill: int
    number: int
    namespace: str
    name: str
    dependencies: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRef:
    """Where a version belongs, by numbers."""

    version: int
    skill: int
    alone: bool = False
    """Known to be the only version of its skill, and so its head."""


def apply(db: apsw.Connection, event: Event, to: str = MAIN, born: Born | None = None) -> None:
    """Bring the derived rows of a schema up to an event; `born` is read where it is not given."""
    match event.kind:
        case Kind.PROPOSED:
            _arrive(db, event, born or _born(db, event.id), to)
        case Kind.MOVED:
            advance(db, [event], place(db, event.digest), to)
        case Kind.REVIEWED:
            db.execute(
                f"UPDATE {to}.state SET review = ? WHERE version = ?", (event.after, place(db, event.digest).version)
            )
        case Kind.ALIASED:
            known: Any = db.execute(f"SELECT namespace, born FROM {to}.skill WHERE id = ?", (event.skill,)).get
            namespace, number = known
            if event.before:
                db.execute(f"DELETE FROM {to}.name WHERE namespace = ? AND name = ?", (namespace, event.before))
            if event.after:
                db.execute(f"INSERT INTO {to}.name VALUES (?, ?, ?)", (namespace, event.after, number))
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


def place(db: apsw.Connection, digest: str) -> VersionRef:
    row: Any = db.execute("SELECT id, skill FROM main.version WHERE digest = ?", (digest,)).get
    return VersionRef(version=row[0], skill=row[1])


def standings(db: apsw.Connection, skill: int) -> tuple[Standing, ...]:
    """Every version of a skill, with its status."""
    return tuple(_all(db, skill, MAIN)[1])


def _arrive(db: apsw.Connection, event: Event, born: Born, to: str) -> None:
    """A version has come; the first of a skill brings the skill's row, which nothing has to be asked for."""
    state = (event.id, event.digest, born.skill, born.number, event.after)
    db.execute(f"INSERT INTO {to}.state VALUES (?, ?, ?, ?, ?, '')", state)
    db.execute(f"INSERT OR IGNORE INTO {to}.name VALUES (?, ?, ?)", (born.namespace, born.name, born.skill))
    if born.number > 1:
        _refresh(db, [event], born.skill, *_all(db, born.skill, to), to)
        return
    skill = (born.skill, event.skill, born.namespace, born.name, event.after, event.id, event.id)
    db.execute(f"INSERT INTO {to}.skill VALUES (?, ?, ?, ?, ?, ?, ?)", skill)
    db.execute(_SPAN.format(to=to), (born.skill, event.id, FOREVER, event.id, event.after))
    _call(db, event.skill, born.dependencies, to)


def _born(db: apsw.Connection, version: int) -> Born:
    row: Any = db.execute(
        "SELECT skill, number, namespace, name, dependencies FROM main.version WHERE id = ?", (version,)
    ).get
    return Born(skill=row[0], number=row[1], namespace=row[2], name=row[3], dependencies=json.loads(row[4]))


def advance(db: apsw.Connection, events: Sequence[Event], place: VersionRef, to: str = MAIN) -> None:
    """Bring the derived rows up to several steps of one version, each row written once; the same as one by one."""
    if place.alone:
        one = Standing(digest=events[0].digest, number=1, status=Status(events[0].before))
        before = {one.digest: place.version}, [one], (one.digest, events[0].before)
    else:
        before = _all(db, place.skill, to)
    db.execute(f"UPDATE {to}.state SET status = ? WHERE version = ?", (events[-1].after, place.version))
    _refresh(db, events, place.skill, *before, to)


def _all(db: apsw.Connection, skill: int, to: str) -> tuple[dict[str, int], list[Standing], tuple[str, str]]:
    """The number of each version of a skill, how they stand, and the digest and status of its head; in one question."""
    rows: Any = db.execute(
        "SELECT s.digest, s.number, s.status, s.version, k.head, k.status"
        f" FROM {to}.skill k JOIN main.version v ON v.skill = k.born JOIN {to}.state s ON s.version = v.id"
        " WHERE k.born = ?",
        (skill,),
    ).fetchall()
    numbers = {row[0]: row[3] for row in rows}
    (first,) = (digest for digest, number in numbers.items() if number == rows[0][4])
    found = [Standing(digest=digest, number=number, status=Status(status)) for digest, number, status, *_ in rows]
    return numbers, found, (first, rows[0][5])


_SPAN = "INSERT INTO {to}.span VALUES (?, ?, ?, ?, ?)"


def _refresh(
    db: apsw.Connection,
    events: Sequence[Event],
    skill: int,
    numbers: Mapping[str, int],
    versions: Sequence[Standing],
    before: tuple[str, str],
    to: str,
) -> None:
    """The skill's row and its history, after steps of one of its versions; versions and head as they were before."""
    first, spans = before[0], []
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
    rows = [(skill, since, until, numbers[one], stood) for (since, one, stood), until in zip(spans, ends, strict=True)]
    db.executemany(_SPAN.format(to=to), rows)
    if digest == first:
        db.execute(f"UPDATE {to}.skill SET status = ?, changed = ? WHERE born = ?", (status, last, skill))
        return
    born = _born(db, numbers[digest])
    db.execute(
        f"UPDATE {to}.skill SET status = ?, head = ?, changed = ?, name = ? WHERE born = ?",
        (status, numbers[digest], last, born.name, skill),
    )
    # The calls of the head take the place of those of the head before.
    db.execute(f"DELETE FROM {to}.edge WHERE skill = ? AND relation = ?", (events[0].skill, Relation.CALLS))
    _call(db, events[0].skill, born.dependencies, to)


def _call(db: apsw.Connection, skill: str, needed: Sequence[str], to: str) -> None:
    for one in needed:
        other = db.execute(
            f"SELECT k.id FROM main.version v JOIN {to}.skill k ON k.born = v.skill WHERE v.digest = ?", (one,)
        ).get
        db.execute(f"INSERT OR IGNORE INTO {to}.edge VALUES (?, ?, ?)", (skill, Relation.CALLS, other))


# --- statistics -----------------------------------------------------------------------------------

_ADD = """
INSERT INTO statistics VALUES ((SELECT id FROM version WHERE digest = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (version) DO UPDATE SET
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
SELECT version, sum(arm = 'offered'), sum(arm = 'offered' AND success), sum(arm = 'masked'),
       sum(arm = 'masked' AND success), sum(called > 0), sum(called > 0 AND success), sum(error <> ''),
       coalesce(min(CASE WHEN called > 0 AND success THEN at END), ''),
       coalesce(max(CASE WHEN called > 0 AND success THEN at END), '')
FROM main.usage GROUP BY version
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


STRIDE = 100
"""So many rows are done before their progress is told."""


# --- all of it, again -----------------------------------------------------------------------------


def replay(db: apsw.Connection, to: str, watch: Watch = unseen) -> None:
    """Fill a schema's empty tables from the primary rows."""
    total = int(str(db.execute("SELECT count(*) FROM main.event").get))
    with watch(total, "replay events") as bar:
        for number, row in enumerate(db.execute(f"SELECT {EVENT.columns} FROM main.event ORDER BY id"), 1):
            apply(db, EVENT.value(row), to)
            if number % STRIDE == 0:
                bar.advance(STRIDE)
        bar.advance(total % STRIDE)
    db.execute(_COUNT.format(schema=to))
    index.fill(db, to)


def replace(db: apsw.Connection, watch: Watch = unseen) -> None:
    """Compute the derived rows again, in place; inside a transaction."""
    for table in TABLES:
        db.execute(f"DELETE FROM main.{table}")
    index.clear(db)
    replay(db, MAIN, watch)
