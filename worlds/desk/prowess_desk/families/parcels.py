"""What the challenge families share: past orders and mails that set a scene, and functions of their programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from prowess_desk.apps.mail import Mail, receive
from prowess_desk.apps.shop import CartItem, Line, Order, Product, Review, ShopCard, WishItem
from prowess_desk.data.mail import SHOP, confirmation, shipment
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.toolbox import all_pages, apis

# Setting a scene


def fresh_products(draw: Draw, count: int | None = None) -> list[Product]:
    """Some or all products the supervisor has not bought, put aside or reviewed, with plenty of each in stock."""
    state, me = draw.state, draw.me.id
    known = {line.product_id for order in state[Order].of(me) for line in order.lines}
    known |= {item.product_id for item in state[CartItem].of(me)} | {item.product_id for item in state[WishItem].of(me)}
    known |= {review.product_id for review in state[Review] if review.author == me}
    found = [product for product in state[Product] if product.id not in known and product.stock >= 10]
    return draw.rng.sample(found, len(found) if count is None else count)


def acquaintances(draw: Draw, count: int) -> list[Person]:
    """Different people whom the supervisor knows."""
    return draw.rng.sample([draw.state[Person][id] for id, _ in draw.me.relations], count)


def bought(
    draw: Draw,
    lines: Sequence[tuple[Product, int]],
    *,
    days: int,
    status: str = "delivered",
    paid: Sequence[int] = (),
    mails: bool = True,
) -> Order:
    """An order the supervisor placed some days ago, with the shop's mails about it.

    `paid` are prices in cents where they were others than today's. Scenes are set oldest order first, so that a higher
    number means a later order among those of a scene.
    """
    state, rng = draw.state, draw.rng
    at = state.now - timedelta(days=days, minutes=rng.randint(5, 600))
    waiting = status in ("placed", "shipped")
    arrives = state.now + timedelta(days=rng.randint(1, 6)) if waiting else at + timedelta(days=rng.randint(1, days))
    priced = [
        Line(product_id=product.id, quantity=quantity, price=paid[n] if paid else product.price)
        for n, (product, quantity) in enumerate(lines)
    ]
    order = state[Order].add(
        lambda id: Order(
            id=id,
            owner=draw.me.id,
            lines=tuple(sorted(priced, key=lambda line: line.product_id)),
            card_id=state[ShopCard].of(draw.me.id)[0].id,
            address=f"{draw.me.address}, {draw.me.city}",
            status=status,
            tracking="" if status in ("placed", "cancelled") else f"TRK-{rng.randrange(10**8):08d}",
            placed_at=at,
            expected=arrives.date(),
        )
    )
    if mails:
        subject, body = confirmation(order, {product.id: product.name for product, _ in lines})
        _from_shop(draw, subject, body, minutes=int((state.now - at).total_seconds() // 60))
    if mails and order.tracking:
        _from_shop(draw, *shipment(order), minutes=int((state.now - at).total_seconds() // 120))
    return order


def _from_shop(draw: Draw, subject: str, body: str, *, minutes: int) -> None:
    made = receive(
        draw.state, draw.me.id, SHOP, subject, body, sent_at=draw.state.now - timedelta(minutes=max(2, minutes))
    )
    draw.state[Mail].change(made.id, read=True)


def letter(draw: Draw, sender: Person | str, subject: str, body: str, *, days: int, **fields: Any) -> Mail:
    """A mail that reached the supervisor some days ago; `fields` are those of the row that differ from a new one's."""
    at = draw.state.now - timedelta(days=days, minutes=draw.rng.randint(2, 1380))
    address = sender if isinstance(sender, str) else sender.email
    made = receive(draw.state, draw.me.id, address, subject, body, sent_at=at)
    return draw.state[Mail].change(made.id, **fields)


# Looking at a state


def my_mails(state: State, me: Person, folder: str | None = None) -> list[Mail]:
    """The mails in somebody's mailbox, or in one folder of it."""
    return [mail for mail in state[Mail].of(me.id) if folder in (None, mail.folder)]


def person_called(state: State, name: str) -> Person:
    """The person of this full name."""
    return next(person for person in state[Person] if person.name == name)


# Functions of programs


def read_mails(token: str, **filters: Any) -> list:
    """Search mails and return every one that is found, with its text."""
    found = all_pages(apis.mail.search_mails, access_token=token, **filters)
    return [apis.mail.show_mail(access_token=token, mail_id=mail["mail_id"]) for mail in found]


def mail_from(token: str, person: str, subject: str) -> dict:
    """Find the mail in the inbox that somebody sent under a subject, with its text."""
    found = read_mails(token, query=subject, folder="inbox")
    return next(mail for mail in found if mail["sender_name"] == person and mail["subject"] == subject)


def find_product(token: str, name: str) -> dict:
    """Find the product of exactly this name in the shop."""
    found = all_pages(apis.shop.search_products, access_token=token, query=name)
    return next(product for product in found if product["name"] == name)
