"""A world for tests of what plays worlds: a counter to be raised, executed in this process because we trust our code.

Each scenario asks for three numbers. `apis.counter.add(by=...)` raises the counter, `apis.counter.show()` tells it,
`apis.supervisor.complete_task()` ends the task.
"""

from __future__ import annotations

import functools
import io
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType, SimpleNamespace
from typing import Any

from prowess.errors import PolicyError, Unanswered, WorldError, unknown
from prowess.play import Agent, AgentSettings
from prowess.play.prompts import prompt_named
from prowess.types import Call, Completion, Message, Observation, Policy, Task, Verdict

SUCCESS = "Execution successful."
NO_CODE = "No code available to execute."


class ToyWorld:
    def __init__(self, goal: int) -> None:
        self.goal = goal
        self.count = 0
        self.done = False
        self.closed = 0
        self._blocks = 0
        self._used: list[str] = []
        self.names: dict[str, Any] = {
            "apis": SimpleNamespace(
                counter=SimpleNamespace(add=self._add, show=lambda: self.count),
                supervisor=SimpleNamespace(complete_task=self._complete),
            )
        }

    def _add(self, by: int) -> int:
        self._used.append("counter.add")
        self.count += by
        return self.count

    def _complete(self) -> None:
        self._used.append("supervisor.complete_task")
        self.done = True

    def execute(self, code: str) -> Observation:
        block, self._blocks = self._blocks, self._blocks + 1
        if not code.strip():
            return Observation(text=NO_CODE, failed=True, done=self.done)
        self._used = []
        called: list[tuple[str, int]] = []

        def watch(frame: FrameType, event: str, arg: object) -> None:
            file = frame.f_code.co_filename
            if event == "call" and file.startswith("<block ") and file != f"<block {block}>":
                called.append((frame.f_code.co_name, int(file[7:-1])))

        printed, text, errors = io.StringIO(), "", {}
        self.names["print"] = functools.partial(print, file=printed)  # its own: other threads print, too
        try:
            program = compile(code, f"<block {block}>", "exec")
            sys.setprofile(watch)
            try:
                exec(program, self.names)  # noqa: S102
            finally:
                sys.setprofile(None)
        except Exception as error:  # noqa: BLE001
            text = f"Execution failed. Traceback:\n{traceback.format_exc()}"
            errors = {frame.f_code.co_name: repr(error) for frame, _ in traceback.walk_tb(error.__traceback__)}
        return Observation(
            text=text or printed.getvalue().strip("\n") or SUCCESS,
            failed=bool(text),
            done=self.done,
            calls=tuple(Call(name=name, block=made, error=errors.get(name, "")) for name, made in called),
            apis=tuple(self._used),
        )

    def evaluate(self) -> Verdict:
        checks = {"completed": self.done, "counted": self.count == self.goal}
        return Verdict(
            passed=tuple(name for name, good in checks.items() if good),
            failed=tuple(name for name, good in checks.items() if not good),
        )

    def close(self) -> None:
        self.closed += 1


class ToySuite:
    """Scenarios `count0`, `count1` ... of three tasks each; in scenario n the goals are 10n + 1, 10n + 2, 10n + 3."""

    def __init__(self, scenarios: int = 2) -> None:
        self.scenarios = scenarios

    def splits(self) -> Sequence[str]:
        return ("train", "dev")

    def tasks(self, split: str) -> Sequence[Task]:
        if split not in self.splits():
            raise unknown("split", split, self.splits())
        begin = 0 if split == "train" else 100
        return [
            Task(
                id=f"count{n}_{k}",
                scenario=f"count{n}",
                instruction=f"Raise the counter to {10 * n + k}.",
                facts={"name": "Ada"},
                difficulty=k,
            )
            for n in range(begin, begin + self.scenarios)
            for k in (1, 2, 3)
        ]

    def open(self, task: Task) -> ToyWorld:
        if not task.id.startswith("count"):
            raise WorldError(f"no task '{task.id}'")
        n, k = task.id.removeprefix("count").split("_")
        return ToyWorld(10 * int(n) + int(k))


SKILL = '''def raise_to(goal: int) -> int:
    """Raise the counter to a goal and return it."""
    return apis.counter.add(by=goal - apis.counter.show())


'''


class Counter:
    """A policy that looks, then raises the counter with its own function or with the library's.

    `slips(goal, seed)` says whether it raises it too far this time.
    """

    def __init__(self, slips: Callable[[int, int], bool] = lambda goal, seed: False) -> None:
        self.slips = slips

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        task = next(message.content for message in messages if "Raise the counter to" in message.content)
        goal = int(re.findall(r"Raise the counter to (\d+)", task)[-1])
        if len(messages) == 2:
            return said("I look first.", "print(apis.counter.show())")
        wanted = goal + 1 if self.slips(goal, seed) else goal
        made = "" if "def raise_to" in task else SKILL
        return said("Now I raise it.", f"{made}print(raise_to({wanted}))\napis.supervisor.complete_task()")


class Outage:
    """A policy that is down while it is told so, and counts what it is asked meanwhile."""

    def __init__(self, *down: str, kind: type[PolicyError] = Unanswered) -> None:
        self.down, self.kind, self.asked, self._up = set(down), kind, 0, Counter()

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        opening = messages[1].content
        if any(word in opening for word in self.down):
            self.asked += 1
            raise self.kind("no answer")
        return self._up(messages, seed=seed)


def said(thought: str, code: str) -> Completion:
    text = f"{thought}\n```python\n{code}\n```"
    return Completion(text=text, reply_tokens=len(text) // 4)


def agent_with(policy: Policy, **limits: Any) -> Agent:
    return Agent(
        policy=policy, retrieve=in_scenario, prompt=prompt_named("skill"), limits=AgentSettings(turns=5, **limits)
    )


def in_scenario(library: Any, task: Task) -> list[Any]:
    """A retriever: the skills of the same scenario."""
    return [skill for skill in library.skills if skill.origin.scenario == task.scenario]
