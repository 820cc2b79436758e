"""The text index as it is kept: a version comes into it with the step that lets it be offered, and leaves it likewise.

What it has to learn waits until the transaction ends, or somebody searches in it, and is written at once. What it is
made of is in `text`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from prowess.store.canon import listed
from prowess.store.db.text import MOST, Terms, Text, said_by, terms_of
from prowess.store.life import OFFERED

_LISTED = ", ".join(f"'{status}'" for status in sorted(OFFERED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A version that comes into the index (`sign` 1), or leaves it (-1)."""

    text: Text
    terms: Terms
    sign: int


Waiting = list["int | Change"]
"""What the index has to learn, in order: the numbers of versions that come, whose texts are still to be read."""


ROOM = 512
"""So many changes wait at most."""


def settle(db: apsw.Connection) -> None:
    """Tell the index what waits, at once: FTS5 begins a new part of its files with each savepoint that ends."""
    waiting = _waiting(db)
    if waiting:
        coming = [one for one in waiting if isinstance(one, int)]
        texts = {text.id: text for text in _texts(db, coming, "main")}
        _add(db, texts.values(), "main")
        changes = [one if isinstance(one, Change) else _change(texts[one]) for one in waiting]
        _write(db, changes, "main")
        waiting.clear()


def _wait(db: apsw.Connection, change: int | Change) -> None:
    waiting = _waiting(db)
    waiting.append(change)
    if len(waiting) >= ROOM:
        settle(db)


def _waiting(db: apsw.Connection) -> Waiting:
    found: Waiting = db.waiting  # type: ignore[attr-defined]  # every connection of a store is a `Connection`
    return found


def follow(db: apsw.Connection, version: int, *, was: str, now: str) -> None:
    """After a step in a version's life: into the index, or out of it."""
    if now in OFFERED and was not in OFFERED:
        _wait(db, version)
    elif was in OFFERED and now not in OFFERED:
        _remove(db, version)


def retell(db: apsw.Connection, digest: str, instruction: str, scenario: str) -> None:
    """After a version was written once more, perhaps for another instruction. Who waits will be read with it."""
    row: Any = db.execute(
        "SELECT id, asked, labels FROM document WHERE id = (SELECT id FROM version WHERE digest = ?)", (digest,)
    ).get
    if row is None:
        return
    version, *told = row
    if instruction in ("", *json.loads(told[0])) and scenario in ("", *json.loads(told[1])):
        return  # known by both
    (text,) = _texts(db, [version], "main")
    if [listed(text.asked), listed(text.labels)] != told:
        _remove(db, version)
        _wait(db, version)


def _change(text: Text) -> Change:
    return Change(text=text, terms=terms_of(text), sign=1)


def _add(db: apsw.Connection, texts: Iterable[Text], to: str) -> None:
    db.executemany(_DOCUMENT.format(to=to), [_document(text) for text in texts])


_DOCUMENT = "INSERT INTO {to}.document VALUES (?, ?, ?, ?, ?, ?, ?)"


def _document(text: Text) -> tuple[Any, ...]:
    asked, labels = listed(text.asked), listed(text.labels)
    return (text.id, text.digest, text.skill, text.namespace, text.family, asked, labels)


def _remove(db: apsw.Connection, version: int) -> None:
    if version in _waiting(db):
        settle(db)
    row: Any = db.execute("SELECT asked, labels FROM document WHERE id = ?", (version,)).get
    (text,) = _texts(db, [version], "main", told=(tuple(json.loads(row[0])), tuple(json.loads(row[1]))))
    db.execute("DELETE FROM document WHERE id = ?", (text.id,))
    _wait(db, Change(text=text, terms=terms_of(text), sign=-1))


def _write(db: apsw.Connection, changes: Sequence[Change], to: str) -> None:
    """All terms into FTS5, and what they add up to: each sum is written once."""
    leaving = [one.text.id for one in changes if one.sign < 0]
    if leaving:  # perhaps to come back: in order
        for one in changes:
            if one.sign < 0:
                db.execute(f"DELETE FROM {to}.text WHERE rowid = ?", (one.text.id,))
            else:
                db.execute(_TERMS.format(to=to), (one.text.id, one.terms.line))
    else:
        db.executemany(_TERMS.format(to=to), [(one.text.id, one.terms.line) for one in changes])
    _count(db, changes, to)


_TERMS = "INSERT INTO {to}.text (rowid, terms) VALUES (?, ?)"


def _count(db: apsw.Connection, changes: Sequence[Change], to: str) -> None:
    """The sizes of each namespace's texts, and for one version in sixteen its terms."""
    sizes: dict[str, list[int]] = {}
    often: Counter[str] = Counter()
    for one in changes:
        text, sampled = one.text, one.text.sampled
        sums = sizes.setdefault(text.namespace, [0] * 5)
        for place, more in enumerate((1, int(sampled), len(text.asked), one.terms.asked, one.terms.said)):
            sums[place] += one.sign * more
        if sampled and one.sign > 0:
            often.update(one.terms.marked)
        elif sampled:
            often.subtract(one.terms.marked)
    db.executemany(
        f"INSERT INTO {to}.corpus VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (namespace) DO UPDATE SET"
        " documents = documents + excluded.documents, sampled = sampled + excluded.sampled,"
        " instructions = instructions + excluded.instructions, asked = asked + excluded.asked,"
        " said = said + excluded.said",
        [(namespace, *sums) for namespace, sums in sizes.items()],
    )
    db.execute(f"DELETE FROM {to}.corpus WHERE documents = 0")
    db.executemany(
        f"INSERT INTO {to}.frequency VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET n = n + excluded.n",
        sorted((term, n) for term, n in often.items() if n),
    )
    fewer = [(term,) for term, n in often.items() if n < 0]
    db.executemany(f"DELETE FROM {to}.frequency WHERE term = ? AND n = 0", fewer)


_VERSIONS = (
    "SELECT v.id, v.digest, k.id, v.namespace, v.alpha_hash, v.name, v.summary, v.source"
    " FROM json_each(?) j CROSS JOIN main.version v ON v.id = j.value CROSS JOIN {to}.skill k ON k.born = v.skill"
)
_TOLD = "SELECT instruction, scenario FROM main.provenance WHERE version = ? ORDER BY id"
Told = tuple[tuple[str, ...], tuple[str, ...]]
"""Instructions and scenarios."""


def _texts(db: apsw.Connection, versions: Sequence[int], to: str, *, told: Told | None = None) -> list[Text]:
    """What versions are found by, in this order; `told` where that is known."""
    rows: Any = db.execute(_VERSIONS.format(to=to), (f"[{','.join(map(str, versions))}]",)).fetchall()
    found = []
    for id, digest, skill, namespace, family, name, summary, source in rows:
        asked, labels = told or _told(db, id)
        found.append(
            Text(
                id=id,
                digest=digest,
                skill=skill,
                namespace=namespace,
                family=family,
                asked=asked,
                labels=labels,
                said=said_by(name, summary, source),
            )
        )
    return found


def _told(db: apsw.Connection, version: int) -> Told:
    """The first instructions and scenarios that a version was written for."""
    asked: dict[str, None] = {}
    labels: dict[str, None] = {}
    for instruction, scenario in db.execute(_TOLD, (version,)):
        if instruction and len(asked) < MOST:
            asked[instruction] = None
        if scenario and len(labels) < MOST:
            labels[scenario] = None
        if len(asked) == len(labels) == MOST:
            break
    return tuple(asked), tuple(labels)


# --- all of it, again -----------------------------------------------------------------------------


def fill(db: apsw.Connection, to: str) -> None:
    """Index every offered version, in a schema whose index is empty and whose state is there."""
    rows: Any = db.execute(f"SELECT version FROM {to}.state WHERE status IN ({_LISTED}) ORDER BY version")
    versions: list[int] = [row[0] for row in rows]
    for first in range(0, len(versions), ROOM):
        texts = _texts(db, versions[first : first + ROOM], to)
        _add(db, texts, to)
        _write(db, [_change(text) for text in texts], to)


def clear(db: apsw.Connection) -> None:
    """Forget all terms."""
    _waiting(db).clear()
    db.execute("INSERT INTO main.text (text) VALUES ('delete-all')")
