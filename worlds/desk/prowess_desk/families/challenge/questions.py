"""Challenge families about products that people speak of in mails."""

from __future__ import annotations

import re
from datetime import timedelta

from prowess.types import Json
from prowess_desk.apps.mail import Mail, reply, send
from prowess_desk.apps.shop import Product, WishItem, put_in_cart, wish
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import (
    acquaintances,
    find_product,
    fresh_products,
    letter,
    mail_from,
    my_mails,
    person_called,
    read_mails,
)
from prowess_desk.families.toolbox import all_pages, apis, login

# Put what somebody recommends in mails on the wish list, up to a price.


def _make_wish_recommended(draw: Draw) -> Values | None:
    person, someone = acquaintances(draw, 2)
    products = sorted(fresh_products(draw, 13), key=lambda product: product.price)
    limit = (products[8].price + products[9].price) // 200 + 0.01
    cheap, dear = products[:9], products[9:]
    if cheap[-1].price >= round(limit * 100) or dear[0].price <= round(limit * 100):
        return None
    draw.rng.shuffle(cheap)
    praised = [*cheap[:4], *dear[:2], cheap[4]]
    subjects = ("A tip", "Seen in the shop", "Have a look", "Nice find", "You would like this", "Worth it", "One more")
    for days, subject, product in zip((30, 26, 21, 17, 9, 6, 2), subjects, praised, strict=True):
        body = f"Hi {draw.me.first},\nI can recommend the {product.name}. I use it every day.\n{person.first}"
        letter(draw, person, subject, body, days=days)
    body = f"Hi {draw.me.first},\nI would stay away from the {cheap[5].name}. Mine broke at once.\n{person.first}"
    letter(draw, person, "A warning", body, days=4)
    body = f"Hi {draw.me.first},\nI can recommend the {cheap[6].name}. My cat loves it.\n{someone.first}"
    letter(draw, someone, "A tip from me", body, days=3)
    wish(draw.state, draw.me.id, cheap[1].id)
    return {"person": person.name, "amount": round(limit, 2), "other_person": someone.name}


def _solve_wish_recommended(state: State, me: Person, values: Values) -> Json:
    sender = person_called(state, values["person"]).email
    text = "\n".join(mail.body for mail in my_mails(state, me) if mail.sender == sender)
    wished = {item.product_id for item in state[WishItem].of(me.id)}
    for product in state[Product]:
        praised = f"I can recommend the {product.name}." in text
        if praised and product.price <= round(values["amount"] * 100) and product.id not in wished:
            wish(state, me.id, product.id)
    return None


def wish_for_recommended(person: str, amount: float) -> int:
    """Add what somebody recommends in mails, up to a price, to the wish list and return how many were added."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    wished = {item["name"] for item in all_pages(apis.shop.show_wish_list, access_token=shop_token)}
    count = 0
    for mail in read_mails(mail_token, query="recommend"):
        found = re.search(r"I can recommend the (.+?)\.", mail["body"])
        if found and mail["sender_name"] == person and found.group(1) not in wished:
            product = find_product(shop_token, found.group(1))
            if product["price"] <= amount:
                apis.shop.add_to_wish_list(access_token=shop_token, product_id=product["product_id"])
                count += 1
    return count


wish_recommended = Family(
    name="wish_recommended",
    split="test_challenge",
    difficulty=2,
    apps=("mail", "shop"),
    slots={"person": str, "amount": float},
    wordings=(
        "{person} keeps recommending products to me by mail. Put every one of them that costs ${amount} or less on my "
        "wish list in the shop.",
        "Add to my shop wish list all that {person} can recommend according to the mails I received, as long as its "
        "price is not above ${amount}.",
        "My wish list in the shop should have each product that a mail from {person} recommends, except those that "
        "cost more than ${amount}. Leave what is on it already.",
    ),
    make=_make_wish_recommended,
    solve=_solve_wish_recommended,
    program=Program(
        functions=(read_mails, find_product, wish_for_recommended),
        call="wish_for_recommended(person={person!r}, amount={amount!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="whoever_recommends", old=' and mail["sender_name"] == person', new=""),
        Mistake(name="at_any_price", old='product["price"] <= amount', new='product["price"] > 0'),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
    ),
)


# Which of the products in a mail is rated best, up to a price.


def _make_pick_best_suggestion(draw: Draw) -> Values | None:
    subject = draw.rng.choice(("Ideas for the present", "What should we get?", "Candidates", "Your choice"))
    person, someone = acquaintances(draw, 2)
    products = sorted(fresh_products(draw), key=lambda product: product.price)
    amount = float(products[len(products) // 2].price // 100 + 1)
    affordable = [product for product in products if product.price < amount * 100]
    dear = [product for product in products if product.price > amount * 100]
    # No tie; better ones cost too much, and the cheapest is not the best.
    answer = draw.rng.choice(affordable[1:])
    lesser = [product for product in affordable if product.rating < answer.rating]
    better = [product for product in dear if product.rating > answer.rating]
    if len(lesser) < 4 or affordable[0] not in lesser or len(better) < 2:
        return None
    mine = [answer, affordable[0], *draw.rng.sample(lesser, 3), *draw.rng.sample(better, 2)]
    theirs = draw.rng.sample([product for product in affordable if product not in mine], 5)
    for sender, listed in ((person, dict.fromkeys(draw.rng.sample(mine, 7))), (someone, dict.fromkeys(theirs))):
        lines = "\n".join(f"- {product.name}" for product in listed)
        body = f"Hi {draw.me.first},\nwhat do you think of these?\n{lines}\n{sender.first}"
        letter(draw, sender, subject, body, days=draw.rng.randint(1, 9))
    return {"person": person.name, "subject": subject, "amount": amount, "other_person": someone.name}


def _solve_pick_best_suggestion(state: State, me: Person, values: Values) -> Json:
    wanted = (person_called(state, values["person"]).email, values["subject"])
    mail = next(mail for mail in my_mails(state, me, "inbox") if (mail.sender, mail.subject) == wanted)
    listed = [product for product in state[Product] if f"- {product.name}\n" in mail.body]
    return max((one for one in listed if one.price <= values["amount"] * 100), key=lambda one: one.rating).name


def best_rated_listed(person: str, subject: str, amount: float) -> str:
    """Name the product with the highest rating among those in somebody's mail that cost at most an amount."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    mail = mail_from(mail_token, person, subject)
    listed = re.findall(r"^- (.+)$", mail["body"], flags=re.MULTILINE)
    affordable = all_pages(apis.shop.search_products, access_token=shop_token, max_price=amount)
    affordable = [product for product in affordable if product["name"] in listed]
    return max(affordable, key=lambda product: product["rating"])["name"]


pick_best_suggestion = Family(
    name="pick_best_suggestion",
    split="test_challenge",
    difficulty=2,
    apps=("mail", "shop"),
    slots={"person": str, "subject": str, "amount": float},
    wordings=(
        'Of the products that {person} lists in the mail "{subject}", which one has the highest rating in the shop '
        "among those for ${amount} or less? Tell me its name.",
        '{person} suggests some things in "{subject}", a mail in my inbox. I can spend up to ${amount}. What is the '
        "best rated product from that list which I can afford, according to the shop?",
        'Look up in the shop what the mail "{subject}" by {person} proposes. Leaving out everything above ${amount}, '
        "what is the name of the product with the most stars on average?",
    ),
    make=_make_pick_best_suggestion,
    solve=_solve_pick_best_suggestion,
    program=Program(
        functions=(read_mails, mail_from, best_rated_listed),
        call="best_rated_listed(person={person!r}, subject={subject!r}, amount={amount!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="at_any_price", old=", max_price=amount", new=""),
        Mistake(
            name="cheapest", old='key=lambda product: product["rating"]', new='key=lambda product: -product["price"]'
        ),
    ),
    asks=True,
)


# Answer everybody who asked for a price and has no answer yet.


def _make_answer_price_mails(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(("What does it cost?", "A question", "Price check", "Quick question", "Help"), 2)
    if len(draw.me.relations) < 10:
        return None
    people, products = acquaintances(draw, 10), fresh_products(draw, 10)
    if not any(product.price % 10 == 0 for product in products[2:8]):
        return None  # a price such as $12.50 is to be written in full
    for n, (person, product) in enumerate(zip(people, products, strict=True)):
        body = f"Hi {draw.me.first},\nhow much is the {product.name} in the shop?\n{person.first}"
        mail = letter(draw, person, subject if n < 8 else other, body, days=n + 1, read=draw.rng.random() < 0.5)
        if n < 2:
            answer = reply(draw.state, draw.me.id, mail.id, f"It costs ${product.price / 100:.2f}.")
            draw.state[Mail].change(answer.id, sent_at=mail.sent_at + timedelta(hours=1))
    return {"subject": subject, "other_subject": other}


def _solve_answer_price_mails(state: State, me: Person, values: Values) -> Json:
    answered = {mail.thread for mail in my_mails(state, me, "sent")}
    for mail in my_mails(state, me, "inbox"):
        product = next((one for one in state[Product] if f"how much is the {one.name} in the" in mail.body), None)
        if mail.subject == values["subject"] and product and mail.id not in answered:
            reply(state, me.id, mail.id, f"It costs ${product.price // 100}.{product.price % 100:02d}.")
    return None


def answer_price_questions(subject: str) -> int:
    """Reply with the price to everybody who asked for one under a subject and has no answer; return how many."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    sent = all_pages(apis.mail.list_mails, access_token=mail_token, folder="sent")
    answered = {mail["thread_id"] for mail in sent}
    count = 0
    for mail in read_mails(mail_token, query=subject, folder="inbox"):
        asked = re.search(r"how much is the (.+) in the shop", mail["body"])
        if asked and mail["subject"] == subject and mail["thread_id"] not in answered:
            price = find_product(shop_token, asked.group(1))["price"]
            apis.mail.reply_to_mail(access_token=mail_token, mail_id=mail["mail_id"], body=f"It costs ${price:.2f}.")
            count += 1
    return count


answer_price_mails = Family(
    name="answer_price_mails",
    split="test_challenge",
    difficulty=2,
    apps=("mail", "shop"),
    slots={"subject": str},
    wordings=(
        'People ask me in mails with the subject "{subject}" what products cost in the shop. Reply to everyone I have '
        'not answered yet with the price, in the form "It costs $12.50."',
        'My inbox has several mails "{subject}" about prices in the shop. Some I have replied to. Please answer the '
        'others with a single sentence like "It costs $12.50." and the price of what they ask about.',
        'Find the mails with the subject "{subject}" in my inbox that still wait for a reply from me. Each asks for '
        'the price of one product: look it up in the shop and answer "It costs $12.50.", with the right amount.',
    ),
    make=_make_answer_price_mails,
    solve=_solve_answer_price_mails,
    program=Program(
        functions=(read_mails, find_product, answer_price_questions), call="answer_price_questions(subject={subject!r})"
    ),
    mistakes=(
        Mistake(name="another_subject", swap={"subject": "other_subject"}),
        Mistake(name="answered_twice", old=' and mail["thread_id"] not in answered', new=""),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
        Mistake(name="price_cut_short", old="{price:.2f}", new="{price}"),
    ),
)


# Put what people answer to a mail of the supervisor's in the cart; only their last answers count.


def _make_collect_joint_order(draw: Draw) -> Values | None:
    state, rng, me = draw.state, draw.rng, draw.me
    subject = rng.choice(("Joint order", "Who needs something?", "Shopping for all of us", "Order on Friday"))
    people, products = acquaintances(draw, 7), fresh_products(draw, 6)
    asked = send(state, me.id, [who.email for who in people[:6]], subject, "What shall I order for you in the shop?")
    state[Mail].change(asked.id, sent_at=state.now - timedelta(days=6))
    wants = [
        f"Please get me {count} x {product.name}." for count, product in zip((2, 1, 3, 1, 2), products, strict=False)
    ]
    again = f"Please get me 2 x {products[1].name}."
    for n, (who, text) in enumerate(
        (
            (people[0], wants[0]),
            (people[1], wants[1]),
            (people[2], wants[2]),
            (people[3], again),  # two people want the same
            (people[0], wants[3]),  # in place of the first answer
            (people[4], wants[4]),
            (people[5], "Nothing for me, thank you."),
            (people[2], "Sorry, I need nothing after all."),
        )
    ):
        body = f"Hi {me.first},\n{text}\n{who.first}"
        letter(draw, who, f"Re: {subject}", body, days=5 - n // 2, thread=asked.id)
    letter(draw, people[6], "Next order", f"Hi {me.first},\nPlease get me 1 x {products[5].name}.", days=1)
    put_in_cart(state, me.id, products[5].id, 1)
    return {"subject": subject}


def _solve_collect_joint_order(state: State, me: Person, values: Values) -> Json:
    asked = next(mail for mail in my_mails(state, me, "sent") if mail.subject == values["subject"])
    answers = [mail for mail in my_mails(state, me, "inbox") if mail.thread == asked.id]
    for address in asked.recipients:
        last = max((mail for mail in answers if mail.sender == address), key=lambda mail: mail.sent_at)
        for product in state[Product]:
            for count in (1, 2, 3):
                if f"get me {count} x {product.name}." in last.body:
                    put_in_cart(state, me.id, product.id, count)
    return None


def fill_cart_from_answers(subject: str) -> int:
    """Add to the cart what everybody wants by their last answer to a sent mail and return how many pieces it took."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    sent = all_pages(apis.mail.search_mails, access_token=mail_token, query=subject, folder="sent")
    asked = next(mail for mail in sent if mail["subject"] == subject)
    last = {}
    for mail in apis.mail.show_thread(access_token=mail_token, thread_id=asked["thread_id"]):
        if mail["sender"] != asked["sender"]:
            last[mail["sender"]] = mail["body"]
    count = 0
    for body in last.values():
        for quantity, name in re.findall(r"get me (\d+) x (.+)\.", body):
            product_id = find_product(shop_token, name)["product_id"]
            apis.shop.add_to_cart(access_token=shop_token, product_id=product_id, quantity=int(quantity))
            count += int(quantity)
    return count


collect_joint_order = Family(
    name="collect_joint_order",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"subject": str},
    wordings=(
        'I asked around in the mail "{subject}" what to order. Put what people want according to their answers in my '
        "shop cart, on top of what is in it. If somebody answered more than once, only their last answer counts. Do "
        "not order yet.",
        'Collect the replies to my mail "{subject}" and add all products requested there, in the quantities requested, '
        "to the cart in the shop. A later reply of the same person replaces their earlier one. What the cart has now "
        "stays, and I will check out myself.",
        'Fill my cart in the shop with everything my mail "{subject}" brought in: each person gets what their newest '
        "reply says, earlier replies being void. Keep the present content of the cart, and place no order.",
    ),
    make=_make_collect_joint_order,
    solve=_solve_collect_joint_order,
    program=Program(
        functions=(find_product, fill_cart_from_answers), call="fill_cart_from_answers(subject={subject!r})"
    ),
    mistakes=(
        Mistake(name="every_answer", old='last[mail["sender"]] = ', new='last[mail["mail_id"]] = '),
        Mistake(
            name="first_answer",
            old='last[mail["sender"]] = mail["body"]',
            new='last.setdefault(mail["sender"], mail["body"])',
        ),
        Mistake(name="one_of_each", old="quantity=int(quantity)", new="quantity=1"),
        Mistake(
            name="ordered_at_once",
            old="    return count",
            new="    cards = apis.shop.list_payment_cards(access_token=shop_token)\n"
            '    apis.shop.place_order(access_token=shop_token, payment_card_id=cards[0]["payment_card_id"])\n'
            "    return count",
        ),
    ),
)

FAMILIES = (wish_recommended, pick_best_suggestion, answer_price_mails, collect_joint_order)
