"""Skills inherited from the earlier tasks that are nearest to the new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from prowess.retrieval.channel import Channel, Scorer
from prowess.retrieval.earlier import Earlier, earlier_tasks, one_per_name, ranked
from prowess.retrieval.memo import Memo
from prowess.types import LibraryView, Skill, Task

SOMETHING = 1e-6
"""The threshold of a retriever that has none: anything in common."""

Past = Callable[[Sequence[Earlier]], Scorer]
"""A channel over earlier tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """Ranks the earlier tasks and hands on the skills of the first few."""

    past: Past
    threshold: float
    queries: int
    _scorers: Memo[tuple[Earlier, ...], Scorer] = field(default_factory=lambda: Memo(size=8), compare=False, repr=False)

    def __call__(self, library: LibraryView, task: Task, /) -> list[Skill]:
        tasks = earlier_tasks(library, task)
        if not tasks:
            return []
        scores = self._scorers(tasks, lambda: self.past(tasks))(task.instruction)
        nearest = ranked(scores, at_least=self.threshold)[: self.queries]
        return one_per_name(skill for place in nearest for skill in tasks[place].skills)


def by_instruction(channel: Channel) -> Past:
    """Compares a request with what was asked for."""
    return lambda tasks: channel([task.instruction for task in tasks])


def by_description(channel: Channel) -> Past:
    """Compares a request with what was asked for and what the skills made for it say that they do."""
    return lambda tasks: channel([_description(task) for task in tasks])


def _description(task: Earlier) -> str:
    return "\n".join([task.instruction, *(f"{skill.name} {skill.docstring}" for skill in task.skills)])
