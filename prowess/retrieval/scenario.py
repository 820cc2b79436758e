"""The skills of the same scenario, by its label: the paper's default, in training and in evaluation."""

from __future__ import annotations

from prowess.retrieval.earlier import one_per_name, others
from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task


def scenario(settings: RetrievalSettings) -> Retriever:
    """Offers what the siblings of a task left; a task without a label has no siblings."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        if not task.scenario:
            return []
        return one_per_name(skill for skill in others(library, task) if skill.origin.scenario == task.scenario)

    return retrieve
