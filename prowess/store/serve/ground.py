"""Where served skills run: an interpreter of the sandbox for each call, or a world that all calls share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from prowess.sandbox import ApiFailure, Interpreter, Sandbox
from prowess.types import Json, Observation, Suite, Task


class Executor(Protocol):
    """Runs blocks of code, definitions staying from one to the next. A world is one, best one that is `Defining`."""

    def execute(self, code: str) -> Observation: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """How to open a place for calls, and whether one serves them all."""

    open: Callable[[], Executor]
    shared: bool
    """True for a world: it is opened at the first call, keeps what calls change, and takes one call at a time."""
    task: str = ""
    """The task whose world it is."""


def in_sandbox(sandbox: Sandbox) -> Ground:
    """Each call gets a fresh interpreter, where no API answers."""
    return Ground(open=lambda: _Fresh(sandbox.open()), shared=False)


def in_world(suite: Suite, task: Task) -> Ground:
    """All calls run in the world of this task."""
    return Ground(open=lambda: suite.open(task), shared=True, task=task.id)


@dataclass(frozen=True, slots=True)
class _Fresh:
    interpreter: Interpreter

    def execute(self, code: str) -> Observation:
        return self.interpreter.run(code, _nothing)

    def define(self, code: str) -> Observation:
        return self.interpreter.run(code, None)

    def close(self) -> None:
        self.interpreter.close()


def _nothing(app: str, api: str, arguments: Mapping[str, Json]) -> Json:
    raise ApiFailure(f"apis.{app}.{api} cannot be called: this server has no world")
