"""Promotion and demotion by evidence.

    plan(store, settings, *, namespace)  -> tuple[Move, ...]   a dry run: what the evidence asks for, with the figures
    carry_out(store, steps, *, who)      -> tuple[Done, ...]   makes the steps whose grounds still stand
    curate(store, settings, *, namespace, who)                 both, in one transaction

Rules: `rules`. Why ten thousand skills can be looked at every day without suspending good ones: `evidence`.
"""

from prowess.store.curate.plan import USUAL, Done, Move, carry_out, curate, plan
from prowess.store.curate.rules import Case, case_against, promotion
from prowess.store.settings import CurateSettings

__all__ = [
    "USUAL",
    "Case",
    "CurateSettings",
    "Done",
    "Move",
    "carry_out",
    "case_against",
    "curate",
    "plan",
    "promotion",
]
