"""Programs of desk families run in this process: trusted code of ours, so no sandbox is needed."""

from __future__ import annotations

import ast
import json
import re
import traceback
from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import Any

from prowess_desk.engine.api import Session
from prowess_desk.engine.case import Case
from prowess_desk.engine.desk import call
from prowess_desk.engine.family import Family, Mistake, Values, source_of
from prowess_desk.engine.grading import grade
from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.expert import Expert
from prowess_desk.expert.job import functions_of, written
from prowess_desk.settings import DeskSettings

from prowess.play.prompts import prompt_named
from prowess.types import Json, Message, Task, Verdict
from prowess.worlds.expert import ExpertSettings


class Desk:
    """A case opened in this process: what the agent's code sees as `apis`, and the verdict."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.state = case.start.fork()
        self.session = Session(supervisor=case.me, instruction="", universe=case.universe, seed=1)
        self.names: dict[str, Any] = {"apis": _Apis(self._call)}

    def _call(self, app: str, api: str, arguments: dict[str, Json]) -> Json:
        # Through JSON and back, as the sandbox does it.
        return json.loads(json.dumps(call(self.state, self.session, app, api, json.loads(json.dumps(arguments)))))

    def run(self, code: str) -> str:
        """Run a block; definitions stay. Returns the traceback, or nothing."""
        try:
            exec(_compiled(code), self.names)  # noqa: S102
        except Exception:  # noqa: BLE001
            return traceback.format_exc()
        return ""

    def verdict(self) -> Verdict:
        return grade(
            start=self.case.start,
            goal=self.case.goal,
            final=self.state,
            completed=self.session.completed and self.session.status == "success",
            asks=self.case.family.asks,
            expected=self.case.answer,
            answer=self.session.answer,
        )


@cache
def _compiled(code: str) -> CodeType:
    return compile(code, "<block>", "exec")


class _Apis:
    def __init__(self, call: Callable[[str, str, dict[str, Json]], Json], app: str = "") -> None:
        self._call, self._app = call, app

    def __getattr__(self, name: str) -> Any:
        if not self._app:
            return _Apis(self._call, name)
        return lambda **arguments: self._call(self._app, name, arguments)


def tasks_of(family: Family, scenarios: int) -> list[tuple[Task, Case]]:
    """The first tasks of a family as the suite gives them out, with their cases."""
    suite = DeskSuite(DeskSettings(scenarios=scenarios, families=(family.name,), wording="mixed"), None)  # type: ignore[arg-type]  # nothing is opened
    return [(task, suite.case(task)) for task in suite.tasks(family.split)]


@cache
def program_of(family: Family) -> str:
    """The source of everything the program defines."""
    return written(tuple(source_of(function) for function in functions_of(family).values()))


def play(case: Case, values: Values | None = None, mistake: Mistake | None = None) -> tuple[Verdict, str]:
    """Run the family's program, or a mistake made from it, and complete the task: the verdict and any traceback."""
    family, source = case.family, program_of(case.family)
    values = dict(values or case.values)
    extra = ""
    if mistake:
        source = source.replace(mistake.old, mistake.new) if mistake.old else source
        values |= {name: case.values[other] for name, other in (mistake.swap or {}).items()}
        extra = mistake.extra
    called = family.program.call.format(**values)
    complete = f"apis.supervisor.complete_task({'answer=answer' if family.asks else ''})"
    desk = Desk(case)
    error = desk.run(source) or desk.run(f"answer = {called}\n{extra}\n{complete}")
    return desk.verdict(), error


def conversation(task: Task, case: Case, style: str, skills: Any = ()) -> tuple[list[str], Desk]:
    """The expert's replies, each block run, until the task is complete."""
    prompt, expert, desk = prompt_named("skill"), Expert(ExpertSettings(styles=(style,))), Desk(case)
    desk.names["print"] = lambda *values: None
    for skill in skills:
        assert not desk.run(skill.code)
    messages: list[Message] = list(prompt.opening(task, skills))
    replies: list[str] = []
    while not desk.session.completed and len(replies) < 8:
        replies.append(expert(messages, seed=0).text)
        error = desk.run(code_of(replies[-1]))
        text = f"Execution failed. Traceback:\n{error}" if error else "Execution successful."
        messages += [Message(role="assistant", content=replies[-1]), prompt.reaction(task, text)]
    return replies, desk


def code_of(reply: str) -> str:
    found = re.findall(r"```python\n(.*?)\n```", reply, flags=re.DOTALL)
    assert len(found) == 1, reply
    ast.parse(found[0])
    return found[0]
