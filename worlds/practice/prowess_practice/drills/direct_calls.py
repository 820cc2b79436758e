"""A program of the expert's, played directly on the tables: no sandbox, no password."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache, partial
from types import FunctionType, MappingProxyType
from typing import Any

from prowess_desk.engine.api import Session
from prowess_desk.engine.desk import APPS, call
from prowess_desk.engine.family import Function
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Origin, State
from prowess_desk.families.toolbox import all_pages

from prowess.types import Json

_TOKEN = "inside"
CLOCK = {"date": date, "datetime": datetime, "timedelta": timedelta}
"""What programs import."""
_NAMES = {"__builtins__": builtins, "login": lambda app: _TOKEN, "all_pages": all_pages, **CLOCK}
ANSWERS = 10_000
"""So many answers of APIs are remembered: all that drills read in one universe, some 40 MB."""

Apis = Callable[..., Json]
"""Answers a call, given the names of app and API and the arguments."""


class DirectApis:
    """What programs call `apis`; every app has let them in already."""

    def __init__(self, apis: Apis) -> None:
        self._apis = apis

    def __getattr__(self, app: str) -> _App:
        return _App(self._apis, app)


class _App:
    def __init__(self, apis: Apis, app: str) -> None:
        self._apis, self._app = apis, app

    def __getattr__(self, api: str) -> Callable[..., Json]:
        return partial(self._apis, self._app, api)


def played(function: Function, state: State, me: Person, values: Mapping[str, Any]) -> Any:
    """What a function gives; whatever it changes, it changes in the state."""
    session = _session(me)
    return _run(function, lambda app, api, **arguments: call(state, session, app, api, arguments), values)


def looked_up(function: Function, origin: Origin, me: int, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives where nothing has changed yet; what it reads is remembered."""
    return _run(function, lambda app, api, **arguments: _own(_answer(origin, me, app, api, **arguments)), values)


def _run(function: Function, apis: Apis, values: Mapping[str, Any]) -> Any:
    """A function only lends its code. Texts come as a program writes them: APIs take no `Day`."""
    names = {**_NAMES, "apis": DirectApis(apis)}
    plain = {slot: str(value) if isinstance(value, str) else value for slot, value in values.items()}
    return FunctionType(function.__code__, names)(**plain)


@lru_cache(maxsize=ANSWERS, typed=True)
def _answer(origin: Origin, me: int, app: str, api: str, /, **arguments: Json) -> Any:
    """What an API answers before anything has changed: values are drawn from one listing over and over."""
    state = State(origin)
    answer = call(state, _session(state[Person][me]), app, api, arguments)
    assert not state.touched(), f"{app}.{api} does not only read"
    return _frozen(answer)


def _frozen(answer: Json) -> Any:
    if isinstance(answer, dict):
        return MappingProxyType({name: _frozen(part) for name, part in answer.items()})
    return tuple(map(_frozen, answer)) if isinstance(answer, list) else answer


def _own(answer: Any) -> Any:
    """A reader may sort the lists it is given, as they are its own; rows are everybody's, and writing to one fails."""
    if isinstance(answer, MappingProxyType):
        return {name: list(part) if isinstance(part, tuple) else part for name, part in answer.items()}
    return list(answer) if isinstance(answer, tuple) else answer


def _session(me: Person) -> Session:
    session = Session(supervisor=me, instruction="", universe=0, seed=0)
    session.tokens.update({(app, _TOKEN): me.id for app in APPS})
    return session


@lru_cache(maxsize=4096)
def function_of(source: str) -> Function:
    """The one function that a source defines; the same source gives the same function."""
    names: dict[str, Any] = {}
    exec(compile(source, "<drill>", "exec"), names)  # noqa: S102 - our own words, made from the tables beside
    functions: list[Function] = [each for name, each in names.items() if name != "__builtins__"]
    (function,) = functions
    return function
