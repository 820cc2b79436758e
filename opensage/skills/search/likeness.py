"""How alike a request and a text are, as numbers from 0 to about 1. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping

K1, B = 1.5, 0.75
"""BM25's usual constants: how soon repeating a word stops helping, and how much a long text is marked down."""


def rarity(documents: float, having: float) -> float:
    """BM25's weight of a word that so many of the texts have."""
    having = min(having, documents)
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


Likeness = Callable[[Counter[str]], float]
"""How alike one request is to the texts it is asked about, one after the other."""


def shared_words(asked: Mapping[str, int], rare: Mapping[str, float], average: float) -> Likeness:
    """BM25 as a share of what a text of average length with every word of the request would score.

    >>> alike = shared_words({"play": 1}, {"play": 2.0}, average=1.0)
    >>> round(alike(Counter({"play": 1})), 3), alike(Counter({"pay": 1}))
    (1.0, 0.0)
    """
    weights = {word: times * rare[word] for word, times in asked.items()}
    best = sum(weights.values()) / (1 + K1)
    long = K1 * B / (average or 1.0)

    def alike(text: Counter[str]) -> float:
        room = K1 * (1 - B) + long * text.total()
        score = 0.0
        for word, weight in weights.items():
            times = text.get(word)
            if times:
                score += weight * times / (times + room)
        return score / best if best else 0.0

    return alike


def shared_runs(asked: Mapping[str, int], rare: Mapping[str, float]) -> Likeness:
    """Cosine of the counts of runs, the rare ones weighing more; what only the text has weighs as the request's do.

    >>> alike = shared_runs({"play": 1, "lay_": 1}, {"play": 2.0, "lay_": 2.0})
    >>> alike(Counter({"play": 1, "lay_": 1})), alike(Counter({"play": 1}))
    (1.0, 0.707106781)
    """
    weights = {run: (1 + math.log(times)) * rare[run] for run, times in asked.items()}
    size = sum(weight**2 for weight in weights.values())
    usual = sum(rare[run] ** 2 for run in asked) / (len(asked) or 1)

    def alike(text: Counter[str]) -> float:
        shared = weights.keys() & text.keys()
        dot, own = 0.0, (len(text) - len(shared)) * usual
        for run in shared:
            times = text[run]
            here = rare[run] if times == 1 else (1 + math.log(times)) * rare[run]
            dot += weights[run] * here
            own += here * here
        return round(dot / math.sqrt(size * own), 9) if size and own else 0.0

    return alike
