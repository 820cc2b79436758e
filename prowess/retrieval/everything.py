"""All there is: for chains, whose library holds nothing but what the tasks before saved."""

from __future__ import annotations

from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task


def everything(settings: RetrievalSettings) -> Retriever:
    """Offers every skill of the library but the task's own; of several with one name the last."""

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        return list({skill.name: skill for skill in library.skills if skill.origin.task != task.id}.values())

    return retrieve
