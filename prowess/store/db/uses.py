"""Uses told one by one, and what versions cost in prompts: questions to the store, as functions of a connection."""

from __future__ import annotations

from typing import Any

import apsw

from prowess.store.db.rows import USAGE
from prowess.store.record import Status
from prowess.store.standing import Cost, Use

_FIELDS = ", ".join("v.digest" if name == "digest" else f'u."{name}"' for name in USAGE.names)
_USES = f"""
SELECT k.name, v.number, k.namespace, {_FIELDS}
FROM usage u JOIN version v ON v.id = u.version JOIN skill k ON k.born = v.skill
WHERE {{where}} ORDER BY u.id DESC LIMIT ?
"""


def uses(
    db: apsw.Connection,
    *,
    skill: str = "",
    task: str = "",
    run: str = "",
    namespace: str | None = None,
    limit: int = -1,
) -> tuple[Use, ...]:
    """Uses of a skill (by its id), in a task, in a run (by its name, or all of `NAME@TIME`); the newest first."""
    where, values = ["1"], list[Any]()
    if skill:
        where.append("u.version IN (SELECT id FROM version WHERE skill = (SELECT born FROM skill WHERE id = ?))")
        values.append(skill)
    if task:
        where.append("u.task = ?")
        values.append(task)
    if run:
        where.append("(u.run = ? OR substr(u.run, 1, length(?) + 1) = ? || '@')")
        values += [run, run, run]
    if namespace is not None:
        where.append("k.namespace = ?")
        values.append(namespace)
    rows: Any = db.execute(_USES.format(where=" AND ".join(where)), (*values, limit))
    return tuple(Use(name=row[0], number=row[1], namespace=row[2], usage=USAGE.value(row[3:])) for row in rows)


_COSTS = """
SELECT k.id, k.namespace, k.name, v.number, v.digest, s.status, v.tokens, t.offered, t.called, t.called_successes,
       v.tokens * max(0, t.offered - t.called) AS unused
FROM statistics t JOIN version v ON v.id = t.version JOIN state s ON s.version = v.id JOIN skill k ON k.born = s.skill
WHERE t.offered AND (?1 IS NULL OR k.namespace = ?1) AND (?2 OR s.status IN ('active', 'probation'))
ORDER BY unused DESC, v.id LIMIT ?3
"""


def costs(
    db: apsw.Connection, *, namespace: str | None = None, every: bool = False, limit: int = -1
) -> tuple[Cost, ...]:
    """What versions cost that were offered, dearest first; `every`: also those that no longer are."""
    return tuple(
        Cost(
            skill=row[0],
            namespace=row[1],
            name=row[2],
            number=row[3],
            digest=row[4],
            status=Status(row[5]),
            tokens=row[6],
            offered=row[7],
            called=row[8],
            called_successes=row[9],
            unused=row[10],
        )
        for row in db.execute(_COSTS, (namespace, every, limit))
    )
