"""Past instructions and what their skills say of themselves, searched by words as a search engine does."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from prowess.retrieval.earlier import SOMETHING, Nearest, Scorer, by_description
from prowess.retrieval.settings import RetrievalSettings
from prowess.text.ngrams import words
from prowess.types import Retriever

K1 = 1.5
"""How soon repeating a word stops helping: the usual value."""
IMPORTING = Lock()


def bm25(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks that share the rarest words."""
    return Nearest(past=by_description(shared_words), threshold=settings.at_least(SOMETHING), queries=settings.queries)


def shared_words(texts: Sequence[str]) -> Scorer:
    """BM25 as a share of what an average text with every word of the request would score."""
    with IMPORTING, _without("jax"):
        from bm25s import BM25  # type: ignore[import-untyped]

    known = [words(text) for text in texts]
    spread = Counter(word for text in known for word in set(text))
    if not spread:
        return lambda request: [0.0] * len(texts)
    index = BM25(k1=K1, method="lucene")
    index.index(known, show_progress=False)

    def score(request: str) -> list[float]:
        asked = words(request)
        found = [word for word in asked if word in spread]
        if not found:
            return [0.0] * len(texts)
        best = sum(math.log(1 + (len(texts) - spread[word] + 0.5) / (spread[word] + 0.5)) for word in asked)
        return [float(score) * (1 + K1) / best for score in index.get_scores(found)]

    return score


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Let imports take a module for not installed.

    bm25s computes with JAX while it is imported, if it can, and JAX then takes three quarters of a GPU that an engine
    and a learner need. What is asked of it here needs no JAX.
    """
    missing = object()
    there = sys.modules.get(module, missing)
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if there is missing:
            del sys.modules[module]
        else:
            sys.modules[module] = there  # type: ignore[assignment]
