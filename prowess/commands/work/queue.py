"""Where tasks come from: a split in a drawn order, a file, or standard input. What came is kept in the run.

A line is a task's id, or JSON: `"id"`, `{"id": "..."}`, or a whole task with its scenario and instruction for a suite
that can open tasks it does not list. The run's own list is what is worked on: a file that is edited later changes
nothing about tasks that were read, and lines of standard input are not lost with the process that read them.
"""

from __future__ import annotations

import os
import select
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from prowess.commands.work.ledger import Ledger
from prowess.commands.work.settings import STDIN, WorkSettings
from prowess.errors import ProwessError, RecipeError, StoreError
from prowess.files.codec import from_json, parsed
from prowess.files.disk import read_text
from prowess.seeds import draw
from prowess.text.plural import counted
from prowess.text.terminal import say
from prowess.types import Json, Suite, Task

QUEUE = "queue.jsonl"


class Queue:
    """The tasks of a run, those that came and those to come."""

    def __init__(self, folder: Path, suite: Suite, settings: WorkSettings, *, seed: int, stdin: int = 0) -> None:
        self._came = Ledger(folder / QUEUE, Task)
        self._limit = settings.tasks or sys.maxsize
        self._finder = _Finder(suite, settings.split)
        self._counts: Counter[str] = Counter()
        self._before: list[int] = []
        self._lines: Lines | None = None
        if settings.queue == STDIN:
            self._lines = Lines(stdin, skip=0 if self._came else settings.skip)
        elif len(self._came) < self._limit:
            tasks = self._finder.listed(settings.queue) if settings.queue else _drawn(suite, settings.split, seed)
            self._came.append(*tasks[settings.skip :][len(self._came) : self._limit])
            if not self._came:
                raise RecipeError(
                    f"there is nothing to do: {counted(len(tasks), 'task')}, and work.skip is {settings.skip}",
                    hint="a smaller work.skip; with --compare, which skips what the stream took, a smaller work.tasks",
                )

    def upto(self, first: int, end: int) -> Sequence[Task]:
        """Tasks `first` to `end`, as many as there are; waits for the first of them if it is still to come."""
        while self._lines and len(self._came) <= first and first < self._limit:
            lines = self._lines.take(min(end, self._limit) - len(self._came))
            if not lines:
                break
            self._came.append(*self._finder.understood(lines))
        return self._came.between(first, min(end, self._limit))

    def siblings(self, scenario: str, task: str) -> list[str]:
        """What the other tasks of a scenario ask for, where the suite lists it."""
        return [one.instruction for one in self._finder.scenario(scenario) if one.id != task]

    def repetition(self, place: int) -> int:
        """How often the task at this place came before."""
        for task in self._came.between(len(self._before), place + 1):
            self._before.append(self._counts[task.id])
            self._counts[task.id] += 1
        return self._before[place]


def _drawn(suite: Suite, split: str, seed: int) -> list[Task]:
    tasks = list(suite.tasks(split))
    draw(seed, "work", split).shuffle(tasks)
    return tasks


class _Finder:
    """From a line to a task."""

    def __init__(self, suite: Suite, split: str) -> None:
        self._suite = suite
        self._splits = [split, *(other for other in suite.splits() if other != split)]
        self._known: dict[str, Task] = {}
        self._scenarios: dict[str, list[Task]] = {}

    def listed(self, queue: str) -> list[Task]:
        """The tasks of a file; a line that names none is an error."""
        if not Path(queue).exists() or Path(queue).is_dir():
            what = "is a folder" if Path(queue).is_dir() else "is not there"
            raise RecipeError(
                f"work.queue: the file '{queue}' {what}",
                hint=f"name a file with a task id or JSON on each line, or '{STDIN}' for standard input; "
                "without a queue, the tasks of work.split are worked on",
            )
        tasks = []
        try:
            text = read_text(Path(queue))
        except StoreError as error:
            raise RecipeError(f"work.queue: {error.message}", hint=error.hint or "save the file as UTF-8") from None
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    tasks.append(self._task(line))
                except ProwessError as error:
                    raise RecipeError(f"{queue}:{number}: {error.message}", hint=error.hint) from None
        return tasks

    def understood(self, lines: Sequence[str]) -> list[Task]:
        """The tasks of lines that somebody typed; one that names none is said and passed over."""
        tasks = []
        for line in lines:
            try:
                tasks.append(self._task(line))
            except ProwessError as error:
                say(f"passed over: {error}")
        return tasks

    def _task(self, line: str) -> Task:
        data = _read(line.strip())
        if isinstance(data, Mapping) and "instruction" in data:
            return from_json(Task, {"facts": {}, "difficulty": 1, **data})
        id = data.get("id") if isinstance(data, Mapping) else data
        if not isinstance(id, str):
            raise RecipeError(f"{line[:80]!r} names no task", hint='an id, {"id": "..."}, or a whole task as JSON')
        while id not in self._known and self._splits:
            self._list()
        if id not in self._known:
            raise RecipeError(f"the suite has no task '{id[:80]}'", hint="see the suite's settings, or give it whole")
        return self._known[id]

    def scenario(self, name: str) -> Sequence[Task]:
        """The tasks of a scenario, which lie in one split."""
        while name not in self._scenarios and self._splits:
            self._list()
        return self._scenarios.get(name, ())

    def _list(self) -> None:
        """Get to know the next split: none is listed before it is needed."""
        for task in self._suite.tasks(self._splits.pop(0)):
            self._known[task.id] = task
            self._scenarios.setdefault(task.scenario, []).append(task)


def _read(line: str) -> Json:
    """A line as JSON, where it looks like it; else the line itself."""
    if not line.startswith(("{", '"', "[")):
        return line
    try:
        return parsed(line)
    except StoreError:
        raise RecipeError(f"{line[:80]!r} is not JSON") from None


class Lines:
    """Lines of a stream as they arrive, without waiting for more than is asked for."""

    def __init__(self, handle: int, *, skip: int = 0) -> None:
        self._handle, self._skip = handle, skip
        self._rest, self._open = b"", True

    def take(self, limit: int) -> list[str]:
        """Lines that are there, at most so many; waits for one. None at the end of the stream."""
        found: list[str] = []
        while len(found) < limit:
            line, end, rest = self._rest.partition(b"\n")
            if end or (not self._open and line):
                self._rest = rest
                text = line.decode(errors="replace").strip()
                if text and self._skip:
                    self._skip -= 1
                elif text:
                    found.append(text)
            elif not self._open or (found and not select.select([self._handle], [], [], 0)[0]):
                break
            else:
                more = os.read(self._handle, 1 << 16)
                self._open, self._rest = bool(more), self._rest + more
        return found
