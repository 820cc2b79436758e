"""The gate of repetition: recorded calls, with recorded API answers, in a fresh sandbox, twice.

The skill runs in the sandbox alone; here is only the tape that answers its API calls, and what it asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prowess.sandbox import ApiFailure, Sandbox
from prowess.sandbox.recording import plain_call
from prowess.skills.extract import functions_in
from prowess.store.gates.context import Context, Subject, code_of
from prowess.store.record import Trial, Verification, Version
from prowess.text.plural import counted
from prowess.types import Json

TRIALS = 4
"""Trials repeated at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of one repetition."""

    problem: str = ""
    """How it differs from the tape, or nothing."""
    result: Json = None
    asked: tuple[Json, ...] = ()
    readable: bool = True
    """False where the sandbox does not tell results: it must record."""


class Reel:
    """Answers API calls from a tape, in its order; anything else is refused and noted."""

    def __init__(self, answers: tuple[Json, ...]) -> None:
        self._answers = answers
        self.asked: list[Json] = []
        self.problem = ""

    def __call__(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        at, asked = len(self.asked), {"api": f"{app}.{api}", "arguments": dict(arguments)}
        self.asked.append(asked)
        if self.problem:
            raise ApiFailure("the tape has ended")
        if at >= len(self._answers):
            self.problem = f"call {at + 1}: asks {app}.{api}, where the recording had ended"
            raise ApiFailure("the tape has ended")
        exchange = self._answers[at]
        if exchange["api"] != asked["api"]:
            self.problem = f"call {at + 1}: asks {asked['api']} instead of {exchange['api']}"
        elif exchange.get("arguments", asked["arguments"]) != asked["arguments"]:
            self.problem = f"call {at + 1}: asks {asked['api']} with other arguments"
        if self.problem:
            raise ApiFailure("this call is not on the tape")
        if "error" in exchange:
            raise ApiFailure(str(exchange["error"]))
        return exchange.get("answer")

    @property
    def left(self) -> str:
        missing = len(self._answers) - len(self.asked)
        return f"makes {counted(missing, 'API call')} less than recorded" if missing > 0 else ""


def replay(subject: Subject, context: Context) -> Verification:
    """Whether recorded calls give the same result by the same API calls, twice."""
    trials = [trial for trial in subject.trials if trial.kind == "replay"][:TRIALS]
    if not trials:
        return subject.says("replay", "abstain", {"why": "no call of it was recorded"})
    if context.sandbox is None:
        return subject.says("replay", "abstain", {"why": "there is no sandbox to repeat calls in"})
    for trial in trials:
        once, again = (repeated(subject.version, trial, context, context.sandbox, seed=seed) for seed in (1, 2))
        if not once.readable:
            return subject.says("replay", "abstain", {"why": "the sandbox does not record what calls return"})
        evidence = {"call": trial.call, "task": trial.task}
        if (once.result, once.asked, once.problem) != (again.result, again.asked, again.problem):
            how = {"once": _brief(once), "again": _brief(again)}
            return subject.says("replay", "fail", {**evidence, "problem": "two repetitions differ", **how})
        if once.problem:
            return subject.says("replay", "fail", {**evidence, "problem": once.problem})
    return subject.says("replay", "pass", {"calls": [trial.call for trial in trials], "times": 2})


def repeated(version: Version, trial: Trial, context: Context, sandbox: Sandbox, *, seed: int = 1) -> Replay:
    """Repeat a recorded call in an interpreter of its own; a merged skill is called by old names, which it defines."""
    return repeated_code(code_of(version), trial, sandbox, imports=context.imports, seed=seed)


def repeated_code(code: str, trial: Trial, sandbox: Sandbox, *, imports: tuple[str, ...] = (), seed: int = 1) -> Replay:
    """The same for code that no store knows."""
    if trial.fault:  # before a worker dies of it
        return Replay(problem=f"cannot be repeated: {trial.fault}")
    if not trial.call:
        return Replay(problem="no call of it was recorded", readable=False)
    called = plain_call(trial.call)
    if called not in functions_in(code):  # `eval("...")` is a call with plain data, too
        return Replay(problem=f"cannot be repeated: the call is of '{called}', which the skill does not define")
    interpreter = sandbox.open(seed=seed, now=trial.now or None, imports=imports)
    try:
        reel = Reel(trial.answers)
        loaded = interpreter.run(code, None)  # as it is loaded before a task
        if loaded.failed:
            return Replay(problem=f"does not load: {_last_line(loaded.text)}")
        seen = interpreter.run(trial.call, reel)
    finally:
        interpreter.close()
    asked = tuple(reel.asked)
    tape = next((tape for tape in seen.tapes if tape.name == called), None)
    result = tape.expected if tape is not None else None
    if reel.problem:
        return Replay(problem=reel.problem, asked=asked, result=result)
    if seen.failed:
        return Replay(problem=f"fails: {_last_line(seen.text)}", asked=asked)
    if tape is None:
        return Replay(problem="returns what cannot be compared", asked=asked, readable=False)
    problem = reel.left
    if not problem and tape.expected != trial.expected:
        problem = f"returns {_short(tape.expected)} instead of {_short(trial.expected)}"
    return Replay(problem=problem, result=result, asked=asked)


def _brief(one: Replay) -> Json:
    return one.problem or _short(one.result)


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1][:200]
