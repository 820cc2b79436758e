"""How alike a request and a text are, as numbers from 0 to about 1. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Set

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
        for word in weights.keys() & text.keys():
            times = text[word]
            score += weights[word] * times / (times + room)
        return round(score / best, 9) if best else 0.0  # whatever the order of additions

    return alike


def shared_runs(asked: Mapping[str, float]) -> Callable[[Set[str]], float]:
    """Cosine of sets of runs, given what each of the request's weighs; what only the text has weighs as these do.

    >>> alike = shared_runs({"play": 2.0, "lay_": 2.0})
    >>> alike({"play", "lay_"}), alike({"play"})
    (1.0, 0.707106781)
    """
    squares = {run: weight**2 for run, weight in asked.items()}
    size = sum(squares.values())
    usual = size / (len(asked) or 1)

    def alike(text: Set[str]) -> float:
        shared = squares.keys() & text
        both = sum([squares[run] for run in shared])
        own = both + (len(text) - len(shared)) * usual
        return round(both / math.sqrt(size * own), 9) if size and own else 0.0

    return alike
