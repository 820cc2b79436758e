"""Work on a stream of tasks with a skill store, and what the store came to."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from killing import Commands

from prowess.commands.work.exposure import Exposure
from prowess.commands.work.ledger import Ledger
from prowess.run import Run
from prowess.store.db import Store

WORK = (
    *("work", "worker", "--out", "OUT", "--workers", "2", "--set", "suite.desk.part=starter"),
    *("--set", "work.tasks=12", "--set", "work.every=3", "--set", "skills.curate.calls=1", "--set", "work.mask=0.2"),
)


def counts(path: Path) -> dict[str, tuple[str, int, int, int, int]]:
    """The skills of a store by digest: status, and in how many episodes they were offered, held back and called."""
    found = {}
    with Store.open(path, create=False) as store:
        for entry in store.entries(heads=False):
            known = store.statistics(entry.digest)
            found[entry.digest] = (entry.status, known.offered, known.masked, known.called, known.called_successes)
    return found


def played(folder: Path) -> Counter[str]:
    """What the episodes of a run of work say that they told the store."""
    run, held = Run.open(folder), {one.place: one for one in Ledger(folder / "exposures.jsonl", Exposure)}
    found: Counter[str] = Counter()
    for place, one in enumerate(run.episodes()):
        episode = one.episode
        found["offered"] += len(episode.offered)
        found["masked"] += len([name for name in held[place].masked if name not in episode.offered])
        found["called"] += len({use.name for use in episode.called})
    return found


def sound(prowess: Commands, store: str) -> None:
    prowess("skills", "rebuild", "--verify", "--store", store)
    with Store.open(prowess.place / store, create=False) as opened:
        assert opened.db.execute("PRAGMA integrity_check").get == "ok"
        assert opened.db.execute("SELECT count(*) FROM pin").get == 0
