"""Instructions that share pairs of words: the paper's n-gram retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prowess.retrieval.channel import Scorer
from prowess.retrieval.nearest import Nearest, by_instruction
from prowess.retrieval.settings import RetrievalSettings
from prowess.text.ngrams import words
from prowess.types import Retriever

PAPER = 0.5
"""The paper's least Jaccard similarity."""


def query_ngram(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions share enough pairs of words."""
    return Nearest(past=by_instruction(word_pairs), threshold=settings.at_least(PAPER), queries=settings.queries)


def word_pairs(texts: Sequence[str]) -> Scorer:
    """Jaccard similarity of the sets of neighbouring words."""
    known = [_pairs(text) for text in texts]

    def score(request: str) -> list[float]:
        asked = _pairs(request)
        return [len(asked & pairs) / (len(asked | pairs) or 1) for pairs in known]

    return score


def _pairs(text: str) -> frozenset[tuple[str, ...]]:
    found = words(text)
    return frozenset(pairwise(found)) if len(found) > 1 else frozenset((word,) for word in found)
