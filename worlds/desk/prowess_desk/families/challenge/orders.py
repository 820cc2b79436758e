"""Challenge families about orders the supervisor placed, and the shop's mails about them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.mail import file_under, forward, label, send
from prowess_desk.apps.shop import CATEGORIES, Order, Product, Return, product_named
from prowess_desk.data.mail import SHOP
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import acquaintances, bought, fresh_products, letter, my_mails
from prowess_desk.families.toolbox import all_pages, apis, login

# Mail somebody the tracking number of the latest order of a product.


def _make_mail_tracking(draw: Draw) -> Values | None:
    product, other, third = fresh_products(draw, 3)
    for days, lines, status in (
        (90, [(product, 1)], "delivered"),
        (40, [(other, 1)], "delivered"),
        (30, [(product, 2), (third, 1)], "delivered"),
        (5, [(third, 1), (product, 1)], "shipped"),
        (2, [(other, 2), (third, 1)], "shipped"),
    ):
        bought(draw, lines, days=days, status=status, mails=False)
    return {
        "product": product.name,
        "email": acquaintances(draw, 1)[0].email,
        "subject": draw.rng.choice(("Parcel for you", "Track this parcel", "Something is on its way", "My delivery")),
        "other_product": other.name,
    }


def _solve_mail_tracking(state: State, me: Person, values: Values) -> Json:
    product = product_named(state, values["product"])
    orders = [order for order in state[Order].of(me.id) if any(line.product_id == product.id for line in order.lines)]
    latest = max(orders, key=lambda order: order.placed_at)
    send(state, me.id, [values["email"]], values["subject"], latest.tracking)
    return None


def mail_tracking_number(product: str, email: str, subject: str) -> str:
    """Mail somebody the tracking number of the latest order of a product and return it."""
    shop_token = login(app="shop")
    orders = all_pages(apis.shop.list_orders, access_token=shop_token, query=product)
    orders = [order for order in orders if any(item["name"] == product for item in order["items"])]
    latest = max(orders, key=lambda order: order["placed_at"])
    number = apis.shop.track_order(access_token=shop_token, order_id=latest["order_id"])["tracking_number"]
    apis.mail.send_mail(access_token=login(app="mail"), recipients=[email], subject=subject, body=number)
    return number


mail_tracking = Family(
    name="mail_tracking",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"product": str, "email": str, "subject": str},
    wordings=(
        'Mail {email} the tracking number of my most recent shop order of the "{product}". The subject is "{subject}", '
        "the text is the tracking number and nothing else.",
        'I ordered the "{product}" several times. Look up how the latest of these orders can be tracked, and send the '
        'bare tracking number to {email} in a mail with the subject "{subject}".',
        'Please write a mail to {email}, subject "{subject}". Its whole text should be the tracking number of the '
        'last order I placed that has the "{product}" in it.',
    ),
    make=_make_mail_tracking,
    solve=_solve_mail_tracking,
    program=Program(
        functions=(mail_tracking_number,),
        call="mail_tracking_number(product={product!r}, email={email!r}, subject={subject!r})",
    ),
    mistakes=(
        Mistake(name="another_product", swap={"product": "other_product"}),
        Mistake(name="oldest_order", old="max(orders", new="min(orders"),
        Mistake(name="order_number", old="body=number", new='body=str(latest["order_id"])'),
    ),
)


# Archive and label the shop's mails about delivered orders.


def _make_archive_delivered(draw: Draw) -> Values | None:
    for days, status in ((60, "delivered"), (45, "returned"), (30, "delivered"), (20, "cancelled"), (9, "delivered")):
        bought(draw, [(product, 1) for product in fresh_products(draw, 2)], days=days, status=status)
    for days, status in ((4, "shipped"), (3, "shipped"), (2, "placed")):
        bought(draw, [(fresh_products(draw, 1)[0], 1)], days=days, status=status)
    arrived = draw.rng.choice([order for order in draw.state[Order].of(draw.me.id) if order.status == "delivered"])
    letter(
        draw,
        acquaintances(draw, 1)[0],
        f"Order {arrived.id} is still at my place",
        "The parcel service left it here. When do you pick it up?",
        days=1,
    )
    return {"label": draw.rng.choice(("arrived", "done", "shopping", "old orders", "filed"))}


def _solve_archive_delivered(state: State, me: Person, values: Values) -> Json:
    subjects = set()
    for order in state[Order].of(me.id):
        if order.status == "delivered":
            subjects |= {f"Order {order.id} confirmed", f"Order {order.id} has shipped"}
    for mail in my_mails(state, me, "inbox"):
        if mail.sender == SHOP and mail.subject in subjects:
            label(state, mail.id, values["label"])
            file_under(state, mail.id, "archive")
    return None


def archive_delivered_orders(label: str, shop_address: str) -> int:
    """Label and archive the shop's mails in the inbox about delivered orders and return how many there were."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    orders = all_pages(apis.shop.list_orders, access_token=shop_token, status="delivered")
    delivered = {order["order_id"] for order in orders}
    count = 0
    for mail in all_pages(apis.mail.list_mails, access_token=mail_token, folder="inbox"):
        found = re.match(r"Order (\d+) ", mail["subject"])
        if found and mail["sender"] == shop_address and int(found.group(1)) in delivered:
            apis.mail.label_mail(access_token=mail_token, mail_id=mail["mail_id"], label=label)
            apis.mail.archive_mail(access_token=mail_token, mail_id=mail["mail_id"])
            count += 1
    return count


archive_delivered = Family(
    name="archive_delivered",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"label": str},
    wordings=(
        f"Tidy my inbox: every mail from {SHOP} about an order that the shop lists as delivered gets the label "
        '"{label}" and goes to the archive. Mails about orders in any other state stay where they are.',
        f"What {SHOP} wrote about orders the shop counts as delivered can leave my inbox. Archive those mails, and put "
        'the label "{label}" on each.',
        f"Please check the status of my orders. For the delivered ones, label the mails I have from {SHOP} in the "
        'inbox with "{label}" and archive them; do not touch the rest.',
    ),
    make=_make_archive_delivered,
    solve=_solve_archive_delivered,
    program=Program(
        functions=(archive_delivered_orders,),
        call=f"archive_delivered_orders(label={{label!r}}, shop_address={SHOP!r})",
    ),
    mistakes=(
        Mistake(name="every_order", old=', status="delivered")', new=")"),
        Mistake(name="whoever_wrote", old='mail["sender"] == shop_address and ', new=""),
        Mistake(name="first_page", old="all_pages(apis.mail.list_mails, ", new="apis.mail.list_mails("),
        Mistake(name="confirmations_only", old=r'r"Order (\d+) "', new=r'r"Order (\d+) confirmed"'),
    ),
)


# Forward the confirmations of all orders with something of a category.


def _make_forward_category(draw: Draw) -> Values | None:
    category, other = draw.rng.sample(CATEGORIES, 2)
    fresh = fresh_products(draw)
    mine = [product for product in fresh if product.category == category]
    rest = [product for product in fresh if product.category == other]
    if len(mine) < 3 or not rest:
        return None
    bought(draw, [(mine[0], 1), (rest[0], 2)], days=70)
    bought(draw, [(mine[1], 2)], days=50, status="cancelled")
    bought(draw, [(rest[0], 1)], days=30)
    for days, product in ((8, mine[2]), (6, rest[0]), (3, rest[0]), (2, rest[0]), (2, rest[0])):
        bought(draw, [(product, 1)], days=days, status="delivered" if days > 5 else "shipped")
    for mail in my_mails(draw.state, draw.me, "trash"):
        file_under(draw.state, mail.id, "archive")  # what lies in the trash would be a matter of taste
    email = acquaintances(draw, 1)[0].email
    return {"category": category, "email": email, "other_category": other}


def _solve_forward_category(state: State, me: Person, values: Values) -> Json:
    for order in state[Order].of(me.id):
        if any(state[Product][line.product_id].category == values["category"] for line in order.lines):
            mail = next(mail for mail in my_mails(state, me) if mail.subject == f"Order {order.id} confirmed")
            forward(state, me.id, mail.id, [values["email"]])
    return None


def forward_confirmations(category: str, email: str) -> int:
    """Forward the confirmation of every order with a product of a category and return how many there were."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    products = all_pages(apis.shop.search_products, access_token=shop_token, category=category)
    wanted = {product["product_id"] for product in products}
    count = 0
    for order in all_pages(apis.shop.list_orders, access_token=shop_token):
        if any(item["product_id"] in wanted for item in order["items"]):
            subject = f"Order {order['order_id']} confirmed"
            for mail in all_pages(apis.mail.search_mails, access_token=mail_token, query=subject):
                if mail["subject"] == subject:
                    apis.mail.forward_mail(access_token=mail_token, mail_id=mail["mail_id"], recipients=[email])
                    count += 1
    return count


forward_category = Family(
    name="forward_category",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"category": str, "email": str},
    wordings=(
        "Forward to {email} the confirmation mail of every shop order in which I bought something of the category "
        '"{category}", whatever became of the order, without a comment.',
        'Find my orders, of whatever status, that contain products from the shop\'s "{category}" category. Send the '
        "confirmation mails of these orders on to {email}, just as they are.",
        "{email} collects proof of purchases. Please forward them, without adding anything, the order confirmations "
        'from my mailbox for all orders that have at least one "{category}" product of the shop in them; cancelled '
        "orders count as well.",
    ),
    make=_make_forward_category,
    solve=_solve_forward_category,
    program=Program(
        functions=(forward_confirmations,), call="forward_confirmations(category={category!r}, email={email!r})"
    ),
    mistakes=(
        Mistake(name="another_category", swap={"category": "other_category"}),
        Mistake(name="first_orders", old="all_pages(apis.shop.list_orders, ", new="apis.shop.list_orders("),
        Mistake(
            name="delivered_only",
            old="list_orders, access_token=shop_token)",
            new='list_orders, access_token=shop_token, status="delivered")',
        ),
        Mistake(name="with_a_comment", old="recipients=[email])", new='recipients=[email], comment="For you")'),
    ),
)


# Mail somebody what was spent on delivered orders since a day, by category.


def _make_mail_category_spending(draw: Draw) -> Values | None:
    since = draw.state.now.date() - timedelta(days=draw.rng.randint(60, 100))
    products = fresh_products(draw, 6)
    for days, status, picked in (
        (130, "delivered", products[:2]),
        (58, "delivered", products[2:4]),
        (41, "cancelled", products[4:5]),
        (33, "delivered", products[:1]),
        (17, "delivered", products[4:6]),
        (4, "shipped", products[5:6]),
    ):
        paid = [product.price - draw.rng.randint(1, product.price // 5) for product in picked]
        bought(draw, [(one, draw.rng.randint(2, 3)) for one in picked], days=days, status=status, paid=paid)
    sent_back = {back.order_id for back in draw.state[Return].of(draw.me.id)}
    if any(order.id in sent_back and order.placed_at.date() >= since for order in draw.state[Order].of(draw.me.id)):
        return None  # whether that was spent would be a matter of taste
    return {
        "day": since.isoformat(),
        "email": acquaintances(draw, 1)[0].email,
        "subject": draw.rng.choice(("Shop spending", "Where the money went", "Our household costs", "For the books")),
        "other_day": (draw.state.now.date() - timedelta(days=25)).isoformat(),
    }


def _solve_mail_category_spending(state: State, me: Person, values: Values) -> Json:
    cents: dict[str, int] = {}
    for order in state[Order].of(me.id):
        if order.status == "delivered" and order.placed_at.date() >= date.fromisoformat(values["day"]):
            for line in order.lines:
                category = state[Product][line.product_id].category
                cents[category] = cents.get(category, 0) + line.price * line.quantity
    body = "\n".join(f"{category}: ${cents[category] / 100:.2f}" for category in CATEGORIES if category in cents)
    send(state, me.id, [values["email"]], values["subject"], body)
    return None


def mail_spending(day: str, email: str, subject: str) -> dict:
    """Mail somebody the spending on delivered orders since a day, a line for each category, and return the sums."""
    shop_token = login(app="shop")
    spent: Counter = Counter()
    for order in all_pages(apis.shop.list_orders, access_token=shop_token, status="delivered"):
        if order["placed_at"][:10] >= day:
            for item in order["items"]:
                product = apis.shop.show_product(access_token=shop_token, product_id=item["product_id"])
                spent[product["category"]] += item["price"] * item["quantity"]
    body = "\n".join(f"{category}: ${amount:.2f}" for category, amount in sorted(spent.items()))
    apis.mail.send_mail(access_token=login(app="mail"), recipients=[email], subject=subject, body=body)
    return dict(spent)


mail_category_spending = Family(
    name="mail_category_spending",
    split="test_challenge",
    difficulty=3,
    apps=("shop", "mail"),
    slots={"day": str, "email": str, "subject": str},
    wordings=(
        "Add up what I paid in the shop, by category of product, for orders that I placed on {day} or later and that "
        'have been delivered. Mail it to {email} with the subject "{subject}": one line for each category with '
        'something in it, such as "books: $12.50", in alphabetical order, and nothing else in the text.',
        '{email} needs a mail from me with the subject "{subject}" and a breakdown of my shop purchases. Only '
        'delivered orders count, placed since {day} (that day included). The text has a line like "books: $12.50" for '
        "each category I paid for, sorted by category, and no other lines.",
        'Send {email} the mail "{subject}". Text: what I spent per product category on delivered orders that were '
        "placed no earlier than {day}, at the prices I paid then, alphabetically, each line in the form "
        '"books: $12.50", leaving out categories without purchases. No greeting.',
    ),
    make=_make_mail_category_spending,
    solve=_solve_mail_category_spending,
    program=Program(
        functions=(mail_spending,), call="mail_spending(day={day!r}, email={email!r}, subject={subject!r})"
    ),
    mistakes=(
        Mistake(name="prices_of_today", old='item["price"]', new='product["price"]'),
        Mistake(name="not_delivered_ones_too", old=', status="delivered")', new=")"),
        Mistake(name="one_of_each", old=' * item["quantity"]', new=""),
        Mistake(name="another_day", swap={"day": "other_day"}),
    ),
)

FAMILIES = (mail_tracking, archive_delivered, forward_category, mail_category_spending)
