"""The text index: which words, runs of letters and scenarios the offered versions are found by.

Derived like the rest, and changed in the same transaction: a version is in it exactly while it may be offered. One
FTS5 table holds all terms of a version, each marked with its channel and namespace, so that a lookup finds versions
of the namespace only:

    q<space>word   a word of an instruction it was written for
    r<space>run_   a run of four letters of those
    s<space>word   a word of its name, summary or source
    c<space>label  a scenario it was written in

FTS5 keeps who has a term, no more (`detail=none`, no content): search scores the texts themselves. How many have a term
is counted over every sixteenth version only, which is enough to tell common terms from rare ones and costs next to
nothing; for a rare term the number is the length of its list.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import apsw

from opensage.skills.life import OFFERED
from opensage.skills.words import words

ASKED, RUNS, SAID, LABEL = "q", "r", "s", "c"
"""The channels of terms."""

RUN = 4
"""Letters in a run."""

SAMPLE = 16
"""One version in so many is counted in `frequency`."""

MOST = 8
"""Different instructions, and scenarios, by which one version is found: the first ones."""

LONGEST = 64
"""A word is known by so many characters."""

_LISTED = ", ".join(f"'{status}'" for status in sorted(OFFERED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What one version is found by."""

    id: int
    """The number of the event that brought the version."""
    digest: str
    skill: str
    namespace: str
    family: str
    """Its alpha hash: clones have the same."""
    asked: tuple[str, ...]
    labels: tuple[str, ...]
    said: str

    @property
    def sampled(self) -> bool:
        return hashlib.sha256(str(self.id).encode()).digest()[0] % SAMPLE == 0


@lru_cache(maxsize=64)
def space_of(namespace: str) -> str:
    """The mark of a namespace in a term."""
    return hashlib.sha256(namespace.encode("utf-8", "backslashreplace")).hexdigest()[:6]


def asked_terms(text: str) -> Counter[str]:
    """The words of an instruction as the index knows them, without marks."""
    return Counter(_short(words(text)))


def _short(found: list[str]) -> list[str]:
    return [word[:LONGEST] for word in found] if found and max(map(len, found)) > LONGEST else found


def run_terms(text: str) -> set[str]:
    """The runs of letters of an instruction, likewise; `_` is a space."""
    return _runs(words(text))


def _runs(found: list[str]) -> set[str]:
    line = f"_{'_'.join(found)}_"
    # Shifted copies of the line side by side: quicker than a slice for each place.
    return set(map("".join, zip(*(line[first:] for first in range(RUN)), strict=False)))


def label_term(scenario: str) -> str:
    return hashlib.sha256(scenario.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def said_by(name: str, summary: str, source: str) -> str:
    """What a version says of itself: its name and summary count twice, for they are in the source too."""
    return f"{name} {summary} {source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """All marked terms of a version, and how many words they come from."""

    line: str
    """The terms with blanks between them."""
    asked: int
    said: int

    @property
    def marked(self) -> list[str]:
        return sorted(self.line.split())


def terms_of(text: Text) -> Terms:
    space = space_of(text.namespace)
    said = _short(words(text.said))
    asked: set[str] = set()
    runs: set[str] = set()
    count = 0
    for instruction in text.asked:
        found = words(instruction)
        count += len(found)
        asked.update(_short(found))
        runs |= _runs(found)
    labels = [label_term(label) for label in text.labels]
    lines: list[str] = []
    for channel, terms in ((LABEL, labels), (ASKED, asked), (RUNS, runs), (SAID, set(said))):
        if terms:
            mark = channel + space
            lines.append(mark + f" {mark}".join(terms))
    return Terms(line=" ".join(lines), asked=count, said=len(said))


# --- kept with every change -----------------------------------------------------------------------


Waiting = list[tuple[int, str | None]]
"""What the index has to learn: the id of a version and its terms, or None where it leaves."""

ROOM = 256
"""So many changes wait at most."""


def settle(db: apsw.Connection) -> None:
    """Tell the index what waits, at once: FTS5 begins a new part of its files with each savepoint that ends."""
    waiting = _waiting(db)
    for id, terms in waiting:
        if terms is None:
            db.execute("DELETE FROM main.text WHERE rowid = ?", (id,))
        else:
            db.execute("INSERT INTO main.text (rowid, terms) VALUES (?, ?)", (id, terms))
    waiting.clear()


def _wait(db: apsw.Connection, id: int, terms: str | None) -> None:
    waiting = _waiting(db)
    waiting.append((id, terms))
    if len(waiting) >= ROOM:
        settle(db)


def _waiting(db: apsw.Connection) -> Waiting:
    found: Waiting = db.waiting  # type: ignore[attr-defined]  # every connection of a store is a `Connection`
    return found


def follow(db: apsw.Connection, digest: str, *, was: str, now: str) -> None:
    """After a step in a version's life: into the index, or out of it."""
    if now in OFFERED and was not in OFFERED:
        _add(db, _read(db, digest), "main")
    elif was in OFFERED and now not in OFFERED:
        _remove(db, digest)


def retell(db: apsw.Connection, digest: str, instruction: str, scenario: str) -> None:
    """After a version was written once more, perhaps for another instruction."""
    row: Any = db.execute("SELECT asked, labels FROM document WHERE digest = ?", (digest,)).get
    if row is None:
        return
    if instruction in ("", *json.loads(row[0])) and scenario in ("", *json.loads(row[1])):
        return  # known by both
    text = _read(db, digest)
    if (json.dumps(text.asked), json.dumps(text.labels)) != row:
        _remove(db, digest)
        _add(db, text, "main")


def _add(db: apsw.Connection, text: Text, to: str) -> None:
    terms = terms_of(text)
    if to == "main":
        _wait(db, text.id, terms.line)
    else:
        db.execute(f"INSERT INTO {to}.text (rowid, terms) VALUES (?, ?)", (text.id, terms.line))
    row = (text.id, text.digest, text.skill, text.namespace, text.family, json.dumps(text.asked))
    db.execute(f"INSERT INTO {to}.document VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, json.dumps(text.labels)))
    _count(db, text, terms, 1, to)


def _remove(db: apsw.Connection, digest: str) -> None:
    row: Any = db.execute("SELECT asked, labels, id FROM document WHERE digest = ?", (digest,)).get
    text = _read(db, digest, asked=tuple(json.loads(row[0])), labels=tuple(json.loads(row[1])))
    _wait(db, text.id, None)
    db.execute("DELETE FROM document WHERE id = ?", (text.id,))
    _count(db, text, terms_of(text), -1, "main")


def _count(db: apsw.Connection, text: Text, terms: Terms, sign: int, to: str) -> None:
    """The sizes of the namespace's texts, and for one version in sixteen its terms."""
    sizes = [sign * one for one in (1, int(text.sampled), len(text.asked), terms.asked, terms.said)]
    db.execute(
        f"INSERT INTO {to}.corpus VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (namespace) DO UPDATE SET"
        " documents = documents + excluded.documents, sampled = sampled + excluded.sampled,"
        " instructions = instructions + excluded.instructions, asked = asked + excluded.asked,"
        " said = said + excluded.said",
        (text.namespace, *sizes),
    )
    if sign < 0:
        db.execute(f"DELETE FROM {to}.corpus WHERE documents = 0")
    if text.sampled:
        marked = terms.marked
        db.executemany(
            f"INSERT INTO {to}.frequency VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET n = n + excluded.n",
            ((term, sign) for term in marked),
        )
        if sign < 0:
            db.executemany(f"DELETE FROM {to}.frequency WHERE term = ? AND n = 0", ((term,) for term in marked))


_VERSION = "SELECT skill, namespace, alpha_hash, name, summary, source FROM main.version WHERE digest = ?"
_BROUGHT = "SELECT id FROM main.event WHERE skill = ? AND digest = ? AND kind = 'proposed'"
"""Two short questions: together they would take twice as long."""


def _read(
    db: apsw.Connection, digest: str, asked: tuple[str, ...] | None = None, labels: tuple[str, ...] | None = None
) -> Text:
    skill, namespace, family, name, summary, source = db.execute(_VERSION, (digest,)).get
    id: Any = db.execute(_BROUGHT, (skill, digest)).get
    if asked is None or labels is None:
        asked, labels = _told(db, digest)
    return Text(
        id=id,
        digest=digest,
        skill=skill,
        namespace=namespace,
        family=family,
        asked=asked,
        labels=labels,
        said=said_by(name, summary, source),
    )


def _told(db: apsw.Connection, digest: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first instructions and scenarios that a version was written for."""
    asked: dict[str, None] = {}
    labels: dict[str, None] = {}
    told = "SELECT instruction, scenario FROM main.provenance WHERE digest = ? ORDER BY id"
    for instruction, scenario in db.execute(told, (digest,)):
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
    rows = db.execute(
        f"SELECT s.digest FROM {to}.state s JOIN main.event e"
        " ON e.skill = s.skill AND e.digest = s.digest AND e.kind = 'proposed'"
        f" WHERE s.status IN ({_LISTED}) ORDER BY e.id"
    )
    for digest in [row[0] for row in rows]:
        _add(db, _read(db, digest), to)


def clear(db: apsw.Connection) -> None:
    """Forget all terms."""
    _waiting(db).clear()
    db.execute("INSERT INTO main.text (text) VALUES ('delete-all')")


def differences(db: apsw.Connection, scratch: str, most: int) -> Iterator[str]:
    """Terms whose lists of versions differ from those of the scratch copy, in words."""
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.kept USING fts5vocab(main, text, instance)")
    db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.computed USING fts5vocab({scratch}, text, instance)")
    lists = "SELECT term, group_concat(doc) FROM temp.{} GROUP BY term"
    kept, computed = (iter(db.cursor().execute(lists.format(name))) for name in ("kept", "computed"))
    one: Any = next(kept, None)
    other: Any = next(computed, None)
    while (one is not None or other is not None) and most > 0:
        if one == other:
            one, other = next(kept, None), next(computed, None)
            continue
        term = min(row[0] for row in (one, other) if row is not None)
        here, there = ((row[1] if row is not None and row[0] == term else "nobody") for row in (one, other))
        yield f"text: {term!r} is kept for {here[:80]}, computed for {there[:80]}"
        most -= 1
        one = next(kept, None) if one is not None and one[0] == term else one
        other = next(computed, None) if other is not None and other[0] == term else other
