"""What one more skill costs the store: one alone, many in one transaction, many through a journal.

python benchmarks/library_insert.py --size 10000
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from library_corpus import Corpus
from library_load import load

from prowess.store.canon import address_of
from prowess.store.db import Journal, Store, ingest
from prowess.store.record import Account, Actor, Effect, Provenance, Status
from prowess.store.search import Query, SearchSettings
from prowess.store.search.search import Search
from prowess.types import Skill

BATCH = 500
"""Skills in one transaction: as many as records are taken in at once from a journal."""


TIMES = 5
"""Batches each way: now and then one pays for what others left to do (FTS5's merging, the write-ahead log)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Milliseconds, one number for each time."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    @contextmanager
    def here(self, of: int = 1) -> Iterator[None]:
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        self.cpu.append(1000 * (time.process_time() - cpu) / of)
        self.wall.append(1000 * (time.perf_counter() - wall) / of)


def inserted(store: Store, corpus: Corpus, count: int = 300) -> dict[str, Spent]:
    """What each way spent for a skill: from its code to where a search finds it.

    Alone: proposed, on disk; then admitted and indexed, on disk. In batches: both for all of them, one transaction
    each. From a journal: taken in, then admitted and indexed likewise; what the worker does when it writes the journal
    (reading the code, too) is told apart. What takes something irreversible is approved first, which is not counted.
    """
    more = _fresh(store, corpus)
    alone, proposed, batched, told, written, whole = (Spent() for _ in range(6))
    for skill in islice(more, count):
        with proposed.here():
            digest = store.propose(skill, _from(skill)).digest
        _approve(store, [digest])
        with alone.here():
            _admit(store, [digest])
        alone.cpu[-1] += proposed.cpu[-1]
        alone.wall[-1] += proposed.wall[-1]
    for _ in range(TIMES):
        skills = list(islice(more, BATCH))
        with batched.here(of=BATCH), store.many():
            digests = [store.propose(skill, _from(skill)).digest for skill in skills]
        waiting = Spent()
        _approve(store, digests)
        with waiting.here(of=BATCH):
            _admit(store, digests)
        batched.cpu[-1] += waiting.cpu[-1]
        batched.wall[-1] += waiting.wall[-1]
    _findable(store, digests[-1], skills[-1])
    with tempfile.TemporaryDirectory(dir=store.path.parent) as folder:
        for _ in range(TIMES):
            accounts = [_account(skill) for skill in islice(more, BATCH)]
            with Journal(folder, "worker") as journal, written.here(of=BATCH):
                journal.append(*accounts)
            with told.here(of=BATCH):
                assert ingest(store, Path(folder)).refused == 0
            digests = [address_of(one.learned[0], namespace="desk") for one in accounts]
            _approve(store, digests)
            with whole.here(of=BATCH):
                _admit(store, digests)
            whole.cpu[-1] += told.cpu[-1]
            whole.wall[-1] += told.wall[-1]
    return {
        "insert a skill, one alone": alone,
        "its first half, to propose it": proposed,
        f"insert {BATCH} skills, each": batched,
        f"insert {BATCH} skills from a journal, each": whole,
        "its first half, to take the proposal in": told,
        "before it, by the worker: to write the journal": written,
    }


def _fresh(store: Store, corpus: Corpus) -> Iterator[Skill]:
    """Skills that the store does not have."""
    held = int(str(store.db.execute("SELECT count(*) FROM version").get))
    batch = held - corpus.size
    while True:
        yield from corpus.skills(batch, 1)
        batch += 1


def _from(skill: Skill) -> Provenance:
    return Provenance(run="more", episode=f"more/{skill.origin.task}", world="desk")


def _account(skill: Skill) -> Account:
    return Account(namespace="desk", provenance=_from(skill), learned=(skill,))


def _approve(store: Store, digests: Sequence[str]) -> None:
    with store.many():
        for digest in digests:
            if store.version(digest).version.effect is Effect.IRREVERSIBLE:
                store.review(digest, "approve", who="benchmark")


def _admit(store: Store, digests: Sequence[str]) -> None:
    with store.many(apart=False):
        for digest in digests:
            store.move(digest, Status.VERIFIED, Status.PROBATION, actor=Actor.PERSON)


def _findable(store: Store, digest: str, skill: Skill) -> None:
    ranked = Search(store, SearchSettings()).ranking(Query(instruction=skill.origin.instruction, namespace="desk"))
    assert digest in [hit.text.digest for hit in ranked], "what was inserted is found"


def main() -> None:
    options = argparse.ArgumentParser(
        description="What one more skill costs the store; processor time, and by the clock."
    )
    options.add_argument("--size", type=int, default=10_000, help="skills that are there before")
    options.add_argument("--alone", type=int, default=300, help="skills inserted one by one")
    given = options.parse_args()
    corpus = Corpus(given.size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "skills.db"
        load(path, corpus)
        with Store.open(path) as store:
            for way, spent in inserted(store, corpus, given.alone).items():
                cpu, mean, wall = (
                    statistics.median(spent.cpu),
                    statistics.mean(spent.cpu),
                    statistics.median(spent.wall),
                )
                print(f"{way:48} p50 {cpu:5.2f} ms, mean {mean:5.2f}, p50 by the clock {wall:5.2f}")


if __name__ == "__main__":
    main()
