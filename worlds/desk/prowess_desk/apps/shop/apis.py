"""APIs of the shop: catalogue, reviews, cart, wish list, cards and orders.

They are documented in the order in which they stand here.
"""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.rows import (
    CATEGORIES,
    REASONS,
    STATUSES,
    CartItem,
    Order,
    Product,
    Return,
    Review,
    ShopCard,
    WishItem,
)
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, OneOf, PageIndex, PageLimit, Query, Span, conflict, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import cents, matches, money

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


# Catalogue


Category = Annotated[str | None, "only this category", OneOf(CATEGORIES)]
SORTS = ("name", "price", "-price", "rating", "-rating", "delivery_days")


@shop.api(returns=["string"])
def list_categories(ctx: Ctx) -> Json:
    """List the categories of products."""
    return list(CATEGORIES)


@shop.api(returns=[PRODUCT])
def search_products(
    ctx: Ctx,
    query: Query = "",
    category: Category = None,
    seller: Annotated[str | None, "only products of this seller"] = None,
    max_price: Annotated[float | None, "only products at this price or less"] = None,
    min_rating: Annotated[float | None, "only products rated this or more"] = None,
    sort_by: Annotated[str, "order of results; - for highest first", OneOf(SORTS)] = "name",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search the catalogue by words of name, category or seller, with filters; paginated."""
    most = cents(max_price) if max_price is not None else None
    wanted = seller.lower() if seller is not None else None
    found = [
        product
        for product in ctx.state[Product]
        if (category is None or product.category == category)
        and (wanted is None or product.seller.lower() == wanted)
        and (most is None or product.price <= most)
        and (min_rating is None or product.rating >= min_rating)
        and (not query or matches(query, product.name, product.category, product.seller))
    ]
    key = sort_by.removeprefix("-")
    found.sort(key=lambda product: (getattr(product, key), product.id), reverse=sort_by[0] == "-")
    return [shown_product(product) for product in page(found, page_index, page_limit)]


@shop.api(returns=PRODUCT)
def show_product(ctx: Ctx, product_id: ProductId) -> Json:
    """Show one product."""
    return shown_product(product_with(ctx, product_id))


# Reviews


Stars = Annotated[int, "stars, 1 worst, 5 best", Span(1, 5)]

REVIEW: Json = {
    "review_id": 1,
    "product_id": 1,
    "author": {"name": "string", "email": "string"},
    "stars": 4,
    "title": "string",
    "text": "string",
    "written_at": "2025-01-31T10:00:00",
}


def _review(ctx: Ctx, review: Review) -> Json:
    author = ctx.state[Person][review.author]
    return {
        "review_id": review.id,
        "product_id": review.product_id,
        "author": {"name": author.name, "email": author.email},
        "stars": review.stars,
        "title": review.title,
        "text": review.text,
        "written_at": review.written_at.isoformat(),
    }


def _my_review(ctx: Ctx, review_id: int) -> Review:
    review = ctx.state[Review].get(review_id)
    if review is None or review.author != ctx.me.id:
        missing("review of yours", review_id)
    return review


@shop.api(returns=[REVIEW])
def list_product_reviews(ctx: Ctx, product_id: ProductId, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the reviews of a product, newest first; paginated."""
    found = sorted(ctx.state[Review].of(product_with(ctx, product_id).id), key=lambda one: one.written_at, reverse=True)
    return [_review(ctx, one) for one in page(found, page_index, page_limit)]


@shop.api(returns=[REVIEW])
def list_my_reviews(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the reviews you wrote, newest first; paginated."""
    found = sorted((one for one in ctx.state[Review] if one.author == ctx.me.id), key=lambda one: one.written_at)
    return [_review(ctx, one) for one in page(found[::-1], page_index, page_limit)]


@shop.api(returns={"message": "string", "review_id": 1})
def write_review(
    ctx: Ctx,
    product_id: ProductId,
    stars: Stars,
    title: Annotated[str, "title of the review"] = "",
    text: Annotated[str, "the review"] = "",
) -> Json:
    """Write a review of a product; one per product."""
    product = product_with(ctx, product_id)
    if any(one.author == ctx.me.id for one in ctx.state[Review].of(product.id)):
        conflict(f"You have already reviewed '{product.name}': update that review.")
    made = rows.review(ctx.state, ctx.me.id, product.id, stars, title, text)
    return {"message": f"Your review of '{product.name}' is published.", "review_id": made.id}


@shop.api(returns={"message": "string", "review_id": 1})
def update_review(
    ctx: Ctx,
    review_id: Annotated[int, "id of your review"],
    stars: Annotated[int | None, "new stars", Span(1, 5)] = None,
    title: Annotated[str | None, "new title"] = None,
    text: Annotated[str | None, "new text"] = None,
) -> Json:
    """Change stars, title or text of a review you wrote."""
    given = {"stars": stars, "title": title, "text": text}
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        invalid("Give at least one of stars, title, text.")
    ctx.state[Review].change(_my_review(ctx, review_id).id, **fields)
    return {"message": "Review updated.", "review_id": review_id}


@shop.api(returns={"message": "string", "review_id": 1})
def delete_review(ctx: Ctx, review_id: Annotated[int, "id of your review"]) -> Json:
    """Delete a review you wrote."""
    ctx.state[Review].remove(_my_review(ctx, review_id).id)
    return {"message": "Review deleted.", "review_id": review_id}


# Cart


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


# Wish list


@shop.api(returns=[PRODUCT])
def show_wish_list(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the products on your wish list, first added first; paginated."""
    found = page(ctx.state[WishItem].of(ctx.me.id), page_index, page_limit)
    return [shown_product(ctx.state[Product][item.product_id]) for item in found]


@shop.api(returns={"message": "string", "product_id": 1})
def add_to_wish_list(ctx: Ctx, product_id: ProductId) -> Json:
    """Add a product to your wish list."""
    product = product_with(ctx, product_id)
    if any(item.product_id == product_id for item in ctx.state[WishItem].of(ctx.me.id)):
        conflict(f"'{product.name}' is already on your wish list.")
    rows.wish(ctx.state, ctx.me.id, product_id)
    return {"message": f"'{product.name}' is on your wish list.", "product_id": product_id}


@shop.api(returns={"message": "string", "product_id": 1})
def remove_from_wish_list(ctx: Ctx, product_id: ProductId) -> Json:
    """Remove a product from your wish list."""
    if all(item.product_id != product_id for item in ctx.state[WishItem].of(ctx.me.id)):
        missing("product on your wish list", product_id)
    rows.unwish(ctx.state, ctx.me.id, product_id)
    return {"message": "Removed from your wish list.", "product_id": product_id}


# Cards


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
    wanted = name.lower()
    if any(card.name.lower() == wanted for card in ctx.state[ShopCard].of(ctx.me.id)):
        conflict(f"You already have a card named '{name}'.")
    made = rows.add_card(ctx.state, ctx.me.id, name, number, rows.end_of_month(expiry_year, expiry_month))
    return {"message": f"Card '{name}' is stored.", "payment_card_id": made.id}


@shop.api(returns={"message": "string", "payment_card_id": 1})
def delete_payment_card(ctx: Ctx, payment_card_id: Annotated[int, "id of the card"]) -> Json:
    """Remove a payment card from your account."""
    ctx.state[ShopCard].remove(my_card(ctx, payment_card_id).id)
    return {"message": "Card removed.", "payment_card_id": payment_card_id}


# Orders


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
