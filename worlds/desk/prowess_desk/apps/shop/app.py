"""The shop itself, and how products and cards are found and shown."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop.rows import Product, ShopCard
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, conflict, missing
from prowess_desk.engine.reading import money

shop = with_accounts(App("shop", "Search products, read and write reviews, fill a cart, order, track and return."))

ProductId = Annotated[int, "id of the product"]

PRODUCT: Json = {
    "product_id": 1,
    "name": "string",
    "category": "string",
    "price": 19.99,
    "rating": 4.2,
    "stock": 10,
    "seller": "string",
    "delivery_days": 3,
}
LINE: Json = {"product_id": 1, "name": "string", "quantity": 1, "price": 19.99}


def shown_product(product: Product) -> Json:
    return {
        "product_id": product.id,
        "name": product.name,
        "category": product.category,
        "price": money(product.price),
        "rating": product.rating,
        "stock": product.stock,
        "seller": product.seller,
        "delivery_days": product.delivery_days,
    }


def shown_line(ctx: Ctx, product: int, quantity: int, price: int) -> Json:
    name = ctx.state[Product][product].name
    return {"product_id": product, "name": name, "quantity": quantity, "price": money(price)}


def product_with(ctx: Ctx, product_id: int) -> Product:
    return ctx.state[Product].get(product_id) or missing("product", product_id)


def my_card(ctx: Ctx, card_id: int) -> ShopCard:
    card = ctx.state[ShopCard].get(card_id)
    if card is None or card.owner != ctx.me.id:
        missing("payment card", card_id)
    return card


def enough(product: Product, quantity: int) -> None:
    if quantity > product.stock:
        conflict(f"Only {product.stock} of '{product.name}' are in stock, not {quantity}.")
