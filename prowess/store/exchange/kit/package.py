"""Skills as functions: `connect(apis)` gives an object that has one for each name in `NAMES`.

`apis` is whatever answers `apis.app.api(name=value)`; a skill that calls no API needs none. Each connection has
functions of its own, so two of them do not meet.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .check import problem

_HERE = Path(__file__).resolve().parent


@functools.cache
def index() -> dict[str, Any]:
    """What is known of each skill: digest, function, file, signature, schema, summary, apis, effect, trials."""
    known: dict[str, Any] = json.loads((_HERE / "skills.json").read_text("utf-8"))
    return known


def code_of(name: str) -> tuple[str, str]:
    """A skill's code, and the file it is in."""
    file = _HERE / "skills" / index()[name]["file"]
    return file.read_bytes().decode("utf-8"), str(file)


class Skills:
    """The skills over one `apis`. A skill's code is executed when it is first asked for, never before."""

    def __init__(self, apis: Any) -> None:
        self._apis = apis

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in index():
            raise AttributeError(f"no skill is called {name!r}; known: {', '.join(index())}")
        function = _function(name, self._apis)
        setattr(self, name, function)
        return function

    def __dir__(self) -> list[str]:
        return [*index()]


class _Nothing:
    """Stands for `apis` where none was given."""

    def __getattr__(self, app: str) -> Any:
        raise RuntimeError(f"this skill calls apis.{app}: give what answers it to connect(apis)")


def connect(apis: Any = None) -> Skills:
    """The skills, as functions that check their arguments."""
    return Skills(_Nothing() if apis is None else apis)


def _function(name: str, apis: Any) -> Callable[..., Any]:
    known = index()[name]
    code, file = code_of(name)
    names: dict[str, Any] = {"__name__": f"{__package__}.skills.{name}", "__file__": file, "apis": apis}
    exec(compile(code, file, "exec", dont_inherit=True), names)  # noqa: S102 - asked for by name
    inner = names[known["function"]]
    signature = inspect.signature(inner)

    @functools.wraps(inner)
    def checked(*given: Any, **named: Any) -> Any:
        bound = signature.bind(*given, **named)
        if wrong := problem(_by_name(bound), known["schema"]):
            raise TypeError(f"{name}(): {wrong}")
        return inner(*given, **named)

    return checked


def _by_name(bound: inspect.BoundArguments) -> dict[str, Any]:
    """The arguments by name, but those that a star takes."""
    found: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found |= value
        elif kind is not inspect.Parameter.VAR_POSITIONAL:
            found[name] = value
    return found
