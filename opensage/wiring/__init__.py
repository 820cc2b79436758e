"""The recipe, and from it live parts: the suite, the sandbox, the policy, the retriever, the agent made of them."""

from __future__ import annotations

from opensage.wiring.parts import Parts, demonstrating, ground_of, parts_of, recorded
from opensage.wiring.policies import brain_of, data_of, policy_of, speaker
from opensage.wiring.recipe import FREE, Recipe, SuiteSettings
from opensage.wiring.suites import documents_of, suite_in

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
