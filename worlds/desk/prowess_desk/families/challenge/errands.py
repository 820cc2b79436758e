"""Challenge families that lead from a mail through the shop to the wallet or the phone."""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.mail import Mail
from prowess_desk.apps.phone import send_text
from prowess_desk.apps.shop import Order, Product
from prowess_desk.apps.wallet import request
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import acquaintances, bought, fresh_products, letter, my_mails, read_mails
from prowess_desk.families.toolbox import all_pages, apis, login


def _senders(state: State, me: Person, subject: str) -> list[tuple[Person, Mail]]:
    """Who wrote to the supervisor under this subject, and what."""
    people = {person.email: person for person in state[Person]}
    return [(people[mail.sender], mail) for mail in my_mails(state, me, "inbox") if mail.subject == subject]


# Request back through the wallet what people asked to have ordered along.


def _make_request_order_payback(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(("Please order along", "For your next order", "Can you add this?", "One thing"), 2)
    if len(draw.me.relations) < 8:
        return None
    people, products = acquaintances(draw, 8), fresh_products(draw, 9)
    ordered = [(product, draw.rng.randint(3, 4)) for product in products[:7]]
    paid = [product.price - draw.rng.randint(1, product.price // 4) for product, _ in ordered]
    order = bought(draw, ordered, days=4, paid=paid, mails=False)
    for n, person in enumerate(people):
        # The second wants something that is not in the order, the last two wrote about another occasion.
        product = products[8] if n == 1 else products[n if n < 7 else 0]
        count = 2 if n == 0 else draw.rng.randint(1, 2)
        body = f"Hi {draw.me.first},\nplease get me {count} x {product.name} and I pay you back.\n{person.first}"
        letter(draw, person, subject if n < 6 else other, body, days=n + 5)
    note = draw.rng.choice(("Shop order", "Your part of the order", "Ordered along", "For the parcel"))
    return {"order": order.id, "subject": subject, "note": note, "other_subject": other}


def _solve_request_order_payback(state: State, me: Person, values: Values) -> Json:
    lines = {line.product_id: line.price for line in state[Order][values["order"]].lines}
    for person, mail in _senders(state, me, values["subject"]):
        for product in state[Product]:
            for count in (1, 2):
                if f"get me {count} x {product.name} and" in mail.body and product.id in lines:
                    request(state, me.id, person.id, count * lines[product.id], values["note"])
    return None


def request_back(order_id: int, subject: str, note: str) -> int:
    """Request from everybody who asked for products of an order what these cost and return how many requests."""
    mail_token, shop_token, wallet_token = login(app="mail"), login(app="shop"), login(app="wallet")
    order = apis.shop.show_order(access_token=shop_token, order_id=order_id)
    prices = {item["name"]: item["price"] for item in order["items"]}
    count = 0
    for mail in read_mails(mail_token, query=subject, folder="inbox"):
        wanted = re.search(r"get me (\d+) x (.+) and I pay you back", mail["body"])
        if wanted and mail["subject"] == subject and wanted.group(2) in prices:
            amount = round(int(wanted.group(1)) * prices[wanted.group(2)], 2)
            apis.wallet.request_payment(access_token=wallet_token, payer_email=mail["sender"], amount=amount, note=note)
            count += 1
    return count


request_order_payback = Family(
    name="request_order_payback",
    split="test_challenge",
    difficulty=3,
    apps=("shop", "mail", "wallet"),
    slots={"order": int, "subject": str, "note": str},
    wordings=(
        'In mails with the subject "{subject}" people asked me to buy things for them and promised to pay me back. For '
        "those whose product is in my shop order {order}, request the money in the wallet: what they asked for, at the "
        'price I paid, with the note "{note}".',
        'My order {order} in the shop has products for others. The mails "{subject}" in my inbox tell who wanted how '
        "many of what. Send each of these people a wallet payment request for their pieces at the price in that order, "
        'noting "{note}"; nobody pays for what the order does not contain.',
        'Please collect the money for order {order}: ask everyone who wrote me "{subject}" for the price of the pieces '
        'they wanted, as charged in that order. Use payment requests in the wallet with the note "{note}", and leave '
        "out whoever wanted something that I did not order.",
    ),
    make=_make_request_order_payback,
    solve=_solve_request_order_payback,
    program=Program(
        functions=(read_mails, request_back),
        call="request_back(order_id={order!r}, subject={subject!r}, note={note!r})",
    ),
    mistakes=(
        Mistake(name="another_subject", swap={"subject": "other_subject"}),
        Mistake(name="one_piece_each", old="int(wanted.group(1)) * prices", new="prices"),
        Mistake(
            name="prices_of_today",
            old='item["price"] for item in order["items"]}',
            new='apis.shop.show_product(access_token=shop_token, product_id=item["product_id"])["price"]\n'
            '        for item in order["items"]}',
        ),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
    ),
)


# Text everybody who asked by mail about an order when it arrives.


def _make_text_order_arrivals(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(("Where is it?", "When does it come?", "The parcel", "Any news?", "Delivery"), 2)
    if len(draw.me.relations) < 8:
        return None
    people = acquaintances(draw, 8)
    states = ("shipped", "delivered", "placed", "cancelled", "shipped", "delivered", "placed", "shipped")
    for n, (person, status) in enumerate(zip(people, states, strict=True)):
        order = bought(draw, [(fresh_products(draw, 1)[0], 1)], days=14 - n, status=status, mails=False)
        body = f"Hi {draw.me.first},\nwhen do I get what is in order {order.id}?\n{person.first}"
        letter(draw, person, subject if n < 7 else other, body, days=draw.rng.randint(0, 3))
    return {"subject": subject, "other_subject": other}


def _solve_text_order_arrivals(state: State, me: Person, values: Values) -> Json:
    for person, mail in _senders(state, me, values["subject"]):
        order = next(order for order in state[Order].of(me.id) if f"in order {order.id}?" in mail.body)
        words = {"delivered": "It arrived on", "placed": "It should arrive on", "shipped": "It should arrive on"}
        day = order.expected.isoformat()
        text = f"{words[order.status]} {day}." if order.status in words else "It was cancelled."
        send_text(state, me.id, person.id, text)
    return None


def text_arrivals(subject: str) -> int:
    """Text everybody who asked about an order under a subject when it arrives and return how many texts were sent."""
    mail_token, shop_token, phone_token = login(app="mail"), login(app="shop"), login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}
    count = 0
    for mail in read_mails(mail_token, query=subject, folder="inbox"):
        asked = re.search(r"in order (\d+)", mail["body"])
        if asked and mail["subject"] == subject:
            order = apis.shop.show_order(access_token=shop_token, order_id=int(asked.group(1)))
            if order["status"] == "cancelled":
                text = "It was cancelled."
            elif order["status"] == "delivered":
                text = f"It arrived on {order['expected_delivery']}."
            else:
                text = f"It should arrive on {order['expected_delivery']}."
            apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[mail["sender"]], text=text)
            count += 1
    return count


text_order_arrivals = Family(
    name="text_order_arrivals",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop", "phone"),
    slots={"subject": str},
    wordings=(
        'Some people mailed me "{subject}" to ask about orders I placed. Answer each with a text message to their '
        'phone: "It should arrive on 2025-01-31." with the expected day while the order is not delivered, "It arrived '
        'on 2025-01-31." with the day of delivery if it is, and "It was cancelled." if it is cancelled.',
        'Look at the mails with the subject "{subject}" in my inbox: each asks for one order. Check it in the shop and '
        'text the person, not by mail but by phone, one of these: "It arrived on 2025-01-31." (delivered), "It was '
        'cancelled." (cancelled) or "It should arrive on 2025-01-31." (anything else), with the right date.',
        'Please text everyone who asks about an order under the subject "{subject}" in my mail. What to say depends on '
        'the state of the order in the shop. Cancelled: "It was cancelled." Delivered: "It arrived on 2025-01-31." '
        'Placed or shipped: "It should arrive on 2025-01-31." Put the date of delivery that the shop gives.',
    ),
    make=_make_text_order_arrivals,
    solve=_solve_text_order_arrivals,
    program=Program(functions=(read_mails, text_arrivals), call="text_arrivals(subject={subject!r})"),
    mistakes=(
        Mistake(name="another_subject", swap={"subject": "other_subject"}),
        Mistake(name="delivered_unseen", old='order["status"] == "delivered"', new='order["status"] == "returned"'),
        Mistake(
            name="date_of_order",
            old="arrive on {order['expected_delivery']}",
            new="arrive on {order['placed_at'][:10]}",
        ),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
    ),
)

FAMILIES = (request_order_payback, text_order_arrivals)
