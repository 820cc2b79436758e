"""Merging skills that differ in constants only into one that takes them as parameters.

A merge is a proposal until the merged function has repeated every recorded call of its parents, by their old names and
with the old arguments, and given the same. Then, in one transaction, it takes their place: they are superseded, and
their names lead to it. `undo` brings everything back to where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from opensage.errors import StoreError
from opensage.skills.families import families
from opensage.skills.generalise import Hole, generalise
from opensage.skills.life import OFFERED
from opensage.skills.pairing import Unlike
from opensage.skills.record import Actor, Effect, Event, Kind, Provenance, Relation, Status, Trial, Verification
from opensage.skills.standing import Entry, Proposal
from opensage.skills.store import Store
from opensage.types import Skill

Replay = Callable[[Skill, Trial], str]
"""Repeats a recorded call with a skill's code, in a sandbox: what is different, or nothing."""

CHECK = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A proposal: one function instead of several."""

    parents: tuple[Entry, ...]
    skill: Skill
    holes: tuple[Hole, ...]
    """The constants that become parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What became of a proposal."""

    merge: Merge
    proposal: Proposal | None = None
    """The merged skill, where it is in the store."""
    trials: int = 0
    """Calls that it repeated as its parents did."""
    refused: str = ""
    """Why it has not taken its parents' place, or nothing."""


def merges(store: Store, *, namespace: str | None = None) -> tuple[Merge, ...]:
    """What could be merged: nothing is written."""
    found = []
    for family in families(store, namespace=namespace):
        for members in family.builds:
            try:
                general = generalise([member.version for member in members], taken=_names(store, members[0].namespace))
            except Unlike:
                continue
            skill = replace(general.skill, origin=members[0].origin)
            found.append(Merge(parents=members, skill=skill, holes=general.holes))
    return tuple(found)


def _names(store: Store, namespace: str) -> set[str]:
    """All names of skills in a namespace, also old ones."""
    return {str(row[0]) for row in store.db.execute("SELECT name FROM name WHERE namespace = ?", (namespace,))}


def accept(store: Store, merge: Merge, replay: Replay, *, who: str = "") -> Merged:
    """Let a merged function take its parents' place, if it passes all their trials; `who` is the person, if one did.

    What cannot be taken back waits in review for a person's approval; then it is accepted again.
    """
    trials = [(parent, store.trials(parent.digest)) for parent in merge.parents]
    if missing := [parent.name for parent, known in trials if not known]:
        return Merged(merge=merge, refused=f"no recorded call of {', '.join(missing)} to repeat")
    for trial in chain.from_iterable(known for _, known in trials):
        if different := replay(merge.skill, trial):
            return Merged(merge=merge, refused=f"{trial.call} is not what it was: {different}")
    with store.many():
        return _taken(store, merge, [trial for _, known in trials for trial in known], who)


def undo(store: Store, digest: str, *, who: str = "") -> tuple[Event, ...]:
    """Take a merge back: the parents return to where they were, the merged version is rejected."""
    merged = store.version(digest)
    with store.many():
        parents = [edge.skill for edge in store.edges(merged.id) if edge.relation is Relation.MERGED_INTO]
        if not parents:
            raise StoreError(f"nothing was merged into {merged.name} ({digest[:12]})")
        events = [
            event
            for skill in (merged.id, *parents)
            for event in store.events(skill=skill)
            if event.who == _mark(digest) and event.kind is not Kind.PROPOSED and not event.undoes and not event.cause
        ]
        gone = {event.undoes for skill in (merged.id, *parents) for event in store.events(skill=skill)}
        done: list[Event] = []
        for event in sorted(events, key=lambda event: -event.id):
            if event.id not in gone:
                done += store.undo(event.id, who=who, why=f"the merge into {merged.name} was taken back")
        if store.version(digest).status is Status.CANDIDATE:
            hand = Actor.PERSON if who else Actor.GATE
            done.append(store.move(digest, Status.REJECTED, actor=hand, who=who, why="the merge was taken back"))
        return tuple(done)


def _mark(digest: str) -> str:
    """By which the events of a merge are known."""
    return f"merge {digest[:16]}"


def _taken(store: Store, merge: Merge, trials: Sequence[Trial], who: str) -> Merged:
    for parent in merge.parents:
        now = store.skill(parent.id)
        if (now.digest, now.status) != (parent.digest, parent.status):
            return Merged(merge=merge, refused=f"{parent.name} has changed meanwhile")
    proposal = _proposed(store, merge, trials)
    entry, mark = store.version(proposal.digest), _mark(proposal.digest)
    why = f"does what {' and '.join(parent.name for parent in merge.parents)} did" + (f" ({who})" if who else "")
    done = Merged(merge=merge, proposal=proposal, trials=len(trials))
    if entry.status is Status.REJECTED:
        store.move(entry.digest, Status.CANDIDATE, actor=Actor.GATE, who=mark, why="merged again")
    if store.version(entry.digest).status is Status.CANDIDATE:
        store.move(entry.digest, Status.VERIFIED, actor=Actor.GATE, who=mark, why=why)
    if entry.version.effect is Effect.IRREVERSIBLE and not entry.approved:
        if store.version(entry.digest).status is Status.VERIFIED:
            store.move(entry.digest, Status.REVIEW, actor=Actor.GATE, who=mark, why=why)
        return replace(done, refused="what it does cannot be taken back: a person must approve it first")
    if entry.status not in OFFERED:
        actor = Actor.PERSON if entry.status is Status.REVIEW else Actor.GATE
        store.move(entry.digest, Status.PROBATION, actor=actor, who=mark, why=why)
    if all(parent.status is Status.ACTIVE for parent in merge.parents):
        store.move(entry.digest, Status.ACTIVE, actor=Actor.CURATOR, who=mark, why=why)
    for parent in merge.parents:
        store.link(parent.id, Relation.MERGED_INTO, entry.id, actor=Actor.CURATOR, who=mark, why=why)
        store.move(parent.digest, Status.SUPERSEDED, actor=Actor.CURATOR, who=mark, why=f"merged into {entry.name}")
    return done


def _proposed(store: Store, merge: Merge, trials: Sequence[Trial]) -> Proposal:
    """The merged skill as a candidate, with its parents' trials as its own."""
    first = merge.parents[0]
    fingerprints = dict(chain.from_iterable(parent.version.fingerprints.items() for parent in merge.parents))
    known = {parent.version.effect for parent in merge.parents}
    proposal = store.propose(
        merge.skill,
        Provenance(kind="merge", world=first.namespace, note=", ".join(parent.name for parent in merge.parents)),
        namespace=first.namespace,
        dependencies=sorted({digest for parent in merge.parents for digest in parent.version.dependencies}),
        parents=[parent.digest for parent in merge.parents],
        fingerprints=fingerprints,
        effects=dict.fromkeys(first.version.apis, known.pop()) if len(known) == 1 else None,
        actor=Actor.CURATOR,
    )
    store.test(*(replace(trial, digest=proposal.digest) for trial in trials))
    evidence = {"parents": [parent.digest for parent in merge.parents], "trials": len(trials)}
    store.verify(Verification(digest=proposal.digest, check=CHECK, verdict="pass", evidence=evidence, by="merge/1"))
    return proposal
