"""APIs of the splits app: groups, expenses, payments and balances.

They are documented in the order in which they stand here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, TypeVar

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.rows import Expense, ExpenseComment, Group, Repayment, Shares
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import (
    App,
    Ctx,
    PageIndex,
    PageLimit,
    Query,
    Span,
    conflict,
    forbidden,
    invalid,
    missing,
    page,
)
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import (
    Amount,
    DayFilter,
    card,
    cents,
    matches,
    money,
    oldest_first,
    people_with,
    period,
    person_with,
    within,
)

splits = with_accounts(App("splits", "Groups that share expenses: who paid, who owes whom, and paying back."))

GroupId = Annotated[int, "id of the group"]
GroupFilter = Annotated[int | None, "only this group; null for everything"]
Email = Annotated[str, "e-mail address of the person"]

PERSON = {"name": "string", "email": "string"}
Shared = TypeVar("Shared", Expense, Repayment)


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


# Groups


_GROUP = {
    "group_id": 1,
    "name": "string",
    "creator": PERSON,
    "members": [PERSON],
    "created_at": "2025-01-31T10:00:00",
}


def _group(ctx: Ctx, group: Group) -> Json:
    return {
        "group_id": group.id,
        "name": group.name,
        "creator": shown_person(ctx, group.creator),
        "members": [shown_person(ctx, person) for person in group.member_ids],
        "created_at": group.created_at.isoformat(),
    }


def _free_name(ctx: Ctx, name: str, group_id: int = 0) -> str:
    if not name.strip():
        invalid("name must not be empty.")
    if any(group.name == name and group.id != group_id for group in ctx.state[Group].of(ctx.me.id)):
        conflict(f"You already have a group named '{name}'.")
    return name


@splits.api(returns=[_GROUP])
def show_groups(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the groups you are in, oldest first."""
    mine = oldest_first(ctx.state[Group].of(ctx.me.id))
    found = [group for group in mine if matches(query, group.name)]
    return [_group(ctx, group) for group in page(found, page_index, page_limit)]


@splits.api(returns=_GROUP)
def show_group(ctx: Ctx, group_id: GroupId) -> Json:
    """Show one of your groups."""
    return _group(ctx, my_group(ctx, group_id))


@splits.api(returns={"message": "Group created.", "group_id": 1})
def create_group(
    ctx: Ctx,
    name: Annotated[str, "name of the group, not one that another of your groups has"],
    member_emails: Annotated[list[str], "e-mail addresses of the others; you are a member anyway"],
) -> Json:
    """Create a group of you and others."""
    members = [person.id for person in people_with(ctx.state, member_emails)]
    group = rows.create_group(ctx.state, ctx.me.id, _free_name(ctx, name), members)
    return {"message": "Group created.", "group_id": group.id}


@splits.api(returns={"message": "Group renamed.", "group_id": 1})
def rename_group(ctx: Ctx, group_id: GroupId, name: Annotated[str, "new name"]) -> Json:
    """Rename one of your groups."""
    my_group(ctx, group_id)
    rows.rename_group(ctx.state, group_id, _free_name(ctx, name, group_id))
    return {"message": "Group renamed.", "group_id": group_id}


@splits.api(returns={"message": "Group deleted.", "group_id": 1})
def delete_group(ctx: Ctx, group_id: GroupId) -> Json:
    """Delete a group you created, with its expenses, once nobody in it owes anything."""
    group = my_group(ctx, group_id)
    if group.creator != ctx.me.id:
        forbidden("Only its creator can delete a group.")
    if debts_in(ctx, group_id):
        conflict(f"Somebody in group '{group.name}' still owes something.")
    rows.delete_group(ctx.state, group_id)
    return {"message": "Group deleted.", "group_id": group_id}


@splits.api(returns={"message": "Member added.", "group_id": 1})
def add_member(ctx: Ctx, group_id: GroupId, email: Email) -> Json:
    """Add somebody to one of your groups."""
    group, person = my_group(ctx, group_id), somebody(ctx, email)
    if person.id in group.member_ids:
        conflict(f"{person.name} is already in group '{group.name}'.")
    rows.add_member(ctx.state, group_id, person.id)
    return {"message": "Member added.", "group_id": group_id}


@splits.api(returns={"message": "Member removed.", "group_id": 1})
def remove_member(ctx: Ctx, group_id: GroupId, email: Email) -> Json:
    """Remove somebody, or yourself, from one of your groups once they owe nothing and are owed nothing in it."""
    group, person = my_group(ctx, group_id), somebody(ctx, email)
    if person.id not in group.member_ids:
        conflict(f"{person.name} is not in group '{group.name}'.")
    if any(person.id in pair for pair in debts_in(ctx, group_id)):
        conflict(f"{person.name} is not settled up in group '{group.name}'.")
    rows.remove_member(ctx.state, group_id, person.id)
    return {"message": "Member removed.", "group_id": group_id}


# Expenses


ExpenseId = Annotated[int, "id of the expense"]
Text = Annotated[str, "what to say"]

_EXPENSE = {
    "expense_id": 1,
    "group_id": "1 or null",
    "description": "string",
    "amount": 30.0,
    "paid_by": PERSON,
    "shares": [{**PERSON, "amount": 10.0}],
    "created_at": "2025-01-31T10:00:00",
}
_COMMENT = {"comment_id": 1, "text": "string", "author": PERSON, "created_at": "2025-01-31T10:00:00"}


def _expenses(ctx: Ctx, expenses: Iterable[Expense]) -> list[Json]:
    who = cache(lambda person: shown_person(ctx, person))  # the same few people in every share
    return [
        {
            "expense_id": expense.id,
            "group_id": expense.group,
            "description": expense.description,
            "amount": money(expense.cents),
            "paid_by": who(expense.payer),
            "shares": [{**who(person), "amount": money(share)} for person, share in expense.shares],
            "created_at": expense.created_at.isoformat(),
        }
        for expense in expenses
    ]


def _my_expense(ctx: Ctx, expense_id: int) -> Expense:
    """An expense this account may see: it shares in it, or is in its group."""
    expense = ctx.state[Expense].get(expense_id)
    if expense is None:
        missing("expense", expense_id)
    group = ctx.state[Group].get(expense.group) if expense.group is not None else None
    if ctx.me.id not in expense.people and (group is None or ctx.me.id not in group.member_ids):
        missing("expense", expense_id)
    return expense


def _own_expense(ctx: Ctx, expense_id: int) -> Expense:
    expense = _my_expense(ctx, expense_id)
    if ctx.me.id not in (expense.creator, expense.payer):
        forbidden("Only who recorded or paid an expense can change it.")
    return expense


def _shares(ctx: Ctx, total: int, emails: list[str], amounts: list[float] | None, group: Group | None) -> Shares:
    """What everybody's part is: as given, or equal."""
    people = people_with(ctx.state, emails)
    if not people:
        invalid("participant_emails must not be empty.")
    if len({person.id for person in people}) < len(people):
        invalid("participant_emails names somebody twice.")
    for person in people:
        if group is not None and person.id not in group.member_ids:
            invalid(f"{person.name} is not in group '{group.name}'.")
    if amounts is None:
        return rows.equal_shares(total, (person.id for person in people))
    if len(amounts) != len(people):
        invalid(f"share_amounts must have one amount for each of the {len(people)} participants, not {len(amounts)}.")
    parts = {person.id: cents(amount) for person, amount in zip(people, amounts, strict=True)}
    if any(part < 0 for part in parts.values()) or sum(parts.values()) != total:
        invalid(f"share_amounts must add up to {money(total):.2f}.")
    return rows.shares_of(parts)


@splits.api(returns=[_EXPENSE])
def show_expenses(
    ctx: Ctx,
    query: Annotated[str, "words to look for in the description; empty for everything"] = "",
    group_id: Annotated[int | None, "all expenses of this group; null for those you paid or share in"] = None,
    paid_by_email: Annotated[str | None, "only what this person paid"] = None,
    from_date: DayFilter = None,
    to_date: DayFilter = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List expenses, yours or a group's, latest first."""
    since, until = period(from_date, to_date)
    payer = somebody(ctx, paid_by_email).id if paid_by_email is not None else None
    key = ctx.me.id if group_id is None else ("group", my_group(ctx, group_id).id)
    found = [
        expense
        for expense in ctx.state[Expense].of(key)
        if (payer is None or expense.payer == payer)
        and (since is until is None or within(expense.created_at, since, until))
        and matches(query, expense.description)
    ]
    found.sort(key=lambda expense: (expense.created_at, expense.id), reverse=True)
    return _expenses(ctx, page(found, page_index, page_limit))


@splits.api(returns=_EXPENSE)
def show_expense(ctx: Ctx, expense_id: ExpenseId) -> Json:
    """Show one expense with everybody's share."""
    return _expenses(ctx, [_my_expense(ctx, expense_id)])[0]


@splits.api(returns={"message": "Expense added.", "expense_id": 1})
def add_expense(
    ctx: Ctx,
    description: Annotated[str, "what the money was for"],
    amount: Amount,
    participant_emails: Annotated[list[str], "e-mail addresses of everybody it was for, yours too if you share in it"],
    share_amounts: Annotated[
        list[float] | None, "each participant's part in the same order; null to split equally"
    ] = None,
    paid_by_email: Annotated[str | None, "who paid; null for you"] = None,
    group_id: Annotated[int | None, "group it belongs to; null for none"] = None,
) -> Json:
    """Record an expense, in a group or outside any."""
    group = my_group(ctx, group_id) if group_id is not None else None
    payer = somebody(ctx, paid_by_email) if paid_by_email is not None else ctx.me
    if group is not None and payer.id not in group.member_ids:
        invalid(f"{payer.name} is not in group '{group.name}'.")
    shares = _shares(ctx, cents(amount), participant_emails, share_amounts, group)
    if ctx.me.id != payer.id and all(person != ctx.me.id for person, _ in shares):
        invalid("You must have paid or share in an expense to record it.")
    expense = rows.add_expense(ctx.state, ctx.me.id, description, cents(amount), shares, payer=payer.id, group=group_id)
    return {"message": "Expense added.", "expense_id": expense.id}


@splits.api(returns={"message": "Expense updated.", "expense_id": 1})
def update_expense(
    ctx: Ctx,
    expense_id: ExpenseId,
    description: Annotated[str | None, "new description, or null to keep it"] = None,
    amount: Annotated[
        float | None, "new amount, split equally among the participants; null to keep it", Span(0.01, 1_000_000)
    ] = None,
    participant_emails: Annotated[list[str] | None, "new participants, or null to keep them"] = None,
    share_amounts: Annotated[
        list[float] | None, "each participant's part, by e-mail order given; null for equal"
    ] = None,
) -> Json:
    """Change an expense you recorded or paid; a change of amount or participants splits it anew."""
    expense = _own_expense(ctx, expense_id)
    fields: dict[str, Json] = {}
    if description is not None:
        fields["description"] = description
    if share_amounts is not None and participant_emails is None:
        invalid("share_amounts needs participant_emails, in the same order.")
    if amount is not None or participant_emails is not None:
        total = expense.cents if amount is None else cents(amount)
        emails = participant_emails
        if emails is None:
            emails = [ctx.state[Person][person].email for person, _ in expense.shares]
        group = ctx.state[Group].get(expense.group) if expense.group is not None else None
        fields |= {"cents": total, "shares": _shares(ctx, total, emails, share_amounts, group)}
    rows.change_expense(ctx.state, expense_id, **fields)
    return {"message": "Expense updated.", "expense_id": expense_id}


@splits.api(returns={"message": "Expense deleted.", "expense_id": 1})
def delete_expense(ctx: Ctx, expense_id: ExpenseId) -> Json:
    """Delete an expense you recorded or paid, with its comments."""
    _own_expense(ctx, expense_id)
    rows.delete_expense(ctx.state, expense_id)
    return {"message": "Expense deleted.", "expense_id": expense_id}


@splits.api(returns=[_COMMENT])
def show_expense_comments(
    ctx: Ctx, expense_id: ExpenseId, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """List the comments on an expense, oldest first."""
    _my_expense(ctx, expense_id)
    return [
        {
            "comment_id": comment.id,
            "text": comment.text,
            "author": shown_person(ctx, comment.author),
            "created_at": comment.created_at.isoformat(),
        }
        for comment in page(oldest_first(ctx.state[ExpenseComment].of(expense_id)), page_index, page_limit)
    ]


@splits.api(returns={"message": "Comment added.", "comment_id": 1})
def add_expense_comment(ctx: Ctx, expense_id: ExpenseId, text: Text) -> Json:
    """Comment on an expense."""
    _my_expense(ctx, expense_id)
    if not text.strip():
        invalid("text must not be empty.")
    return {"message": "Comment added.", "comment_id": rows.comment(ctx.state, expense_id, ctx.me.id, text).id}


@splits.api(returns={"message": "Comment deleted.", "comment_id": 1})
def delete_expense_comment(ctx: Ctx, comment_id: Annotated[int, "id of the comment"]) -> Json:
    """Delete one of your comments."""
    comment = ctx.state[ExpenseComment].get(comment_id) or missing("comment", comment_id)
    _my_expense(ctx, comment.expense)
    if comment.author != ctx.me.id:
        forbidden("Only its author can delete a comment.")
    rows.delete_comment(ctx.state, comment_id)
    return {"message": "Comment deleted.", "comment_id": comment_id}


# Payments


_PAYMENT = {
    "payment_id": 1,
    "group_id": "1 or null",
    "payer": PERSON,
    "receiver": PERSON,
    "amount": 10.0,
    "note": "string",
    "created_at": "2025-01-31T10:00:00",
}


@splits.api(returns=[_PAYMENT])
def show_payments(ctx: Ctx, group_id: GroupFilter = None, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List what you paid back and were paid back, latest first."""
    if group_id is not None:
        my_group(ctx, group_id)
    found = [row for row in ctx.state[Repayment].of(ctx.me.id) if group_id is None or row.group == group_id]
    found.sort(key=lambda row: (row.created_at, row.id), reverse=True)
    return [
        {
            "payment_id": row.id,
            "group_id": row.group,
            "payer": shown_person(ctx, row.payer),
            "receiver": shown_person(ctx, row.receiver),
            "amount": money(row.cents),
            "note": row.note,
            "created_at": row.created_at.isoformat(),
        }
        for row in page(found, page_index, page_limit)
    ]


@splits.api(returns={"message": "Payment recorded.", "payment_id": 1})
def record_payment(
    ctx: Ctx,
    payer_email: Annotated[str, "who paid back; you are one of the two"],
    receiver_email: Annotated[str, "who received it"],
    amount: Amount,
    group_id: Annotated[int | None, "group whose debts it settles; null for none"] = None,
    note: Annotated[str, "a remark; may be empty"] = "",
) -> Json:
    """Record that you paid somebody back or were paid back (this moves no money)."""
    payer, receiver = somebody(ctx, payer_email), somebody(ctx, receiver_email)
    if payer.id == receiver.id or ctx.me.id not in (payer.id, receiver.id):
        invalid("One of payer_email and receiver_email must be yours, the other somebody else's.")
    _both_in(ctx, group_id, payer, receiver)
    done = rows.repay(ctx.state, ctx.me.id, payer.id, receiver.id, cents(amount), group=group_id, note=note)
    return {"message": "Payment recorded.", "payment_id": done.id}


def _both_in(ctx: Ctx, group_id: int | None, *people: Person) -> None:
    if group_id is None:
        return
    group = my_group(ctx, group_id)
    for person in people:
        if person.id not in group.member_ids:
            invalid(f"{person.name} is not in group '{group.name}'.")


@splits.api(returns={"message": "Settled up.", "payment_id": 1, "amount": 10.0})
def settle_up(
    ctx: Ctx,
    email: Email,
    group_id: Annotated[int | None, "group whose debts to settle; null for debts outside any group"] = None,
) -> Json:
    """Record that all you owe somebody, or they owe you, in one group or outside any was paid back (moves no money)."""
    person = somebody_else(ctx, email)
    _both_in(ctx, group_id, person)
    expenses = [row for row in ctx.state[Expense].of(ctx.me.id) if row.group == group_id]
    repayments = [row for row in ctx.state[Repayment].of(ctx.me.id) if row.group == group_id]
    owed = rows.debts(expenses, repayments)
    pairs = [pair for pair in ((ctx.me.id, person.id), (person.id, ctx.me.id)) if pair in owed]
    if not pairs:
        conflict(f"You and {person.name} owe each other nothing here.")
    payer, receiver = pairs[0]
    done = rows.repay(ctx.state, ctx.me.id, payer, receiver, owed[payer, receiver], group=group_id)
    return {"message": "Settled up.", "payment_id": done.id, "amount": money(done.cents)}


@splits.api(returns={"message": "Payment deleted.", "payment_id": 1})
def delete_payment(ctx: Ctx, payment_id: Annotated[int, "id of the recorded payment"]) -> Json:
    """Delete a payment record you made."""
    repayment = ctx.state[Repayment].get(payment_id)
    if repayment is None or ctx.me.id not in (repayment.payer, repayment.receiver):
        missing("payment", payment_id)
    if repayment.creator != ctx.me.id:
        forbidden("Only who recorded a payment can delete it.")
    rows.delete_repayment(ctx.state, payment_id)
    return {"message": "Payment deleted.", "payment_id": payment_id}


# Balances


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
    expenses = _by_group(row for row in ctx.state[Expense].of(ctx.me.id) if pair.issubset(row.people))
    repayments = _by_group(row for row in ctx.state[Repayment].of(ctx.me.id) if pair == {row.payer, row.receiver})
    parts, total = [], 0
    for group in sorted(expenses.keys() | repayments.keys()):
        owed = rows.debts(expenses.get(group, ()), repayments.get(group, ()))
        amount = owed.get((person.id, ctx.me.id), 0) - owed.get((ctx.me.id, person.id), 0)
        if amount:
            name = ctx.state[Group][group].name if group else None
            parts.append({"group_id": group or None, "group_name": name, "balance": money(amount)})
            total += amount
    return {**card(person), "balance": money(total), "by_group": parts}


def _by_group(found: Iterable[Shared]) -> dict[int, list[Shared]]:
    """Rows by the id of their group, 0 for none."""
    groups: dict[int, list[Shared]] = {}
    for row in found:
        groups.setdefault(row.group or 0, []).append(row)
    return groups


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
