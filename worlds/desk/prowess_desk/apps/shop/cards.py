"""APIs on payment cards."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.app import my_card, shop
from prowess_desk.apps.shop.rows import ShopCard
from prowess_desk.engine.api import Ctx, Span, conflict, invalid


@shop.api(returns=[{"payment_card_id": 1, "name": "string", "last_digits": "1234", "expires_on": "2027-01-31"}])
def list_payment_cards(ctx: Ctx) -> Json:
    """List the payment cards stored in your account."""
    return [
        {
            "payment_card_id": card.id,
            "name": card.name,
            "last_digits": card.number[-4:],
            "expires_on": card.expires.isoformat(),
        }
        for card in ctx.state[ShopCard].of(ctx.me.id)
    ]


@shop.api(returns={"message": "string", "payment_card_id": 1})
def add_payment_card(
    ctx: Ctx,
    name: Annotated[str, "a name for the card, unlike your others"],
    number: Annotated[str, "the 16 digits"],
    expiry_year: Annotated[int, "year of expiry", Span(2000, 2100)],
    expiry_month: Annotated[int, "month of expiry", Span(1, 12)],
) -> Json:
    """Store a payment card in your account."""
    if len(number) != 16 or not number.isdecimal():
        invalid("number must be 16 digits.")
    if any(card.name.lower() == name.lower() for card in ctx.state[ShopCard].of(ctx.me.id)):
        conflict(f"You already have a card named '{name}'.")
    made = rows.add_card(ctx.state, ctx.me.id, name, number, rows.end_of_month(expiry_year, expiry_month))
    return {"message": f"Card '{name}' is stored.", "payment_card_id": made.id}


@shop.api(returns={"message": "string", "payment_card_id": 1})
def delete_payment_card(ctx: Ctx, payment_card_id: Annotated[int, "id of the card"]) -> Json:
    """Remove a payment card from your account."""
    ctx.state[ShopCard].remove(my_card(ctx, payment_card_id).id)
    return {"message": "Card removed.", "payment_card_id": payment_card_id}
