"""Check: tell the author of a world what breaks the contract of `opensage.types.Suite` and `World`.

    opensage check my_world:suite

Reads every split, opens a few tasks of each, and talks to them as the agent does: on a thread of its own, with several
worlds open at a time. `RULES` is the contract in words; a `Problem` says which rule is broken, where, and what was
found instead.
"""

from __future__ import annotations

import re
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median
from typing import TypeVar

from opensage.errors import OpensageError, StoreError
from opensage.record import to_json
from opensage.types import Observation, Suite, Task, Verdict, World

T = TypeVar("T")

FINISH = "apis.supervisor.complete_task()"
"""Code that marks a task complete, as the prompts that ship tell it to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One clause of the contract."""

    expected: str
    hint: str


RULES = {
    "splits": Rule(
        expected="splits() names at least one split, each once, as text",
        hint='return a tuple of names such as ("train", "dev")',
    ),
    "tasks": Rule(
        expected="tasks(split) holds at least one opensage.types.Task with fields of their types, facts as text",
        hint="build Task(id=..., scenario=..., instruction=..., facts={'name': 'Ada'}, difficulty=1)",
    ),
    "same tasks": Rule(
        expected="tasks(split) gives the same tasks whenever it is asked",
        hint="draw from a seed of the suite's own (opensage.seeds.draw), never from the global generator or the clock",
    ),
    "ids": Rule(
        expected="ids are unique in the suite and read `<scenario>_<n>`, n ascending from 1 within a scenario",
        hint="name the tasks of scenario 'pay_rent' pay_rent_1, pay_rent_2, pay_rent_3",
    ),
    "scenarios": Rule(
        expected="tasks of a scenario follow each other in one split",
        hint="give the tasks scenario by scenario; a scenario in two splits leaks what was learned into the test",
    ),
    "instruction": Rule(
        expected="the instruction says what to do",
        hint="write it as a supervisor would; it is all that the agent is told besides the facts",
    ),
    "difficulty": Rule(expected="the difficulty is 1, 2 or 3", hint="reports group by it; 1 when you do not grade"),
    "open": Rule(
        expected="open(task) gives a world of its own, on any thread, as often as asked",
        hint="keep no world in the suite; signals and asyncio.run work on the main thread only",
    ),
    "fresh": Rule(expected="a world is not done when it is opened", hint="done turns true when the agent completes"),
    "observation": Rule(
        expected="execute(code) returns an opensage.types.Observation with fields of their types and raises nothing",
        hint="what the agent's code raises belongs into the text, with failed=True; tuples, not lists",
    ),
    "silent": Rule(
        expected="code that prints nothing gives 'Execution successful.'", hint="skills are loaded by such blocks"
    ),
    "printed": Rule(expected="what the code prints is in the text", hint="capture standard output"),
    "persists": Rule(
        expected="what a block defines is there in the next, also after one that failed",
        hint="one namespace per world, kept over execute calls",
    ),
    "failure": Rule(
        expected="code that raises or does not parse gives failed=True and a text beginning "
        "'Execution failed. Traceback' that names the exception, or what is wrong with the syntax",
        hint="put 'Execution failed. Traceback:' before the traceback",
    ),
    "blank": Rule(
        expected="blank code gives 'No code available to execute.' and failed=True", hint="test code.strip() first"
    ),
    "calls": Rule(
        expected="a function of an earlier block that this block calls is in calls once, with the number of the "
        "execute call that defined it, counted from 0, and the exception if one left it",
        hint="opensage.sandbox traces this for you; every execute call counts, failed and blank ones too",
    ),
    "own functions": Rule(
        expected="what a block defines itself, or only mentions, is not in calls",
        hint="a function defined again and called in the same block is not a use of the earlier one",
    ),
    "independent": Rule(
        expected="two open worlds of one task know nothing of each other",
        hint="namespaces and state are made in open, not shared on the suite or a module",
    ),
    "verdict": Rule(
        expected="evaluate() returns an opensage.types.Verdict with at least one check and raises nothing",
        hint="Verdict(passed=('paid',), failed=('nothing else changed',)): names of checks on the final state",
    ),
    "idle": Rule(
        expected="doing nothing does not succeed, nor does completing the task at once",
        hint="check that what was asked for has happened, not only that nothing is broken",
    ),
    "alike": Rule(
        expected="two worlds of one task that saw the same evaluate alike",
        hint="the same checks in the same order; no clock, no global random generator, no set order",
    ),
    "completes": Rule(
        expected="after the code that completes the task, done is true for world and observation",
        hint="where your world completes in another way, check(suite, finish='the code that does it')",
    ),
    "apis": Rule(
        expected="APIs that a block called are in apis, in order, as 'app.api'",
        hint="record them where the host answers the call",
    ),
    "close": Rule(expected="close() may be called twice and raises nothing", hint="do nothing the second time"),
    "errors": Rule(
        expected="what the suite or a closed world refuses, it refuses with an error of opensage.errors",
        hint="raise WorldError('what happened', hint='what to do'), or unknown('split', name, known)",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A rule that is broken."""

    rule: str
    where: str
    """The first place it was seen."""
    found: str
    """What was there instead."""
    expected: str
    hint: str
    times: int = 1
    """In how many places it was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitNote:
    """What a split holds."""

    name: str
    tasks: int
    scenarios: int
    single: int
    """Scenarios of one task, in which no skill can be reused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a check found, and what it saw on the way."""

    problems: tuple[Problem, ...]
    splits: tuple[SplitNote, ...]
    opened: int
    """Worlds opened."""
    open_ms: float
    """Median time of opening one, in milliseconds; NaN when none was."""
    open_kb: float
    """Most memory that opening one took in this process, in kilobytes; child processes are not counted."""


def check(suite: Suite, *, tasks: int = 3, finish: str = FINISH) -> tuple[Problem, ...]:
    """What breaks the contract, looking at so many tasks of each split; nothing when all is well."""
    return examine(suite, tasks=tasks, finish=finish).problems


def examine(suite: Suite, *, tasks: int = 3, finish: str = FINISH) -> Findings:
    """The same with what was seen on the way. `finish` is code that marks any task of the suite complete."""
    # On a thread, because that is where worlds are played.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="check") as pool:
        return pool.submit(_Check(suite, finish).all, tasks).result()


def describe(found: Findings | Sequence[Problem]) -> str:
    """Problems, and what else was seen, as text for a terminal."""
    problems = found.problems if isinstance(found, Findings) else tuple(found)
    blocks = [_told(problem) for problem in problems]
    lines = [f"{len(problems)} problem{'s' if len(problems) != 1 else ''}" if problems else "no problems"]
    if isinstance(found, Findings):
        lines += [
            f"split {note.name!r}: {note.tasks} tasks in {note.scenarios} scenarios"
            + (f", {note.single} of them with one task only: nothing to reuse a skill in" if note.single else "")
            for note in found.splits
        ]
        if found.opened:
            cost = f"{found.open_ms:.1f} ms and {found.open_kb:.0f} kB each"
            lines.append(f"opened {found.opened} worlds: {cost}, in this process")
    return "\n\n".join([*blocks, "\n".join(lines)])


def _told(problem: Problem) -> str:
    more = f" and {problem.times - 1} more" if problem.times > 1 else ""
    return (
        f"{problem.rule}: {problem.where}{more}\n"
        f"  found:    {problem.found}\n  expected: {problem.expected}\n  hint:     {problem.hint}"
    )


class _Check:
    """One examination under way."""

    def __init__(self, suite: Suite, finish: str) -> None:
        self.suite = suite
        self.finish = finish
        self.problems: dict[str, Problem] = {}
        self.opened = 0
        self.times: list[float] = []
        self.sizes: list[int] = []

    def all(self, sample: int) -> Findings:
        notes = []
        ids: dict[str, str] = {}
        homes: dict[str, str] = {}
        for split in self._splits():
            tasks = self._tasks(split, ids, homes)
            sizes = [len(list(group)) for _, group in groupby(tasks, key=lambda task: task.scenario)]
            notes.append(
                SplitNote(name=split, tasks=len(tasks), scenarios=len(sizes), single=sum(size == 1 for size in sizes))
            )
            for number, task in enumerate(spread(tasks, sample)):
                self._visit(task, f"split {split!r}, task {task.id!r}", weigh=number == 0)
        self._refusals()
        return Findings(
            problems=tuple(self.problems[rule] for rule in RULES if rule in self.problems),
            splits=tuple(notes),
            opened=self.opened,
            open_ms=1000 * median(self.times) if self.times else float("nan"),
            open_kb=max(self.sizes, default=0) / 1000,
        )

    def broken(self, rule: str, where: str, found: str) -> None:
        """Note a problem; of one rule the first place is told and the others are counted."""
        if rule in self.problems:
            self.problems[rule] = replace(self.problems[rule], times=self.problems[rule].times + 1)
        else:
            clause = RULES[rule]
            self.problems[rule] = Problem(
                rule=rule, where=where, found=found, expected=clause.expected, hint=clause.hint
            )

    def attempt(self, rule: str, where: str, work: Callable[[], T]) -> T | None:
        """What the work returns; None, and a problem, when it raises."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001 (the edge of a stranger's world)
            self.broken(rule, where, f"{type(error).__name__}: {shown(str(error))}")
            return None

    # --- the suite ------------------------------------------------------------------------------------

    def _splits(self) -> list[str]:
        names = self.attempt("splits", "splits()", lambda: list(self.suite.splits()))
        if names is None:
            return []
        good = list(dict.fromkeys(name for name in names if isinstance(name, str) and name))
        if not names or good != names:
            self.broken("splits", "splits()", shown(names))
        return good

    def _tasks(self, split: str, ids: dict[str, str], homes: dict[str, str]) -> list[Task]:
        """The sound tasks of a split. `ids` and `homes` remember the splits of ids and scenarios seen so far."""
        where = f"tasks({split!r})"
        given = self.attempt("tasks", where, lambda: list(self.suite.tasks(split)))
        if given is None:
            return []
        if not given:
            self.broken("tasks", where, "no task")
        tasks = [task for task in given if self._sound(task, where)]
        again = self.attempt("same tasks", where, lambda: list(self.suite.tasks(split)))
        if again is not None and again != given:
            self.broken("same tasks", where, "other tasks the second time")
        last = ""
        number = 0
        for task in tasks:
            place = f"{where}, task {task.id!r}"
            number = number + 1 if task.scenario == last else 1
            if task.id in ids:
                self.broken("ids", place, f"a second task of this id, the first in split {ids[task.id]!r}")
            elif task.id != f"{task.scenario}_{number}":
                self.broken("ids", place, f"task {number} of scenario {task.scenario!r}")
            if task.scenario != last and task.scenario in homes:
                self.broken("scenarios", place, f"scenario {task.scenario!r} was in split {homes[task.scenario]!r}")
            if not task.instruction.strip():
                self.broken("instruction", place, shown(task.instruction))
            if task.difficulty not in (1, 2, 3):
                self.broken("difficulty", place, str(task.difficulty))
            ids.setdefault(task.id, split)
            homes.setdefault(task.scenario, split)
            last = task.scenario
        return tasks

    def _sound(self, task: object, where: str) -> bool:
        if not isinstance(task, Task):
            self.broken("tasks", where, f"{shown(task)}, which is not a Task")
            return False
        return self._fits("tasks", where, task)

    def _refusals(self) -> None:
        """Ask for what does not exist: the suite may give nothing or refuse, but not crash."""
        stranger = Task(id="no such scenario_1", scenario="no such scenario", instruction="Do nothing.")
        self._refused("tasks('no such split')", lambda: self.suite.tasks("no such split"))
        self._refused("open(a task of another suite)", lambda: self.suite.open(stranger).close())

    def _refused(self, where: str, work: Callable[[], object]) -> None:
        try:
            work()
        except OpensageError:
            pass
        except Exception as error:  # noqa: BLE001 (the edge of a stranger's world)
            self.broken("errors", where, f"{type(error).__name__}: {shown(str(error))}")

    # --- the worlds of a task -------------------------------------------------------------------------

    def _visit(self, task: Task, where: str, *, weigh: bool) -> None:
        """Two worlds of a task that are only talked to, and between them a third that is completed."""
        first, second = self._open(task, where, weigh=weigh), self._open(task, where)
        if first and second:
            self._words(first)
            self._calls(first)
            self._apart(first, second)
        if third := self._open(task, where):
            self._ending(third)
        if first and second:
            if third and self.attempt("independent", where, lambda: second.world.done):
                self.broken("independent", where, "done, because another world of the task was completed")
            verdicts = [self._verdict(first), self._verdict(second)]
            if None not in verdicts and verdicts[0] != verdicts[1]:
                self.broken("alike", where, f"{shown(verdicts[0])} and {shown(verdicts[1])}")
            self._closing(first, second)
        for table in (first, second, third):
            if table:
                self._close(table)

    def _open(self, task: Task, where: str, *, weigh: bool = False) -> _Table | None:
        weigh = weigh and not tracemalloc.is_tracing()
        if weigh:
            tracemalloc.start()
        started = time.perf_counter()
        box = self.attempt("open", where, lambda: (self.suite.open(task),))
        spent = time.perf_counter() - started
        if weigh:
            size = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
        if box is None:
            return None
        world = box[0]
        if missing := [name for name in ("done", "execute", "evaluate", "close") if not hasattr(world, name)]:
            self.broken("open", where, f"{shown(world)}, which has no {missing[0]}")
            return None
        self.opened += 1
        if weigh:
            self.sizes.append(size)  # and not the time: being weighed takes some
        else:
            self.times.append(spent)
        if self.attempt("fresh", where, lambda: world.done) not in (False, None):
            self.broken("fresh", where, "done is true")
        return _Table(world, where)

    def _run(self, table: _Table, code: str) -> Observation | None:
        """Execute a block; None, and a problem, when no observation comes back."""
        where = f"{table.where}, execute({shown(code)})"
        table.blocks += 1
        return self._value("observation", where, Observation, lambda: table.world.execute(code))

    def _say(self, table: _Table, code: str, rule: str, good: Callable[[Observation], bool]) -> Observation | None:
        """Execute a block whose observation must be good by a rule."""
        seen = self._run(table, code)
        if seen and not good(seen):
            told = f"calls={shown(seen.calls)}" if rule in ("calls", "own functions") else _observed(seen)
            self.broken(rule, f"{table.where}, execute({shown(code)})", told)
        return seen

    def _words(self, table: _Table) -> None:
        """The strings that the agent relies on, and what stays from block to block."""

        def failing(name: str) -> Callable[[Observation], bool]:
            start = "Execution failed. Traceback"
            return lambda seen: seen.failed and seen.text.startswith(start) and name in seen.text

        self._say(table, "opensage_kept = 40", "silent", lambda seen: seen.text == "Execution successful.")
        self._say(table, "print('opensage', 42)", "printed", lambda seen: "opensage 42" in seen.text)
        self._say(table, "print(opensage_kept + 2)", "persists", lambda seen: "42" in seen.text and not seen.failed)
        self._say(table, "1 / 0", "failure", failing("ZeroDivisionError"))
        self._say(table, "opensage_kept = = 1", "failure", failing("invalid syntax"))
        self._say(
            table, " \n", "blank", lambda seen: seen.failed and seen.text.startswith("No code available to execute.")
        )
        self._say(table, "print(opensage_kept + 3)", "persists", lambda seen: "43" in seen.text and not seen.failed)

    def _calls(self, table: _Table) -> None:
        """The trace of calls that skill use is counted by."""

        def calls(name: str, block: int, error: str = "") -> Callable[[Observation], bool]:
            def good(seen: Observation) -> bool:
                found = [call for call in seen.calls if call.name == name]
                return (
                    len(found) == 1
                    and found[0].block == block
                    and (error in found[0].error if error else not found[0].error)
                )

            return good

        made = table.blocks
        self._run(table, "def opensage_probe(number):\n    return number + 1")
        failing = table.blocks
        self._run(table, "def opensage_fails():\n    raise ValueError('as meant')")
        self._say(table, "print(opensage_probe(1))", "calls", calls("opensage_probe", made))
        self._say(table, "opensage_fails()", "calls", calls("opensage_fails", failing, "ValueError"))
        self._say(table, "print('opensage_probe(1)')", "own functions", lambda seen: not seen.calls)
        again = "def opensage_probe(number):\n    return number\n\n\nprint(opensage_probe(1))"
        self._say(table, again, "own functions", lambda seen: not seen.calls)

    def _apart(self, first: _Table, second: _Table) -> None:
        """What one world defines, another does not know."""
        self._run(first, "opensage_leak = 1")
        self._say(second, "print(opensage_leak)", "independent", lambda seen: seen.failed)

    def _closing(self, first: _Table, second: _Table) -> None:
        """Closing one world leaves the other alone; a closed one refuses in plain words."""
        self._close(first)
        self._say(second, "opensage_alive = 1", "independent", lambda seen: not seen.failed)
        self._refused(f"{first.where}, execute after close", lambda: first.world.execute("opensage_late = 1"))

    def _ending(self, table: _Table) -> None:
        """Completing at once ends the task and does not solve it."""
        where = f"{table.where}, execute({shown(self.finish)})"
        seen = self._run(table, self.finish)
        if seen is None:
            return
        done = self.attempt("completes", where, lambda: table.world.done)
        if not (seen.done and done):
            self.broken("completes", where, f"world.done is {done}, done={seen.done}, {_observed(seen)}")
            return
        called = [f"{app}.{api}" for app, api in re.findall(r"\bapis\.(\w+)\.(\w+)\(", self.finish)]
        if list(seen.apis) != called:
            self.broken("apis", where, shown(seen.apis))
        self._verdict(table)

    def _verdict(self, table: _Table) -> Verdict | None:
        where = f"{table.where}, evaluate()"
        given = self._value("verdict", where, Verdict, table.world.evaluate)
        if given is None:
            return None
        if not given.passed and not given.failed:
            self.broken("verdict", where, "no check")
        if given.success:
            self.broken("idle", where, shown(given))
        return given

    def _close(self, table: _Table) -> None:
        for _ in range(2):
            self.attempt("close", f"{table.where}, close()", table.world.close)

    def _value(self, rule: str, where: str, kind: type[T], work: Callable[[], object]) -> T | None:
        """What the work returns when it is of its kind; None, and a problem, otherwise."""
        box = self.attempt(rule, where, lambda: (work(),))
        if box is None:
            return None
        given = box[0]
        if not isinstance(given, kind):
            self.broken(rule, where, f"{shown(given)}, which is not of type {kind.__name__}")
            return None
        return given if self._fits(rule, where, given) else None

    def _fits(self, rule: str, where: str, value: object) -> bool:
        """True when a value's fields have their types, so that a run can record it."""
        try:
            to_json(value)
        except StoreError as error:
            self.broken(rule, where, error.message)
            return False
        return True


class _Table:
    """An open world, where it stands, and how many blocks it has seen."""

    def __init__(self, world: World, where: str) -> None:
        self.world = world
        self.where = where
        self.blocks = 0


def spread(tasks: Sequence[Task], count: int) -> list[Task]:
    """So many tasks, evenly from first to last.

    >>> [task.id for task in spread([Task(id=f"a_{n}", scenario="a", instruction="x") for n in range(10)], 3)]
    ['a_0', 'a_4', 'a_9']
    """
    if count >= len(tasks):
        return list(tasks)
    if count == 1:
        return [tasks[0]]
    return [tasks[n * (len(tasks) - 1) // (count - 1)] for n in range(count)]


def shown(value: object) -> str:
    """A stranger's value in one line of printable text."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 (a stranger's value)
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 300 else f"{text[:150]} ... {text[-140:]}"


def _observed(seen: Observation) -> str:
    return f"failed={seen.failed}, text={shown(seen.text)}"
