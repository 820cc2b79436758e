"""What mailboxes hold at first: of orders, bills, invitations, money and meetings, in sentences a program can read."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.mail.rows import COMPANIES, Mail
from prowess_desk.apps.shop.rows import Order, Product
from prowess_desk.data import shop
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import labels
from prowess_desk.engine.tables import Base

SHOP = "orders@pinecart.example"
BILLERS = tuple(address for address in COMPANIES if address.startswith("billing@"))
PAPERS = tuple(address for address in COMPANIES if address.startswith("news@"))
OFFERS = tuple(address for address in COMPANIES if address.startswith("offers@"))
EVENTS = (
    "board game night",
    "birthday dinner",
    "garden party",
    "film evening",
    "picnic",
    "housewarming",
    "karaoke night",
    "brunch",
    "pottery workshop",
    "barbecue",
)
EXPENSES = ("groceries", "concert tickets", "taxi", "pizza", "museum entry", "birthday present", "cleaning supplies")
TOPICS = ("budget", "launch", "hiring", "website", "office move", "training", "customer survey", "safety")
ACTIONS = (
    "prepare the figures",
    "call the supplier",
    "draft the announcement",
    "book the room",
    "collect feedback",
    "update the timeline",
    "check the contract",
)
HEADLINES = ("Spring trails", "Five quick soups", "The old bridge", "Bread at home", "City lights", "Quiet islands")
LABELS = ("work", "family", "travel", "important", "later")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Letter:
    """A mail before it is copied into mailboxes."""

    at: datetime
    sender: str
    to: tuple[str, ...]
    subject: str
    body: str
    attachments: tuple[str, ...] = ()
    answers: _Letter | None = None
    folder: str = field(default="inbox", compare=False)
    """Where it lies with its recipients; `drafts` for one that was not sent."""


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The mailboxes' table at first."""
    rng = random.Random(derive(seed, "mail"))
    known = {person.id: person for person in people}
    letters = list(_of_orders(shop.held(seed, tuple(people), now), known, now))
    for person in people:
        letters += _from_companies(rng, person, now)
        letters += _between_people(rng, person, known, now)
    return [Base(Mail, _copies(rng, letters, people, now))]


def _of_orders(bases: Sequence[Base[Any]], known: Mapping[int, Person], now: datetime) -> Iterator[_Letter]:
    """A confirmation for every order, and word of recent ones that shipped or arrived."""
    orders = next(base.rows for base in bases if base.kind is Order)
    names = {id: product.name for id, product in next(base.rows for base in bases if base.kind is Product).items()}
    for order in orders.values():
        to = (known[order.owner].email,)
        subject, body = confirmation(order, names)
        yield _Letter(at=order.placed_at, sender=SHOP, to=to, subject=subject, body=body)
        if order.status == "shipped" or (order.tracking and now - order.placed_at < timedelta(days=90)):
            subject, body = shipment(order)
            at = order.placed_at + timedelta(minutes=min(1440, int((now - order.placed_at).total_seconds() // 120)))
            yield _Letter(at=at, sender=SHOP, to=to, subject=subject, body=body)


def confirmation(order: Order, names: Mapping[int, str]) -> tuple[str, str]:
    """Subject and text of the mail that confirms an order; `names` are those of the products."""
    items = "\n".join(f"- {line.quantity} x {names[line.product_id]}" for line in order.lines)
    body = f"Thank you for your order.\nOrder number: {order.id}\nTotal: ${order.total / 100:.2f}\nItems:\n{items}"
    return f"Order {order.id} confirmed", body


def shipment(order: Order) -> tuple[str, str]:
    """Subject and text of the mail that says an order is on its way."""
    body = (
        f"Your order is on its way.\nOrder number: {order.id}\nTracking number: {order.tracking}\n"
        f"Expected delivery: {order.expected}"
    )
    return f"Order {order.id} has shipped", body


def _from_companies(rng: random.Random, person: Person, now: datetime) -> Iterator[_Letter]:
    numbers = iter(rng.sample(range(1000, 10_000), 2 * len(BILLERS)))
    for biller in BILLERS:
        for _ in range(rng.randint(0, 2)):
            at = _past(rng, now, 120)
            number = f"INV-{person.id:02d}{next(numbers)}"
            body = (
                f"Dear {person.first},\nthis is your invoice from {COMPANIES[biller]}.\nInvoice number: {number}\n"
                f"Amount due: ${rng.randint(1200, 24000) / 100:.2f}\nDue date: {(at + timedelta(days=30)).date()}"
            )
            yield _Letter(
                at=at,
                sender=biller,
                to=(person.email,),
                subject=f"Invoice {number} from {COMPANIES[biller]}",
                body=body,
                attachments=(f"{number}.pdf",),
            )
    for paper in rng.sample(PAPERS, 2):
        for headline in rng.sample(HEADLINES, rng.randint(2, 3)):
            body = f"In this issue: {headline}.\nYou receive this newsletter because you signed up for it."
            subject = f"{COMPANIES[paper]}: {headline}"
            yield _Letter(at=_past(rng, now, 200), sender=paper, to=(person.email,), subject=subject, body=body)
    for offer in OFFERS:
        yield _Letter(
            at=_past(rng, now, 60),
            sender=offer,
            to=(person.email,),
            subject=f"{COMPANIES[offer]}: you have been chosen",
            body=f"Dear {person.email}, claim your voucher of ${rng.randint(5, 90) * 10} today.",
            folder=rng.choice(("spam", "spam", "inbox")),
        )


def _between_people(
    rng: random.Random, person: Person, known: Mapping[int, Person], now: datetime
) -> Iterator[_Letter]:
    near = [known[id] for relation in ("friend", "roommate", "sibling") for id in person.related(relation)]
    for event in rng.sample(EVENTS, rng.randint(1, 2)):
        yield from _invitation(rng, person, rng.sample(near, min(len(near), rng.randint(2, 4))), event, now)
    for debtor, expense in zip(rng.sample(near, 2), rng.sample(EXPENSES, 2), strict=True):
        amount = rng.randint(450, 8500) / 100
        body = (
            f"Hi {debtor.first},\nI paid for the {expense}. Your share is ${amount:.2f}. "
            f"Please send it to me when you can.\n{person.first}"
        )
        yield _Letter(
            at=_past(rng, now, 60),
            sender=person.email,
            to=(debtor.email,),
            subject=f"What you owe {person.first} for the {expense}",
            body=body,
        )
    colleagues = [known[id] for id in person.related("coworker")]
    if colleagues:
        yield _minutes(rng, person, colleagues, now)
    for friend in rng.sample(near, rng.randint(1, 2)):
        yield _Letter(
            at=_past(rng, now, 20),
            sender=person.email,
            to=(friend.email,),
            subject=f"Plans with {friend.first}",
            body=f"Hi {friend.first},\nshall we meet next week? I thought of the {rng.choice(EVENTS)} idea.",
            folder="drafts",
        )


def _invitation(rng: random.Random, host: Person, guests: list[Person], event: str, now: datetime) -> Iterator[_Letter]:
    """An invitation to something within three weeks, and what some guests answered."""
    at = _past(rng, now, 12)
    when = now + timedelta(days=rng.randint(2, 21))
    letter = _Letter(
        at=at,
        sender=host.email,
        to=tuple(sorted(guest.email for guest in guests)),
        subject=f"Invitation: {event} at {host.first}'s",
        body=f"You are invited to a {event}.\nDate: {when:%Y-%m-%d}\nTime: {rng.randint(11, 20)}:00\n"
        f"Place: {host.address}, {host.city}\nPlease reply by {when - timedelta(days=1):%Y-%m-%d}.\n{host.first}",
    )
    yield letter
    for guest in guests:
        if rng.random() < 0.5:
            answer = rng.choice(("Yes, I will come.", "Sorry, I cannot come."))
            yield _Letter(
                at=at + timedelta(minutes=rng.randint(5, max(6, int((now - at).total_seconds() // 60) - 5))),
                sender=guest.email,
                to=(host.email,),
                subject=f"Re: {letter.subject}",
                body=f"{answer}\n{guest.first}",
                answers=letter,
            )


def _minutes(rng: random.Random, person: Person, colleagues: list[Person], now: datetime) -> _Letter:
    """What was agreed in a meeting: one action for each colleague, with the day it is due."""
    at = _past(rng, now, 20)
    topic = rng.choice(TOPICS)
    actions = rng.sample(ACTIONS, len(colleagues))
    lines = [
        f"Action for {who.first}: {what} by {(now + timedelta(days=rng.randint(1, 20))).date()}"
        for who, what in zip(colleagues, actions, strict=True)
    ]
    return _Letter(
        at=at,
        sender=person.email,
        to=tuple(sorted(who.email for who in colleagues)),
        subject=f"Minutes: {topic} meeting of {person.first}",
        body="\n".join(["Thank you all for coming. We agreed on this:", *lines]),
        attachments=(f"minutes-{topic.replace(' ', '-')}.txt",),
    )


def _past(rng: random.Random, now: datetime, days: int) -> datetime:
    return now - timedelta(minutes=rng.randint(60, days * 1440))


def _copies(rng: random.Random, letters: list[_Letter], people: Sequence[Person], now: datetime) -> list[Mail]:
    """Each letter in the mailbox of who sent it and of who received it, in order of time."""
    owner = {person.email: person.id for person in people}
    threads: dict[int, int] = {}
    found: list[Mail] = []
    for letter in sorted(letters, key=lambda one: one.at):
        thread = threads[id(letter.answers)] if letter.answers else len(found) + 1
        threads[id(letter)] = thread

        def keep(mailbox: str, folder: str, read: bool, letter: _Letter = letter, thread: int = thread) -> None:
            lively = folder not in ("spam", "drafts")
            found.append(
                Mail(
                    id=len(found) + 1,
                    owner=owner[mailbox],
                    sender=letter.sender,
                    recipients=letter.to,
                    subject=letter.subject,
                    body=letter.body,
                    sent_at=letter.at,
                    read=read,
                    folder=folder,
                    starred=lively and rng.random() < 0.1,
                    labels=labels(rng.sample(LABELS, 1)) if lively and rng.random() < 0.2 else (),
                    attachments=letter.attachments,
                    thread=thread,
                )
            )

        if letter.folder == "drafts":
            keep(letter.sender, "drafts", True)
            continue
        if letter.sender in owner:
            keep(letter.sender, "sent", True)
        old = now - letter.at > timedelta(days=30)
        for address in letter.to:
            folder = letter.folder
            if folder == "inbox" and old:
                folder = rng.choice(("inbox", "inbox", "archive", "archive", "trash"))
            keep(address, folder, rng.random() < (0.9 if old else 0.5))
    return found
