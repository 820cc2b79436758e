"""The state of all skills at one moment, known by a Merkle root.

A leaf is SHA-256(00 ‖ JSON of [skill id, digest of its head, status]); leaves are sorted by skill id. Two neighbours
make SHA-256(01 ‖ left ‖ right); the odd one at the end of a level goes up as it is; no leaves at all are
SHA-256 of nothing. The root is written in hex.

A stored snapshot is its root and the last event it takes in. The history of every skill's head is kept as spans of
events, so any snapshot can be read again, and takes no room.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from prowess.errors import RecipeError, StoreError
from prowess.skills.library import Library
from prowess.store.db.read import FIRST, ORIGIN, SHORTEST, origin_of
from prowess.store.db.rows import SNAPSHOT, text_of
from prowess.store.record import Status
from prowess.store.standing import Change, Difference, Snapshot
from prowess.types import Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One skill in a snapshot."""

    skill: str
    digest: str
    status: Status

    def hash(self) -> bytes:
        return hashlib.sha256(b"\0" + text_of([self.skill, self.digest, self.status]).encode()).digest()


def root_of(leaves: Iterable[Leaf]) -> str:
    """The Merkle root.

    >>> root_of([])[:8]
    'e3b0c442'
    """
    level = [leaf.hash() for leaf in sorted(leaves, key=lambda leaf: leaf.skill)]
    if not level:
        return hashlib.sha256().hexdigest()
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        odd = level[-1:] if len(level) % 2 else []
        level = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs] + odd
    return level[0].hex()


def leaves_at(db: apsw.Connection, event: int) -> list[Leaf]:
    """Every skill's head as it was after an event."""
    rows = db.execute(
        "SELECT k.id, s.digest, x.status FROM span x CROSS JOIN skill k ON k.born = x.skill"
        " CROSS JOIN state s ON s.version = x.version WHERE x.since <= ?1 AND x.until > ?1 ORDER BY k.id",
        (event,),
    )
    return [Leaf(skill=skill, digest=digest, status=Status(status)) for skill, digest, status in rows]


def take(db: apsw.Connection, at: str, note: str) -> Snapshot:
    """Note the present state; one that is there already is kept as it is."""
    event = int(str(db.execute("SELECT coalesce(max(id), 0) FROM event").get))
    leaves = leaves_at(db, event)
    root = root_of(leaves)
    db.execute("INSERT OR IGNORE INTO snapshot VALUES (?, ?, ?, ?, ?)", (root, event, at, len(leaves), note))
    return find(db, root)


def find(db: apsw.Connection, root: str) -> Snapshot:
    """The snapshot of a root, or of its beginning."""
    found = beginning(db, root)
    if len(found) != 1:
        raise RecipeError(f"the store has no snapshot '{root}'", hint="give more of its root, or take one")
    return found[0]


def beginning(db: apsw.Connection, text: str) -> list[Snapshot]:
    """The snapshots whose roots a text begins, oldest first; a shorter one than a digest's begins none."""
    if len(text) < SHORTEST or not text.isalnum():
        return []
    query = f"SELECT {SNAPSHOT.columns} FROM snapshot WHERE root GLOB ? ORDER BY event, root"
    return [SNAPSHOT.value(row) for row in db.execute(query, (f"{text}*",))]


def there(db: apsw.Connection, root: str) -> bool:
    """Whether the store has this very snapshot."""
    return bool(db.execute("SELECT count(*) FROM snapshot WHERE root = ?", (root,)).get)


def checked(db: apsw.Connection, root: str) -> list[Leaf]:
    """The leaves of a snapshot, which must still give its root; of no root, those of now."""
    if not root:
        return leaves_at(db, int(str(db.execute("SELECT coalesce(max(id), 0) FROM event").get)))
    found = find(db, root)
    leaves = leaves_at(db, found.event)
    if root_of(leaves) != found.root:
        raise StoreError(
            f"snapshot {found.root} cannot be read again: the history gives another root",
            hint="rebuild the store: `rebuild(verify=True)` says what differs",
        )
    return leaves


def diff(db: apsw.Connection, a: str, b: str) -> Difference:
    """What is different in the second snapshot; nothing stands for now."""
    old, new = ({leaf.skill: leaf for leaf in checked(db, root)} for root in (a, b))
    changes = [
        _change(db, skill, old, new) for skill in sorted(old.keys() | new.keys()) if old.get(skill) != new.get(skill)
    ]
    return Difference(
        added=tuple(one for one in changes if not one.old),
        removed=tuple(one for one in changes if not one.new),
        changed=tuple(one for one in changes if one.old and one.new and one.old != one.new),
        moved=tuple(one for one in changes if one.old == one.new),
    )


def _change(db: apsw.Connection, skill: str, old: Mapping[str, Leaf], new: Mapping[str, Leaf]) -> Change:
    one, other = old.get(skill), new.get(skill)
    last = other or one
    assert last is not None
    return Change(
        skill=skill,
        name=str(db.execute("SELECT name FROM version WHERE digest = ?", (last.digest,)).get),
        old=one.digest if one else "",
        new=other.digest if other else "",
        old_status=one.status if one else None,
        new_status=other.status if other else None,
    )


_SKILL = f"""
SELECT v.name, v.source, v.imports, v.docstring, v.apis, {ORIGIN}
FROM {{heads}} JOIN version v ON v.id = h.version
{FIRST}
WHERE h.status IN ({{statuses}}) AND (?1 IS NULL OR v.namespace = ?1) ORDER BY {{order}}
"""
_NOW = "(SELECT head AS version, status, born FROM skill) h"
_THEN = "span h JOIN skill k ON k.born = h.skill AND h.since <= ?2 AND h.until > ?2"


def library(db: apsw.Connection, *, root: str, namespace: str | None, statuses: Iterable[Status]) -> Library:
    """The skills of these statuses, now or in a snapshot, in the order of their birth."""
    listed = ", ".join(f"'{status}'" for status in sorted(statuses))
    event: tuple[int, ...] = ()
    if root:
        checked(db, root)
        event = (find(db, root).event,)
    query = _SKILL.format(heads=_THEN if root else _NOW, statuses=listed, order="k.born" if root else "h.born")
    return Library(tuple(_skill(*row) for row in db.execute(query, (namespace, *event))))


def _skill(name: str, source: str, imports: str, docstring: str, apis: str, *first: Any) -> Skill:
    return Skill(
        name=name,
        source=source,
        imports=tuple(json.loads(imports)),
        docstring=docstring,
        apis=tuple(json.loads(apis)),
        origin=origin_of(*first),
    )


def digests(db: apsw.Connection, root: str, namespace: str, names: Iterable[str]) -> dict[str, str]:
    """The versions behind names, as they were in a snapshot; a name that was nobody's is left out."""
    event = find(db, root).event
    found = {
        name: db.execute(
            "SELECT s.digest FROM name n JOIN span h ON h.skill = n.skill AND h.since <= ?3 AND h.until > ?3"
            " JOIN state s ON s.version = h.version WHERE n.name = ?1 AND n.namespace = ?2",
            (name, namespace, event),
        ).get
        for name in names
    }
    return {name: str(digest) for name, digest in found.items() if digest}
