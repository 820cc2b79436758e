"""Words, letters and meaning together: reciprocal rank fusion of three channels.

Plain fusion trusts every channel alike, and two channels that found next to nothing outvote the one that understood.
Here a channel's vote counts as much as the likeness it saw, cubed:

    fused(task) = sum over channels of likeness(task)^3 / (60 + rank(task))

so shared wording is decided by all three, and a reworded request mostly by its meaning. The power was chosen among 12
settings on desk's train and dev splits (docs/retrieval.md).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from opensage.retrieval.bm25 import shared_words
from opensage.retrieval.channel import Scorer
from opensage.retrieval.char_ngram import char_runs
from opensage.retrieval.earlier import Earlier
from opensage.retrieval.embedding import MINILM, embedder, installed
from opensage.retrieval.nearest import SOMETHING, Nearest, Past, by_description, by_instruction
from opensage.retrieval.settings import RetrievalSettings
from opensage.types import Retriever

RANKS = 60
"""How little the first ranks stand out: the usual constant of reciprocal rank fusion."""

POWER = 3
"""How much more a strong likeness counts than a weak one; 0 would be plain reciprocal rank fusion."""

log = logging.getLogger(__name__)


def hybrid(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks that all channels together find nearest."""
    channels = [by_description(shared_words), by_instruction(char_runs)]
    if installed(settings.model) or settings.model != MINILM:
        model = embedder(settings.model, what=f"retrieval.model '{settings.model}'")
        channels.append(by_instruction(model.channel))
    else:
        log.warning(
            "retrieval 'hybrid' runs without its embedding channel and will miss reworded requests\n"
            "hint: pip install 'opensage[embeddings]'"
        )
    threshold = SOMETHING if settings.threshold is None else settings.threshold
    return Nearest(past=fused(channels), threshold=threshold, queries=settings.queries)


def fused(channels: Sequence[Past]) -> Past:
    """One channel out of several; 1 for a task that all of them find first and the same."""

    def past(tasks: Sequence[Earlier]) -> Scorer:
        scorers = [channel(tasks) for channel in channels]

        def score(request: str) -> list[float]:
            votes = [_votes(scorer(request)) for scorer in scorers]
            return [sum(of_task) / len(votes) for of_task in zip(*votes, strict=True)]

        return score

    return past


def _votes(scores: Sequence[float]) -> list[float]:
    """What a channel gives each task: its likeness, cubed, over the rank, equal likeness sharing the better rank."""
    likeness = [min(max(round(score, 6), 0.0), 1.0) for score in scores]
    rank: dict[float, int] = {}
    for place, each in enumerate(sorted(likeness, reverse=True), start=1):
        rank.setdefault(each, place)
    return [each**POWER * (RANKS + 1) / (RANKS + rank[each]) for each in likeness]
