"""A retriever of your own: it offers the skills whose words the task shares, the closest first.

PYTHONPATH=examples prowess evaluate expert --set retrieval.name=own_retriever:by_words
"""

from __future__ import annotations

import re

from prowess.types import LibraryView, Skill, Task

OFFERED = 3
"""How many skills a task is offered at most."""


def by_words(library: LibraryView, task: Task) -> list[Skill]:
    """Skills of the library, the best first. The agent is offered these and no others."""
    wanted = words(task.instruction)
    shared = {skill.name: len(wanted & words(f"{skill.name} {skill.docstring}")) for skill in library.skills}
    found = [skill for skill in library.skills if shared[skill.name]]
    return sorted(found, key=lambda skill: -shared[skill.name])[:OFFERED]


def words(text: str) -> set[str]:
    """The words of a text, in small letters; `pay_rent` is two.

    >>> sorted(words("Pay the rent: pay_rent(3)"))
    ['pay', 'rent', 'the']
    """
    return set(re.findall(r"[a-z]{3,}", text.lower()))
