"""Three people with literal particulars, and a way to call one app's APIs as one of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import pytest
from prowess_desk.engine.api import Api, ApiError, App, Session
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base, State

from prowess.types import Json

NOW = datetime(2025, 5, 18, 12)


def _person(id: int, first: str) -> Person:
    return Person(
        id=id,
        first=first,
        last="Holt",
        email=f"{first.lower()}@example.com",
        phone=f"555000000{id}",
        birthday=date(1990, 1, id),
        address=f"{id} Elm Street",
        city="Ashford",
        relations=(),
    )


ADA, BEN, CLEO = _person(1, "Ada"), _person(2, "Ben"), _person(3, "Cleo")


def answer(api: Api, state: State, session: Session, **arguments: Any) -> Any:
    """What an API answers, which must have the fields that its documentation shows."""
    told = api.call(state, session, arguments)
    assert told is not None and _alike(told, api.returns), (
        f"{api.app}.{api.name} answers {told}, documented is {api.returns}"
    )
    return told


def _alike(told: Json, shown: Json) -> bool:
    if isinstance(told, dict) and isinstance(shown, dict):
        return told.keys() == shown.keys() and all(_alike(told[name], shown[name]) for name in shown)
    if isinstance(told, list) and isinstance(shown, list):
        return not shown or all(_alike(one, shown[0]) for one in told)
    return told is None or isinstance(told, dict | list) == isinstance(shown, dict | list)


class Caller:
    """A small state, and everybody logged in to one app under their first name in lower case."""

    def __init__(self, app: App, bases: Iterable[Base[Any]]) -> None:
        self.app = app
        self.state = State.over([Base(Person, (ADA, BEN, CLEO)), *bases], NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {(app.name, who.first.lower()): who.id for who in (ADA, BEN, CLEO)}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(self.app.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        """The code with which a call is refused; it must leave the state as it is."""
        before = {kind: {row.id: row for row in self.state[kind]} for kind in self.state.kinds()}
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        assert {kind: {row.id: row for row in self.state[kind]} for kind in self.state.kinds()} == before
        return refusal.value.code
