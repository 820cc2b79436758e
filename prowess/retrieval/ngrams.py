"""Instructions that share words or letters: pairs of words (the paper's n-gram retrieval), or runs of letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from prowess.retrieval.earlier import SOMETHING, Nearest, Scorer, by_instruction
from prowess.retrieval.settings import RetrievalSettings
from prowess.text.ngrams import runs, words
from prowess.types import Retriever

SHARED = 0.5
"""The paper's least Jaccard similarity."""


def query_ngram(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions share enough pairs of words."""
    return Nearest(past=by_instruction(word_pairs), threshold=settings.at_least(SHARED), queries=settings.queries)


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


SIZES = (3, 4, 5)
"""Lengths of the runs; a run may span a space."""


def char_ngram(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions share the rarest runs of letters."""
    return Nearest(past=by_instruction(char_runs), threshold=settings.at_least(SOMETHING), queries=settings.queries)


def char_runs(texts: Sequence[str]) -> Scorer:
    """Cosine of the counts of runs, the rare ones weighing more (tf-idf)."""
    import numpy as np

    counts = [runs(text, SIZES) for text in texts]
    number: dict[str, int] = {}
    which = np.array([number.setdefault(run, len(number)) for count in counts for run in count], dtype=np.int64)
    places = np.repeat(np.arange(len(texts)), [len(count) for count in counts])
    times = np.array([each for count in counts for each in count.values()], dtype=np.float64)
    spread = np.bincount(which, minlength=len(number))
    rarity = np.log(1 + len(texts) / (1 + spread))
    weights = (1 + np.log(times)) * rarity[which]
    weights /= np.sqrt(np.bincount(places, weights**2, minlength=len(texts)))[places]
    # Sorted by run, so that the texts of a run lie side by side.
    order = np.argsort(which, kind="stable")
    places, weights, ends = places[order], weights[order], np.cumsum(spread)

    def score(request: str) -> list[float]:
        scores, size = np.zeros(len(texts)), 0.0
        for run, often in runs(request, SIZES).items():
            at = number.get(run)
            weight = (1 + math.log(often)) * (math.log(1 + len(texts)) if at is None else float(rarity[at]))
            size += weight**2
            if at is not None:
                those = slice(ends[at] - spread[at], ends[at])
                scores[places[those]] += weights[those] * weight
        return [float(score) for score in scores / (math.sqrt(size) or 1.0)]

    return score
