"""How long the review and the merge take on a large store: until the first item, and until all is found.

The skills are those of library_corpus.py, whose topics are made of 98 programs with most words exchanged. One skill in
a hundred waits for a person. `entries` reads all of them, as export and admission do.

python benchmarks/library_review.py --size 10000
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from library_corpus import Corpus
from library_load import load

from prowess.cli.skills.jobs.queue import queue_of
from prowess.store.db import Store
from prowess.store.record import Status

SHARE = 100
"""One skill in so many waits for a person."""


@contextmanager
def timed(what: str) -> Iterator[None]:
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:44} {cpu:8.2f} s of processor time, {wall:8.2f} s by the clock, {memory:6.0f} MB", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--size", type=int, default=10_000, help="skills in the store")
    options.add_argument("--store", type=Path, help="a store that was made before; made there where it is not")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or Path(folder) / "skills.db"
        if not path.exists():
            load(path, Corpus(given.size))
        path.with_name(f"{path.name}.builds").unlink(missing_ok=True)
        with Store.open(path) as store:
            with store.many():
                marked = f"(SELECT id FROM version WHERE number = 1 AND id % {3 * SHARE} = 1)"
                store.db.execute(f"UPDATE state SET status = '{Status.REVIEW}' WHERE version IN {marked}")
                store.db.execute(f"UPDATE skill SET status = '{Status.REVIEW}' WHERE head IN {marked}")
            with timed("entries, all"):
                count = len(store.entries())
            for when in ("first time", "second time"):
                with timed(f"the first item, {when}"):
                    items = queue_of(store)
                    next(items)
                with timed(f"all items, {when}"):
                    kinds = [item.kind for item in items]
                print(f"  {count} skills, {1 + kinds.count('review')} reviews, {kinds.count('merge')} merges")


if __name__ == "__main__":
    main()
