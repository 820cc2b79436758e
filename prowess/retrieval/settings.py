"""The recipe's section [retrieval]."""

from __future__ import annotations

from dataclasses import dataclass

from prowess.errors import RecipeError, check_range

LIKENESS = {"query_embedding": (-1.0, 1.0), "skill_embedding": (-1.0, 1.0), "bm25": (0.0, 2.5)}
"""Between what a retriever's likeness lies, where it is not 0 and 1: cosines, and BM25, where 1 is an average text with
every word of the request, and one that is short or repeats them comes to more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """Which skills of the library are offered for a task."""

    name: str = "scenario"
    """none, everything, scenario, query_ngram, query_embedding, skill_embedding, bm25, char_ngram, hybrid,
    store, or "module:function"."""
    queries: int = 2
    """For retrievers that compare instructions: how many earlier tasks hand on their skills."""
    top: int = 5
    """For skill_embedding and store, which compare the request with functions: how many skills are offered at most."""
    threshold: float | None = None
    """The least likeness that counts; unless given, the retriever's own (n-gram 0.5 and embedding 0.65 as in the paper,
    hybrid 0.11). It is from 0 to 1, with an embedding from -1 to 1, with bm25 from 0 to 2.5."""
    model: str = "minilm"
    """Embeddings: minilm, or the id or folder of any sentence-transformers model (Qwen/Qwen3-Embedding-0.6B)."""

    store: str = ""
    """The file of the skill store, for the retriever of that name."""
    namespace: str = ""
    """Where in the store to look: a world or an app; everywhere unless given."""
    tokens: int = 4000
    """How long the skills that the store offers may be in a prompt, together."""

    smoke: int = 2
    """How many recorded calls of a skill are repeated in the sandbox before the store offers it; 0 offers it untried.
    The result is kept beside the store as long as skill, world and APIs stay the same."""

    def __post_init__(self) -> None:
        if self.smoke < 0:
            raise RecipeError(f"smoke is {self.smoke}, and cannot be negative", hint="0 offers skills untried")
        check_range(self, 1, "queries", "top", "tokens")
        least, most = LIKENESS.get(self.name, (0.0, 1.0))
        if self.threshold is not None and not least <= self.threshold <= most:
            raise RecipeError(
                f"threshold is {self.threshold:g}; allowed is {least:g} to {most:g}, as likeness is by '{self.name}'",
                hint="leave it out for the retriever's own",
            )

    def at_least(self, usual: float) -> float:
        """The least likeness that counts for a retriever whose own is the usual one."""
        return usual if self.threshold is None else self.threshold
