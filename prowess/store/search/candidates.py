"""Who may be alike: lookups in the store's text index, the rarest terms first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from prowess.store.db.text import SAMPLE
from prowess.store.search.likeness import rarity
from prowess.store.search.settings import SearchSettings

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

TOGETHER = 3
"""So many common words are looked up beside the rarest one, where that is common, too."""

UNSEEN = SAMPLE / 2
"""About how many skills have a word that is in none of the sample, where it is not looked up."""

FEW = 10_000
"""Among so few skills every word is looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The sizes of a namespace's texts."""

    namespace: str
    documents: int
    sampled: int
    instructions: int
    asked: int
    said: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelHits:
    """What one channel names, best first, and how rare each word of the request is."""

    ids: list[int] = field(default_factory=list)
    rare: Mapping[str, float] = field(default_factory=dict)


def corpora(db: apsw.Connection, namespace: str | None) -> list[Corpus]:
    """The namespaces to look in."""
    rows: Any = db.execute("SELECT * FROM corpus WHERE ?1 IS NULL OR namespace = ?1 ORDER BY namespace", (namespace,))
    return [
        Corpus(namespace=name, documents=documents, sampled=sampled, instructions=count, asked=asked, said=said)
        for name, documents, sampled, count, asked, said in rows
    ]


def named(db: apsw.Connection, term: str, most: int) -> list[int]:
    """The newest versions that have a term."""
    return [int(id) for id in _having(db, _quoted(term), most)]


def find(db: apsw.Connection, mark: str, terms: Iterable[str], corpus: Corpus, settings: SearchSettings) -> ChannelHits:
    """The versions that have the rarest of the terms, those that have more of them first.

    Whole lists are read, the shortest first, as many as `postings` allows: a list is read and added up ten times as
    fast as it is compared with another one by the index.
    """
    marked = {mark + term: term for term in terms}
    usual = _estimates(db, marked, corpus)
    order = sorted(marked, key=lambda term: (usual.get(term, 0.0), term))
    left = settings.postings
    lists: list[tuple[NDArray[np.int64], float]] = []
    having: dict[str, float] = {}
    # Among few skills every term is looked up, for what a sample says of so few is little.
    for term in order[: settings.terms if corpus.documents > FEW else None]:
        if lists and usual.get(term, 0.0) > left:
            break
        ids = _having(db, _quoted(term), left + 1)
        having[term] = len(ids) if len(ids) <= left else usual.get(term, left)
        if len(ids):
            lists.append((ids, rarity(corpus.documents, having[term])))
        left -= len(ids)
        if left <= 0:
            break
    if left <= 0 and len(lists) == 1:  # even the rarest is common: those of the newest that have others, too
        for term in order[1 : TOGETHER + 1]:
            more = _having(db, _quoted(term), settings.postings)
            lists.append((more, rarity(corpus.documents, usual.get(term, len(more)))))
    having |= {term: usual.get(term, UNSEEN) for term in order if term not in having}
    rare = {marked[term]: rarity(corpus.documents, count) for term, count in having.items()}
    return ChannelHits(ids=_best(lists, settings.candidates), rare=rare)


def _estimates(db: apsw.Connection, marked: Iterable[str], corpus: Corpus) -> dict[str, float]:
    """About how many versions have each term, from the sample."""
    rows: Any = db.execute(
        "SELECT term, n FROM frequency WHERE term IN (SELECT value FROM json_each(?))", (json.dumps(list(marked)),)
    )
    return {term: n * corpus.documents / corpus.sampled for term, n in rows}


def _having(db: apsw.Connection, match: str, most: int) -> NDArray[np.int64]:
    """Ids of at most so many versions that match, the newest first."""
    # As one text: ten times quicker than row by row.
    found = db.execute(
        "SELECT group_concat(rowid) FROM (SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC LIMIT ?)",
        (match, most),
    ).get
    return np.fromstring(str(found), dtype=np.int64, sep=",") if found else np.empty(0, dtype=np.int64)


def _best(lists: list[tuple[NDArray[np.int64], float]], most: int) -> list[int]:
    """The ids with the greatest sums of weights; of equal ones the newest."""
    if not lists:
        return []
    every = np.concatenate([ids for ids, _ in lists])
    weights = np.repeat([weight for _, weight in lists], [len(ids) for ids, _ in lists])
    ids, place = np.unique(every, return_inverse=True)
    sums = np.bincount(place, weights, minlength=len(ids)).round(6)
    if len(ids) > most:
        edge = np.partition(sums, -most)[-most]
        kept = np.flatnonzero(sums >= edge)
        ids, sums = ids[kept], sums[kept]
    order = np.lexsort((-ids, -sums))[:most]
    return [int(id) for id in ids[order]]


def _quoted(term: str) -> str:
    return f'"{term}"'
