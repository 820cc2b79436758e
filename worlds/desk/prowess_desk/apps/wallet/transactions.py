"""APIs on payments, likes and comments."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.wallet import rows
from prowess_desk.apps.wallet.app import PERSON, Note, somebody_else, wallet
from prowess_desk.apps.wallet.balance import enough
from prowess_desk.apps.wallet.rows import Payment, PaymentComment
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, conflict, forbidden, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import (
    Amount,
    AmountFilter,
    DayFilter,
    card,
    cents,
    matches,
    money,
    oldest_first,
    period,
    person_with,
    within,
)

TransactionId = Annotated[int, "id of the transaction"]

_TRANSACTION = {
    "transaction_id": 1,
    "amount": 12.5,
    "note": "string",
    "is_private": False,
    "direction": "sent or received",
    "sender": PERSON,
    "receiver": PERSON,
    "like_count": 0,
    "liked_by_me": False,
    "comment_count": 0,
    "created_at": "2025-01-31T10:00:00",
}
_COMMENT = {"comment_id": 1, "text": "string", "author": PERSON, "created_at": "2025-01-31T10:00:00"}


def _transaction(ctx: Ctx, payment: Payment) -> dict[str, Json]:
    people = ctx.state[Person]
    return {
        "transaction_id": payment.id,
        "amount": money(payment.cents),
        "note": payment.note,
        "is_private": payment.private,
        "direction": "sent" if payment.sender == ctx.me.id else "received",
        "sender": card(people[payment.sender]),
        "receiver": card(people[payment.receiver]),
        "like_count": len(payment.liker_ids),
        "liked_by_me": ctx.me.id in payment.liker_ids,
        "comment_count": len(ctx.state[PaymentComment].of(payment.id)),
        "created_at": payment.created_at.isoformat(),
    }


def _my_payment(ctx: Ctx, transaction_id: int) -> Payment:
    payment = ctx.state[Payment].get(transaction_id)
    if payment is None or ctx.me.id not in payment.parties:
        missing("transaction", transaction_id)
    return payment


@wallet.api(returns=[_TRANSACTION])
def show_transactions(
    ctx: Ctx,
    query: Annotated[str, "words to look for in the note; empty for everything"] = "",
    direction: Annotated[str | None, "only what you sent or received", OneOf(("sent", "received"))] = None,
    user_email: Annotated[str | None, "only with this person"] = None,
    min_amount: AmountFilter = None,
    max_amount: AmountFilter = None,
    from_date: DayFilter = None,
    to_date: DayFilter = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List payments you sent or received, latest first."""
    since, until = period(from_date, to_date)
    me, other = ctx.me.id, None
    if user_email is not None:
        other = (person_with(ctx.state, email=user_email) or missing("user with e-mail address", user_email)).id
    found = [
        payment
        for payment in ctx.state[Payment].of(me)
        if (direction is None or (payment.sender == me) == (direction == "sent"))
        and (other is None or other in payment.parties)
        and (min_amount is None or payment.cents >= min_amount * 100 - 1e-6)
        and (max_amount is None or payment.cents <= max_amount * 100 + 1e-6)
        and (since is until is None or within(payment.created_at, since, until))
        and matches(query, payment.note)
    ]
    found.sort(key=lambda payment: (payment.created_at, payment.id), reverse=True)
    return [_transaction(ctx, payment) for payment in page(found, page_index, page_limit)]


@wallet.api(returns=_TRANSACTION)
def show_transaction(ctx: Ctx, transaction_id: TransactionId) -> Json:
    """Show one payment you sent or received."""
    return _transaction(ctx, _my_payment(ctx, transaction_id))


@wallet.api(returns={"message": "Payment sent.", "transaction_id": 1})
def send_payment(
    ctx: Ctx,
    receiver_email: Annotated[str, "e-mail address of the person to pay"],
    amount: Amount,
    note: Note = "",
    is_private: Annotated[bool, "whether only the two of you can see it"] = False,
) -> Json:
    """Pay somebody from your balance."""
    receiver = somebody_else(ctx, receiver_email)
    enough(ctx, cents(amount))
    payment = rows.transfer(ctx.state, ctx.me.id, receiver.id, cents(amount), note, private=is_private)
    return {"message": "Payment sent.", "transaction_id": payment.id}


@wallet.api(returns={"message": "Transaction updated.", "transaction_id": 1})
def update_transaction(
    ctx: Ctx,
    transaction_id: TransactionId,
    note: Annotated[str | None, "new note, or null to keep it"] = None,
    is_private: Annotated[bool | None, "whether only the two of you can see it, or null to keep it"] = None,
) -> Json:
    """Change the note or the privacy of a payment you sent."""
    if _my_payment(ctx, transaction_id).sender != ctx.me.id:
        forbidden("Only the sender can change a transaction.")
    rows.change_payment(ctx.state, transaction_id, note=note, private=is_private)
    return {"message": "Transaction updated.", "transaction_id": transaction_id}


@wallet.api(returns={"message": "Liked.", "transaction_id": 1})
def like_transaction(ctx: Ctx, transaction_id: TransactionId) -> Json:
    """Like a payment you sent or received."""
    if ctx.me.id in _my_payment(ctx, transaction_id).liker_ids:
        conflict(f"You already like transaction {transaction_id}.")
    rows.like_payment(ctx.state, transaction_id, ctx.me.id)
    return {"message": "Liked.", "transaction_id": transaction_id}


@wallet.api(returns={"message": "No longer liked.", "transaction_id": 1})
def unlike_transaction(ctx: Ctx, transaction_id: TransactionId) -> Json:
    """Take back your like of a payment."""
    if ctx.me.id not in _my_payment(ctx, transaction_id).liker_ids:
        conflict(f"You have not liked transaction {transaction_id}.")
    rows.unlike_payment(ctx.state, transaction_id, ctx.me.id)
    return {"message": "No longer liked.", "transaction_id": transaction_id}


@wallet.api(returns=[_COMMENT])
def show_transaction_comments(
    ctx: Ctx, transaction_id: TransactionId, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """List the comments on a payment you sent or received, oldest first."""
    _my_payment(ctx, transaction_id)
    return [
        {
            "comment_id": comment.id,
            "text": comment.text,
            "author": card(ctx.state[Person][comment.author]),
            "created_at": comment.created_at.isoformat(),
        }
        for comment in page(oldest_first(ctx.state[PaymentComment].of(transaction_id)), page_index, page_limit)
    ]


@wallet.api(returns={"message": "Comment added.", "comment_id": 1})
def add_transaction_comment(ctx: Ctx, transaction_id: TransactionId, text: Annotated[str, "what to say"]) -> Json:
    """Comment on a payment you sent or received."""
    _my_payment(ctx, transaction_id)
    if not text.strip():
        invalid("text must not be empty.")
    comment = rows.comment(ctx.state, transaction_id, ctx.me.id, text)
    return {"message": "Comment added.", "comment_id": comment.id}


@wallet.api(returns={"message": "Comment deleted.", "comment_id": 1})
def delete_transaction_comment(ctx: Ctx, comment_id: Annotated[int, "id of the comment"]) -> Json:
    """Delete one of your comments."""
    comment = ctx.state[PaymentComment].get(comment_id) or missing("comment", comment_id)
    if ctx.me.id not in ctx.state[Payment][comment.payment].parties:
        missing("comment", comment_id)
    if comment.author != ctx.me.id:
        forbidden("Only its author can delete a comment.")
    rows.delete_comment(ctx.state, comment_id)
    return {"message": "Comment deleted.", "comment_id": comment_id}
