"""Challenge families that hold what mails say against what the shop knows."""

from __future__ import annotations

import re
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.mail import Mail, file_under, label, reply
from prowess_desk.apps.shop import Order, Product, WishItem, unwish, wish
from prowess_desk.data.mail import SHOP, confirmation
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import acquaintances, bought, fresh_products, letter, my_mails, read_mails
from prowess_desk.families.toolbox import all_pages, apis, login

# How many of the orders under a label are in some state.

_SHELVES = ("renovation", "presents", "reimburse", "spring", "shared", "club")


def _make_count_labelled_by_status(draw: Draw) -> Values | None:
    name, other = draw.rng.sample(_SHELVES, 2)
    status = draw.rng.choice(("delivered", "shipped", "placed"))
    rest = [one for one in ("delivered", "shipped", "placed", "cancelled") if one != status]
    wanted = draw.rng.randint(3, 5)
    # The oldest are of the wanted state, so that they lie beyond the first page.
    for n in range(wanted + 6):
        product = fresh_products(draw, 1)[0]
        order = bought(draw, [(product, 1)], days=13 - n, status=status if n < wanted else draw.rng.choice(rest))
        for mail in my_mails(draw.state, draw.me, "inbox"):
            if mail.subject.startswith(f"Order {order.id} "):
                label(draw.state, mail.id, name)
                if n == 1:
                    file_under(draw.state, mail.id, "archive")
    stray = bought(draw, [(fresh_products(draw, 1)[0], 1)], days=2, status=status)
    for mail in my_mails(draw.state, draw.me, "inbox"):
        if mail.subject.startswith(f"Order {stray.id} "):
            label(draw.state, mail.id, other)
    friend = acquaintances(draw, 1)[0]
    letter(draw, friend, "About your last order", "Shall we share the costs?", days=1, labels=(name,))
    return {"label": name, "status": status, "other_label": other}


def _solve_count_labelled_by_status(state: State, me: Person, values: Values) -> Json:
    labelled = [mail for mail in my_mails(state, me) if values["label"] in mail.labels]
    kept = {mail.subject for mail in labelled if mail.folder in ("inbox", "archive")}
    mine = [order for order in state[Order].of(me.id) if f"Order {order.id} confirmed" in kept]
    return sum(order.status == values["status"] for order in mine)


def count_labelled_orders(label: str, status: str) -> int:
    """Count the orders in a state among those whose confirmation mails have a label."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    count = 0
    for folder in ("inbox", "archive"):
        for mail in all_pages(apis.mail.list_mails, access_token=mail_token, folder=folder, label=label):
            found = re.fullmatch(r"Order (\d+) confirmed", mail["subject"])
            if found:
                order = apis.shop.show_order(access_token=shop_token, order_id=int(found.group(1)))
                count += order["status"] == status
    return count


count_labelled_by_status = Family(
    name="count_labelled_by_status",
    split="test_challenge",
    difficulty=2,
    apps=("mail", "shop"),
    slots={"label": str, "status": str},
    wordings=(
        'Some order confirmations in my inbox and archive have the label "{label}". How many of the orders they '
        'confirm does the shop now list as "{status}"?',
        'Go by the confirmation mails that I labelled "{label}" (inbox and archive). I want to know how many of those '
        'orders have the status "{status}" in the shop.',
        'How many orders are "{status}" at the moment, according to the shop, if you only count the ones whose '
        'confirmation in my inbox or archive carries the label "{label}"?',
    ),
    make=_make_count_labelled_by_status,
    solve=_solve_count_labelled_by_status,
    program=Program(
        functions=(count_labelled_orders,), call="count_labelled_orders(label={label!r}, status={status!r})"
    ),
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="first_page", old="all_pages(apis.mail.list_mails, ", new="apis.mail.list_mails("),
        Mistake(name="inbox_only", old='("inbox", "archive")', new='("inbox",)'),
        Mistake(name="all_states", old='count += order["status"] == status', new="count += 1"),
    ),
    asks=True,
)


# Which confirmations state another total than the shop.


def _make_spot_wrong_totals(draw: Draw) -> Values | None:
    since = draw.state.now.date() - timedelta(days=draw.rng.randint(35, 50))
    orders = []
    for days in (70, 34, 30, 26, 20, 16, 12, 9, 6):
        products = fresh_products(draw, 2)
        orders.append(bought(draw, [(product, draw.rng.randint(1, 2)) for product in products], days=days))
    # One wrong total is older than the day asked for, one lies beyond the first page. The siblings of a scenario differ
    # in which they are: an answer found once must not do for the next.
    wrong = [orders[0], orders[draw.rng.randint(1, 3)], *draw.rng.sample(orders[4:], draw.rng.randint(1, 3))]
    for order, cents in zip(wrong, (700, 40, -300, 650, 1200), strict=False):
        mail = next(mail for mail in my_mails(draw.state, draw.me) if mail.subject == f"Order {order.id} confirmed")
        stated = mail.body.replace(f"${order.total / 100:.2f}", f"${(order.total + cents) / 100:.2f}")
        draw.state[Mail].change(mail.id, body=stated)
    return {"day": since.isoformat()}


def _solve_spot_wrong_totals(state: State, me: Person, values: Values) -> Json:
    names = {product.id: product.name for product in state[Product]}
    bodies = {mail.subject: mail.body for mail in my_mails(state, me)}
    found = []
    for order in state[Order].of(me.id):
        subject, body = confirmation(order, names)
        recent = order.placed_at.date() >= date.fromisoformat(values["day"])
        if recent and bodies[subject] != body:
            found.append(order.id)
    return list(found)


def find_wrong_totals(day: str) -> list:
    """List the numbers of orders since a day whose confirmation mails state another total than the shop."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    stated = {}
    for mail in read_mails(mail_token, query="confirmed", sent_from=day):
        number = re.fullmatch(r"Order (\d+) confirmed", mail["subject"])
        total = re.search(r"Total: \$([\d.]+)", mail["body"])
        if number and total:
            stated[int(number.group(1))] = float(total.group(1))
    wrong = []
    for order in all_pages(apis.shop.list_orders, access_token=shop_token):
        if order["order_id"] in stated and stated[order["order_id"]] != order["total"]:
            wrong.append(order["order_id"])
    return wrong


spot_wrong_totals = Family(
    name="spot_wrong_totals",
    split="test_challenge",
    difficulty=2,
    apps=("mail", "shop"),
    slots={"day": str},
    wordings=(
        "The totals in some order confirmations I got by mail differ from those in the shop. Which orders placed on "
        "{day} or later are affected? Give me the list of their numbers.",
        "Compare my order confirmation mails with the shop: for which orders since {day} (included) is the total in "
        "the mail not the total of the order there? I need the order numbers.",
        "List the numbers of all orders, none placed before {day}, where the mail that confirmed the order names "
        "another total than my account in the shop does.",
    ),
    make=_make_spot_wrong_totals,
    solve=_solve_spot_wrong_totals,
    program=Program(functions=(read_mails, find_wrong_totals), call="find_wrong_totals(day={day!r})"),
    mistakes=(
        Mistake(name="of_all_time", old=", sent_from=day)", new=")"),
        Mistake(name="first_orders", old="all_pages(apis.shop.list_orders, ", new="apis.shop.list_orders("),
        Mistake(name="only_too_high", old='] != order["total"]', new='] > order["total"]'),
        Mistake(
            name="whole_dollars",
            old='stated[order["order_id"]] != order["total"]',
            new='abs(stated[order["order_id"]] - order["total"]) >= 1',
        ),
    ),
    asks=True,
)


# Move confirmations of orders that do not exist to spam.


def _make_expose_fake_confirmations(draw: Draw) -> Values | None:
    since = draw.state.now.date() - timedelta(days=draw.rng.randint(20, 30))
    for days, status in ((18, "cancelled"), (14, "delivered"), (11, "delivered"), (7, "cancelled"), (3, "shipped")):
        bought(draw, [(fresh_products(draw, 1)[0], 1)], days=days, status=status)
    foreign = [order for order in draw.state[Order] if order.owner != draw.me.id]
    names = {product.id: product.name for product in draw.state[Product]}
    for order, days in zip(draw.rng.sample(foreign, 5), (45, 19, 15, 10, 2), strict=True):
        letter(draw, SHOP, *confirmation(order, names), days=days)
    letter(draw, acquaintances(draw, 1)[0], "Order of the day confirmed", "First cake, then coffee.", days=4)
    return {"day": since.isoformat()}


def _solve_expose_fake_confirmations(state: State, me: Person, values: Values) -> Json:
    for order in list(state[Order]):
        if order.owner != me.id:
            for mail in my_mails(state, me, "inbox"):
                recent = mail.sent_at.date() >= date.fromisoformat(values["day"])
                if recent and mail.subject == f"Order {order.id} confirmed":
                    file_under(state, mail.id, "spam")
    return None


def move_fakes_to_spam(day: str) -> int:
    """Move inbox mails since a day that confirm orders not found in the shop to spam and return how many there were."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    mine = {order["order_id"] for order in all_pages(apis.shop.list_orders, access_token=shop_token)}
    count = 0
    filters = {"folder": "inbox", "sent_from": day}
    for mail in all_pages(apis.mail.search_mails, access_token=mail_token, query="confirmed", **filters):
        found = re.fullmatch(r"Order (\d+) confirmed", mail["subject"])
        if found and int(found.group(1)) not in mine:
            apis.mail.move_mail(access_token=mail_token, mail_id=mail["mail_id"], folder="spam")
            count += 1
    return count


expose_fake_confirmations = Family(
    name="expose_fake_confirmations",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"day": str},
    wordings=(
        "I get confirmation mails for orders that I never placed. Move those of {day} or later that are in my inbox to "
        "spam; an order is mine if my shop account lists it, whatever its status.",
        "Check the order confirmations that came to my inbox since {day} (included) against my orders in the shop. "
        "Whatever confirms an order that is not among them is a fake and belongs in the spam folder.",
        "Someone sends me fake order confirmations. Find them in my inbox, no further back than {day}, by looking for "
        "order numbers which do not exist in my shop account, and put these mails into spam.",
    ),
    make=_make_expose_fake_confirmations,
    solve=_solve_expose_fake_confirmations,
    program=Program(functions=(move_fakes_to_spam,), call="move_fakes_to_spam(day={day!r})"),
    mistakes=(
        Mistake(name="of_all_time", old=', "sent_from": day}', new="}"),
        Mistake(name="first_orders", old="all_pages(apis.shop.list_orders, ", new="apis.shop.list_orders("),
        Mistake(name="first_mails", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
        Mistake(name="trash_instead", old='folder="spam"', new='folder="trash"'),
    ),
)


# Thank for presents and take them off the wish list.

_WISHES = ("Happy birthday!", "For your new flat", "Congratulations!", "Get well soon", "Happy anniversary!")


def _make_thank_givers(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(_WISHES, 2)
    if len(draw.me.relations) < 9:
        return None
    givers = acquaintances(draw, 9)
    products = fresh_products(draw, 9)
    for n, (giver, product) in enumerate(zip(givers[:7], products, strict=False)):
        letter(
            draw,
            giver,
            subject,
            f"Dear {draw.me.first},\nI ordered the {product.name} for you. It should be there soon.\n{giver.first}",
            days=1 + n,
        )
        if n not in (1, 4):  # two presents come as a surprise
            wish(draw.state, draw.me.id, product.id)
    letter(draw, givers[7], subject, f"Dear {draw.me.first},\nall the best!\n{givers[7].first}", days=2)
    wish(draw.state, draw.me.id, products[7].id)
    body = f"Dear {draw.me.first},\nI ordered the {products[7].name} for you. No need to thank me.\n{givers[8].first}"
    letter(draw, givers[8], other, body, days=3)
    return {"subject": subject, "other_subject": other}


def _solve_thank_givers(state: State, me: Person, values: Values) -> Json:
    wished = {item.product_id for item in state[WishItem].of(me.id)}
    for mail in my_mails(state, me, "inbox"):
        present = next((one for one in state[Product] if f"the {one.name} for you" in mail.body), None)
        if mail.subject == values["subject"] and present:
            if present.id in wished:
                unwish(state, me.id, present.id)
            reply(state, me.id, mail.id, f"Thank you for the {present.name}!")
    return None


def thank_for_presents(subject: str) -> int:
    """Thank for each present announced under a subject, take it off the wish list and return how many there were."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    wish_list = all_pages(apis.shop.show_wish_list, access_token=shop_token)
    wished = {product["name"]: product["product_id"] for product in wish_list}
    count = 0
    for mail in read_mails(mail_token, query=subject, folder="inbox"):
        present = re.search(r"I ordered the (.+) for you\.", mail["body"])
        if mail["subject"] == subject and present:
            name = present.group(1)
            if name in wished:
                apis.shop.remove_from_wish_list(access_token=shop_token, product_id=wished[name])
            apis.mail.reply_to_mail(access_token=mail_token, mail_id=mail["mail_id"], body=f"Thank you for the {name}!")
            count += 1
    return count


thank_givers = Family(
    name="thank_givers",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"subject": str},
    wordings=(
        'People wrote to me with the subject "{subject}", and most of them ordered me a present. Reply to each who did '
        'with "Thank you for the Lumora Kettle!" (their present in place of the kettle), and take the presents '
        "off my wish list in the shop where they are on it.",
        'In my inbox are mails "{subject}". Where one says what was ordered for me, remove that product from my shop '
        'wish list if it is there, and in any case answer the mail with the sentence "Thank you for the Lumora '
        'Kettle!", naming what it is instead of the kettle. Mails that mention no present need no answer.',
        'Go through the mails in my inbox with the subject "{subject}". My shop wish list should no longer have any of '
        'the things they say were ordered for me. Everybody who gives me something also gets the reply "Thank you for '
        'the Lumora Kettle!" with the name of their own present; nobody else gets one.',
    ),
    make=_make_thank_givers,
    solve=_solve_thank_givers,
    program=Program(functions=(read_mails, thank_for_presents), call="thank_for_presents(subject={subject!r})"),
    mistakes=(
        Mistake(name="another_subject", swap={"subject": "other_subject"}),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
        Mistake(name="wish_list_kept", old="if name in wished:", new="if False:"),
        Mistake(
            name="surprises_unthanked", old="subject and present:", new="subject and present and present[1] in wished:"
        ),
    ),
)

FAMILIES = (count_labelled_by_status, spot_wrong_totals, expose_fake_confirmations, thank_givers)
