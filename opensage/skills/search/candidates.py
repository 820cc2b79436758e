"""Who may be alike: lookups in the store's text index, the rarest terms first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from opensage.skills.search.likeness import rarity
from opensage.skills.search.settings import SearchSettings
from opensage.skills.store.text import SAMPLE

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

TOGETHER = 3
"""So many of the rarest common words are looked up in pairs."""

BESIDE = 4
"""So many common words are looked up among those that have a rare one."""

UNSEEN = SAMPLE / 2
"""About how many skills have a word that is in none of the sample, where it is not looked up."""

FEW = 1000
"""A word that so few skills have is looked up, whatever its share."""


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
class Found:
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


def find(
    db: apsw.Connection,
    mark: str,
    terms: Iterable[str],
    corpus: Corpus,
    settings: SearchSettings,
    beside: int = BESIDE,
) -> Found:
    """The versions that have the rarest of the terms, those that have more of them first.

    `beside` is how many common terms are looked up beside these; runs of letters need none.
    """
    marked = {mark + term: term for term in terms}
    usual = _estimates(db, marked, corpus)
    order = sorted(marked, key=lambda term: (usual.get(term, 0.0), term))
    cutoff = max(settings.common * corpus.documents, FEW)
    left = settings.postings
    lists: list[tuple[NDArray[np.int64], float]] = []
    having: dict[str, float] = {}
    # Among few skills every term is looked up, for what a sample says of so few is little.
    for term in order[: settings.terms if corpus.documents > 10 * FEW else None]:
        expected = usual.get(term, 0.0)
        if expected > cutoff or (lists and expected > left):
            break
        ids = _having(db, _quoted(term), left + 1)
        having[term] = len(ids)
        if len(ids):
            lists.append((ids, rarity(corpus.documents, len(ids))))
        left -= len(ids)
        if left <= 0:
            break
    rest = [term for term in order if term not in having]
    having |= {term: usual.get(term, UNSEEN) for term in rest}
    listed = sum(len(ids) for ids, _ in lists)
    more = _pairs(db, rest[:TOGETHER], having, corpus, settings, scarce=not listed) if beside or not listed else []
    if listed and beside:
        found = [term for term, count in having.items() if term not in rest and count]
        more += _beside(db, found, rest[: min(beside, 2 * settings.postings // listed)], having, corpus, settings)
    lists += more
    rare = {marked[term]: rarity(corpus.documents, count) for term, count in having.items()}
    return Found(ids=_best(lists, settings.candidates), rare=rare)


def _beside(
    db: apsw.Connection,
    rare: list[str],
    common: list[str],
    having: Mapping[str, float],
    corpus: Corpus,
    settings: SearchSettings,
) -> list[tuple[NDArray[np.int64], float]]:
    """Which of those with a rare word have each common one, too: seeking them in a long list is quick."""
    any_rare = " OR ".join(map(_quoted, rare))
    return [
        (_having(db, f"({any_rare}) AND {_quoted(term)}", settings.postings), rarity(corpus.documents, having[term]))
        for term in common
    ]


def _pairs(
    db: apsw.Connection,
    terms: list[str],
    having: Mapping[str, float],
    corpus: Corpus,
    settings: SearchSettings,
    scarce: bool,
) -> list[tuple[NDArray[np.int64], float]]:
    """The newest that have two of the rarest common words: what a request is about, beside its odd words.

    Each pair gives half of what its words are worth, so that all three words together give all.
    """
    most = settings.postings // 10
    weights = {term: rarity(corpus.documents, having[term]) for term in terms}
    lists = [
        (_having(db, f"{_quoted(one)} AND {_quoted(other)}", most), (weights[one] + weights[other]) / 2)
        for one, other in combinations(terms, 2)
    ]
    if scarce and not any(len(ids) for ids, _ in lists):
        lists += [(_having(db, _quoted(term), most), weights[term]) for term in terms]
    return lists


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
