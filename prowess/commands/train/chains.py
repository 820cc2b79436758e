"""Which tasks follow each other in training: siblings of a scenario, or tasks whose instructions are alike.

The paper draws, for every scenario of a step, two of its three tasks at random, in order. Its label-free variant builds
chains from neighbours by instruction instead (there by embeddings, here by runs of letters): no scenario label is
needed, so it works for any stream of tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from random import Random
from typing import TypeVar

from prowess.commands.train.settings import TrainSettings
from prowess.errors import RecipeError
from prowess.seeds import draw
from prowess.types import Chain, Suite, Task

T = TypeVar("T")


def chains_for(
    suite: Suite, settings: TrainSettings, *, seed: int, count: int | None = None, before: Sequence[Chain] = ()
) -> list[Chain]:
    """The chains of one step; or so many others, after those of it that were drawn `before`."""
    choose = chains_by_label if settings.pairs == "label" else chains_by_likeness
    tasks = suite.tasks(settings.split)
    if not tasks:
        raise RecipeError(
            f"the split '{settings.split}' holds no task to learn from",
            hint=f"train.split may be {', '.join(suite.splits())}",
        )
    if settings.last:
        late = {*list(dict.fromkeys(task.scenario for task in tasks))[-settings.last :]}
        tasks = [task for task in tasks if task.scenario in late]
    wanted = settings.chains if count is None else count
    return choose(tasks, count=wanted, length=settings.length, seed=seed, before=before)


def chains_by_label(
    tasks: Sequence[Task], *, count: int, length: int, seed: int, before: Sequence[Chain] = ()
) -> list[Chain]:
    """So many chains, each of random siblings in random order; scenarios are gone through before one comes again."""
    scenarios = [tuple(siblings) for _, siblings in groupby(tasks, key=lambda task: task.scenario)]
    rng = draw(seed, "label")
    turns = _in_turn(scenarios, count, rng, _times(scenarios, before))
    return [tuple(rng.sample(siblings, min(length, len(siblings)))) for siblings in turns]


def chains_by_likeness(
    tasks: Sequence[Task], *, count: int, length: int, seed: int, neighbours: int = 4, before: Sequence[Chain] = ()
) -> list[Chain]:
    """So many chains, each a random task followed by random ones of those whose instructions are nearest to it."""
    rng = draw(seed, "likeness")
    found = []
    for first in _in_turn(tasks, count, rng, _times([(task,) for task in tasks], before)):
        near = sorted(
            (task for task in tasks if task.id != first.id),
            key=lambda task: (-likeness(first.instruction, task.instruction), task.id),
        )[: max(neighbours, length - 1)]
        found.append((first, *rng.sample(near, min(length - 1, len(near)))))
    return found


def likeness(one: str, other: str) -> float:
    """How alike two instructions are: the share of their runs of three letters that both have, in [0, 1].

    >>> round(likeness("like every song", "like each song"), 2), likeness("a", "zebra")
    (0.65, 0.0)
    """
    ours, theirs = _trigrams(one), _trigrams(other)
    shared = sum((ours & theirs).values())
    return 2 * shared / ((ours.total() + theirs.total()) or 1)


@lru_cache(maxsize=16_384)
def _trigrams(text: str) -> Counter[str]:
    padded = f"  {text.lower()} "
    return Counter(padded[n : n + 3] for n in range(len(padded) - 2))


def _times(firsts: Sequence[Sequence[Task]], before: Sequence[Chain]) -> list[int]:
    """How many chains began with one of these tasks, set by set."""
    begun = Counter(chain[0].id for chain in before)
    return [sum(begun[task.id] for task in tasks) for tasks in firsts]


def _in_turn(items: Sequence[T], count: int, rng: Random, times: Sequence[int]) -> list[T]:
    """So many items in random order, those that came the fewest `times` first: every one before one comes again."""
    often = list(times)
    found: list[int] = []
    while len(found) < count:
        least = [n for n, time in enumerate(often) if time == min(often)]
        drawn = rng.sample(least, min(len(least), count - len(found)))
        for n in drawn:
            often[n] += 1
        found += drawn
    return [items[n] for n in found]
