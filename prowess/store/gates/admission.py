"""Admission: a candidate goes through the gates, cheap first, and stands where their verdicts put it.

    candidate ─ all gates ─> verified ─> probation        by itself
                                     └─> review           a person decides: irreversible, drawn, or as settings say
              └ the first that fails ─> rejected (kept)   a copy gives its name to the skill that it repeats

The gates run outside the store's lock; what they said and what follows from it is one transaction. Killed before it,
nothing has happened and the next run does it again; after it, the version is no candidate any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from prowess.errors import ProwessError, words_of
from prowess.sandbox import SandboxSettings
from prowess.store.db import Store
from prowess.store.db.rows import Illegible, text_of
from prowess.store.gates.context import BY, Context, Other, Subject
from prowess.store.gates.duplicates import duplicates
from prowess.store.gates.leak import leak
from prowess.store.gates.lint import lint
from prowess.store.gates.replay import replay
from prowess.store.gates.risk import risk
from prowess.store.gates.structure import structure
from prowess.store.gates.transfer import transfer
from prowess.store.record import Actor, Provenance, Relation, Status, Trial, Verification
from prowess.store.settings import GateSettings
from prowess.store.standing import Entry

Gate = Callable[[Subject, Context, GateSettings], Verification]

GATES: dict[str, Gate] = {
    "structure": structure,
    "leak": leak,
    "lint": lambda subject, context, settings: lint(subject),
    "duplicates": duplicates,
    "replay": lambda subject, context, settings: replay(subject, context),
    "transfer": lambda subject, context, settings: transfer(subject, context),
    "risk": lambda subject, context, settings: risk(subject, settings),
}
"""In the order in which they are asked."""

_NO_COPY_OF = frozenset({Status.CANDIDATE, Status.REJECTED, Status.RETIRED})
"""What these versions do may be done again."""
_LOOKED_AT = 256
"""Versions with the same APIs that are looked at for similar code: the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What became of one candidate."""

    digest: str
    name: str
    status: Status
    verifications: tuple[Verification, ...] = ()
    """Of this admission, in order; of an earlier one for a version that was no candidate."""
    new: bool = True
    """False for a version that was no candidate: nothing was done."""

    @property
    def refused_by(self) -> str:
        """The gate that failed, or nothing."""
        return next((one.check for one in self.verifications if one.verdict == "fail"), "")


def replay_settings(settings: SandboxSettings | None = None) -> SandboxSettings:
    """The sandbox for gates: as the recipe's, recording, and with little time for a call."""
    made = (settings or SandboxSettings()).recording(200_000)
    return replace(made, step_seconds=min(made.step_seconds, 20.0))


def admit(store: Store, digest: str, context: Context | None = None, settings: GateSettings | None = None) -> Admission:
    """Lead a candidate through the gates. A version that is no candidate is left as it is."""
    context, settings = context or Context(), settings or GateSettings()
    try:
        entry = store.version(digest)
        if entry.status is not Status.CANDIDATE:
            return _as_it_is(store, entry)
        said = tuple(examined(subject_of(store, entry, context), context, settings))
    except Illegible as error:
        return _unread(store, digest, error)
    with store.many(apart=False):
        now = store.version(digest)
        if now.status is not Status.CANDIDATE:  # somebody else was quicker
            return _as_it_is(store, now)
        store.verify(*said)
        status = _settle(store, now, said, settings)
    return Admission(digest=digest, name=entry.version.name, status=status, verifications=said)


def admit_all(
    store: Store, context: Context | None = None, settings: GateSettings | None = None, *, namespace: str | None = None
) -> tuple[Admission, ...]:
    """Lead every candidate through the gates, oldest first; what was admitted before is not touched."""
    return tuple(admit(store, digest, context, settings) for digest in waiting(store, namespace))


def waiting(store: Store, namespace: str | None = None) -> list[str]:
    """The digests of all candidates, oldest first. One that cannot be read is among them."""
    rows = store.db.execute(_WAITING, (str(Status.CANDIDATE), namespace))
    return [row[0] for row in rows]


_WAITING = (
    "SELECT s.digest FROM state s JOIN skill k ON k.born = s.skill"
    " WHERE s.status = ? AND k.namespace = ifnull(?, k.namespace) ORDER BY k.born, s.number"
)


def _unread(store: Store, digest: str, error: Illegible) -> Admission:
    """A candidate of which the store holds what cannot be read is refused, and holds up nobody."""
    name, status = store.db.execute(_NAMED, (digest,)).get
    if status != Status.CANDIDATE:
        raise error
    said = Verification(digest=digest, check="record", verdict="fail", evidence={"problem": error.message}, by=BY)
    with store.many(apart=False):
        store.verify(said)
        store.move(digest, Status.REJECTED, actor=Actor.GATE, who=said.check, why=gist(said))
    return Admission(digest=digest, name=str(name), status=Status.REJECTED, verifications=(said,))


_NAMED = "SELECT k.name, s.status FROM state s JOIN skill k ON k.born = s.skill WHERE s.digest = ?"


def examined(subject: Subject, context: Context, settings: GateSettings) -> Iterator[Verification]:
    """What the gates say, up to the first that fails; one that breaks on what the store holds of a version fails it."""
    for name, gate in GATES.items():
        try:
            verification = gate(subject, context, settings)
        except (ProwessError, OSError):  # the machine's fault, or the user's, and none of the version's
            raise
        except Exception as problem:  # noqa: BLE001 (strangers wrote it, and others wait behind it)
            verification = subject.says(name, "fail", {"problem": f"the gate broke on it: {words_of(problem)}"})
        yield verification
        if verification.verdict == "fail":
            return


def subject_of(store: Store, entry: Entry, context: Context) -> Subject:
    """A version with all that the store knows of it."""
    provenances = store.provenances(entry.digest)
    homes = {one.task for one in provenances[:1]}
    told = [text for one in provenances for text in context.siblings(one)]
    return Subject(
        version=entry.version,
        skill=entry.id,
        provenances=provenances,
        trials=store.trials(entry.digest),
        siblings=tuple(dict.fromkeys([*told, *_elsewhere(provenances)])),
        helped=sum(use.success and use.called > 0 and use.task not in homes for use in store.usages(entry.digest)),
        approved=entry.approved,
        others=tuple(_others(store, entry)),
    )


def _elsewhere(provenances: tuple[Provenance, ...]) -> Iterator[str]:
    """Instructions of the other tasks of its scenario that wrote the very same code."""
    for one in provenances[1:]:
        if one.scenario and one.scenario == provenances[0].scenario and one.task != provenances[0].task:
            yield one.instruction


def _others(store: Store, entry: Entry) -> Iterator[Other]:
    """Versions of the namespace that are the same but for names, then those of other skills with the same APIs."""
    clones = store.clones(entry.digest)
    for digest in clones:
        other = _legible(store, digest)
        if other and other.namespace == entry.namespace and other.status not in _NO_COPY_OF:
            yield Other(version=other.version, skill=other.id, clone=True)
    for digest in _near(store, entry):
        other = _legible(store, digest)
        if other and digest not in clones and other.id != entry.id and other.status not in _NO_COPY_OF:
            trials = partial(_trials, store, digest)
            yield Other(version=other.version, skill=other.id, clone=False, trials=trials)


def _legible(store: Store, digest: str) -> Entry | None:
    """Another version, where it can be read: that it cannot is not the fault of the one at the gates."""
    try:
        return store.version(digest)
    except Illegible:
        return None


def _trials(store: Store, digest: str) -> tuple[Trial, ...]:
    try:
        return store.trials(digest)
    except Illegible:
        return ()


def _near(store: Store, entry: Entry) -> list[str]:
    """Versions of the namespace that call exactly the same APIs, the newest first; found by the rarest of these."""
    apis = entry.version.apis
    if not apis:
        return []
    marks = ", ".join("?" * len(apis))
    rarest = f"SELECT api FROM api WHERE api IN ({marks}) GROUP BY api ORDER BY count(*) LIMIT 1"
    rows = store.db.execute(
        f"SELECT v.digest FROM api a JOIN version v ON v.id = a.version WHERE a.api = ({rarest})"
        " AND v.apis = ? AND v.namespace = ? ORDER BY v.id DESC LIMIT ?",
        (*apis, text_of(apis), entry.namespace, _LOOKED_AT),
    )
    return [row[0] for row in rows]


def _settle(store: Store, entry: Entry, said: tuple[Verification, ...], settings: GateSettings) -> Status:
    """Move a candidate to where the verdicts put it."""
    digest, verdicts = entry.digest, {one.check: one for one in said}
    if failed := next((one for one in said if one.verdict == "fail"), None):
        store.move(digest, Status.REJECTED, actor=Actor.GATE, who=failed.check, why=gist(failed))
        if "duplicate of" in failed.evidence:
            _give_way(store, entry, str(failed.evidence["duplicate of"]))
        return Status.REJECTED
    passed = _course(said)
    unplayed = verdicts["replay"].verdict == "abstain" and settings.unplayed == "review"
    if verdicts["risk"].verdict == "abstain" or unplayed:
        store.move(digest, Status.VERIFIED, actor=Actor.GATE, why=passed)
        why = gist(verdicts["replay" if unplayed else "risk"])
        store.move(digest, Status.REVIEW, actor=Actor.GATE, who="replay" if unplayed else "risk", why=why)
        return Status.REVIEW
    store.move(digest, Status.VERIFIED, Status.PROBATION, actor=Actor.GATE, why=passed)
    return Status.PROBATION


def _course(said: tuple[Verification, ...]) -> str:
    """Which gates it passed, and which had nothing to say."""
    passed, silent = ([one.check for one in said if one.verdict == verdict] for verdict in ("pass", "abstain"))
    return f"passed {', '.join(passed)}" + (f"; abstained: {', '.join(silent)}" if silent else "")


def _give_way(store: Store, entry: Entry, other: str) -> None:
    """A copy is bound to the skill that it repeats, and gives it its name if it has no other version."""
    if other == entry.id:
        return
    if not any(edge.relation is Relation.DUPLICATE_OF and edge.other == other for edge in store.edges(entry.id)):
        store.link(entry.id, Relation.DUPLICATE_OF, other, actor=Actor.GATE)
    names = {store.skill(other).name, *store.skill(other).aliases}
    if store.skill(entry.id).status is Status.REJECTED and entry.version.name not in names:
        store.alias(other, entry.version.name, actor=Actor.GATE, why=f"{entry.version.name} repeats it")


def gist(verification: Verification) -> str:
    """The evidence in a line."""
    evidence = verification.evidence if isinstance(verification.evidence, dict) else {}
    listed = evidence.get("problems") or evidence.get("found") or evidence.get("values")
    if listed:
        return "; ".join(str(one) for one in listed[:3])[:300]
    return str(evidence.get("why") or evidence.get("problem") or evidence.get("how") or evidence)[:300]


def _as_it_is(store: Store, entry: Entry) -> Admission:
    return Admission(
        digest=entry.digest,
        name=entry.version.name,
        status=entry.status,
        verifications=store.verifications(entry.digest),
        new=False,
    )
