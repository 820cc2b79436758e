"""A file of questions with answers as a world: the agent works each of them out in Python and gives its answer.

PYTHONPATH=examples prowess check questions:suite
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from prowess.errors import RecipeError, WorldError, unknown
from prowess.sandbox import ApiFailure, Interpreter, Sandbox
from prowess.types import Json, Observation, Task, Verdict

FILES: Mapping[str, Json] = {"train": str(Path(__file__).with_name("questions.jsonl"))}
LINE = 'a line is {"question": "...", "answer": "..."}, with "kind" if several are alike'


class Questions:
    """The suite: each split a file, a question on each line. Questions of one `kind` are a scenario."""

    def __init__(self, files: Mapping[str, Json], sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._tasks: dict[str, list[Task]] = {}
        self._answers: dict[str, str] = {}
        seen: dict[str, int] = {}
        for split, file in files.items():
            self._tasks[split] = []
            for number, row in rows_of(Path(str(file))):
                kind = f"{split}.{row.get('kind', f'line{number}')}"
                seen[kind] = seen.get(kind, 0) + 1
                task = Task(id=f"{kind}_{seen[kind]}", scenario=kind, instruction=str(row["question"]))
                self._tasks[split].append(task)
                self._answers[task.id] = str(row["answer"])
            self._tasks[split].sort(key=lambda task: task.scenario)  # stable: their order within a kind stays

    def splits(self) -> Sequence[str]:
        return tuple(self._tasks)

    def tasks(self, split: str) -> Sequence[Task]:
        if split not in self._tasks:
            raise unknown("split", split, self._tasks)
        return tuple(self._tasks[split])

    def open(self, task: Task) -> Question:
        if task.id not in self._answers:
            raise WorldError(f"'{task.id}' is not a question of these files")
        return Question(self._answers[task.id], self._sandbox.open())


def rows_of(file: Path) -> Iterator[tuple[int, dict[str, Json]]]:
    """The lines of a file with their numbers; blank ones are passed over."""
    try:
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"cannot read the questions in '{file}': {error}", hint="suite.options names them") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecipeError(f"{file}:{number} is not JSON: {error}", hint=LINE) from None
        if not isinstance(row, dict) or any(row.get(key) is None for key in ("question", "answer")):
            raise RecipeError(f"{file}:{number} has no 'question' or no 'answer'", hint=LINE)
        yield number, row


class Question:
    """One question. The right answer stays on this side of the sandbox."""

    def __init__(self, expected: str, interpreter: Interpreter) -> None:
        self._expected = expected
        self._interpreter = interpreter
        self._answer: Json = None
        self.done = False

    def execute(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, self._call), done=self.done)

    def define(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, None), done=self.done)

    def evaluate(self) -> Verdict:
        right = self.done and _plain(self._answer) == _plain(self._expected)
        return Verdict(passed=("the answer",) if right else (), failed=() if right else ("the answer",))

    def close(self) -> None:
        self._interpreter.close()

    def _call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        if (app, api) != ("supervisor", "complete_task"):
            raise ApiFailure("There is one API: apis.supervisor.complete_task(answer=...).")
        self._answer, self.done = arguments.get("answer"), True
        return {"message": "Marked complete."}


def _plain(answer: Json) -> str | float:
    """Numbers as numbers, other answers without regard to case and blanks around them."""
    text = str(answer).strip().lower()
    try:
        return round(float(text), 6)
    except ValueError:
        return text


def suite(settings: SimpleNamespace, sandbox: Sandbox) -> Questions:
    """What a recipe names: `suite.name = "questions:suite"`; `suite.options` has the file of each split."""
    return Questions(settings.options or FILES, sandbox)
