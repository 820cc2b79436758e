"""A scenario's references side by side: the same stages with other values.

The tasks of a scenario are solved in the same way, so the steps of their references fall into the same stages: all
calls of one API with the same arguments named. What differs between the tasks, and between the calls of a stage, is
what a function has to take as a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from prowess.types import Json
from prowess_appworld.demonstrator.trace import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """One task of a scenario, with all that is known of its solution."""

    id: str
    instruction: str
    now: datetime
    email: str
    values: Mapping[str, Json]
    """What the instruction says, by name: AppWorld's public data of the task."""
    steps: tuple[Step, ...]
    """Without the completing one."""
    answer: Json = None
    asks: bool = False
    """True when the task is a question."""


Key = tuple[str, str, tuple[str, ...], bool]
"""App, API, names of the arguments, and whether it is read page by page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """All calls of one API with the same arguments named, task by task."""

    app: str
    api: str
    arguments: tuple[str, ...]
    paged: bool
    signed: bool
    reads: bool
    runs: tuple[tuple[Step, ...], ...]
    """The calls of each task, in order; none where the task has no such stage."""

    @property
    def key(self) -> Key:
        return (self.app, self.api, self.arguments, self.paged)

    @property
    def constants(self) -> Mapping[str, Json]:
        """Arguments that are the same in every call of every task."""
        found = {name: self.all(name) for name in self.arguments}
        return {n: values[0] for n, values in found.items() if len(_distinct(values)) == 1 and not _owned(n, values[0])}

    @property
    def scalars(self) -> tuple[str, ...]:
        """Arguments with one value a task."""
        fixed = self.constants
        return tuple(
            name for name in self.arguments if name not in fixed and all(len(_distinct(v)) <= 1 for v in self.by(name))
        )

    @property
    def each(self) -> tuple[str, ...]:
        """Arguments that differ from call to call within a task."""
        fixed, scalars = self.constants, self.scalars
        return tuple(name for name in self.arguments if name not in fixed and name not in scalars)

    @property
    def optional(self) -> tuple[str, ...]:
        """Arguments that some tasks leave out."""
        return tuple(name for name in self.arguments if None in self.all(name))

    @property
    def many(self) -> bool:
        """True when some task makes several of these calls."""
        return any(len(run) > 1 for run in self.runs)

    @property
    def balks(self) -> bool:
        """True when AppWorld refuses some of these calls."""
        return any(step.refused for run in self.runs for step in run)

    def by(self, argument: str) -> list[list[Json]]:
        """The values of an argument, task by task."""
        return [[step.arguments[argument] for step in run] for run in self.runs]

    def all(self, argument: str) -> list[Json]:
        return [value for values in self.by(argument) for value in values]

    def answers(self, sibling: int) -> list[Json]:
        """What was read: the entries of lists, one after the other, or the answers themselves."""
        found: list[Json] = []
        for step in self.runs[sibling]:
            if isinstance(step.answer, list):
                found += step.answer
            elif step.answer is not None:
                found.append(step.answer)
        return found

    @property
    def lists(self) -> bool:
        """True when one call answers with a list."""
        return any(isinstance(step.answer, list) for run in self.runs for step in run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The tasks of a scenario and their common stages, in an order that suits all of them."""

    siblings: tuple[Sibling, ...]
    stages: tuple[Stage, ...] = field(default_factory=tuple)


def aligned(siblings: Sequence[Sibling]) -> Scenario:
    """Find the stages of a scenario."""
    runs: dict[Key, list[list[Step]]] = {}
    order: list[Key] = []
    for number, sibling in enumerate(siblings):
        before = -1
        for step in sibling.steps:
            key = (step.app, step.api, tuple(step.arguments), step.paged)
            if key not in runs:
                runs[key] = [[] for _ in siblings]
                order.insert(before + 1, key)
            before = max(before, order.index(key))
            calls = runs[key][number]
            if not step.reads or all(step.arguments != known.arguments for known in calls):
                calls.append(step)
    for key in [*order]:
        if (other := _wider(key, runs)) is not None:
            order.remove(key)
            narrow = runs.pop(key)
            for number, calls in enumerate(narrow):
                runs[other][number] = runs[other][number] or [_widened(step, other[2]) for step in calls]
    return Scenario(
        siblings=tuple(siblings),
        stages=tuple(_stage(key, [tuple(run) for run in runs[key]]) for key in order),
    )


def _wider(key: Key, runs: Mapping[Key, Sequence[Sequence[Step]]]) -> Key | None:
    """The same stage with an argument more, which the tasks of this one leave out; or read to its end."""
    app, api, arguments, paged = key
    for other, calls in runs.items():
        if other == key or other[:2] != (app, api):
            continue
        apart = not any(mine and theirs for mine, theirs in zip(runs[key], calls, strict=True))
        if set(arguments) < set(other[2]) and paged == other[3] and apart:
            return other
        if arguments == other[2] and not paged and other[3] and all(calls):
            return other
    return None


def _widened(step: Step, arguments: Sequence[str]) -> Step:
    """A call that says of every argument left out that it is left out."""
    return replace(step, arguments={name: step.arguments.get(name) for name in arguments})


def _stage(key: Key, runs: Sequence[tuple[Step, ...]]) -> Stage:
    app, api, arguments, paged = key
    one = next(step for run in runs for step in run)
    return Stage(
        app=app, api=api, arguments=arguments, paged=paged, signed=one.signed, reads=one.reads, runs=tuple(runs)
    )


def same(one: Json, other: Json) -> bool:
    """Equal, and not by chance of types: 1 is not True."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _owned(name: str, value: Json) -> bool:
    """True for what belongs to a task even where it is the same in all of them: ids and dates."""
    return name.endswith("_id") or (isinstance(value, str) and bool(re.match(r"\d{4}-\d\d-\d\d", value)))


def _distinct(values: Sequence[Json]) -> list[Json]:
    found: list[Json] = []
    for value in values:
        if not any(same(value, known) for known in found):
            found.append(value)
    return found
