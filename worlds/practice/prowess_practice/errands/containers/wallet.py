"""Containers of the wallet: friends with their payments, cards with their transfers, payments with their comments."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, before, contains, flag, month, over, person, since, text
from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_money import AMOUNT, ASK, BEFORE, MONTH, OVER, PAY, SINCE, UNDER
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)

_WORDS = ("Thank you!", "Settled, thanks.", "Got it.", "All good now.", "What was this for?")
_SENT = Condition(word="sent", says="that I sent", about="that they sent", code='ROW["direction"] == "sent"')
_RECEIVED = Condition(
    word="received", says="that I received", about="that they received", code='ROW["direction"] == "received"'
)
PAYMENTS = Inside(
    word="payments",
    row="payment",
    rows="payments",
    look='all_pages(apis.wallet.show_transactions, access_token=wallet_token, user_email=OUT["email"])',
    one="wallet payment",
    many="wallet payments",
    owned=("wallet payment between us", "wallet payments between us"),
    prep="with",
    name='ROW["note"]',
    called="note",
    conditions=(
        OVER,
        _SENT,
        SINCE,
        flag("is_private", "marked private", "that are private"),
        UNDER,
        _RECEIVED,
        BEFORE,
        flag("liked_by_me", "without a like from me", "not liked by them", yes=False),
        MONTH,
    ),
    small=True,
    measures=(AMOUNT,),
    dated="created_at",
    deeds=(
        ContainerDeed(
            word="like",
            says="like OBJ",
            call='apis.wallet.like_transaction(access_token=wallet_token, transaction_id=ROW["transaction_id"])',
            app="wallet",
            skip=Skip(test='ROW["liked_by_me"]', says="Skip payments that I like already."),
        ),
        ContainerDeed(
            word="comment_on",
            says='comment on OBJ with "{comment}"',
            call=(
                "apis.wallet.add_transaction_comment(access_token=wallet_token, "
                'transaction_id=ROW["transaction_id"], text=comment)'
            ),
            app="wallet",
            slot="comment",
            choose=one_of(*_WORDS),
        ),
        ContainerDeed(
            word="hide",
            says="make OBJ private",
            call=(
                "apis.wallet.update_transaction(access_token=wallet_token, "
                'transaction_id=ROW["transaction_id"], is_private=True)'
            ),
            app="wallet",
            skip=Skip(
                test='ROW["direction"] == "received"', says="Skip payments that I received, for I cannot change them."
            ),
        ),
    ),
)
FRIENDS = ContainerKind(
    app="wallet",
    word="friends",
    row="friend",
    rows="friends",
    few=False,
    lists="all_pages(apis.wallet.show_friends, access_token=wallet_token)",
    one="friend of mine in the wallet app",
    many="friends in the wallet app",
    of="",
    relative="who",
    which="whom",
    pronoun="them",
    key='ROW["email"]',
    name='ROW["name"]',
    called="name",
    insides=(PAYMENTS,),
    deeds=(
        done_by(replace(PAY, app=""), "wallet"),
        ContainerDeed(
            word="unfriend",
            says="remove OBJ from my friends there",
            call='apis.wallet.remove_friend(access_token=wallet_token, email=ROW["email"])',
            app="wallet",
        ),
        done_by(replace(ASK, app=""), "wallet"),
    ),
)
_TRANSFERS = Inside(
    word="transfers",
    row="transfer",
    rows="transfers",
    look='[one for one in every if one["card_id"] == OUT["card_id"]]',
    prelude="    every = all_pages(apis.wallet.show_card_transfers, access_token=wallet_token)\n",
    one="transfer",
    many="transfers",
    prep="with",
    small=True,
    conditions=(
        over("amount", "of more than {more_than_amount} dollars", "of more than an amount", kind=float),
        replace(text("kind", 'of the kind "{kind}"', "of a kind"), code='ROW["kind"] == kind'),
        since("created_at", "made on or after {since}", "made since a day"),
        before("created_at", "made before {before}", "made before a day"),
        month("created_at", "made in {month}", "made in a month"),
    ),
    measures=(AMOUNT,),
    dated="created_at",
)
CARDS = ContainerKind(
    app="wallet",
    word="cards",
    row="card",
    rows="cards",
    tiny=True,
    lists="apis.wallet.show_cards(access_token=wallet_token)",
    one="payment card",
    many="payment cards",
    key='ROW["card_id"]',
    name='ROW["name"]',
    called="name",
    insides=(_TRANSFERS,),
    deeds=(
        done_by(Action(api="delete_card", verb="delete", arguments='card_id=ROW["card_id"]'), "wallet"),
        ContainerDeed(
            word="top_up",
            says="top up my wallet balance by {amount} dollars from OBJ",
            call='apis.wallet.top_up_balance(access_token=wallet_token, card_id=ROW["card_id"], amount=amount)',
            app="wallet",
            slot="amount",
            kind=int,
            choose=one_of(10, 20, 25, 40, 60),
        ),
        ContainerDeed(
            word="withdraw",
            says="withdraw {amount} dollars from my wallet balance to OBJ",
            call='apis.wallet.withdraw_balance(access_token=wallet_token, card_id=ROW["card_id"], amount=amount)',
            app="wallet",
            slot="amount",
            kind=int,
            choose=one_of(5, 8, 12, 15, 30),
        ),
    ),
)
_REMARKS = Inside(
    word="comments",
    row="comment",
    rows="comments",
    look=(
        "all_pages(apis.wallet.show_transaction_comments, access_token=wallet_token, "
        'transaction_id=OUT["transaction_id"])'
    ),
    one="comment",
    many="comments",
    prep="under",
    name='ROW["text"]',
    called="text",
    small=True,
    conditions=(
        replace(person("author", 'written by "{person}"', "by a person"), coarse=True),
        replace(text("text", 'with the text "{remark}"', "with a text", slot="remark"), coarse=True),
        replace(since("created_at", "written on or after {since}", "written since a day"), coarse=True),
        replace(contains("text", 'with the word "{word}" in it', "with a word in it"), coarse=True),
    ),
    dated="created_at",
    happened="written",
)
TRANSACTIONS = ContainerKind(
    app="wallet",
    word="transactions",
    row="transaction",
    rows="transactions",
    few=False,
    lists="all_pages(apis.wallet.show_transactions, access_token=wallet_token)",
    one="wallet payment",
    many="wallet payments",
    key='ROW["transaction_id"]',
    name='ROW["note"]',
    called="note",
    filters=(
        ContainerFilter(word="sent", post=" to others", given='direction="sent"'),
        ContainerFilter(word="received", post=" from others", given='direction="received"'),
        ContainerFilter(word="large", post=" of more than {more_than_amount} dollars", condition=OVER),
    ),
    insides=(_REMARKS,),
    deeds=(PAYMENTS.deeds[0], PAYMENTS.deeds[1], PAYMENTS.deeds[2]),
)
MONEY = (FRIENDS, CARDS, TRANSACTIONS)
