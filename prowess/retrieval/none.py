"""No skills at all: the baseline."""

from __future__ import annotations

from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task


def none(settings: RetrievalSettings) -> Retriever:
    """Offers nothing."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        return []

    return retrieve
