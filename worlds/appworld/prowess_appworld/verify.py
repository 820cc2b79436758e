"""Verify an AppWorld that was set up: every task opens, and its reference solution leads where it led before.

    prowess appworld verify --split dev

Each task is opened twice and the reference is replayed on both: the second must score 1.0 against the first, and a
world in which nothing was done must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace

from prowess.errors import ProwessError
from prowess.figures.tables import Cell, Grid, Row
from prowess.types import Task
from prowess_appworld.grading import grade
from prowess_appworld.world import AppWorldSuite


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one task. Holds nothing of its content."""

    task: str
    scenario: str
    difficulty: int
    tried: bool = True
    """False when it broke on the way."""
    replayed: bool = False
    """The reference scored 1.0 on a second world."""
    idle: float = 0.0
    """The score of doing nothing."""
    refused: int = 0
    """Calls of the reference that AppWorld refuses, as some are meant to be."""
    official: bool | None = None
    """AppWorld's own evaluation passes the reference; None where its program is not there."""
    trouble: str = ""
    """What is wrong; empty when all is well."""


def verify(
    suite: AppWorldSuite, tasks: Sequence[Task], *, workers: int, watch: Callable[[Outcome], None] = lambda _: None
) -> list[Outcome]:
    """Try every task; outcomes in the order of the tasks."""
    found: dict[str, Outcome] = {}
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="verify") as pool:
        futures = [pool.submit(_tried, suite, task) for task in tasks]
        try:
            for future in as_completed(futures):
                outcome = future.result()
                found[outcome.task] = outcome
                watch(outcome)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [found[task.id] for task in tasks]


def _tried(suite: AppWorldSuite, task: Task) -> Outcome:
    about = Outcome(task=task.id, scenario=task.scenario, difficulty=task.difficulty)
    try:
        reference = suite.reference(task)
        with closing(suite.open(task)) as world:
            idle = grade(reference, world.state()).fraction
            refused = world.replay()
            again = grade(reference, world.state())
            official = world.evaluate().success if suite.official(task) else None
    except ProwessError as problem:
        return replace(about, tried=False, trouble=problem.message)
    troubles = [
        *([] if again.success else [f"the reference scores {again.fraction:.2f} when it is played again"]),
        *([] if idle < 1 else ["doing nothing scores 1.0"]),
    ]
    return replace(
        about, replayed=again.success, idle=idle, refused=refused, official=official, trouble="; ".join(troubles)
    )


def outcomes_grid(outcomes: Sequence[Outcome]) -> Grid:
    """The outcomes as a table: all of them, and by difficulty."""
    levels = sorted({outcome.difficulty for outcome in outcomes})
    groups = [outcomes, *([one for one in outcomes if one.difficulty == level] for level in levels)]

    def row(head: str, count: Callable[[Sequence[Outcome]], int], *, bad: bool = False) -> Row:
        counts = [count(group) for group in groups]
        return Row(head=head, cells=tuple(Cell(text=str(n), tone="bad" if bad and n else "") for n in counts))

    return Grid(
        columns=("all", *(f"difficulty {level}" for level in levels)),
        rows=(
            row("tasks", len),
            row("scenarios", lambda group: len({one.scenario for one in group})),
            row("reference scores 1.0", lambda group: sum(one.replayed for one in group)),
            row("doing nothing scores < 1", lambda group: sum(one.tried and one.idle < 1 for one in group)),
            row("calls refused by design", lambda group: sum(one.refused for one in group)),
            row("evaluation by replay", lambda group: sum(one.tried for one in group)),
            row("official evaluation there", lambda group: sum(one.official is not None for one in group)),
            row("  the reference passes it", lambda group: sum(bool(one.official) for one in group)),
            row("failed", lambda group: sum(bool(one.trouble) for one in group), bad=True),
        ),
    )
