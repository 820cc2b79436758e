"""Train families of the wallet app."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.wallet import Payment, PaymentRequest, approve, deny, like_payment
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, asked, named, paid
from prowess_desk.families.toolbox import all_pages, apis, login

# How much have I sent to somebody since a day?

_REASONS = (
    "Tickets|Snacks|Train ride|Present|Repairs|Dinner|Flowers|Parking|Shared order|Market|Printer ink|Breakfast".split(
        "|"
    )
)


def _make_total(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    days = draw.rng.randint(30, 120)
    since = (draw.state.now - timedelta(days=days)).date()
    notes = iter(draw.rng.sample(_REASONS, 12))
    for n in range(6):
        paid(draw, draw.me, person, next(notes), ago(draw, days * n / 8 + 1))
    paid(draw, draw.me, person, next(notes), datetime(since.year, since.month, since.day, 9, 30))  # that day counts
    paid(draw, draw.me, person, next(notes), ago(draw, days + 1))  # the day before does not
    paid(draw, draw.me, person, next(notes), ago(draw, days + 40))
    paid(draw, person, draw.me, next(notes), ago(draw, days / 3))  # received, not sent
    paid(draw, person, draw.me, next(notes), ago(draw, days / 2))
    paid(draw, draw.me, other, next(notes), ago(draw, days / 4))
    return {"person": person.name, "since": since.isoformat(), "other_person": other.name}


def _solve_total(state: State, me: Person, values: Values) -> Json:
    person, since = named(state, values["person"]), date.fromisoformat(values["since"])
    payments = [row for row in state[Payment].of(me.id) if (row.sender, row.receiver) == (me.id, person.id)]
    return sum(row.cents for row in payments if row.created_at.date() >= since) / 100


def total_sent_to(name: str, since: str) -> float:
    """Return how much money was sent to a person on wallet since a day (YYYY-MM-DD), that day included."""
    token = login(app="wallet")
    users = all_pages(apis.wallet.search_users, access_token=token, query=name)
    email = next(user["email"] for user in users if user["name"] == name)
    payments = all_pages(
        apis.wallet.show_transactions, access_token=token, direction="sent", user_email=email, from_date=since
    )
    return round(sum(payment["amount"] for payment in payments), 2)


total_sent_since = Family(
    name="total_sent_since",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str, "since": str},
    wordings=(
        "How much money have I sent to {person} on wallet since {since} (that day included)?",
        "Add up my wallet payments to {person} from {since} until now, that first day included. What is the total?",
        "Starting with {since} and up to today, what is the sum of everything that went from my wallet to {person}?",
    ),
    make=_make_total,
    solve=_solve_total,
    program=Program(functions=(total_sent_to,), call="total_sent_to(name={person!r}, since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.wallet.show_transactions, access_token=token",
            new="apis.wallet.show_transactions(access_token=token",
        ),
        Mistake(name="received_as_well", old='direction="sent", ', new=""),
        Mistake(name="all_time", old=", from_date=since", new=""),
    ),
)


# Approve every pending request of somebody.


def _make_approve(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    waiting = [row for row in draw.state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    notes = iter(draw.rng.sample(_REASONS, 12))
    for other in others[: max(1, 6 - len(waiting))]:
        asked(draw, other, me, next(notes), ago(draw, draw.rng.randint(5, 40)))
    for days in (3, 20, 50):  # the last of them is beyond the first page
        asked(draw, person, me, next(notes), ago(draw, days))
    asked(draw, person, me, next(notes), ago(draw, 60), status="denied")
    asked(draw, me, person, next(notes), ago(draw, 2))  # mine to them
    return {"person": person.name, "other_person": others[0].name}


def _solve_approve(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    for row in state[PaymentRequest].of(me.id):
        if (row.requester, row.payer, row.status) == (person.id, me.id, "pending"):
            approve(state, row.id)


def approve_requests_from(name: str) -> float:
    """Approve every pending payment request from a person on wallet and return the amount paid."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    total = 0.0
    for request in requests:
        if request["requester"]["name"] == name:
            apis.wallet.approve_request(access_token=token, request_id=request["request_id"])
            total += request["amount"]
    return round(total, 2)


approve_from_person = Family(
    name="approve_from_person",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str},
    wordings=(
        "Approve all pending payment requests from {person} on wallet.",
        "{person} is waiting for money from me. Whatever open requests of theirs are in my wallet, accept them all.",
        "In wallet, go through the requests I have not answered yet and pay each one that {person} sent me.",
    ),
    make=_make_approve,
    solve=_solve_approve,
    program=Program(functions=(approve_requests_from,), call="approve_requests_from(name={person!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
        Mistake(name="everybodys_requests", old='if request["requester"]["name"] == name:', new="if request:"),
        Mistake(name="denied_instead", old="apis.wallet.approve_request", new="apis.wallet.deny_request"),
    ),
)


# Like the transactions whose note has a word.

_WORDS = {
    "bill": ("Gas bill", "the BILL for the heater", "Dentist bill", "Water bill in full", "Billiards evening"),
    "rent": ("Rent for April", "rent, second half", "Rent for the garage", "late rent", "Rental car"),
    "lunch": ("Lunch on Tuesday", "birthday lunch", "LUNCH", "Working lunch", "Lunchbox for the trip"),
    "gift": ("Gift for Grandma", "farewell gift", "GIFT CARD", "Gift from all of us", "Giftwrap and ribbons"),
    "trip": ("Trip to the lake", "ski trip", "Deposit for our TRIP", "School trip", "Tripod for the camera"),
    "tea": ("Green tea", "TEA for the office", "Tea and scones", "iced tea", "Teapot"),
}


def _make_likes(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    word, other = draw.rng.sample(sorted(_WORDS), 2)
    *notes, near = _WORDS[word]
    for n, note in enumerate([*notes, *notes[:2]]):
        ends = (me, people[n]) if n % 2 else (people[n], me)
        payment = paid(draw, *ends, note, ago(draw, draw.rng.randint(1, 300)))
        if n == 2:
            like_payment(draw.state, payment.id, me.id)  # liking it again is refused
        elif n == 3:
            like_payment(draw.state, payment.id, people[n].id)  # liked, but not by me
    paid(draw, me, people[6], near, ago(draw, 4))
    paid(draw, people[7], me, near, ago(draw, 30))
    paid(draw, me, people[1], _WORDS[other][0], ago(draw, 9))
    return {"word": word, "other_word": other}


def _solve_likes(state: State, me: Person, values: Values) -> Json:
    for row in state[Payment].of(me.id):
        if re.search(rf"\b{values['word']}\b", row.note, re.IGNORECASE):
            like_payment(state, row.id, me.id)


def like_transactions_about(word: str) -> int:
    """Like every wallet transaction whose note has this word and return how many were not liked before."""
    token = login(app="wallet")
    transactions = all_pages(apis.wallet.show_transactions, access_token=token, query=word)
    count = 0
    for transaction in transactions:
        words = re.findall(r"\w+", transaction["note"].lower())
        if word.lower() in words and not transaction["liked_by_me"]:
            apis.wallet.like_transaction(access_token=token, transaction_id=transaction["transaction_id"])
            count += 1
    return count


like_by_note = Family(
    name="like_by_note",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"word": str},
    wordings=(
        'Like every transaction in my wallet whose note contains the word "{word}", in capitals or not.',
        'Go through my wallet history, both ways. Wherever "{word}" stands as a whole word in the note (in upper'
        " or lower case), give the payment a like.",
        'All my wallet payments with the word "{word}" in the note, however it is capitalised, should have my like; a'
        " longer word that only begins with it does not count.",
    ),
    make=_make_likes,
    solve=_solve_likes,
    program=Program(functions=(like_transactions_about,), call="like_transactions_about(word={word!r})"),
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
        Mistake(name="part_of_a_word", old="word.lower() in words and not", new="not"),
        Mistake(name="only_sent", old="query=word)", new='query=word, direction="sent")'),
        Mistake(name="case_matters", old='transaction["note"].lower()', new='transaction["note"]'),
    ),
)


# Deny the pending requests above an amount.


def _make_deny(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    limit = draw.rng.randint(20, 60) * 100
    notes = iter(draw.rng.sample(_REASONS, 12))
    for n, more in enumerate((0, 1, 1_250, -1, 2_500, -800)):  # exactly the limit, a cent above it, ...
        asked(draw, people[n], me, next(notes), ago(draw, 1 + 7 * n), cents=limit + more)
    asked(draw, people[6], me, next(notes), ago(draw, 200), cents=limit + 4_000)  # the last page
    asked(draw, people[7], me, next(notes), ago(draw, 90), cents=limit + 900, status="approved")
    asked(draw, me, people[1], next(notes), ago(draw, 12), cents=limit + 700)  # mine
    return {"amount": limit / 100, "other_amount": (limit + 1_250) / 100}


def _solve_deny(state: State, me: Person, values: Values) -> Json:
    for row in state[PaymentRequest].of(me.id):
        if row.payer == me.id and row.status == "pending" and row.cents > round(values["amount"] * 100):
            deny(state, row.id)


def deny_requests_above(amount: float) -> int:
    """Deny every pending payment request on wallet for more than an amount and return how many there were."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    large = [request for request in requests if request["amount"] > amount]
    for request in large:
        apis.wallet.deny_request(access_token=token, request_id=request["request_id"])
    return len(large)


deny_large_requests = Family(
    name="deny_large_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"amount": float},
    wordings=(
        "Deny all pending payment requests I received on wallet for more than ${amount}.",
        "Money is tight: in my wallet, turn down each open request from others that is above ${amount}, and leave"
        " those of ${amount} or less waiting.",
        "I refuse to pay anything over ${amount}. Please reject the unanswered wallet requests that ask me for more.",
    ),
    make=_make_deny,
    solve=_solve_deny,
    program=Program(functions=(deny_requests_above,), call="deny_requests_above(amount={amount!r})"),
    mistakes=(
        Mistake(name="another_amount", swap={"amount": "other_amount"}),
        Mistake(name="the_amount_itself", old='request["amount"] > amount', new='request["amount"] >= amount'),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
        Mistake(
            name="own_requests_cancelled",
            extra=(
                'token = login(app="wallet")\n'
                'for request in all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending"):\n'
                '    apis.wallet.cancel_request(access_token=token, request_id=request["request_id"])'
            ),
        ),
    ),
)

FAMILIES = (total_sent_since, approve_from_person, like_by_note, deny_large_requests)
