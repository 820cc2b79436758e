"""Expenses: what the wallet, groups and comments say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listings_money import MONEY, WORDS
from prowess_practice.drills.listings_within import WITHIN
from prowess_practice.errands.transfers.money import MUTUAL
from prowess_practice.errands.transfers.parts import Tie, gathering, one_of, pool
from prowess_practice.errands.transfers.sinks import (
    COUNT,
    adding,
    each,
    filing,
    foremost,
    noting,
    tasking,
    telling_apart,
)

_W, _S = "access_token=wallet_token", "access_token=splits_token"
_LISTED = {listing.word: listing for listing in MONEY}
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
            f"    groups = all_pages(apis.splits.show_groups, {_S})\n"
            '    small = {group["group_id"] for group in groups if len(group["members"]) <= members}\n'
        ),
        slots=(one_of("members", 3, 4, 5),),
    ),
    Tie(
        word="remarked",
        yes="with comments",
        no="without comments",
        whether="somebody commented on it",
        test=f"all_pages(apis.splits.show_expense_comments, {_S}, {_EXPENSE})",
    ),
    Tie(
        word="repeated",
        yes="with a description that more than one expense of mine has",
        no="with a description that no other expense of mine has",
        whether="another expense of mine has the same description",
        test='described.count(ROW["description"]) > 1',
        prelude=f'    described = [one["description"] for one in all_pages(apis.splits.show_expenses, {_S})]\n',
    ),
)
OWN = Tie(
    word="paid_by_me",
    yes="paid by me",
    no="paid by somebody else",
    whether="I paid it",
    test='ROW["paid_by"]["email"] == me',
    prelude=f'    me = apis.splits.show_account({_S})["email"]\n',
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
