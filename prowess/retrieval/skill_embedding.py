"""Functions that mean what is asked for: the paper's skill embedding (there with Qwen3-Embedding-0.6B)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from prowess.retrieval.earlier import one_per_name, others, ranked
from prowess.retrieval.embedding import embedder
from prowess.retrieval.memo import Memo
from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task

if TYPE_CHECKING:
    from numpy.typing import NDArray


def skill_embedding(settings: RetrievalSettings) -> Retriever:
    """Offers the functions whose name, docstring and source are nearest to the instruction."""
    model = embedder(settings.model, what="retrieval 'skill_embedding'")
    threshold = settings.at_least(-1.0)
    matrices: Memo[tuple[str, ...], NDArray[Any]] = Memo(size=8)

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        skills = others(library, task)
        if not skills:
            return []
        texts = tuple(_text(skill) for skill in skills)
        scores: Sequence[float] = list(
            matrices(texts, lambda: model.vectors(texts, "document")) @ model.vector(task.instruction)
        )
        return one_per_name(skills[place] for place in ranked(scores, at_least=threshold))[: settings.top]

    return retrieve


def _text(skill: Skill) -> str:
    return f"{skill.name}\n{skill.docstring}\n{skill.source}"
