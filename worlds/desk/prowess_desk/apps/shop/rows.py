"""What the shop keeps, and the changes that can be made to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State

CATEGORIES = (
    "audio",
    "books",
    "camping",
    "clothing",
    "electronics",
    "furniture",
    "garden",
    "kitchen",
    "office",
    "pets",
    "sports",
    "toys",
)
REASONS = ("damaged", "wrong item", "no longer needed")
STATUSES = ("placed", "shipped", "delivered", "returned", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Something the shop sells; names are unique in the catalogue."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    name: str
    category: str
    price: int
    """In cents."""
    rating: float
    """Average stars over all buyers, to one decimal; written reviews are a part of these."""
    stock: int
    seller: str
    delivery_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a person wrote about a product; at most one each."""

    OWNER: ClassVar[str] = "product_id"
    LOOSE: ClassVar[tuple[str, ...]] = ("written_at",)
    KEY: ClassVar[tuple[str, ...]] = ("author", "product_id")

    id: int
    product_id: int
    author: int
    stars: int
    title: str
    text: str
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CartItem:
    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()
    KEY: ClassVar[tuple[str, ...]] = ("owner", "product_id")

    id: int
    owner: int
    product_id: int
    quantity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WishItem:
    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()
    KEY: ClassVar[tuple[str, ...]] = ("owner", "product_id")

    id: int
    owner: int
    product_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopCard:
    """A payment card stored in a shop account; names are unique in it."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    name: str
    number: str
    expires: date
    """Last day on which it works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One product of an order, at the price of that day in cents."""

    product_id: int
    quantity: int
    price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was bought together; its id is the order number."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("placed_at", "expected")
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"card_id": ShopCard}

    id: int
    owner: int
    lines: tuple[Line, ...]
    """In order of product id, so that the order of filling the cart does not matter."""
    card_id: int
    address: str
    status: str
    tracking: str
    """Tracking number once shipped, else empty."""
    placed_at: datetime
    expected: date
    """Day of delivery: expected, or actual once delivered."""

    @property
    def total(self) -> int:
        return sum(line.price * line.quantity for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A request to send one product of an order back."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("requested_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"order_id": Order}

    id: int
    owner: int
    order_id: int
    product_id: int
    reason: str
    requested_at: datetime


def product_named(state: State, name: str) -> Product:
    """The product of this name, for those who know that it exists."""
    return next(product for product in state[Product] if product.name == name)


def review(state: State, author: int, product: int, stars: int, title: str = "", text: str = "") -> Review:
    """Write a review."""
    return state[Review].add(
        lambda id: Review(
            id=id, product_id=product, author=author, stars=stars, title=title, text=text, written_at=state.now
        )
    )


def put_in_cart(state: State, owner: int, product: int, quantity: int = 1) -> CartItem:
    """Add to the cart: one more row, or more of what is already there."""
    for item in state[CartItem].of(owner):
        if item.product_id == product:
            return state[CartItem].change(item.id, quantity=item.quantity + quantity)
    return state[CartItem].add(lambda id: CartItem(id=id, owner=owner, product_id=product, quantity=quantity))


def clear(state: State, owner: int) -> None:
    """Empty the cart."""
    for item in state[CartItem].of(owner):
        state[CartItem].remove(item.id)


def wish(state: State, owner: int, product: int) -> WishItem:
    """Add to the wish list."""
    return state[WishItem].add(lambda id: WishItem(id=id, owner=owner, product_id=product))


def unwish(state: State, owner: int, product: int) -> None:
    """Remove from the wish list."""
    for item in state[WishItem].of(owner):
        if item.product_id == product:
            state[WishItem].remove(item.id)


def add_card(state: State, owner: int, name: str, number: str, expires: date) -> ShopCard:
    """Store a payment card."""
    return state[ShopCard].add(lambda id: ShopCard(id=id, owner=owner, name=name, number=number, expires=expires))


def end_of_month(year: int, month: int) -> date:
    """The last day of a month, on which a card expires."""
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def order_cart(state: State, owner: int, card: int) -> Order:
    """Order everything in the cart to the person's address, and empty the cart."""
    products = {item.product_id: state[Product][item.product_id] for item in state[CartItem].of(owner)}
    lines = [
        Line(product_id=item.product_id, quantity=item.quantity, price=products[item.product_id].price)
        for item in state[CartItem].of(owner)
    ]
    person = state[Person][owner]
    clear(state, owner)
    return state[Order].add(
        lambda id: Order(
            id=id,
            owner=owner,
            lines=tuple(sorted(lines, key=lambda line: line.product_id)),
            card_id=card,
            address=f"{person.address}, {person.city}",
            status="placed",
            tracking="",
            placed_at=state.now,
            expected=(state.now + timedelta(days=max(one.delivery_days for one in products.values()))).date(),
        )
    )


def cancel(state: State, order: int) -> Order:
    """Cancel an order."""
    return state[Order].change(order, status="cancelled")


def send_back(state: State, order: int, product: int, reason: str = "no longer needed") -> Return:
    """Ask to return one product of an order; the order counts as returned when nothing of it is kept."""
    bought = state[Order][order]
    made = state[Return].add(
        lambda id: Return(
            id=id, owner=bought.owner, order_id=order, product_id=product, reason=reason, requested_at=state.now
        )
    )
    back = {one.product_id for one in state[Return].of(bought.owner) if one.order_id == order}
    if back >= {line.product_id for line in bought.lines}:
        state[Order].put(replace(bought, status="returned"))
    return made
