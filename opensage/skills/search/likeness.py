"""How alike a request and a text are, as numbers from 0 to about 1. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

K1, B = 1.5, 0.75
"""BM25's usual constants: how soon repeating a word stops helping, and how much a long text is marked down."""


def rarity(documents: float, having: float) -> float:
    """BM25's weight of a word that so many of the texts have."""
    having = min(having, documents)
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def shared_words(asked: Mapping[str, int], text: Counter[str], rare: Mapping[str, float], average: float) -> float:
    """BM25 as a share of what a text of average length with every word of the request would score.

    >>> round(shared_words({"play": 1}, Counter({"play": 1}), {"play": 2.0}, average=1.0), 3)
    1.0
    """
    best = sum(times * rare[word] for word, times in asked.items())
    if not best:
        return 0.0
    room = K1 * (1 - B + B * text.total() / (average or 1.0))
    score = sum(times * rare[word] * text[word] / (text[word] + room) for word, times in asked.items() if word in text)
    return score * (1 + K1) / best


def shared_runs(asked: Mapping[str, int], text: Counter[str], rare: Mapping[str, float]) -> float:
    """Cosine of the counts of runs, the rare ones weighing more; runs only the text has weigh as the request's do.

    >>> shared_runs({"play": 1, "lay_": 1}, Counter({"play": 1, "lay_": 1}), {"play": 2.0, "lay_": 2.0})
    1.0
    """
    weights = {run: (1 + math.log(times)) * rare[run] for run, times in asked.items()}
    size = sum(weight**2 for weight in weights.values())
    if not size:
        return 0.0
    usual = sum(rare[run] ** 2 for run in asked) / len(asked)
    dot = own = 0.0
    for run, times in text.items():
        weight = 1 + math.log(times) if times > 1 else 1.0
        if run in weights:
            dot += weights[run] * weight * rare[run]
            own += (weight * rare[run]) ** 2
        else:
            own += weight**2 * usual
    return round(dot / math.sqrt(size * own), 9) if own else 0.0
