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
from prowess.store.record import Account, Actor, Kind, Status
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

    proposed: int = 0
    admitted: int = 0
    rejected: int = 0
    waiting: int = 0
    """For a person, after this round."""
    promoted: int = 0
    suspended: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """That the care after a round began: what the store tells after this event came of it."""

    first: int
    """Place of the round's first task."""
    event: int
    """The store's last event until then."""


def tell(store: Store, run: str, accounts: Sequence[Account]) -> None:
    """Write accounts to a journal beside the store and take it in.

    The journal is what several processes that work at once need: each writes its own, and whoever comes first takes in
    all of them, exactly once.
    """
    folder = journals(store)
    if accounts:
        with Journal(folder, f"work.{hashlib.sha256(run.encode()).hexdigest()[:12]}") as journal:
            journal.append(*accounts)
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


def journals(store: Store) -> Path:
    """Where workers of this store leave what they have to tell."""
    return store.path.with_name(f"{store.path.name}.journals")


def care(store: Store, context: Context, settings: SkillSettings = USUAL, *, namespace: str, approve: str = "") -> None:
    """Lead candidates through the gates, and move what the evidence speaks for or against."""
    admit_all(store, context, settings.gates, namespace=namespace)
    if approve:
        for entry in unapproved(store, namespace):
            with store.many():
                store.review(entry.digest, "approve", who=approve, why="approved unseen: nothing is real in this world")
                store.move(entry.digest, Status.PROBATION, actor=Actor.PERSON, who=approve)
    curate(store, settings.curate, namespace=namespace, who="work")


def last_event(store: Store) -> int:
    """The number of what happened last, or 0."""
    newest = store.events(newest=True, limit=1)
    return newest[0].id if newest else 0


def came(store: Store, after: int, *, namespace: str) -> Care:
    """What happened to a world's skills after an event, whoever did it: processes that were killed are counted, too."""
    done = Counter[str]()
    for event in store.events(namespace=namespace, after=after):
        if event.kind is Kind.PROPOSED:
            done["proposed"] += 1
        elif event.kind is Kind.MOVED and event.before == Status.CANDIDATE:
            done["rejected" if event.after == Status.REJECTED else "admitted"] += 1
        elif event.kind is Kind.MOVED and event.actor is Actor.CURATOR:
            done["promoted"] += event.after == Status.ACTIVE
            done["suspended"] += event.after == Status.SUSPENDED
    return Care(**done, waiting=len(unapproved(store, namespace)))


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
