"""Merging skills that differ in constants only into one that takes them as parameters.

A merge is a proposal until the merged function has repeated every recorded call of its parents, by their old names and
with the old arguments, and given the same; then it goes through all the gates, like any other candidate. What passes
takes their place, in one transaction: they are superseded, and their names lead to it. `undo` brings everything back to
where it was. What a gate refuses is rejected, and kept with what the gate said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain

from prowess.errors import StoreError
from prowess.store.db import Store
from prowess.store.gates.admission import examined, gist, subject_of
from prowess.store.gates.context import Context, Subject
from prowess.store.life import OFFERED
from prowess.store.merging.builds import alike, place
from prowess.store.merging.generalise import Hole, generalise
from prowess.store.merging.kept import keep, kept
from prowess.store.merging.pairing import Same, Unlike
from prowess.store.record import Actor, Event, Kind, Provenance, Relation, Status, Trial, Verification
from prowess.store.settings import GateSettings
from prowess.store.standing import Entry, Outline, Proposal
from prowess.text.terminal import Watch, unseen
from prowess.types import Skill

Replay = Callable[[Skill, Trial], str]
"""Repeats a recorded call with a skill's code, in a sandbox: what is different, or nothing."""

CHECK = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """What a merge is tried with."""

    replay: Replay
    context: Context = field(default_factory=Context)
    """What the gates may use."""
    settings: GateSettings = field(default_factory=GateSettings)


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


_ANSWER, _UNLIKE = "group-1:", "no"
"""What is kept of groups that cannot become one, see `kept`; another form, whenever the answer may be another."""


def merges(store: Store, *, namespace: str | None = None) -> tuple[Merge, ...]:
    """What could be merged."""
    return tuple(find_merges(store, namespace=namespace))


def find_merges(store: Store, *, namespace: str | None = None, watch: Watch = unseen) -> Iterator[Merge]:
    """What could be merged, one by one, as it is found. Nothing is written to the store.

    Groups that cannot become one are kept beside it: their code does not change, so they are not compared again.
    """
    groups = alike(store, namespace=namespace, watch=watch)
    known = kept(place(store), _ANSWER)
    taken = cache(partial(_names, store))
    new: dict[str, str] = {}
    try:
        with watch(len(groups), "compare skills") as bar:
            for group in groups:
                if (digest := _digest(group)) not in known:
                    if found := _merge(store, group, taken):
                        yield found
                    else:
                        new[digest] = _UNLIKE
                bar.advance()
    finally:  # also where nobody waits for the rest
        keep(place(store), _ANSWER, new)


def _merge(store: Store, group: Sequence[Outline], taken: Callable[[str], Collection[str]]) -> Merge | None:
    """What a group could become, if anything."""
    other = next(one for one in group if one.alpha_hash != group[0].alpha_hash)
    try:
        if len(group) > 2:
            with suppress(Same):  # where two have too little in common, all of them have no more
                generalise([entry.version for entry in store.entries_of([group[0].digest, other.digest])])
        members = store.entries_of([one.digest for one in group])
        general = generalise([member.version for member in members], taken=taken(members[0].namespace))
    except Unlike:
        return None
    return Merge(parents=members, skill=replace(general.skill, origin=members[0].origin), holes=general.holes)


def _digest(group: Sequence[Outline]) -> str:
    return hashlib.sha256("\n".join(one.digest for one in group).encode()).hexdigest()


def _names(store: Store, namespace: str) -> set[str]:
    """All names of skills in a namespace, also old ones."""
    return {str(row[0]) for row in store.db.execute("SELECT name FROM name WHERE namespace = ?", (namespace,))}


def accept(store: Store, merge: Merge, trying: Trying, *, who: str = "") -> Merged:
    """Let a merged function take its parents' place, if it passes all their trials and the gates; `who` is the person.

    What the last gate leaves to a person waits in review for an approval; then it is accepted again.
    """
    trials = [(parent, store.trials(parent.digest)) for parent in merge.parents]
    if missing := [parent.name for parent, known in trials if not known]:
        return Merged(merge=merge, refused=f"no recorded call of {', '.join(missing)} to repeat")
    for trial in chain.from_iterable(known for _, known in trials):
        if different := trying.replay(merge.skill, trial):
            return Merged(merge=merge, refused=f"{trial.call} is not what it was: {different}")
    known = [trial for _, known in trials for trial in known]
    with store.many():
        if changed := _changed(store, merge):
            return Merged(merge=merge, refused=changed)
        proposal = _proposed(store, merge, known)
    subject = _subject(store, merge, store.version(proposal.digest), trying.context)
    said = tuple(examined(subject, trying.context, trying.settings))  # outside the store's lock: calls are repeated
    with store.many():
        if changed := _changed(store, merge):
            return Merged(merge=merge, refused=changed)
        store.verify(*said)
        return _settled(store, Merged(merge=merge, proposal=proposal, trials=len(known)), said, who)


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


def _changed(store: Store, merge: Merge) -> str:
    """Which parent is no longer what it was, or nothing."""
    for parent in merge.parents:
        now = store.skill(parent.id)
        if (now.digest, now.status) != (parent.digest, parent.status):
            return f"{parent.name} has changed meanwhile"
    return ""


def _subject(store: Store, merge: Merge, entry: Entry, context: Context) -> Subject:
    """The merged version at the gates: it comes from its parents' episodes, and is no copy of them."""
    parents = [subject_of(store, parent, context) for parent in merge.parents]
    found = subject_of(store, entry, context)
    return replace(
        found,
        provenances=tuple(chain.from_iterable(parent.provenances for parent in parents)),
        siblings=tuple(dict.fromkeys(chain.from_iterable(parent.siblings for parent in parents))),
        helped=sum(parent.helped for parent in parents),
        kept=frozenset(parent.version.name for parent in merge.parents),
        others=tuple(other for other in found.others if other.skill not in {one.id for one in merge.parents}),
    )


def _settled(store: Store, done: Merged, said: Sequence[Verification], who: str) -> Merged:
    """Move the merged version to where the gates put it, and its parents out of its way."""
    assert done.proposal is not None
    merge, digest = done.merge, done.proposal.digest
    entry, mark = store.version(digest), _mark(digest)
    why = f"does what {' and '.join(parent.name for parent in merge.parents)} did" + (f" ({who})" if who else "")
    if failed := next((one for one in said if one.verdict == "fail"), None):
        if entry.status is Status.CANDIDATE:
            store.move(digest, Status.REJECTED, actor=Actor.GATE, who=failed.check, why=gist(failed))
        return replace(done, refused=f"{failed.check}: {gist(failed)}")
    if entry.status is Status.REJECTED:
        store.move(digest, Status.CANDIDATE, actor=Actor.GATE, who=mark, why="merged again")
    if store.version(digest).status is Status.CANDIDATE:
        store.move(digest, Status.VERIFIED, actor=Actor.GATE, who=mark, why=why)
    if risky := next((one for one in said if one.check == "risk" and one.verdict == "abstain"), None):
        if store.version(digest).status is Status.VERIFIED:
            store.move(digest, Status.REVIEW, actor=Actor.GATE, who=mark, why=f"{why}; {gist(risky)}")
        return replace(done, refused=f"{gist(risky)}: a person must approve it first")
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
