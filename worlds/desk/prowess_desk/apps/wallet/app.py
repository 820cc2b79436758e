"""The wallet app itself, and how the other party is found."""

from __future__ import annotations

from typing import Annotated

from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, invalid, missing
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import person_with

wallet = with_accounts(App("wallet", "Payments between people, requests for money, cards and a balance."))

Note = Annotated[str, "what the money is for; may be empty"]

PERSON = {"name": "string", "email": "string"}


def somebody_else(ctx: Ctx, email: str) -> Person:
    person = person_with(ctx.state, email=email) or missing("user with e-mail address", email)
    if person.id == ctx.me.id:
        invalid("That is your own e-mail address.")
    return person
