"""The search itself: from a query to an offer."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prowess.seeds import draw
from prowess.store.db import Store, read, text
from prowess.store.db.rows import STATISTICS
from prowess.store.record import Relation, Status
from prowess.store.search.abstain import FLOOR, stands_out
from prowess.store.search.candidates import Corpus, corpora, find, named
from prowess.store.search.fuse import foremost, fused
from prowess.store.search.likeness import shared_runs, shared_words
from prowess.store.search.offer import Hit, Offer, Query
from prowess.store.search.pack import Packable, Packed, one_per_family, packed
from prowess.store.search.settings import SearchSettings
from prowess.store.search.vectors import Meaning, Vectors
from prowess.store.search.worth import worth_of
from prowess.store.standing import Entry, Statistics

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

WEIGHTS: Mapping[str, float] = {"asked": 0.5, "letters": 0.5, "said": 1.0, "meaning": 1.0, "scenario": 1.0}
"""How much each channel's vote counts: those that find most on desk's train and dev splits."""

AT_A_TIME = 16
"""New versions that are embedded before one query is answered; `Search.catch_up` does the rest."""

_LOADABLE = frozenset({Status.ACTIVE, Status.PROBATION, Status.SUPERSEDED, Status.DEPRECATED})
"""What may be loaded because an offered version calls it."""

_KIN = (Relation.DUPLICATE_OF, Relation.MERGED_INTO)


class Search:
    """Finds skills in a store. Any number of threads may ask."""

    def __init__(
        self,
        store: Store,
        settings: SearchSettings = SearchSettings(),  # noqa: B008 (frozen)
        *,
        meaning: Meaning | None = None,
    ) -> None:
        self.store, self.settings = store, settings
        self.vectors = Vectors(store.path, meaning) if meaning is not None else None

    def __call__(self, query: Query, problem: Callable[[Entry], str] | None = None) -> Offer:
        """What to show for a request, and what to hold back.

        `problem` says what is wrong with a version, or nothing: what does not work, and what calls it, leaves its place
        to the next best. It is asked outside any transaction, for it may take its time and write.
        """
        ranked, broken = self.ranking(query), set[str]()
        while True:
            good = self._good([hit for hit in ranked if hit.text.digest not in broken])
            with self.store.view():
                hits = self._packed(self.store.db, query, good, broken)
            found = {hit.entry.digest for hit in hits if problem and problem(hit.entry)}
            if not found:
                return _arms(hits, query, self.settings.masked)
            broken |= found

    def ranking(self, query: Query) -> tuple[_Rated, ...]:
        """Every candidate with its score, best first: before families, packing and the threshold."""
        with self.store.view():
            db = self.store.db
            vector = self.vectors.ahead(query.instruction) if self.vectors is not None else None
            spaces = corpora(db, query.namespace)
            found = [hit for corpus in spaces for hit in self._rated(db, query, corpus, vector)]
            return tuple(sorted(found, key=lambda hit: (-round(hit.score, 9), hit.text.id)))

    def catch_up(self) -> None:
        """Embed all that is new and keep the vectors: after an import, or before serving."""
        if self.vectors is not None:
            with self.store.view():
                self.vectors.catch_up(self.store.db)
                self.vectors.save(self.store.db)

    def close(self) -> None:
        """Keep the vectors that were made."""
        if self.vectors is not None:
            with self.store.view():
                self.vectors.save(self.store.db)

    # --- one namespace ----------------------------------------------------------------------------

    def _rated(
        self, db: apsw.Connection, query: Query, corpus: Corpus, vector: Callable[[], NDArray[Any]] | None
    ) -> list[_Rated]:
        settings = self.settings
        space = text.space_of(corpus.namespace)
        words, runs = text.asked_terms(query.instruction), text.run_terms(query.instruction)
        asked = find(db, text.ASKED + space, words, corpus, settings)
        letters = find(db, text.RUNS + space, runs, corpus, settings)
        said = find(db, text.SAID + space, words, corpus, settings)
        same = named(db, text.LABEL + space + text.label_term(query.scenario), settings.candidates)
        near: list[int] = []
        if self.vectors is not None and vector is not None:
            self.vectors.catch_up(db, AT_A_TIME)
            near = list(self.vectors.nearest(vector(), settings.candidates))
        lists = [asked.ids, letters.ids, said.ids, same if query.scenario else [], near]
        ids = foremost(lists, settings.compared)
        texts = [one for one in _texts(db, ids, corpus.namespace) if self._fits(db, query, one)]
        if not texts:
            return []
        a_request = corpus.asked / max(corpus.instructions, 1)
        a_source = corpus.said / max(corpus.documents, 1)
        by_words, by_runs = shared_words(words, asked.rare, a_request), shared_runs(letters.rare)
        by_source = shared_words(words, said.rare, a_source)
        channels: dict[str, list[float]] = {
            "asked": [max((by_words(text.asked_terms(each)) for each in one.asked), default=0.0) for one in texts],
            "letters": [max((by_runs(text.run_terms(each)) for each in one.asked), default=0.0) for one in texts],
            "said": [by_source(text.asked_terms(one.said)) for one in texts],
        }
        bonus = {"scenario": [float(query.scenario in one.labels) for one in texts]} if query.scenario else {}
        if self.vectors is not None and vector is not None:
            cosines = self.vectors.cosines(vector(), [one.id for one in texts])
            channels["meaning"] = [cosines.get(one.id, 0.0) for one in texts]
        likeness = fused(channels, WEIGHTS, bonus)
        counts = _statistics(db, [one.id for one in texts])
        return [
            _Rated(
                text=one,
                likeness=likeness[place],
                score=likeness[place] * self._weight(query, one, counts.get(one.digest)),
                channels={name: seen[place] for name, seen in {**channels, **bonus}.items()},
            )
            for place, one in enumerate(texts)
        ]

    def _fits(self, db: apsw.Connection, query: Query, one: _Found) -> bool:
        if one.status is Status.PROBATION and not self.settings.probation:
            return False
        if query.apis is not None and not query.apis.issuperset(one.apis):
            return False
        if not query.task:
            return True
        own = "SELECT count(*), sum(task <> ?) FROM provenance WHERE version = ?"
        count, others = db.execute(own, (query.task, one.id)).get
        return not count or bool(others)

    def _weight(self, query: Query, one: _Found, counts: Statistics | None) -> float:
        """What the evidence makes of a likeness."""
        belief = worth_of(counts or Statistics(digest=one.digest), self.settings.spread)
        worth = belief.mean
        if one.status is Status.PROBATION:
            worth = belief.drawn(draw(query.seed, "explore", query.episode or query.instruction, one.digest))
        return math.exp(self.settings.strength * worth)

    # --- from a ranking to an offer ---------------------------------------------------------------

    def _good(self, ranked: Sequence[_Rated]) -> list[_Rated]:
        """What is good enough; nothing where it cannot be told from what happens to be there."""
        least = self.settings.least(meaning=self.vectors is not None)
        if least is not None:
            return [hit for hit in ranked if hit.likeness >= least]
        best = sorted(ranked, key=lambda hit: -hit.likeness)
        sure = stands_out([hit.likeness for hit in best], lambda at: text.asked_terms(best[at].text.said).keys())
        return [hit for hit in ranked if hit.likeness >= FLOOR] if sure else []

    def _packed(
        self, db: apsw.Connection, query: Query, ranked: Sequence[_Rated], broken: Collection[str]
    ) -> list[Hit]:
        rated = {hit.text.digest: hit for hit in ranked}
        pieces = (_piece(db, digest, query.apis, kin=_kin(db, hit.text)) for digest, hit in rated.items())
        chosen = packed(
            one_per_family(piece for piece in pieces if piece is not None),
            lambda digest: None if digest in broken else _piece(db, digest, query.apis),
            tokens=self.settings.tokens,
            top=self.settings.top,
        )
        order = list(dict.fromkeys(one.chosen for one in chosen))
        order.sort(key=lambda digest: list(rated).index(digest))
        return [_hit(db, one, rated, order) for one in chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A candidate's texts."""

    id: int
    digest: str
    skill: str
    family: str
    status: Status
    asked: tuple[str, ...]
    labels: tuple[str, ...]
    said: str
    apis: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    text: _Found
    likeness: float
    score: float
    channels: Mapping[str, float]


_TEXTS = """
SELECT d.id, d.digest, d.skill, d.family, s.status, d.asked, d.labels, v.name, v.summary, v.source, v.apis
FROM document d JOIN version v ON v.id = d.id JOIN state s ON s.version = d.id
WHERE d.id IN (SELECT value FROM json_each(?)) AND d.namespace = ?
"""


def _texts(db: apsw.Connection, ids: Iterable[int], namespace: str) -> list[_Found]:
    rows: Any = db.execute(_TEXTS, (json.dumps(list(ids)), namespace))
    return [
        _Found(
            id=id,
            digest=digest,
            skill=skill,
            family=family,
            status=Status(status),
            asked=tuple(json.loads(asked)),
            labels=tuple(json.loads(labels)),
            said=text.said_by(name, summary, source),
            apis=tuple(json.loads(apis)),
        )
        for id, digest, skill, family, status, asked, labels, name, summary, source, apis in rows
    ]


def _statistics(db: apsw.Connection, versions: Sequence[int]) -> dict[str, Statistics]:
    """What is known of some versions, by digest."""
    query = f"SELECT {STATISTICS.columns} FROM statistics WHERE version IN (SELECT value FROM json_each(?))"
    found = [STATISTICS.value(row) for row in db.execute(query, (json.dumps(versions),))]
    return {one.digest: one for one in found}


def _kin(db: apsw.Connection, one: _Found) -> frozenset[str]:
    """Marks of a version's families: its skill, its clones, and what it was found to be the same as."""
    edges = read.edges(db, one.skill)
    others = [mark for edge in edges if edge.relation in _KIN for mark in (edge.skill, edge.other)]
    return frozenset([f"skill {one.skill}", *(f"skill {other}" for other in others)]) | (
        {f"clone {one.family}"} if one.family else frozenset()
    )


def _piece(
    db: apsw.Connection, digest: str, apis: frozenset[str] | None, kin: frozenset[str] = frozenset()
) -> Packable | None:
    row: Any = db.execute(
        "SELECT v.name, v.tokens, v.dependencies, v.apis, s.status FROM version v JOIN state s ON s.version = v.id"
        " WHERE v.digest = ?",
        (digest,),
    ).get
    if row is None:
        return None
    name, tokens, needs, calls, status = row
    return Packable(
        digest=digest,
        name=name,
        tokens=tokens,
        needs=tuple(json.loads(needs)),
        kin=kin,
        usable=Status(status) in _LOADABLE and (apis is None or apis.issuperset(json.loads(calls))),
    )


def _hit(db: apsw.Connection, one: Packed, rated: Mapping[str, _Rated], order: Sequence[str]) -> Hit:
    entry = read.version(db, one.digest)
    rank = order.index(one.chosen)
    if one.digest != one.chosen:
        return Hit(entry=entry, rank=rank, called_by=read.version(db, one.chosen).version.name)
    hit = rated[one.digest]
    return Hit(entry=entry, rank=rank, likeness=hit.likeness, score=hit.score, channels=hit.channels)


def _arms(hits: Sequence[Hit], query: Query, share: float) -> Offer:
    """Hold some back, with what only they need; what another one calls cannot be missing."""
    for_itself = [hit for hit in hits if not hit.called_by]
    needed = Counter(digest for hit in hits for digest in hit.entry.version.dependencies)
    episode = query.episode or query.instruction
    masked = {
        hit.entry.digest
        for hit in for_itself
        if not needed[hit.entry.digest] and draw(query.seed, "mask", episode, hit.entry.digest).random() < share
    }
    kept = {hit.entry.digest: hit for hit in hits if hit.entry.digest not in masked}
    while True:  # what was there for the sake of something held back goes with it
        wanted = {digest for hit in kept.values() for digest in hit.entry.version.dependencies}
        idle = [digest for digest, hit in kept.items() if hit.called_by and digest not in wanted]
        if not idle:
            break
        for digest in idle:
            del kept[digest]
    return Offer(offered=tuple(kept.values()), masked=tuple(hit for hit in for_itself if hit.entry.digest in masked))
