"""Between two rounds: what the tasks told is taken in, candidates are admitted, the library is curated."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import StoreError
from prowess.store.curate import curate
from prowess.store.db import Busy, Journal, Store, ingest
from prowess.store.gates.admission import admit_all
from prowess.store.gates.context import Context
from prowess.store.record import Account, Actor, Status
from prowess.store.settings import SkillSettings
from prowess.store.standing import Entry
from prowess.text.plural import counted
from prowess.text.terminal import say

USUAL = SkillSettings()
WAIT = 60.0
"""Seconds that another process may take in journals before we give up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Care:
    """What a round of care came to."""

    admitted: int = 0
    rejected: int = 0
    waiting: int = 0
    """For a person, after this round."""
    promoted: int = 0
    suspended: int = 0


def tell(store: Store, run: str, accounts: Sequence[Account]) -> int:
    """Write accounts to a journal beside the store and take it in; how many versions that made.

    The journal is what several processes that work at once need: each writes its own, and whoever comes first takes in
    all of them, exactly once.
    """
    folder = journals(store)
    if accounts:
        with Journal(folder, f"work.{hashlib.sha256(run.encode()).hexdigest()[:12]}") as journal:
            journal.append(*accounts)
    before = _versions(store)
    deadline = time.monotonic() + WAIT
    while folder.exists():
        try:
            if (done := ingest(store, folder)).refused:
                first = done.why.partition("\n")[0][:300]
                say(f"warning: the store refused {counted(done.refused, 'record')} of {folder}, the first: {first}")
            if done.torn:
                torn = ", ".join(done.torn)[:300]
                say(f"warning: {torn} in {folder} cannot be read to the end; `prowess skills ingest` says more")
            break
        except Busy:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
    return _versions(store) - before


def journals(store: Store) -> Path:
    """Where workers of this store leave what they have to tell."""
    return store.path.with_name(f"{store.path.name}.journals")


def care(store: Store, context: Context, settings: SkillSettings = USUAL, *, namespace: str, approve: str = "") -> Care:
    """Lead candidates through the gates, and move what the evidence speaks for or against."""
    admissions = [one.status for one in admit_all(store, context, settings.gates, namespace=namespace) if one.new]
    waiting = unapproved(store, namespace)
    if approve:
        for entry in waiting:
            with store.many():
                store.review(entry.digest, "approve", who=approve, why="approved unseen: nothing is real in this world")
                store.move(entry.digest, Status.PROBATION, actor=Actor.PERSON, who=approve)
    moved = [done.step.to for done in curate(store, settings.curate, namespace=namespace, who="work") if done.event]
    return Care(
        admitted=len(admissions) - admissions.count(Status.REJECTED),
        rejected=admissions.count(Status.REJECTED),
        waiting=0 if approve else len(waiting),
        promoted=moved.count(Status.ACTIVE),
        suspended=moved.count(Status.SUSPENDED),
    )


def unapproved(store: Store, namespace: str) -> list[Entry]:
    """What waits for a person's word."""
    entries = store.entries(statuses=[Status.REVIEW], namespace=namespace, heads=False)
    return [entry for entry in entries if not entry.approved]


def standing(store: Store) -> dict[str, float]:
    """How many skills stand where."""
    counts = Counter(entry.status for entry in store.entries())
    return {f"library/{status}": counts[status] for status in Status if counts[status]}


@contextmanager
def holding(store: Store, root: str, holder: str) -> Iterator[None]:
    """Nothing of this snapshot is retired while it is played with. A pin that a killed process left is taken over."""
    with suppress(StoreError):
        store.pin(root, holder, actor=Actor.STORE, why="played with")
    try:
        yield
    finally:
        with suppress(StoreError):
            store.unpin(root, holder, actor=Actor.STORE)


def _versions(store: Store) -> int:
    return int(str(store.db.execute("SELECT count(*) FROM version").get))
