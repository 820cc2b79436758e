"""How the store is searched."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.errors import check_range
from prowess.store.search.abstain import FLOOR


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What is offered for a request, and how it is found."""

    top: int = 5
    """How many skills are offered at most, besides those that they call."""
    tokens: int = 4000
    """How long all that is offered may be in a prompt."""
    threshold: float | None = None
    """The least likeness, 0 to 1: below it nothing is offered. 1 is a request that all channels know. Unless given, it
    is 0.25; with an embedding model the best must also stand out from what is unlike it (`abstain`)."""
    probation: bool = True
    """Whether what is on probation may be offered, too."""
    masked: float = 0.05
    """The share of what is found that is held back as a control, so that its worth can be told."""
    strength: float = 2.0
    """How much the evidence counts: a worth of 0.1 is 22% more with 2; 0 leaves the order to likeness."""
    spread: float = 0.2
    """How far worths usually lie from 0: what little evidence says is taken for as little, and this is explored."""
    candidates: int = 60
    """How many each channel may name."""
    compared: int = 48
    """How many of all that are named are compared with the request in full."""
    terms: int = 20
    """How many words, or runs of letters, of a request are looked up: the rarest."""
    postings: int = 20_000
    """How many entries of the text index a channel reads at most: the rarest words first."""

    def __post_init__(self) -> None:
        check_range(self, 1, "top", "tokens", "candidates", "compared", "terms", "postings")
        check_range(self, 0, "threshold", "masked", most=1)
        check_range(self, 0, "strength", "spread")

    def least(self, *, meaning: bool) -> float | None:
        """The threshold; None where there is meaning and no threshold was given: `abstain` decides, then."""
        return self.threshold if self.threshold is not None else (None if meaning else FLOOR)
