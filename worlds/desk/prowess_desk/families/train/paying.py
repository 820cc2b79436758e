"""Train families of the wallet app together with the phone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.phone import TextMessage, send_text
from prowess_desk.apps.wallet import PaymentRequest, request, transfer
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, asked, in_contacts, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login

# Request an amount from everybody of a relation.

_SHARED = (
    "New washing machine|Window cleaning|Team present|Spare keys|Garden party|Coffee machine|Shared printer".split("|")
)


def _make_collect(draw: Draw) -> Values | None:
    relation, other = draw.rng.sample(("roommate", "coworker"), 2)
    if not in_contacts(draw.state, draw.me, other) or not widened(draw, relation, other):
        return None
    return {
        "relation": relation,
        "amount": draw.rng.randint(400, 1_900) / 100,
        "note": draw.rng.choice(_SHARED),
        "other_relation": other,
    }


def _solve_collect(state: State, me: Person, values: Values) -> Json:
    for person in in_contacts(state, me, values["relation"]):
        request(state, me.id, person.id, round(values["amount"] * 100), values["note"])


def request_from_all(relationship: str, amount: float, note: str) -> int:
    """Request an amount on wallet from every phone contact of a relationship and return how many were asked."""
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship)
    wallet_token = login(app="wallet")
    for contact in contacts:
        apis.wallet.request_payment(access_token=wallet_token, payer_email=contact["email"], amount=amount, note=note)
    return len(contacts)


collect_from_relation = Family(
    name="collect_from_relation",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "amount": float, "note": str},
    wordings=(
        'Request ${amount} on wallet from each {relation} in my phone contacts, with the note "{note}".',
        "I paid for us all. Every contact of mine who is a {relation} owes me ${amount}: ask each of them for it with"
        ' a wallet request that says "{note}".',
        'Send wallet payment requests saying "{note}", ${amount} apiece, to everybody my phone lists as {relation}.',
    ),
    make=_make_collect,
    solve=_solve_collect,
    program=Program(
        functions=(request_from_all,),
        call="request_from_all(relationship={relation!r}, amount={amount!r}, note={note!r})",
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="amount_divided", old="amount=amount,", new="amount=round(amount / len(contacts), 2),"),
        Mistake(
            name="sent_instead",
            old="apis.wallet.request_payment(access_token=wallet_token, payer_email=",
            new="apis.wallet.send_payment(access_token=wallet_token, receiver_email=",
        ),
    ),
)


# Send money to the one person of a relation.

_LENT = "Birthday cake|Piano lessons|Winter tyres|Photo album|Vet visit|Swimming club|New glasses".split("|")


def _make_send(draw: Draw) -> Values | None:
    kinds = [kind for kind in ("sibling", "parent", "child") if len(in_contacts(draw.state, draw.me, kind)) == 1]
    if len(kinds) < 2:
        return None
    relation, other = draw.rng.sample(kinds, 2)
    return {
        "relation": relation,
        "amount": draw.rng.randint(500, 9_500) / 100,
        "note": draw.rng.choice(_LENT),
        "other_relation": other,
    }


def _solve_send(state: State, me: Person, values: Values) -> Json:
    (person,) = in_contacts(state, me, values["relation"])
    transfer(state, me.id, person.id, round(values["amount"] * 100), values["note"])


def send_money_to_relation(relationship: str, amount: float, note: str) -> int:
    """Send an amount on wallet to the one phone contact of a relationship and return the transaction id."""
    contact = contacts_who_are(relationship=relationship)[0]
    token = login(app="wallet")
    payment = apis.wallet.send_payment(access_token=token, receiver_email=contact["email"], amount=amount, note=note)
    return payment["transaction_id"]


pay_relation = Family(
    name="pay_relation",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "amount": float, "note": str},
    wordings=(
        'Send ${amount} to my {relation} on wallet with the note "{note}".',
        'My {relation} lent me money for "{note}"; pay back ${amount} through wallet, with just that as the note.',
        "Please make a wallet payment for me: receiver my {relation} (see my phone contacts), amount ${amount}, note"
        ' "{note}".',
    ),
    make=_make_send,
    solve=_solve_send,
    program=Program(
        functions=(send_money_to_relation,),
        call="send_money_to_relation(relationship={relation!r}, amount={amount!r}, note={note!r})",
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="note_forgotten", old=", amount=amount, note=note)", new=", amount=amount)"),
        Mistake(
            name="requested_instead",
            old='apis.wallet.send_payment(access_token=token, receiver_email=contact["email"], ',
            new='{"transaction_id": 0} | '
            'apis.wallet.request_payment(access_token=token, payer_email=contact["email"], ',
        ),
        Mistake(
            name="paid_twice",
            old="    payment = apis",
            new="    for _ in range(2):\n        payment = apis",
        ),
    ),
)


# Remind everybody who has not answered an old request.

_REMINDERS = """Friendly reminder: I am still waiting for your answer on wallet.|Could you look at my wallet request?|
Hi! My request on wallet is still open.|Please check your wallet when you find a minute.|
You may have missed my payment request, could you have a look?""".replace("\n", "").split("|")


def _make_remind(draw: Draw) -> Values | None:
    me = draw.me
    waiting = {row.payer for row in draw.state[PaymentRequest].of(me.id) if row.status == "pending"}
    people = [person for person in acquaintances(draw) if person.id not in waiting]
    if len(people) < 8:
        return None
    days = draw.rng.randint(10, 40)
    before = (draw.state.now - timedelta(days=days)).date()
    for n, person in enumerate((*people[:4], people[0])):  # the first of them twice, still one text
        asked(draw, me, person, "Shared costs", ago(draw, days + 1 + 9 * n))
    midnight = datetime(before.year, before.month, before.day)
    asked(draw, me, people[4], "Concert", midnight + timedelta(hours=8))  # that very day is not before it
    asked(draw, me, people[5], "Concert", ago(draw, days / 2))
    asked(draw, me, people[6], "Concert", ago(draw, days + 5), status="denied")
    asked(draw, me, people[7], "Concert", ago(draw, days + 3), status="approved")
    return {
        "before": before.isoformat(),
        "message": draw.rng.choice(_REMINDERS),
        "other_before": (before - timedelta(days=15)).isoformat(),
    }


def _solve_remind(state: State, me: Person, values: Values) -> Json:
    before = date.fromisoformat(values["before"])
    mine = [row for row in state[PaymentRequest].of(me.id) if row.requester == me.id and row.status == "pending"]
    for person in sorted({row.payer for row in mine if row.created_at.date() < before}):
        send_text(state, me.id, person, values["message"])


def remind_of_requests(before: str, message: str) -> int:
    """Text everybody whose answer to a wallet request sent before a day (YYYY-MM-DD) is missing, each person once."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending")
    emails = {request["payer"]["email"] for request in requests if request["created_at"][:10] < before}
    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}
    for email in sorted(emails):
        apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[email], text=message)
    return len(emails)


remind_debtors = Family(
    name="remind_debtors",
    split="train",
    difficulty=3,
    apps=("wallet", "phone"),
    slots={"before": str, "message": str},
    wordings=(
        'Text "{message}" to everyone who has not answered a wallet request that I sent them before {before}. One text'
        " per person is enough.",
        "Some of the payment requests I made on wallet before {before} are still pending. Send each of the people"
        ' concerned one text message: "{message}"',
        "Find out who still has to react to a wallet request of mine older than {before} (that day not included) and"
        ' write each of them a single text from my phone saying "{message}".',
    ),
    make=_make_remind,
    solve=_solve_remind,
    program=Program(functions=(remind_of_requests,), call="remind_of_requests(before={before!r}, message={message!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"before": "other_before"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="answered_as_well", old=', status="pending"', new=""),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_sent_requests, ", new="apis.wallet.show_sent_requests("
        ),
        Mistake(
            name="a_text_per_request",
            old='{request["payer"]["email"] for request in requests if request["created_at"][:10] < before}',
            new='[request["payer"]["email"] for request in requests if request["created_at"][:10] < before]',
        ),
    ),
)


# Request money from everybody who texted about something.

_PLANS = {
    "regatta": (
        "Count me in for the regatta!",
        "What time does the Regatta start?",
        "I will bring food to the regatta.",
    ),
    "karaoke": ("Karaoke? I am in.", "Put me down for karaoke please.", "Which bar is the karaoke at?"),
    "kayak": ("I would love to kayak with you.", "Is there a kayak left for me?", "Kayak trip: yes from me!"),
    "lasagna": ("Save me a piece of lasagna.", "Yes to the lasagna evening!", "Who makes the lasagna this time?"),
    "puppet": (
        "The puppet show sounds great, I am coming.",
        "Get me a seat at the Puppet theater.",
        "Puppet show: yes!",
    ),
}


def _make_joining(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    days = draw.rng.randint(8, 30)
    since = (draw.state.now - timedelta(days=days)).date()
    word, other = draw.rng.sample(sorted(_PLANS), 2)
    lines = _PLANS[word]
    for n, person in enumerate(people[:5]):
        texted(draw, person, me, lines[n % 3], ago(draw, 0.5 + days * n / 6))
    texted(draw, people[0], me, f"By the way, how do we get to the {word}?", ago(draw, 0.2))  # the same person again
    texted(draw, people[1], me, f"Still thinking of the {word}.", ago(draw, 0.3))
    texted(draw, people[5], me, lines[0], ago(draw, days + 1))  # too long ago
    texted(draw, me, people[6], f"Do you want to come along? ({word})", ago(draw, days / 2))  # asked, no answer
    texted(draw, people[7], me, _PLANS[other][0], ago(draw, days / 2))
    return {
        "word": word,
        "since": since.isoformat(),
        "amount": draw.rng.randint(500, 4_000) / 100,
        "note": f"Your share: {word}",
        "other_word": other,
    }


def _solve_joining(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    texts = [row for row in state[TextMessage].of(me.id) if row.receiver == me.id and row.sent_at.date() >= since]
    for person in sorted({row.sender for row in texts if values["word"] in row.text.lower()}):
        request(state, me.id, person, round(values["amount"] * 100), values["note"])


def request_from_texters(word: str, since: str, amount: float, note: str) -> int:
    """Request an amount on wallet from everybody who texted a word since a day (YYYY-MM-DD), each person once."""
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, query=word, direction="received", from_date=since
    )
    numbers = {message["sender"]["phone_number"] for message in messages}
    contacts = all_pages(apis.phone.show_contacts, access_token=token)
    emails = [contact["email"] for contact in contacts if contact["phone_number"] in numbers]
    wallet_token = login(app="wallet")
    for email in emails:
        apis.wallet.request_payment(access_token=wallet_token, payer_email=email, amount=amount, note=note)
    return len(emails)


collect_from_texters = Family(
    name="collect_from_texters",
    split="train",
    difficulty=3,
    apps=("phone", "wallet"),
    slots={"word": str, "since": str, "amount": float, "note": str},
    wordings=(
        'Everyone who sent me a text with the word "{word}" since {since} (that day included) is joining. Request'
        ' ${amount} on wallet from each of them, once, with the note "{note}".',
        'I need ${amount} from each person whose texts to me, on {since} or later, mention "{word}": one wallet request'
        ' per person, note "{note}".',
        'Look at the text messages I received from {since} on. Whoever wrote something with "{word}" gets a single'
        ' payment request from my wallet: ${amount}, with "{note}" as the note.',
    ),
    make=_make_joining,
    solve=_solve_joining,
    program=Program(
        functions=(request_from_texters,),
        call="request_from_texters(word={word!r}, since={since!r}, amount={amount!r}, note={note!r})",
    ),
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.phone.show_text_messages, ",
            new="apis.phone.show_text_messages(",
        ),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)

FAMILIES = (collect_from_relation, pay_relation, remind_debtors, collect_from_texters)
