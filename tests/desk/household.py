"""Three people with literal particulars, and a way to call one app's APIs as one of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import pytest

from opensage.worlds.desk.api import ApiError, App, Session
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import Base, State

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


class Caller:
    """A small state, and everybody logged in to one app under their first name in lower case."""

    def __init__(self, app: App, bases: Iterable[Base[Any]]) -> None:
        self.app = app
        self.state = State.over([Base(Person, (ADA, BEN, CLEO)), *bases], NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {(app.name, who.first.lower()): who.id for who in (ADA, BEN, CLEO)}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return self.app.apis[api].call(self.state, self.session, {"access_token": token, **arguments})

    def refused(self, api: str, **arguments: Any) -> int:
        """The code with which a call is refused; it must leave the state as it is."""
        before = {kind: {row.id: row for row in self.state[kind]} for kind in self.state.kinds()}
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        assert {kind: {row.id: row for row in self.state[kind]} for kind in self.state.kinds()} == before
        return refusal.value.code
