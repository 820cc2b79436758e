"""How a database differs from what it was: rows that came and went, table by table.

Runs under AppWorld's own Python, on the standard library alone.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any

HASH = "record_hash"
"""A column that AppWorld derives from the others."""

Row = dict[str, Any]


def changed_rows(now: sqlite3.Connection, write_start: Callable[[sqlite3.Connection], None]) -> dict[str, Any]:
    """Rows of each changed table: `added` and `removed`, and `last`, the greatest id there was.

    A changed row is removed as it was and added as it is. `write_start` writes the state at the start into a database.
    """
    then = sqlite3.connect(":memory:")
    try:
        write_start(then)
        found: dict[str, Any] = {}
        for table in _tables(now):
            columns = [name for name in _columns(now, table) if name != HASH]
            before, after = _rows(then, table, columns), _rows(now, table, columns)
            if before == after:
                continue
            came, went = Counter(after), Counter(before)
            last = max((row[columns.index("id")] for row in before), default=0) if "id" in columns else 0
            found[table] = {
                "added": [dict(zip(columns, row, strict=True)) for row in (came - went).elements()],
                "removed": [dict(zip(columns, row, strict=True)) for row in (went - came).elements()],
                "last": last,
            }
        return {table: rows for table, rows in found.items() if rows["added"] or rows["removed"]}
    finally:
        then.close()


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Tables that hold data; those of the full-text index follow from them."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in found if not name.startswith("sqlite_") and "_fts" not in name]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _rows(connection: sqlite3.Connection, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    names = ", ".join(f'"{name}"' for name in columns)
    return connection.execute(f'SELECT {names} FROM "{table}" ORDER BY rowid').fetchall()
