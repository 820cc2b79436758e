"""What families set their scenes with: past payments, requests and texts between the people of a case."""

from __future__ import annotations

from datetime import datetime, timedelta

from prowess_desk.apps.phone import Contact, TextMessage, change_contact
from prowess_desk.apps.wallet import Payment, PaymentRequest, WalletAccount
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State


def acquaintances(draw: Draw) -> list[Person]:
    """Everybody the supervisor knows, in any order."""
    found = [draw.state[Person][id] for id, _ in draw.me.relations]
    return draw.rng.sample(found, len(found))


def in_contacts(state: State, me: Person, relation: str) -> list[Person]:
    """The people whom the supervisor's contacts call this."""
    emails = {contact.email for contact in state[Contact].of(me.id) if relation in contact.relationships}
    return [person for person in state[Person] if person.email in emails]


def widened(draw: Draw, relation: str, other: str, least: int = 6) -> bool:
    """Have more than a page of contacts of a relation: some who are neither this nor the other become it, too."""
    contacts = draw.state[Contact].of(draw.me.id)
    rest = [row for row in contacts if not {relation, other} & set(row.relationships)]
    missing = least - sum(relation in row.relationships for row in contacts)
    if len(rest) < missing + 2:
        return False
    for row in draw.rng.sample(rest, max(0, missing)):
        change_contact(draw.state, row.id, relationships=(*row.relationships, relation))
    return True


def paid(draw: Draw, sender: Person, receiver: Person, note: str, when: datetime) -> Payment:
    """A payment of the past: balances stay as they are."""
    cents = draw.rng.randint(501, 9_000)
    return draw.state[Payment].add(
        lambda id: Payment(
            id=id, sender=sender.id, receiver=receiver.id, cents=cents, note=note, private=False, created_at=when
        )
    )


def asked(
    draw: Draw, requester: Person, payer: Person, note: str, when: datetime, *, cents: int = 0, status: str = "pending"
) -> PaymentRequest:
    """A request of the past, and the money to pay it."""
    cents = cents or draw.rng.randint(501, 9_000)
    account = draw.state[WalletAccount][payer.id]
    draw.state[WalletAccount].change(payer.id, cents=account.cents + cents)
    return draw.state[PaymentRequest].add(
        lambda id: PaymentRequest(
            id=id, requester=requester.id, payer=payer.id, cents=cents, note=note, status=status, created_at=when
        )
    )


def ago(draw: Draw, days: float) -> datetime:
    """About so many days before now."""
    return draw.state.now - timedelta(days=days, minutes=draw.rng.randint(1, 600))


def named(state: State, name: str) -> Person:
    """Who has this full name."""
    return next(person for person in state[Person] if person.name == name)


def texted(draw: Draw, sender: Person, receiver: Person, text: str, when: datetime) -> TextMessage:
    """A text message of the past."""
    return draw.state[TextMessage].add(
        lambda id: TextMessage(
            id=id, sender=sender.id, receiver=receiver.id, text=text, sent_at=when, holders=(sender.id, receiver.id)
        )
    )


def widened_circle(draw: Draw, least: int) -> tuple[str, str, list[Person], Person] | None:
    """A relation that many contacts are, another, the people of the first in any order, and one of the other."""
    relation, other = draw.rng.sample(("roommate", "coworker", "friend"), 2)
    rest = in_contacts(draw.state, draw.me, other)
    if not rest or not widened(draw, relation, other, least=least):
        return None
    circle = in_contacts(draw.state, draw.me, relation)
    return relation, other, draw.rng.sample(circle, len(circle)), draw.rng.choice(rest)


def contact_called(state: State, me: Person, name: str) -> Contact:
    return next(row for row in state[Contact].of(me.id) if row.name == name)
