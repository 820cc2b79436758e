"""The examination of a suite: every split read, a few of its tasks visited."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from statistics import median

from prowess.types import Suite
from prowess.worlds.check.findings import Findings, Problem, SplitNote
from prowess.worlds.check.notes import Notes
from prowess.worlds.check.odd import Api, apis_named, named_in
from prowess.worlds.check.rules import FINISH
from prowess.worlds.check.suite import refusals, splits_of, spread, tasks_of
from prowess.worlds.check.visits import Visits


def check(suite: Suite, *, tasks: int = 3, finish: str = FINISH, apis: Sequence[str] = ()) -> tuple[Problem, ...]:
    """What breaks the contract, looking at so many tasks of each split; nothing when all is well."""
    return examine(suite, tasks=tasks, finish=finish, apis=apis).problems


def examine(suite: Suite, *, tasks: int = 3, finish: str = FINISH, apis: Sequence[str] = ()) -> Findings:
    """The same with what was seen on the way. `finish` is code that marks any task of the suite complete; `apis` are
    APIs to try besides those that the world lists, as `app.api`."""
    named = apis_named(apis)
    # On a thread, because that is where worlds are played.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="check") as pool:
        return pool.submit(_examined, suite, tasks, finish, named).result()


def _examined(suite: Suite, sample: int, finish: str, named: Sequence[Api]) -> Findings:
    notes, seen = Notes(), []
    visits = Visits(notes, suite, finish, named)
    ids: dict[str, str] = {}
    homes: dict[str, str] = {}
    for split in splits_of(notes, suite):
        tasks = tasks_of(notes, suite, split, ids, homes)
        sizes = [len(list(group)) for _, group in groupby(tasks, key=lambda task: task.scenario)]
        seen.append(
            SplitNote(name=split, tasks=len(tasks), scenarios=len(sizes), single=sum(size == 1 for size in sizes))
        )
        for number, task in enumerate(spread(tasks, sample)):
            where = f"split {split!r}, task {task.id!r}"
            visits.visit(task, where, weigh=number == 0)
            if number == 0:
                visits.visit_oddly(task, where)
    refusals(notes, suite)
    return Findings(
        problems=notes.in_order,
        splits=tuple(seen),
        opened=visits.opened,
        open_ms=1000 * median(visits.times) if visits.times else float("nan"),
        tried=tuple(f"{app}.{api}" for app, api, *_ in (*named_in(finish), *named)) if visits.unlisted else (),
        open_kb=max(visits.sizes, default=0) / 1000,
    )
