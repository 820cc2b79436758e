"""APIs on what was paid back."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.app import (
    PERSON,
    Email,
    GroupFilter,
    my_group,
    shown_person,
    somebody,
    somebody_else,
    splits,
)
from prowess_desk.apps.splits.rows import Expense, Repayment
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, conflict, forbidden, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import Amount, cents, money

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
