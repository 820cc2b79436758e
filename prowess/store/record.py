"""What the skill store keeps, as frozen values.

A skill has versions; a version is immutable and known by its digest. What happened to them is told by events, what
they are worth by uses. Everything else follows from these, see `standing`.

    Skill id ── versions ── provenance   where the very same code came from, one row for each time
                   │ │ └─── trials       calls to replay: its tests
                   │ └───── verifications what each check said
                   └─────── uses         offered or masked, called, how the episode ended
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from prowess.sandbox.recording import plain_call
from prowess.types import SPARSE, Json, Origin, Skill, Tape


class Status(StrEnum):
    """Where a version stands in its life."""

    CANDIDATE = "candidate"
    """Proposed; no gate has looked at it."""
    VERIFIED = "verified"
    """Passed the gates."""
    REVIEW = "review"
    """Passed, and too risky to go on without a person."""
    PROBATION = "probation"
    """May be offered, to gather evidence."""
    ACTIVE = "active"
    """Offered: the evidence is for it."""
    STALE = "stale"
    """An API it calls has changed."""
    SUSPENDED = "suspended"
    """The evidence is against it: neither offered nor in an index."""
    DEPRECATED = "deprecated"
    """Works, and is no longer offered."""
    SUPERSEDED = "superseded"
    """A newer version took its place, or a function that it was merged into."""
    RETIRED = "retired"
    """At rest; kept, and can be restored."""
    REJECTED = "rejected"
    """A gate or a person refused it; kept."""
    REVOKED = "revoked"
    """Unsafe: out at once, whoever refers to it."""


class Actor(StrEnum):
    """What kind of hand made a change."""

    GATE = "gate"
    """Admission: the checks."""
    CURATOR = "curator"
    """Promotion and demotion by evidence."""
    PERSON = "person"
    GUARD = "guard"
    """Security."""
    STORE = "store"
    """A change that follows from another one."""


class Effect(StrEnum):
    """The worst that a skill's API calls can do to its world."""

    PURE = "pure"
    READ = "read"
    WRITE = "write"
    IRREVERSIBLE = "irreversible"


class Relation(StrEnum):
    """How one skill is bound to another."""

    CALLS = "calls"
    DUPLICATE_OF = "duplicate_of"
    MERGED_INTO = "merged_into"
    SUPERSEDES = "supersedes"


class Kind(StrEnum):
    """What an event changed. Every event says what was `before` and what is `after`; its inverse swaps them."""

    PROPOSED = "proposed"
    """A version came: from its parent's digest (or nothing) to its status."""
    MOVED = "moved"
    """A version's status."""
    REVIEWED = "reviewed"
    """A person's verdict on a digest: from the earlier one (or nothing) to `approve` or `refuse`."""
    ALIASED = "aliased"
    """Another name of the skill: from nothing to the name, or back."""
    PINNED = "pinned"
    """A holder of a skill (or, without a skill, of the snapshot `digest`): from nothing to the holder, or back."""
    LINKED = "linked"
    """`relation skill-id`: from nothing to the edge, or back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One immutable state of a skill's code. All but parents and fingerprints follows from what the digest covers."""

    digest: str
    """SHA-256 of namespace, name, canonical source, imports and dependencies."""
    namespace: str
    """The world or app in which its names are looked up."""
    name: str
    source: str
    """Canonical: line ends and trailing blanks made plain, statements in order where that means nothing."""
    imports: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    """Digests of the versions it calls, where it does not carry a copy; sorted."""
    docstring: str = ""
    signature: str = ""
    """`(user: str, limit: int=5) -> list[str]`"""
    schema: Mapping[str, Json] = field(default_factory=dict)
    """JSON Schema of its parameters."""
    summary: str = ""
    """The docstring's first sentence, at most 120 characters."""
    apis: tuple[str, ...] = ()
    """World APIs it calls, as `app.api`, sorted."""
    effect: Effect = Effect.PURE
    helpers: tuple[str, ...] = ()
    """Other functions and classes that its source carries."""
    tokens: int = 0
    """About how long it is in a prompt."""
    ast_hash: str = ""
    """Equal for code that differs in formatting, comments and docstrings only."""
    alpha_hash: str = ""
    """Equal for code that differs in names of its own, too."""
    parents: tuple[str, ...] = ()
    """Digests it was made from: the head when it was proposed, or both halves of a merge."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Digest of each API's schema when it was proposed, where known."""

    def skill(self, origin: Origin) -> Skill:
        """What an agent plays with."""
        return Skill(
            name=self.name,
            source=self.source,
            imports=self.imports,
            docstring=self.docstring,
            apis=self.apis,
            origin=origin,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a version came from, to the very turn."""

    kind: Literal["episode", "human", "import", "merge", "repair"] = "episode"
    run: str = ""
    episode: str = ""
    """Unique in the store: run, task and repetition."""
    turn: int = 0
    task: str = ""
    scenario: str = ""
    instruction: str = ""
    """The task's words: the key that retrieval compares with."""
    checkpoint: str = ""
    """Digest of the policy's weights, or the model's name."""
    world: str = ""
    world_version: str = ""
    who: str = ""
    """The person, for what a person wrote; the file, for an import."""
    note: str = ""

    @property
    def origin(self) -> Origin:
        return Origin(task=self.task, scenario=self.scenario, turn=self.turn, instruction=self.instruction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A call to repeat: a test of a version."""

    kind: Literal["replay", "example", "sibling"] = "replay"
    digest: str
    """The version it was made for."""
    call: str
    """The call as code: `top_songs(limit=3)`."""
    answers: tuple[Json, ...] = ()
    """What the APIs answered, in order: `{"api": ..., "arguments": ..., "answer": ...}`."""
    expected: Json = None
    task: str = ""
    """The task it comes from, or that it is to be tried on."""
    now: str = ""
    """The world's frozen clock at the time."""

    @property
    def fault(self) -> str:
        """Why it cannot be repeated as it is written down, or nothing.

        A call is code that is executed, so it must be one call with plain data and nothing else."""
        if self.call and not plain_call(self.call):
            return f"call is {self.call[:60]!r}, which is not one call of a function with plain data"
        for at, answer in enumerate(self.answers):
            if not isinstance(answer, dict) or not isinstance(answer.get("api"), str):
                return f"answers[{at}] is not an object that names its 'api'"
        try:
            if self.now:
                datetime.fromisoformat(self.now)
        except ValueError:
            return f"now is {self.now[:60]!r}, which is no date"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What one check said of one version."""

    digest: str
    check: str
    verdict: Literal["pass", "fail", "abstain"]
    evidence: Json = None
    """What it is based on, for people and for the next check."""
    by: str = ""
    """The check's version, or the person."""
    at: str = ""
    """Given by the store's clock when empty."""


Arm = Literal["offered", "masked"]
"""Masked: retrieved, and held back as a control."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One version in one episode: was it shown, was it called, how did it end."""

    episode: str
    """Unique in the store; the same version in the same episode counts once."""
    digest: str
    arm: Arm = "offered"
    task: str = ""
    run: str = ""
    rank: int = 0
    score: float = 0.0
    called: int = 0
    """How often it was called, from the execution trace."""
    error: str = ""
    """The first exception that left it, or nothing."""
    success: bool = False
    """Whether the episode succeeded."""
    turns: int = 0
    tokens: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One change, never rewritten."""

    id: int
    at: str
    """UTC, `2026-01-31T12:00:00.000000Z`."""
    kind: Kind
    skill: str
    digest: str = ""
    before: str = ""
    after: str = ""
    actor: Actor
    who: str = ""
    why: str = ""
    cause: int = 0
    """The event that this one follows from, or 0."""
    undoes: int = 0
    """The event that this one takes back, or 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What one episode has to tell the store: what it learned, and what became of what it was offered."""

    namespace: str
    provenance: Provenance
    """Of the episode; the turn is each skill's own."""
    learned: tuple[Skill, ...] = ()
    offered: tuple[str, ...] = field(default=(), metadata=SPARSE)
    """Names shown, best first."""
    masked: tuple[str, ...] = field(default=(), metadata=SPARSE)
    """Names retrieved and held back."""
    called: Mapping[str, int] = field(default_factory=dict, metadata=SPARSE)
    errors: Mapping[str, str] = field(default_factory=dict, metadata=SPARSE)
    scores: Mapping[str, float] = field(default_factory=dict, metadata=SPARSE)
    success: bool = False
    turns: int = 0
    tokens: int = 0
    root: str = field(default="", metadata=SPARSE)
    """The snapshot it played with, in which the names are looked up; nothing: the heads of now."""
    digests: Mapping[str, str] = field(default_factory=dict, metadata=SPARSE)
    """The very versions behind names, where whoever offered them knows: a search may offer one that is no head."""
    tapes: tuple[Tape, ...] = field(default=(), metadata=SPARSE)
    """Recorded calls of what it learned or was offered: they become trials."""
    counts: bool = True
    """False for an episode that broke: it is left out of the statistics."""
    fingerprints: Mapping[str, str] = field(default_factory=dict, metadata=SPARSE)
