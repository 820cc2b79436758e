"""What the wallet app stores, and what can be done to it. Money is in cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from prowess_desk.engine.reading import insert, without
from prowess_desk.engine.tables import State


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletAccount:
    """One account. Its id is the person's."""

    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    cents: int
    friend_ids: tuple[int, ...]
    """Whom this account calls friends; a sorted set, and one-sided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Money that went from one account to another; found by sender and by receiver."""

    OWNER: ClassVar[str] = "parties"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)

    id: int
    sender: int
    receiver: int
    cents: int
    note: str
    private: bool
    liker_ids: tuple[int, ...] = ()
    created_at: datetime

    @property
    def parties(self) -> tuple[int, ...]:
        return self.sender, self.receiver


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentComment:
    """A remark on a payment."""

    OWNER: ClassVar[str] = "payment"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"payment": Payment}

    id: int
    payment: int
    author: int
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRequest:
    """One account asking another for money; found by both."""

    OWNER: ClassVar[str] = "parties"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)

    id: int
    requester: int
    payer: int
    cents: int
    note: str
    status: str
    """pending, approved or denied."""
    created_at: datetime

    @property
    def parties(self) -> tuple[int, ...]:
        return self.requester, self.payer


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentCard:
    """A bank card for putting money in and out; an owner's card names are unique."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    name: str
    number: str
    expiry_year: int
    expiry_month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTransfer:
    """Money that went between a card and the account."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"card": PaymentCard}

    id: int
    owner: int
    card: int
    kind: str
    """top_up or withdrawal."""
    cents: int
    created_at: datetime


def _move(state: State, account: int, cents: int) -> None:
    state[WalletAccount].change(account, cents=state[WalletAccount][account].cents + cents)


def transfer(state: State, sender: int, receiver: int, cents: int, note: str = "", *, private: bool = False) -> Payment:
    """Pay somebody from the balance."""
    _move(state, sender, -cents)
    _move(state, receiver, cents)
    return state[Payment].add(
        lambda id: Payment(
            id=id, sender=sender, receiver=receiver, cents=cents, note=note, private=private, created_at=state.now
        )
    )


def change_payment(state: State, payment: int, *, note: str | None = None, private: bool | None = None) -> Payment:
    """Change the note of a payment or who can see it; None leaves as is."""
    old = state[Payment][payment]
    return state[Payment].change(
        payment, note=old.note if note is None else note, private=old.private if private is None else private
    )


def like_payment(state: State, payment: int, liker: int) -> Payment:
    return state[Payment].change(payment, liker_ids=insert(state[Payment][payment].liker_ids, liker))


def unlike_payment(state: State, payment: int, liker: int) -> Payment:
    return state[Payment].change(payment, liker_ids=without(state[Payment][payment].liker_ids, liker))


def comment(state: State, payment: int, author: int, text: str) -> PaymentComment:
    """Remark on a payment."""
    return state[PaymentComment].add(
        lambda id: PaymentComment(id=id, payment=payment, author=author, text=text, created_at=state.now)
    )


def delete_comment(state: State, comment: int) -> None:
    state[PaymentComment].remove(comment)


def request(state: State, requester: int, payer: int, cents: int, note: str = "") -> PaymentRequest:
    """Ask somebody for money."""
    return state[PaymentRequest].add(
        lambda id: PaymentRequest(
            id=id, requester=requester, payer=payer, cents=cents, note=note, status="pending", created_at=state.now
        )
    )


def approve(state: State, request: int) -> Payment:
    """Pay what was asked for: the payment carries the request's note and is not private."""
    asked = state[PaymentRequest].change(request, status="approved")
    return transfer(state, asked.payer, asked.requester, asked.cents, asked.note)


def deny(state: State, request: int) -> PaymentRequest:
    """Refuse a request."""
    return state[PaymentRequest].change(request, status="denied")


def cancel(state: State, request: int) -> None:
    """Take back one's own request."""
    state[PaymentRequest].remove(request)


def add_card(state: State, owner: int, name: str, number: str, *, expiry_year: int, expiry_month: int) -> PaymentCard:
    return state[PaymentCard].add(
        lambda id: PaymentCard(
            id=id, owner=owner, name=name, number=number, expiry_year=expiry_year, expiry_month=expiry_month
        )
    )


def delete_card(state: State, card: int) -> None:
    state[PaymentCard].remove(card)


def top_up(state: State, card: int, cents: int) -> CardTransfer:
    """Put money from a card into its owner's balance."""
    return _card_transfer(state, card, cents, "top_up")


def withdraw(state: State, card: int, cents: int) -> CardTransfer:
    """Send money from the balance to a card."""
    return _card_transfer(state, card, cents, "withdrawal")


def _card_transfer(state: State, card: int, cents: int, kind: str) -> CardTransfer:
    owner = state[PaymentCard][card].owner
    _move(state, owner, cents if kind == "top_up" else -cents)
    return state[CardTransfer].add(
        lambda id: CardTransfer(id=id, owner=owner, card=card, kind=kind, cents=cents, created_at=state.now)
    )


def add_friend(state: State, owner: int, friend: int) -> None:
    state[WalletAccount].change(owner, friend_ids=insert(state[WalletAccount][owner].friend_ids, friend))


def remove_friend(state: State, owner: int, friend: int) -> None:
    state[WalletAccount].change(owner, friend_ids=without(state[WalletAccount][owner].friend_ids, friend))
