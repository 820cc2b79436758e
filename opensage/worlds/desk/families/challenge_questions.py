"""Challenge families about products that people speak of in mails."""

from __future__ import annotations

import re
from datetime import timedelta

from opensage.types import Json
from opensage.worlds.desk.apps.mail import Mail, reply
from opensage.worlds.desk.apps.shop import Product, WishItem, wish
from opensage.worlds.desk.families.parcels import (
    acquaintances,
    find_product,
    fresh_products,
    letter,
    mail_from,
    my_mails,
    person_called,
    read_mails,
)
from opensage.worlds.desk.families.toolbox import all_pages, apis, login
from opensage.worlds.desk.family import Draw, Family, Mistake, Program, Values
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State

# Put what somebody recommends in mails on the wish list, up to a price.


def _make_recommended(draw: Draw) -> Values | None:
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


def _solve_recommended(state: State, me: Person, values: Values) -> Json:
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
    make=_make_recommended,
    solve=_solve_recommended,
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


def _make_best(draw: Draw) -> Values | None:
    subject = draw.rng.choice(("Ideas for the present", "What should we get?", "Candidates", "Your choice"))
    person, someone = acquaintances(draw, 2)
    products = sorted(fresh_products(draw, 50), key=lambda product: product.price)
    amount = float(products[25].price // 100 + 1)
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


def _solve_best(state: State, me: Person, values: Values) -> Json:
    sender = person_called(state, values["person"]).email
    mails = my_mails(state, me, "inbox")
    mail = next(mail for mail in mails if mail.sender == sender and mail.subject == values["subject"])
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


best_suggestion = Family(
    name="best_suggestion",
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
    make=_make_best,
    solve=_solve_best,
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


def _make_prices(draw: Draw) -> Values | None:
    subject, other = draw.rng.sample(("What does it cost?", "A question", "Price check", "Quick question", "Help"), 2)
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


def _solve_prices(state: State, me: Person, values: Values) -> Json:
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


price_questions = Family(
    name="price_questions",
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
    make=_make_prices,
    solve=_solve_prices,
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

FAMILIES = (wish_recommended, best_suggestion, price_questions)
