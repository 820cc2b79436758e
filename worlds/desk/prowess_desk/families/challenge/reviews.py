"""Challenge families about reviews of products, and mails that lead to them."""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.mail import mark, send
from prowess_desk.apps.shop import Product, Review, product_named, review
from prowess_desk.data.mail import SHOP
from prowess_desk.data.shop import PRAISE, SELLERS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import acquaintances, find_product, fresh_products, letter, my_mails, read_mails
from prowess_desk.families.toolbox import all_pages, apis, login

# Review what the shop asks about in unread mails.


def _make_review_when_asked(draw: Draw) -> Values | None:
    products = fresh_products(draw, 9)
    for n, product in enumerate(products):
        body = f"You received your order some days ago. Please tell others how you like this product:\n- {product.name}"
        letter(draw, SHOP, f"How was your {product.name}?", body, days=2 * n + 1, read=n in (3, 8))
    review(draw.state, draw.me.id, products[1].id, 3, *PRAISE[3])
    friend = acquaintances(draw, 1)[0]
    body = f"Hi {draw.me.first},\nI hear you took this along:\n- {products[8].name}\n{friend.first}"
    letter(draw, friend, "How was your trip?", body, days=1)
    stars, other = draw.rng.sample((2, 3, 4, 5), 2)
    return {"stars": stars, "title": PRAISE[stars][0], "other_stars": other}


def _solve_review_when_asked(state: State, me: Person, values: Values) -> Json:
    for product in state[Product]:
        for mail in my_mails(state, me, "inbox"):
            if mail.sender == SHOP and mail.subject == f"How was your {product.name}?" and not mail.read:
                if all(one.author != me.id for one in state[Review].of(product.id)):
                    review(state, me.id, product.id, values["stars"], values["title"])
                mark(state, mail.id, read=True)
    return None


def review_as_asked(stars: int, title: str, shop_address: str) -> int:
    """Review what the shop asks about in unread mails, mark them as read and return how many reviews were written."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    reviewed = {one["product_id"] for one in all_pages(apis.shop.list_my_reviews, access_token=shop_token)}
    count = 0
    for mail in all_pages(apis.mail.list_mails, access_token=mail_token, folder="inbox", read=False):
        asked = re.fullmatch(r"How was your (.+)\?", mail["subject"])
        if asked and mail["sender"] == shop_address:
            product_id = find_product(shop_token, asked.group(1))["product_id"]
            if product_id not in reviewed:
                apis.shop.write_review(access_token=shop_token, product_id=product_id, stars=stars, title=title)
                count += 1
            apis.mail.mark_read(access_token=mail_token, mail_id=mail["mail_id"])
    return count


review_when_asked = Family(
    name="review_when_asked",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"stars": int, "title": str},
    wordings=(
        f"In unread mails in my inbox, {SHOP} asks me how some products were. Review each of these products with "
        '{stars} stars and the title "{title}" and no text, unless I already reviewed it, and mark all these mails as '
        "read.",
        f'The unread requests for reviews from {SHOP} ("How was your ...?") pile up in my inbox. Give every product '
        'they name {stars} stars, titled "{title}", without text; skip products that have a review of mine. In the '
        "end none of these requests should be unread.",
        'Please write reviews in the shop, {stars} stars, title "{title}", text left empty, for everything that '
        f'{SHOP} wants to hear about in a mail "How was your ...?" that I have not read yet. Products I reviewed '
        "before get no second one. Mark the mails as read, those for products reviewed before as well.",
    ),
    make=_make_review_when_asked,
    solve=_solve_review_when_asked,
    program=Program(
        functions=(find_product, review_as_asked),
        call=f"review_as_asked(stars={{stars!r}}, title={{title!r}}, shop_address={SHOP!r})",
    ),
    mistakes=(
        Mistake(name="other_stars", swap={"stars": "other_stars"}),
        Mistake(name="read_ones_too", old=', folder="inbox", read=False', new=', folder="inbox"'),
        Mistake(name="first_page", old="all_pages(apis.mail.list_mails, ", new="apis.mail.list_mails("),
        Mistake(name="left_unread", old="            apis.mail.mark_read(", new="            apis.mail.show_mail("),
    ),
)


# Raise the reviews of products that a seller replaced.


def _make_upgrade_replaced_reviews(draw: Draw) -> Values | None:
    seller, other = draw.rng.sample(SELLERS, 2)
    fresh = fresh_products(draw)
    mine = [product for product in fresh if product.seller == seller]
    theirs = [product for product in fresh if product.seller == other]
    if len(mine) < 8 or len(theirs) < 2:
        return None
    for n, product in enumerate((*mine[:8], *theirs[:2])):
        decision = "rejected" if n in (2, 5) else "replaced"
        body = f"We have looked into your complaint.\nProduct: {product.name}\nDecision: {decision}"
        letter(draw, SHOP, f"Your complaint about the {product.name}", body, days=3 * n + 1)
        if n != 3:  # one was never reviewed
            stars = draw.rng.choice((1, 2))
            review(draw.state, draw.me.id, product.id, stars, *PRAISE[stars])
    return {"seller": seller, "stars": draw.rng.choice((3, 4, 5)), "other_seller": other}


def _solve_upgrade_replaced_reviews(state: State, me: Person, values: Values) -> Json:
    text = "\n".join(mail.body for mail in my_mails(state, me))
    for one in [one for one in state[Review] if one.author == me.id]:
        product = state[Product][one.product_id]
        if product.seller == values["seller"] and f"Product: {product.name}\nDecision: replaced" in text:
            state[Review].change(one.id, stars=values["stars"])
    return None


def raise_reviews_of_replaced(seller: str, stars: int) -> int:
    """Set the stars of my reviews of products that a seller replaced after a complaint and return how many changed."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    mails = read_mails(mail_token, query="complaint")
    replaced = {name for mail in mails for name in re.findall(r"Product: (.+)\nDecision: replaced", mail["body"])}
    count = 0
    for one in all_pages(apis.shop.list_my_reviews, access_token=shop_token):
        product = apis.shop.show_product(access_token=shop_token, product_id=one["product_id"])
        if product["name"] in replaced and product["seller"] == seller:
            apis.shop.update_review(access_token=shop_token, review_id=one["review_id"], stars=stars)
            count += 1
    return count


upgrade_replaced_reviews = Family(
    name="upgrade_replaced_reviews",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop"),
    slots={"seller": str, "stars": int},
    wordings=(
        "According to my mails, some products I complained about have been replaced. Where the shop says the seller "
        "is {seller}, change my reviews of the replaced products to {stars} stars and leave their words as they are.",
        'Go through the mails about my complaints. For every product of the seller "{seller}" with the decision '
        '"replaced", the review that I wrote, if any, should now give {stars} stars; title and text stay.',
        "{seller} deserves fairer reviews from me: set to {stars} the stars of each review I wrote in the shop for a "
        "product sold by them, provided a mail tells me that it was replaced after my complaint.",
    ),
    make=_make_upgrade_replaced_reviews,
    solve=_solve_upgrade_replaced_reviews,
    program=Program(
        functions=(read_mails, raise_reviews_of_replaced),
        call="raise_reviews_of_replaced(seller={seller!r}, stars={stars!r})",
    ),
    mistakes=(
        Mistake(name="another_seller", swap={"seller": "other_seller"}),
        Mistake(name="any_seller", old=' and product["seller"] == seller', new=""),
        Mistake(name="rejected_too", old="Decision: replaced", new="Decision: "),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
    ),
)


# Write to everybody who gave a product few stars.


def _make_mail_critical_reviewers(draw: Draw) -> Values | None:
    product = fresh_products(draw, 1)[0]
    there = {one.author for one in draw.state[Review].of(product.id)}
    people = [person for person in draw.people if person.id not in there and person != draw.me]
    most = draw.rng.choice((2, 3))
    for person, stars in zip(draw.rng.sample(people, 9), (1, most, 2, 1, most, most + 1, 5, most, 1), strict=True):
        review(draw.state, person.id, product.id, stars, *PRAISE[stars])
    review(draw.state, draw.me.id, product.id, 1, *PRAISE[1])
    return {
        "product": product.name,
        "stars": most,
        "subject": draw.rng.choice(("Your review", "A question about your review", "Not happy, either")),
        "text": draw.rng.choice(("What went wrong with yours?", "Did you get your money back?", "Did you return it?")),
    }


def _solve_mail_critical_reviewers(state: State, me: Person, values: Values) -> Json:
    for one in state[Review].of(product_named(state, values["product"]).id):
        if one.stars <= values["stars"] and one.author != me.id:
            send(state, me.id, [state[Person][one.author].email], values["subject"], values["text"])
    return None


def mail_unhappy_reviewers(product: str, stars: int, subject: str, text: str) -> int:
    """Mail each other person who gave a product at most some stars and return how many mails were sent."""
    mail_token, shop_token = login(app="mail"), login(app="shop")
    me = apis.shop.show_account(access_token=shop_token)["email"]
    product_id = find_product(shop_token, product)["product_id"]
    count = 0
    for one in all_pages(apis.shop.list_product_reviews, access_token=shop_token, product_id=product_id):
        email = one["author"]["email"]
        if one["stars"] <= stars and email != me:
            apis.mail.send_mail(access_token=mail_token, recipients=[email], subject=subject, body=text)
            count += 1
    return count


mail_critical_reviewers = Family(
    name="mail_critical_reviewers",
    split="test_challenge",
    difficulty=2,
    apps=("shop", "mail"),
    slots={"product": str, "stars": int, "subject": str, "text": str},
    wordings=(
        'Write to every other person who gave the "{product}" {stars} stars or fewer in the shop: a mail to each '
        'alone, subject "{subject}", text "{text}"',
        'I want to hear from people whose reviews of the "{product}" have at most {stars} stars. Send each of them '
        '(not me) a mail of their own with the subject "{subject}" and the text "{text}"',
        'The mail "{subject}" with the text "{text}" should go separately to everybody but me who rated the '
        '"{product}" in their shop review with no more than {stars} stars.',
    ),
    make=_make_mail_critical_reviewers,
    solve=_solve_mail_critical_reviewers,
    program=Program(
        functions=(find_product, mail_unhappy_reviewers),
        call="mail_unhappy_reviewers(product={product!r}, stars={stars!r}, subject={subject!r}, text={text!r})",
    ),
    mistakes=(
        Mistake(name="fewer_stars", old='one["stars"] <= stars', new='one["stars"] < stars'),
        Mistake(name="me_too", old=" and email != me", new=""),
        Mistake(
            name="first_page", old="all_pages(apis.shop.list_product_reviews, ", new="apis.shop.list_product_reviews("
        ),
    ),
)

FAMILIES = (review_when_asked, upgrade_replaced_reviews, mail_critical_reviewers)
