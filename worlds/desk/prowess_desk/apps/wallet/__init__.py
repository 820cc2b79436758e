"""The wallet app: a balance, payments between people, requests for money, and cards."""

from __future__ import annotations

# Their APIs are documented in the order in which they are imported here.
from prowess_desk.apps.wallet import balance, transactions, requests, cards, friends  # isort: skip
from prowess_desk.apps.wallet.app import wallet
from prowess_desk.apps.wallet.rows import (
    CardTransfer,
    Payment,
    PaymentCard,
    PaymentComment,
    PaymentRequest,
    WalletAccount,
    add_card,
    add_friend,
    approve,
    cancel,
    change_payment,
    comment,
    delete_card,
    delete_comment,
    deny,
    like_payment,
    remove_friend,
    request,
    top_up,
    transfer,
    unlike_payment,
    withdraw,
)

__all__ = [
    "CardTransfer",
    "Payment",
    "PaymentCard",
    "PaymentComment",
    "PaymentRequest",
    "WalletAccount",
    "add_card",
    "add_friend",
    "approve",
    "balance",
    "cancel",
    "cards",
    "change_payment",
    "comment",
    "delete_card",
    "delete_comment",
    "deny",
    "friends",
    "like_payment",
    "remove_friend",
    "request",
    "requests",
    "top_up",
    "transactions",
    "transfer",
    "unlike_payment",
    "wallet",
    "withdraw",
]
