"""APIs on orders and returns."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.app import LINE, ProductId, enough, my_card, shop, shown_line
from prowess_desk.apps.shop.rows import REASONS, STATUSES, CartItem, Order, Product, Return
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, conflict, missing, page
from prowess_desk.engine.reading import matches, money

OrderId = Annotated[int, "order number"]

ORDER: Json = {
    "order_id": 1001,
    "status": "placed",
    "placed_at": "2025-01-31T10:00:00",
    "total": 19.99,
    "items": [LINE],
}
ORDER_IN_FULL: Json = {
    **ORDER,
    "items": [{**LINE, "return_requested": False}],
    "payment_card_id": 1,
    "address": "string",
    "tracking_number": "string or null",
    "expected_delivery": "2025-02-03",
}
RETURN: Json = {
    "return_id": 1,
    "order_id": 1001,
    "product_id": 1,
    "name": "string",
    "reason": "damaged",
    "requested_at": "2025-01-31T10:00:00",
}


def _order(ctx: Ctx, order: Order) -> Json:
    return {
        "order_id": order.id,
        "status": order.status,
        "placed_at": order.placed_at.isoformat(),
        "total": money(order.total),
        "items": [shown_line(ctx, line.product_id, line.quantity, line.price) for line in order.lines],
    }


def _return(ctx: Ctx, back: Return) -> Json:
    return {
        "return_id": back.id,
        "order_id": back.order_id,
        "product_id": back.product_id,
        "name": ctx.state[Product][back.product_id].name,
        "reason": back.reason,
        "requested_at": back.requested_at.isoformat(),
    }


def _my_order(ctx: Ctx, order_id: int) -> Order:
    order = ctx.state[Order].get(order_id)
    if order is None or order.owner != ctx.me.id:
        missing("order", order_id)
    return order


@shop.api(returns={"message": "string", "order_id": 1001, "total": 19.99})
def place_order(ctx: Ctx, payment_card_id: Annotated[int, "id of the card to pay with"]) -> Json:
    """Order everything in your cart to your address, paid with one of your cards."""
    card = my_card(ctx, payment_card_id)
    if card.expires < ctx.now.date():
        conflict(f"The card '{card.name}' has expired.")
    items = ctx.state[CartItem].of(ctx.me.id)
    if not items:
        conflict("Your cart is empty.")
    for item in items:
        enough(ctx.state[Product][item.product_id], item.quantity)
    made = rows.order_cart(ctx.state, ctx.me.id, card.id)
    return {"message": f"Order {made.id} is placed.", "order_id": made.id, "total": money(made.total)}


@shop.api(returns=[ORDER])
def list_orders(
    ctx: Ctx,
    query: Annotated[str, "words of product names; empty for all orders"] = "",
    status: Annotated[str | None, "only orders in this state", OneOf(STATUSES)] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your orders, newest first; paginated."""
    products = ctx.state[Product]
    found = [
        order
        for order in ctx.state[Order].of(ctx.me.id)
        if (status is None or order.status == status)
        and (not query or any(matches(query, products[line.product_id].name) for line in order.lines))
    ]
    found.sort(key=lambda order: (order.placed_at, order.id), reverse=True)
    return [_order(ctx, order) for order in page(found, page_index, page_limit)]


@shop.api(returns=ORDER_IN_FULL)
def show_order(ctx: Ctx, order_id: OrderId) -> Json:
    """Show one of your orders in full."""
    order = _my_order(ctx, order_id)
    shown = _order(ctx, order)
    back = {one.product_id for one in ctx.state[Return].of(ctx.me.id) if one.order_id == order_id}
    for item in shown["items"]:
        item["return_requested"] = item["product_id"] in back
    return {
        **shown,
        "payment_card_id": order.card_id,
        "address": order.address,
        "tracking_number": order.tracking or None,
        "expected_delivery": order.expected.isoformat(),
    }


@shop.api(
    returns={
        "order_id": 1001,
        "status": "shipped",
        "tracking_number": "string",
        "carrier": "string",
        "expected_delivery": "2025-02-03",
    }
)
def track_order(ctx: Ctx, order_id: OrderId) -> Json:
    """Show where an order is; refused until it has shipped."""
    order = _my_order(ctx, order_id)
    if not order.tracking:
        conflict(f"Order {order_id} has not shipped: it is {order.status}.")
    return {
        "order_id": order.id,
        "status": order.status,
        "tracking_number": order.tracking,
        "carrier": "Swiftmule",
        "expected_delivery": order.expected.isoformat(),
    }


@shop.api(returns={"message": "string", "order_id": 1001})
def cancel_order(ctx: Ctx, order_id: OrderId) -> Json:
    """Cancel an order that has not shipped yet."""
    order = _my_order(ctx, order_id)
    if order.status != "placed":
        conflict(f"Order {order_id} cannot be cancelled: it is {order.status}.")
    rows.cancel(ctx.state, order_id)
    return {"message": f"Order {order_id} is cancelled.", "order_id": order_id}


@shop.api(returns={"message": "string", "return_id": 1})
def return_item(
    ctx: Ctx,
    order_id: OrderId,
    product_id: ProductId,
    reason: Annotated[str, "why", OneOf(REASONS)] = "no longer needed",
) -> Json:
    """Ask to return one product of a delivered order."""
    order = _my_order(ctx, order_id)
    if all(line.product_id != product_id for line in order.lines):
        missing(f"product in order {order_id}", product_id)
    if any(one.order_id == order_id and one.product_id == product_id for one in ctx.state[Return].of(ctx.me.id)):
        conflict("A return of this product has already been requested.")
    if order.status != "delivered":
        conflict(f"Order {order_id} cannot be returned: it is {order.status}.")
    made = rows.send_back(ctx.state, order_id, product_id, reason)
    return {"message": "Return requested.", "return_id": made.id}


@shop.api(returns=[RETURN])
def list_returns(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List your requested returns, newest first; paginated."""
    found = sorted(ctx.state[Return].of(ctx.me.id), key=lambda one: (one.requested_at, one.id), reverse=True)
    return [_return(ctx, one) for one in page(found, page_index, page_limit)]
