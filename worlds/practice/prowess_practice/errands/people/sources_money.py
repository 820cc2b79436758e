"""People behind what wallet and splits list: payments, requests, friends, debts, expenses, groups."""

from __future__ import annotations

from prowess_practice.drills.conditions import flag, text
from prowess_practice.drills.listings_money import BEFORE, MONTH, OVER, SINCE, UNDER, WEEKDAY
from prowess_practice.errands.people import scene
from prowess_practice.errands.people.source import PeopleSource, SourceWithin, renamed

_NOTE = text("note", 'with the note "{note}"', "with a note")
_DESCRIPTION = text("description", 'described as "{description}"', "with a description")
_PRIVATE = flag("is_private", "marked private", "marked private")
_CARD = ("email", "name")
MY_SPLITS = '    my_email = apis.splits.show_account(access_token=splits_token)["email"]\n'
_THERE = renamed(SINCE, "day")

_TRANSACTIONS = "all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="
PAYEES = PeopleSource(
    word="payees",
    app="wallet",
    reads=f'    sent_payments = {_TRANSACTIONS}"sent")\n',
    row="payment",
    rows="sent_payments",
    person='payment["receiver"]',
    fields=_CARD,
    amount='payment["amount"]',
    clause="to whom I sent a wallet payment COND",
    none="to whom I sent no wallet payment COND",
    sum="to whom I sent HOWMUCH in all, counting the wallet payments COND",
    number="to whom I sent HOWMANY wallet payments COND",
    many="the wallet payments COND that I sent",
    role="receiver",
    items="payments",
    about="people who were paid",
    conditions=(OVER, SINCE, _NOTE, MONTH, UNDER, WEEKDAY, BEFORE, _PRIVATE),
    further=_THERE,
    more=scene.sent_payment,
)
PAYERS = PeopleSource(
    word="payers",
    app="wallet",
    reads=f'    received_payments = {_TRANSACTIONS}"received")\n',
    row="payment",
    rows="received_payments",
    person='payment["sender"]',
    fields=_CARD,
    amount='payment["amount"]',
    clause="from whom I got a wallet payment COND",
    none="from whom I got no wallet payment COND",
    sum="from whom I got HOWMUCH in all, counting the wallet payments COND",
    number="from whom I got HOWMANY wallet payments COND",
    many="the wallet payments COND that I got",
    role="sender",
    items="payments",
    about="people who paid something",
    conditions=(SINCE, UNDER, MONTH, OVER, _NOTE, BEFORE, WEEKDAY),
    further=_THERE,
    more=scene.got_payment,
)
ASKERS = PeopleSource(
    word="askers",
    app="wallet",
    reads=(
        "    received_requests = all_pages("
        'apis.wallet.show_received_requests, access_token=wallet_token, status="pending")\n'
    ),
    row="request",
    rows="received_requests",
    person='request["requester"]',
    fields=_CARD,
    amount='request["amount"]',
    clause="from whom I have a pending wallet request COND",
    none="from whom I have no pending wallet request",
    sum="whose pending wallet requests COND ask me for HOWMUCH in all",
    many="the pending wallet requests COND that others sent me",
    role="requester",
    items="requests",
    about="people with a pending request",
    conditions=(OVER, UNDER, SINCE, BEFORE),
    alone=True,
    more=scene.got_request,
    scarce=True,
)
ASKED = PeopleSource(
    word="asked_people",
    app="wallet",
    reads=(
        '    sent_requests = all_pages(apis.wallet.show_sent_requests, access_token=wallet_token, status="pending")\n'
    ),
    row="request",
    rows="sent_requests",
    person='request["payer"]',
    fields=_CARD,
    amount='request["amount"]',
    clause="to whom I sent a wallet request COND that is still pending",
    none="to whom I sent no wallet request that is still pending",
    sum="whom my pending wallet requests COND ask for HOWMUCH in all",
    number="to whom I sent HOWMANY wallet requests COND that are still pending",
    many="the still pending wallet requests COND that I sent",
    role="payer",
    items="requests",
    about="people asked for money in vain",
    conditions=(UNDER, SINCE, OVER, BEFORE),
    alone=True,
    more=scene.sent_request,
    scarce=True,
)
REFUSERS = PeopleSource(
    word="refusers",
    app="wallet",
    reads=(
        '    denied_requests = all_pages(apis.wallet.show_sent_requests, access_token=wallet_token, status="denied")\n'
    ),
    row="request",
    rows="denied_requests",
    person='request["payer"]',
    fields=_CARD,
    amount='request["amount"]',
    clause="by whom a wallet request COND of mine was denied",
    none="by whom no wallet request of mine was denied",
    many="my wallet requests COND that were denied",
    role="payer",
    items="requests",
    about="people who denied a request",
    alone=True,
    more=scene.denied_request,
    scarce=True,
)
GRANTED = PeopleSource(
    word="granted_people",
    app="wallet",
    reads=(
        "    approved_requests = all_pages("
        'apis.wallet.show_received_requests, access_token=wallet_token, status="approved")\n'
    ),
    row="request",
    rows="approved_requests",
    person='request["requester"]',
    fields=_CARD,
    amount='request["amount"]',
    clause="whose wallet request COND I approved",
    none="of whom I approved no wallet request",
    many="the wallet requests COND of others that I approved",
    role="requester",
    items="requests",
    about="people whose request was approved",
    alone=True,
    more=scene.approved_request,
    scarce=True,
)
FRIENDS = PeopleSource(
    word="friends",
    app="wallet",
    reads="    friend_rows = all_pages(apis.wallet.show_friends, access_token=wallet_token)\n",
    row="friend",
    rows="friend_rows",
    person="friend",
    fields=_CARD,
    clause="whom I have as a friend in the wallet",
    none="whom I do not have as a friend in the wallet",
    many="my friends in the wallet",
    role="friend",
    items="friends",
    about="wallet friends",
    alone=True,
    more=scene.friend,
)
COMMENTERS = PeopleSource(
    word="commenters",
    app="wallet",
    reads=(
        '    my_email = apis.wallet.show_account(access_token=wallet_token)["email"]\n'
        "    transactions = all_pages(apis.wallet.show_transactions, access_token=wallet_token)\n"
        "    every_comment = []\n"
        '    for transaction_id in [transaction["transaction_id"] for transaction in transactions]:\n'
        "        every_comment += all_pages("
        "apis.wallet.show_transaction_comments, access_token=wallet_token, transaction_id=transaction_id)\n"
        '    remarks = [remark for remark in every_comment if remark["author"]["email"] != my_email]\n'
    ),
    row="remark",
    rows="remarks",
    person='remark["author"]',
    fields=_CARD,
    clause="whose comment COND stands under a wallet transaction of mine",
    many="the comments COND that others left under my wallet transactions",
    role="author",
    items="comments",
    about="people who commented on transactions",
    conditions=(
        SINCE,
        text("text", 'that says "{comment_text}"', "with a text", slot="comment_text"),
        BEFORE,
    ),
    alone=True,
    more=scene.commented,
    scarce=True,
)
DEBTORS = PeopleSource(
    word="debtors",
    app="splits",
    reads="    debts_to_me = all_pages(apis.splits.show_people_who_owe_me, access_token=splits_token)\n",
    row="debt",
    rows="debts_to_me",
    person="debt",
    fields=_CARD,
    amount='debt["amount"]',
    clause="from whom a sum COND is due to me on splits",
    none="from whom nothing is due to me on splits",
    sum="from whom HOWMUCH is due to me on splits",
    many="the sums COND that are due to me on splits",
    added="what is due to me on splits",
    role="debtor",
    items="sums",
    total="the sum due from that person",
    about="people who owe the supervisor",
    conditions=(OVER, UNDER),
    alone=True,
    more=scene.borrowed,
)
CREDITORS = PeopleSource(
    word="creditors",
    app="splits",
    reads="    my_debts = all_pages(apis.splits.show_people_i_owe, access_token=splits_token)\n",
    row="debt",
    rows="my_debts",
    person="debt",
    fields=_CARD,
    amount='debt["amount"]',
    clause="to whom I owe a sum COND on splits",
    none="to whom I owe nothing on splits",
    sum="to whom I owe HOWMUCH on splits",
    many="the sums COND that I owe on splits",
    added="what I owe on splits",
    role="creditor",
    items="sums",
    total="the sum that I owe that person",
    about="people to whom the supervisor owes",
    conditions=(UNDER, OVER),
    alone=True,
    more=scene.lent,
)
MEMBERS = PeopleSource(
    word="members",
    app="splits",
    reads=(
        f"{MY_SPLITS}    groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=group)\n"
        '    group_id = next(one["group_id"] for one in groups if one["name"] == group)\n'
        '    members = apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]\n'
    ),
    row="member",
    rows="members",
    person="member",
    fields=_CARD,
    but='member["email"] != my_email',
    clause='with whom I share the splits group "{group}"',
    none='with whom I do not share the splits group "{group}"',
    many='the members of the splits group "{group}" besides me',
    role="member",
    items="members",
    about="others in a group",
    alone=True,
    within=SourceWithin(slot="group", choose=scene.some_group),
    more=scene.joined_group,
)
SPENDERS = PeopleSource(
    word="spenders",
    app="splits",
    reads=(
        f"{MY_SPLITS}    every_expense = all_pages(apis.splits.show_expenses, access_token=splits_token)\n"
        '    expenses = [expense for expense in every_expense if expense["paid_by"]["email"] != my_email]\n'
    ),
    row="expense",
    rows="expenses",
    person='expense["paid_by"]',
    fields=_CARD,
    amount='expense["amount"]',
    clause="by whom one of my splits expenses COND was paid",
    none="by whom none of my splits expenses COND was paid",
    sum="by whom HOWMUCH was paid in all, counting my splits expenses COND",
    number="by whom HOWMANYOF my splits expenses COND were paid",
    many="my splits expenses COND that others paid",
    role="payer",
    items="expenses",
    about="people who paid shared expenses",
    conditions=(SINCE, _DESCRIPTION, OVER, MONTH, BEFORE, WEEKDAY, UNDER),
    further=_THERE,
    more=scene.lent,
)
SHARERS = PeopleSource(
    word="sharers",
    app="splits",
    reads=(
        f"{MY_SPLITS}    own_expenses = all_pages("
        "apis.splits.show_expenses, access_token=splits_token, paid_by_email=my_email)\n"
    ),
    row="expense",
    rows="own_expenses",
    person="share",
    fields=_CARD,
    inner='for share in expense["shares"]',
    but='share["email"] != my_email',
    amount='share["amount"]',
    clause="with a share in a splits expense COND that I paid",
    none="without a share in any splits expense COND that I paid",
    sum="whose shares in the splits expenses COND that I paid come to HOWMUCH in all",
    number="with a share in HOWMANYOF the splits expenses COND that I paid",
    many="the splits expenses COND that I paid",
    added="the shares in the splits expenses COND that I paid",
    counted="the splits expenses COND that I paid and that person shares in",
    role="other participant",
    items="expenses",
    total="the sum of that person's shares in them",
    about="people who share in what the supervisor paid",
    conditions=(SINCE, OVER, MONTH, _DESCRIPTION, UNDER, BEFORE),
    further=_THERE,
    more=scene.borrowed,
)
WALLET = (PAYEES, PAYERS, ASKERS, ASKED, REFUSERS, GRANTED, FRIENDS, COMMENTERS)
SPLITS = (DEBTORS, CREDITORS, MEMBERS, SPENDERS, SHARERS)
