"""Words, letters and meaning together: reciprocal rank fusion of three channels.

Plain fusion trusts every channel alike, and two channels that found next to nothing outvote the one that understood.
Here a channel's vote counts as much as the likeness it saw, cubed:

    fused(task) = sum over channels of likeness(task)^3 / (60 + rank(task))

so shared wording is decided by all three, and a reworded request mostly by its meaning. With this power fusion is as
good as its best channel, or better, on desk's train and dev splits.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from prowess.retrieval.bm25 import shared_words
from prowess.retrieval.earlier import Earlier, Nearest, Past, Scorer, by_description, by_instruction
from prowess.retrieval.embedding import embedder, installed
from prowess.retrieval.minilm import MINILM
from prowess.retrieval.ngrams import char_runs
from prowess.retrieval.settings import RetrievalSettings
from prowess.store.search.fuse import votes as votes_of
from prowess.types import Retriever

log = logging.getLogger(__name__)

ENOUGH = 0.11
"""The least that counts with all three channels: what strangers share stays below it four times in five."""
ENOUGH_OF_WORDS = 0.035
"""The same without the embedding channel."""


def hybrid(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks that all channels together find nearest."""
    channels = [by_description(shared_words), by_instruction(char_runs)]
    enough = ENOUGH_OF_WORDS
    if installed(settings.model) or settings.model != MINILM:
        model = embedder(settings.model, what=f"retrieval.model '{settings.model}'")
        channels.append(by_instruction(model.channel))
        enough = ENOUGH
    else:
        log.warning(
            "retrieval 'hybrid' runs without its embedding channel and will miss reworded requests\n"
            "hint: pip install 'prowess[embeddings]'"
        )
    return Nearest(past=fused(channels), threshold=settings.at_least(enough), queries=settings.queries)


def fused(channels: Sequence[Past]) -> Past:
    """One channel out of several; 1 for a task that all of them find first and the same."""

    def past(tasks: Sequence[Earlier]) -> Scorer:
        scorers = [channel(tasks) for channel in channels]

        def score(request: str) -> list[float]:
            votes = [votes_of(scorer(request)) for scorer in scorers]
            return [sum(of_task) / len(votes) for of_task in zip(*votes, strict=True)]

        return score

    return past
