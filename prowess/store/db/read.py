"""Questions to the store, as functions of a connection."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from heapq import nlargest
from itertools import islice
from typing import Any

import apsw

from prowess.errors import NotThere, RecipeError, StoreError, unknown
from prowess.store.db.rows import CHANGED, EVENT, STATISTICS, VERSION, Illegible, Shape, T
from prowess.store.life import OFFERED, Facts
from prowess.store.record import Effect, Event, Relation, Status, Version
from prowess.store.standing import Edge, Entry, Outline, Statistics
from prowess.types import Origin

_NUMBER = "(SELECT id FROM version WHERE digest = ?)"
_BORN = "(SELECT born FROM skill WHERE id = ?)"
ORIGIN = "p.task, p.scenario, p.turn, p.instruction"
"""Columns that say where the version `v` came from."""
FIRST = "LEFT JOIN provenance p ON p.id = (SELECT min(id) FROM provenance WHERE version = v.id)"
"""Where they stand."""
_ASKED = f"""
SELECT k.id, k.namespace, k.name, s.status, s.number, s.review, {ORIGIN}, k.born,
       {", ".join(f'v."{name}"' for name in VERSION.names)}"""
_ENTRY = f"""{_ASKED}
FROM state s JOIN skill k ON k.born = s.skill JOIN version v ON v.id = s.version
{FIRST}
"""
_BESIDE = f"state s ON s.version = v.id JOIN skill k ON k.born = s.skill {FIRST}"
"""What an entry needs besides the version `v`."""
_BEFORE = 11
"""Columns of an entry in front of the version's."""


def entries(
    db: apsw.Connection,
    *,
    statuses: Collection[Status] = (),
    namespace: str | None = None,
    heads: bool = True,
    after: str = "",
    limit: int = -1,
) -> tuple[Entry, ...]:
    """Skills in order of their birth: their heads, or every version; `after` (an id) and `limit` page."""
    where, values = ["1"], []
    if heads:
        where.append("k.head = s.version")
    if statuses:
        where.append(f"s.status IN ({', '.join('?' * len(statuses))})")
        values += [str(status) for status in statuses]
    if namespace is not None:
        where.append("k.namespace = ?")
        values.append(namespace)
    if after:
        where.append(f"k.born > {_BORN}")
        values.append(after)
    query = f"{_ENTRY} WHERE {' AND '.join(where)} ORDER BY k.born, s.number LIMIT {int(limit)}"
    return tuple(_entries(db, db.execute(query, values)))


def heads(db: apsw.Connection, *, statuses: Collection[Status], namespace: str | None = None) -> list[str]:
    """The digests of heads of these statuses, in order of their birth."""
    query = f"""
    SELECT s.digest FROM state s JOIN skill k ON k.born = s.skill AND k.head = s.version
    WHERE s.status IN ({", ".join("?" * len(statuses))}) AND k.namespace = ifnull(?, k.namespace)
    ORDER BY k.born
    """
    return [row[0] for row in db.execute(query, [*map(str, statuses), namespace])]


def entries_of(db: apsw.Connection, digests: Sequence[str]) -> tuple[Entry, ...]:
    """Skills with the versions of these digests, in this order; what is not there is left out."""
    query = (
        f"{_ASKED} FROM json_each(?) j CROSS JOIN version v ON v.digest = j.value CROSS JOIN {_BESIDE} ORDER BY j.key"
    )
    return tuple(_entries(db, db.execute(query, (json.dumps(list(digests)),))))


def sources(db: apsw.Connection, digests: Sequence[str]) -> list[tuple[str, str]]:
    """The code of versions, each with its digest, in this order."""
    query = "SELECT v.digest, v.source FROM json_each(?) j CROSS JOIN version v ON v.digest = j.value ORDER BY j.key"
    return [(row[0], row[1]) for row in db.execute(query, (json.dumps(list(digests)),))]


def statuses(db: apsw.Connection, digests: Collection[str]) -> dict[str, Status]:
    """Where versions stand now."""
    query = (
        "SELECT v.digest, s.status FROM json_each(?) j CROSS JOIN version v ON v.digest = j.value"
        " CROSS JOIN state s ON s.version = v.id"
    )
    return {row[0]: _status(row[1]) for row in db.execute(query, (json.dumps(sorted(digests)),))}


def outlines(db: apsw.Connection, *, statuses: Collection[Status], namespace: str | None) -> list[Outline]:
    """Heads of these statuses whose code can be read, in order of their birth."""
    query = f"""
    SELECT v.digest, k.namespace, v.apis, v.alpha_hash
    FROM state s JOIN skill k ON k.born = s.skill AND k.head = s.version JOIN version v ON v.id = s.version
    WHERE v.ast_hash != '' AND s.status IN ({", ".join("?" * len(statuses))}) AND k.namespace = ifnull(?, k.namespace)
    ORDER BY k.born
    """
    return [Outline(*row) for row in db.execute(query, [*map(str, statuses), namespace])]


def namespaces(db: apsw.Connection) -> list[str]:
    """The worlds and apps that there are skills of."""
    return [row[0] for row in db.execute("SELECT DISTINCT namespace FROM skill ORDER BY namespace")]


def entry(db: apsw.Connection, skill: str) -> Entry:
    """A skill with its head."""
    found = db.execute(f"{_ENTRY} WHERE k.id = ? AND k.head = s.version", (skill,)).get
    if found is None:
        raise RecipeError(f"no skill has the id '{skill}'")
    return _entry(db, found)


def version(db: apsw.Connection, digest: str) -> Entry:
    """A skill with the version of this digest."""
    found = db.execute(f"{_ENTRY} WHERE s.version = {_NUMBER}", (digest,)).get
    if found is None:
        raise unknown_version(digest)
    return _entry(db, found)


def versions(db: apsw.Connection, skill: str) -> list[Entry]:
    """Every version of a skill, oldest first."""
    return list(_entries(db, db.execute(f"{_ENTRY} WHERE v.skill = {_BORN} ORDER BY s.number", (skill,))))


_NAMED = (
    "SELECT DISTINCT k.id FROM name n JOIN skill k ON k.born = n.skill WHERE n.name = ?1"
    " AND (?2 = '' OR n.namespace = ?2)"
)


SHORTEST = 6
"""So much of a digest has to be given at least."""


def resolve(db: apsw.Connection, text: str, namespace: str | None = None) -> Entry:
    """The skill that a person means: by id, name, old name, `namespace:name` or the beginning of a digest."""
    space, _, name = text.rpartition(":")
    if not space:
        space = namespace if namespace is not None else ""
    found = db.execute(_NAMED, (name, space))
    if owners := [row[0] for row in found]:
        if len(owners) > 1:
            raise RecipeError(
                f"'{text}' is the name of {len(owners)} skills", hint=f"say which: {', '.join(sorted(owners))}"
            )
        return entry(db, successor(db, owners[0]))
    if db.execute("SELECT count(*) FROM skill WHERE id = ?", (text,)).get:
        return entry(db, text)
    if len(text) >= SHORTEST and not set(text) - set("0123456789abcdef"):
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
        raise unknown_digest(db, text)
    error = unknown("skill", text, [row[0] for row in db.execute("SELECT DISTINCT name FROM name LIMIT 10000")])
    raise NotThere(error.message, hint=error.hint)


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
    owner = owner_of(db, name, namespace)
    if owner is None:
        return ""
    after = successor(db, owner)
    return str(
        db.execute("SELECT s.digest FROM skill k JOIN state s ON s.version = k.head WHERE k.id = ?", (after,)).get
    )


def owner_of(db: apsw.Connection, name: str, namespace: str) -> str | None:
    """The id of the skill that has a name, or nothing."""
    found: Any = db.execute(
        "SELECT k.id FROM name n JOIN skill k ON k.born = n.skill WHERE n.name = ? AND n.namespace = ?",
        (name, namespace),
    ).get
    return found  # type: ignore[no-any-return]


def statistics(db: apsw.Connection, digest: str) -> Statistics:
    row = db.execute(f"SELECT {STATISTICS.columns} FROM statistics WHERE version = {_NUMBER}", (digest,)).get
    return STATISTICS.value(row) if row is not None else Statistics(digest=digest)


def events(
    db: apsw.Connection,
    *,
    skill: str = "",
    digest: str = "",
    namespace: str | None = None,
    after: int = 0,
    limit: int = -1,
    newest: bool = False,
    runs: bool = True,
) -> tuple[Event, ...]:
    """What happened, oldest first; or the newest first, where a limit should leave those.

    Without `runs`: without what runs pin while they play with it, two events for each of their rounds.
    """
    where, values = ["id > ?"], [after]  # type: list[str], list[Any]
    if skill:
        where.append(f"born = {_BORN}")
        values.append(skill)
    if digest:
        where.append("digest = ?")
        values.append(digest)
    if digest and not skill:  # a version's, or a snapshot's, which belong to no skill
        where.append("born = coalesce((SELECT skill FROM version WHERE digest = ?), 0)")
        values.append(digest)
    if namespace is not None:
        where.append("born IN (SELECT born FROM skill WHERE namespace = ?)")
        values.append(namespace)
    if not runs:
        where.append("NOT (kind = 'pinned' AND actor = 'store')")
    order = "DESC" if newest else "ASC"
    query = f"SELECT {EVENT.columns} FROM event WHERE {' AND '.join(where)} ORDER BY id {order} LIMIT {int(limit)}"
    return tuple(EVENT.value(row) for row in db.execute(query, values))


def event(db: apsw.Connection, id: int) -> Event:
    small = abs(id) < 2**63  # SQLite knows no larger numbers
    row = db.execute(f"SELECT {EVENT.columns} FROM event WHERE id = ?", (id,)).get if small else None
    if row is None:
        raise RecipeError(f"there is no event {id}", hint="prowess skills log lists the events with their numbers")
    return EVENT.value(row)


def told(db: apsw.Connection, shape: Shape[T], digest: str) -> list[T]:
    """The primary rows of one kind about a version, oldest first."""
    rows = db.execute(f"SELECT {shape.columns} FROM {shape.table} WHERE version = {_NUMBER} ORDER BY id", (digest,))
    return [shape.value(row) for row in rows]


def edges(db: apsw.Connection, skill: str) -> list[Edge]:
    """A skill's relations, from it and to it."""
    rows = db.execute("SELECT * FROM edge WHERE skill = ?1 OR other = ?1 ORDER BY 1, 2, 3", (skill,))
    return [Edge(skill=one, relation=Relation(relation), other=other) for one, relation, other in rows]


def clones(db: apsw.Connection, like: Version) -> list[str]:
    """Digests of other versions that differ in formatting or in names of their own only."""
    rows = db.execute(
        "SELECT digest FROM version WHERE substr(alpha_hash, 1, 16) = substr(?1, 1, 16) AND alpha_hash = ?1"
        " AND alpha_hash <> '' AND digest <> ?2 ORDER BY digest",
        (like.alpha_hash, like.digest),
    )
    return [row[0] for row in rows]


def calling(db: apsw.Connection, api: str) -> list[tuple[str, str]]:
    """Digests of the versions that call an API, each with the fingerprint of the API's schema at that time."""
    rows = db.execute(
        "SELECT s.digest, a.fingerprint FROM api a JOIN state s USING (version) WHERE a.api = ? ORDER BY s.digest",
        (api,),
    )
    return [(row[0], row[1]) for row in rows]


def effect_of(text: str) -> Effect:
    """What a version's row says it can do; the worst where that is no word of ours."""
    return Effect(text) if text in set(Effect) else Effect.IRREVERSIBLE


def facts(db: apsw.Connection, digest: str, to: Status) -> Facts:
    """What the rules of life ask about a version that is to move there, and nothing else."""
    if to in OFFERED:
        row: Any = db.execute(
            "SELECT v.effect, s.review FROM version v JOIN state s ON s.version = v.id WHERE v.digest = ?", (digest,)
        ).get
        effect, review = row
        return Facts(effect=effect_of(effect), approved=review == "approve")
    if to is not Status.RETIRED:
        return Facts()
    skill, head = db.execute(
        "SELECT k.id, s.digest FROM version v JOIN skill k ON k.born = v.skill JOIN state s ON s.version = k.head"
        " WHERE v.digest = ?",
        (digest,),
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
        "SELECT k.name, v.dependencies FROM edge e JOIN skill k ON k.id = e.skill JOIN version v ON v.id = k.head"
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
        f" JOIN span x ON x.skill = {_BORN} AND x.version = {_NUMBER} AND x.since <= t.event"
        " AND x.until > t.event ORDER BY 1",
        (skill, digest),
    ):
        yield row[0]


def holders(db: apsw.Connection, target: str) -> tuple[str, ...]:
    """Who pins a skill or a snapshot."""
    return tuple(row[0] for row in db.execute("SELECT holder FROM pin WHERE target = ? ORDER BY holder", (target,)))


def unknown_digest(db: apsw.Connection, text: str) -> NotThere:
    """An error for a digest that is not there, with those that are most like it, by themselves or by their names."""

    def likeness(row: Sequence[Any]) -> float:
        return max(SequenceMatcher(None, text, one).ratio() for one in (row[0][: len(text)], row[1]))

    rows = list(db.execute("SELECT digest, name FROM version ORDER BY id DESC LIMIT 10000"))
    near = ", ".join(f"{digest[:12]} ({name})" for digest, name in nlargest(5, rows, key=likeness))
    listed = f"nearest: {near}; prowess skills list shows all, with --versions old ones, too"
    short = f"at least {SHORTEST} of its characters are needed; " if len(text) < SHORTEST else ""
    return NotThere(f"no skill has the digest '{text}'", hint=short + (listed if near else "the store holds no skill"))


def unknown_version(digest: str) -> StoreError:
    return StoreError(f"the store has no version {digest!r}", hint="propose the skill first, or give the whole digest")


def origin_of(task: str | None, scenario: str | None, turn: int | None, instruction: str | None) -> Origin:
    """Where a version came from; of some that is not known."""
    return Origin(task=task or "", scenario=scenario or "", turn=turn or 0, instruction=instruction or "")


def _status(text: str) -> Status:
    found = _STATUS.get(text)
    if found is None:
        raise Illegible(f"the store holds a version whose status is {text!r:.60}", hint=CHANGED)
    return found


_STATUS = {str(status): status for status in Status}


TOGETHER = 500
"""Entries whose names and holders are asked for at once."""
_NAMES = "SELECT j.value, n.name FROM json_each(?) j CROSS JOIN name n ON n.skill = j.value ORDER BY n.name"
_HELD = (
    "SELECT k.born, p.holder FROM json_each(?) j CROSS JOIN skill k ON k.born = j.value"
    " CROSS JOIN pin p ON p.target = k.id ORDER BY p.holder"
)


def _entry(db: apsw.Connection, row: Sequence[Any]) -> Entry:
    return next(_entries(db, [row]))


def _entries(db: apsw.Connection, rows: Iterable[Sequence[Any]]) -> Iterator[Entry]:
    waiting = iter(rows)
    while some := list(islice(waiting, TOGETHER)):
        born = json.dumps(sorted({row[_BEFORE - 1] for row in some}))
        names, held = _by_first(db.execute(_NAMES, (born,))), _by_first(db.execute(_HELD, (born,)))
        for row in some:
            id, namespace, name, status, number, review, *first, skill = row[:_BEFORE]
            yield Entry(
                id=id,
                namespace=namespace,
                name=name,
                status=_status(status),
                version=VERSION.value(row[_BEFORE:]),
                number=number,
                origin=origin_of(*first),
                aliases=tuple(one for one in names.get(skill, ()) if one != name),
                holders=tuple(held.get(skill, ())),
                approved=review == "approve",
            )


def _by_first(rows: Iterable[Any]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for first, second in rows:
        found[first].append(second)
    return found
