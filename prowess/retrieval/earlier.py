"""Earlier tasks: the past as a retriever sees it, and how skills are inherited from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prowess.types import LibraryView, Skill, Task


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
