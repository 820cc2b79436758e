"""Payments, requests and expenses: what other listings say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listings_money import MONEY, OVER, WORDS
from prowess_practice.drills.listings_within import WITHIN
from prowess_practice.errands.transfers.parts import RowPool, RowSink, Tie, calling, gathering, one_of, pool
from prowess_practice.errands.transfers.scene import also_notes, also_tasks, payments_of, requests_of
from prowess_practice.errands.transfers.sinks import (
    COUNT,
    adding,
    each,
    filing,
    foremost,
    naming,
    noting,
    tasking,
    telling_apart,
)

_WALLET, _SPLITS = "access_token=wallet_token", "access_token=splits_token"
_LISTED = {listing.word: listing for listing in MONEY}
_PAID = tuple(
    one
    for one in _LISTED["transactions"].conditions
    if one.word in ("over_amount", "under_amount", "from_created_at", "until_created_at")
)


def _sent(direction: str, words: str) -> RowPool:
    return RowPool(
        app="wallet",
        word=f"{direction}_payments",
        row="payment",
        one=f"payment I {words} on the wallet",
        many=f"payments I {words} on the wallet",
        reading=f'    payments = all_pages(apis.wallet.show_transactions, {_WALLET}, direction="{direction}")\n',
        name="note",
        conditions=_PAID,
        has=("sent",) if direction == "sent" else (),
    )


SENT, RECEIVED = _sent("sent", "sent"), _sent("received", "received")
PAYMENTS = pool(_LISTED["transactions"], conditions=_PAID, shuns=("to_friend",))
DESCRIBED = Tie(
    word="with_expense",
    yes="with a note that is also the description of an expense of mine on splits",
    no="with a note that no expense of mine on splits has as its description",
    whether="an expense of mine on splits has exactly its note as the description",
    test='ROW["note"] IN described',
    app="splits",
    prelude=(
        f"    expenses = all_pages(apis.splits.show_expenses, {_SPLITS})\n"
        '    described = {expense["description"] for expense in expenses}\n'
    ),
)
PLANNED = Tie(
    word="with_task",
    yes="with a note that is also the title of an open task of mine",
    no="with a note that no open task of mine has as its title",
    whether="an open task of mine has exactly its note as the title",
    test='ROW["note"] IN titles',
    app="todo",
    prelude=(
        "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
        '    titles = {task["title"] for task in tasks}\n'
    ),
    scene=also_tasks(payments_of),
)
NOTED = Tie(
    word="with_note",
    yes="whose note is also the title of a note in my notes app (archived or not)",
    no="whose note is not the title of any note in my notes app (archived or not)",
    whether="a note in my notes app, archived or not, has exactly its note as the title",
    test='ROW["note"] IN noted',
    app="notes",
    prelude=gathering("noted", "notes.search_notes", "title"),
    scene=also_notes(payments_of),
)
MUTUAL = Tie(
    word="with_friend",
    yes="with somebody who is my friend on the wallet",
    no="with somebody who is not my friend on the wallet",
    whether="the other side is my friend on the wallet",
    test='{ROW["sender"]["email"], ROW["receiver"]["email"]} & friends',
    prelude=gathering("friends", "wallet.show_friends", "email"),
)
REMARKED = Tie(
    word="remarked",
    yes="with comments",
    no="without comments",
    whether="somebody commented on it",
    test='ROW["comment_count"] > 0',
)
SAME_DAY = Tie(
    word="on_transfer_day",
    yes="made on a day on which I moved money between a card and the wallet",
    no="made on a day without a transfer between a card and my wallet",
    whether="I moved money between a card and the wallet on the same day",
    test='ROW["created_at"][:10] IN days',
    prelude=f'    days = {{one["created_at"][:10] for one in all_pages(apis.wallet.show_card_transfers, {_WALLET})}}\n',
)
REPEATED = Tie(
    word="repeated",
    yes="with a note that more than one payment in my wallet has",
    no="with a note that no other payment in my wallet has",
    whether="another payment in my wallet, sent or received, has the same note",
    test='notes.count(ROW["note"]) > 1',
    prelude=f'    notes = [one["note"] for one in all_pages(apis.wallet.show_transactions, {_WALLET})]\n',
)
PAYMENT_TIES = (DESCRIBED, PLANNED, NOTED, MUTUAL, REMARKED, REPEATED)
_ID = 'transaction_id=ROW["transaction_id"]'
UNLIKED = Tie(
    word="unliked", yes="not liked by me yet", no="liked by me", whether="", test='ROW["liked_by_me"] is False'
)
MINE = Tie(word="sent", yes="sent by me", no="received by me", whether="I sent it", test='ROW["direction"] == "sent"')
_OTHER = "f\"{ROW['note']}: {ROW['amount']:.2f}\""
PAYMENT_SINKS = (
    each("wallet", "like_transaction", _ID, "like ALL", needs=((UNLIKED, True),)),
    COUNT,
    adding("amount", "amounts", " in dollars", money=True),
    each(
        "wallet",
        "add_transaction_comment",
        f"{_ID}, text=comment",
        'comment with "{comment}" on ALL',
        slots=(one_of("comment", *WORDS),),
        bars=("remarked",),
    ),
    noting("NOTE: AMOUNT", _OTHER, hint=" (the amount with two decimals)"),
    each(
        "wallet",
        "update_transaction",
        f"{_ID}, is_private=True",
        "make [private] ALL",
        word="hide",
        needs=((MINE, True),),
        bars=("received_payments",),
    ),
    telling_apart("note", "note", bars=("repeated",)),
    tasking("Check NOTE", "f\"Check {ROW['note']}\"", bars=("with_task",)),
    foremost("largest", "amount", "note", "note", bars=("over_amount",)),
    filing(
        "YYYY-MM-DD NOTE", "f\"{ROW['created_at'][:10]} {ROW['note']}\"", hint=" (beginning with the day it was made)"
    ),
    each(
        "wallet",
        "update_transaction",
        f"{_ID}, note=f\"{{ROW['note']}} ({{mark}})\"",
        'add " ({mark})" to the note of ALL',
        word="mark",
        slots=(one_of("mark", "checked", "private", "shared", "2025", "settled"),),
        needs=((MINE, True),),
        bars=("received_payments",),
    ),
    RowSink(
        word="split",
        app="splits",
        about="record an expense on splits for each of ALL",
        do="record an expense on splits, outside any group, with the same amount and the note as the description,"
        " paid by me and shared equally by me and whoever received it, for each of ALL",
        code=(
            "    for ROW in found:\n"
            '        emails = [ROW["sender"]["email"], ROW["receiver"]["email"]]\n'
            + calling("splits.add_expense", 'description=ROW["note"], amount=ROW["amount"], participant_emails=emails')
        ),
        needs=((MINE, True),),
        bars=("received_payments", "with_expense", "payments"),
    ),
)

# Requests

PENDING = RowPool(
    app="wallet",
    word="pending_requests",
    row="request",
    one="pending payment request to me on the wallet",
    many="pending payment requests to me on the wallet",
    reading=f'    requests = all_pages(apis.wallet.show_received_requests, {_WALLET}, status="pending")\n',
    name="note",
    conditions=(OVER,),
)
ASKED = RowPool(
    app="wallet",
    word="my_requests",
    row="request",
    one="pending payment request of mine to others on the wallet",
    many="pending payment requests of mine to others on the wallet",
    reading=f'    requests = all_pages(apis.wallet.show_sent_requests, {_WALLET}, status="pending")\n',
    name="note",
)
_PARTIES = '{ROW["requester"]["email"], ROW["payer"]["email"]}'
REQUEST_TIES = (
    Tie(
        word="of_friend",
        yes="with a friend of mine on the wallet as the other side",
        no="with somebody as the other side who is no friend of mine on the wallet",
        whether="the other side is my friend on the wallet",
        test=f"{_PARTIES} & friends",
        prelude=MUTUAL.prelude,
    ),
    Tie(
        word="planned",
        yes="with a note that is also the title of an open task of mine",
        no="with a note that no open task of mine has as its title",
        whether="an open task of mine has exactly its note as the title",
        test='ROW["note"] IN titles',
        app="todo",
        prelude=PLANNED.prelude,
        scene=also_tasks(requests_of),
    ),
    Tie(
        word="of_debtor",
        yes="with somebody as the other side who owes me money on splits",
        no="with somebody as the other side who does not owe me money on splits",
        whether="the other side owes me money on splits",
        test=f"{_PARTIES} & debtors",
        app="splits",
        prelude=gathering("debtors", "splits.show_people_who_owe_me", "email"),
    ),
    Tie(
        word="of_creditor",
        yes="with somebody as the other side whom I owe money on splits",
        no="with somebody as the other side whom I do not owe money on splits",
        whether="I owe the other side money on splits",
        test=f"{_PARTIES} & creditors",
        app="splits",
        prelude=gathering("creditors", "splits.show_people_i_owe", "email"),
    ),
    Tie(
        word="noted",
        yes="whose note is also the title of a note in my notes app (archived or not)",
        no="whose note is not the title of any note in my notes app (archived or not)",
        whether="a note in my notes app, archived or not, has exactly its note as the title",
        test='ROW["note"] IN noted',
        app="notes",
        prelude=NOTED.prelude,
        scene=also_notes(requests_of),
    ),
)
_REQUEST = 'request_id=ROW["request_id"]'
REQUEST_SINKS = (
    each("wallet", "approve_request", _REQUEST, "approve ALL", bars=("my_requests",)),
    adding("amount", "amounts", " in dollars", money=True),
    tasking("Settle NOTE", "f\"Settle {ROW['note']}\"", bars=("planned",)),
    each("wallet", "deny_request", _REQUEST, "deny ALL", bars=("my_requests",)),
    noting("NOTE: AMOUNT", _OTHER, hint=" (the amount with two decimals)"),
    each("wallet", "cancel_request", _REQUEST, "cancel ALL", bars=("pending_requests",)),
    naming("note", "note"),
    RowSink(
        word="approve_and_note",
        app="notes",
        about="approve ALL and write down what was paid",
        do='approve ALL, and write a note titled "{title}" with one line of the form "NOTE: AMOUNT" (two decimals)'
        " for each request you approved, the lines sorted from A to Z",
        code=(
            "    lines = []\n    for ROW in found:\n"
            + calling("wallet.approve_request", _REQUEST)
            + f"        lines.append({_OTHER})\n"
            + calling("notes.create_note", 'title=title, content="\\n".join(sorted(lines))', indent=4)
        ),
        slots=(one_of("title", "Paid requests", "Approved today", "What I paid", "Settled now"),),
        bars=("my_requests",),
    ),
    COUNT,
    filing("NOTE (YYYY-MM-DD)", "f\"{ROW['note']} ({ROW['created_at'][:10]})\"", hint=" (with the day of the request)"),
)


EXPENSES = pool(
    _LISTED["expenses"],
    conditions=tuple(
        one for one in _LISTED["expenses"].conditions if one.word in ("over_amount", "under_amount", "from_created_at")
    ),
)
IN_GROUP = pool(
    next(one for one in WITHIN if one.word == "expenses"), conditions=(), shuns=("in_small_group", "repeated")
)
_EXPENSE = 'expense_id=ROW["expense_id"]'
EXPENSE_TIES = (
    Tie(
        word="with_payment",
        yes="with a description that is also the note of a payment in my wallet",
        no="with a description that no payment in my wallet has as its note",
        whether="a payment in my wallet has exactly its description as the note",
        test='ROW["description"] IN notes',
        app="wallet",
        prelude=gathering("notes", "wallet.show_transactions", "note"),
    ),
    Tie(
        word="paid_by_friend",
        yes="paid by somebody who is my friend on the wallet",
        no="not paid by a friend of mine on the wallet",
        whether="a friend of mine on the wallet paid it",
        test='ROW["paid_by"]["email"] IN friends',
        app="wallet",
        prelude=MUTUAL.prelude,
    ),
    Tie(
        word="in_small_group",
        yes="in a group of at most {members} members",
        no="in a group of more than {members} members, or in none",
        whether="it belongs to a group of at most {members} members",
        test='ROW["group_id"] IN small',
        prelude=(
            f"    groups = all_pages(apis.splits.show_groups, {_SPLITS})\n"
            '    small = {group["group_id"] for group in groups if len(group["members"]) <= members}\n'
        ),
        slots=(one_of("members", 3, 4, 5),),
    ),
    Tie(
        word="remarked",
        yes="with comments",
        no="without comments",
        whether="somebody commented on it",
        test=f"all_pages(apis.splits.show_expense_comments, {_SPLITS}, {_EXPENSE})",
    ),
    Tie(
        word="repeated",
        yes="with a description that more than one expense of mine has",
        no="with a description that no other expense of mine has",
        whether="another expense of mine has the same description",
        test='described.count(ROW["description"]) > 1',
        prelude=f'    described = [one["description"] for one in all_pages(apis.splits.show_expenses, {_SPLITS})]\n',
    ),
)
OWN = Tie(
    word="paid_by_me",
    yes="paid by me",
    no="paid by somebody else",
    whether="I paid it",
    test='ROW["paid_by"]["email"] == me',
    prelude=f'    me = apis.splits.show_account({_SPLITS})["email"]\n',
)
_SPENT = "f\"{ROW['description']}: {ROW['amount']:.2f}\""
EXPENSE_SINKS = (
    each(
        "splits",
        "add_expense_comment",
        f"{_EXPENSE}, text=comment",
        'comment with "{comment}" on ALL',
        slots=(one_of("comment", *WORDS),),
        bars=("remarked",),
    ),
    adding("amount", "amounts", " in dollars", money=True),
    noting("DESCRIPTION: AMOUNT", _SPENT, hint=" (the amount with two decimals)"),
    each("splits", "delete_expense", _EXPENSE, "delete ALL", needs=((OWN, True),), bars=("paid_by_friend",)),
    COUNT,
    tasking("Check DESCRIPTION", "f\"Check {ROW['description']}\""),
    foremost("dearest", "amount", "description", "description", bars=("over_amount",)),
    each(
        "splits",
        "update_expense",
        f"{_EXPENSE}, description=f\"{{ROW['description']}} ({{mark}})\"",
        'add " ({mark})" to the description of ALL',
        word="mark",
        slots=(one_of("mark", "checked", "trip", "shared", "2025", "settled"),),
        needs=((OWN, True),),
        bars=("paid_by_friend",),
    ),
    filing(
        "YYYY-MM-DD DESCRIPTION",
        "f\"{ROW['created_at'][:10]} {ROW['description']}\"",
        hint=" (beginning with the day it was made)",
    ),
    telling_apart('ROW["paid_by"]["name"]', "payer name"),
)
