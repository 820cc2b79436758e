"""Everything that the store knows of one version, gathered for a person to judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opensage.skillcli.moments import Moment, moment_of
from opensage.skills.record import Event, Provenance, Trial, Verification
from opensage.skills.standing import Edge, Entry, Statistics
from opensage.skills.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """Another skill that is much like this one."""

    entry: Entry
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """One version, with all that speaks for and against it."""

    entry: Entry
    versions: tuple[Entry, ...]
    """Of its skill, oldest first."""
    parents: tuple[Entry, ...]
    provenances: tuple[Provenance, ...]
    trials: tuple[Trial, ...]
    verifications: tuple[Verification, ...]
    statistics: Statistics
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]
    similar: tuple[Similar, ...]
    moment: Moment | None
    """The turn that wrote it, where its run can be read."""


def dossier_of(store: Store, digest: str, places: Iterable[Path] = ()) -> Dossier:
    """Gather what is known of a version; runs are looked for beside the store, here, and in `places`."""
    with store.view():
        entry = store.version(digest)
        provenances = store.provenances(digest)
        return Dossier(
            entry=entry,
            versions=store.versions(entry.id),
            parents=tuple(store.version(parent) for parent in entry.version.parents),
            provenances=provenances,
            trials=store.trials(digest),
            verifications=store.verifications(digest),
            statistics=store.statistics(digest),
            events=store.events(skill=entry.id),
            edges=store.edges(entry.id),
            similar=similar_to(store, entry),
            moment=moment_of(entry.version, provenances, homes_of(store, places)),
        )


def homes_of(store: Store, places: Iterable[Path]) -> tuple[Path, ...]:
    """Where runs are looked for."""
    return (*places, store.path.parent, Path(), Path("runs"))


def similar_to(store: Store, entry: Entry) -> tuple[Similar, ...]:
    """Other skills whose code is the same but for names and formatting."""
    clones = [store.version(digest) for digest in store.clones(entry.digest)]
    return tuple(
        Similar(entry=clone, how="the same but for names and formatting") for clone in clones if clone.id != entry.id
    )
