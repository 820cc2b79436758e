"""Listings of wallet and splits, and of people to whom something can be paid."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import (
    before,
    contains,
    flag,
    kin,
    month,
    over,
    person,
    since,
    text,
    under,
    weekday,
)
from prowess_practice.drills.listing import Action, Listing, Measure, rename

OVER = over("amount", "of more than {more_than_amount} dollars", "of more than an amount", kind=float)
UNDER = under("amount", "of less than {less_than_amount} dollars", "of less than an amount", kind=float)
SINCE = since("created_at", "made on or after {since}", "made since a day")
BEFORE = before("created_at", "made before {before}", "made before a day")
MONTH = month("created_at", "made in {month}", "made in a month")
WEEKDAY = weekday("created_at", "made on a {weekday}", "made on a day of the week")
_NOTE = text("note", 'with the note "{note}"', "with a note")
AMOUNT = Measure(field="amount", most="is the largest", least="is the smallest", sum="amounts")
MADE = Measure(field="created_at", most="is the latest", least="is the earliest")
WORDS = ("Thank you!", "Settled, thanks.", "See you soon.", "Got it.", "All good now.", "Talk to you later.")
EXPENSE = (
    OVER,
    UNDER,
    SINCE,
    BEFORE,
    text("description", 'described as "{description}"', "with a description"),
    person("paid_by", 'paid by "{person}"', "paid by a person"),
    MONTH,
    WEEKDAY,
)
COMMENT = Action(
    api="add_expense_comment",
    verb="comment on",
    arguments='expense_id=ROW["expense_id"], text=comment',
    after=' with "{comment}"',
    slot="comment",
    choices=WORDS,
)

MONEY = (
    Listing(
        app="wallet",
        api="show_transactions",
        word="transactions",
        row="transaction",
        one="transaction in my wallet",
        many="transactions in my wallet",
        name="note",
        called="note",
        conditions=(
            OVER,
            UNDER,
            SINCE,
            BEFORE,
            _NOTE,
            person("sender", 'sent by "{person}"', "sent by a person"),
            person("receiver", 'received by "{person}"', "received by a person"),
            kin("sender", 'sent by a "{relationship}" of mine', "sent by contacts of a relationship"),
            kin("receiver", 'received by a "{relationship}" of mine', "received by contacts of a relationship"),
            text("direction", 'with the direction "{direction}"', "in a direction", argument="direction", coarse=True),
            over(
                "like_count", "with more than {more_than_like_count} likes", "with more likes than given", coarse=True
            ),
            MONTH,
            WEEKDAY,
        ),
        flags=(
            flag("is_private", "marked private", "marked private"),
            flag("is_private", "not marked private", "not marked private", yes=False),
            flag("liked_by_me", "not liked by me yet", "not liked yet", yes=False),
        ),
        measures=(
            AMOUNT,
            MADE,
            Measure(field="like_count", most="has the most likes", least="has the fewest", sum="likes"),
            Measure(
                field="comments",
                most="has the most comments",
                least="has the fewest comments",
                sum="numbers of comments",
                code="len(all_pages(apis.wallet.show_transaction_comments, access_token=wallet_token, "
                'transaction_id=ROW["transaction_id"]))',
            ),
        ),
        actions=(
            Action(api="like_transaction", verb="like", arguments='transaction_id=ROW["transaction_id"]'),
            Action(
                api="update_transaction",
                verb="make",
                arguments='transaction_id=ROW["transaction_id"], is_private=True',
                after=" private",
            ),
            Action(
                api="add_transaction_comment",
                verb="comment on",
                arguments='transaction_id=ROW["transaction_id"], text=comment',
                after=' with "{comment}"',
                slot="comment",
                choices=WORDS,
            ),
        ),
    ),
    Listing(
        app="wallet",
        api="show_sent_requests",
        word="sent_requests",
        row="request",
        one="payment request that I sent with the wallet",
        many="payment requests that I sent with the wallet",
        name="note",
        called="note",
        conditions=(
            text("status", 'with the status "{status}"', "with a status", argument="status", coarse=True),
            OVER,
            UNDER,
            SINCE,
            person("payer", 'to "{person}"', "to a person"),
            kin("payer", 'to a "{relationship}" of mine', "to contacts of a relationship"),
            MONTH,
        ),
        measures=(AMOUNT, MADE),
        actions=(Action(api="cancel_request", verb="cancel", arguments='request_id=ROW["request_id"]'),),
    ),
    Listing(
        app="wallet",
        api="show_received_requests",
        word="received_requests",
        row="request",
        one="payment request that I got in the wallet",
        many="payment requests that I got in the wallet",
        name="note",
        called="note",
        conditions=(
            text("status", 'with the status "{status}"', "with a status", argument="status", coarse=True),
            OVER,
            UNDER,
            BEFORE,
            person("requester", 'from "{person}"', "from a person"),
            kin("requester", 'from a "{relationship}" of mine', "from contacts of a relationship"),
            MONTH,
            WEEKDAY,
        ),
        measures=(AMOUNT, MADE),
        actions=(
            Action(api="approve_request", verb="approve", arguments='request_id=ROW["request_id"]'),
            Action(api="deny_request", verb="deny", arguments='request_id=ROW["request_id"]'),
        ),
    ),
    Listing(
        app="wallet",
        api="show_card_transfers",
        word="card_transfers",
        row="transfer",
        one="transfer between my cards and the wallet",
        many="transfers between my cards and the wallet",
        conditions=(text("kind", 'of the kind "{kind}"', "of a kind", coarse=True), OVER, UNDER, SINCE, BEFORE, MONTH),
        measures=(AMOUNT,),
    ),
    Listing(
        app="splits",
        api="show_expenses",
        word="expenses",
        row="expense",
        one="expense of mine on splits",
        many="expenses of mine on splits",
        name="description",
        called="description",
        conditions=(
            *EXPENSE,
            kin("paid_by", 'paid by a "{relationship}" of mine', "paid by contacts of a relationship"),
        ),
        measures=(
            AMOUNT,
            MADE,
            Measure(
                field="sharers",
                most="has the most people sharing it",
                least="has the fewest people sharing it",
                sum="numbers of people sharing them",
                code='len(apis.splits.show_expense(access_token=splits_token, expense_id=ROW["expense_id"])["shares"])',
            ),
        ),
        actions=(
            COMMENT,
            Action(api="delete_expense", verb="delete", arguments='expense_id=ROW["expense_id"]'),
            Action(
                api="update_expense",
                verb="describe",
                arguments='expense_id=ROW["expense_id"], description=new_description',
                after=' anew as "{new_description}"',
                slot="new_description",
                choices=("Shared costs", "To be checked", "Our trip", "Household", "Odds and ends"),
            ),
        ),
    ),
    Listing(
        app="splits",
        api="show_payments",
        word="payments",
        row="payment",
        one="payment recorded on splits",
        many="payments recorded on splits",
        conditions=(
            OVER,
            UNDER,
            SINCE,
            person("payer", 'made by "{person}"', "made by a person"),
            kin("payer", 'made by a "{relationship}" of mine', "made by contacts of a relationship"),
            person("receiver", 'received by "{person}"', "received by a person"),
        ),
        measures=(AMOUNT,),
        actions=(Action(api="delete_payment", verb="delete", arguments='payment_id=ROW["payment_id"]'),),
    ),
    Listing(
        app="splits",
        api="show_groups",
        word="groups",
        row="group",
        one="group of mine on splits",
        many="groups of mine on splits",
        name="name",
        called="name",
        conditions=(
            since("created_at", "made on or after {since}", "made since a day"),
            person("creator", 'made by "{person}"', "made by a person"),
        ),
        measures=(
            MADE,
            Measure(
                field="size",
                most="has the most members",
                least="has the fewest members",
                sum="numbers of members",
                code='len(apis.splits.show_group(access_token=splits_token, group_id=ROW["group_id"])["members"])',
            ),
        ),
        actions=(
            rename("rename_group", "group_id", "name"),
            Action(
                api="create_project",
                verb="make a todo project of",
                arguments='name=ROW["name"]',
                after=", named like it",
                app="todo",
            ),
        ),
    ),
)


_SUMS = ("5", "8", "12", "15", "20", "30")
_WORD = contains("name", 'with "{word}" in the name', "with a word in the name")
_KIN = kin("", 'who are a "{relationship}" of mine', "who are contacts of a relationship")

PAY = Action(
    api="send_payment",
    verb="pay",
    arguments='receiver_email=ROW["email"], amount=amount',
    after=" {amount} dollars on wallet, without a note",
    slot="amount",
    choices=_SUMS,
    app="wallet",
)
ASK = Action(
    api="request_payment",
    verb="ask",
    arguments='payer_email=ROW["email"], amount=amount',
    after=" for {amount} dollars on wallet, without a note",
    slot="amount",
    choices=_SUMS,
    app="wallet",
)

PEOPLE = (
    Listing(
        app="wallet",
        api="show_friends",
        word="friends",
        row="friend",
        one="friend of mine on wallet",
        many="friends of mine on wallet",
        name="name",
        called="name",
        conditions=(_WORD, _KIN),
        actions=(
            replace(PAY, app=""),
            replace(ASK, app=""),
            Action(api="remove_friend", verb="remove", arguments='email=ROW["email"]', after=" from my friends there"),
        ),
    ),
    Listing(
        app="wallet",
        api="search_users",
        word="users",
        row="user",
        one="user of the wallet",
        many="users of the wallet",
        name="name",
        called="name",
        conditions=(_WORD, _KIN),
        actions=(
            Action(api="add_friend", verb="make", arguments='email=ROW["email"]', after=" a friend of mine there"),
        ),
    ),
    Listing(
        app="splits",
        api="show_people_i_owe",
        word="debts",
        row="debt",
        one="debt of mine on splits",
        many="debts of mine on splits",
        name="name",
        called="creditor's name",
        conditions=(OVER, UNDER),
        measures=(AMOUNT,),
        actions=(
            Action(
                api="send_payment",
                verb="pay",
                arguments='receiver_email=ROW["email"], amount=ROW["amount"]',
                after=" in full with the wallet, without a note",
                app="wallet",
            ),
        ),
    ),
    Listing(
        app="splits",
        api="show_people_who_owe_me",
        word="claims",
        row="claim",
        one="debt that somebody has with me on splits",
        many="debts that others have with me on splits",
        name="name",
        called="debtor's name",
        conditions=(OVER, UNDER),
        measures=(AMOUNT,),
        actions=(
            Action(
                api="request_payment",
                verb="claim",
                arguments='payer_email=ROW["email"], amount=ROW["amount"]',
                after=" in full with a wallet request without a note",
                app="wallet",
            ),
        ),
    ),
)
