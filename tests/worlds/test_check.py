"""Checking a world: a sound one passes, and for every rule there is one that breaks it."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from toy import ToySuite, ToyWorld

from prowess.types import Break, Call, Observation, Task, Verdict
from prowess.worlds.check import RULES, Findings, Problem, check, describe, examine, spread


def suite(
    *,
    tasks: Callable[[str, list[Task]], Any] = lambda split, tasks: tasks,
    splits: Any = ("train", "dev"),
    open: Callable[[Task, ToyWorld], Any] = lambda task, world: world,
) -> Any:
    """A sound suite with one thing changed."""

    class Changed(ToySuite):
        def splits(self) -> Any:
            return splits

        def tasks(self, split: str) -> Any:
            return tasks(split, list(ToySuite.tasks(self, split if split in ("train", "dev") else "train")))

        def open(self, task: Task) -> Any:
            return open(task, super().open(task))

    return Changed()


def answering(change: Callable[[str, Observation], Any]) -> Any:
    """A suite whose observations are changed on the way."""

    class World(ToyWorld):
        def execute(self, code: str) -> Any:
            return change(code, super().execute(code))

    return suite(open=lambda task, world: World(world.goal))


def judging(change: Callable[[ToyWorld, Verdict], Any]) -> Any:
    """A suite whose verdicts are changed on the way."""

    class World(ToyWorld):
        def evaluate(self) -> Any:
            return change(self, super().evaluate())

    return suite(open=lambda task, world: World(world.goal))


def raising(error: Exception) -> Any:
    raise error


def each(**changes: Any) -> Any:
    return suite(tasks=lambda split, tasks: [replace(task, **changes) for task in tasks])


class _Draws:
    """Something else each time it is asked."""

    count = 0

    @classmethod
    def next(cls) -> int:
        cls.count += 1
        return cls.count


class _Forgetful(ToyWorld):
    """Loses its variables when a block fails."""

    def execute(self, code: str) -> Observation:
        seen = super().execute(code)
        if seen.failed:
            self.names = {"apis": self.names["apis"]}
        return seen


class _Skipping(ToyWorld):
    """Does not count blocks that failed."""

    def execute(self, code: str) -> Observation:
        seen = super().execute(code)
        self._blocks -= seen.failed
        return seen


class _NotDone(ToyWorld):
    """Completes without saying so."""

    @property
    def done(self) -> bool:  # type: ignore[override]
        return False

    @done.setter
    def done(self, value: bool) -> None: ...


class _CloseOnce(ToyWorld):
    def close(self) -> None:
        super().close()
        if self.closed > 1:
            raise OSError("closed already")


class _Crowded(ToyWorld):
    """Closing one closes them all."""

    alive = True

    def execute(self, code: str) -> Observation:
        if not type(self).alive:
            return Observation(text="Execution failed. Traceback: closed", failed=True)
        return super().execute(code)

    def close(self) -> None:
        type(self).alive = False


class _ClosedCrashes(ToyWorld):
    def execute(self, code: str) -> Observation:
        return raising(KeyError("closed")) if self.closed else super().execute(code)


SHARED: dict[str, Any] = {}


class _SharedNames(ToyWorld):
    def __init__(self, goal: int) -> None:
        super().__init__(goal)
        SHARED.update(self.names)
        self.names = SHARED


class _SharedState(ToyWorld):
    finished = False

    @property
    def done(self) -> bool:  # type: ignore[override]
        return type(self).finished

    @done.setter
    def done(self, value: bool) -> None:
        type(self).finished = value


def of(world: type[ToyWorld]) -> Any:
    return suite(open=lambda task, opened: world(opened.goal))


def without_calls(code: str, seen: Observation) -> Observation:
    return replace(seen, calls=())


def own_calls(code: str, seen: Observation) -> Observation:
    if "def " in code and code.endswith("print(prowess_probe(1))"):
        return replace(seen, calls=(Call(name="prowess_probe", block=0),))
    return seen


def named_only(code: str, seen: Observation) -> Observation:
    return replace(seen, calls=(Call(name="prowess_probe", block=7),)) if "'prowess_probe(1)'" in code else seen


def reordered(split: str, tasks: list[Task]) -> Sequence[Task]:
    return [*tasks[:2], tasks[3], tasks[2], *tasks[4:]] if split == "train" else tasks


BROKEN: dict[str, list[tuple[Callable[[], Any], str]]] = {
    "splits": [
        (lambda: suite(splits=()), r"\(?\[\]"),
        (lambda: suite(splits=("train", "train")), r"\['train', 'train'\]"),
        (lambda: suite(splits=("train", 3)), r"\['train', 3\]"),
    ],
    "tasks": [
        (lambda: suite(tasks=lambda split, tasks: []), "no task"),
        (lambda: suite(tasks=lambda split, tasks: [task.id for task in tasks]), "'count0_1', which is not a Task"),
        (lambda: each(facts={"age": 3}), r"Task.facts\['age'\]: expected str, found 3"),
        (lambda: suite(tasks=lambda split, tasks: raising(OSError("no disk"))), "OSError: 'no disk'"),
    ],
    "same tasks": [
        (
            lambda: suite(
                tasks=lambda split, tasks: [replace(tasks[0], instruction=f"Do {_Draws.next()}."), *tasks[1:]]
            ),
            "other tasks the second time",
        )
    ],
    "ids": [
        (lambda: suite(tasks=lambda split, tasks: [tasks[0], *tasks]), "a second task of this id"),
        (
            lambda: suite(tasks=lambda split, tasks: [replace(task, id=f"{task.id}0") for task in tasks]),
            "task 1 of scenario 'count0'",
        ),
        (lambda: suite(tasks=lambda split, tasks: [tasks[1], tasks[0], *tasks[2:]]), "task 1 of scenario 'count0'"),
    ],
    "scenarios": [
        (lambda: suite(tasks=reordered), "scenario 'count0' was in split 'train'"),
        (
            lambda: suite(tasks=lambda split, tasks: [replace(task, scenario="all") for task in tasks]),
            "scenario 'all' was in split 'train'",
        ),
    ],
    "instruction": [(lambda: each(instruction=" \n"), r"' \\n'")],
    "difficulty": [(lambda: each(difficulty=0), "0"), (lambda: each(difficulty=4), "4")],
    "open": [
        (lambda: suite(open=lambda task, world: raising(RuntimeError("no more worlds"))), "RuntimeError: 'no more"),
        (lambda: suite(open=lambda task, world: None), "None, which has no done"),
        (
            lambda: suite(open=lambda task, world: signal.signal(signal.SIGUSR1, signal.SIG_DFL)),
            "signal only works in main thread",
        ),
    ],
    "fresh": [(lambda: suite(open=lambda task, world: setattr(world, "done", True) or world), "done is true")],
    "observation": [
        (lambda: answering(lambda code, seen: seen.text), "which is not of type Observation"),
        (lambda: answering(lambda code, seen: None), "None, which is not of type Observation"),
        (lambda: answering(lambda code, seen: replace(seen, apis=list(seen.apis))), "apis: expected tuple"),
        (
            lambda: answering(lambda code, seen: raising(ValueError(code)) if seen.failed else seen),
            "ValueError: '1 / 0'",
        ),
    ],
    "silent": [(lambda: answering(lambda code, seen: replace(seen, text="ok")), "failed=False, text='ok'")],
    "printed": [
        (
            lambda: answering(lambda code, seen: seen if seen.failed else replace(seen, text="Execution successful.")),
            "Execution successful.",
        )
    ],
    "persists": [
        (lambda: of(_Forgetful), "NameError"),
        (lambda: answering(lambda code, seen: replace(seen, failed=True)), "failed=True"),
    ],
    "failure": [
        (
            lambda: answering(lambda code, seen: replace(seen, text=seen.text.replace("Execution failed. ", ""))),
            "text='Traceback",
        ),
        (lambda: answering(lambda code, seen: replace(seen, failed=False)), "failed=False"),
        (
            lambda: answering(lambda code, seen: replace(seen, failed=False) if "SyntaxError" in seen.text else seen),
            "SyntaxError",
        ),
    ],
    "blank": [
        (
            lambda: answering(
                lambda code, seen: seen if code.strip() else replace(seen, text="Execution successful.", failed=False)
            ),
            "Execution successful.",
        )
    ],
    "calls": [
        (lambda: answering(without_calls), r"calls=\(\)"),
        (lambda: of(_Skipping), "block="),
        (
            lambda: answering(
                lambda code, seen: replace(seen, calls=tuple(replace(call, error="") for call in seen.calls))
            ),
            "prowess_fails.*error=''",
        ),
        (lambda: answering(lambda code, seen: replace(seen, calls=seen.calls * 2)), "prowess_probe"),
    ],
    "own functions": [(lambda: answering(own_calls), "prowess_probe"), (lambda: answering(named_only), "block=7")],
    "independent": [
        (lambda: of(_SharedNames), "text='1'"),
        (lambda: of(type("Crowded", (_Crowded,), {})), "closed"),
        (lambda: of(type("SharedState", (_SharedState,), {})), "because another world of the task was completed"),
    ],
    "verdict": [
        (lambda: judging(lambda world, verdict: verdict.fraction), "which is not of type Verdict"),
        (lambda: judging(lambda world, verdict: Verdict(passed=(), failed=())), "no check"),
        (lambda: judging(lambda world, verdict: replace(verdict, passed=(1,))), "expected str, found 1"),
        (lambda: judging(lambda world, verdict: raising(ZeroDivisionError("x"))), "ZeroDivisionError"),
    ],
    "idle": [
        (lambda: judging(lambda world, verdict: Verdict(passed=("unbroken",), failed=())), "unbroken"),
        (
            lambda: judging(
                lambda world, verdict: replace(
                    verdict, passed=("done",) * world.done, failed=("done",) * (not world.done)
                )
            ),
            r"passed=\('done',\)",
        ),
    ],
    "alike": [
        (lambda: judging(lambda world, verdict: replace(verdict, failed=(f"check {_Draws.next()}",))), "check"),
    ],
    "completes": [
        (lambda: of(_NotDone), "world.done is False"),
        (lambda: answering(lambda code, seen: replace(seen, done=False)), "world.done is True"),
    ],
    "apis": [(lambda: answering(lambda code, seen: replace(seen, apis=())), r"\(\)")],
    "answers": [
        (
            lambda: answering(
                lambda code, seen: replace(seen, breaks=(Break(api="a.b", error="KeyError: 1"),) * ("complete" in code))
            ),
            r"a\.b: KeyError: 1",
        ),
        (
            lambda: answering(
                lambda code, seen: replace(seen, breaks=tuple(Break(api="a.b", error=f"E: {n}") for n in range(7)))
            ),
            "E: 4', and 2 more",
        ),
    ],
    "close": [(lambda: of(_CloseOnce), "OSError: 'closed already'")],
    "errors": [
        (
            lambda: suite(tasks=lambda split, tasks: {"train": tasks[:3], "dev": tasks[3:]}[split]),
            "KeyError: \"'no such split'\"",
        ),
        (lambda: of(_ClosedCrashes), "KeyError"),
    ],
}
CASES = [(rule, make, found) for rule, cases in BROKEN.items() for make, found in cases]


def test_a_sound_suite_has_no_problems() -> None:
    assert check(ToySuite()) == ()
    assert check(suite()) == (), "what the broken ones are made of"


@pytest.mark.parametrize(("rule", "make", "found"), CASES, ids=[f"{rule}-{n}" for n, (rule, *_) in enumerate(CASES)])
def test_each_rule_can_be_broken(rule: str, make: Callable[[], Any], found: str) -> None:
    problems = {problem.rule: problem for problem in check(make(), tasks=2)}
    assert rule in problems
    assert re.search(found, problems[rule].found)
    assert problems[rule].expected == RULES[rule].expected and problems[rule].hint


def test_every_rule_has_a_case_that_breaks_it() -> None:
    assert BROKEN.keys() == RULES.keys()


def test_a_problem_says_what_where_and_what_to_do() -> None:
    [problem] = check(answering(lambda code, seen: replace(seen, text="ok") if "kept = 4" in code else seen), tasks=1)
    assert problem == Problem(
        rule="silent",
        where="split 'train', task 'count0_1', execute('prowess_kept = 40')",
        found="failed=False, text='ok'",
        expected="code that prints nothing gives 'Execution successful.'",
        hint="skills are loaded by such blocks",
        times=2,
    )
    assert describe([problem]) == (
        "silent: split 'train', task 'count0_1', execute('prowess_kept = 40') and 1 more\n"
        "  found:    failed=False, text='ok'\n"
        "  expected: code that prints nothing gives 'Execution successful.'\n"
        "  hint:     skills are loaded by such blocks\n"
        "\n"
        "1 problem"
    )
    assert describe([]) == "no problems"


def test_what_was_seen_on_the_way_is_told() -> None:
    lonely = suite(tasks=lambda split, tasks: tasks[:4])
    found = examine(lonely, tasks=2)
    assert isinstance(found, Findings) and found.problems == ()
    assert [(note.name, note.tasks, note.scenarios, note.single) for note in found.splits] == [
        ("train", 4, 2, 1),
        ("dev", 4, 2, 1),
    ]
    assert found.opened == 14 and 0 < found.open_ms < 1000 and 0 < found.open_kb < 1000
    told = describe(found).splitlines()
    assert told[0] == "no problems"
    assert told[1] == "split 'train': 4 tasks in 2 scenarios, 1 of them with one task only: nothing to reuse a skill in"
    assert told[3] == "note: no api_docs, so only supervisor.complete_task was tried; name APIs by --apis a.b,c.d"
    assert told[4].startswith("opened 14 worlds: ")


def test_a_stranger_s_text_cannot_command_the_terminal() -> None:
    told = describe(check(answering(lambda code, seen: replace(seen, text="\x1b[2Jok\u202e"))))
    assert "\\x1b[2J" in told and "\x1b" not in told and "\u202e" not in told


def test_every_world_opened_is_closed() -> None:
    opened: list[ToyWorld] = []
    check(suite(open=lambda task, world: opened.append(world) or world))
    assert len(opened) > 10 and all(world.closed for world in opened)


def test_another_way_to_complete_may_be_given() -> None:
    class World(ToyWorld):
        def __init__(self, goal: int) -> None:
            super().__init__(goal)
            self.names["finish"] = self.names.pop("apis").supervisor.complete_task

        def execute(self, code: str) -> Observation:
            return replace(super().execute(code), apis=())

    assert [problem.rule for problem in check(of(World))] == ["completes"]
    assert check(of(World), finish="finish()") == ()


def test_tasks_are_taken_from_all_over_a_split() -> None:
    tasks = ToySuite(10).tasks("train")
    assert spread(tasks, 1) == [tasks[0]]
    assert spread(tasks, 2) == [tasks[0], tasks[29]]
    assert spread(tasks, 99) == tasks
