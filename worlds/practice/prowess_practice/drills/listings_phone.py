"""Listings of the phone."""

from __future__ import annotations

from prowess_practice.drills.conditions import (
    among,
    before,
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
from prowess_practice.drills.listing import Action, Listing, Measure
from prowess_practice.drills.listings_money import ASK, PAY, WORDS

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
                choices=WORDS,
            ),
            Action(api="delete_contact", verb="delete", arguments='contact_id=ROW["contact_id"]'),
            PAY,
            ASK,
            Action(
                api="update_contact",
                verb="give",
                arguments='contact_id=ROW["contact_id"], address=new_address',
                after=' the address "{new_address}"',
                slot="new_address",
                choices=("12 Mill Lane", "5 Harbour Road", "31 Orchard Street", "8 Station Square"),
            ),
            Action(
                api="send_voice_message",
                verb="leave",
                arguments='phone_number=ROW["phone_number"], transcript=message',
                after=' a voice message that says "{message}"',
                slot="message",
                choices=WORDS,
            ),
            Action(
                api="create_alarm",
                verb="remind me of",
                arguments='label=ROW["name"], time=alarm_time',
                after=' with an alarm at "{alarm_time}" that has the name as its label',
                slot="alarm_time",
                choices=("06:45", "07:30", "08:15", "18:05", "19:20"),
            ),
        ),
    ),
    Listing(
        app="phone",
        api="show_conversations",
        word="conversations",
        row="conversation",
        one="person in my text conversations",
        many="people in my text conversations",
        name="name",
        called="name",
        conditions=(
            over(
                "message_count",
                "with more than {more_than_message_count} texts between us",
                "with more texts than given",
            ),
            under(
                "message_count",
                "with fewer than {less_than_message_count} texts between us",
                "with fewer texts than given",
            ),
        ),
        measures=(
            Measure(
                field="message_count",
                most="has the most texts with me",
                least="has the fewest texts with me",
                sum="numbers of texts",
            ),
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
        conditions=(
            _FROM,
            _TO,
            _SENT,
            _EARLIER,
            _KIN,
            month("sent_at", "sent in {month}", "sent in a month"),
            weekday("sent_at", "sent on a {weekday}", "sent on a day of the week"),
        ),
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
            month("started_at", "begun in {month}", "begun in a month"),
            weekday("started_at", "begun on a {weekday}", "begun on a day of the week"),
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
                verb="give",
                arguments='alarm_id=ROW["alarm_id"], snooze_minutes=new_snooze',
                after=" a snooze of {new_snooze} minutes",
                slot="new_snooze",
                choices=("3", "4", "6", "7", "12"),
            ),
            Action(
                api="update_alarm",
                verb="rename",
                arguments='alarm_id=ROW["alarm_id"], label=new_label',
                after=' to "{new_label}"',
                slot="new_label",
                choices=("Get going", "Last call", "Do not forget", "Time is up"),
            ),
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
