"""A whole store, or what of it belongs to one world, in a few figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.store.db import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """A store in figures."""

    skills: int
    versions: int
    statuses: Mapping[str, int] = field(default_factory=dict)
    """How many skills' heads stand where."""
    namespaces: Mapping[str, int] = field(default_factory=dict)
    uses: int = 0
    offered: int = 0
    masked: int = 0
    called: int = 0
    trials: int = 0
    verifications: int = 0
    events: int = 0
    snapshots: int = 0
    bytes: int = 0


def totals_of(store: Store, namespace: str | None = None) -> Totals:
    """Count what a store holds, or what of it belongs to one world."""
    space = (namespace,)
    versions = "(SELECT v.id FROM version v JOIN skill k ON k.born = v.skill WHERE k.namespace = ?1)"

    def number(query: str, of: str = "") -> int:
        where = "" if namespace is None or not of else f" WHERE {of}"
        return int(str(store.db.execute(query + where, space if where else ()).get or 0))

    def by(column: str) -> dict[str, int]:
        query = f"SELECT {column}, count(*) FROM skill WHERE ?1 IS NULL OR namespace = ?1 GROUP BY 1 ORDER BY 1"
        return {str(name): int(str(count)) for name, count in store.db.execute(query, space)}

    files = [store.path, store.path.with_name(f"{store.path.name}-wal")]
    theirs = f"version IN {versions}"
    with store.view():
        return Totals(
            skills=number("SELECT count(*) FROM skill", "namespace = ?1"),
            versions=number("SELECT count(*) FROM version", f"id IN {versions}"),
            statuses=by("status"),
            namespaces=by("namespace"),
            uses=number("SELECT count(*) FROM usage", theirs),
            offered=number("SELECT sum(offered) FROM statistics", theirs),
            masked=number("SELECT sum(masked) FROM statistics", theirs),
            called=number("SELECT sum(called) FROM statistics", theirs),
            trials=number("SELECT count(*) FROM trial", theirs),
            verifications=number("SELECT count(*) FROM verification", theirs),
            events=number("SELECT count(*) FROM event", "born IN (SELECT born FROM skill WHERE namespace = ?1)"),
            snapshots=number("SELECT count(*) FROM snapshot"),
            bytes=sum(path.stat().st_size for path in files if path.exists()),
        )
