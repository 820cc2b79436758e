"""APIs of the wallet app: balance, payments, requests for money, cards and friends.

They are documented in the order in which they stand here.
"""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.wallet import rows
from prowess_desk.apps.wallet.rows import (
    CardTransfer,
    Payment,
    PaymentCard,
    PaymentComment,
    PaymentRequest,
    WalletAccount,
)
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import (
    App,
    Ctx,
    OneOf,
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
from prowess_desk.engine.tables import State

wallet = with_accounts(App("wallet", "Payments between people, requests for money, cards and a balance."))

Note = Annotated[str, "what the money is for; may be empty"]

PERSON = {"name": "string", "email": "string"}


def somebody_else(ctx: Ctx, email: str) -> Person:
    person = person_with(ctx.state, email=email) or missing("user with e-mail address", email)
    if person.id == ctx.me.id:
        invalid("That is your own e-mail address.")
    return person


# Balance


def enough(ctx: Ctx, cents: int) -> None:
    have = ctx.state[WalletAccount][ctx.me.id].cents
    if have < cents:
        conflict(f"Your balance of {money(have):.2f} does not cover {money(cents):.2f}.")


@wallet.api(returns={"balance": 100.0})
def show_balance(ctx: Ctx) -> Json:
    """Show your balance."""
    return {"balance": money(ctx.state[WalletAccount][ctx.me.id].cents)}


# Payments


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


# Requests for money


RequestId = Annotated[int, "id of the payment request"]
Status = Annotated[str | None, "only requests in this state", OneOf(("pending", "approved", "denied"))]

_REQUEST = {
    "request_id": 1,
    "amount": 12.5,
    "note": "string",
    "status": "pending, approved or denied",
    "requester": PERSON,
    "payer": PERSON,
    "created_at": "2025-01-31T10:00:00",
}


def _request(state: State, request: PaymentRequest) -> dict[str, Json]:
    return {
        "request_id": request.id,
        "amount": money(request.cents),
        "note": request.note,
        "status": request.status,
        "requester": card(state[Person][request.requester]),
        "payer": card(state[Person][request.payer]),
        "created_at": request.created_at.isoformat(),
    }


def _my_request(ctx: Ctx, request_id: int) -> PaymentRequest:
    request = ctx.state[PaymentRequest].get(request_id)
    if request is None or ctx.me.id not in request.parties:
        missing("payment request", request_id)
    return request


def _pending(ctx: Ctx, request_id: int) -> PaymentRequest:
    """A request that waits for this account's answer."""
    request = _my_request(ctx, request_id)
    if request.payer != ctx.me.id:
        forbidden("Only the person asked to pay can approve or deny a request.")
    if request.status != "pending":
        conflict(f"Payment request {request_id} is already {request.status}.")
    return request


def _requests(ctx: Ctx, *, mine: bool, status: str | None, page_index: int, page_limit: int) -> Json:
    found = [
        request
        for request in ctx.state[PaymentRequest].of(ctx.me.id)
        if (request.requester == ctx.me.id) == mine and (status is None or request.status == status)
    ]
    found.sort(key=lambda request: (request.created_at, request.id), reverse=True)
    return [_request(ctx.state, request) for request in page(found, page_index, page_limit)]


@wallet.api(returns=[_REQUEST])
def show_sent_requests(ctx: Ctx, status: Status = None, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the requests for money you sent to others, latest first."""
    return _requests(ctx, mine=True, status=status, page_index=page_index, page_limit=page_limit)


@wallet.api(returns=[_REQUEST])
def show_received_requests(
    ctx: Ctx, status: Status = None, page_index: PageIndex = 0, page_limit: PageLimit = 5
) -> Json:
    """List the requests for money others sent to you, latest first."""
    return _requests(ctx, mine=False, status=status, page_index=page_index, page_limit=page_limit)


@wallet.api(returns={"message": "Request sent.", "request_id": 1})
def request_payment(
    ctx: Ctx, payer_email: Annotated[str, "e-mail address of the person to ask"], amount: Amount, note: Note = ""
) -> Json:
    """Ask somebody for money."""
    request = rows.request(ctx.state, ctx.me.id, somebody_else(ctx, payer_email).id, cents(amount), note)
    return {"message": "Request sent.", "request_id": request.id}


@wallet.api(returns={"message": "Request approved and paid.", "request_id": 1, "transaction_id": 1})
def approve_request(ctx: Ctx, request_id: RequestId) -> Json:
    """Approve a pending request somebody sent to you, which pays it from your balance."""
    enough(ctx, _pending(ctx, request_id).cents)
    payment = rows.approve(ctx.state, request_id)
    return {"message": "Request approved and paid.", "request_id": request_id, "transaction_id": payment.id}


@wallet.api(returns={"message": "Request denied.", "request_id": 1})
def deny_request(ctx: Ctx, request_id: RequestId) -> Json:
    """Deny a pending request somebody sent to you."""
    _pending(ctx, request_id)
    rows.deny(ctx.state, request_id)
    return {"message": "Request denied.", "request_id": request_id}


@wallet.api(returns={"message": "Request cancelled.", "request_id": 1})
def cancel_request(ctx: Ctx, request_id: RequestId) -> Json:
    """Take back a pending request you sent to somebody."""
    request = _my_request(ctx, request_id)
    if request.requester != ctx.me.id:
        forbidden("Only the person who asked can cancel a request.")
    if request.status != "pending":
        conflict(f"Payment request {request_id} is already {request.status}.")
    rows.cancel(ctx.state, request_id)
    return {"message": "Request cancelled.", "request_id": request_id}


# Cards


CardId = Annotated[int, "id of the payment card"]

_CARD = {"card_id": 1, "name": "string", "number": "string", "expiry_year": 2027, "expiry_month": 12}


def _my_card(ctx: Ctx, card_id: int) -> PaymentCard:
    mine = ctx.state[PaymentCard].get(card_id)
    if mine is None or mine.owner != ctx.me.id:
        missing("payment card", card_id)
    return mine


@wallet.api(returns=[_CARD])
def show_cards(ctx: Ctx) -> Json:
    """List your payment cards."""
    return [
        {
            "card_id": mine.id,
            "name": mine.name,
            "number": mine.number,
            "expiry_year": mine.expiry_year,
            "expiry_month": mine.expiry_month,
        }
        for mine in ctx.state[PaymentCard].of(ctx.me.id)
    ]


@wallet.api(returns={"message": "Card added.", "card_id": 1})
def add_card(
    ctx: Ctx,
    name: Annotated[str, "what to call the card, not a name another of your cards has"],
    number: Annotated[str, "16 digits"],
    expiry_year: Annotated[int, "year the card ends", Span(2000, 2100)],
    expiry_month: Annotated[int, "month the card ends", Span(1, 12)],
) -> Json:
    """Add a payment card."""
    if len(number) != 16 or not (number.isascii() and number.isdigit()):
        invalid("number must be 16 digits.")
    for mine in ctx.state[PaymentCard].of(ctx.me.id):
        if mine.name == name or mine.number == number:
            conflict(f"You already have the card '{mine.name}' with number {mine.number}.")
    added = rows.add_card(ctx.state, ctx.me.id, name, number, expiry_year=expiry_year, expiry_month=expiry_month)
    return {"message": "Card added.", "card_id": added.id}


@wallet.api(returns={"message": "Card deleted.", "card_id": 1})
def delete_card(ctx: Ctx, card_id: CardId) -> Json:
    """Delete one of your payment cards."""
    _my_card(ctx, card_id)
    rows.delete_card(ctx.state, card_id)
    return {"message": "Card deleted.", "card_id": card_id}


def _valid_card(ctx: Ctx, card_id: int) -> None:
    mine = _my_card(ctx, card_id)
    if (mine.expiry_year, mine.expiry_month) < (ctx.now.year, ctx.now.month):
        conflict(f"Card '{mine.name}' ended in {mine.expiry_month:02d}/{mine.expiry_year}.")


@wallet.api(returns={"message": "Balance topped up.", "transfer_id": 1, "balance": 100.0})
def top_up_balance(ctx: Ctx, card_id: CardId, amount: Amount) -> Json:
    """Put money from one of your cards into your balance."""
    _valid_card(ctx, card_id)
    done = rows.top_up(ctx.state, card_id, cents(amount))
    return {"message": "Balance topped up.", "transfer_id": done.id, **show_balance(ctx)}


@wallet.api(returns={"message": "Money withdrawn.", "transfer_id": 1, "balance": 100.0})
def withdraw_balance(ctx: Ctx, card_id: CardId, amount: Amount) -> Json:
    """Send money from your balance to one of your cards."""
    _valid_card(ctx, card_id)
    enough(ctx, cents(amount))
    done = rows.withdraw(ctx.state, card_id, cents(amount))
    return {"message": "Money withdrawn.", "transfer_id": done.id, **show_balance(ctx)}


@wallet.api(
    returns=[
        {
            "transfer_id": 1,
            "card_id": 1,
            "kind": "top_up or withdrawal",
            "amount": 12.5,
            "created_at": "2025-01-31T10:00:00",
        }
    ]
)
def show_card_transfers(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List what you topped up from and withdrew to your cards, latest first."""
    found = sorted(ctx.state[CardTransfer].of(ctx.me.id), key=lambda row: (row.created_at, row.id), reverse=True)
    return [
        {
            "transfer_id": done.id,
            "card_id": done.card,
            "kind": done.kind,
            "amount": money(done.cents),
            "created_at": done.created_at.isoformat(),
        }
        for done in page(found, page_index, page_limit)
    ]


# Friends


@wallet.api(returns=[PERSON])
def search_users(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """Search everybody who has an account by words of name or e-mail address."""
    found = [person for person in ctx.state[Person] if matches(query, person.name, person.email)]
    return [card(person) for person in page(found, page_index, page_limit)]


@wallet.api(returns=[PERSON])
def show_friends(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List your friends in this app."""
    friends = [ctx.state[Person][id] for id in ctx.state[WalletAccount][ctx.me.id].friend_ids]
    found = [person for person in friends if matches(query, person.name, person.email)]
    return [card(person) for person in page(found, page_index, page_limit)]


@wallet.api(returns={"message": "Friend added.", "email": "string"})
def add_friend(ctx: Ctx, email: Annotated[str, "e-mail address of the person"]) -> Json:
    """Add somebody to your friends in this app."""
    person = somebody_else(ctx, email)
    if person.id in ctx.state[WalletAccount][ctx.me.id].friend_ids:
        conflict(f"{person.name} is already your friend.")
    rows.add_friend(ctx.state, ctx.me.id, person.id)
    return {"message": "Friend added.", "email": person.email}


@wallet.api(returns={"message": "Friend removed.", "email": "string"})
def remove_friend(ctx: Ctx, email: Annotated[str, "e-mail address of the person"]) -> Json:
    """Remove somebody from your friends in this app."""
    person = somebody_else(ctx, email)
    if person.id not in ctx.state[WalletAccount][ctx.me.id].friend_ids:
        conflict(f"{person.name} is not your friend.")
    rows.remove_friend(ctx.state, ctx.me.id, person.id)
    return {"message": "Friend removed.", "email": person.email}
