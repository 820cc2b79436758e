"""What the wallet app holds at first: payments and requests between people who know each other, and cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.wallet import CardTransfer, Payment, PaymentCard, PaymentComment, PaymentRequest, WalletAccount
from prowess_desk.data.moments import moment, moments, pairs
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base

NOTES = {
    "roommate": "Rent|Electricity bill|Internet bill|Groceries|Cleaning supplies|Water bill|Pizza night|New toaster",
    "coworker": "Lunch|Coffee run|Farewell gift|Taxi to the airport|Team dinner|Parking|Office snacks|Conference badge",
    "friend": "Concert tickets|Movie night|Weekend trip|Birthday gift|Board game|Brunch|Bowling|Museum tickets",
    "sibling": "Gift for mom|Phone bill|Train tickets|Family dinner|Game console|Streaming plan|Haircut|Bike repair",
    "parent": "Groceries|School books|Car insurance|Medicine|Garden tools|Family dinner|Winter coat|Phone bill",
}
_ASKS = """Shared taxi|Theater tickets|Dinner at the pier|Camping gear|Museum day|Cooking class|Picnic food|Ski passes|
Escape room|Book club|Ferry tickets|Cake for the party|Hotel deposit|Printer paper|Plant shop|Boat rental|Karaoke night|
Fuel for the trip|Surprise gift|Yoga class""".replace("\n", "").split("|")
_REMARKS = ("Thanks!", "Got it.", "See you soon.", "That was fun.", "Much appreciated.", "Anytime.")
_CARDS = ("Everyday Debit", "Blue Credit", "Travel Card", "Savings Debit", "Family Card")


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """Accounts, payments with comments, requests, and cards with their transfers."""
    rng = random.Random(derive(seed, "wallet"))
    payments = _payments(rng, people, now)
    requests = _requests(rng, people, now)
    due = {person.id: 0 for person in people}
    for request in requests:
        if request.status == "pending":
            due[request.payer] += request.cents
    accounts = [
        WalletAccount(
            id=person.id,
            # Everybody can pay all that is asked of them, and then some.
            cents=due[person.id] + rng.randint(20_000, 90_000),
            friend_ids=tuple(sorted(id for id, _ in person.relations if rng.random() < 0.75)),
        )
        for person in people
    ]
    comments: list[PaymentComment] = []
    for payment in payments:
        if rng.random() < 0.15:
            comments.append(
                PaymentComment(
                    id=len(comments) + 1,
                    payment=payment.id,
                    author=rng.choice(payment.parties),
                    text=rng.choice(_REMARKS),
                    created_at=payment.created_at.replace(hour=23),
                )
            )
    cards, transfers = _cards(rng, people, now)
    return [
        Base(WalletAccount, accounts),
        Base(Payment, payments),
        Base(PaymentComment, comments),
        Base(PaymentRequest, requests),
        Base(PaymentCard, cards),
        Base(CardTransfer, transfers),
    ]


def _amount(rng: random.Random) -> int:
    """Usually a round sum, sometimes an odd one."""
    return rng.randint(8, 180) * 100 if rng.random() < 0.6 else rng.randint(500, 12_000)


def _payments(rng: random.Random, people: Sequence[Person], now: datetime) -> list[Payment]:
    drafts = []
    for a, b, relation in pairs(people):
        notes = NOTES["parent" if relation == "child" else relation].split("|")
        for note in rng.sample(notes, rng.randint(1, 4)):
            sender, receiver = (a, b) if rng.random() < 0.5 else (b, a)
            drafts.append((moment(rng, now), sender, receiver, note))
    return [
        Payment(
            id=n + 1,
            sender=sender,
            receiver=receiver,
            cents=_amount(rng),
            note=note,
            private=rng.random() < 0.3,
            liker_ids=(receiver,) if rng.random() < 0.3 else (),
            created_at=when,
        )
        for n, (when, sender, receiver, note) in enumerate(sorted(drafts))
    ]


def _requests(rng: random.Random, people: Sequence[Person], now: datetime) -> list[PaymentRequest]:
    """Three to five pending ones for everybody, each from somebody else and for something else, and older ones."""
    drafts = []
    for payer in people:
        known = [id for id, _ in payer.relations]
        askers = rng.sample(known, min(len(known), rng.randint(5, 8)))
        pending = rng.randint(3, 5)
        for n, (asker, note) in enumerate(zip(askers, rng.sample(_ASKS, len(askers)), strict=True)):
            if n < pending:
                drafts.append((moment(rng, now, days=45), asker, payer.id, note, "pending"))
            else:
                drafts.append((moment(rng, now), asker, payer.id, note, rng.choice(("approved", "denied"))))
    return [
        PaymentRequest(
            id=n + 1, requester=asker, payer=payer, cents=_amount(rng), note=note, status=status, created_at=when
        )
        for n, (when, asker, payer, note, status) in enumerate(sorted(drafts))
    ]


def _cards(rng: random.Random, people: Sequence[Person], now: datetime) -> tuple[list[PaymentCard], list[CardTransfer]]:
    """Two or three cards each, the first always valid, one in four of the others ended."""
    cards: list[PaymentCard] = []
    transfers: list[CardTransfer] = []
    for person in people:
        for n, name in enumerate(rng.sample(_CARDS, rng.randint(2, 3))):
            ended = n > 0 and rng.random() < 0.25
            cards.append(
                PaymentCard(
                    id=len(cards) + 1,
                    owner=person.id,
                    name=name,
                    number=f"4{rng.randrange(10**15):015d}",
                    expiry_year=now.year - 1 if ended else now.year + rng.randint(1, 4),
                    expiry_month=rng.randint(1, 12),
                )
            )
            if not ended:
                for when in moments(rng, now, rng.randint(1, 3)):
                    transfers.append(
                        CardTransfer(
                            id=len(transfers) + 1,
                            owner=person.id,
                            card=len(cards),
                            kind=rng.choice(("top_up", "withdrawal")),
                            cents=rng.randint(2, 40) * 1_000,
                            created_at=when,
                        )
                    )
    return cards, transfers
