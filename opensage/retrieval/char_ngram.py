"""Instructions that share runs of letters: endings, plurals and typing mistakes do not matter much."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from opensage.retrieval.channel import Scorer
from opensage.retrieval.nearest import SOMETHING, Nearest, by_instruction
from opensage.retrieval.settings import RetrievalSettings
from opensage.retrieval.words import words
from opensage.types import Retriever

SIZES = (3, 4, 5)
"""Lengths of the runs; a run may span a space."""


def char_ngram(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions share the rarest runs of letters."""
    threshold = SOMETHING if settings.threshold is None else settings.threshold
    return Nearest(past=by_instruction(char_runs), threshold=threshold, queries=settings.queries)


def char_runs(texts: Sequence[str]) -> Scorer:
    """Cosine of the counts of runs, the rare ones weighing more (tf-idf)."""
    import numpy as np

    counts = [_runs(text) for text in texts]
    spread = Counter(run for count in counts for run in count)

    def weight(run: str, times: int) -> float:
        return (1 + math.log(times)) * math.log(1 + len(texts) / (1 + spread[run]))

    places: dict[str, list[int]] = {}
    weights: dict[str, list[float]] = {}
    for place, count in enumerate(counts):
        size = math.hypot(*(weight(run, times) for run, times in count.items())) or 1.0
        for run, times in count.items():
            places.setdefault(run, []).append(place)
            weights.setdefault(run, []).append(weight(run, times) / size)
    index = {run: (np.array(places[run]), np.array(weights[run])) for run in places}

    def score(request: str) -> list[float]:
        asked = {run: weight(run, times) for run, times in _runs(request).items()}
        size = math.hypot(*asked.values()) or 1.0
        scores = np.zeros(len(texts))
        for run in sorted(asked.keys() & index.keys()):
            at, shares = index[run]
            scores[at] += shares * (asked[run] / size)
        return [float(score) for score in scores]

    return score


def _runs(text: str) -> Counter[str]:
    line = f" {' '.join(words(text))} "
    return Counter(line[at : at + size] for size in SIZES for at in range(len(line) - size + 1))
