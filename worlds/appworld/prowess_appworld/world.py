"""AppWorld as a suite, and one of its tasks opened as a world."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from prowess.errors import WorldError
from prowess.sandbox import ApiCall, ApiFailure, Interpreter, Sandbox
from prowess.store.fingerprint import documents
from prowess.types import Json, Observation, Task, Verdict
from prowess_appworld.grading import State, grade, state_of
from prowess_appworld.pool import Broken, Ended, Host, Pool
from prowess_appworld.settings import IMPORTS, AppWorldSettings
from prowess_appworld.tasks import moment_of, splits_of, tasks_of

SEED = 100
"""AppWorld's own, for what the agent's code draws."""

GONE = "AppWorld has ended: an earlier call was too much for it."
"""What code hears after that."""


class AppWorldSuite:
    """The benchmark's tasks. Its processes start with the first task that is opened."""

    def __init__(self, settings: AppWorldSettings, sandbox: Sandbox) -> None:
        self._settings = settings
        self._sandbox = sandbox
        self.place = settings.place
        self.place.check()
        self._pool = Pool(self.place)
        self._references: dict[str, State] = {}
        self._lock = threading.Lock()

    def splits(self) -> Sequence[str]:
        return splits_of(self.place.data)

    def tasks(self, split: str) -> Sequence[Task]:
        """A scenario is of the difficulty of its hardest task."""
        tasks = tasks_of(self.place.data, split)
        if not self._settings.difficulties or split != "train":
            return tasks
        hardest: dict[str, int] = {}
        for task in tasks:
            hardest[task.scenario] = max(task.difficulty, hardest.get(task.scenario, 1))
        return [task for task in tasks if hardest[task.scenario] in self._settings.difficulties]

    def documents(self) -> list[Json]:
        """What every API takes and answers, as the agent may read it: asked from a task, the same in all."""
        split = next(split for split in self.splits() if tasks_of(self.place.data, split))
        with closing(self.open(tasks_of(self.place.data, split)[0])) as world:
            return list(documents(world.call))

    def open(self, task: Task) -> AppWorldWorld:
        moment = moment_of(self.place.data, task.id)
        host = self._pool.open(task.id)
        try:
            interpreter = self._sandbox.open(seed=SEED, now=moment, imports=IMPORTS, apis=host.apis)
        except BaseException:
            host.close()
            raise
        return AppWorldWorld(self, task, host, interpreter)

    def close(self) -> None:
        """End AppWorld's processes. May be called twice."""
        self._pool.close()

    def official(self, task: Task) -> bool:
        """True when AppWorld's own evaluation program of a task is there."""
        return (self._truth(task) / "evaluation.py").is_file()

    def judge(self, task: Task, host: Host) -> Verdict:
        """Grade the state a host holds."""
        kind = self._settings.evaluation
        if kind != "replay" and self.official(task):
            answer = host.ask({"judge": True})
            return Verdict(passed=tuple(answer["passed"]), failed=tuple(answer["failed"]))
        if kind == "official":
            raise WorldError(
                f"task {task.id} has no evaluation program",
                hint="suite.appworld.evaluation = 'replay' compares with the reference's changes instead",
            )
        reference = self.reference(task)
        return grade(reference, state_of(host.ask({"changes": True})))

    def reference(self, task: Task) -> State:
        """Where the reference solution leaves a task: worked out once."""
        with self._lock:
            known = self._references.get(task.id)
        if known is None:
            if not (self._truth(task) / "api_calls.json").is_file():
                raise WorldError(
                    f"task {task.id} has no reference to judge by",
                    hint="suite.appworld.experiment saves what was played, for AppWorld's own evaluation",
                )
            try:
                with closing(self._pool.open(task.id)) as host:
                    host.ask({"replay": True})
                    known = state_of(host.ask({"changes": True}))
            except Ended as ended:  # not by what the agent did
                raise WorldError(f"the reference of task {task.id} could not be played: {ended}") from None
            with self._lock:
                self._references[task.id] = known
        return known

    def _truth(self, task: Task) -> Path:
        return self.place.data / "tasks" / task.id / "ground_truth"

    def save(self, host: Host, steps: Sequence[tuple[str, str]]) -> None:
        """Write AppWorld's files of a task, where an experiment is named."""
        if self._settings.experiment:
            folder = self.place.root / "experiments" / "outputs" / self._settings.experiment
            host.ask({"save": str(folder), "steps": [*steps]})


class AppWorldWorld:
    """One task, opened once. The agent's code runs in the sandbox; databases and judge are in AppWorld's process."""

    def __init__(self, suite: AppWorldSuite, task: Task, host: Host, interpreter: Interpreter) -> None:
        self._suite = suite
        self._task = task
        self.host = host
        self._interpreter = interpreter
        self._steps: list[tuple[str, str]] = []
        self.done = False
        self._ended = ""
        """What the agent's code did that ended AppWorld's process, in words. The task has then failed."""

    def execute(self, code: str) -> Observation:
        return self._ran(code, self.call)

    def define(self, code: str) -> Observation:
        return self._ran(code, None)

    def _ran(self, code: str, call: ApiCall | None) -> Observation:
        seen = self._interpreter.run(code, call)
        self._steps.append((code, seen.text))
        return replace(seen, done=self.done)

    def evaluate(self) -> Verdict:
        try:
            if not self._ended:
                self._suite.save(self.host, self._steps)
                return self._suite.judge(self._task, self.host)
        except Ended as ended:
            self._ended = ended.message
        return Verdict(passed=(), failed=(f"the task's state can be judged: {self._ended}",))

    def close(self) -> None:
        self._interpreter.close()
        self.host.close()

    def state(self) -> State:
        """Where the task stands now."""
        return state_of(self.host.ask({"changes": True}))

    def replay(self) -> int:
        """Do what the reference solution does; how many of its calls were refused, as some are meant to be."""
        return int(self.host.ask({"replay": True})["errors"])

    def call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        """One API call on behalf of the agent's code. One that AppWorld breaks on is no outage: the code chose it."""
        if self._ended:
            raise ApiFailure(GONE)
        try:
            answer = self.host.ask({"app": app, "api": api, "arguments": arguments})
        except Ended as ended:
            self._ended = f"{app}.{api}: {ended.message}"
            raise RuntimeError(self._ended) from None
        except Broken as broken:
            raise RuntimeError(broken.message) from None
        if "failure" in answer:
            raise ApiFailure(answer["failure"])
        self.done = self.done or bool(answer["done"])
        return answer["value"]
