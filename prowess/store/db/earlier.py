"""The tables of earlier versions, as they were: what an old store is brought on from. Never changed."""

from __future__ import annotations

PRIMARY = """
CREATE TABLE version (
    digest TEXT PRIMARY KEY, skill TEXT NOT NULL, number INTEGER NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    source TEXT NOT NULL, imports TEXT NOT NULL, dependencies TEXT NOT NULL, docstring TEXT NOT NULL,
    signature TEXT NOT NULL, schema TEXT NOT NULL, summary TEXT NOT NULL, apis TEXT NOT NULL, effect TEXT NOT NULL,
    helpers TEXT NOT NULL, tokens INTEGER NOT NULL, ast_hash TEXT NOT NULL, alpha_hash TEXT NOT NULL,
    parents TEXT NOT NULL, fingerprints TEXT NOT NULL,
    UNIQUE (skill, number)
);
CREATE INDEX version_by_ast ON version (ast_hash);
CREATE INDEX version_by_alpha ON version (alpha_hash);
CREATE TABLE api (
    api TEXT NOT NULL, digest TEXT NOT NULL REFERENCES version, fingerprint TEXT NOT NULL, PRIMARY KEY (api, digest)
) WITHOUT ROWID;
CREATE TABLE provenance (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, digest TEXT NOT NULL REFERENCES version, at TEXT NOT NULL,
    kind TEXT NOT NULL, run TEXT NOT NULL, episode TEXT NOT NULL, turn INTEGER NOT NULL, task TEXT NOT NULL,
    scenario TEXT NOT NULL, instruction TEXT NOT NULL, checkpoint TEXT NOT NULL, world TEXT NOT NULL,
    world_version TEXT NOT NULL, who TEXT NOT NULL, note TEXT NOT NULL
);
CREATE INDEX provenance_by_digest ON provenance (digest);
CREATE TABLE trial (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, digest TEXT NOT NULL REFERENCES version, at TEXT NOT NULL,
    kind TEXT NOT NULL, call TEXT NOT NULL, answers TEXT NOT NULL, expected TEXT NOT NULL, task TEXT NOT NULL,
    now TEXT NOT NULL
);
CREATE INDEX trial_by_digest ON trial (digest);
CREATE TABLE verification (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL REFERENCES version, "check" TEXT NOT NULL, verdict TEXT NOT NULL,
    evidence TEXT NOT NULL, "by" TEXT NOT NULL, at TEXT NOT NULL
);
CREATE INDEX verification_by_digest ON verification (digest);
CREATE TABLE usage (
    id INTEGER PRIMARY KEY, episode TEXT NOT NULL, digest TEXT NOT NULL REFERENCES version, arm TEXT NOT NULL,
    task TEXT NOT NULL, run TEXT NOT NULL, rank INTEGER NOT NULL, score REAL NOT NULL, called INTEGER NOT NULL,
    error TEXT NOT NULL, success INTEGER NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL, at TEXT NOT NULL,
    UNIQUE (digest, episode)
);
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, skill TEXT NOT NULL,
    digest TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, actor TEXT NOT NULL, who TEXT NOT NULL,
    why TEXT NOT NULL, cause INTEGER NOT NULL, undoes INTEGER NOT NULL
);
CREATE INDEX event_by_skill ON event (skill);
CREATE INDEX event_by_cause ON event (cause) WHERE cause;
CREATE INDEX event_by_undone ON event (undoes) WHERE undoes;
CREATE TABLE snapshot (
    root TEXT PRIMARY KEY, event INTEGER NOT NULL, at TEXT NOT NULL, count INTEGER NOT NULL, note TEXT NOT NULL
);
CREATE TABLE segment (id TEXT PRIMARY KEY, worker TEXT NOT NULL, offset INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE refused (
    segment TEXT NOT NULL, offset INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (segment, offset)
) WITHOUT ROWID;
"""

DERIVED = """
CREATE TABLE {schema}.skill (
    id TEXT PRIMARY KEY, namespace TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, head TEXT NOT NULL,
    born INTEGER NOT NULL, changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX {schema}.skill_by_status ON skill (status);
CREATE INDEX {schema}.skill_by_birth ON skill (born);
CREATE TABLE {schema}.state (
    digest TEXT PRIMARY KEY, skill TEXT NOT NULL, number INTEGER NOT NULL, status TEXT NOT NULL, review TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX {schema}.state_by_skill ON state (skill);
CREATE INDEX {schema}.state_by_status ON state (status);
CREATE TABLE {schema}.name (
    namespace TEXT NOT NULL, name TEXT NOT NULL, skill TEXT NOT NULL, PRIMARY KEY (name, namespace)
) WITHOUT ROWID;
CREATE INDEX {schema}.name_by_skill ON name (skill);
CREATE TABLE {schema}.pin (
    target TEXT NOT NULL, holder TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (target, holder)
) WITHOUT ROWID;
CREATE TABLE {schema}.edge (
    skill TEXT NOT NULL, relation TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (skill, relation, other)
) WITHOUT ROWID;
CREATE INDEX {schema}.edge_by_other ON edge (other);
CREATE TABLE {schema}.span (
    skill TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, digest TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (skill, since)
) WITHOUT ROWID;
CREATE TABLE {schema}.statistics (
    digest TEXT PRIMARY KEY, offered INTEGER NOT NULL, offered_successes INTEGER NOT NULL, masked INTEGER NOT NULL,
    masked_successes INTEGER NOT NULL, called INTEGER NOT NULL, called_successes INTEGER NOT NULL,
    errors INTEGER NOT NULL, first_success TEXT NOT NULL, last_success TEXT NOT NULL
) WITHOUT ROWID;
"""

FTS = """
CREATE VIRTUAL TABLE {schema}.text USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TABLE {schema}.document (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, skill TEXT NOT NULL, namespace TEXT NOT NULL,
    family TEXT NOT NULL, asked TEXT NOT NULL, labels TEXT NOT NULL
);
CREATE TABLE {schema}.frequency (term TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE {schema}.corpus (
    namespace TEXT PRIMARY KEY, documents INTEGER NOT NULL, sampled INTEGER NOT NULL, instructions INTEGER NOT NULL,
    asked INTEGER NOT NULL, said INTEGER NOT NULL
) WITHOUT ROWID;
"""

FEWER = """
DROP INDEX IF EXISTS version_by_ast;
DROP INDEX IF EXISTS skill_by_status;
DROP INDEX IF EXISTS state_by_skill;
INSERT INTO text (text, rank) VALUES ('hashsize', 4194304);
"""
"""Without indexes that nobody asks, or whose questions others answer: each one costs every insert a page.

And more room in memory for the text index, so that a batch is written as one part, not as two that are merged later.
"""

EARLIER = (PRIMARY + DERIVED.format(schema="main"), FTS.format(schema="main"), FEWER)
"""From nothing to version 3."""
