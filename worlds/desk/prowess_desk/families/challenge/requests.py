"""Challenge families in which somebody asks for something by mail that is done in the shop."""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.mail import Mail, reply
from prowess_desk.apps.shop import (
    Order,
    Product,
    ShopCard,
    cancel,
    clear,
    order_cart,
    product_named,
    put_in_cart,
    send_back,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import (
    acquaintances,
    bought,
    find_product,
    fresh_products,
    letter,
    mail_from,
    my_mails,
    person_called,
    read_mails,
)
from prowess_desk.families.toolbox import all_pages, apis, login


def _the_mail(state: State, me: Person, values: Values) -> Mail:
    sender = person_called(state, values["person"]).email
    mails = my_mails(state, me, "inbox")
    return next(mail for mail in mails if mail.sender == sender and mail.subject == values["subject"])


# Order exactly what somebody lists in a mail, and reply with the order number.


def _make_fulfil_order_request(draw: Draw) -> Values | None:
    subjects = ("Shopping list", "Could you order this?", "For the summer house", "Things I need", "Order for me")
    subject, other = draw.rng.sample(subjects, 2)
    person, someone = acquaintances(draw, 2)
    products = fresh_products(draw, 9)
    for sender, title, picked, days in (
        (person, other, products[:2], 20),
        (person, subject, products[2:6], 3),
        (someone, subject, products[6:8], 1),
    ):
        counts = [2, *(draw.rng.randint(1, 3) for _ in picked[1:])]
        lines = "\n".join(f"- {count} x {product.name}" for count, product in zip(counts, picked, strict=True))
        body = f"Hi {draw.me.first},\ncould you please order this for me?\n{lines}\nThank you!\n{sender.first}"
        letter(draw, sender, title, body, days=days)
    put_in_cart(draw.state, draw.me.id, products[8].id, 1)
    cards = draw.state[ShopCard].of(draw.me.id)
    return {
        "person": person.name,
        "subject": subject,
        "card": cards[1].name,
        "other_person": someone.name,
        "other_subject": other,
        "other_card": cards[0].name,
    }


def _solve_fulfil_order_request(state: State, me: Person, values: Values) -> Json:
    mail = _the_mail(state, me, values)
    clear(state, me.id)
    for product in state[Product]:
        for count in (1, 2, 3):
            if f"\n- {count} x {product.name}\n" in mail.body:
                put_in_cart(state, me.id, product.id, count)
    card = next(card for card in state[ShopCard].of(me.id) if card.name == values["card"])
    reply(state, me.id, mail.id, str(order_cart(state, me.id, card.id).id))
    return None


def order_from_mail(person: str, subject: str, card: str) -> int:
    """Order exactly the products somebody lists in a mail, reply with the order number and return it."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    cards = apis.shop.list_payment_cards(access_token=shop_token)
    card_id = next(one["payment_card_id"] for one in cards if one["name"] == card)
    mail = mail_from(mail_token, person, subject)
    apis.shop.clear_cart(access_token=shop_token)
    for quantity, name in re.findall(r"^- (\d+) x (.+)$", mail["body"], flags=re.MULTILINE):
        product = find_product(shop_token, name)
        apis.shop.add_to_cart(access_token=shop_token, product_id=product["product_id"], quantity=int(quantity))
    order_id = apis.shop.place_order(access_token=shop_token, payment_card_id=card_id)["order_id"]
    apis.mail.reply_to_mail(access_token=mail_token, mail_id=mail["mail_id"], body=str(order_id))
    return order_id


fulfil_order_request = Family(
    name="fulfil_order_request",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"person": str, "subject": str, "card": str},
    wordings=(
        '{person} sent me the mail "{subject}" with a list of products. Throw out whatever is in my shop cart, order '
        'exactly what the list says with my "{card}" card, and reply to the mail with the number of the new order, '
        "nothing else.",
        'Please do {person} a favour: their mail "{subject}" says what to buy in the shop. Start from an empty cart, '
        'pay with the card named "{card}", and answer the mail with just the order number.',
        'Place one order in the shop with the products and quantities that {person} asks for in the mail "{subject}", '
        'and only those: empty the cart before. The payment card is "{card}". When it is placed, the order number '
        "alone is the text of your reply to {person}.",
    ),
    make=_make_fulfil_order_request,
    solve=_solve_fulfil_order_request,
    program=Program(
        functions=(read_mails, mail_from, find_product, order_from_mail),
        call="order_from_mail(person={person!r}, subject={subject!r}, card={card!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="earlier_list", swap={"subject": "other_subject"}),
        Mistake(name="another_card", swap={"card": "other_card"}),
        Mistake(name="cart_not_emptied", old="    apis.shop.clear_cart(access_token=shop_token)\n", new=""),
        Mistake(name="one_of_each", old="quantity=int(quantity)", new="quantity=1"),
    ),
)


# Cancel the orders that somebody lists in a mail, where it is not too late, and reply with their numbers.


def _make_fulfil_cancel_request(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(
        ("Too many parcels", "Changed my mind", "About our orders", "Please stop these"), 2
    )
    person, someone = acquaintances(draw, 2)
    plan = ((9, "delivered"), (4, "shipped"), (4, "placed"), (3, "placed"), (2, "placed"), (1, "placed"), (1, "placed"))
    orders = [bought(draw, [(fresh_products(draw, 1)[0], 1)], days=days, status=status) for days, status in plan]
    for sender, title, picked, days in (
        (person, subject, (orders[4], orders[1], orders[2], orders[0], orders[3]), 1),
        (someone, subject, (orders[5],), 0),
        (person, other, (orders[6],), 0),
    ):
        lines = "\n".join(f"- order {order.id}" for order in picked)
        body = f"Hi {draw.me.first},\nplease cancel this if you still can:\n{lines}\nThank you!\n{sender.first}"
        letter(draw, sender, title, body, days=days)
    return {"person": person.name, "subject": subject, "other_person": someone.name, "other_subject": other}


def _solve_fulfil_cancel_request(state: State, me: Person, values: Values) -> Json:
    mail = _the_mail(state, me, values)
    placed = [order.id for order in state[Order].of(me.id) if order.status == "placed"]
    listed = [id for id in sorted(placed) if f"- order {id}\n" in mail.body]
    for id in listed:
        cancel(state, id)
    reply(state, me.id, mail.id, "Cancelled: " + ", ".join(map(str, listed)))
    return None


def cancel_listed_orders(person: str, subject: str) -> list:
    """Cancel the orders listed in somebody's mail that have not shipped, reply with their numbers and return them."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    mail = mail_from(mail_token, person, subject)
    cancelled = []
    for number in re.findall(r"order (\d+)", mail["body"]):
        order = apis.shop.show_order(access_token=shop_token, order_id=int(number))
        if order["status"] == "placed":
            apis.shop.cancel_order(access_token=shop_token, order_id=order["order_id"])
            cancelled.append(order["order_id"])
    body = "Cancelled: " + ", ".join(str(number) for number in sorted(cancelled))
    apis.mail.reply_to_mail(access_token=mail_token, mail_id=mail["mail_id"], body=body)
    return cancelled


fulfil_cancel_request = Family(
    name="fulfil_cancel_request",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"person": str, "subject": str},
    wordings=(
        'In the mail "{subject}" {person} lists orders of mine that should be cancelled. Cancel those which can still '
        'be cancelled, and reply to the mail with "Cancelled: " followed by the numbers of the orders you cancelled, '
        'in ascending order with ", " between them.',
        '{person} wants some of my shop orders stopped; their numbers are in the mail "{subject}". Some may have '
        'shipped already, leave those alone. Afterwards answer with a line such as "Cancelled: 1001, 1002, 1003" '
        "that has the cancelled ones, lowest number first.",
        'Please take care of the mail "{subject}" from {person}: of the orders named there, cancel all that have not '
        'been shipped yet. Then tell {person} in a reply which ones they were, as "Cancelled: 1001, 1002" from the '
        "smallest number to the largest.",
    ),
    make=_make_fulfil_cancel_request,
    solve=_solve_fulfil_cancel_request,
    program=Program(
        functions=(read_mails, mail_from, cancel_listed_orders),
        call="cancel_listed_orders(person={person!r}, subject={subject!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="another_mail", swap={"subject": "other_subject"}),
        Mistake(name="in_the_order_of_the_mail", old="sorted(cancelled)", new="cancelled"),
        Mistake(name="reports_all_listed", old="            cancelled.append", new="        cancelled.append"),
    ),
)


# Return what somebody lists in a mail, each from the latest delivered order of it, for the reason given.


def _make_fulfil_return_request(draw: Draw) -> Values | None:
    subject = draw.rng.choice(("Broken things", "This has to go back", "Please return these", "Complaints"))
    person, someone = acquaintances(draw, 2)
    products = fresh_products(draw, 6)
    wrong, extra = products[:3], products[3:]
    for days in (80, 30):
        for product in wrong:
            bought(draw, [(product, 1), (draw.rng.choice(extra), 1)], days=days + draw.rng.randint(0, 9))
    bought(draw, [(extra[0], 1), (extra[1], 1)], days=12)
    bought(draw, [(wrong[0], 1), (wrong[1], 2)], days=3, status="shipped")
    for sender, picked, reasons in (
        (person, wrong, ("damaged", "wrong item", "no longer needed")),
        (someone, extra[:2], ("wrong item", "damaged")),
    ):
        lines = "\n".join(f"- {product.name}: {reason}" for product, reason in zip(picked, reasons, strict=True))
        body = f"Hi {draw.me.first},\nwe should send this back:\n{lines}\nCan you do it?\n{sender.first}"
        letter(draw, sender, subject, body, days=1)
    return {"person": person.name, "subject": subject, "other_person": someone.name}


def _solve_fulfil_return_request(state: State, me: Person, values: Values) -> Json:
    listed = dict(line[2:].split(": ") for line in _the_mail(state, me, values).body.splitlines() if line[:2] == "- ")
    for name, reason in listed.items():
        product = product_named(state, name)
        arrived = [
            order
            for order in state[Order].of(me.id)
            if order.status == "delivered" and product.id in {line.product_id for line in order.lines}
        ]
        send_back(state, max(arrived, key=lambda order: order.placed_at).id, product.id, reason)
    return None


def return_listed_items(person: str, subject: str) -> int:
    """Return the products listed in somebody's mail from their latest delivered orders and return how many."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    mail = mail_from(mail_token, person, subject)
    listed = re.findall(r"^- (.+): (.+)$", mail["body"], flags=re.MULTILINE)
    for name, reason in listed:
        orders = all_pages(apis.shop.list_orders, access_token=shop_token, query=name, status="delivered")
        latest = next(order for order in orders if any(item["name"] == name for item in order["items"]))
        product_id = next(item["product_id"] for item in latest["items"] if item["name"] == name)
        apis.shop.return_item(
            access_token=shop_token, order_id=latest["order_id"], product_id=product_id, reason=reason
        )
    return len(listed)


fulfil_return_request = Family(
    name="fulfil_return_request",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"person": str, "subject": str},
    wordings=(
        '{person} mailed me under "{subject}" which products should go back to the shop, and why. Request these '
        "returns with the reasons given; where I bought a product more than once, it is from the latest order that has "
        "been delivered.",
        'Ask the shop to take back everything on the list in the mail "{subject}" from {person}. Use the reason that '
        "stands behind each product, and for each the most recent delivered order it is in.",
        'Read the mail "{subject}" that I have from {person} and return the listed products, each for its reason. If '
        "several orders contain one, pick the newest among the delivered ones.",
    ),
    make=_make_fulfil_return_request,
    solve=_solve_fulfil_return_request,
    program=Program(
        functions=(read_mails, mail_from, return_listed_items),
        call="return_listed_items(person={person!r}, subject={subject!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="oldest_order", old="for order in orders if any", new="for order in orders[::-1] if any"),
        Mistake(name="usual_reason", old=", reason=reason\n", new="\n"),
    ),
)

FAMILIES = (fulfil_order_request, fulfil_cancel_request, fulfil_return_request)
