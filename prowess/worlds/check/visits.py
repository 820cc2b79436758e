"""Worlds of a task: opened, talked to, completed and closed."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence

from prowess.types import Observation, Suite, Task, Verdict, World
from prowess.worlds.breaks import described
from prowess.worlds.check.notes import Notes, shown
from prowess.worlds.check.odd import LISTING, Api, listed, named_in, odd_calls

SEVERAL = 5
"""Places in which a world broke that are told one by one."""


class Visits:
    """Visits to the worlds of a suite, and what opening them took."""

    def __init__(self, notes: Notes, suite: Suite, finish: str, named: Sequence[Api] = ()) -> None:
        self.notes = notes
        self.suite = suite
        self.finish = finish
        self.named = named
        self.opened = 0
        self.unlisted = 0
        self.times: list[float] = []
        self.sizes: list[int] = []

    def visit(self, task: Task, where: str, *, weigh: bool) -> None:
        """Two worlds of a task that are only talked to, and between them a third that is completed."""
        first, second = self._open(task, where, weigh=weigh), self._open(task, where)
        if first and second:
            self._words(first)
            self._calls(first)
            self._apart(first, second)
        if third := self._open(task, where):
            self._ending(third)
        if first and second:
            if third and self.notes.attempt("independent", where, lambda: second.world.done):
                self.notes.broken("independent", where, "done, because another world of the task was completed")
            verdicts = [self._verdict(first), self._verdict(second)]
            if None not in verdicts and verdicts[0] != verdicts[1]:
                self.notes.broken("alike", where, f"{shown(verdicts[0])} and {shown(verdicts[1])}")
            self._closing(first, second)
        for table in (first, second, third):
            if table:
                self._close(table)

    def visit_oddly(self, task: Task, where: str) -> None:
        """A world of a task that is asked what nobody would ask: it may refuse, and must not break."""
        if not (table := self._open(task, where)):
            return
        apis = listed(self._run(table, LISTING))
        self.unlisted += not apis
        place = f"{where}, calls with odd arguments"
        code = odd_calls(self.finish, self.named, apis)
        self._whole(place, self.notes.value("observation", place, Observation, lambda: table.world.execute(code)))
        self._close(table)

    def _whole(self, where: str, seen: Observation | None) -> None:
        """Note what a world broke on while it carried out calls."""
        found = list(dict.fromkeys(map(described, seen.breaks))) if seen else []
        if found:
            more = f", and {len(found) - SEVERAL} more" if len(found) > SEVERAL else ""
            self.notes.broken("answers", where, f"{', '.join(map(shown, found[:SEVERAL]))}{more}")

    def _open(self, task: Task, where: str, *, weigh: bool = False) -> _Table | None:
        weigh = weigh and not tracemalloc.is_tracing()
        if weigh:
            tracemalloc.start()
        started = time.perf_counter()
        box = self.notes.attempt("open", where, lambda: (self.suite.open(task),))
        spent = time.perf_counter() - started
        if weigh:
            size = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
        if box is None:
            return None
        world = box[0]
        if missing := [name for name in ("done", "execute", "evaluate", "close") if not hasattr(world, name)]:
            self.notes.broken("open", where, f"{shown(world)}, which has no {missing[0]}")
            return None
        self.opened += 1
        if weigh:
            self.sizes.append(size)  # and not the time: being weighed takes some
        else:
            self.times.append(spent)
        if self.notes.attempt("fresh", where, lambda: world.done) not in (False, None):
            self.notes.broken("fresh", where, "done is true")
        return _Table(world, where)

    def _run(self, table: _Table, code: str) -> Observation | None:
        """Execute a block; None, and a problem, when no observation comes back."""
        where = f"{table.where}, execute({shown(code)})"
        table.blocks += 1
        seen = self.notes.value("observation", where, Observation, lambda: table.world.execute(code))
        self._whole(where, seen)
        return seen

    def _say(self, table: _Table, code: str, rule: str, good: Callable[[Observation], bool]) -> Observation | None:
        """Execute a block whose observation must be good by a rule."""
        seen = self._run(table, code)
        if seen and not good(seen):
            told = f"calls={shown(seen.calls)}" if rule in ("calls", "own functions") else _observed(seen)
            self.notes.broken(rule, f"{table.where}, execute({shown(code)})", told)
        return seen

    def _words(self, table: _Table) -> None:
        """The strings that the agent relies on, and what stays from block to block."""

        def failing(name: str) -> Callable[[Observation], bool]:
            start = "Execution failed. Traceback"
            return lambda seen: seen.failed and seen.text.startswith(start) and name in seen.text

        self._say(table, "prowess_kept = 40", "silent", lambda seen: seen.text == "Execution successful.")
        self._say(table, "print('prowess', 42)", "printed", lambda seen: "prowess 42" in seen.text)
        self._say(table, "print(prowess_kept + 2)", "persists", lambda seen: "42" in seen.text and not seen.failed)
        self._say(table, "1 / 0", "failure", failing("ZeroDivisionError"))
        self._say(table, "prowess_kept = = 1", "failure", failing("invalid syntax"))
        self._say(
            table, " \n", "blank", lambda seen: seen.failed and seen.text.startswith("No code available to execute.")
        )
        self._say(table, "print(prowess_kept + 3)", "persists", lambda seen: "43" in seen.text and not seen.failed)

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
        self._run(table, "def prowess_probe(number):\n    return number + 1")
        failing = table.blocks
        self._run(table, "def prowess_fails():\n    raise ValueError('as meant')")
        self._say(table, "print(prowess_probe(1))", "calls", calls("prowess_probe", made))
        self._say(table, "prowess_fails()", "calls", calls("prowess_fails", failing, "ValueError"))
        self._say(table, "print('prowess_probe(1)')", "own functions", lambda seen: not seen.calls)
        again = "def prowess_probe(number):\n    return number\n\n\nprint(prowess_probe(1))"
        self._say(table, again, "own functions", lambda seen: not seen.calls)

    def _apart(self, first: _Table, second: _Table) -> None:
        """What one world defines, another does not know."""
        self._run(first, "prowess_leak = 1")
        self._say(second, "print(prowess_leak)", "independent", lambda seen: seen.failed)

    def _closing(self, first: _Table, second: _Table) -> None:
        """Closing one world leaves the other alone; a closed one refuses in plain words."""
        self._close(first)
        self._say(second, "prowess_alive = 1", "independent", lambda seen: not seen.failed)
        self.notes.refused(f"{first.where}, execute after close", lambda: first.world.execute("prowess_late = 1"))

    def _ending(self, table: _Table) -> None:
        """Completing at once ends the task and does not solve it."""
        where = f"{table.where}, execute({shown(self.finish)})"
        seen = self._run(table, self.finish)
        if seen is None:
            return
        done = self.notes.attempt("completes", where, lambda: table.world.done)
        if not (seen.done and done):
            self.notes.broken("completes", where, f"world.done is {done}, done={seen.done}, {_observed(seen)}")
            return
        called = [f"{app}.{api}" for app, api in named_in(self.finish)]
        if list(seen.apis) != called:
            self.notes.broken("apis", where, shown(seen.apis))
        self._verdict(table)

    def _verdict(self, table: _Table) -> Verdict | None:
        where = f"{table.where}, evaluate()"
        given = self.notes.value("verdict", where, Verdict, table.world.evaluate)
        if given is None:
            return None
        if not given.passed and not given.failed:
            self.notes.broken("verdict", where, "no check")
        if given.success:
            self.notes.broken("idle", where, shown(given))
        return given

    def _close(self, table: _Table) -> None:
        for _ in range(2):
            self.notes.attempt("close", f"{table.where}, close()", table.world.close)


class _Table:
    """An open world, where it stands, and how many blocks it has seen."""

    def __init__(self, world: World, where: str) -> None:
        self.world = world
        self.where = where
        self.blocks = 0


def _observed(seen: Observation) -> str:
    return f"failed={seen.failed}, text={shown(seen.text)}"
