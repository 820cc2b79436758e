"""APIs on expenses and the comments on them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.app import PERSON, my_group, shown_person, somebody, splits
from prowess_desk.apps.splits.rows import Expense, ExpenseComment, Group, Shares
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Span, forbidden, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import Amount, DayFilter, cents, matches, money, oldest_first, period, within

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
    people = [somebody(ctx, email) for email in emails]
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
