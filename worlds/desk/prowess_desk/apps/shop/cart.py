"""APIs on the cart."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.app import LINE, ProductId, enough, product_with, shop, shown_line
from prowess_desk.apps.shop.rows import CartItem, Product
from prowess_desk.engine.api import Ctx, Span, missing
from prowess_desk.engine.reading import money

Quantity = Annotated[int, "how many", Span(1, 99)]


def _in_cart(ctx: Ctx, product_id: int) -> CartItem | None:
    return next((item for item in ctx.state[CartItem].of(ctx.me.id) if item.product_id == product_id), None)


@shop.api(returns={"items": [LINE], "total": 19.99})
def show_cart(ctx: Ctx) -> Json:
    """Show what is in your cart, and what it costs together."""
    items = ctx.state[CartItem].of(ctx.me.id)
    prices = {item.product_id: ctx.state[Product][item.product_id].price for item in items}
    return {
        "items": [shown_line(ctx, item.product_id, item.quantity, prices[item.product_id]) for item in items],
        "total": money(sum(prices[item.product_id] * item.quantity for item in items)),
    }


@shop.api(returns={"message": "string", "product_id": 1})
def add_to_cart(ctx: Ctx, product_id: ProductId, quantity: Quantity = 1) -> Json:
    """Put a product in your cart, or more of it if it is there already."""
    product = product_with(ctx, product_id)
    there = _in_cart(ctx, product_id)
    enough(product, quantity + (there.quantity if there else 0))
    rows.put_in_cart(ctx.state, ctx.me.id, product_id, quantity)
    return {"message": f"Added {quantity} of '{product.name}' to your cart.", "product_id": product_id}


@shop.api(returns={"message": "string", "product_id": 1})
def update_cart_quantity(ctx: Ctx, product_id: ProductId, quantity: Quantity) -> Json:
    """Set how many of a product in your cart you want."""
    item = _in_cart(ctx, product_id) or missing("product in your cart", product_id)
    product = product_with(ctx, product_id)
    enough(product, quantity)
    ctx.state[CartItem].change(item.id, quantity=quantity)
    return {"message": f"Your cart now has {quantity} of '{product.name}'.", "product_id": product_id}


@shop.api(returns={"message": "string", "product_id": 1})
def remove_from_cart(ctx: Ctx, product_id: ProductId) -> Json:
    """Remove a product from your cart."""
    item = _in_cart(ctx, product_id) or missing("product in your cart", product_id)
    ctx.state[CartItem].remove(item.id)
    return {"message": "Removed from your cart.", "product_id": product_id}


@shop.api(returns={"message": "string"})
def clear_cart(ctx: Ctx) -> Json:
    """Remove everything from your cart."""
    rows.clear(ctx.state, ctx.me.id)
    return {"message": "Your cart is empty."}
