"""Everything that the store knows of one version, gathered for a person to judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from prowess.cli.skills.jobs.origins import Moment, moment_of
from prowess.store.db import Store
from prowess.store.gates.duplicates import runs
from prowess.store.record import Event, Provenance, Trial, Verification
from prowess.store.standing import Edge, Entry, Statistics

ALIKE = 0.5
"""Share of code in common that is worth a look."""
LOOKED_AT = 256
"""Versions with the same APIs that are compared."""


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
    """Other skills whose code is the same but for names, and those that call the same APIs in much the same code."""
    clones = [store.version(digest) for digest in store.clones(entry.digest)]
    found = [Similar(entry=one, how="the same but for names and formatting") for one in clones if one.id != entry.id]
    return (*found, *_alike(store, entry, {entry.id, *(one.id for one in clones)}))


def _alike(store: Store, entry: Entry, known: set[str]) -> list[Similar]:
    """Heads of other skills that call all of its APIs, the most similar first."""
    if not entry.version.apis or not entry.version.ast_hash:  # code that is no program has no likeness
        return []
    near = set.intersection(*(set(store.calling(api)) for api in entry.version.apis))
    own, found = set(runs(entry.version.source)), []
    for digest in sorted(near)[:LOOKED_AT]:
        other = store.version(digest)
        if other.id in known or not other.version.ast_hash:
            continue
        its = set(runs(other.version.source))
        share = len(own & its) / len(own | its)
        if share >= ALIKE and store.skill(other.id).digest == digest:
            found.append((share, Similar(entry=other, how=f"calls the same APIs, {share:.0%} of the code in common")))
    return [one for _, one in sorted(found, key=lambda pair: -pair[0])]
