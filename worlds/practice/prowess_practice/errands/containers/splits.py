"""Containers of the splits app: groups with expenses, members and debts, expenses with shares and comments."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, contains, kin, person, since, text
from prowess_practice.drills.listing import rename
from prowess_practice.drills.listings_money import AMOUNT, COMMENT, EXPENSE, OVER, PAY, SINCE, UNDER
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)

_GROUP = 'group_id=OUT["group_id"]'
_COMMENTING = done_by(COMMENT, "splits")
_TASKING = ContainerDeed(
    word="remind_of",
    says='create a todo task for OBJ, with "Check", a space and the description as its title',
    about="create a task for OBJ",
    call="apis.todo.create_task(access_token=todo_token, title=f'Check {ROW[\"description\"]}')",
    app="todo",
)
_EXPENSES = Inside(
    word="expenses",
    row="expense",
    rows="expenses",
    look=f"all_pages(apis.splits.show_expenses, access_token=splits_token, {_GROUP})",
    one="expense",
    many="expenses",
    name='ROW["description"]',
    called="description",
    conditions=(
        *EXPENSE[:4],
        EXPENSE[6],
        Condition(
            word="of_many",
            says="shared by more than {more_than_people} people",
            about="shared by many",
            code='len(ROW["shares"]) > more_than_people',
            slot="more_than_people",
            kind=int,
            pick=lambda rng, rows: rng.choice([len(row["shares"]) for row in rows]),
        ),
        EXPENSE[7],
    ),
    measures=(AMOUNT,),
    dated="created_at",
    deeds=(_COMMENTING, _TASKING),
)
_MEMBER = kin("", 'listed in my phone as "{relationship}"', "of a relationship")
_IN_WALLET = Condition(
    word="friends",
    says="from my list of friends in the wallet app",
    about="who are wallet friends",
    code='ROW["email"] in friends',
    app="wallet",
    prelude=(
        '    wallet_token = login(app="wallet")\n'
        '    friends = {one["email"] for one in all_pages(apis.wallet.show_friends, access_token=wallet_token)}\n'
    ),
)
_MEMBERS = Inside(
    word="members",
    row="member",
    rows="members",
    look=f'apis.splits.show_group(access_token=splits_token, {_GROUP})["members"]',
    one="member",
    many="members",
    name='ROW["name"]',
    called="name",
    key='ROW["email"]',
    small=True,
    conditions=(
        _MEMBER,
        replace(text("name", 'called "{person}"', "of a name", slot="person"), coarse=True),
        _IN_WALLET,
    ),
    deeds=(
        ContainerDeed(
            word="befriend",
            says="add OBJ to my friends in the wallet app",
            about="befriend OBJ in the wallet",
            call='apis.wallet.add_friend(access_token=wallet_token, email=ROW["email"])',
            app="wallet",
            skip=Skip(
                test='ROW["email"] in known_emails',
                prelude=(
                    '    wallet_token = login(app="wallet")\n'
                    '    known_emails = [apis.supervisor.show_profile()["email"]]\n'
                    "    for friend in all_pages(apis.wallet.show_friends, access_token=wallet_token):\n"
                    '        known_emails.append(friend["email"])\n'
                ),
                says="Skip those who are my friends there already, and me.",
            ),
            key='ROW["email"]',
        ),
        replace(done_by(PAY, "splits"), word="pay"),
    ),
)
_OWING = Inside(
    word="own_debts",
    row="debt",
    rows="debts",
    look=f"all_pages(apis.splits.show_people_i_owe, access_token=splits_token, {_GROUP})",
    one="debt of mine to another member",
    many="debts of mine to other members",
    name='ROW["name"]',
    called="creditor",
    small=True,
    conditions=(OVER, UNDER),
    measures=(AMOUNT,),
    deeds=(
        ContainerDeed(
            word="settle",
            says="settle OBJ by settling up in that group, which moves no money",
            about="settle OBJ",
            call='apis.splits.settle_up(access_token=splits_token, email=ROW["email"], group_id=OUT["group_id"])',
            app="splits",
        ),
        ContainerDeed(
            word="pay_back",
            says='pay OBJ in full to the creditor with the wallet, with the note "{pay_note}"',
            about="pay OBJ",
            call=(
                'apis.wallet.send_payment(access_token=wallet_token, receiver_email=ROW["email"], '
                'amount=ROW["amount"], note=pay_note)'
            ),
            app="wallet",
            slot="pay_note",
            choose=one_of("Paid back", "My share", "What I owe", "From splits"),
        ),
    ),
)
_OWED = replace(
    _OWING,
    word="claims",
    look=f"all_pages(apis.splits.show_people_who_owe_me, access_token=splits_token, {_GROUP})",
    one="debt of another member to me",
    many="debts of other members to me",
    called="debtor",
    deeds=(
        ContainerDeed(
            word="claim",
            says='claim OBJ in full from the debtor with a wallet request that has the note "{ask_note}"',
            about="claim OBJ",
            call=(
                'apis.wallet.request_payment(access_token=wallet_token, payer_email=ROW["email"], '
                'amount=ROW["amount"], note=ask_note)'
            ),
            app="wallet",
            slot="ask_note",
            choose=one_of("Your share", "Still open", "From splits", "Please settle"),
        ),
        _OWING.deeds[0],
    ),
)
_REPAID = Inside(
    word="repayments",
    row="payment",
    rows="payments",
    look=f"all_pages(apis.splits.show_payments, access_token=splits_token, {_GROUP})",
    one="recorded payment",
    many="recorded payments",
    small=True,
    conditions=(replace(OVER, coarse=True), replace(SINCE, coarse=True)),
    measures=(AMOUNT,),
    dated="created_at",
    remark="Only payments that I made or received count.",
)
_DEBTS = Inside(
    word="debts",
    row="debt",
    rows="debts",
    look=f'apis.splits.show_group_balances(access_token=splits_token, {_GROUP})["debts"]',
    one="debt between members",
    many="debts between members",
    conditions=(
        OVER,
        person("debtor", 'owed by "{person}"', "of a person"),
        UNDER,
        person("creditor", 'owed to "{person}"', "towards a person"),
    ),
    measures=(AMOUNT,),
)
GROUPS = ContainerKind(
    app="splits",
    word="groups",
    row="group",
    rows="groups",
    tiny=True,
    lists="all_pages(apis.splits.show_groups, access_token=splits_token)",
    one="splits group",
    many="splits groups",
    key='ROW["group_id"]',
    name='ROW["name"]',
    called="name",
    insides=(_EXPENSES, _MEMBERS, _OWING, _OWED, _REPAID, _DEBTS),
    deeds=(
        done_by(rename("rename_group", "group_id", "name"), "splits"),
        ContainerDeed(
            word="plan",
            says="create a todo project with the same name for OBJ",
            call='apis.todo.create_project(access_token=todo_token, name=ROW["name"])',
            app="todo",
        ),
        ContainerDeed(
            word="set_alarm_for",
            says='create an alarm at "{alarm_time}" for OBJ, with the name as its label',
            about="create an alarm for OBJ",
            call='apis.phone.create_alarm(access_token=phone_token, label=ROW["name"], time=alarm_time)',
            app="phone",
            slot="alarm_time",
            choose=one_of("06:45", "07:30", "08:15", "18:05", "19:20"),
        ),
    ),
)
_SHARES = Inside(
    word="shares",
    row="share",
    rows="shares",
    look='apis.splits.show_expense(access_token=splits_token, expense_id=OUT["expense_id"])["shares"]',
    one="share",
    many="shares",
    name='ROW["name"]',
    called="name",
    key='ROW["email"]',
    small=True,
    conditions=(
        OVER,
        replace(text("name", 'of "{person}"', "of a person", slot="person"), coarse=True),
        UNDER,
    ),
    measures=(AMOUNT,),
    same=False,
    deeds=(
        ContainerDeed(
            word="message",
            says="send a wallet request of {request_amount} dollars, without a note, to whoever has OBJ",
            about="request money from the people with OBJ",
            call=(
                'apis.wallet.request_payment(access_token=wallet_token, payer_email=ROW["email"], '
                "amount=request_amount)"
            ),
            app="wallet",
            slot="request_amount",
            kind=int,
            choose=one_of(2, 3, 4, 6),
            skip=Skip(
                test='ROW["email"] == my_email',
                prelude='    my_email = apis.supervisor.show_profile()["email"]\n',
                says="I am left out, of course, and nobody gets two requests.",
            ),
            key='ROW["email"]',
        ),
    ),
)
_REMARKS = Inside(
    word="comments",
    row="comment",
    rows="comments",
    look='all_pages(apis.splits.show_expense_comments, access_token=splits_token, expense_id=OUT["expense_id"])',
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
_EXPENSE_KIND = ContainerKind(
    app="splits",
    word="shared_expenses",
    row="expense",
    rows="expenses",
    few=False,
    lists="all_pages(apis.splits.show_expenses, access_token=splits_token)",
    one="splits expense that I paid or share in",
    many="splits expenses that I paid or share in",
    whose="the",
    of="",
    relative="and that",
    key='ROW["expense_id"]',
    name='ROW["description"]',
    called="description",
    filters=(
        ContainerFilter(
            word="since",
            post=" (from {expense_day} or later)",
            condition=replace(SINCE, slot="expense_day", code='ROW["created_at"] >= expense_day'),
        ),
        ContainerFilter(
            word="paid", post=', paid by "{payer}",', condition=person("paid_by", "", "paid by one", slot="payer")
        ),
    ),
    insides=(_SHARES,),
    deeds=(_COMMENTING, _TASKING),
)
SHARED = (GROUPS, _EXPENSE_KIND, replace(_EXPENSE_KIND, word="discussed_expenses", insides=(_REMARKS,)))
