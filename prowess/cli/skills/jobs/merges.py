"""Merge proposals for people: what could be one skill, accepted only if its parents' calls come out the same."""

from __future__ import annotations

from collections.abc import Iterator

from prowess.errors import unknown
from prowess.store.canon import address_of
from prowess.store.db import Store
from prowess.store.merging.merge import Merge, find_merges
from prowess.store.record import Event, Verification
from prowess.text.terminal import Watch, unseen

APART = "apart"
"""The check by which a person keeps skills from being merged."""


def proposals(store: Store, *, namespace: str | None = None, watch: Watch = unseen) -> Iterator[Merge]:
    """What could be merged, as it is found, without what a person has refused."""
    return (one for one in find_merges(store, namespace=namespace, watch=watch) if not _refused(store, one))


def chosen(store: Store, name: str, *, namespace: str | None = None, watch: Watch = unseen) -> Merge:
    """The proposal that a name means: that of the merged skill, or of one of its parents."""
    others = []
    for one in find_merges(store, namespace=namespace, watch=watch):
        if name in (one.skill.name, *(parent.name for parent in one.parents)):
            return one
        others.append(one.skill.name)
    raise unknown("merge proposal", name, others)


def digest_of(merge: Merge) -> str:
    """The digest that the merged skill has, or would have."""
    needed = {digest for parent in merge.parents for digest in parent.version.dependencies}
    return address_of(merge.skill, namespace=merge.parents[0].namespace, dependencies=sorted(needed))


def refuse(store: Store, merge: Merge, *, who: str, why: str = "") -> tuple[Event, ...]:
    """Note that these versions are not to be one. It says nothing against any of them, and can be made all the same."""
    digests = sorted(parent.digest for parent in merge.parents)
    evidence = {"not to be merged": digests, "why": why}
    store.verify(
        *(Verification(digest=one, check=APART, verdict="abstain", evidence=evidence, by=who) for one in digests)
    )
    return ()


def names_of(merge: Merge) -> str:
    """The skills that could be one."""
    return " and ".join(parent.name for parent in merge.parents)


def why_of(merge: Merge) -> str:
    """Why two skills could be one, in a line."""
    holes = ", ".join(hole.name for hole in merge.holes)
    return f"{names_of(merge)} differ in {holes} alone"


def _refused(store: Store, merge: Merge) -> bool:
    digests = sorted(parent.digest for parent in merge.parents)
    said = store.verifications(digests[0])
    return any(one.check == APART and one.evidence["not to be merged"] == digests for one in said)
