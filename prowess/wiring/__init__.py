"""The recipe, and from it live parts: the suite, the sandbox, the policy, the retriever, the agent made of them."""

from __future__ import annotations

from prowess.wiring.parts import Parts, demonstrating, ground_of, parts_of, recorded
from prowess.wiring.policies import brain_of, data_of, policy_of, speaker
from prowess.wiring.recipe import FREE, Recipe, SuiteSettings
from prowess.wiring.suites import documents_of, suite_in

__all__ = [
    "FREE",
    "Parts",
    "Recipe",
    "SuiteSettings",
    "brain_of",
    "data_of",
    "demonstrating",
    "documents_of",
    "ground_of",
    "parts_of",
    "policy_of",
    "recorded",
    "speaker",
    "suite_in",
]
