"""The store as its users see it: each method here is one transaction; what it can be asked is in `reading`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import apsw

from prowess.errors import StoreError
from prowess.store.canon import Address, version_at
from prowess.store.db import change, check, copying, derive, filled, read, snapshot, undo, write
from prowess.store.db.account import trials_of
from prowess.store.db.connection import Connections
from prowess.store.db.faults import fault_behind
from prowess.store.db.reading import Reading
from prowess.store.record import (
    Account,
    Actor,
    Effect,
    Event,
    Provenance,
    Relation,
    Status,
    Trial,
    Usage,
    Verification,
    Version,
)
from prowess.store.standing import Proposal, Snapshot
from prowess.text.terminal import Watch, unseen
from prowess.types import Skill


class Store(Reading):
    """One file of skills, for any number of threads and processes at once."""

    __slots__ = ("_clock", "path")

    def __init__(self, connections: Connections, clock: Callable[[], float]) -> None:
        super().__init__(connections)
        self.path = connections.path
        self._clock = clock

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        clock: Callable[[], float] = time.time,
        create: bool = True,
        wait: float = 30.0,
    ) -> Store:
        """Open a store, or begin one. `clock` gives seconds since 1970; a writer waits `wait` seconds for others."""
        return cls(Connections(Path(path), create=create, wait=wait), clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def many(self, *, apart: bool = True) -> Iterator[Store]:
        """All calls inside are one transaction of this thread: all of them happen, on leaving, or none.

        A call that fails leaves nothing behind, and the others may go on; not so where they are not `apart`, which is
        quicker: then all of them fail with the first, even if its error is caught inside.
        """
        with self._connections.writing(apart=apart):
            yield self

    @property
    def db(self) -> apsw.Connection:
        """This thread's connection, for what is built on the store; write to it inside `many()` only."""
        return self._connections.here()

    # --- what comes in ----------------------------------------------------------------------------

    def propose(
        self,
        skill: Skill,
        provenance: Provenance,
        *,
        namespace: str | None = None,
        dependencies: Collection[str] = (),
        parents: Collection[str] = (),
        fingerprints: Mapping[str, str] | None = None,
        effects: Mapping[str, Effect] | None = None,
        of: str = "",
        actor: Actor = Actor.STORE,
        who: str = "",
        why: str = "",
    ) -> Proposal:
        """Put a skill in as a candidate. Code that is there is more evidence for it, not another version.

        The namespace is the provenance's world unless said. A name that a skill of the namespace has, or had, makes
        this its next version; `of` names the skill where the function got a new name.
        """
        space = provenance.world if namespace is None else namespace
        address = Address.of(skill, namespace=space, dependencies=dependencies)
        with self._connections.telling():
            here = self._connections.here()
            inside, there = here.in_transaction, write.known(here, address.digest)
        version = None
        if there is None:  # made before the lock is taken
            version = version_at(address, skill, parents=parents, fingerprints=fingerprints, effects=effects)
        with self._connections.writing() as db:
            hand = self._hand(actor, who, why)
            # Perhaps somebody else's, meanwhile; inside a transaction of one's own it cannot be.
            found = there if there or inside else write.known(db, address.digest)
            if found is None:
                assert version is not None
                found = write.add_version(db, hand, version, of=of)
            write.add_provenance(db, hand.at, found, write.settled(provenance, skill.origin))
        return found

    def add(self, version: Version, provenance: Provenance, *, of: str = "", actor: Actor = Actor.STORE) -> Proposal:
        """Propose a version that `canon.version_of` has made before, in a process of its own or for an import."""
        with self._connections.writing() as db:
            hand = self._hand(actor, "", "")
            found = write.known(db, version.digest) or write.add_version(db, hand, version, of=of)
            write.add_provenance(db, hand.at, found, provenance)
        return found

    def take(self, account: Account, versions: Sequence[Version | None] = ()) -> tuple[Proposal, ...]:
        """Propose what an episode learned, and count what it was offered, by its account (`account_of`).
        Taken twice, it counts once.

        `versions`: what is known already of what it learned, see `ahead`; read here where it is not.
        """
        with self._connections.writing() as db:
            hand = self._hand(Actor.STORE, "", "")
            names = [*account.offered, *account.masked]
            told = {name: account.digests[name] for name in names if name in account.digests}
            if account.root and names and not snapshot.there(db, account.root):
                # The store was put back from a copy since: which versions names stood for is known where it is told.
                digest_of = {name: digest for name, digest in told.items() if write.known(db, digest)}
            elif account.root and names:
                digest_of = snapshot.digests(db, account.root, account.namespace, names) | told
            else:
                found = {name: read.head_named(db, name, account.namespace) for name in names}
                digest_of = {name: digest for name, digest in found.items() if digest} | told
            # Counted before it is proposed: an episode never played with what it learned.
            write.add_usages(db, hand.at, write.usages_of(account, digest_of))
            proposals = tuple(
                write.add_learned(db, hand, account, skill, version)
                for skill, version in zip_longest(account.learned, versions)
            )
            learned = {skill.name: one.digest for skill, one in zip(account.learned, proposals, strict=True)}
            write.add_trials(db, hand.at, trials_of(db, account, {**digest_of, **learned}))
            return proposals

    def use(self, usages: Iterable[Usage]) -> int:
        """Count uses of versions; how many were new."""
        with self._connections.writing() as db:
            return write.add_usages(db, self.now(), usages)

    def verify(self, *verifications: Verification) -> int:
        """Note what checks said."""
        with self._connections.writing() as db:
            return write.add_verifications(db, self.now(), verifications)

    def test(self, *trials: Trial) -> int:
        """Keep tests of versions; how many were new."""
        with self._connections.writing() as db:
            return write.add_trials(db, self.now(), trials)

    def fill(self, namespace: str, suite: str) -> None:
        """Note with which settings, as TOML, a world fills the store; the last ones hold."""
        if self.filled().get(namespace) != suite:
            with self._connections.writing() as db:
                filled.note(db, namespace, suite)

    # --- what changes -----------------------------------------------------------------------------

    def move(self, digest: str, *to: Status, actor: Actor, who: str = "", why: str = "") -> Event:
        """Move a version on in its life, by the rules of `skills.life`; several steps at once cost less. The last."""
        with self._connections.writing() as db:
            return change.move(db, self._hand(actor, who, why), digest, *to)

    def review(self, digest: str, verdict: Literal["approve", "refuse"], *, who: str, why: str = "") -> Event:
        """A person's verdict on this very digest."""
        if not who:
            raise StoreError("a review needs the person who made it", hint="give `who`")
        with self._connections.writing() as db:
            return change.review(db, self._hand(Actor.PERSON, who, why), digest, verdict)

    def alias(self, skill: str, name: str, *, actor: Actor = Actor.PERSON, who: str = "", why: str = "") -> Event:
        """Another name for a skill, in its namespace."""
        with self._connections.writing() as db:
            return change.alias(db, self._hand(actor, who, why), skill, name)

    def pin(self, target: str, holder: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Event:
        """Keep a skill (by its id), or all of a snapshot (by its root), from being retired."""
        with self._connections.writing() as db:
            return change.pin(db, self._hand(actor, holder, why), target, holder, held=True)

    def unpin(self, target: str, holder: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Event:
        with self._connections.writing() as db:
            return change.pin(db, self._hand(actor, holder, why), target, holder, held=False)

    def link(
        self, skill: str, relation: Relation, other: str, *, actor: Actor = Actor.PERSON, who: str = "", why: str = ""
    ) -> Event:
        """Bind a skill to another, by their ids."""
        with self._connections.writing() as db:
            return change.link(db, self._hand(actor, who, why), skill, relation, other, linked=True)

    def unlink(
        self, skill: str, relation: Relation, other: str, *, actor: Actor = Actor.PERSON, who: str = "", why: str = ""
    ) -> Event:
        with self._connections.writing() as db:
            return change.link(db, self._hand(actor, who, why), skill, relation, other, linked=False)

    def undo(self, event: int, *, actor: Actor = Actor.PERSON, who: str = "", why: str = "") -> tuple[Event, ...]:
        """Take an event back, and what followed from it, by new events; refused where something stands on it."""
        with self._connections.writing() as db:
            return undo.undo(db, self._hand(actor, who, why), event)

    # --- the whole --------------------------------------------------------------------------------

    def snapshot(self, note: str = "") -> Snapshot:
        """Note the present state, to be read again by its root."""
        with self._connections.writing() as db:
            return snapshot.take(db, self.now(), note)

    def copy(self, to: Path, *, watch: Watch = unseen) -> int:
        """Copy the store as it is at one moment to a new file, whoever writes meanwhile, and check it; its bytes."""
        with self._connections.reading() as db:
            return copying.copy(db, to, watch)

    def rebuild(self, *, verify: bool = False, watch: Watch = unseen) -> tuple[str, ...]:
        """Compute all derived rows again and keep them; or, to verify, say what differs from those that are kept."""
        if verify:
            with self._connections.telling():
                other = self._connections.open()
                try:
                    return check.check(other, self.path, watch)
                finally:
                    other.close()
        with self._connections.writing() as db:
            derive.replace(db, watch)
        return ()

    def fault_behind(self, error: Exception) -> StoreError | None:
        """What is wrong with the store's rows that may have brought an error about, or nothing."""
        with self._connections.telling():
            return fault_behind(self.db, self.path, error)

    def now(self) -> str:
        """The time by the store's clock, as events have it."""
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="microseconds")[:-6] + "Z"

    def _hand(self, actor: Actor, who: str, why: str) -> write.Hand:
        return write.Hand(at=self.now(), actor=actor, who=who, why=why)
