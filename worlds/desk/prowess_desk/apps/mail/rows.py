"""What mailboxes keep, and the changes that can be made to them.

A mail is one row in each mailbox it lies in: sending to two people adds one row to `sent` and two to inboxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import labels as tidy
from prowess_desk.engine.reading import without
from prowess_desk.engine.tables import State

FOLDERS = ("inbox", "sent", "drafts", "archive", "spam", "trash")
COMPANIES = {
    "orders@pinecart.example": "Pinecart Shop",
    "billing@voltline.example": "Voltline Power",
    "billing@clearpipe.example": "Clearpipe Water",
    "billing@skylark-net.example": "Skylark Internet",
    "billing@homeguard.example": "Homeguard Insurance",
    "billing@tempogym.example": "Tempo Gym",
    "news@dailybrick.example": "The Daily Brick",
    "news@trailpost.example": "Trail Post",
    "news@forkandspoon.example": "Fork & Spoon Weekly",
    "offers@luckyprize.example": "Lucky Prize",
    "offers@cheapwatches.example": "Cheap Watches",
}
"""Addresses that belong to no person, and who they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """One mail in one mailbox."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("sent_at",)

    id: int
    owner: int
    sender: str
    recipients: tuple[str, ...]
    """E-mail addresses, sorted."""
    subject: str
    body: str
    sent_at: datetime
    """When it was sent, or last written for a draft."""
    read: bool
    folder: str
    starred: bool = False
    labels: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    """Names of files."""
    thread: int = 0
    """The same number for a mail and its replies; 0 for one that starts a thread, whose number is then its id."""


def addresses(recipients: Sequence[str]) -> tuple[str, ...]:
    """Recipients as rows hold them: lower case, sorted, each once."""
    return tuple(sorted({address.strip().lower() for address in recipients}))


def send(
    state: State,
    sender: int,
    recipients: Sequence[str],
    subject: str,
    body: str,
    attachments: Sequence[str] = (),
    *,
    thread: int = 0,
) -> Mail:
    """Send a mail: a copy in the sender's `sent`, one in the inbox of each recipient who is a person."""
    kept = draft(state, sender, recipients, subject, body, attachments, thread=thread)
    return send_draft(state, kept.id)


def draft(
    state: State,
    owner: int,
    recipients: Sequence[str],
    subject: str,
    body: str,
    attachments: Sequence[str] = (),
    *,
    thread: int = 0,
) -> Mail:
    """Keep a mail for later."""
    return state[Mail].add(
        lambda id: Mail(
            id=id,
            owner=owner,
            sender=state[Person][owner].email,
            recipients=addresses(recipients),
            subject=subject,
            body=body,
            sent_at=state.now,
            read=True,
            folder="drafts",
            attachments=tuple(attachments),
            thread=thread,
        )
    )


def send_draft(state: State, draft: int) -> Mail:
    """Send what was kept for later."""
    mail = state[Mail].change(draft, folder="sent", sent_at=state.now)
    deliver(state, mail)
    return mail


def deliver(state: State, mail: Mail) -> None:
    """Put a copy of a sent mail into the inbox of each recipient who is a person."""
    for person in state[Person]:
        if person.email in mail.recipients:
            receive(state, person.id, mail.sender, mail.subject, mail.body, mail.attachments, mail=mail)


def receive(
    state: State,
    owner: int,
    sender: str,
    subject: str,
    body: str,
    attachments: Sequence[str] = (),
    *,
    mail: Mail | None = None,
    sent_at: datetime | None = None,
) -> Mail:
    """Put an unread mail into one inbox, from a person or a company; of use to set a scene."""
    return state[Mail].add(
        lambda id: Mail(
            id=id,
            owner=owner,
            sender=sender,
            recipients=mail.recipients if mail else (state[Person][owner].email,),
            subject=subject,
            body=body,
            sent_at=sent_at or state.now,
            read=False,
            folder="inbox",
            attachments=tuple(attachments),
            thread=mail.thread if mail else 0,
        )
    )


def reply(state: State, owner: int, mail: int, body: str, *, all: bool = False) -> Mail:
    """Answer a mail: to who sent it (or, for one's own, to whom it went), or to everybody on it."""
    old = state[Mail][mail]
    me = state[Person][owner].email
    to = [old.sender, *(old.recipients if all or old.sender == me else ())]
    return send(
        state,
        owner,
        [address for address in to if address != me] or [me],
        old.subject if old.subject.startswith("Re: ") else f"Re: {old.subject}",
        body,
        thread=old.thread or old.id,
    )


def forward(state: State, owner: int, mail: int, recipients: Sequence[str], comment: str = "") -> Mail:
    """Send a mail on, with a comment above it."""
    old = state[Mail][mail]
    subject = old.subject if old.subject.startswith("Fwd: ") else f"Fwd: {old.subject}"
    body = f"{comment}\n\n--- Forwarded from {old.sender} ---\n{old.body}".lstrip()
    return send(state, owner, recipients, subject, body, old.attachments)


def mark(state: State, mail: int, *, read: bool) -> Mail:
    """Mark as read or unread."""
    return state[Mail].change(mail, read=read)


def star(state: State, mail: int, *, starred: bool = True) -> Mail:
    """Star, or take the star away."""
    return state[Mail].change(mail, starred=starred)


def label(state: State, mail: int, name: str) -> Mail:
    """Add a label."""
    return state[Mail].change(mail, labels=tidy((*state[Mail][mail].labels, name)))


def unlabel(state: State, mail: int, name: str) -> Mail:
    """Take a label away."""
    return state[Mail].change(mail, labels=without(state[Mail][mail].labels, name.lower()))


def file_under(state: State, mail: int, folder: str) -> Mail:
    """Move to a folder."""
    return state[Mail].change(mail, folder=folder)


def delete(state: State, mail: int) -> None:
    """Move to the trash; what lies there already, and a draft, is gone for good."""
    if state[Mail][mail].folder in ("trash", "drafts"):
        state[Mail].remove(mail)
    else:
        state[Mail].change(mail, folder="trash")
