"""The phone app itself, and how the other end of a message or call is found and shown."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, invalid, missing
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import person_with

phone = with_accounts(App("phone", "Contacts, text and voice messages, calls and alarms."), by="phone")

Number = Annotated[str, "phone number, 10 digits"]
NumberFilter = Annotated[str | None, "only with this phone number"]

END = {"name": "string", "phone_number": "5550000000"}


def shown_end(person: Person) -> Json:
    return {"name": person.name, "phone_number": person.phone}


def somebody_else(ctx: Ctx, number: str) -> Person:
    person = person_with(ctx.state, phone=number) or missing("phone number", number)
    if person.id == ctx.me.id:
        invalid("That is your own phone number.")
    return person
