"""The pantry as a suite, and one of its tasks as a world. `examples/own_world.py` explains the parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from prowess.errors import WorldError, unknown
from prowess.sandbox import ApiFailure, Interpreter, Sandbox
from prowess.seeds import draw
from prowess.types import Json, Observation, Task, Verdict
from prowess_pantry.settings import PantrySettings

SPLITS = ("train", "dev", "test_normal")
"""Named as recipes usually name them."""
GOODS = ("rice", "oats", "salt", "flour", "beans", "lentils", "barley", "millet")
TASKS = 3
"""Tasks of a scenario. They differ in the amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A task with what is right for it."""

    task: Task
    goods: str
    bags: int


class Pantry:
    """The suite. It draws its tasks from the settings' seed."""

    def __init__(self, settings: PantrySettings, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._cases = {
            split: [case for number in range(settings.scenarios) for case in cases(settings, f"{split}.{number}")]
            for split in SPLITS
        }

    def splits(self) -> Sequence[str]:
        return SPLITS

    def tasks(self, split: str) -> Sequence[Task]:
        if split not in SPLITS:
            raise unknown("split of the pantry", split, SPLITS)
        return [case.task for case in self._cases[split]]

    def open(self, task: Task) -> PantryWorld:
        for case in chain.from_iterable(self._cases.values()):
            if case.task == task:
                return PantryWorld(case, self._sandbox.open())
        raise WorldError(f"'{task.id}' is not a task of the pantry")


def cases(settings: PantrySettings, scenario: str) -> Iterator[Case]:
    """The tasks of a scenario: the same goods, other amounts."""
    luck = draw(settings.seed, "pantry", scenario)
    goods = luck.choice(GOODS)
    for n, bags in enumerate(luck.sample(range(2, settings.most + 1), TASKS), 1):
        said = f"Make sure there are {bags} bags of {goods}."
        yield Case(task=Task(id=f"{scenario}_{n}", scenario=scenario, instruction=said), goods=goods, bags=bags)


class PantryWorld:
    """One task. The agent's code runs in the sandbox; the shelves and what is right stay on this side."""

    def __init__(self, case: Case, interpreter: Interpreter) -> None:
        self._expected = Counter({case.goods: case.bags, "sugar": 1})
        self._shelves = Counter({case.goods: 1, "sugar": 1})
        self._interpreter = interpreter
        self.done = False

    def execute(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, self._call), done=self.done)

    def define(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, None), done=self.done)

    def evaluate(self) -> Verdict:
        checks = {"completed": self.done, "the shelves are as asked": self._shelves == self._expected}
        passed = tuple(name for name, good in checks.items() if good)
        return Verdict(passed=passed, failed=tuple(name for name in checks if name not in passed))

    def close(self) -> None:
        self._interpreter.close()

    def _call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        match app, api, dict(arguments):
            case "pantry", "show", {}:
                return dict(self._shelves)
            case "pantry", "add", {"goods": str(goods), "bags": int(bags)} if 0 < bags < 100:
                self._shelves[goods] += bags
                return {"goods": goods, "bags": self._shelves[goods]}
            case "supervisor", "complete_task", _:
                self.done = True
                return {"message": "Marked complete."}
        raise ApiFailure(f"There is no {app}.{api} with the arguments {sorted(arguments)}; 0 < bags < 100.")
