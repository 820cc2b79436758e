"""A program of the expert's, played directly on the tables: no sandbox, no password."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from types import CodeType
from typing import Any

from opensage.types import Json
from opensage.worlds.desk.api import Session
from opensage.worlds.desk.desk import APPS, call
from opensage.worlds.desk.families.toolbox import all_pages
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State

_TOKEN = "inside"
CLOCK = {"date": date, "datetime": datetime, "timedelta": timedelta}
"""What programs import."""


class Door:
    """What programs call `apis`, for one person on one state; every app has let them in already."""

    def __init__(self, state: State, me: Person) -> None:
        session = Session(supervisor=me, instruction="", universe=0, seed=0)
        session.tokens.update({(app, _TOKEN): me.id for app in APPS})
        self._state, self._session = state, session

    def __getattr__(self, app: str) -> _App:
        return _App(self._state, self._session, app)


class _App:
    def __init__(self, state: State, session: Session, app: str) -> None:
        self._state, self._session, self._app = state, session, app

    def __getattr__(self, api: str) -> Callable[..., Json]:
        return lambda **arguments: call(self._state, self._session, self._app, api, arguments)


def played(source: str, expression: str, state: State, me: Person, values: Mapping[str, Any]) -> Any:
    """What a call of a program's function gives; whatever it changes, it changes in the state."""
    names: dict[str, Any] = {"apis": Door(state, me), "login": lambda app: _TOKEN, "all_pages": all_pages, **CLOCK}
    exec(_compiled(source), names)  # noqa: S102 - our own words, made from the tables beside
    return eval(expression.format(**values), names)  # noqa: S307


@lru_cache(maxsize=4096)
def _compiled(source: str) -> CodeType:
    """Values are drawn many times for one program."""
    return compile(source, "<drill>", "exec")
