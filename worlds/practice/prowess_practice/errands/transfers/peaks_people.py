"""The largest, latest, first of payments, expenses, messages, calls and alarms, and what belongs to them."""

from __future__ import annotations

from prowess_practice.drills.listing import MEMBERS
from prowess_practice.errands.transfers import money, phone
from prowess_practice.errands.transfers.parts import RowPool, inside
from prowess_practice.errands.transfers.peaks import Link, Peak

_WALLET, _SPLITS, _PHONE = (f"access_token={app}_token" for app in ("wallet", "splits", "phone"))

# Money

PAYMENT_PEAKS = (
    Peak(pool=money.SENT, word="largest", most="has the greatest amount", by='ROW["amount"]'),
    Peak(pool=money.RECEIVED, word="smallest", most="has the least amount", by='ROW["amount"]', greatest=False),
    Peak(pool=money.SENT, word="latest", most="is the latest", by='ROW["created_at"]'),
)
_PAYMENT = 'ROW["transaction_id"] != TOP["transaction_id"]'
_PAYMENTS = f"    payments = all_pages(apis.wallet.show_transactions, {_WALLET})\n"
PAYMENT_LINKS = (
    Link(
        word="month_payments",
        says="the other payments in my wallet, sent or received, made in the same month as OF",
        row="payment",
        tests=('ROW["created_at"][:7] == TOP["created_at"][:7]', _PAYMENT),
        reading=_PAYMENTS,
    ),
    Link(
        word="pair_payments",
        says="the other payments in my wallet, sent or received, between me and the other person of OF",
        row="payment",
        tests=(
            '{ROW["sender"]["email"], ROW["receiver"]["email"]} == {TOP["sender"]["email"], TOP["receiver"]["email"]}',
            _PAYMENT,
        ),
        reading=_PAYMENTS,
    ),
    Link(
        word="later_payments",
        says="the payments in my wallet, sent or received, made after OF",
        row="payment",
        tests=('ROW["created_at"] > TOP["created_at"]',),
        reading=_PAYMENTS,
    ),
)
EXPENSE_PEAKS = (
    Peak(pool=money.EXPENSES, word="dearest", most="has the greatest amount", by='ROW["amount"]'),
    Peak(pool=money.EXPENSES, word="latest", most="is the latest", by='ROW["created_at"]'),
    Peak(pool=money.IN_GROUP, word="cheapest", most="has the least amount", by='ROW["amount"]', greatest=False),
)
_EXPENSE = 'ROW["expense_id"] != TOP["expense_id"]'
EXPENSE_LINKS = (
    Link(
        word="payer_expenses",
        says="the other expenses of mine paid by whoever paid OF",
        row="expense",
        tests=(_EXPENSE,),
        reading="    expenses = all_pages("
        f'apis.splits.show_expenses, {_SPLITS}, paid_by_email=TOP["paid_by"]["email"])\n',
    ),
    Link(
        word="group_expenses",
        says="the other expenses in the group of OF",
        row="expense",
        tests=(_EXPENSE,),
        reading=f'    expenses = all_pages(apis.splits.show_expenses, {_SPLITS}, group_id=TOP["group_id"])\n',
    ),
    Link(
        word="later_expenses",
        says="the expenses of mine on splits made on a later day than OF",
        row="expense",
        tests=('ROW["created_at"][:10] > TOP["created_at"][:10]',),
        reading=money.EXPENSES.reading,
    ),
    Link(
        word="day_payments",
        says="the payments in my wallet, sent or received, made in the same month as OF",
        row="payment",
        tests=('ROW["created_at"][:7] == TOP["created_at"][:7]',),
        reading=_PAYMENTS,
        app="wallet",
    ),
)

# The phone

TEXT_PEAKS = (
    Peak(pool=phone.TEXTS, word="latest", most="is the latest", by='ROW["sent_at"]'),
    Peak(
        pool=RowPool(
            app="phone",
            word="texts_from_group",
            row="message",
            one='text message I received from a member of the splits group "{group}"',
            many='text messages I received from members of the splits group "{group}"',
            reading=(
                '    splits_token = login(app="splits")\n'
                f"    groups = all_pages(apis.splits.show_groups, {_SPLITS})\n"
                '    people = next(one["members"] for one in groups if one["name"] == group)\n'
                '    names = {person["name"] for person in people}\n'
                f'    received = all_pages(apis.phone.show_text_messages, {_PHONE}, direction="received")\n'
                '    messages = [message for message in received if message["sender"]["name"] in names]\n'
            ),
            slots=(inside(MEMBERS),),
        ),
        word="latest",
        most="is the latest",
        by='ROW["sent_at"]',
    ),
)
TEXT_LINKS = (
    Link(
        word="sender_texts",
        says="the other text messages I received from the sender of OF",
        row="message",
        tests=('ROW["message_id"] != TOP["message_id"]',),
        reading=(
            '    number = TOP["sender"]["phone_number"]\n'
            "    messages = all_pages(\n"
            f'        apis.phone.show_text_messages, {_PHONE}, phone_number=number, direction="received"\n'
            "    )\n"
        ),
    ),
    Link(
        word="week_texts",
        says="the other text messages I received less than seven days of 24 hours before OF",
        row="message",
        tests=('ROW["message_id"] != TOP["message_id"]', 'ROW["sent_at"] > start'),
        reading=(
            '    start = (datetime.fromisoformat(TOP["sent_at"]) - timedelta(days=7)).isoformat()\n'
            + phone.TEXTS.reading
        ),
        kind="received_texts",
    ),
)
CALL_LINKS = (
    Link(
        word="person_texts",
        says="the text messages I received from whoever made OF",
        row="message",
        tests=('ROW["sender"]["phone_number"] == TOP["caller"]["phone_number"]',),
        reading=phone.TEXTS.reading,
    ),
    Link(
        word="later_texts",
        says="the text messages I received after the start of OF",
        row="message",
        tests=('ROW["sent_at"] > TOP["started_at"]',),
        reading=phone.TEXTS.reading,
    ),
)
CALL_PEAKS = (Peak(pool=phone.MISSED, word="latest", most="is the latest", by='ROW["started_at"]'),)
ALARM_PEAKS = (
    Peak(pool=phone.LOUD, word="first", most="rings first in the day", by='ROW["time"]', greatest=False),
    Peak(pool=phone.ALARMS, word="last", most="rings last in the day", by='ROW["time"]'),
)
ALARM_LINKS = (
    Link(
        word="day_alarms",
        says="the other alarms of mine, on or off, that repeat on at least one day of OF",
        row="alarm",
        tests=('set(TOP["repeat_days"]).intersection(ROW["repeat_days"])', 'ROW["alarm_id"] != TOP["alarm_id"]'),
        reading=phone.ALARMS.reading,
    ),
    Link(
        word="equal_alarms",
        says="the other alarms of mine, on or off, with the same snooze as OF",
        row="alarm",
        tests=('ROW["snooze_minutes"] == TOP["snooze_minutes"]', 'ROW["alarm_id"] != TOP["alarm_id"]'),
        reading=phone.ALARMS.reading,
    ),
)
