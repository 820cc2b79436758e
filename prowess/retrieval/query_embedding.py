"""Instructions that mean the same: the paper's embedding retrieval."""

from __future__ import annotations

from prowess.retrieval.embedding import embedder
from prowess.retrieval.nearest import Nearest, by_instruction
from prowess.retrieval.settings import RetrievalSettings
from prowess.types import Retriever

PAPER = 0.65
"""The paper's least cosine, for MiniLM."""


def query_embedding(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions have near vectors."""
    model = embedder(settings.model, what="retrieval 'query_embedding'")
    return Nearest(past=by_instruction(model.channel), threshold=settings.at_least(PAPER), queries=settings.queries)
