"""Many new skills out of journals at once: the same rows as one by one, written table by table.

Only what is plain: an account that tells of nothing but code it learned, read by whoever wrote the journal, each piece
the first version of a new skill. All else goes the usual way, in its turn: events keep the order of the records.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from prowess.store.canon import legible, skill_id
from prowess.store.db.rows import PROVENANCE, VERSION, key_of
from prowess.store.db.schema import FOREVER
from prowess.store.db.write import EVENT_ROW, NEXT, VERSION_ROW, settled
from prowess.store.record import Account, Actor, Kind, Status, Version
from prowess.store.standing import Proposal

Told = tuple[Account, Sequence[Version | None]]
"""An account, and what was read ahead of the code it learned."""

_INSERTS = {
    "event": EVENT_ROW,
    "version": VERSION_ROW,
    "api": "INSERT INTO api VALUES (?, ?, ?)",
    "provenance": PROVENANCE.insert("key", "version", "at", number="?"),
    "state": "INSERT INTO state VALUES (?, ?, ?, 1, ?, '')",
    "name": "INSERT INTO name VALUES (?, ?, ?)",
    "skill": "INSERT INTO skill VALUES (?, ?, ?, ?, ?, ?, ?)",
    "span": f"INSERT INTO span VALUES (?, ?, {FOREVER}, ?, ?)",
}
"""Versions before what refers to them."""

_CANDIDATE, _PROPOSED, _STORE = str(Status.CANDIDATE), str(Kind.PROPOSED), str(Actor.STORE)


class Arrivals:
    """What a batch of records brings that is new, until it is written; inside a transaction."""

    __slots__ = ("_db", "_digests", "_names", "_next", "_rows")

    def __init__(self, db: apsw.Connection, batch: Iterable[Told]) -> None:
        self._db = db
        versions = [version for _, found in batch for version in found if version is not None]
        digests, names = [one.digest for one in versions], [one.name for one in versions]
        self._digests = {digest for (digest,) in _there(db, "SELECT digest FROM version WHERE digest", digests)}
        self._names = set(_there(db, "SELECT namespace, name FROM name WHERE name", names))
        self._next = 0
        self._rows: dict[str, list[Any]] = {table: [] for table in _INSERTS}

    def add(self, at: str, account: Account, versions: Sequence[Version | None]) -> bool:
        """Take an account in, if it is plain."""
        new = self._new(account, versions)
        if not new:
            return False
        if not self._next:
            self._next = int(str(self._db.execute(NEXT).get))
        for skill, version in zip(account.learned, new, strict=True):
            self._arrive(at, version)
            told = PROVENANCE.row(settled(account.provenance, skill.origin))
            self._rows["provenance"].append((key_of(version.digest, told), self._next, at, *told))
            self._next += 1
        return True

    def _new(self, account: Account, versions: Sequence[Version | None]) -> list[Version]:
        """All that a plain account has learned, which the store and the batch do not know yet; otherwise nothing."""
        if account.offered or account.masked or account.tapes or not versions:
            return []
        new: list[Version] = []
        for version in versions:
            if (
                version is None
                or version.digest in self._digests
                or (version.namespace, version.name) in self._names
                or version.dependencies
                or version.parents
                or not version.name.isidentifier()
            ):
                return []
            new.append(version)
        if len(new) > 1 and len({one.name for one in new}) < len(new):
            return []
        for one in new:
            self._digests.add(one.digest)
            self._names.add((one.namespace, one.name))
        return new

    def _arrive(self, at: str, version: Version) -> None:
        rows, id = self._rows, self._next
        row = VERSION.row(version)
        digest, namespace, name = row[:3]
        skill = skill_id(version.namespace, version.name, version.digest)
        event = (id, id, at, _PROPOSED, skill, digest, "", _CANDIDATE, _STORE, "", "", 0, 0)
        rows["event"].append(event)
        rows["version"].append((id, id, 1, *row))
        rows["api"] += [(api, id, version.fingerprints.get(api, "")) for api in version.apis]
        rows["state"].append((id, digest, id, _CANDIDATE))
        rows["name"].append((namespace, name, id))
        rows["skill"].append((id, skill, namespace, name, _CANDIDATE, id, id))
        rows["span"].append((id, id, id, _CANDIDATE))

    def know(self, account: Account, proposals: Sequence[Proposal]) -> None:
        """After an account has gone the usual way."""
        self._digests.update(one.digest for one in proposals)
        self._names.update((legible(account.namespace), skill.name) for skill in account.learned)

    def write(self) -> None:
        """Write what has come so far; before anything else may ask for it."""
        if self._next:
            for table, rows in self._rows.items():
                if rows:
                    self._db.executemany(_INSERTS[table], rows)
                    rows.clear()
            self._next = 0


def _there(db: apsw.Connection, question: str, values: list[str]) -> Any:
    """Those of the values that the store has, in one question."""
    return db.execute(f"{question} IN (SELECT value FROM json_each(?))", (json.dumps(values),)) if values else ()
