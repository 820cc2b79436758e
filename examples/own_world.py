"""A world of one's own: a pantry to be filled. Copy it, put your APIs in place of these, and check it:

PYTHONPATH=examples prowess check own_world:suite
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from prowess.errors import WorldError, unknown
from prowess.sandbox import ApiFailure, Interpreter, Sandbox
from prowess.types import Json, Observation, Task, Verdict

GOODS = {"train": ("rice", "oats"), "test": ("salt", "flour")}


class Pantry:
    """The suite: for every kind of goods a scenario of three tasks that differ in the amount."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def splits(self) -> Sequence[str]:
        return tuple(GOODS)

    def tasks(self, split: str) -> Sequence[Task]:
        if split not in GOODS:
            raise unknown("split of the pantry", split, GOODS)
        return [
            Task(id=f"{goods}_{n}", scenario=goods, instruction=f"Make sure there are {n + 1} bags of {goods}.")
            for goods in GOODS[split]
            for n in (1, 2, 3)
        ]

    def open(self, task: Task) -> PantryWorld:
        for split in GOODS:
            if task in self.tasks(split):
                amount = int(task.id.rpartition("_")[2]) + 1
                return PantryWorld(task.scenario, amount, self._sandbox.open())
        raise WorldError(f"'{task.id}' is not a task of the pantry")


class PantryWorld:
    """One task. The agent's code runs in the sandbox; the shelves and what is right stay on this side."""

    def __init__(self, goods: str, amount: int, interpreter: Interpreter) -> None:
        self._expected = Counter({goods: amount, "sugar": 1})
        self._shelves = Counter({goods: 1, "sugar": 1})
        self._interpreter = interpreter
        self._done = False

    @property
    def done(self) -> bool:
        return self._done

    def execute(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, self._call), done=self._done)

    def define(self, code: str) -> Observation:
        """Skills are loaded so: they may be defined, and do nothing yet."""
        return replace(self._interpreter.run(code, None), done=self._done)

    def evaluate(self) -> Verdict:
        checks = {"completed": self._done, "the shelves are as asked": self._shelves == self._expected}
        passed = tuple(name for name, good in checks.items() if good)
        return Verdict(passed=passed, failed=tuple(name for name in checks if name not in passed))

    def close(self) -> None:
        self._interpreter.close()

    def _call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        """Answer `apis.app.api(**arguments)`. What comes in was written by a model: look at it before using it."""
        match app, api, dict(arguments):
            case "pantry", "show", {}:
                return dict(self._shelves)
            case "pantry", "add", {"goods": str(goods), "bags": int(bags)} if 0 < bags < 100:
                self._shelves[goods] += bags
                return {"goods": goods, "bags": self._shelves[goods]}
            case "supervisor", "complete_task", _:
                self._done = True
                return {"message": "Marked complete."}
        raise ApiFailure(f"There is no {app}.{api} with the arguments {sorted(arguments)}; 0 < bags < 100.")


def suite(settings: object, sandbox: Sandbox) -> Pantry:
    """What a recipe names: `suite.name = "own_world:suite"`. Options of the recipe are in `settings.options`."""
    return Pantry(sandbox)
