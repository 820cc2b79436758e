"""The recipe's section [retrieval]."""

from __future__ import annotations

from dataclasses import dataclass

from opensage.errors import RecipeError


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """Which skills of the library are offered for a task."""

    name: str = "scenario"
    """none, everything, scenario, query_ngram, query_embedding, skill_embedding, bm25, char_ngram, hybrid, or
    "module:function"."""
    queries: int = 2
    """How many earlier tasks hand on their skills, for the retrievers that compare instructions."""
    top: int = 5
    """How many skills are offered at most by skill_embedding, which compares the instruction with the functions."""
    threshold: float | None = None
    """The least likeness that counts; the retriever's own unless given (n-gram 0.5, embedding 0.65: the paper's)."""
    model: str = "minilm"
    """Embeddings: minilm, or the id or folder of any sentence-transformers model (Qwen/Qwen3-Embedding-0.6B)."""

    def __post_init__(self) -> None:
        for name in ("queries", "top"):
            if getattr(self, name) < 1:
                raise RecipeError(f"{name} is {getattr(self, name)}, and must be at least 1")
