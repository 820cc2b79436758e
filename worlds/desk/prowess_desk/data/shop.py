"""What the shop holds at first: the catalogue, its reviews, and what people bought, want and pay with."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.shop.rows import CartItem, Line, Order, Product, Return, Review, ShopCard, WishItem, end_of_month
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base

GOODS = {
    "audio": (
        (1500, 24000),
        "Earbuds,Headphones,Soundbar,Turntable,Radio,Microphone,Speaker,Record Cleaner,Cassette Deck,Amplifier",
    ),
    "books": (
        (600, 4200),
        "Star Atlas,Bread Cookbook,Chess Primer,Bird Guide,Travel Journal,Knot Handbook,Crossword Book,Poetry Reader,"
        "Fern Encyclopedia,Sketching Course",
    ),
    "camping": (
        (900, 22000),
        "Tent,Sleeping Bag,Camp Stove,Lantern,Hammock,Water Filter,Trekking Poles,Cool Box,Dry Bag,Folding Chair",
    ),
    "clothing": (
        (800, 13000),
        "Rain Jacket,Wool Sweater,Running Socks,Denim Jeans,Linen Shirt,Sun Hat,Leather Belt,Scarf,Gloves,Bathrobe",
    ),
    "electronics": (
        (1200, 65000),
        "Tablet,Power Bank,Webcam,Keyboard,Computer Mouse,Monitor,Router,Charger,Smart Plug,Memory Card",
    ),
    "furniture": (
        (3500, 48000),
        "Bookshelf,Desk,Armchair,Nightstand,Coffee Table,Bar Stool,Shoe Rack,Wardrobe,Floor Lamp,Coat Stand",
    ),
    "garden": (
        (500, 16000),
        "Watering Can,Pruning Shears,Wheelbarrow,Bird Feeder,Plant Pot,Garden Hose,Rake,Compost Bin,Trowel,Sun Parasol",
    ),
    "kitchen": (
        (700, 19000),
        "Frying Pan,Blender,Kettle,Chef Knife,Toaster,Mixing Bowl,Teapot,Rolling Pin,Coffee Grinder,Spice Rack",
    ),
    "office": (
        (300, 9000),
        "Stapler,Notebook,Desk Organizer,Whiteboard,Fountain Pen,Paper Shredder,Label Maker,Wall Calendar,Calculator,"
        "Letter Tray",
    ),
    "pets": (
        (400, 11000),
        "Cat Tree,Dog Leash,Pet Carrier,Aquarium Pump,Hamster Wheel,Litter Box,Feeding Bowl,Bird Cage,Pet Blanket,"
        "Chew Toy",
    ),
    "sports": (
        (700, 28000),
        "Yoga Mat,Dumbbell Set,Tennis Racket,Basketball,Jump Rope,Bike Helmet,Swim Goggles,Climbing Harness,"
        "Skateboard,Resistance Bands",
    ),
    "toys": (
        (500, 9000),
        "Jigsaw Puzzle,Building Blocks,Toy Train,Board Game,Kite,Doll House,Marble Run,Plush Bear,Card Game,"
        "Model Glider",
    ),
}
"""Category to (price from, to, in cents) and kinds of things."""
BRANDS = """Ardenne Bellwick Cobalta Dunmere Elvora Fjordic Glimmer Hallora Isenfold Jorvika Kestrin Lumora Mistral
Norvane Oakhurst Pellia Quorra Ravenna Solbrook Tindale Umbrel Veloura Wrenfield Xandell Yewtree Zephyra""".split()
SELLERS = ("Harbor Goods", "Maple Lane Store", "Northgate Supply", "Piccolo Market", "Sunrise Traders", "Urban Nest")
CARDS = ("Northbank Debit", "Cedar Credit", "Travel Plus", "Household", "Bluebird Gold")
PRAISE = {
    5: ("Better than expected", "I would buy it again at once."),
    4: ("Good value", "Does its job well, with a small flaw or two."),
    3: ("It is all right", "Neither good nor bad for the price."),
    2: ("Not convinced", "It feels cheaper than it looked."),
    1: ("Disappointing", "It broke within a week."),
}
FIRST_ORDER = 1001


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The shop's tables at first."""
    return list(held(seed, tuple(people), now))


@lru_cache(maxsize=2)
def held(seed: int, people: tuple[Person, ...], now: datetime) -> tuple[Base[Any], ...]:
    """As `generate`; remembered, for mails speak of the same orders."""
    rng = random.Random(derive(seed, "shop"))
    products = _catalogue(rng)
    cards = _cards(rng, people, now)
    orders = _orders(rng, people, products, cards, now)
    carts: list[CartItem] = []
    wishes: list[WishItem] = []
    for person in people:
        for product in rng.sample(products, rng.randint(0, 4)):
            item = CartItem(id=len(carts) + 1, owner=person.id, product_id=product.id, quantity=rng.randint(1, 3))
            carts.append(item)
        for product in rng.sample(products, rng.randint(3, 8)):
            wishes.append(WishItem(id=len(wishes) + 1, owner=person.id, product_id=product.id))
    return (
        Base(Product, products),
        Base(Review, _reviews(rng, people, products, now)),
        Base(CartItem, carts),
        Base(WishItem, wishes),
        Base(ShopCard, cards),
        Base(Order, orders),
        Base(Return, _returns(rng, orders)),
    )


def _catalogue(rng: random.Random) -> list[Product]:
    found: list[Product] = []
    for category, ((low, high), things) in GOODS.items():
        for thing in things.split(","):
            found.append(
                Product(
                    id=len(found) + 1,
                    name=f"{rng.choice(BRANDS)} {thing}",
                    category=category,
                    price=rng.randint(low // 100, high // 100) * 100 - rng.choice((1, 5, 10, 50)),
                    rating=rng.randint(24, 50) / 10,
                    stock=rng.randint(4, 60),
                    seller=rng.choice(SELLERS),
                    delivery_days=rng.randint(1, 9),
                )
            )
    return found


def _reviews(rng: random.Random, people: Sequence[Person], products: list[Product], now: datetime) -> list[Review]:
    found: list[Review] = []
    for product in products:
        for author in rng.sample(people, rng.randint(1, 7)):
            stars = min(5, max(1, round(product.rating) + rng.choice((-1, 0, 0, 0, 1))))
            title, text = PRAISE[stars]
            found.append(
                Review(
                    id=len(found) + 1,
                    product_id=product.id,
                    author=author.id,
                    stars=stars,
                    title=title,
                    text=text,
                    written_at=now - timedelta(minutes=rng.randint(1440, 500 * 1440)),
                )
            )
    return found


def _cards(rng: random.Random, people: Sequence[Person], now: datetime) -> list[ShopCard]:
    """Two or three cards for each person, of which the first has not expired."""
    found: list[ShopCard] = []
    for person in people:
        for n, name in enumerate(rng.sample(CARDS, rng.randint(2, 3))):
            year = now.year + rng.randint(1, 4) if n < 2 else now.year - 1
            number = f"4{rng.randrange(10**15):015d}"
            expires = end_of_month(year, rng.randint(1, 12))
            found.append(ShopCard(id=len(found) + 1, owner=person.id, name=name, number=number, expires=expires))
    return found


def _orders(
    rng: random.Random, people: Sequence[Person], products: list[Product], cards: list[ShopCard], now: datetime
) -> list[Order]:
    """Five to eleven orders for each person; the last days' are on their way, and at least one has not shipped."""
    card_of = {card.owner: card.id for card in reversed(cards)}
    drawn: list[tuple[datetime, Person]] = []
    for person in people:
        ages = [rng.randint(12 * 1440, 500 * 1440) for _ in range(rng.randint(3, 8))]
        ages += [rng.randint(30, 5 * 1440) for _ in range(rng.randint(2, 3))]
        drawn += [(now - timedelta(minutes=age), person) for age in ages]
    newest = {person.id: max(at for at, who in drawn if who == person) for person in people}
    found = []
    for id, (at, person) in enumerate(sorted(drawn, key=lambda one: (one[0], one[1].id)), FIRST_ORDER):
        bought = sorted(rng.sample(products, rng.choice((1, 1, 2, 2, 3))), key=lambda product: product.id)
        arrives = at + timedelta(days=max(product.delivery_days for product in bought))
        if at == newest[person.id]:
            status = "placed"
        elif arrives < now:
            status = "delivered"
        else:
            status = rng.choice(("placed", "shipped"))
        found.append(
            Order(
                id=id,
                owner=person.id,
                lines=tuple(
                    Line(product_id=product.id, quantity=rng.choice((1, 1, 1, 2, 3)), price=product.price)
                    for product in bought
                ),
                card_id=card_of[person.id],
                address=f"{person.address}, {person.city}",
                status=status,
                tracking="" if status == "placed" else f"TRK-{rng.randrange(10**8):08d}",
                placed_at=at,
                expected=max(arrives, now + timedelta(days=1)).date() if status != "delivered" else arrives.date(),
            )
        )
    return found


def _returns(rng: random.Random, orders: list[Order]) -> list[Return]:
    """Some products of delivered orders of several were sent back, never all of an order."""
    found: list[Return] = []
    for order in orders:
        if order.status == "delivered" and len(order.lines) > 1 and rng.random() < 0.15:
            found.append(
                Return(
                    id=len(found) + 1,
                    owner=order.owner,
                    order_id=order.id,
                    product_id=rng.choice(order.lines).product_id,
                    reason=rng.choice(("damaged", "wrong item", "no longer needed")),
                    requested_at=datetime.combine(order.expected, order.placed_at.time()),
                )
            )
    return found
