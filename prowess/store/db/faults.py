"""Rows that no store of ours has written: which they are, and what is wrong with each, in words.

Nobody looks for them as long as all goes well: to read every row before each command would be slow. But where something
goes wrong that nobody has foreseen, the rows are looked at, and if one of them is at fault that is what is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import apsw

from prowess.errors import StoreError, words_of
from prowess.store.db.columns import RULES
from prowess.store.db.rows import CHANGED
from prowess.store.life import OFFERED
from prowess.store.record import Kind, Relation, Status


class Faulty(StoreError):
    """A row somewhere in the store that is at fault, and not only in what was asked for as with `Illegible`."""


def fault_behind(db: apsw.Connection, path: Path, error: Exception) -> Faulty | None:
    """What is wrong with the store's rows that may have brought an error about, or nothing."""
    with suppress(apsw.Error):
        for fault in faults(db, 1):
            told = f"{fault} (what came of it: {words_of(error)[:200]!r})"
            return Faulty(f"the skill store {path} holds what prowess does not write: {told}", hint=_MEND)
    return None


_MEND = f"{CHANGED}; `prowess skills rebuild --verify` tells all such rows, and `rebuild` makes derived ones anew"


def faults(db: apsw.Connection, most: int) -> tuple[str, ...]:
    """What is wrong with rows, each with its table, key and column, what stands there and what may."""
    values = (line for table in RULES for line in _misfits(db, table))
    bonds = (line for bond in _BONDS for line in _broken(db, bond))
    return tuple(islice(chain(values, bonds), most)) or tuple(_misnumbered(db, most))


# --- each value by itself -------------------------------------------------------------------------


def _misfits(db: apsw.Connection, table: str) -> Iterator[str]:
    """Values that their column does not allow."""
    rules = tuple(RULES[table].items())
    keys = [place for place, (name, _) in enumerate(rules) if name in _keys(db, table)]
    for row in db.execute(f"SELECT {', '.join(_raw(name) for name, _ in rules)} FROM main.{table}"):
        values = _values(row)
        for value, (name, rule) in zip(values, rules, strict=True):
            if not rule.fits(value):
                key = {rules[place][0]: values[place] for place in keys}
                yield _told(table, key, name, value, rule.allowed)


def _raw(name: str) -> str:
    """A column as it is kept: text as bytes, which need not be UTF-8, and its type beside it."""
    return f'CASE typeof("{name}") WHEN \'text\' THEN CAST("{name}" AS BLOB) ELSE "{name}" END, typeof("{name}")'


def _values(row: Sequence[Any]) -> list[Any]:
    """What such columns hold; text that is not UTF-8 stays bytes."""
    return [_text(value) if kind == "text" else value for value, kind in zip(row[::2], row[1::2], strict=True)]


def _text(kept: Any) -> str | bytes:
    try:
        return str(kept, "utf-8")
    except UnicodeDecodeError:
        return bytes(kept)


def _keys(db: apsw.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in db.execute(f"PRAGMA main.table_info({table})") if row[5]]


def _told(table: str, key: dict[str, Any], name: str, value: Any, allowed: str) -> str:
    row = ", ".join(f"{column} = {one!r:.70}" for column, one in key.items())
    return f"{table} ({row}): {name} is {value!r:.70}; allowed is {allowed}"


# --- what refers to what --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bond:
    """What a column must agree with."""

    table: str
    column: str
    allowed: str
    holds: str
    """The condition in SQL, for the row `t`."""


def _in(table: str, column: str, other: str, key: str, what: str, unless: str = "") -> _Bond:
    """A column that names a row of another table."""
    there = f"EXISTS (SELECT 1 FROM main.{other} o WHERE o.{key} = t.{column})"
    return _Bond(table=table, column=column, allowed=what, holds=f"{unless} OR {there}" if unless else there)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


_STATUSES, _OFFERED = _listed([*Status]), _listed(sorted(OFFERED))
_EDGE = " OR ".join(f"t.{{0}} GLOB '{relation} ?*'" for relation in Relation)
_STEPS = (
    f"CASE t.kind WHEN '{Kind.MOVED}' THEN t.{{0}} IN ({_STATUSES})"
    f" WHEN '{Kind.REVIEWED}' THEN t.{{0}} IN ('', 'approve', 'refuse')"
    f" WHEN '{Kind.LINKED}' THEN t.{{0}} = '' OR ({_EDGE}) ELSE 1 END"
)
_OF_VERSIONS = f"t.kind NOT IN ('{Kind.PROPOSED}', '{Kind.MOVED}', '{Kind.REVIEWED}')"
_A_VERSION, _A_SKILL = "the number of a version", "the number of a skill"
_BONDS = (
    *(
        _in(table, "version", "version", "id", _A_VERSION)
        for table in ("api", "provenance", "trial", "verification", "usage", "statistics", "span")
    ),
    *(_in(table, "skill", "skill", "born", _A_SKILL) for table in ("version", "name", "span")),
    *(_in("edge", column, "skill", "id", "the id of a skill") for column in ("skill", "other")),
    _in("event", "skill", "skill", "id", "the id of a skill, or nothing", "t.skill = ''"),
    _in("event", "digest", "version", "digest", "the digest of a version", _OF_VERSIONS),
    *(
        _Bond(table="event", column=column, allowed="what its kind asks for", holds=_STEPS.format(column))
        for column in ("before", "after")
    ),
    _Bond(
        table="event",
        column="after",
        allowed="a status",
        holds=f"t.kind <> '{Kind.PROPOSED}' OR t.after IN ({_STATUSES})",
    ),
    _Bond(
        table="version",
        column="id",
        allowed="the number of a version whose state has its digest, skill and number",
        holds="EXISTS (SELECT 1 FROM main.state s WHERE s.version = t.id AND s.digest = t.digest AND s.skill = t.skill"
        " AND s.number = t.number)",
    ),
    _in("state", "version", "version", "id", _A_VERSION),
    _Bond(
        table="state",
        column="status",
        allowed="one that is offered where the version is in the text index, and another where it is not",
        holds=f"(t.status IN ({_OFFERED})) = EXISTS (SELECT 1 FROM main.document d WHERE d.id = t.version)",
    ),
    _Bond(
        table="skill",
        column="head",
        allowed="the number of one of its versions",
        holds="EXISTS (SELECT 1 FROM main.state s WHERE s.version = t.head AND s.skill = t.born)",
    ),
    _Bond(
        table="document",
        column="digest",
        allowed="the digest of the version with its number",
        holds="EXISTS (SELECT 1 FROM main.version v WHERE v.id = t.id AND v.digest = t.digest)",
    ),
    *(
        _Bond(
            table="statistics", column=f"{of}_successes", allowed=f"at most {of}", holds=f"t.{of}_successes <= t.{of}"
        )
        for of in ("offered", "masked", "called")
    ),
)


def _broken(db: apsw.Connection, bond: _Bond) -> Iterator[str]:
    """Rows that a bond does not hold for."""
    names = [*_keys(db, bond.table), bond.column]
    query = f"SELECT {', '.join(map(_raw, names))} FROM main.{bond.table} t WHERE NOT ({bond.holds})"
    for row in db.execute(query):
        *key, value = _values(row)
        yield _told(bond.table, dict(zip(names, key, strict=False)), bond.column, value, bond.allowed)


_FIRST = "(SELECT skill, min(id) AS born FROM main.event WHERE kind = 'proposed' GROUP BY skill)"


def _misnumbered(db: apsw.Connection, most: int) -> Iterator[str]:
    """Versions without the number of the event that brought them, and what has the number of another skill."""
    for digest, id in db.execute(
        "SELECT v.digest, v.id FROM main.version v LEFT JOIN main.event e ON e.id = v.id AND e.digest = v.digest"
        f" AND e.kind = 'proposed' LEFT JOIN {_FIRST} f ON f.skill = e.skill WHERE f.born IS NOT v.skill LIMIT {most}"
    ):
        yield f"version: {digest} has the number {id}, or that of its skill, by mistake"
    for event, born, skill in db.execute(
        f"SELECT e.id, e.born, e.skill FROM main.event e LEFT JOIN {_FIRST} f ON f.skill = e.skill"
        f" WHERE coalesce(f.born, 0) <> e.born LIMIT {most}"
    ):
        yield f"event: {event} has the number {born}, which is not that of the skill {skill!r}"
