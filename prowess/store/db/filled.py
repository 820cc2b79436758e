"""Which world's tasks filled a store: who serves its skills need not say it again.

Its table is no part of the schema. A store that no work has filled is whole without it.
"""

from __future__ import annotations

import apsw

TABLE = "CREATE TABLE IF NOT EXISTS filled (namespace TEXT PRIMARY KEY, suite TEXT NOT NULL) WITHOUT ROWID"
_THERE = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'filled'"


def note(db: apsw.Connection, namespace: str, suite: str) -> None:
    """Keep the settings of a world, as TOML, in place of what was kept of it before."""
    db.execute(TABLE)
    db.execute("INSERT OR REPLACE INTO filled VALUES (?, ?)", (namespace, suite))


def noted(db: apsw.Connection) -> dict[str, str]:
    """What is kept, by world."""
    if not db.execute(_THERE).get:
        return {}
    return {str(space): str(suite) for space, suite in db.execute("SELECT namespace, suite FROM filled ORDER BY 1")}
