"""Train families of the wallet app with the phone: payments, requests and friends by contacts and texts."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import wallet
from prowess_desk.apps.phone import (
    Call,
    Contact,
    TextMessage,
    VoiceMessage,
    add_contact,
    change_contact,
    send_text,
    send_voice,
)
from prowess_desk.apps.wallet import Payment, PaymentRequest, WalletAccount, deny, transfer
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, asked, in_contacts, named, paid, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login
from prowess_desk.families.train.phone import RELATIONSHIPS

# Request an amount from everybody of a relation.

_SHARED = (
    "New washing machine|Window cleaning|Team present|Spare keys|Garden party|Coffee machine|Shared printer".split("|")
)


def _make_collect_from_relation(draw: Draw) -> Values | None:
    relation, other = draw.rng.sample(("roommate", "coworker"), 2)
    if not in_contacts(draw.state, draw.me, other) or not widened(draw, relation, other):
        return None
    return {
        "relation": relation,
        "amount": draw.rng.randint(400, 1_900) / 100,
        "note": draw.rng.choice(_SHARED),
        "other_relation": other,
    }


def _solve_collect_from_relation(state: State, me: Person, values: Values) -> Json:
    for person in in_contacts(state, me, values["relation"]):
        wallet.request(state, me.id, person.id, round(values["amount"] * 100), values["note"])


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
    make=_make_collect_from_relation,
    solve=_solve_collect_from_relation,
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


def _make_pay_relation(draw: Draw) -> Values | None:
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


def _solve_pay_relation(state: State, me: Person, values: Values) -> Json:
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
    make=_make_pay_relation,
    solve=_solve_pay_relation,
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


def _make_remind_debtors(draw: Draw) -> Values | None:
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


def _solve_remind_debtors(state: State, me: Person, values: Values) -> Json:
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
    make=_make_remind_debtors,
    solve=_solve_remind_debtors,
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


def _make_collect_from_texters(draw: Draw) -> Values | None:
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


def _solve_collect_from_texters(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    texts = [row for row in state[TextMessage].of(me.id) if row.receiver == me.id and row.sent_at.date() >= since]
    for person in sorted({row.sender for row in texts if values["word"] in row.text.lower()}):
        wallet.request(state, me.id, person, round(values["amount"] * 100), values["note"])


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
    make=_make_collect_from_texters,
    solve=_solve_collect_from_texters,
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


# Add the people one has texts with to the contacts.

_HELLO = """Hi, this is about the bike you are selling.|Thanks again for the lift!|Is Thursday still fine?|
The key is with the caretaker.|Here is my number, as promised.|I have sent the form.""".replace("\n", "").split("|")


def _make_adopt_texters(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    known = {row.phone for row in state[Contact].of(me.id)}
    a, b, c, d, caller = rng.sample([each for each in draw.people if each != me and each.phone not in known], 5)
    sides = ((a, me, 190), (b, me, 120), (me, b, 119), (me, c, rng.randint(20, 60)), (d, me, 3), (d, me, 1))
    for line, (sender, receiver, days) in zip(rng.sample(_HELLO, 6), sides, strict=True):
        texted(draw, sender, receiver, line, ago(draw, days))
    state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=me.id, started_at=ago(draw, 2), seconds=95))
    friend = rng.choice(state[Contact].of(me.id))
    change_contact(state, friend.id, name=f"{friend.name.split()[0]} (mobile)")  # in the contacts all the same
    relation, other = rng.sample(RELATIONSHIPS, 2)
    return {"relation": relation, "other_relation": other}


def _solve_adopt_texters(state: State, me: Person, values: Values) -> Json:
    people = {id for row in state[TextMessage].of(me.id) for id in (row.sender, row.receiver)} - {me.id}
    known = {row.phone for row in state[Contact].of(me.id)}
    for person in (state[Person][id] for id in sorted(people)):
        if person.phone not in known:
            relation = [values["relation"]]
            add_contact(state, me.id, person.name, person.phone, email=person.email, relationships=relation)


def add_texters_to_contacts(relation: str) -> int:
    """Add everybody with texts but no contact to the contacts, with the e-mail address in wallet; return how many."""
    token = login(app="phone")
    known = {contact["phone_number"] for contact in all_pages(apis.phone.show_contacts, access_token=token)}
    talks = all_pages(apis.phone.show_conversations, access_token=token)
    strangers = [talk for talk in talks if talk["phone_number"] not in known]
    wallet_token = login(app="wallet")
    for talk in strangers:
        name, number, kinds = talk["name"], talk["phone_number"], [relation]
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.phone.add_contact(access_token=token, name=name, phone_number=number, email=email, relationships=kinds)
    return len(strangers)


adopt_texters = Family(
    name="adopt_texters",
    split="train",
    difficulty=3,
    apps=("phone", "wallet"),
    slots={"relation": str},
    wordings=(
        "Add everyone I have texts from or to, but no contact with their number, to my contacts: name and number as in"
        ' the conversation, the e-mail address of the wallet user with this name, and the relationship "{relation}".',
        "There are numbers in my text conversations that my address book does not know. Save each of them as a contact"
        ' under the name shown there, with the relationship "{relation}". You find their e-mail addresses by searching'
        " the users of wallet for the names; put those in as well, nothing else.",
        'Make contacts, all of them "{relation}" to me, of the people in my text conversations, whoever wrote, that are'
        " not among my contacts by phone number. Each needs full name, number and e-mail address, no more; the latter"
        " you can look up in the wallet app.",
    ),
    make=_make_adopt_texters,
    solve=_solve_adopt_texters,
    program=Program(functions=(add_texters_to_contacts,), call="add_texters_to_contacts(relation={relation!r})"),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="no_relation", old=", relationships=kinds", new=""),
        Mistake(name="no_email", old="email=email, ", new=""),
        Mistake(name="more_than_one_text", old="known]", new='known and talk["message_count"] > 1]'),
        Mistake(
            name="theirs_last", old="known]", new='known and talk["last_message"]["sender"]["name"] == talk["name"]]'
        ),
        Mistake(
            name="first_page", old="all_pages(apis.phone.show_conversations, ", new="apis.phone.show_conversations("
        ),
    ),
)


# Have the contacts of a relation as friends, one other person, and nobody else.


def _make_friends_of_one_kind(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    relation, other = rng.sample(("roommate", "coworker"), 2)
    if not in_contacts(draw.state, me, other) or not widened(draw, relation, other, least=7):
        return None
    wanted = in_contacts(draw.state, me, relation)
    known = [row.email for row in draw.state[Contact].of(me.id)]
    rest = [person for person in acquaintances(draw) if person not in wanted]
    strangers = [person for person in draw.people if person.email not in known and person != me]
    friends = [
        *rng.sample(wanted, len(wanted) // 2),
        *rest,
        *rng.sample(strangers, 3),
    ]  # half of them are there already
    draw.state[WalletAccount].change(me.id, friend_ids=tuple(sorted(friend.id for friend in friends)))
    kept, another = rng.sample(friends[len(wanted) // 2 :], 2)
    return {"relation": relation, "person": kept.name, "other_relation": other, "other_person": another.name}


def _solve_friends_of_one_kind(state: State, me: Person, values: Values) -> Json:
    people = [*in_contacts(state, me, values["relation"]), named(state, values["person"])]
    state[WalletAccount].change(me.id, friend_ids=tuple(sorted({person.id for person in people})))


def limit_friends_to(relationship: str, exception: str) -> int:
    """Have the phone contacts of a relationship as wallet friends, remove all others but one, return how many went."""
    wanted = {contact["email"] for contact in contacts_who_are(relationship=relationship)}
    token = login(app="wallet")
    friends = {friend["email"]: friend["name"] for friend in all_pages(apis.wallet.show_friends, access_token=token)}
    for email in sorted(wanted - friends.keys()):
        apis.wallet.add_friend(access_token=token, email=email)
    gone = [email for email, name in friends.items() if email not in wanted and name != exception]
    for email in gone:
        apis.wallet.remove_friend(access_token=token, email=email)
    return len(gone)


friends_of_one_kind = Family(
    name="friends_of_one_kind",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "person": str},
    wordings=(
        "My friends on wallet should be exactly the people whom my phone contacts list as {relation}, and {person}. Add"
        " those who are missing and remove everybody else.",
        "Please tidy up my wallet friends: apart from {person}, who may stay, throw out whoever is not a {relation} in"
        " my phone contacts. And if a {relation} is not among my friends there yet, add them.",
        "Among my friends in the wallet app I want to see only one circle of people, those my phone has as {relation}:"
        " all of them, and no one else. There is one exception: keep {person}.",
    ),
    make=_make_friends_of_one_kind,
    solve=_solve_friends_of_one_kind,
    program=Program(
        functions=(limit_friends_to,), call="limit_friends_to(relationship={relation!r}, exception={person!r})"
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="another_exception", swap={"person": "other_person"}),
        Mistake(name="no_exception", old=" and name != exception", new=""),
        Mistake(name="nobody_added", old="for email in sorted(wanted - friends.keys()):", new="for email in []:"),
        Mistake(name="nobody_removed", old="for email in gone:", new="for email in []:"),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


# What did the one who said something on the phone pay?

_SAID = "green sofa|broken ladder|spare tent|left glove|second key|piano stool|blue canoe|school play".split("|")


def _make_paid_by_speaker(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, earlier, later, heard = acquaintances(draw)[:4]
    words, other = rng.sample(_SAID, 2)
    one, two = words.split()
    said = (
        (person, me, f"Hello, about the {words}, I will come by tonight.", 12),
        (earlier, me, f"Did you hear of the {words}? Call me.", 40),
        (later, me, f"I have a {one} carpet now, but I still look for a {two}.", 3),  # both words, but apart
        (me, heard, f"Yes, the {words} is still here.", 2),
        (heard, me, f"I am calling about the {other}.", 1),
    )
    for sender, receiver, text, days in said:
        message = send_voice(state, sender.id, receiver.id, text)
        state[VoiceMessage].change(message.id, sent_at=ago(draw, days))
    for n in range(6):
        paid(draw, person, me, rng.choice(("Thanks", "My part")), ago(draw, 4 + 30 * n))
    for each in (earlier, later, heard):
        paid(draw, each, me, "Thanks", ago(draw, 8))
    paid(draw, me, person, "Back to you", ago(draw, 5))
    return {"words": words, "other_words": other}


def _solve_paid_by_speaker(state: State, me: Person, values: Values) -> Json:
    heard = [row for row in state[VoiceMessage].of(me.id) if row.receiver == me.id]
    speaker = max((row for row in heard if values["words"] in row.transcript), key=lambda row: row.sent_at).sender
    return sum(row.cents for row in state[Payment].of(me.id) if row.sender == speaker) / 100


def total_paid_by_speaker(words: str) -> float:
    """Add up what the sender of the latest voice message received with these words has ever paid on wallet."""
    token = login(app="phone")
    messages = all_pages(apis.phone.show_voice_messages, access_token=token, query=words, direction="received")
    number = next(each["sender"]["phone_number"] for each in messages if words.lower() in each["transcript"].lower())
    contacts = all_pages(apis.phone.show_contacts, access_token=token)
    email = next(contact["email"] for contact in contacts if contact["phone_number"] == number)
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, user_email=email, direction="received")
    return round(sum(payment["amount"] for payment in payments), 2)


paid_by_speaker = Family(
    name="paid_by_speaker",
    split="train",
    difficulty=1,
    apps=("phone", "wallet"),
    slots={"words": str},
    wordings=(
        'How much have I received on wallet, in all, from the person who last said "{words}" in a voice message to me?',
        'Somebody left me a voice message with the words "{words}"; if several people did, I mean the latest of these'
        " messages. Add up all wallet payments that I ever got from that person. What is the sum?",
        'Find the most recent voice message sent to me in which "{words}" is said, one word right after the other. I'
        " want to know the total of what the speaker has paid me on wallet so far.",
        'Tell me one amount: everything that came into my wallet from whoever mentioned "{words}" to me in a voice'
        " message. Should more than one person have done so, go by the one who did it last.",
        'I forgot who talked about the "{words}" on my voice mail the other day (the last one who did, and not myself).'
        " Whoever it was, how many dollars has this person sent me through wallet up to now?",
    ),
    make=_make_paid_by_speaker,
    solve=_solve_paid_by_speaker,
    program=Program(functions=(total_paid_by_speaker,), call="total_paid_by_speaker(words={words!r})"),
    asks=True,
    mistakes=(
        Mistake(name="other_words", swap={"words": "other_words"}),
        Mistake(name="the_first_speaker", old=" for each in messages if", new=" for each in messages[::-1] if"),
        Mistake(name="words_apart", old=" if words.lower() in each", new=" if each"),
        Mistake(name="both_ways", old='user_email=email, direction="received"', new="user_email=email"),
        Mistake(name="one_payment", old="round(sum(payment", new="round(max(payment"),
    ),
)


# Call contacts what the wallet calls them.


def _make_wallet_names(draw: Draw) -> Values | None:
    rng, relation = draw.rng, draw.rng.choice(("roommate", "friend", "coworker"))
    if not widened(draw, relation, "sibling", least=8):
        return None
    mine = draw.state[Contact].of(draw.me.id)
    *most, last = [contact for contact in mine if relation in contact.relationships]
    people = rng.sample(most, 6)
    pets = rng.sample("Bestie|Sunshine|Captain|Blue hat|Upstairs|Speedy|Professor|Goalkeeper".split("|"), 6)
    names = [last.name.split()[0], people[0].name.lower(), *pets]
    for contact, name in zip((last, *people), names, strict=False):
        change_contact(draw.state, contact.id, name=name)
    change_contact(draw.state, people[3].id, email="")
    change_contact(draw.state, people[4].id, email=f"old.{people[4].email}")
    rest = [contact for contact in mine if relation not in contact.relationships]
    change_contact(draw.state, rng.choice(rest).id, name=pets[5])
    return {"relation": relation, "kept": pets[4], "other_kept": pets[0]}


def _solve_wallet_names(state: State, me: Person, values: Values) -> Json:
    replaced: list[Json] = []
    for contact in state[Contact].of(me.id):
        person = next((one for one in state[Person] if one.email == contact.email), None)
        if person and values["relation"] in contact.relationships and contact.name not in (person.name, values["kept"]):
            replaced.append(contact.name)
            change_contact(state, contact.id, name=person.name)
    return replaced


def names_from_wallet(relationship: str, kept: str) -> list:
    """Give contacts of a relationship, but the one named `kept`, their wallet names by e-mail; return the old names."""
    users = all_pages(apis.wallet.search_users, access_token=login(app="wallet"))
    names = {user["email"]: user["name"] for user in users}
    token = login(app="phone")
    replaced = []
    for contact in all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship):
        name = names.get(contact["email"], contact["name"])
        if contact["name"] not in (name, kept):
            apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], name=name)
            replaced.append(contact["name"])
    return replaced


wallet_names = Family(
    name="wallet_names",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "kept": str},
    wordings=(
        "Rename every {relation} in my phone contacts whose name is not the one that wallet has for their e-mail to"
        ' just that name, except the one I call "{kept}". Who is not on wallet stays. Which names did you replace?',
        'So many pet names in my phone! Each contact who is a {relation}, only not "{kept}", should be called just as'
        " the wallet user of the same e-mail address; without such a user, leave it. Tell me the old names that go.",
        "What do I call people in my contacts that wallet calls something else? Look at those listed as {relation}, by"
        ' e-mail address, and put in the wallet name wherever it differs, be it in capitals only. "{kept}" may remain'
        " that. I want the list of names that you overwrote.",
        'Set the names of my {relation} contacts to their full names on wallet (same e-mail address). Leave "{kept}"'
        " out, and whoever wallet does not know. List the names that were in my phone before and had to be changed.",
        'Apart from "{kept}", everybody with the relationship {relation} in my phone should have the name there that'
        " belongs to their e-mail address in wallet, if it is known there. Correct those that read otherwise, upper and"
        " lower case included, and answer with their former names.",
    ),
    make=_make_wallet_names,
    solve=_solve_wallet_names,
    program=Program(functions=(names_from_wallet,), call="names_from_wallet(relationship={relation!r}, kept={kept!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_name_kept", swap={"kept": "other_kept"}),
        Mistake(name="everybody", old=", relationship=relationship)", new=")"),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="first_names", old=", name=name)\n", new=", name=name.split()[0])\n"),
        Mistake(name="new_names_told", old='replaced.append(contact["name"])', new="replaced.append(name)"),
    ),
)


# Deny the requests that were sent again later.


def _make_repeated_requests(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    notes = rng.sample("Raft trip|Tulip bulbs|Chess club|Quiz evening|Fondue|Moving van|Wool|Lake cabin".split("|"), 6)
    cents = [100 * rng.randint(6, 40) + 5 * n for n in range(7)]
    pending = [(0, 0, 0, 3), (0, 0, 0, 9), (0, 0, 0, 30), (0, 1, 1, 5), (0, 1, 1, 24), (1, 2, 2, 12), (1, 2, 2, 27)]
    pending += [(1, 2, 6, 2), (2, 2, 2, 7), (2, 3, 2, 6)]  # another amount, another sender, another note
    pending += [(3, 4, 4, 4), (4, 5, 5, 8), (4, 5, 5, 20)]  # once approved before; to be spared
    for who, note, amount, days in pending:
        asked(draw, people[who], me, notes[note], ago(draw, days), cents=cents[amount])
    asked(draw, people[3], me, notes[4], ago(draw, 21), cents=cents[4], status="approved")
    asked(draw, me, people[0], notes[1], ago(draw, 8), cents=cents[1])  # my own
    message = rng.choice(("You sent me the same thing again.", "One request is enough.", "I kept your newest request."))
    return {"person": people[4].name, "message": message, "other_person": people[1].name}


def _solve_repeated_requests(state: State, me: Person, values: Values) -> Json:
    spared = named(state, values["person"]).id
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    told = set()
    for row in rows:
        again = [one for one in rows if (one.requester, one.cents, one.note) == (row.requester, row.cents, row.note)]
        if row.requester != spared and any(one.created_at > row.created_at for one in again):
            deny(state, row.id)
            told.add(row.requester)
    for person in sorted(told):
        send_text(state, me.id, person, values["message"])


def deny_repeated(spared: str, message: str) -> int:
    """Deny the pending requests that their sender repeated later, but one person's, text each once; return how many."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    seen = set()
    repeaters = []
    for request in sorted(requests, key=lambda one: one["created_at"], reverse=True):
        sender = request["requester"]
        kind = (sender["email"], request["amount"], request["note"])
        if kind in seen and sender["name"] != spared:
            apis.wallet.deny_request(access_token=token, request_id=request["request_id"])
            repeaters.append(sender["email"])
        seen.add(kind)
    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}
    for email in dict.fromkeys(repeaters):
        apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[email], text=message)
    return len(repeaters)


repeated_requests = Family(
    name="repeated_requests",
    split="train",
    difficulty=3,
    apps=("wallet", "phone"),
    slots={"person": str, "message": str},
    wordings=(
        "Some people sent me a wallet request again. Where pending ones have the same sender, amount and note, deny all"
        ' but the newest, except those from {person}. Text "{message}" once to each person whose requests you deny.',
        "On wallet, turn down every open request to me that its sender repeated later with exactly the same amount and"
        ' note; only {person} may do that. Everybody whom you refuse something gets one text from me: "{message}"',
        "Clear out my unanswered wallet requests! Of those that one person made for the same amount with the same note,"
        " only the latest should stay pending, the earlier ones are to be denied. Do not touch what {person} sent. Then"
        ' write "{message}" in a single text to each person whose requests you denied.',
        'Send one text saying "{message}" to each of the people, other than {person}, who sent me pending wallet'
        " requests that are alike in amount and note, and deny all but the most recent of those that are alike.",
        "Same person, same amount, same note, not answered yet: of such wallet requests to me, deny all but the last"
        ' one, unless it is {person} who asks. Whoever gets a no also gets a text from me, one each: "{message}"',
    ),
    make=_make_repeated_requests,
    solve=_solve_repeated_requests,
    program=Program(functions=(deny_repeated,), call="deny_repeated(spared={person!r}, message={message!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_oldest_kept", old=", reverse=True", new=""),
        Mistake(name="any_amount", old='request["amount"], ', new=""),
        Mistake(name="any_sender", old='(sender["email"], request', new="(request"),
        Mistake(name="a_text_per_request", old="dict.fromkeys(repeaters)", new="repeaters"),
    ),
)

FAMILIES = (
    collect_from_relation,
    pay_relation,
    remind_debtors,
    collect_from_texters,
    adopt_texters,
    friends_of_one_kind,
    paid_by_speaker,
    wallet_names,
    repeated_requests,
)
