"""APIs on who owes whom."""

from __future__ import annotations

from collections.abc import Iterable

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.app import (
    PERSON,
    Email,
    GroupFilter,
    GroupId,
    debts_in,
    my_group,
    shown_person,
    somebody_else,
    splits,
)
from prowess_desk.apps.splits.rows import Expense, Group, Repayment
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, page
from prowess_desk.engine.reading import card, money

_BALANCE = {**PERSON, "balance": 10.0}
_OWED = {**PERSON, "amount": 10.0}


def _owed(ctx: Ctx, parts: Iterable[tuple[int, int]], page_index: int, page_limit: int) -> Json:
    found = page(list(parts), page_index, page_limit)
    return [{**shown_person(ctx, person), "amount": money(amount)} for person, amount in found]


def _my_balances(ctx: Ctx, group_id: int | None) -> dict[int, int]:
    if group_id is not None:
        my_group(ctx, group_id)
    return rows.balances(ctx.state, ctx.me.id, group_id)


@splits.api(returns={"total": 10.0, "balances": [_BALANCE]})
def show_balances(ctx: Ctx, group_id: GroupFilter = None) -> Json:
    """Show your balance with everybody: positive when they owe you, negative when you owe them."""
    found = _my_balances(ctx, group_id)
    return {
        "total": money(sum(found.values())),
        "balances": [{**shown_person(ctx, person), "balance": money(amount)} for person, amount in found.items()],
    }


@splits.api(returns={**_BALANCE, "by_group": [{"group_id": "1 or null", "group_name": "string", "balance": 10.0}]})
def show_person_balance(ctx: Ctx, email: Email) -> Json:
    """Show your balance with one person, in all and by group: positive when they owe you."""
    person = somebody_else(ctx, email)
    pair = {ctx.me.id, person.id}
    expenses = [row for row in ctx.state[Expense].of(ctx.me.id) if pair.issubset(row.people)]
    repayments = [row for row in ctx.state[Repayment].of(ctx.me.id) if pair == {row.payer, row.receiver}]
    parts, total = [], 0
    for group in sorted({row.group or 0 for row in expenses} | {row.group or 0 for row in repayments}):
        owed = rows.debts(
            [row for row in expenses if (row.group or 0) == group],
            [row for row in repayments if (row.group or 0) == group],
        )
        amount = owed.get((person.id, ctx.me.id), 0) - owed.get((ctx.me.id, person.id), 0)
        if amount:
            name = ctx.state[Group][group].name if group else None
            parts.append({"group_id": group or None, "group_name": name, "balance": money(amount)})
            total += amount
    return {**card(person), "balance": money(total), "by_group": parts}


@splits.api(
    returns={
        "group_id": 1,
        "name": "string",
        "members": [_BALANCE],
        "debts": [{"debtor": PERSON, "creditor": PERSON, "amount": 10.0}],
    }
)
def show_group_balances(ctx: Ctx, group_id: GroupId) -> Json:
    """Show what every member of a group gets (positive) or owes (negative) in it, and who owes whom."""
    group = my_group(ctx, group_id)
    owed = debts_in(ctx, group_id)
    net = dict.fromkeys(group.member_ids, 0)
    for (debtor, creditor), amount in owed.items():
        net[debtor] = net.get(debtor, 0) - amount
        net[creditor] = net.get(creditor, 0) + amount
    return {
        "group_id": group_id,
        "name": group.name,
        "members": [{**shown_person(ctx, person), "balance": money(amount)} for person, amount in net.items()],
        "debts": [
            {"debtor": shown_person(ctx, debtor), "creditor": shown_person(ctx, creditor), "amount": money(amount)}
            for (debtor, creditor), amount in sorted(owed.items())
        ],
    }


@splits.api(returns=[_OWED])
def show_people_who_owe_me(
    ctx: Ctx, group_id: GroupFilter = None, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """List the people who owe you and how much, in all or in one group."""
    found = ((person, amount) for person, amount in _my_balances(ctx, group_id).items() if amount > 0)
    return _owed(ctx, found, page_index, page_limit)


@splits.api(returns=[_OWED])
def show_people_i_owe(
    ctx: Ctx, group_id: GroupFilter = None, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """List the people you owe and how much, in all or in one group."""
    found = ((person, -amount) for person, amount in _my_balances(ctx, group_id).items() if amount < 0)
    return _owed(ctx, found, page_index, page_limit)
