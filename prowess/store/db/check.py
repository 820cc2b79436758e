"""Whether what is kept is what follows from the primary rows, and whether these say what their code says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from prowess.store.canon import Address, digest_of, version_at
from prowess.store.db import derive, log, pages
from prowess.store.db.derive import MAIN
from prowess.store.db.faults import faults
from prowess.store.db.rows import VERSION, Illegible
from prowess.store.db.schema import DERIVED, TABLES
from prowess.text.terminal import Watch, unseen
from prowess.types import Skill

SCRATCH = "scratch"
MOST = 20
"""So many differences of each kind are told."""


def check(db: apsw.Connection, path: Path, watch: Watch = unseen) -> tuple[str, ...]:
    """Read every page, and compute the derived rows in a scratch copy; what is damaged or differs, in words."""
    if damaged := (*filter(None, [log.damage(path)]), *pages.damage(path)):  # nothing more can be read
        return damaged
    db.execute(f"ATTACH '' AS {SCRATCH}")
    try:
        db.execute("BEGIN")
        try:
            if wrong := faults(db, MOST):  # nothing can follow from these
                return wrong
            db.execute(DERIVED.format(schema=SCRATCH))
            derive.replay(db, SCRATCH, watch)
            tables = (line for table in TABLES for line in _differences(db, table))
            return (*_damaged(db, watch), *tables, *_terms(db))
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
    finally:
        db.execute(f"DETACH {SCRATCH}")


def _differences(db: apsw.Connection, table: str) -> Iterator[str]:
    if _digest(db, MAIN, table) == _digest(db, SCRATCH, table):
        return
    for one, other, word in ((MAIN, SCRATCH, "kept"), (SCRATCH, MAIN, "computed")):
        rows = db.execute(f"SELECT * FROM {one}.{table} EXCEPT SELECT * FROM {other}.{table} LIMIT {MOST}")
        yield from (f"{table}: only {word}: {row!r}" for row in rows)


def _digest(db: apsw.Connection, schema: str, table: str) -> str:
    digest = hashlib.sha256()
    order = "1, 2" if table == "frequency" else "1, 2, 3"  # no key is longer
    for row in db.execute(f"SELECT * FROM {schema}.{table} ORDER BY {order}"):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def _terms(db: apsw.Connection) -> Iterator[str]:
    """Terms whose lists of versions differ from those of the scratch copy, in words."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.kept USING fts5vocab(main, text, instance)")
    db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.computed USING fts5vocab({SCRATCH}, text, instance)")
    lists = "SELECT term, group_concat(doc) FROM temp.{} GROUP BY term"
    kept, computed = (iter(db.cursor().execute(lists.format(name))) for name in ("kept", "computed"))
    one: Any = next(kept, None)
    other: Any = next(computed, None)
    left = MOST
    while (one is not None or other is not None) and left > 0:
        if one == other:
            one, other = next(kept, None), next(computed, None)
            continue
        term = min(row[0] for row in (one, other) if row is not None)
        here, there = ((row[1] if row is not None and row[0] == term else "nobody") for row in (one, other))
        yield f"text: {term!r} is kept for {here[:80]}, computed for {there[:80]}"
        left -= 1
        one = next(kept, None) if one is not None and one[0] == term else one
        other = next(computed, None) if other is not None and other[0] == term else other


def _damaged(db: apsw.Connection, watch: Watch) -> Iterator[str]:
    """Versions whose code is no longer what their digest says, or is described as something else."""
    misread = 0
    for row in _watched(db, watch):
        try:
            kept = VERSION.value(row)
        except Illegible as error:
            yield f"version: {error.message}"
            continue
        parts = {name: getattr(kept, name) for name in ("namespace", "source", "imports", "dependencies")}
        address = Address(digest=digest_of(name=kept.name, **parts), **parts)
        if address.digest != kept.digest:
            yield f"version: {kept.digest} ({kept.name}) does not hold the code of its digest"
            continue
        made = version_at(address, Skill(name=kept.name, source=kept.source))
        if made.ast_hash and misread < MOST:  # of what does not parse, some was told with it
            different = [name for name in _READ if getattr(made, name) != getattr(kept, name)]
            misread += bool(different)
            if different:
                yield f"version: {kept.digest} ({kept.name}) is not described as its code reads: {', '.join(different)}"


def _watched(db: apsw.Connection, watch: Watch) -> Iterator[Any]:
    """The rows of all versions."""
    total = int(str(db.execute("SELECT count(*) FROM version").get))
    with watch(total, "read versions") as bar:
        for number, row in enumerate(db.execute(f"SELECT {VERSION.columns} FROM version"), 1):
            yield row
            if number % derive.STRIDE == 0:
                bar.advance(derive.STRIDE)
        bar.advance(total % derive.STRIDE)


_READ = tuple("docstring signature schema summary apis helpers tokens ast_hash alpha_hash".split())
"""What follows from code alone; what APIs do may have been told."""
