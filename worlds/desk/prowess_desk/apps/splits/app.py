"""The splits app itself, and how people, groups and debts are found."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.rows import Expense, Group, Repayment
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, invalid, missing
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import card, person_with

splits = with_accounts(App("splits", "Groups that share expenses: who paid, who owes whom, and paying back."))

GroupId = Annotated[int, "id of the group"]
GroupFilter = Annotated[int | None, "only this group; null for everything"]
Email = Annotated[str, "e-mail address of the person"]

PERSON = {"name": "string", "email": "string"}


def shown_person(ctx: Ctx, person: int) -> Json:
    return card(ctx.state[Person][person])


def somebody(ctx: Ctx, email: str) -> Person:
    return person_with(ctx.state, email=email) or missing("user with e-mail address", email)


def somebody_else(ctx: Ctx, email: str) -> Person:
    person = somebody(ctx, email)
    if person.id == ctx.me.id:
        invalid("That is your own e-mail address.")
    return person


def my_group(ctx: Ctx, group_id: int) -> Group:
    group = ctx.state[Group].get(group_id)
    if group is None or ctx.me.id not in group.member_ids:
        missing("group", group_id)
    return group


def debts_in(ctx: Ctx, group_id: int) -> dict[tuple[int, int], int]:
    key = ("group", group_id)
    return rows.debts(ctx.state[Expense].of(key), ctx.state[Repayment].of(key))
