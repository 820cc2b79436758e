"""The last gate, a policy: what can it do to the world, and does a person have to look first?"""

from __future__ import annotations

from prowess.seeds import derive
from prowess.store.gates.context import Subject
from prowess.store.record import Effect, Verification
from prowess.store.settings import GateSettings

_PARTS = 1_000_000


def risk(subject: Subject, settings: GateSettings) -> Verification:
    """Pass: it may go on by itself. Abstain: a person decides."""
    effect = subject.version.effect
    evidence = {"effect": str(effect), "apis": list(subject.version.apis)}
    if subject.approved:
        return subject.says("risk", "pass", {**evidence, "why": "a person has approved this very version"})
    if effect is Effect.IRREVERSIBLE:
        return subject.says("risk", "abstain", {**evidence, "why": "what it does cannot be taken back"})
    if effect is Effect.WRITE and drawn(subject.version.digest, settings):
        return subject.says("risk", "abstain", {**evidence, "why": "drawn for review"})
    return subject.says("risk", "pass", evidence)


def drawn(digest: str, settings: GateSettings) -> bool:
    """Whether a version is among those looked at: always the same for the same seed."""
    return derive(settings.seed, "review", digest) % _PARTS < settings.review_rate * _PARTS
