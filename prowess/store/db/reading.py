"""What a store can be asked: each method is one consistent view."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

import apsw

from prowess.errors import NotThere
from prowess.skills.library import Library
from prowess.store.db import filled, read, snapshot
from prowess.store.db import uses as used
from prowess.store.db.connection import Connections
from prowess.store.db.rows import PROVENANCE, SNAPSHOT, TRIAL, USAGE, VERIFICATION
from prowess.store.record import Provenance, Status, Trial, Usage, Verification
from prowess.store.standing import Difference, Edge, Entry, Outline, Snapshot, Statistics

P = ParamSpec("P")
R = TypeVar("R")


def _asked(question: Callable[Concatenate[apsw.Connection, P], R]) -> Callable[Concatenate[Reading, P], R]:
    """A question to a connection as a method. For those with many options, which are then named in one place."""

    @wraps(question)
    def ask(self: Reading, /, *args: P.args, **which: P.kwargs) -> R:
        with self._connections.reading() as db:
            return question(db, *args, **which)

    return ask


class Reading:
    """A store for reading."""

    __slots__ = ("_connections",)

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @contextmanager
    def view(self) -> Iterator[Self]:
        """All questions inside see one state of the store, whatever others write meanwhile."""
        with self._connections.reading(whole=True):
            yield self

    def skill(self, id: str) -> Entry:
        """A skill with its head."""
        with self._connections.reading() as db:
            return read.entry(db, id)

    def version(self, digest: str) -> Entry:
        """A skill with the version of this digest."""
        with self._connections.reading() as db:
            return read.version(db, digest)

    def versions(self, id: str) -> tuple[Entry, ...]:
        """All versions of a skill, oldest first."""
        with self._connections.reading() as db:
            return tuple(read.versions(db, id))

    def resolve(self, text: str, namespace: str | None = None) -> Entry:
        """The skill that a person means: by id, name, old name, `namespace:name` or the beginning of a digest."""
        with self._connections.reading() as db:
            return read.resolve(db, text, namespace)

    def unknown_digest(self, text: str) -> NotThere:
        """An error for a digest that is not there, with those that are most like it."""
        with self._connections.reading() as db:
            return read.unknown_digest(db, text)

    entries = _asked(read.entries)

    def heads(self, *, statuses: Collection[Status], namespace: str | None = None) -> tuple[str, ...]:
        """The digests of heads of these statuses, in order of their birth."""
        with self._connections.reading() as db:
            return tuple(read.heads(db, statuses=statuses, namespace=namespace))

    def entries_of(self, digests: Sequence[str]) -> tuple[Entry, ...]:
        """Skills with the versions of these digests, in this order; what is not there is left out."""
        with self._connections.reading() as db:
            return read.entries_of(db, digests)

    def sources(self, digests: Sequence[str]) -> Mapping[str, str]:
        """The code of versions, by their digests."""
        with self._connections.reading() as db:
            return dict(read.sources(db, digests))

    def statuses(self, digests: Collection[str]) -> Mapping[str, Status]:
        """Where versions stand now, by their digests."""
        with self._connections.reading() as db:
            return read.statuses(db, digests)

    def outlines(self, *, statuses: Collection[Status], namespace: str | None = None) -> tuple[Outline, ...]:
        """Heads of these statuses whose code can be read, in order of their birth, told in a line."""
        with self._connections.reading() as db:
            return tuple(read.outlines(db, statuses=statuses, namespace=namespace))

    def filled(self) -> Mapping[str, str]:
        """The settings of the worlds that filled the store, as TOML, by their namespaces."""
        with self._connections.reading() as db:
            return filled.noted(db)

    def namespaces(self) -> tuple[str, ...]:
        """The worlds and apps that there are skills of."""
        with self._connections.reading() as db:
            return tuple(read.namespaces(db))

    def library(self, root: str = "", *, namespace: str | None = None, probation: bool = False) -> Library:
        """What an agent may be offered: active heads, and those on probation if asked for; now, or in a snapshot."""
        statuses = [Status.ACTIVE, Status.PROBATION] if probation else [Status.ACTIVE]
        with self._connections.reading() as db:
            return snapshot.library(db, root=root, namespace=namespace, statuses=statuses)

    def statistics(self, digest: str) -> Statistics:
        with self._connections.reading() as db:
            return read.statistics(db, digest)

    events = _asked(read.events)

    def provenances(self, digest: str) -> tuple[Provenance, ...]:
        with self._connections.reading() as db:
            return tuple(read.told(db, PROVENANCE, digest))

    def trials(self, digest: str) -> tuple[Trial, ...]:
        with self._connections.reading() as db:
            return tuple(read.told(db, TRIAL, digest))

    def verifications(self, digest: str) -> tuple[Verification, ...]:
        with self._connections.reading() as db:
            return tuple(read.told(db, VERIFICATION, digest))

    def usages(self, digest: str) -> tuple[Usage, ...]:
        with self._connections.reading() as db:
            return tuple(read.told(db, USAGE, digest))

    uses = _asked(used.uses)

    costs = _asked(used.costs)

    def edges(self, skill: str) -> tuple[Edge, ...]:
        """A skill's relations, from it and to it."""
        with self._connections.reading() as db:
            return tuple(read.edges(db, skill))

    def clones(self, digest: str) -> tuple[str, ...]:
        """Digests of versions that differ from this one in formatting or in names of their own only."""
        with self._connections.reading() as db:
            return tuple(read.clones(db, read.version(db, digest).version))

    def calling(self, api: str) -> Mapping[str, str]:
        """Versions that call an API: from digest to the fingerprint of the API's schema when it was proposed."""
        with self._connections.reading() as db:
            return dict(read.calling(db, api))

    def snapshots(self) -> tuple[Snapshot, ...]:
        """Every snapshot, oldest first."""
        with self._connections.reading() as db:
            rows = db.execute(f"SELECT {SNAPSHOT.columns} FROM snapshot ORDER BY event, root")
            return tuple(SNAPSHOT.value(row) for row in rows)

    def snapshots_at(self, root: str) -> tuple[Snapshot, ...]:
        """Those whose roots begin so, oldest first; a shorter beginning than a digest's is none."""
        with self._connections.reading() as db:
            return tuple(snapshot.beginning(db, root))

    def diff(self, a: str, b: str = "") -> Difference:
        """What is different in snapshot `b`, or now."""
        with self._connections.reading() as db:
            return snapshot.diff(db, a, b)
