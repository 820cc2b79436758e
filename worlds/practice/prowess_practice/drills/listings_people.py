"""Listings of people to whom something can be paid, and what is done to them in the wallet."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import contains, kin
from prowess_practice.drills.listing import Action, Listing
from prowess_practice.drills.listings_money import AMOUNT, OVER, UNDER

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
