"""Earlier tasks: how alike they are to the new one, and how it inherits their skills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from prowess.retrieval.memo import Memo
from prowess.types import LibraryView, Skill, Task

Scorer = Callable[[str], Sequence[float]]
"""How alike a request is to each of the texts it was made for: 0 for nothing in common, about 1 for the same."""

Channel = Callable[[Sequence[str]], Scorer]
"""Makes the scorer of some texts, doing once what need not be done for every request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A task that left skills in the library."""

    instruction: str
    skills: tuple[Skill, ...]


def others(library: LibraryView, task: Task) -> list[Skill]:
    """The skills that were not written for this very task: no task is helped by its own solution."""
    return [skill for skill in library.skills if not skill.origin.task or skill.origin.task != task.id]


def earlier_tasks(library: LibraryView, task: Task) -> tuple[Earlier, ...]:
    """The other tasks with their skills, in the order in which they came to the library."""
    found: dict[tuple[str, str], list[Skill]] = {}
    for skill in others(library, task):
        found.setdefault((skill.origin.task, skill.origin.instruction), []).append(skill)
    return tuple(Earlier(instruction=key[1], skills=tuple(skills)) for key, skills in found.items())


def one_per_name(skills: Iterable[Skill]) -> list[Skill]:
    """The first of each name: two functions of one name cannot be loaded side by side."""
    found: dict[str, Skill] = {}
    for skill in skills:
        found.setdefault(skill.name, skill)
    return list(found.values())


def ranked(scores: Sequence[float], *, at_least: float) -> list[int]:
    """Places of the scores that are high enough, best first; equal ones stay in the order in which they came.

    >>> ranked([0.2, 0.9, 0.2, 0.1], at_least=0.2)
    [1, 0, 2]
    """
    rounded = [round(float(score), 6) for score in scores]  # so that the order of additions cannot decide
    good = [place for place, score in enumerate(rounded) if score >= at_least]
    return sorted(good, key=lambda place: (-rounded[place], place))


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
