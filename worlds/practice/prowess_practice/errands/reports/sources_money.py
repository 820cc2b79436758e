"""Payments, requests, transfers and expenses to report on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person

from prowess_practice.drills.conditions import before, since
from prowess_practice.drills.listings_money import OVER
from prowess_practice.errands.people.scene import commented, got_request, more_of, sent_request
from prowess_practice.errands.reports.groups import Key, ReportField
from prowess_practice.errands.reports.sources import ReportSource, day, kin, month, person, weekday
from prowess_practice.errands.transfers import money
from prowess_practice.errands.transfers.parts import RowPool

_WALLET, _SPLITS = "access_token=wallet_token", "access_token=splits_token"
_TIMES = (
    since("created_at", "on or after {since}", "made since a day"),
    before("created_at", "before {before}", "made before a day"),
)
_SENT = replace(money.SENT, conditions=(*money.SENT.conditions[:2], *_TIMES))
_RECEIVED = replace(money.RECEIVED, conditions=(*money.RECEIVED.conditions[:2], *_TIMES))
AMOUNT = ReportField(word="amount", code='ROW["amount"]', one="amount", many="amounts", money=True)
MADE = day("created_at")
_NOTES = ReportField(word="notes", code='ROW["note"]', one="note", many="notes", repeats=True)
_LIKES = ReportField(word="likes", code='ROW["like_count"]', one="like count", many="like counts")
_STATUS = Key(word="status", code='ROW["status"]', called="status", of="with that status")
_DIRECTION = Key(
    word="way",
    code='ROW["direction"]',
    called="direction",
    of="in that direction",
    hint="The directions are called sent and received.",
)
_NOTE = Key(word="purpose", code='ROW["note"]', called="note", of="with that note")


def _requests(word: str, api: str, says: str, adds: Callable[[Draw, Person], None]) -> RowPool:
    return RowPool(
        app="wallet",
        word=word,
        row="request",
        one=f"payment request that I {says}",
        many=f"payment requests that I {says}",
        reading=f"    requests = all_pages(apis.wallet.{api}, {_WALLET})\n",
        conditions=(OVER,),
        scene=lambda draw: more_of(draw, adds),
    )


_ASKED = _requests("sent_requests", "show_sent_requests", "sent with the wallet", sent_request)
_GOT = _requests("received_requests", "show_received_requests", "got in the wallet", got_request)
_CARD = Key(
    word="card_name",
    code='names[ROW["card_id"]]',
    called="card",
    of="with that card",
    hint="Cards are called by their names.",
    prelude=(
        f"    cards = apis.wallet.show_cards({_WALLET})\n"
        '    names = {card["card_id"]: card["name"] for card in cards}\n'
    ),
)
_TRANSFERS = RowPool(
    app="wallet",
    word="card_transfers",
    row="transfer",
    one="transfer between a card of mine and the wallet",
    many="transfers between my cards and the wallet",
    reading=f"    transfers = all_pages(apis.wallet.show_card_transfers, {_WALLET})\n",
)
_COMMENTS = RowPool(
    app="wallet",
    word="payment_comments",
    row="comment",
    one="comment on a transaction in my wallet",
    many="comments on the transactions in my wallet",
    scene=lambda draw: more_of(draw, commented),
    reading=(
        "    comments = []\n"
        f"    for deal in all_pages(apis.wallet.show_transactions, {_WALLET}):\n"
        '        payment_id = deal["transaction_id"]\n'
        "        comments += all_pages(\n"
        f"            apis.wallet.show_transaction_comments, {_WALLET}, transaction_id=payment_id\n"
        "        )\n"
    ),
)
_GROUP = Key(
    word="group_name",
    code='names[ROW["group_id"]]',
    called="group",
    of="in that group",
    prelude=(
        f"    groups = all_pages(apis.splits.show_groups, {_SPLITS})\n"
        '    names = {group["group_id"]: group["name"] for group in groups}\n'
    ),
)
_SHARED = replace(
    money.EXPENSES,
    word="group_expenses",
    one="group expense of mine on splits",
    many="group expenses of mine on splits",
    reading=(
        f"    every_expense = all_pages(apis.splits.show_expenses, {_SPLITS})\n"
        '    expenses = [expense for expense in every_expense if expense["group_id"]]\n'
    ),
)
_SHARES = RowPool(
    app="splits",
    word="shares",
    row="share",
    one="share in an expense of mine on splits",
    many="shares that people (I, too) have in the expenses of mine on splits",
    reading=(
        f"    expenses = all_pages(apis.splits.show_expenses, {_SPLITS})\n"
        '    shares = [share for expense in expenses for share in expense["shares"]]\n'
    ),
)
_GROUP_SHARES = replace(
    _SHARES,
    word="shares_in_group",
    one='share in an expense of the splits group "{group}"',
    many='shares that people have in the expenses of the splits group "{group}"',
    reading=(f'{money.IN_GROUP.reading}    shares = [share for expense in expenses for share in expense["shares"]]\n'),
    slots=money.IN_GROUP.slots,
)
_SHARER = Key(word="person", code='ROW["name"]', called="person", of="of that person")
_PAYER = person("paid_by", "payer", "paid by that person")
_WHAT = ReportField(
    word="descriptions", code='ROW["description"]', one="description", many="descriptions", repeats=True
)
_HEADS = ReportField(
    word="sharers", code='len(ROW["shares"])', one="number of sharing people", many="numbers of people who share them"
)

MONEY = (
    ReportSource(
        pool=_SENT,
        keys=(
            person("receiver", "receiver", "to that person"),
            month("created_at"),
            weekday("created_at"),
            kin("receiver", "receiver", "to people of that relationship"),
        ),
        numbers=(AMOUNT,),
        days=(MADE,),
        names=(_NOTES,),
    ),
    ReportSource(
        pool=_RECEIVED,
        keys=(
            person("sender", "sender", "from that person"),
            kin("sender", "sender", "from people of that relationship"),
            month("created_at"),
        ),
        numbers=(AMOUNT, _LIKES),
        days=(MADE,),
        names=(_NOTES,),
    ),
    ReportSource(pool=money.PAYMENTS, keys=(_NOTE, _DIRECTION, weekday("created_at")), numbers=(AMOUNT,), days=(MADE,)),
    ReportSource(
        pool=_ASKED,
        keys=(person("payer", "asked person", "to that person"), _STATUS),
        numbers=(AMOUNT,),
        days=(MADE,),
        names=(_NOTES,),
    ),
    ReportSource(
        pool=_GOT,
        keys=(person("requester", "requester", "from that person"), _STATUS, month("created_at")),
        numbers=(AMOUNT,),
        names=(_NOTES,),
    ),
    ReportSource(pool=_TRANSFERS, keys=(_CARD, month("created_at")), numbers=(AMOUNT,), days=(MADE,)),
    ReportSource(
        pool=_COMMENTS, keys=(person("author", "author", "by that person"), month("created_at")), days=(MADE,)
    ),
    ReportSource(
        pool=money.EXPENSES,
        keys=(
            _PAYER,
            month("created_at"),
            weekday("created_at"),
            kin("paid_by", "payer", "paid by people of that relationship"),
        ),
        numbers=(AMOUNT, _HEADS),
        days=(MADE,),
        names=(_WHAT,),
    ),
    ReportSource(pool=_SHARED, keys=(_GROUP,), numbers=(AMOUNT,), days=(MADE,), names=(_WHAT,)),
    ReportSource(
        pool=money.IN_GROUP, keys=(_PAYER, month("created_at")), numbers=(AMOUNT,), days=(MADE,), names=(_WHAT,)
    ),
    ReportSource(pool=_SHARES, keys=(_SHARER,), numbers=(AMOUNT,)),
    ReportSource(pool=_GROUP_SHARES, keys=(_SHARER,), numbers=(AMOUNT,)),
)
