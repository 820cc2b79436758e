"""From version 3 of the schema to version 4: numbers in place of digests, one statement for each table."""

from __future__ import annotations

_INDEXES = """version_by_alpha provenance_by_digest trial_by_digest verification_by_digest event_by_skill skill_by_birth
    state_by_status name_by_skill""".split()
"""Of the old tables; their names are wanted for the new ones."""

_COPIES = {
    "version": """
INSERT INTO version
    SELECT e.id, o.digest, k.born, o.number, o.namespace, o.name, o.source, o.imports, o.dependencies, o.docstring,
           o.signature, o.schema, o.summary, o.apis, o.effect, o.helpers, o.tokens, o.ast_hash, o.alpha_hash,
           o.parents, o.fingerprints
    FROM event e CROSS JOIN old_version o ON o.digest = e.digest JOIN old_skill k ON k.id = o.skill
    WHERE e.kind = 'proposed' ORDER BY e.id;
""",
    "skill": """
INSERT INTO skill
    SELECT o.born, o.id, o.namespace, o.name, o.status, v.id, o.changed
    FROM old_skill o JOIN version v ON v.digest = o.head ORDER BY o.born;
""",
    "state": """
INSERT INTO state
    SELECT v.id, o.digest, v.skill, o.number, o.status, o.review
    FROM old_state o JOIN version v ON v.digest = o.digest ORDER BY v.id;
""",
    "api": """
INSERT INTO api
    SELECT o.api, v.id, o.fingerprint FROM old_api o JOIN version v ON v.digest = o.digest ORDER BY 1, 2;
""",
    "provenance": """
INSERT INTO provenance
    SELECT o.id, o.key, v.id, o.at, o.kind, o.run, o.episode, o.turn, o.task, o.scenario, o.instruction, o.checkpoint,
           o.world, o.world_version, o.who, o.note
    FROM old_provenance o CROSS JOIN version v ON v.digest = o.digest ORDER BY o.id;
""",
    "trial": """
INSERT INTO trial
    SELECT o.id, o.key, v.id, o.at, o.kind, o.call, o.answers, o.expected, o.task, o.now
    FROM old_trial o CROSS JOIN version v ON v.digest = o.digest ORDER BY o.id;
""",
    "verification": """
INSERT INTO verification
    SELECT o.id, v.id, o."check", o.verdict, o.evidence, o."by", o.at
    FROM old_verification o CROSS JOIN version v ON v.digest = o.digest ORDER BY o.id;
""",
    "usage": """
INSERT INTO usage
    SELECT o.id, o.episode, v.id, o.arm, o.task, o.run, o.rank, o.score, o.called, o.error, o.success, o.turns,
           o.tokens, o.at
    FROM old_usage o CROSS JOIN version v ON v.digest = o.digest ORDER BY o.id;
""",
    "name": """
INSERT INTO name
    SELECT o.namespace, o.name, k.born FROM old_name o JOIN skill k ON k.id = o.skill ORDER BY o.name, o.namespace;
""",
    "span": """
INSERT INTO span
    SELECT k.born, o.since, o.until, v.id, o.status
    FROM old_span o JOIN skill k ON k.id = o.skill JOIN version v ON v.digest = o.digest ORDER BY 1, 2;
""",
    "statistics": """
INSERT INTO statistics
    SELECT v.id, o.offered, o.offered_successes, o.masked, o.masked_successes, o.called, o.called_successes, o.errors,
           o.first_success, o.last_success
    FROM old_statistics o JOIN version v ON v.digest = o.digest ORDER BY v.id;
""",
    "document": """
INSERT INTO document SELECT * FROM old_document ORDER BY id;
""",
}
"""In this order; an old table goes as soon as nothing needs it, so that the next one can use its room."""

_EVENTS = """
ALTER TABLE event ADD COLUMN born INTEGER NOT NULL DEFAULT 0;
UPDATE event SET born = coalesce((SELECT k.born FROM skill k WHERE k.id = event.skill), 0) WHERE skill <> '';
"""
"""A version has the number of the event that brought it; an event that of its skill, or 0."""


def numbered(tables: str, indexes: str) -> str:
    """The script: old tables out of the way, new ones filled from them, the old ones dropped."""
    return "\n".join(
        (
            *(f"DROP INDEX {name};" for name in _INDEXES),
            *(f"ALTER TABLE {name} RENAME TO old_{name};" for name in _COPIES),
            tables,
            *(f"{copy} DROP TABLE old_{name};" for name, copy in _COPIES.items()),
            _EVENTS,
            indexes,
        )
    )
