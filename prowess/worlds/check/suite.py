"""What a suite says of itself: its splits, its tasks, and its refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from prowess.types import Suite, Task
from prowess.worlds.check.notes import Notes, shown

T = TypeVar("T")


def splits_of(notes: Notes, suite: Suite) -> list[str]:
    """The sound names of a suite's splits, each once."""
    names = notes.attempt("splits", "splits()", lambda: list(suite.splits()))
    if names is None:
        return []
    good = list(dict.fromkeys(name for name in names if isinstance(name, str) and name))
    if not names or good != names:
        notes.broken("splits", "splits()", shown(names))
    return good


def tasks_of(notes: Notes, suite: Suite, split: str, ids: dict[str, str], homes: dict[str, str]) -> list[Task]:
    """The sound tasks of a split. `ids` and `homes` remember the splits of ids and scenarios seen so far."""
    where = f"tasks({split!r})"
    given = notes.attempt("tasks", where, lambda: list(suite.tasks(split)))
    if given is None:
        return []
    if not given:
        notes.broken("tasks", where, "no task")
    tasks = [task for task in given if _sound(notes, task, where)]
    again = notes.attempt("same tasks", where, lambda: list(suite.tasks(split)))
    if again is not None and again != given:
        notes.broken("same tasks", where, "other tasks the second time")
    last = ""
    number = 0
    for task in tasks:
        place = f"{where}, task {task.id!r}"
        number = number + 1 if task.scenario == last else 1
        if task.id in ids:
            notes.broken("ids", place, f"a second task of this id, the first in split {ids[task.id]!r}")
        elif task.id != f"{task.scenario}_{number}":
            notes.broken("ids", place, f"task {number} of scenario {task.scenario!r}")
        if task.scenario != last and task.scenario in homes:
            notes.broken("scenarios", place, f"scenario {task.scenario!r} was in split {homes[task.scenario]!r}")
        if not task.instruction.strip():
            notes.broken("instruction", place, shown(task.instruction))
        if task.difficulty not in (1, 2, 3):
            notes.broken("difficulty", place, str(task.difficulty))
        ids.setdefault(task.id, split)
        homes.setdefault(task.scenario, split)
        last = task.scenario
    return tasks


def _sound(notes: Notes, task: object, where: str) -> bool:
    if not isinstance(task, Task):
        notes.broken("tasks", where, f"{shown(task)}, which is not a Task")
        return False
    return notes.fits("tasks", where, task)


def refusals(notes: Notes, suite: Suite) -> None:
    """Ask for what does not exist: the suite may give nothing or refuse, but not crash."""
    stranger = Task(id="no such scenario_1", scenario="no such scenario", instruction="Do nothing.")
    notes.refused("tasks('no such split')", lambda: suite.tasks("no such split"))
    notes.refused("open(a task of another suite)", lambda: suite.open(stranger).close())


def spread(things: Sequence[T], count: int) -> list[T]:
    """So many tasks, or other things, evenly from first to last.

    >>> spread(range(10), 3)
    [0, 4, 9]
    """
    if count >= len(things):
        return list(things)
    if count == 1:
        return [things[0]]
    return [things[n * (len(things) - 1) // (count - 1)] for n in range(count)]
