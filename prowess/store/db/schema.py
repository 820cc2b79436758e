"""The tables of a skill store, and the version of their schema.

Primary rows are written once and never changed. Derived rows follow from them (`derive`) and exist in a second copy
while they are checked, which is why their tables are written with the name of a schema to fill in.

A version's number is that of the event that brought it, a skill's number that of its first version: they follow from
the events, grow with time, and are seen nowhere outside. What belongs to a version refers to it by its number, so that
all of a new skill is written at the ends of the trees, on pages that its neighbours need, too. Ordered by a hash (a
page of its own for each) are only digests, skills' ids, names and what finds clones.
"""

from __future__ import annotations

APPLICATION = 0x53414745
"""Marks the file as a skill store."""

FOREVER = 2**62
"""The end of a span that has not ended."""

PRIMARY = """
CREATE TABLE version (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, skill INTEGER NOT NULL, number INTEGER NOT NULL,
    namespace TEXT NOT NULL, name TEXT NOT NULL,
    source TEXT NOT NULL, imports TEXT NOT NULL, dependencies TEXT NOT NULL, docstring TEXT NOT NULL,
    signature TEXT NOT NULL, schema TEXT NOT NULL, summary TEXT NOT NULL, apis TEXT NOT NULL, effect TEXT NOT NULL,
    helpers TEXT NOT NULL, tokens INTEGER NOT NULL, ast_hash TEXT NOT NULL, alpha_hash TEXT NOT NULL,
    parents TEXT NOT NULL, fingerprints TEXT NOT NULL,
    UNIQUE (skill, number)
);
CREATE TABLE api (
    api TEXT NOT NULL, version INTEGER NOT NULL REFERENCES version, fingerprint TEXT NOT NULL,
    PRIMARY KEY (api, version)
) WITHOUT ROWID;
CREATE TABLE provenance (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL, version INTEGER NOT NULL REFERENCES version, at TEXT NOT NULL,
    kind TEXT NOT NULL, run TEXT NOT NULL, episode TEXT NOT NULL, turn INTEGER NOT NULL, task TEXT NOT NULL,
    scenario TEXT NOT NULL, instruction TEXT NOT NULL, checkpoint TEXT NOT NULL, world TEXT NOT NULL,
    world_version TEXT NOT NULL, who TEXT NOT NULL, note TEXT NOT NULL,
    UNIQUE (version, key)
);
CREATE TABLE trial (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL, version INTEGER NOT NULL REFERENCES version, at TEXT NOT NULL,
    kind TEXT NOT NULL, call TEXT NOT NULL, answers TEXT NOT NULL, expected TEXT NOT NULL, task TEXT NOT NULL,
    now TEXT NOT NULL,
    UNIQUE (version, key)
);
CREATE TABLE verification (
    id INTEGER PRIMARY KEY, version INTEGER NOT NULL REFERENCES version, "check" TEXT NOT NULL, verdict TEXT NOT NULL,
    evidence TEXT NOT NULL, "by" TEXT NOT NULL, at TEXT NOT NULL
);
CREATE TABLE usage (
    id INTEGER PRIMARY KEY, episode TEXT NOT NULL, version INTEGER NOT NULL REFERENCES version, arm TEXT NOT NULL,
    task TEXT NOT NULL, run TEXT NOT NULL, rank INTEGER NOT NULL, score REAL NOT NULL, called INTEGER NOT NULL,
    error TEXT NOT NULL, success INTEGER NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL, at TEXT NOT NULL,
    UNIQUE (version, episode)
);
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, skill TEXT NOT NULL,
    digest TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, actor TEXT NOT NULL, who TEXT NOT NULL,
    why TEXT NOT NULL, cause INTEGER NOT NULL, undoes INTEGER NOT NULL, born INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE snapshot (
    root TEXT PRIMARY KEY, event INTEGER NOT NULL, at TEXT NOT NULL, count INTEGER NOT NULL, note TEXT NOT NULL
);
CREATE TABLE segment (id TEXT PRIMARY KEY, worker TEXT NOT NULL, offset INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE refused (
    segment TEXT NOT NULL, offset INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (segment, offset)
) WITHOUT ROWID;
CREATE INDEX event_by_cause ON event (cause) WHERE cause;
CREATE INDEX event_by_undone ON event (undoes) WHERE undoes;
CREATE INDEX event_by_born ON event (born);
CREATE INDEX version_by_alpha ON version (substr(alpha_hash, 1, 16));
CREATE INDEX provenance_by_version ON provenance (version);
CREATE INDEX verification_by_version ON verification (version);
"""

DERIVED = """
CREATE TABLE {schema}.skill (
    born INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, namespace TEXT NOT NULL, name TEXT NOT NULL,
    status TEXT NOT NULL, head INTEGER NOT NULL, changed INTEGER NOT NULL
);
CREATE TABLE {schema}.state (
    version INTEGER PRIMARY KEY, digest TEXT NOT NULL, skill INTEGER NOT NULL, number INTEGER NOT NULL,
    status TEXT NOT NULL, review TEXT NOT NULL
);
CREATE INDEX {schema}.state_by_status ON state (status);
CREATE TABLE {schema}.name (
    namespace TEXT NOT NULL, name TEXT NOT NULL, skill INTEGER NOT NULL, PRIMARY KEY (name, namespace)
) WITHOUT ROWID;
CREATE INDEX {schema}.name_by_skill ON name (skill);
CREATE TABLE {schema}.span (
    skill INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, version INTEGER NOT NULL,
    status TEXT NOT NULL, PRIMARY KEY (skill, since)
) WITHOUT ROWID;
CREATE TABLE {schema}.statistics (
    version INTEGER PRIMARY KEY, offered INTEGER NOT NULL, offered_successes INTEGER NOT NULL, masked INTEGER NOT NULL,
    masked_successes INTEGER NOT NULL, called INTEGER NOT NULL, called_successes INTEGER NOT NULL,
    errors INTEGER NOT NULL, first_success TEXT NOT NULL, last_success TEXT NOT NULL
);
CREATE TABLE {schema}.document (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL, skill TEXT NOT NULL, namespace TEXT NOT NULL,
    family TEXT NOT NULL, asked TEXT NOT NULL, labels TEXT NOT NULL
);
CREATE TABLE {schema}.pin (
    target TEXT NOT NULL, holder TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (target, holder)
) WITHOUT ROWID;
CREATE TABLE {schema}.edge (
    skill TEXT NOT NULL, relation TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (skill, relation, other)
) WITHOUT ROWID;
CREATE INDEX {schema}.edge_by_other ON edge (other);
CREATE VIRTUAL TABLE {schema}.text USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TABLE {schema}.frequency (term TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE {schema}.corpus (
    namespace TEXT PRIMARY KEY, documents INTEGER NOT NULL, sampled INTEGER NOT NULL, instructions INTEGER NOT NULL,
    asked INTEGER NOT NULL, said INTEGER NOT NULL
) WITHOUT ROWID;
"""

TABLES = ("skill", "state", "name", "pin", "edge", "span", "statistics", "document", "frequency", "corpus")
"""The derived tables; FTS5's own come on top."""

ROOM = "INSERT INTO text (text, rank) VALUES ('hashsize', 4194304);"
"""More room in memory for the text index: a batch is written as one part, not as two that are merged later."""

VERSION = 5
"""The schema's number, as the file notes it. A store of another version is refused."""

SCHEMA = PRIMARY + DERIVED.format(schema="main") + ROOM
"""What makes an empty file a store."""
