"""Questions to the store, as functions of a connection."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import apsw

from opensage.errors import RecipeError, StoreError, unknown
from opensage.skills.life import OFFERED, Facts
from opensage.skills.record import Effect, Event, Provenance, Relation, Status, Version
from opensage.skills.standing import Edge, Entry, Statistics
from opensage.skills.store.rows import EVENT, PROVENANCE, STATISTICS, VERSION, Shape, T
from opensage.types import Origin

_FIRST = "(SELECT min(id) FROM provenance WHERE digest = v.digest)"
_ENTRY = f"""
SELECT k.id, k.namespace, k.name, s.status, s.number, s.review, p.task, p.scenario, p.turn, p.instruction,
       {", ".join(f'v."{name}"' for name in VERSION.names)}
FROM state s JOIN skill k ON k.id = s.skill JOIN version v ON v.digest = s.digest
LEFT JOIN provenance p ON p.id = {_FIRST}
"""
_BEFORE = 10
"""Columns of an entry in front of the version's."""


def entries(
    db: apsw.Connection,
    *,
    statuses: Collection[Status] = (),
    namespace: str | None = None,
    heads: bool = True,
    after: str = "",
    limit: int = -1,
) -> list[Entry]:
    """Skills in order of their birth; `after` and `limit` page through them."""
    where, values = ["1"], []
    if heads:
        where.append("k.head = s.digest")
    if statuses:
        where.append(f"s.status IN ({', '.join('?' * len(statuses))})")
        values += [str(status) for status in statuses]
    if namespace is not None:
        where.append("k.namespace = ?")
        values.append(namespace)
    if after:
        where.append("k.born > (SELECT born FROM skill WHERE id = ?)")
        values.append(after)
    query = f"{_ENTRY} WHERE {' AND '.join(where)} ORDER BY k.born, s.number LIMIT {int(limit)}"
    return [_entry(db, row) for row in db.execute(query, values)]


def entry(db: apsw.Connection, skill: str) -> Entry:
    """A skill with its head."""
    found = db.execute(f"{_ENTRY} WHERE k.id = ? AND k.head = s.digest", (skill,)).get
    if found is None:
        raise RecipeError(f"no skill has the id '{skill}'")
    return _entry(db, found)


def version(db: apsw.Connection, digest: str) -> Entry:
    """A skill with the version of this digest."""
    found = db.execute(f"{_ENTRY} WHERE s.digest = ?", (digest,)).get
    if found is None:
        raise unknown_version(digest)
    return _entry(db, found)


def versions(db: apsw.Connection, skill: str) -> list[Entry]:
    """Every version of a skill, oldest first."""
    return [_entry(db, row) for row in db.execute(f"{_ENTRY} WHERE v.skill = ? ORDER BY s.number", (skill,))]


def resolve(db: apsw.Connection, text: str, namespace: str | None = None) -> Entry:
    """The skill that a person means: by id, name, old name, `namespace:name` or the beginning of a digest."""
    space, _, name = text.rpartition(":")
    if not space:
        space = namespace if namespace is not None else ""
    found = db.execute("SELECT DISTINCT skill FROM name WHERE name = ?1 AND (?2 = '' OR namespace = ?2)", (name, space))
    if owners := [row[0] for row in found]:
        if len(owners) > 1:
            raise RecipeError(
                f"'{text}' is the name of {len(owners)} skills", hint=f"say which: {', '.join(sorted(owners))}"
            )
        return entry(db, successor(db, owners[0]))
    if db.execute("SELECT count(*) FROM skill WHERE id = ?", (text,)).get:
        return entry(db, text)
    if len(text) >= 6 and not set(text) - set("0123456789abcdef"):
        digests = [
            row[0]
            for row in db.execute(
                "SELECT digest FROM version WHERE digest >= ? AND digest < ? LIMIT 2", (text, f"{text}g")
            )
        ]
        if len(digests) == 1:
            return version(db, digests[0])
        if digests:
            raise RecipeError(f"'{text}' begins more than one digest", hint="give more of it")
    raise unknown("skill", text, [row[0] for row in db.execute("SELECT DISTINCT name FROM name LIMIT 10000")])


def successor(db: apsw.Connection, skill: str) -> str:
    """The skill that has taken this one's place by a merge, or itself: an old name leads to what works now."""
    seen = {skill}
    while True:
        after: Any = db.execute(
            "SELECT e.other FROM edge e JOIN skill k ON k.id = e.skill"
            " WHERE e.skill = ? AND e.relation = 'merged_into' AND k.status = 'superseded' ORDER BY e.other",
            (skill,),
        ).get
        if after is None or after in seen:
            return skill
        skill = str(after)
        seen.add(skill)


def head_named(db: apsw.Connection, name: str, namespace: str) -> str:
    """The digest of the head behind a name, or nothing."""
    owner: Any = db.execute("SELECT skill FROM name WHERE name = ? AND namespace = ?", (name, namespace)).get
    if owner is None:
        return ""
    return str(db.execute("SELECT head FROM skill WHERE id = ?", (successor(db, owner),)).get)


def statistics(db: apsw.Connection, digest: str) -> Statistics:
    row = db.execute(f"SELECT {STATISTICS.columns} FROM statistics WHERE digest = ?", (digest,)).get
    return STATISTICS.value(row) if row is not None else Statistics(digest=digest)


def events(
    db: apsw.Connection, *, skill: str = "", digest: str = "", after: int = 0, limit: int = -1, newest: bool = False
) -> list[Event]:
    """What happened, oldest first; or the newest first, where a limit should leave those."""
    where, values = ["id > ?"], [after]  # type: list[str], list[Any]
    for column, value in (("skill", skill), ("digest", digest)):
        if value:
            where.append(f"{column} = ?")
            values.append(value)
    order = "DESC" if newest else "ASC"
    query = f"SELECT {EVENT.columns} FROM event WHERE {' AND '.join(where)} ORDER BY id {order} LIMIT {int(limit)}"
    return [EVENT.value(row) for row in db.execute(query, values)]


def event(db: apsw.Connection, id: int) -> Event:
    row = db.execute(f"SELECT {EVENT.columns} FROM event WHERE id = ?", (id,)).get
    if row is None:
        raise RecipeError(f"there is no event {id}")
    return EVENT.value(row)


def provenances(db: apsw.Connection, digest: str) -> list[Provenance]:
    """Where a version came from, each time, first to last."""
    return told(db, PROVENANCE, digest)


def told(db: apsw.Connection, shape: Shape[T], digest: str) -> list[T]:
    """The primary rows of one kind about a version, oldest first."""
    rows = db.execute(f"SELECT {shape.columns} FROM {shape.table} WHERE digest = ? ORDER BY id", (digest,))
    return [shape.value(row) for row in rows]


def edges(db: apsw.Connection, skill: str) -> list[Edge]:
    """A skill's relations, from it and to it."""
    rows = db.execute("SELECT * FROM edge WHERE skill = ?1 OR other = ?1 ORDER BY 1, 2, 3", (skill,))
    return [Edge(skill=one, relation=Relation(relation), other=other) for one, relation, other in rows]


def clones(db: apsw.Connection, like: Version) -> list[str]:
    """Digests of other versions that differ in formatting or in names of their own only."""
    rows = db.execute(
        "SELECT digest FROM version WHERE alpha_hash = ? AND alpha_hash <> '' AND digest <> ? ORDER BY digest",
        (like.alpha_hash, like.digest),
    )
    return [row[0] for row in rows]


def calling(db: apsw.Connection, api: str) -> list[tuple[str, str]]:
    """Digests of the versions that call an API, each with the fingerprint of the API's schema at that time."""
    return [(row[0], row[1]) for row in db.execute("SELECT digest, fingerprint FROM api WHERE api = ?", (api,))]


def facts(db: apsw.Connection, digest: str, to: Status) -> Facts:
    """What the rules of life ask about a version that is to move there, and nothing else."""
    if to in OFFERED:
        effect: Any = db.execute("SELECT effect FROM version WHERE digest = ?", (digest,)).get
        review = db.execute("SELECT review FROM state WHERE digest = ?", (digest,)).get
        return Facts(effect=Effect(effect), approved=review == "approve")
    if to is not Status.RETIRED:
        return Facts()
    skill, head = db.execute(
        "SELECT s.skill, k.head FROM state s JOIN skill k ON k.id = s.skill WHERE s.digest = ?", (digest,)
    ).get
    return Facts(callers=tuple(_callers(db, skill, digest, head)), holders=tuple(_holders(db, skill, digest, head)))


_LIVING = ", ".join(
    f"'{status}'"
    for status in Status
    if status not in (Status.RETIRED, Status.REJECTED, Status.REVOKED, Status.SUPERSEDED)
)


def _callers(db: apsw.Connection, skill: str, digest: str, head: str) -> Iterator[str]:
    """Living skills whose head calls this version; for a head, any version of its skill."""
    for name, needed in db.execute(
        "SELECT k.name, v.dependencies FROM edge e JOIN skill k ON k.id = e.skill JOIN version v ON v.digest = k.head"
        f" WHERE e.other = ? AND e.relation = '{Relation.CALLS}' AND k.status IN ({_LIVING}) ORDER BY k.name",
        (skill,),
    ):
        if digest == head or digest in needed:
            yield name


def _holders(db: apsw.Connection, skill: str, digest: str, head: str) -> Iterator[str]:
    """Who pins the skill, where this is its head, or a snapshot that has this version."""
    if digest == head:
        yield from holders(db, skill)
    for row in db.execute(
        "SELECT DISTINCT p.holder FROM pin p JOIN snapshot t ON t.root = p.target"
        " JOIN span x ON x.skill = ? AND x.digest = ? AND x.since <= t.event AND x.until > t.event ORDER BY 1",
        (skill, digest),
    ):
        yield row[0]


def holders(db: apsw.Connection, target: str) -> tuple[str, ...]:
    """Who pins a skill or a snapshot."""
    return tuple(row[0] for row in db.execute("SELECT holder FROM pin WHERE target = ? ORDER BY holder", (target,)))


def unknown_version(digest: str) -> StoreError:
    return StoreError(f"the store has no version {digest!r}", hint="propose the skill first, or give the whole digest")


def _entry(db: apsw.Connection, row: Sequence[Any]) -> Entry:
    id, namespace, name, status, number, review, task, scenario, turn, instruction = row[:_BEFORE]
    names = db.execute("SELECT name FROM name WHERE skill = ? AND name <> ? ORDER BY name", (id, name))
    return Entry(
        id=id,
        namespace=namespace,
        name=name,
        status=Status(status),
        version=VERSION.value(row[_BEFORE:]),
        number=number,
        origin=Origin(task=task or "", scenario=scenario or "", turn=turn or 0, instruction=instruction or ""),
        aliases=tuple(row[0] for row in names),
        holders=holders(db, id),
        approved=review == "approve",
    )
