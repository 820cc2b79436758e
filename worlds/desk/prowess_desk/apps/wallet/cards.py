"""APIs on payment cards, and money from and to them."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.wallet import rows
from prowess_desk.apps.wallet.app import wallet
from prowess_desk.apps.wallet.balance import enough, show_balance
from prowess_desk.apps.wallet.rows import CardTransfer, PaymentCard
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Span, conflict, invalid, missing, page
from prowess_desk.engine.reading import Amount, cents, money

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
