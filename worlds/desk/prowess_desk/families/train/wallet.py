"""Train families of the wallet app: payments, requests, comments, cards and the balance."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import wallet
from prowess_desk.apps.wallet import (
    CardTransfer,
    Payment,
    PaymentCard,
    PaymentComment,
    PaymentRequest,
    WalletAccount,
    add_card,
    approve,
    cancel,
    change_payment,
    delete_comment,
    top_up,
    withdraw,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import scene
from prowess_desk.families.scene import acquaintances, ago, asked, named, paid
from prowess_desk.families.toolbox import all_pages, apis, login


def valid_cards(draw: Draw, least: int) -> list[PaymentCard]:
    """The supervisor's cards that last beyond this year, in any order; new ones where there are too few."""
    rng, year = draw.rng, draw.state.now.year
    found = [card for card in draw.state[PaymentCard].of(draw.me.id) if card.expiry_year > year]
    for name in rng.sample(("Joint Account", "Holiday Card", "Company Card"), max(0, least - len(found))):
        number = f"5{rng.randrange(10**15):015d}"
        found.append(add_card(draw.state, draw.me.id, name, number, expiry_year=year + 2, expiry_month=7))
    return rng.sample(found, len(found))


REQUEST_NOTES = "Rope|Canoe|Bus fare|Haircut|Posters|Tombola|Spices|Batteries|Lantern|Stamps|Zoo|Ladder".split("|")


GOODS = "Tram passes|Kite|Chess set|Cider|Wool|Wall paint|Tent pegs|Quilt|Peaches|Skates".split("|")


PAYMENT_NOTES = (
    "Tickets|Snacks|Train ride|Present|Repairs|Dinner|Flowers|Parking|Shared order|Market|Printer ink|Breakfast".split(
        "|"
    )
)


# How much have I sent to somebody since a day?


def _make_total_sent_since(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    days = draw.rng.randint(30, 120)
    since = (draw.state.now - timedelta(days=days)).date()
    notes = iter(draw.rng.sample(PAYMENT_NOTES, 12))
    for n in range(6):
        paid(draw, draw.me, person, next(notes), ago(draw, days * n / 8 + 1))
    paid(draw, draw.me, person, next(notes), datetime(since.year, since.month, since.day, 9, 30))  # that day counts
    paid(draw, draw.me, person, next(notes), ago(draw, days + 1))  # the day before does not
    paid(draw, draw.me, person, next(notes), ago(draw, days + 40))
    paid(draw, person, draw.me, next(notes), ago(draw, days / 3))  # received, not sent
    paid(draw, person, draw.me, next(notes), ago(draw, days / 2))
    paid(draw, draw.me, other, next(notes), ago(draw, days / 4))
    return {"person": person.name, "since": since.isoformat(), "other_person": other.name}


def _solve_total_sent_since(state: State, me: Person, values: Values) -> Json:
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
    make=_make_total_sent_since,
    solve=_solve_total_sent_since,
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


# What would be left if I paid everybody but one?


def _make_balance_left_without(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    if len(others) < 5:
        return None
    notes = iter(draw.rng.sample(REQUEST_NOTES, 12))
    for days in (2, 25, 70):
        asked(draw, person, me, next(notes), ago(draw, days))
    for n, other in enumerate(others[:4]):
        asked(draw, other, me, next(notes), ago(draw, 4 + 40 * n))
    asked(draw, others[0], me, next(notes), ago(draw, 30), status="denied")
    asked(draw, others[4], me, next(notes), ago(draw, 12), status="approved")
    asked(draw, me, others[1], next(notes), ago(draw, 3))  # mine to them
    return {"person": person.name, "other_person": others[0].name}


def _solve_balance_left_without(state: State, me: Person, values: Values) -> Json:
    cents = state[WalletAccount][me.id].cents
    for row in state[PaymentRequest].of(me.id):
        if row.payer == me.id and row.status == "pending" and state[Person][row.requester].name != values["person"]:
            cents -= row.cents
    return cents / 100


def balance_after_paying_all_but(name: str) -> float:
    """Return what the wallet balance would be after approving all pending requests except those of a person."""
    token = login(app="wallet")
    balance = apis.wallet.show_balance(access_token=token)["balance"]
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    due = sum(request["amount"] for request in requests if request["requester"]["name"] != name)
    return round(balance - due, 2)


balance_left_without = Family(
    name="balance_left_without",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str},
    wordings=(
        "If I approved all pending payment requests I received on wallet except those from {person}, how much money"
        " would be left in my balance?",
        "Suppose I pay everything that people have asked me for on wallet and that I have not answered yet, but"
        " nothing to {person}. What would my wallet balance be then? Only tell me, do not pay.",
        "Take my wallet balance and subtract every request to me that is still pending, leaving out the ones {person}"
        " sent. What remains?",
    ),
    make=_make_balance_left_without,
    solve=_solve_balance_left_without,
    program=Program(functions=(balance_after_paying_all_but,), call="balance_after_paying_all_but(name={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="nobody_left_out", old=' if request["requester"]["name"] != name', new=""),
        Mistake(name="answered_as_well", old=', status="pending"', new=""),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
    ),
)


# Which card did most of the money come from?


def _make_largest_top_up_card(draw: Draw) -> Values | None:
    rng, me, table = draw.rng, draw.me, draw.state[CardTransfer]
    first, often, large, *_ = cards = valid_cards(draw, 3)
    days = rng.randint(40, 120)
    since = (draw.state.now - timedelta(days=days)).date()
    unit = 20_000 + max(sum(row.cents for row in table.of(me.id) if row.card == card.id) for card in cards)
    moves = [(often, "top_up", rng.randint(1, 3) * 1_000, ago(draw, 0.2 + n / 3)) for n in range(6)]  # but little
    moves += [(first, "top_up", unit // 2 + rng.randint(1, 9), ago(draw, days * part)) for part in (0.5, 0.7)]
    moves += [(first, "top_up", unit // 2, datetime(since.year, since.month, since.day, 9, 15))]  # that day counts
    moves += [(large, "top_up", unit * 6 // 10, ago(draw, days / 3))]  # the largest at once
    moves += [(large, "top_up", unit * 2, ago(draw, days + 1)), (large, "withdrawal", unit * 2, ago(draw, days / 4))]
    for card, kind, cents, when in moves:
        done = (top_up if kind == "top_up" else withdraw)(draw.state, card.id, cents)
        table.change(done.id, created_at=when)
    latest = sorted(table.of(me.id), key=lambda row: row.created_at)[-5:]
    return None if any(row.card == first.id for row in latest) else {"since": since.isoformat()}


def _solve_largest_top_up_card(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    rows = [row for row in state[CardTransfer].of(me.id) if row.kind == "top_up" and row.created_at.date() >= since]
    return max(
        state[PaymentCard].of(me.id), key=lambda card: sum(row.cents for row in rows if row.card == card.id)
    ).name


def card_topped_up_most(since: str) -> str:
    """Return the name of the card from which most money was topped up since a day (YYYY-MM-DD), that day included."""
    token = login(app="wallet")
    names = {card["card_id"]: card["name"] for card in apis.wallet.show_cards(access_token=token)}
    totals: dict = defaultdict(float)
    for transfer in all_pages(apis.wallet.show_card_transfers, access_token=token):
        if transfer["kind"] == "top_up" and transfer["created_at"][:10] >= since:
            totals[names[transfer["card_id"]]] += transfer["amount"]
    return max(totals, key=lambda name: totals[name])


largest_top_up_card = Family(
    name="largest_top_up_card",
    split="train",
    difficulty=2,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "From which of my cards have I topped up the most money in all on wallet since {since} (that day included)? I"
        " need the name of the card.",
        "Add up my wallet top-ups from {since} on, that day included, card by card. Which card did the largest sum come"
        " from? Just its name, please.",
        "One of my cards has put more money into my wallet balance than any other, counting from {since} (included) to"
        " now. What is it called? What I withdrew to cards does not matter here.",
    ),
    make=_make_largest_top_up_card,
    solve=_solve_largest_top_up_card,
    program=Program(functions=(card_topped_up_most,), call="card_topped_up_most(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="withdrawals_too", old='transfer["kind"] == "top_up" and ', new=""),
        Mistake(name="all_time", old=' and transfer["created_at"][:10] >= since', new=""),
        Mistake(name="most_often", old='+= transfer["amount"]', new="+= 1"),
        Mistake(
            name="largest_at_once",
            old=' += transfer["amount"]',
            new=' = max(totals[names[transfer["card_id"]]], transfer["amount"])',
        ),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_card_transfers, ", new="apis.wallet.show_card_transfers("
        ),
    ),
)


# Make one request of all those to one person.

_SUMS = "All of it in one|Everything together|What is still open|The whole sum|In one go|All that is left".split("|")


def _make_merge_sent_requests(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    if len(others) < 5:
        return None
    notes = iter(draw.rng.sample(GOODS, 10))
    for days in (1, 16, 60, 130):
        asked(draw, me, person, next(notes), ago(draw, days))
    for n, other in enumerate(others[:4]):
        asked(draw, me, other, next(notes), ago(draw, 2 + 3 * n))
    asked(draw, me, person, next(notes), ago(draw, 20), status=draw.rng.choice(("approved", "denied")))
    asked(draw, person, me, next(notes), ago(draw, 5))  # theirs to me
    return {"person": person.name, "note": draw.rng.choice(_SUMS), "other_person": others[0].name}


def _solve_merge_sent_requests(state: State, me: Person, values: Values) -> Json:
    person, cents = named(state, values["person"]), 0
    for row in state[PaymentRequest].of(me.id):
        if (row.requester, row.payer, row.status) == (me.id, person.id, "pending"):
            cents += row.cents
            cancel(state, row.id)
    wallet.request(state, me.id, person.id, cents, values["note"])


def merge_requests_to(name: str, note: str) -> float:
    """Replace the pending wallet requests sent to a person by a single one for their total and return that total."""
    token = login(app="wallet")
    pending = all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending")
    requests = [each for each in pending if each["payer"]["name"] == name]
    for each in requests:
        apis.wallet.cancel_request(access_token=token, request_id=each["request_id"])
    email = requests[0]["payer"]["email"]
    total = round(sum(each["amount"] for each in requests), 2)
    apis.wallet.request_payment(access_token=token, payer_email=email, amount=total, note=note)
    return total


merge_sent_requests = Family(
    name="merge_sent_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str, "note": str},
    wordings=(
        "Take back all pending requests that I sent to {person} on wallet and send a single new one for the total, with"
        ' the note "{note}".',
        "I keep asking {person} for small sums. Cancel those of my wallet requests to them that are still unanswered"
        ' and request what these add up to in one, with "{note}" as the note.',
        "{person} has several open requests from me in the wallet app. Turn them into one: cancel them all and ask for"
        ' their sum in a new request that says "{note}". Those that were approved or denied stay as they are.',
    ),
    make=_make_merge_sent_requests,
    solve=_solve_merge_sent_requests,
    program=Program(functions=(merge_requests_to,), call="merge_requests_to(name={person!r}, note={note!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="old_ones_kept",
            old='apis.wallet.cancel_request(access_token=token, request_id=each["request_id"])',
            new="pass",
        ),
        Mistake(name="everybodys_requests", old=' if each["payer"]["name"] == name', new=""),
        Mistake(name="only_the_last_amount", old='sum(each["amount"] for each in requests)', new='each["amount"]'),
        Mistake(name="note_forgotten", old=", amount=total, note=note)", new=", amount=total)"),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_sent_requests, ", new="apis.wallet.show_sent_requests("
        ),
    ),
)


# Say something else where I commented on payments with somebody.

_WRONG = """You still owe me the rest.|Was it not less last time?|Never again!|I want this back.|Finally.|
That took you long enough.""".replace("\n", "").split("|")


_BETTER = "All settled.|Thank you, that was kind.|We are even now.|Many thanks again.|No hurry with this.".split("|")


_CHAT = ("On its way.", "I see it.", "Which day was that?", "The Tuesday.", "Right, I forgot.")


def _make_reword_comments(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    person, other, *_ = acquaintances(draw)
    old, new = rng.choice(_WRONG), rng.choice(_BETTER)
    payments = []
    for n, what in enumerate(rng.sample(GOODS, 8)):
        ends = (me, person) if n % 2 else (person, me)
        payments.append(paid(draw, *ends, what, ago(draw, 3 + 20 * n)))
    for text in _CHAT:  # what comes after them is on the second page
        wallet.comment(state, payments[1].id, rng.choice((me, person)).id, text)
    for n in (0, 1, 3, 6):
        wallet.comment(state, payments[n].id, me.id, old)
    wallet.comment(state, payments[0].id, person.id, old)  # theirs
    wallet.comment(state, payments[2].id, person.id, old)
    wallet.comment(state, payments[4].id, me.id, f"{old} Just kidding!")
    wallet.comment(state, payments[5].id, me.id, new)
    wallet.comment(state, paid(draw, me, other, "Ladder", ago(draw, 8)).id, me.id, old)
    return {"person": person.name, "old": old, "new": new, "other_person": other.name}


def _solve_reword_comments(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    for payment in state[Payment].of(me.id):
        for row in state[PaymentComment].of(payment.id) if person.id in payment.parties else ():
            if (row.author, row.text) == (me.id, values["old"]):
                delete_comment(state, row.id)
                wallet.comment(state, payment.id, me.id, values["new"])


def reword_my_comments(name: str, old: str, new: str) -> int:
    """Replace the supervisor's comments of one text on payments with a person by another text; return how many."""
    token = login(app="wallet")
    me = apis.supervisor.show_profile()["email"]
    users = all_pages(apis.wallet.search_users, access_token=token, query=name)
    email = next(user["email"] for user in users if user["name"] == name)
    count = 0
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, user_email=email):
        number = payment["transaction_id"]
        for remark in all_pages(apis.wallet.show_transaction_comments, access_token=token, transaction_id=number):
            if remark["author"]["email"] == me and remark["text"] == old:
                apis.wallet.delete_transaction_comment(access_token=token, comment_id=remark["comment_id"])
                apis.wallet.add_transaction_comment(access_token=token, transaction_id=number, text=new)
                count += 1
    return count


reword_comments = Family(
    name="reword_comments",
    split="train",
    difficulty=3,
    apps=("wallet",),
    slots={"person": str, "old": str, "new": str},
    wordings=(
        'Replace my comment "{old}" by "{new}" on every wallet payment between {person} and me, whoever of us paid.'
        " Only comments of mine with exactly that text.",
        'On some wallet transactions with {person}, sent or received, I commented "{old}". Delete these comments and'
        ' leave "{new}" there instead, each time. What else was said there stays, and so does what {person} wrote.',
        'I regret having written "{old}" under wallet payments from and to {person}. Wherever that is all a comment of'
        ' mine says, take it away and put the comment "{new}" in its place.',
    ),
    make=_make_reword_comments,
    solve=_solve_reword_comments,
    program=Program(
        functions=(reword_my_comments,), call="reword_my_comments(name={person!r}, old={old!r}, new={new!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="with_anybody", old=", user_email=email", new=""),
        Mistake(name="more_was_said", old='remark["text"] == old', new='old in remark["text"]'),
        Mistake(name="only_sent", old="user_email=email)", new='user_email=email, direction="sent")'),
        Mistake(
            name="first_comments",
            old="all_pages(apis.wallet.show_transaction_comments, ",
            new="apis.wallet.show_transaction_comments(",
        ),
        Mistake(
            name="first_payments", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
    ),
)


# How much did people give back, by their comments?

_GIVEN = ("returned", "refunded", "reimbursed", "repaid", "transferred", "remitted")


def _make_returned_in_comments(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (word, other), days = rng.sample(_GIVEN, 2), rng.randint(20, 60)
    since = (state.now - timedelta(days=days)).date()

    def said(payment: wallet.Payment, author: Person, start: str = "", verb: str = word) -> None:
        wallet.comment(state, payment.id, author.id, f"{start}{verb} {rng.randint(105, 990) / 100:.2f}, thanks")

    sent = [scene.paid(draw, me, people[n % 5], "Advance", scene.ago(draw, 1 + (days - 3) * n / 7)) for n in range(7)]
    ends = ((me, people[0], days + 1), (people[1], me, 4))
    early, got = (scene.paid(draw, payer, receiver, "Advance", scene.ago(draw, back)) for payer, receiver, back in ends)
    state[wallet.Payment].change(sent[0].id, created_at=datetime(since.year, since.month, since.day, 7))
    for payment in (*sent[2:], sent[0], sent[4], early):
        said(payment, state[Person][payment.receiver], rng.choice(("", "I ", "Just ", "Today I ")))
    for text in ("Thanks!", "For both of us?", "Yes, for both.", "Great.", "See you.", "Any time."):
        wallet.comment(state, sent[1].id, me.id, text)
    said(sent[1], people[1], f"Cinema was 8.00. I {word} 2.00 on Monday and ")
    said(sent[2], people[2], "I have ", other)
    said(sent[3], me, "You ")
    said(got, me, "I ")
    return {"word": word, "since": since.isoformat()}


def _solve_returned_in_comments(state: State, me: Person, values: Values) -> Json:
    cents = 0
    for row in state[wallet.Payment].of(me.id):
        if row.sender == me.id and str(row.created_at) >= values["since"]:
            text = " ".join(one.text for one in state[wallet.PaymentComment].of(row.id) if one.author == row.receiver)
            cents += sum(int(part) for part in re.findall(rf"{values['word']} (\d+)", text.replace(".", "")))
    return cents / 100


def returned_by_comments(word: str, since: str) -> float:
    """Add up the amounts that follow a word in the receivers' comments on payments sent since a day (YYYY-MM-DD)."""
    token = login(app="wallet")
    total = 0.0
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, direction="sent", from_date=since):
        payment_id, receiver = payment["transaction_id"], payment["receiver"]["email"]
        comments = all_pages(apis.wallet.show_transaction_comments, access_token=token, transaction_id=payment_id)
        for comment in comments:
            if comment["author"]["email"] == receiver:
                total += sum(float(amount) for amount in re.findall(rf"\b{word} (\d+\.\d\d)", comment["text"]))
    return round(total, 2)


returned_in_comments = Family(
    name="returned_in_comments",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"word": str, "since": str},
    wordings=(
        'When people give me money back, they comment on my wallet payment: "{word} 4.50". How much is that in all, on'
        " payments I sent since {since} (that day included)? Only what the receiver of the payment wrote counts.",
        'What have I got back so far? Sum up all amounts that directly follow the word "{word}" in comments on wallet'
        " payments I made from {since} on. The comment has to be by the person I paid.",
        'Check the wallet payments that I made on {since} or later. The ones I paid leave remarks there such as "I'
        ' {word} 3.20 yesterday", possibly more than once. Tell me the sum of what they {word} by their own words.',
        'Add up every amount after "{word}" in what receivers wrote under the payments I sent on wallet since {since},'
        " including that day. Comments of my own do not matter, nor do other amounts. What is the result?",
        "Take my outgoing wallet payments, {since} and after. Wherever the person who got the money has commented"
        ' "{word}" followed by an amount like 6.10, that amount counts, each time. I want the total.',
    ),
    make=_make_returned_in_comments,
    solve=_solve_returned_in_comments,
    program=Program(functions=(returned_by_comments,), call="returned_by_comments(word={word!r}, since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="received_ones_too", old=', direction="sent"', new=""),
        Mistake(name="whoever_wrote", old='if comment["author"]["email"] == receiver:', new="if comment:"),
        Mistake(name="any_amount", old=r"\b{word} (\d", new=r"(\d"),
        Mistake(name="first_page", old="in comments:", new="in comments[:5]:"),
    ),
)


# Cancel the requests whose payers have sent the money anyway.


def _make_cancel_paid_requests(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    if len(people) < 9:
        return None
    days, sums = rng.randint(28, 45), rng.sample(range(811, 7_900), 9)
    asked = [(0, days - 2), (1, 15), (1, 9), (2, 16), (2, 11), (3, 3), (4, 12), (5, days + 2), (6, 8), (7, 13), (8, 9)]
    for n, back in asked:  # the last one was denied
        status = "denied" if n == 8 else "pending"
        scene.asked(draw, me, people[n], f"Evening {n}", scene.ago(draw, back), cents=sums[n], status=status)
    for n, back in ((0, days - 5), (1, 4), (2, 13), (2, 6), (3, 5), (4, 2), (5, 7), (6, 2), (7, 2), (8, 3)):
        # Before the request, a cent too little, asked too early, the other way, from somebody else, denied.
        ends = (me, people[6]) if n == 6 else (people[8 if n == 7 else n], me)
        row = scene.paid(draw, *ends, "Here you are", scene.ago(draw, back))
        state[wallet.Payment].change(row.id, cents=sums[n] - (n == 4))
    since, earlier = (str((state.now - timedelta(days=days + more)).date()) for more in (0, 20))
    return {"since": since, "other_since": earlier}


def _solve_cancel_paid_requests(state: State, me: Person, values: Values) -> Json:
    mine = [row for row in state[wallet.PaymentRequest].of(me.id) if (row.requester, row.status) == (me.id, "pending")]
    came = sorted(state[wallet.Payment].of(me.id), key=lambda row: row.created_at)
    for row in sorted(mine, key=lambda row: row.created_at):
        later = [one for one in came if one.created_at > row.created_at]
        fits = [one for one in later if (one.sender, one.cents) == (row.payer, row.cents)]
        if fits and row.created_at.date() >= date.fromisoformat(values["since"]):
            came.remove(fits[0])
            wallet.cancel(state, row.id)
    return sum(row.cents for row in mine if state[wallet.PaymentRequest].get(row.id)) / 100


def cancel_requests_paid_anyway(since: str) -> float:
    """Cancel pending requests sent since a day that were paid apart from them; return what all others add up to."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, direction="received", from_date=since)
    outstanding = 0.0
    for request in reversed(requests):
        asked = (request["payer"]["email"], request["amount"])
        later = [payment for payment in payments if payment["created_at"] > request["created_at"]]
        fits = [payment for payment in later if (payment["sender"]["email"], payment["amount"]) == asked]
        if fits and request["created_at"][:10] >= since:
            payments.remove(fits[-1])
            apis.wallet.cancel_request(access_token=token, request_id=request["request_id"])
        else:
            outstanding += request["amount"]
    return round(outstanding, 2)


cancel_paid_requests = Family(
    name="cancel_paid_requests",
    split="train",
    difficulty=3,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "Some people sent me money on wallet instead of approving my request. Cancel each request I sent since {since}"
        " (that day included) that is pending though its payer has sent me exactly that amount after it. One payment"
        " makes up for one request, of several alike the oldest. What do all my requests still pending then add up to?",
        "Go through the pending wallet requests I made on {since} or later, oldest first. If the person asked has paid"
        " me the very same sum since, by a payment that you have not used for an earlier request, cancel it. Then tell"
        " me the total of all requests of mine that are left unanswered, older ones included.",
        "Match my open wallet requests since {since} (that day too), oldest first, with later payments of the same"
        " person and amount, one for one, and cancel the matched. What do all open ones, older ones too, come to then?",
        "Please clean up my sent wallet requests: one of {since} or after that is still pending goes if its payer paid"
        " me just that amount later; a payment cancels one, of two the older. What am I still waiting for in all then?",
        "Cancel what has been paid: unanswered wallet requests that I sent since {since}, that day too, for which I"
        " later got the exact amount from the same person. Begin with the oldest and count no payment twice. What is"
        " the sum of all I have then still requested from anybody, whenever that was?",
    ),
    make=_make_cancel_paid_requests,
    solve=_solve_cancel_paid_requests,
    program=Program(functions=(cancel_requests_paid_anyway,), call="cancel_requests_paid_anyway(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="from_earlier_on", swap={"since": "other_since"}),
        Mistake(name="paid_before", old='payment["created_at"] > request["created_at"]', new="payment"),
        Mistake(name="payments_used_twice", old="payments.remove(fits[-1])", new="fits.clear()"),
        Mistake(name="latest_first", old="in reversed(requests):", new="in requests:"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)


_ASKED = "Kite kit|Paint rollers|Opera seats|Canoe hire|Baking class|Tram fines|Bee hotel|Chess set|Quiz fee|Tent pegs"


# Approve requests, the smallest first, while enough money is left.


def _make_afford_small_requests(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people, notes, cents = acquaintances(draw), rng.sample(_ASKED.split("|"), 10), rng.randint(2_600, 5_000)
    for n in range(4):  # small and old: on a later page
        asked(draw, people[n], me, notes[n], ago(draw, 52 + 9 * n), cents=rng.randint(501, 2_500))
    asked(draw, people[4], me, notes[4], ago(draw, 50), cents=cents)
    asked(draw, people[5], me, notes[5], ago(draw, rng.randint(60, 95)), cents=cents)  # the last that can be paid
    for n in (6, 7):
        asked(draw, people[n], me, notes[n], ago(draw, n / 9), cents=rng.randint(5_001, 12_000))
    asked(draw, people[2], me, notes[8], ago(draw, 4), cents=510, status="denied")
    asked(draw, me, people[3], notes[9], ago(draw, 5), cents=520)
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    if sum(row.cents == cents for row in rows) != 2:
        return None
    reserve = rng.randint(8_000, 60_000)
    state[WalletAccount].change(me.id, cents=reserve + cents + sum(row.cents for row in rows if row.cents < cents))
    return {"reserve": reserve / 100, "other_reserve": (reserve - cents) / 100}


def _solve_afford_small_requests(state: State, me: Person, values: Values) -> Json:
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    spare = state[WalletAccount][me.id].cents - round(values["reserve"] * 100)
    for row in rows:
        before = [each for each in rows if (each.cents, each.created_at) <= (row.cents, row.created_at)]
        if sum(each.cents for each in before) <= spare:
            approve(state, row.id)


def approve_from_smallest(reserve: float) -> int:
    """Approve pending requests, small before large and old before new, while a reserve is left; return how many."""
    token = login(app="wallet")
    left = apis.wallet.show_balance(access_token=token)["balance"]
    pending = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    approved = 0
    for request in sorted(pending, key=lambda request: (request["amount"], request["created_at"])):
        left = round(left - request["amount"], 2)
        if left < reserve:
            break
        apis.wallet.approve_request(access_token=token, request_id=request["request_id"])
        approved += 1
    return approved


afford_small_requests = Family(
    name="afford_small_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"reserve": float},
    wordings=(
        "Approve the pending payment requests I received on wallet one by one, the smallest amount first and the older"
        " one first where amounts are equal, but only as long as at least ${reserve} stays in my balance.",
        "I want to make many people happy. Pay the open requests in my wallet in order of size, lowest first, and stop"
        " before my balance would drop below ${reserve}. If two ask for the same amount, who asked earlier is ahead.",
        "My wallet balance must not fall under ${reserve}; having exactly that left is fine. Within this limit accept"
        " what others have asked me for and I have not answered, from the cheapest up, of equal ones the oldest first.",
        "Wallet: sort the requests that wait for my answer by amount, then by date, both rising. Approve them in this"
        " order until the next one would leave me with less than ${reserve}. The rest keep waiting.",
        "Set ${reserve} of my wallet balance aside. With what is above that, approve pending requests made to me,"
        " always the smallest left (of several, the one sent first), until the money does not reach for the next.",
    ),
    make=_make_afford_small_requests,
    solve=_solve_afford_small_requests,
    program=Program(functions=(approve_from_smallest,), call="approve_from_smallest(reserve={reserve!r})"),
    mistakes=(
        Mistake(name="another_reserve", swap={"reserve": "other_reserve"}),
        Mistake(name="spends_it_all", old="if left < reserve:", new="if left < 0:"),
        Mistake(name="exactly_that_is_too_little", old="if left < reserve:", new="if left <= reserve:"),
        Mistake(name="ties_as_listed", old='(request["amount"], request["created_at"])', new='request["amount"]'),
        Mistake(name="largest_first", old='(request["amount"], ', new='(-request["amount"], '),
        Mistake(name="first_page", old="sorted(pending, ", new="sorted(pending[:5], "),
    ),
)


# Say in the notes of payments which month they were made in.


def _make_months_in_notes(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    note, other = rng.sample(("Cello lessons", "Parking space", "Storage unit", "Dog walker", "Choir fee"), 2)
    days = rng.randint(100, 250)
    since = (draw.state.now - timedelta(days=days)).date()
    for n in range(7):
        paid(draw, me, people[n % 2], note, ago(draw, days * n / 7))
    paid(draw, me, people[0], note, datetime(since.year, since.month, since.day, 7))  # the first day counts
    paid(draw, me, people[1], note, ago(draw, days + 3))
    paid(draw, people[0], me, note, ago(draw, days / 2))  # theirs cannot be changed
    for text in (f"{note}, deposit", f"No {note.lower()}", other):
        paid(draw, me, people[2], text, ago(draw, days / 3))
    return {"note": note, "since": since.isoformat(), "other_note": other}


def _solve_months_in_notes(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    for row in state[Payment].of(me.id):
        if row.sender == me.id and row.note == values["note"] and row.created_at.date() >= since:
            change_payment(state, row.id, note=f"{row.note} ({row.created_at.strftime('%B %Y')})")


def add_month_to_notes(note: str, since: str) -> int:
    """Add month and year to the note of payments sent since a day (YYYY-MM-DD) with just this note; return how many."""
    token = login(app="wallet")
    sent = all_pages(apis.wallet.show_transactions, access_token=token, query=note, direction="sent", from_date=since)
    same = [each for each in sent if each["note"] == note]
    for each in same:
        new = f"{note} ({datetime.fromisoformat(each['created_at']):%B %Y})"
        apis.wallet.update_transaction(access_token=token, transaction_id=each["transaction_id"], note=new)
    return len(same)


months_in_notes = Family(
    name="months_in_notes",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"note": str, "since": str},
    wordings=(
        'Each wallet payment I have sent since {since} (that day included) with exactly the note "{note}" should say'
        ' its month: one made in March 2024 gets the note "{note} (March 2024)".',
        'I cannot tell my "{note}" payments apart. Go through those I made on wallet on {since} or later under just'
        ' this note, and add month and year of the payment in brackets, as in "{note} (May 2023)".',
        'Change the notes "{note}" on what I paid through wallet from {since} on: after a space, put the month when it'
        " was sent and the year in brackets, like (July 2024). Longer notes stay as they are.",
        "Look at what went out of my wallet starting with {since} for my bookkeeping: wherever the note is just"
        ' "{note}", make it "{note} (MONTH YEAR)" by the date of the payment, the English month written out.',
        'Put the month in brackets behind "{note}" in the wallet payments sent by me, not before {since}, that have'
        ' this whole note and no other words: "{note} (January 2025)" is what one of January 2025 would read.',
    ),
    make=_make_months_in_notes,
    solve=_solve_months_in_notes,
    program=Program(functions=(add_month_to_notes,), call="add_month_to_notes(note={note!r}, since={since!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="longer_notes", old=' if each["note"] == note]', new="]"),
        Mistake(name="only_the_month", old=":%B %Y}", new=":%B}"),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
    ),
)

FAMILIES = (
    total_sent_since,
    balance_left_without,
    largest_top_up_card,
    merge_sent_requests,
    reword_comments,
    returned_in_comments,
    cancel_paid_requests,
    afford_small_requests,
    months_in_notes,
)
