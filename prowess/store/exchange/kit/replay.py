"""Repeats the recorded calls of skills against the answers that their world gave, and compares what they return.

In an exported folder this is `scripts/test_skill.py`: run it with `python scripts/test_skill.py`, or by pytest. It
executes the skill's code: in prowess's sandbox where prowess is installed, else in this very process. Then read
`scripts/skill.py` first, or run it where it can do no harm.
"""

from __future__ import annotations

import ast
import datetime
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Recorded:
    """Stands for `apis`: answers each call as the world did, in the same order, and refuses every other."""

    def __init__(self, answers: Sequence[Mapping[str, Any]]) -> None:
        self._left = list(answers)

    def __getattr__(self, app: str) -> _App:
        if app.startswith("__"):
            raise AttributeError(app)
        return _App(self, app)

    def _answer(self, api: str, arguments: Mapping[str, Any]) -> Any:
        if not self._left:
            raise AssertionError(f"{api} is called, and no answer is left")
        told = self._left.pop(0)
        if told["api"] != api:
            raise AssertionError(f"{api} is called, recorded was {told['api']}")
        if "arguments" in told and plain(told["arguments"]) != plain(arguments):
            raise AssertionError(f"{api} is called with {arguments}, recorded was {told['arguments']}")
        if "error" in told:
            raise Exception(told["error"])
        return plain(told.get("answer"))  # a copy: the skill may change it

    def _unasked(self) -> str:
        return f"{self._left[0]['api']} was recorded and is not called" if self._left else ""


class _App:
    def __init__(self, recorded: Recorded, name: str) -> None:
        self._recorded, self._name = recorded, name

    def __getattr__(self, api: str) -> Callable[..., Any]:
        if api.startswith("__"):
            raise AttributeError(api)
        return lambda **arguments: self._recorded._answer(f"{self._name}.{api}", arguments)


def plain(value: Any) -> Any:
    """A value as JSON has it: tuples are lists, keys are text."""
    return json.loads(json.dumps(value, default=str))


@contextmanager
def clock(now: str) -> Iterator[None]:
    """Date and time stand still at this moment, as they did in the world; nothing changes without one."""
    if not now:
        yield
        return
    moment = datetime.datetime.fromisoformat(now)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)  # noqa: UP017 - older versions

    class Moment(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            there = aware.astimezone(tz or datetime.timezone.utc)  # noqa: UP017
            return cls.combine(there.date(), there.time(), tzinfo=tz)

        utcnow = today = now

    class Day(datetime.date):
        @classmethod
        def today(cls) -> Any:
            return cls(aware.year, aware.month, aware.day)

    kept: Any = (datetime.datetime, datetime.date, time.time)
    try:
        datetime.datetime, datetime.date, time.time = Moment, Day, aware.timestamp  # type: ignore[misc]
        yield
    finally:
        datetime.datetime, datetime.date, time.time = kept  # type: ignore[misc]


def refused(code: str, call: str) -> str:
    """Why a recorded call is not executed, or nothing. It must call a function of the code, with plain data."""
    try:
        body = ast.parse(call).body
        own = {node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"cannot be read: {error}"
    node = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return "is not one call of a function"
    if node.func.id not in own:
        return f"calls '{node.func.id}', which the skill does not define"
    values = [*node.args, *(word.value for word in node.keywords)]
    if not all(word.arg for word in node.keywords) or not all(map(_is_plain, values)):
        return "has an argument that is not plain data"
    return ""


def _is_plain(node: ast.expr) -> bool:
    names, inner = [], node
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    if names:  # apis.APP or apis.APP.API, and nothing of what stands for them here
        plain = len(names) <= 2 and not any(name.startswith("_") for name in names)
        return plain and isinstance(inner, ast.Name) and inner.id == "apis"
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def failure(code: str, trial: Mapping[str, Any], file: str = "skill.py") -> str:
    """What is wrong with one recorded call, or nothing. Executes the code, unless the call is more than a call."""
    if why := refused(code, trial["call"]):
        return f"{trial['call']!r} was not executed: it {why}"
    recorded = Recorded(trial["answers"])
    names: dict[str, Any] = {"__name__": "skill", "__file__": file, "apis": recorded}
    try:
        with clock(trial.get("now", "")):
            exec(compile(code, file, "exec", dont_inherit=True), names)  # noqa: S102 - what a test is for
            value = eval(compile(trial["call"], "<call>", "eval", dont_inherit=True), names)  # noqa: S307
            returned = plain(value)
    except Exception as error:  # noqa: BLE001 - whatever the skill raises is the finding
        return f"{trial['call']} raised {type(error).__name__}: {error}"
    if returned != plain(trial["expected"]):
        return f"{trial['call']} returned {returned!r}, recorded was {trial['expected']!r}"
    unasked = recorded._unasked()
    return f"{trial['call']}: {unasked}" if unasked else ""


def failures(code: str, trials: Iterable[Mapping[str, Any]], file: str = "skill.py") -> list[str]:
    """What is wrong with recorded calls. A task without a call, which needs a world, is left out."""
    calls = [trial for trial in trials if trial["call"]]
    confined = _confined(code, calls)
    where = "in this process" if confined is None else "in prowess's sandbox"
    print(f"{file}: {len(calls)} recorded call{'' if len(calls) == 1 else 's'} repeated {where}", file=sys.stderr)
    found = [failure(code, trial, file) for trial in calls] if confined is None else confined
    return [text for text in found if text]


def _confined(code: str, trials: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """The same from prowess's sandbox; None where there is none that tells results."""
    try:
        from prowess.store.exchange.confined import failures
    except ImportError:
        return None
    return failures(code, trials)


def _folder() -> tuple[str, list[Any], str]:
    scripts = Path(__file__).resolve().parent
    record = json.loads((scripts.parent / "references" / "PROVENANCE.json").read_text("utf-8"))
    file = scripts / "skill.py"
    return file.read_text("utf-8"), record["trials"], str(file)


def test_recorded_calls() -> None:
    found = failures(*_folder())
    if found:
        raise AssertionError("\n".join(found))


def main() -> int:
    code, trials, file = _folder()
    found = failures(code, trials, file)
    for text in found:
        print(f"FAILED {text}", file=sys.stderr)
    tried = sum(bool(trial["call"]) for trial in trials)
    print(f"{tried - len(found)} of {tried} recorded calls passed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
