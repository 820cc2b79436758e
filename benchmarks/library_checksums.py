"""What the checksums of a skill store's pages cost: stores with and without them, in turns, in one process.

python benchmarks/library_checksums.py --skills 1000 --rounds 7
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from library_corpus import Corpus

from prowess.skills.library import Library
from prowess.store.db import Store, pages
from prowess.store.record import Actor, Provenance, Status
from prowess.types import Skill


def written(path: Path, skills: list[Skill]) -> Store:
    """A store that takes skills in and offers them, a hundred in a transaction."""
    store = Store.open(path)
    for first in range(0, len(skills), 100):
        with store.many():
            for skill in skills[first : first + 100]:
                told = Provenance(run="bench", episode=f"bench/{skill.name}", world="desk")
                digest = store.propose(skill, told).digest
                store.review(digest, "approve", who="benchmark")
                store.move(digest, Status.VERIFIED, Status.PROBATION, actor=Actor.PERSON)
    store.close()  # copies the log into the file
    return Store.open(path)


def read(store: Store) -> Library:
    """All code, by a store that has just been opened: no page is in its own memory."""
    return store.library(probation=True)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--skills", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    skills = list(islice(Corpus(2000).skills(0, 2 * given.skills), given.skills))
    spent: dict[tuple[str, bool], list[float]] = defaultdict(list)

    def timed(what: str, summed: bool, do: Callable[[], object]) -> object:
        began = time.process_time()
        found = do()
        spent[what, summed].append(time.process_time() - began)
        return found

    with tempfile.TemporaryDirectory() as folder:
        for turn in range(2 * given.rounds):
            summed, path = bool(turn % 2), Path(folder) / f"{turn}.db"
            with ExitStack() as without:
                if not summed:
                    without.enter_context(patch.object(pages, "begin", lambda db: None))
                    without.enter_context(patch.object(pages, "checked", lambda db: True))
                store = timed("write", summed, lambda path=path: written(path, skills))  # type: ignore[misc]
                assert isinstance(store, Store)
                timed("read", summed, lambda store=store: read(store))  # type: ignore[misc]
                store.close()
    for what in ("write", "read"):
        without_sums, with_sums = spent[what, False], spent[what, True]
        pairs = [b / a for a, b in zip(without_sums, with_sums, strict=True)]
        times = [1000 * statistics.median(one) / given.skills for one in (without_sums, with_sums)]
        print(f"{what}: {times[0]:.3f} and {times[1]:.3f} ms of processor time a skill, without and with checksums;")
        print(f"  ratio {statistics.median(pairs):.3f} in the median, {min(pairs):.2f} to {max(pairs):.2f}")


if __name__ == "__main__":
    main()
