"""Many skills into a store at once, row for row as the store itself would have written them one by one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from library_corpus import Corpus

from prowess.store.canon import digest_of, skill_id, version_of
from prowess.store.db import Store
from prowess.store.db import text as index
from prowess.store.db.rows import PROVENANCE, VERSION, key_of
from prowess.store.db.schema import FOREVER
from prowess.store.record import Provenance, Status
from prowess.types import Skill

AT = "2026-01-01T00:00:00.000000Z"
STEPS = (("candidate", "verified"), ("verified", "active"))
BATCH = 10_000


def load(path: Path, corpus: Corpus) -> None:
    """A store with all skills of a corpus, every one active."""
    frequency: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    _ = corpus.topics, corpus.weights  # made once, before the processes that share them
    if corpus.kind == "topics":
        _ = corpus.shares
    beginnings = range(0, corpus.size, BATCH)
    # The processes begin before the store is opened.
    with get_context("fork").Pool(2) as pool, Store.open(path) as store:
        db = store.db
        db.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
        db.execute("INSERT INTO text (text, rank) VALUES ('hashsize', 500000000)")
        for rows, terms, sizes in pool.imap(partial(_batch, corpus), beginnings):
            frequency.update(terms)
            sums.update(sizes)
            _write(store, rows)
        with store.many():
            db.executemany("INSERT INTO frequency VALUES (?, ?)", sorted(frequency.items()))
            totals = [sums[name] for name in ("documents", "sampled", "documents", "asked", "said")]
            db.execute("INSERT INTO corpus VALUES ('desk', ?, ?, ?, ?, ?)", totals)
            db.execute("INSERT INTO text (text, rank) VALUES ('hashsize', 4194304)")  # as it was
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_ROWS: dict[int, list[Any]] = {}
"""The row of each topic's version, in the process that needed it."""


def _batch(corpus: Corpus, first: int) -> tuple[dict[str, list[Any]], Counter[str], Counter[str]]:
    """All rows of some skills."""
    rows: dict[str, list[Any]] = {}
    frequency: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for made in corpus.all(first, first + BATCH):
        if made.topic not in _ROWS:
            topic = corpus.topics[made.topic]
            skill = Skill(name=topic.name, source=topic.source, docstring=topic.docstring)
            _ROWS[made.topic] = VERSION.row(version_of(skill, namespace="desk"))
        _rows(rows, made, list(_ROWS[made.topic]), frequency, sums)
    return rows, frequency, sums


def _rows(rows: dict[str, list[Any]], made: Any, row: list[Any], frequency: Counter[str], sums: Counter[str]) -> None:
    def put(table: str, *values: Any) -> None:
        rows.setdefault(table, []).append(values)

    imports, dependencies = json.loads(row[4]), json.loads(row[5])
    digest = digest_of(namespace="desk", name=made.name, source=made.source, imports=imports, dependencies=dependencies)
    place = dict(zip(VERSION.names, range(len(VERSION.names)), strict=True))
    clone = hashlib.sha256(made.name.encode()).hexdigest()
    values = {"digest": digest, "name": made.name, "source": made.source, "docstring": made.docstring}
    for name, value in {**values, "summary": made.summary, "ast_hash": clone, "alpha_hash": clone}.items():
        row[place[name]] = value
    skill = skill_id("desk", made.name, digest)
    first = 3 * made.number + 1
    put("version", first, first, 1, *row)
    for api in json.loads(row[place["apis"]]):
        put("api", api, first, "")
    told = PROVENANCE.row(
        Provenance(
            run="bench",
            episode=f"bench/{made.number}",
            task=f"t{made.number}",
            scenario=made.scenario,
            instruction=made.instruction,
            world="desk",
        )
    )
    put("provenance", None, key_of(digest, told), first, AT, *told)
    put("event", first, AT, "proposed", skill, digest, "", "candidate", "store", "", "", 0, 0, first)
    put("span", first, first, first + 1, first, "candidate")
    for step, (before, after) in enumerate(STEPS, start=1):
        put("event", first + step, AT, "moved", skill, digest, before, after, "person", "", "", 0, 0, first)
        put("span", first, first + step, first + step + 1 if step < len(STEPS) else FOREVER, first, after)
    put("state", first, digest, first, 1, Status.ACTIVE, "")
    put("skill", first, skill, "desk", made.name, Status.ACTIVE, first, first + 2)
    put("name", "desk", made.name, first)
    text = index.Text(
        id=first,
        digest=digest,
        skill=skill,
        namespace="desk",
        family=clone,
        asked=(made.instruction,),
        labels=(made.scenario,),
        said=index.said_by(made.name, made.summary, made.source),
    )
    terms = index.terms_of(text)
    put("text", first, " ".join(terms.marked))
    labels = json.dumps(text.labels)
    put("document", first, digest, skill, "desk", clone, json.dumps(text.asked), labels)
    sums.update(documents=1, sampled=int(text.sampled), asked=terms.asked, said=terms.said)
    if text.sampled:
        frequency.update(terms.marked)


_COLUMNS = {"text": " (rowid, terms)", "version": f" (id, skill, number, {VERSION.columns})"}


def _write(store: Store, rows: dict[str, list[Any]]) -> None:
    with store.many():
        for table, values in rows.items():
            columns = _COLUMNS.get(table, "")
            # In the order of their keys: a tree grows fastest so.
            ordered = sorted(values, key=lambda row: row[:2]) if table in ("name", "api") else values
            store.db.executemany(f"INSERT INTO {table}{columns} VALUES ({', '.join('?' * len(values[0]))})", ordered)
