"""Piles of requests, payments, expenses and people to whom money goes."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, person
from prowess_practice.drills.listing import GROUP, MEMBERS, Action
from prowess_practice.drills.listings_money import ASK, BEFORE, COMMENT, MONTH, OVER, PAY, SINCE, UNDER, WEEKDAY
from prowess_practice.drills.listings_money import MONEY as LISTED
from prowess_practice.errands.branches.pile import Pile, Size, alarm_of, people_tests, task_of

_AMOUNT = Size(
    field="amount",
    noun="amount",
    unit=" dollars",
    smallest="from the smallest amount to the largest",
    largest="from the largest amount to the smallest",
    kind=float,
)
_BY = {listing.word: listing for listing in LISTED}
_REMARK = _BY["transactions"].actions[2]
_LIKE = _BY["transactions"].actions[0]
_NOTE = task_of('ROW["note"]', "note")
_RING = alarm_of('ROW["note"]', "note")
_ASK = replace(
    ASK,
    slot="asked_amount",
    arguments='payer_email=ROW["email"], amount=asked_amount',
    after=" for {asked_amount} dollars on wallet, without a note",
)
_REWORD = Action(
    api="update_transaction",
    verb="change",
    arguments='transaction_id=ROW["transaction_id"], note=new_note',
    after=' so that its note is "{new_note}"',
    slot="new_note",
    choices=("Sorted", "Old times", "For the books", "Various things"),
)
_OPEN = Action(
    api="update_transaction",
    verb="make",
    arguments='transaction_id=ROW["transaction_id"], is_private=False',
    after=" public",
)
_PRIVATE = _BY["transactions"].actions[1]
_SIZED = Condition(
    word="with_comments", says="that anybody has commented on", about="with comments", code='ROW["comment_count"] > 0'
)
_MANY_SHARES = Condition(
    word="widely_shared",
    says="shared by more than {people_limit} people",
    about="shared by more people than given",
    code='len(ROW["shares"]) > people_limit',
    slot="people_limit",
    kind=int,
    pick=lambda rng, rows: rng.randint(2, 4),
)


_CALLED = task_of('ROW["description"]', "description")

MONEY_PILES = (
    Pile(
        word="received_requests",
        app="wallet",
        api="show_received_requests",
        given=', status="pending"',
        row="request",
        rows="requests",
        many="the payment requests to me that are pending in the wallet",
        tests=(OVER, *people_tests('ROW["requester"]', "whose requester"), WEEKDAY, BEFORE, UNDER),
        acts=(*_BY["received_requests"].actions, _NOTE, _RING),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="sent_requests",
        app="wallet",
        api="show_sent_requests",
        given=', status="pending"',
        row="request",
        rows="requests",
        many="my own payment requests that are pending in the wallet",
        tests=(UNDER, *people_tests('ROW["payer"]', "whose payer"), SINCE, MONTH),
        acts=(*_BY["sent_requests"].actions, _NOTE, _RING),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="received_payments",
        app="wallet",
        api="show_transactions",
        given=', direction="received"',
        only='not ROW["liked_by_me"]',
        row="payment",
        rows="payments",
        many="the payments to me in the wallet that I have not liked yet",
        tests=(OVER, *people_tests('ROW["sender"]', "whose sender"), SINCE, _SIZED),
        acts=(_LIKE, _REMARK, _NOTE),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="private_payments",
        app="wallet",
        api="show_transactions",
        given=', direction="sent"',
        only='ROW["is_private"]',
        row="payment",
        rows="payments",
        many="the private payments that I sent with the wallet",
        tests=(UNDER, BEFORE, *people_tests('ROW["receiver"]', "whose receiver")),
        acts=(_OPEN, _REWORD, _REMARK),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="sent_payments",
        app="wallet",
        api="show_transactions",
        given=', direction="sent"',
        row="payment",
        rows="payments",
        many="the payments that I sent with the wallet",
        tests=(MONTH, OVER, *people_tests('ROW["receiver"]', "whose receiver"), WEEKDAY),
        acts=(_REWORD, _REMARK, _PRIVATE, _NOTE),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="group_expenses",
        app="splits",
        row="expense",
        rows="expenses",
        within=GROUP,
        many='the expenses in the splits group "{group}"',
        tests=(
            OVER,
            person("paid_by", 'paid by "{person}"', "paid by a person"),
            *people_tests('ROW["paid_by"]', "whose payer")[:2],
            _MANY_SHARES,
            SINCE,
        ),
        acts=(COMMENT, _CALLED, alarm_of('ROW["description"]', "description")),
        sizes=(_AMOUNT,),
    ),
    Pile(
        word="friends",
        app="wallet",
        api="show_friends",
        row="friend",
        rows="friends",
        many="my friends on wallet",
        it="them",
        tests=(*people_tests("ROW", "who")[:1], *people_tests("ROW", "who")[2:]),
        acts=(
            replace(PAY, app=""),
            replace(_ASK, app=""),
            Action(api="remove_friend", verb="remove", arguments='email=ROW["email"]', after=" from my friends there"),
            task_of('ROW["name"]', "person's name"),
        ),
    ),
    Pile(
        word="creditors",
        app="splits",
        api="show_people_i_owe",
        row="creditor",
        rows="creditors",
        many="the people I owe money on splits",
        it="them",
        tests=(
            *people_tests("ROW", "who")[:2],
            *people_tests("ROW", "who")[5:],
            replace(OVER, says="to whom I owe more than {more_than_amount} dollars"),
        ),
        acts=(
            Action(
                api="send_payment",
                verb="pay",
                arguments='receiver_email=ROW["email"], amount=ROW["amount"], note=reason',
                after=' with the wallet what I owe them, with the note "{reason}"',
                slot="reason",
                choices=("Settling my debt", "As agreed", "Finally"),
                app="wallet",
            ),
            task_of('ROW["name"]', "person's name"),
            alarm_of('ROW["name"]', "person's name"),
        ),
        sizes=(
            replace(
                _AMOUNT,
                noun="claim",
                smallest="from the one I owe the least to the one I owe the most",
                largest="",
            ),
        ),
    ),
    Pile(
        word="debtors",
        app="splits",
        api="show_people_who_owe_me",
        row="debtor",
        rows="debtors",
        many="the people who owe me money on splits",
        it="them",
        tests=(
            *people_tests("ROW", "who")[:2],
            *people_tests("ROW", "who")[5:],
            replace(UNDER, says="who owes me less than {less_than_amount} dollars"),
        ),
        acts=(
            Action(
                api="request_payment",
                verb="ask",
                arguments='payer_email=ROW["email"], amount=ROW["amount"], note=reason',
                after=' with a wallet request for what they owe me, with the note "{reason}"',
                slot="reason",
                choices=("Time to settle", "Splits", "Our balance"),
                app="wallet",
            ),
            task_of('ROW["name"]', "person's name"),
            alarm_of('ROW["name"]', "person's name"),
        ),
        sizes=(replace(_AMOUNT, noun="debt", smallest="from the smallest debt to the largest", largest=""),),
    ),
    Pile(
        word="members",
        app="splits",
        row="member",
        rows="members",
        within=replace(MEMBERS, finds=f'{MEMBERS.finds}    my_email = apis.supervisor.show_profile()["email"]\n'),
        only='ROW["email"] != my_email',
        many='the other members of my splits group "{group}"',
        it="them",
        tests=(*people_tests("ROW", "who")[:2], *people_tests("ROW", "who")[4:]),
        acts=(PAY, _ASK, task_of('ROW["name"]', "person's name"), alarm_of('ROW["name"]', "person's name")),
    ),
)
