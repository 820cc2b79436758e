"""Search over a large skill store: how fast, how exact, how big, beside simpler ways to search.

Skills are made of the desk programs, see library_corpus.py. Rows are written in bulk as the store itself would write
them (checked up to 20,000 by `rebuild(verify=True)`); what one more skill costs is measured through the store's own
calls, see library_insert.py. Vectors are synthetic (clusters with noise, 384 numbers): embedding a million texts would
take hours. The request itself is embedded by MiniLM where it is installed, and its time counts; its vector is then
exchanged for the synthetic one.

    python benchmarks/library.py --sizes 10000,100000
    python benchmarks/library.py --sizes 1000000 --folder /big/disk
    python benchmarks/library.py --corpus programs       98 topics only, as before
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np
from library_corpus import Corpus, Made
from library_insert import Spent, inserted
from library_load import load

from prowess.retrieval.embedding import MINILM, embedder, installed
from prowess.store.db import Store, text
from prowess.store.search import Query, SearchSettings
from prowess.store.search.candidates import corpora, find
from prowess.store.search.likeness import shared_words
from prowess.store.search.search import Search
from prowess.store.search.vectors import Meaning
from prowess.text.ngrams import words

# Read when torch is loaded. Threads that wait by turning in circles make MiniLM thirty times slower on a busy machine.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

TEXTS = 200_000
"""Above this size bm25s indexes the requests alone: its index is made in memory, from lists of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One way to search at one size."""

    size: int
    way: str
    spent: Spent
    """Processor time, in which waiting for others is not counted, and time by the clock."""
    recall: float | None = None
    """Of the ten best by exact search: the share of what it names that is at least as good as the tenth."""
    found: float | None = None
    """Requests were made from a skill's own by changing two words: how often that skill is among the first five."""
    megabytes: float | None = None
    """On disk, or in memory for what is only there."""
    note: str = ""


def timed(ask: Callable[[Made], Any], queries: Sequence[Made]) -> tuple[list[Any], Spent]:
    found, spent = [], Spent()
    for query in queries:
        with spent.here():
            found.append(ask(query))
    return found, spent


def recall(found: Sequence[Sequence[int]], exact: Sequence[np.ndarray[Any, Any]], places: dict[int, int]) -> float:
    """Ties count: whoever scores as much as the tenth is one of the ten."""
    shares = []
    for ids, scores in zip(found, exact, strict=True):
        tenth = np.partition(scores, -10)[-10]
        known = [id for id in ids if id in places][:10]  # a store that was kept holds others, too
        shares.append(sum(bool(scores[places[id]] >= tenth - 1e-4) for id in known) / 10)
    return statistics.mean(shares)


def among(found: Sequence[Sequence[int]], queries: Sequence[Made]) -> float:
    """How often the skill that a request was made from is among the first five; by number."""
    return statistics.mean(query.number in ids[:5] for ids, query in zip(found, queries, strict=True))


def exact_words(texts: Sequence[list[str]]) -> tuple[Callable[[str], Any], float]:
    """bm25s over all texts: exact BM25."""
    from bm25s import BM25  # type: ignore[import-untyped]

    index = BM25(k1=1.5, b=0.75, method="lucene")
    index.index(list(texts), show_progress=False)
    known = set(index.vocab_dict)

    def ask(request: str) -> Any:
        return index.get_scores([word for word in words(request) if word in known])

    held = sum(each.nbytes for each in index.scores.values() if isinstance(each, np.ndarray))
    return ask, held / 1e6


def measure(corpus: Corpus, folder: Path, *, asked: int, verify: bool, out: list[Row]) -> None:
    size = corpus.size
    path = folder / f"{corpus.kind}-{size}.db"
    start = time.perf_counter()
    if not path.exists():
        load(path, corpus)
    print(f"{size}: loaded in {time.perf_counter() - start:.0f} s", flush=True)
    warm, queries = corpus.queries(asked + 10)[asked:], corpus.queries(asked)
    store = Store.open(path)
    if verify:
        # Rows in bulk have hashes made up from their names: that is told, and nothing else.
        assert not [line for line in store.rebuild(verify=True) if "as its code reads" not in line]
    vectors = {
        query.instruction: corpus.near(query.topic, 1_000_000_000 + place)
        for place, query in enumerate([*queries, *warm])
    }
    search = Search(store, SearchSettings(masked=0.0), meaning=Meaning(model="synthetic", vector=_vector(vectors)))
    # A store that was kept holds what was inserted last time, too.
    ids = [number[0] for number in store.db.execute("SELECT id FROM document ORDER BY id LIMIT ?", (size,))]
    places = {id: place for place, id in enumerate(ids)}
    matrix = corpus.matrix()
    start = time.perf_counter()
    assert search.vectors is not None
    with store.view():
        _fill(search, np.array(ids, dtype=np.uint64), matrix)
    search.catch_up()  # with what was inserted last time
    print(f"{size}: vectors in {time.perf_counter() - start:.0f} s", flush=True)
    held = search.vectors._index.memory_usage / 1e6
    search.close()
    whole = lambda query: search(Query(instruction=query.instruction, namespace="desk", scenario=query.scenario))  # noqa: E731
    timed(whole, warm)
    disk = sum(file.stat().st_size for file in folder.glob(f"{path.name}*")) / 1e6
    offers, spent = timed(whole, queries)
    names = [[int(hit.entry.version.name.rpartition("_")[2]) for hit in offer.offered] for offer in offers]
    share = among(names, queries)
    out.append(
        Row(size=size, way="prowess, the whole search", spent=spent, found=share, megabytes=disk, note="on disk")
    )
    if installed():
        model = embedder(MINILM, what="the benchmark")
        search.vectors._meaning = Meaning(model="synthetic", vector=_vector(vectors, model.vector))
        timed(whole, warm)
        out.append(Row(size=size, way="prowess, with MiniLM's embedding", spent=timed(whole, queries)[1]))
        alone = timed(lambda query: model._encode(query.instruction, "query"), queries)[1]
        out.append(Row(size=size, way="MiniLM alone", spent=alone))

    scan = [matrix @ vectors[query.instruction] for query in queries]
    near, spent = timed(lambda query: list(search.vectors.nearest(vectors[query.instruction], 60)), queries)  # type: ignore[union-attr]
    share = recall(near, scan, places)
    out.append(Row(size=size, way="prowess, vectors alone", spent=spent, recall=share, megabytes=held))
    _, spent = timed(lambda query: _top(matrix @ vectors[query.instruction]), queries)
    out.append(Row(size=size, way="numpy, vector scan", spent=spent, recall=1.0, megabytes=matrix.nbytes / 1e6))

    whats = [("requests", text.ASKED, [words(one) for one in corpus.instructions()])]
    if size <= TEXTS:
        whats.append(("functions", text.SAID, [words(one) for one in corpus.saids()]))
    for what, channel, texts in whats:
        exact, held = exact_words(texts)
        del texts
        # Alternating: what else the machine does meets both alike.
        ours, theirs, mine, best, scores = Spent(), Spent(), [], [], []
        for query in queries:
            with ours.here():
                mine.append(_channel(store, channel, query.instruction, search.settings))
            with theirs.here():
                scores.append(exact(query.instruction))
                best.append([ids[place] for place in _top(scores[-1])])
        for way, spent, named, room in (
            (f"prowess, words of {what} alone", ours, mine, None),
            (f"bm25s, words of {what}", theirs, best, held),
        ):
            exactly = recall(named, scores, places)
            share = among([[places[id] for id in each if id in places] for each in named], queries)
            out.append(Row(size=size, way=way, spent=spent, recall=exactly, found=share, megabytes=room))
        whats[0][2].clear()
    for way, spent in inserted(store, corpus).items():
        note = f"mean {statistics.mean(spent.cpu):.2f}"
        out.append(Row(size=size, way=f"prowess, {way}", spent=spent, note=note))
    if size <= TEXTS:  # at a million it takes seconds for each request
        naive(size, folder, corpus, queries[:30], out)
    search.store.close()


def naive(size: int, folder: Path, corpus: Corpus, queries: Sequence[Made], out: list[Row]) -> None:
    """SQLite's FTS5 as it comes: every word of the request, any of them."""
    path = folder / f"{size}.fts"
    path.unlink(missing_ok=True)
    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.execute("CREATE VIRTUAL TABLE t USING fts5(asked, said, content = '')")
    start = time.perf_counter()
    with db:
        pairs = zip(corpus.instructions(), corpus.saids(), strict=True)
        db.executemany(
            "INSERT INTO t (rowid, asked, said) VALUES (?, ?, ?)", ((n, *pair) for n, pair in enumerate(pairs))
        )
    each = 1000 * (time.perf_counter() - start) / size
    ask = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
    match = lambda query: " OR ".join(f'"{word}"' for word in set(words(query.instruction)))  # noqa: E731
    rows, spent = timed(lambda query: [row[0] for row in db.execute(ask, (match(query),))], queries)
    way = "SQLite FTS5 alone, any word"
    room = sum(file.stat().st_size for file in folder.glob(f"{size}.fts*")) / 1e6
    note = f"{len(queries)} requests, insert {each:.2f}"
    out.append(Row(size=size, way=way, spent=spent, found=among(rows, queries), megabytes=room, note=note))
    db.close()


def _channel(store: Store, channel: str, request: str, settings: SearchSettings) -> list[int]:
    """One text channel as the search uses it: candidates by rare words, then scored exactly."""
    with store.view():
        db = store.db
        (sizes,) = corpora(db, "desk")
        terms = text.asked_terms(request)
        found = find(db, channel + text.space_of("desk"), terms, sizes, settings)
        rows = db.execute(
            "SELECT d.id, d.asked, v.name, v.summary, v.source FROM document d JOIN version v ON v.id = d.id"
            " WHERE d.id IN (SELECT value FROM json_each(?))",
            (json.dumps(found.ids),),
        )
        asked = channel == text.ASKED
        average = sizes.asked / sizes.instructions if asked else sizes.said / sizes.documents
        alike = shared_words(terms, found.rare, average)
        texts = ((json.loads(row[1])[0] if asked else text.said_by(*row[2:]), row[0]) for row in rows)
        scored = [(alike(text.asked_terms(one)), id) for one, id in texts]
    return [id for _, id in sorted(scored, reverse=True)]


def _top(scores: Any) -> Any:
    best = np.argpartition(scores, -10)[-10:]
    return best[np.argsort(-scores[best])]


def _vector(known: dict[str, Any], first: Callable[[str, Any], Any] | None = None) -> Callable[[str, Any], Any]:
    """The vector that a text is said to have; after a model has worked on it, where one is given."""

    def vector(text: str, side: Any) -> Any:
        if first is not None:
            first(text, side)
        return known.get(text, known[next(iter(known))])

    return vector


def _fill(search: Search, ids: Any, matrix: Any) -> None:
    """Give the index its vectors at once: as `catch_up` would, text by text."""
    vectors: Any = search.vectors
    vectors._open(search.store.db)
    if len(vectors._index) >= len(ids):  # a store that was kept
        return
    whole = np.round(matrix * (127.0 / np.abs(matrix).max(axis=1, keepdims=True))).astype(np.int8)
    vectors._index.add(ids, whole, threads=0)
    vectors._event = int(str(search.store.db.execute("SELECT max(id) FROM event").get))
    vectors._unsaved = len(ids)


def table(rows: Sequence[Row]) -> str:
    lines = [
        "| skills | what | p50 ms | p99 ms | p50 by the clock | p99 by the clock | recall@10 | found | MB | |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        share = "" if row.recall is None else f"{row.recall:.3f}"
        found = "" if row.found is None else f"{row.found:.3f}"
        room = "" if row.megabytes is None else f"{row.megabytes:,.0f}"
        times = [f"{np.percentile(spent, at):.2f}" for spent in (row.spent.cpu, row.spent.wall) for at in (50, 99)]
        lines.append(f"| {row.size:,} | {row.way} | {' | '.join(times)} | {share} | {found} | {room} | {row.note} |")
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--sizes", default="10000,100000")
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--folder", help="where the stores are made, in a folder of their own, removed afterwards")
    options.add_argument("--keep", help="a folder to make the stores in and to leave them in, for another time")
    options.add_argument("--corpus", default="topics", choices=("topics", "programs"), help="see library_corpus.py")
    given = options.parse_args()
    rows: list[Row] = []
    sizes = [int(size) for size in given.sizes.split(",")]
    folder = Path(given.keep or tempfile.mkdtemp(prefix="library-", dir=given.folder))
    folder.mkdir(exist_ok=True)
    try:
        for size in sizes:
            measure(Corpus(size, given.corpus), folder, asked=given.queries, verify=size <= 20_000, out=rows)
            print(table([row for row in rows if row.size == size]), flush=True)
    finally:
        if not given.keep:
            shutil.rmtree(folder)
    print()
    print(table(rows))


if __name__ == "__main__":
    main()
