"""Retrievers that rank nothing: no skill, every skill, or those of the same scenario (the paper's default)."""

from __future__ import annotations

from prowess.retrieval.earlier import one_per_name, others
from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task


def none(settings: RetrievalSettings) -> Retriever:
    """Offers nothing."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        return []

    return retrieve


def everything(settings: RetrievalSettings) -> Retriever:
    """Offers every skill of the library but the task's own; of several with one name the last."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        return list({skill.name: skill for skill in library.skills if skill.origin.task != task.id}.values())

    return retrieve


def scenario(settings: RetrievalSettings) -> Retriever:
    """Offers what the siblings of a task left; a task without a label has no siblings."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        if not task.scenario:
            return []
        return one_per_name(skill for skill in others(library, task) if skill.origin.scenario == task.scenario)

    return retrieve
