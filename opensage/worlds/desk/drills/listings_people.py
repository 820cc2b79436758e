"""Listings of wallet, splits and phone: money and people."""

from __future__ import annotations

from opensage.worlds.desk.drills.conditions import among, before, flag, kin, over, person, since, text, under
from opensage.worlds.desk.drills.listing import Action, Listing, Measure

_OVER = over("amount", "of more than {more_than_amount} dollars", "of more than an amount", kind=float)
_UNDER = under("amount", "of less than {less_than_amount} dollars", "of less than an amount", kind=float)
_SINCE = since("created_at", "made on or after {since}", "made since a day")
_BEFORE = before("created_at", "made before {before}", "made before a day")
_NOTE = text("note", 'with the note "{note}"', "with a note")
_AMOUNT = Measure(field="amount", most="is the largest", least="is the smallest", sum="amounts")
_MADE = Measure(field="created_at", most="is the latest", least="is the earliest")
_WORDS = ("Thank you!", "Settled, thanks.", "See you soon.", "Got it.", "All good now.", "Talk to you later.")

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
            _OVER,
            _UNDER,
            _SINCE,
            _BEFORE,
            _NOTE,
            person("sender", 'sent by "{person}"', "sent by a person"),
            person("receiver", 'received by "{person}"', "received by a person"),
            kin("sender", 'sent by a "{relationship}" of mine', "sent by contacts of a relationship"),
            kin("receiver", 'received by a "{relationship}" of mine', "received by contacts of a relationship"),
            text("direction", 'with the direction "{direction}"', "in a direction", argument="direction", coarse=True),
            over(
                "like_count", "with more than {more_than_like_count} likes", "with more likes than given", coarse=True
            ),
        ),
        flags=(
            flag("is_private", "marked private", "marked private"),
            flag("is_private", "not marked private", "not marked private", yes=False),
            flag("liked_by_me", "not liked by me yet", "not liked yet", yes=False),
        ),
        measures=(
            _AMOUNT,
            _MADE,
            Measure(field="like_count", most="has the most likes", least="has the fewest", sum="likes"),
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
                choices=_WORDS,
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
            _OVER,
            _UNDER,
            _SINCE,
            person("payer", 'to "{person}"', "to a person"),
            kin("payer", 'to a "{relationship}" of mine', "to contacts of a relationship"),
        ),
        measures=(_AMOUNT, _MADE),
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
            _OVER,
            _UNDER,
            _BEFORE,
            person("requester", 'from "{person}"', "from a person"),
            kin("requester", 'from a "{relationship}" of mine', "from contacts of a relationship"),
        ),
        measures=(_AMOUNT, _MADE),
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
        conditions=(text("kind", 'of the kind "{kind}"', "of a kind", coarse=True), _OVER, _UNDER, _SINCE, _BEFORE),
        measures=(_AMOUNT,),
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
            _OVER,
            _UNDER,
            _SINCE,
            _BEFORE,
            text("description", 'described as "{description}"', "with a description"),
            person("paid_by", 'paid by "{person}"', "paid by a person"),
            kin("paid_by", 'paid by a "{relationship}" of mine', "paid by contacts of a relationship"),
        ),
        measures=(_AMOUNT, _MADE),
        actions=(
            Action(
                api="add_expense_comment",
                verb="comment on",
                arguments='expense_id=ROW["expense_id"], text=comment',
                after=' with "{comment}"',
                slot="comment",
                choices=_WORDS,
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
            _OVER,
            _UNDER,
            _SINCE,
            person("payer", 'made by "{person}"', "made by a person"),
            kin("payer", 'made by a "{relationship}" of mine', "made by contacts of a relationship"),
            person("receiver", 'received by "{person}"', "received by a person"),
        ),
        measures=(_AMOUNT,),
        actions=(Action(api="delete_payment", verb="delete", arguments='payment_id=ROW["payment_id"]'),),
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
        conditions=(_OVER, _UNDER),
        measures=(_AMOUNT,),
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
        measures=(_MADE,),
    ),
)

_SENT = since("sent_at", "sent on or after {since}", "sent since a day")
_EARLIER = before("sent_at", "sent before {before}", "sent before a day")
_FROM = person("sender", 'from "{person}"', "from a person")
_KIN = kin("sender", 'from a "{relationship}" of mine', "from contacts of a relationship")
_TO = person("receiver", 'to "{person}"', "to a person")

PHONE = (
    Listing(
        app="phone",
        api="show_contacts",
        word="contacts",
        row="contact",
        one="contact in my phone",
        many="contacts in my phone",
        name="name",
        called="name",
        conditions=(
            among(
                "relationships",
                'with the relationship "{relationship}"',
                "of a relationship",
                slot="relationship",
                argument="relationship",
            ),
            since("birthday", "born on or after {since}", "born since a day"),
            before("birthday", "born before {before}", "born before a day"),
        ),
        measures=(Measure(field="birthday", most="is the youngest", least="is the oldest"),),
        actions=(
            Action(
                api="send_text_message",
                verb="text",
                arguments='phone_number=ROW["phone_number"], text=message',
                after=' with the words "{message}"',
                slot="message",
                choices=_WORDS,
            ),
            Action(api="delete_contact", verb="delete", arguments='contact_id=ROW["contact_id"]'),
        ),
    ),
    Listing(
        app="phone",
        api="show_text_messages",
        word="text_messages",
        row="message",
        one="text message in my phone",
        many="text messages in my phone",
        name="text",
        called="text",
        conditions=(_FROM, _TO, _SENT, _EARLIER, _KIN),
        measures=(Measure(field="sent_at", most="is the latest", least="is the earliest"),),
        actions=(Action(api="delete_text_message", verb="delete", arguments='message_id=ROW["message_id"]'),),
    ),
    Listing(
        app="phone",
        api="show_voice_messages",
        word="voice_messages",
        row="message",
        one="voice message in my phone",
        many="voice messages in my phone",
        name="transcript",
        called="transcript",
        conditions=(
            _FROM,
            _TO,
            _SENT,
            over("duration", "longer than {more_than_duration} seconds", "longer than so many seconds"),
            under("duration", "shorter than {less_than_duration} seconds", "shorter than so many seconds"),
        ),
        measures=(
            Measure(field="duration", most="is the longest", least="is the shortest", sum="durations in seconds"),
            Measure(field="sent_at", most="is the latest", least="is the earliest"),
        ),
        actions=(Action(api="delete_voice_message", verb="delete", arguments='message_id=ROW["message_id"]'),),
    ),
    Listing(
        app="phone",
        api="show_call_log",
        word="calls",
        row="call",
        one="call in the log of my phone",
        many="calls in the log of my phone",
        conditions=(
            text("direction", 'with the direction "{direction}"', "in a direction", argument="direction", coarse=True),
            person("caller", 'from "{person}"', "from a person"),
            person("callee", 'to "{person}"', "to a person"),
            kin("caller", 'from a "{relationship}" of mine', "from contacts of a relationship"),
            over("duration", "longer than {more_than_duration} seconds", "longer than so many seconds"),
            since("started_at", "begun on or after {since}", "begun since a day"),
            before("started_at", "begun before {before}", "begun before a day"),
        ),
        flags=(
            flag("is_missed", "that went unanswered", "that went unanswered"),
            flag("is_missed", "that did not go unanswered", "that were answered", yes=False),
        ),
        measures=(
            Measure(field="duration", most="is the longest", least="is the shortest", sum="durations in seconds"),
        ),
    ),
    Listing(
        app="phone",
        api="show_alarms",
        word="alarms",
        row="alarm",
        one="alarm in my phone",
        many="alarms in my phone",
        name="label",
        called="label",
        conditions=(
            among("repeat_days", 'ringing every "{day}"', "ringing on a day", slot="day"),
            over(
                "snooze_minutes",
                "with a snooze of more than {more_than_snooze_minutes} minutes",
                "with a longer snooze",
                coarse=True,
            ),
        ),
        flags=(
            flag("is_enabled", "switched on", "switched on"),
            flag("is_enabled", "switched off", "switched off", yes=False),
        ),
        measures=(
            Measure(field="time", most="rings last in the day", least="rings first in the day"),
            Measure(
                field="snooze_minutes",
                most="has the longest snooze",
                least="has the shortest snooze",
                sum="snooze minutes",
            ),
        ),
        actions=(
            Action(api="delete_alarm", verb="delete", arguments='alarm_id=ROW["alarm_id"]'),
            Action(
                api="update_alarm",
                verb="set",
                arguments='alarm_id=ROW["alarm_id"], snooze_minutes=minutes',
                after=" to {minutes} minutes of snooze",
                slot="minutes",
                choices=("1", "3", "7", "12", "20", "25"),
            ),
        ),
    ),
)
