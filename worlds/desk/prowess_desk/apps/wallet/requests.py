"""APIs on requests for money."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.wallet import rows
from prowess_desk.apps.wallet.app import PERSON, Note, somebody_else, wallet
from prowess_desk.apps.wallet.balance import enough
from prowess_desk.apps.wallet.rows import PaymentRequest
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, conflict, forbidden, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import Amount, card, cents, money
from prowess_desk.engine.tables import State

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
