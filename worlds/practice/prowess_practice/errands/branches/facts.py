"""What can be measured before something is done: money."""

from __future__ import annotations

from prowess_practice.errands.branches.draws import day, finding, having, pick
from prowess_practice.errands.branches.part import Fact, part
from prowess_practice.errands.people.plan import Slot

SINCE = day("since", -200, -15)
DOLLARS, SECONDS = " dollars", " seconds"


def fact(word: str, apps: str, noun: str, value: str, reads: str, *slots: Slot, unit: str = "", more: str = "") -> Fact:
    """A measure; money is a float, all else a whole number."""
    return Fact(
        word=word,
        apps=tuple(apps.split()),
        noun=noun,
        value=value,
        reads=part(reads),
        slots=slots,
        unit=unit,
        more=more,
        kind=float if unit == DOLLARS else int,
    )


def listed(app: str, api: str, rows: str, value: str, more: str = "", test: str = "") -> str:
    """A listing, and how many of its rows there are."""
    listed = f"{rows} = all_pages(apis.{app}.{api}, access_token={app}_token{more})\n"
    return listed + (f"{value} = len([one for one in {rows} if {test}])" if test else f"{value} = len({rows})")


def summed(app: str, api: str, rows: str, value: str, field: str = "amount", more: str = "", test: str = "") -> str:
    """A listing, and what its rows add up to."""
    total = f'sum(one["{field}"] for one in {rows}{f" if {test}" if test else ""})'
    total = f"round({total}, 2)" if field == "amount" else total
    return f"{rows} = all_pages(apis.{app}.{api}, access_token={app}_token{more})\n{value} = {total}"


_GROUP = finding("group", "group")
_OF_GROUP = ", group_id=group_id"

MONEY = (
    fact(
        "balance",
        "wallet",
        "the balance of my wallet",
        "balance",
        'balance = apis.wallet.show_balance(access_token=wallet_token)["balance"]',
        unit=DOLLARS,
        more="I have more than {limit} dollars in my wallet",
    ),
    fact(
        "pending_sum",
        "wallet",
        "the sum of the payment requests to me that are pending in the wallet",
        "pending_sum",
        summed("wallet", "show_received_requests", "requests", "pending_sum", more=', status="pending"'),
        unit=DOLLARS,
        more="the pending payment requests that I got in the wallet add up to more than {limit} dollars",
    ),
    fact(
        "awaited_count",
        "wallet",
        "the number of my own payment requests that are pending in the wallet",
        "request_count",
        listed("wallet", "show_sent_requests", "requests", "request_count", ', status="pending"'),
        more="more than {limit} of the payment requests I sent with the wallet are pending",
    ),
    fact(
        "spent_since",
        "wallet",
        "what I sent to others with the wallet on or after {since}, in all,",
        "spent",
        summed("wallet", "show_transactions", "payments", "spent", more=', direction="sent", from_date=since'),
        SINCE,
        unit=DOLLARS,
        more="I have sent others more than {limit} dollars in all with the wallet on or after {since}",
    ),
    fact(
        "largest_received",
        "wallet",
        "the largest payment that I ever received in the wallet",
        "largest",
        'payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="received")\n'
        'largest = max(payment["amount"] for payment in payments)',
        unit=DOLLARS,
        more="somebody has ever sent me more than {limit} dollars in a single wallet payment",
    ),
    fact(
        "friend_count",
        "wallet",
        "the number of my friends on wallet",
        "friend_count",
        listed("wallet", "show_friends", "friends", "friend_count"),
        more="I have more than {limit} friends on wallet",
    ),
    fact(
        "payments_with",
        "phone wallet",
        'the number of wallet payments between my contact "{partner_in_payments}" and me, in either direction,',
        "payment_count",
        finding("contact", "partner_in_payments", "email", "partner_email")
        + listed("wallet", "show_transactions", "payments", "payment_count", ", user_email=partner_email"),
        pick("partner_in_payments", "contact"),
    ),
    fact(
        "topped_up",
        "wallet",
        "the sum of all my top-ups of the wallet",
        "topped_up",
        summed("wallet", "show_card_transfers", "transfers", "topped_up", test='one["kind"] == "top_up"'),
        unit=DOLLARS,
        more="I have topped up my wallet by more than {limit} dollars in all",
    ),
    fact(
        "debts",
        "splits",
        "what I owe to others on splits, in all,",
        "debt",
        summed("splits", "show_people_i_owe", "creditors", "debt"),
        unit=DOLLARS,
        more="I owe others more than {limit} dollars in all on splits",
    ),
    fact(
        "claims",
        "splits",
        "what others owe me on splits, in all,",
        "claim",
        summed("splits", "show_people_who_owe_me", "debtors", "claim"),
        unit=DOLLARS,
        more="others owe me more than {limit} dollars in all on splits",
    ),
    fact(
        "group_expenses",
        "splits",
        'the number of expenses in the splits group "{group}"',
        "expense_count",
        _GROUP + listed("splits", "show_expenses", "expenses", "expense_count", _OF_GROUP),
        pick("group", "group"),
        more='there are more than {limit} expenses in the splits group "{group}"',
    ),
    fact(
        "group_costs",
        "splits",
        'the sum of all expenses in the splits group "{group}"',
        "costs",
        _GROUP + summed("splits", "show_expenses", "expenses", "costs", more=_OF_GROUP),
        pick("group", "group"),
        unit=DOLLARS,
        more='the splits group "{group}" has spent more than {limit} dollars in all',
    ),
    fact(
        "group_size",
        "splits",
        'the number of people in the splits group "{group}", me included,',
        "size",
        having("group", "group", "found") + 'size = len(found["members"])',
        pick("group", "group"),
        more='more than {limit} people, me included, are in the splits group "{group}"',
    ),
)
