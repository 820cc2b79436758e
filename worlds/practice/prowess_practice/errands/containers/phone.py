"""Containers of the phone: contacts with their texts, calls and voice messages, relationships, alarms with days."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, before, contains, flag, over, since, text, under
from prowess_practice.drills.listing import Measure
from prowess_practice.drills.listings_money import ASK, PAY, WORDS
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)
from prowess_practice.errands.containers.wallet import PAYMENTS

_NUMBER = 'phone_number=OUT["phone_number"]'
_SECONDS = Measure(field="duration", most="is the longest", least="is the shortest", sum="durations in seconds")
_TEXTS = Inside(
    word="texts",
    row="message",
    rows="messages",
    look=f"all_pages(apis.phone.show_text_messages, access_token=phone_token, {_NUMBER})",
    one="text message",
    many="text messages",
    owned=("text message with me", "text messages with me"),
    prep="with",
    name='ROW["text"]',
    called="text",
    conditions=(
        since("sent_at", "sent on or after {since}", "sent since a day"),
        replace(contains("text", 'with the word "{word}" in it', "with a word in it"), coarse=True),
        before("sent_at", "sent before {before}", "sent before a day"),
    ),
    dated="sent_at",
    happened="sent",
    deeds=(
        ContainerDeed(
            word="delete",
            says="delete OBJ",
            call='apis.phone.delete_text_message(access_token=phone_token, message_id=ROW["message_id"])',
            app="phone",
        ),
    ),
)
_RECEIVED = replace(
    _TEXTS,
    word="received_texts",
    look=f'all_pages(apis.phone.show_text_messages, access_token=phone_token, {_NUMBER}, direction="received")',
    one="text message",
    many="text messages",
    owned=("text message to me", "text messages to me"),
    prep="from",
    conditions=(*_TEXTS.conditions[::-1],),
    deeds=(replace(_TEXTS.deeds[0], word="wipe"),),
)
_CALLS = Inside(
    word="calls",
    row="call",
    rows="calls",
    look=f"all_pages(apis.phone.show_call_log, access_token=phone_token, {_NUMBER})",
    one="call",
    many="calls",
    owned=("call with me", "calls with me"),
    prep="with",
    small=True,
    conditions=(
        over("duration", "longer than {more_than_duration} seconds", "longer than so many seconds"),
        flag("is_missed", "that went unanswered", "that went unanswered"),
        since("started_at", "begun on or after {since}", "begun since a day"),
        under("duration", "shorter than {less_than_duration} seconds", "shorter than so many seconds"),
        replace(text("direction", 'with the direction "{direction}"', "in a direction"), coarse=False),
    ),
    measures=(_SECONDS,),
    dated="started_at",
    happened="begun",
)
_VOICES = Inside(
    word="voice_messages",
    row="voice",
    rows="voices",
    look=f"all_pages(apis.phone.show_voice_messages, access_token=phone_token, {_NUMBER})",
    one="voice message",
    many="voice messages",
    owned=("voice message with me", "voice messages with me"),
    prep="with",
    name='ROW["transcript"]',
    called="transcript",
    small=True,
    conditions=(
        replace(before("sent_at", "sent before {before}", "sent before a day"), coarse=True),
        replace(since("sent_at", "sent on or after {since}", "sent since a day"), coarse=True),
        replace(contains("transcript", 'with the word "{word}" in it', "with a word in it"), coarse=True),
    ),
    measures=(_SECONDS,),
    dated="sent_at",
    happened="sent",
    deeds=(
        ContainerDeed(
            word="delete",
            says="delete OBJ",
            call='apis.phone.delete_voice_message(access_token=phone_token, message_id=ROW["message_id"])',
            app="phone",
        ),
    ),
)
_TEXTING = ContainerDeed(
    word="text",
    says='text "{message}" to OBJ',
    call='apis.phone.send_text_message(access_token=phone_token, phone_number=ROW["phone_number"], text=message)',
    app="phone",
    slot="message",
    choose=one_of(*WORDS, "How are you?", "Long time no see."),
)
_SPEAKING = ContainerDeed(
    word="speak_to",
    says='leave OBJ a voice message that says "{spoken}"',
    call=(
        'apis.phone.send_voice_message(access_token=phone_token, phone_number=ROW["phone_number"], transcript=spoken)'
    ),
    app="phone",
    slot="spoken",
    choose=one_of(*WORDS, "Call me back, please.", "I am thinking of you."),
)
_CALLING = ContainerDeed(
    word="plan_call",
    says='create a todo task for OBJ, with "Call", a space and the name as its title',
    about="create a task for OBJ",
    call="apis.todo.create_task(access_token=todo_token, title=f'Call {ROW[\"name\"]}')",
    app="todo",
)
_FORGETTING = ContainerDeed(
    word="delete",
    says="delete OBJ from my contacts",
    call='apis.phone.delete_contact(access_token=phone_token, contact_id=ROW["contact_id"])',
    app="phone",
)
_BEFRIENDING = ContainerDeed(
    word="befriend",
    says="add OBJ to my friends in the wallet app",
    about="befriend OBJ in the wallet",
    call='apis.wallet.add_friend(access_token=wallet_token, email=ROW["email"])',
    app="wallet",
    skip=Skip(
        test='ROW["email"] in friends',
        prelude=(
            '    wallet_token = login(app="wallet")\n'
            '    friends = {one["email"] for one in all_pages(apis.wallet.show_friends, access_token=wallet_token)}\n'
        ),
        says="Skip those who are my friends there already.",
    ),
)
_RELATED = ContainerFilter(
    word="related",
    post=' with the relationship "{relationship}"',
    condition=Condition(
        word="related",
        says="",
        about="of a relationship",
        code='relationship in ROW["relationships"]',
        slot="relationship",
        pick=lambda rng, rows: rng.choice([word for row in rows for word in row["relationships"]]),
    ),
)
CONTACTS = ContainerKind(
    app="phone",
    word="contacts",
    row="contact",
    rows="contacts",
    few=False,
    lists="all_pages(apis.phone.show_contacts, access_token=phone_token)",
    one="phone contact",
    many="phone contacts",
    relative="who",
    which="whom",
    pronoun="them",
    key='ROW["contact_id"]',
    name='ROW["name"]',
    called="name",
    filters=(_RELATED,),
    insides=(_TEXTS, _CALLS),
    deeds=(_TEXTING, _CALLING, done_by(PAY, "phone"), _FORGETTING, _SPEAKING),
)
_OTHERS = replace(
    CONTACTS,
    word="people",
    insides=(_RECEIVED, _VOICES),
    deeds=(_SPEAKING, done_by(ASK, "phone"), _BEFRIENDING, _TEXTING),
)
_PAYERS = replace(
    CONTACTS,
    word="paying_contacts",
    insides=(replace(PAYMENTS, apps=("wallet",), deeds=(PAYMENTS.deeds[1], PAYMENTS.deeds[0])),),
    deeds=(replace(_TEXTING, word="thank"), _BEFRIENDING, done_by(ASK, "phone")),
)
_OWING = replace(
    CONTACTS,
    word="sharing_contacts",
    insides=(
        Inside(
            word="balances",
            row="part",
            rows="parts",
            look=(
                '[one for one in apis.splits.show_person_balance(access_token=splits_token, email=OUT["email"])'
                '["by_group"] if one["group_id"]]'
            ),
            apps=("splits",),
            one="splits group with a balance between us",
            many="splits groups with a balance between us",
            prep="with",
            small=True,
            conditions=(
                Condition(
                    word="over_balance",
                    says="of more than {more_than_balance} dollars in my favour",
                    about="in their favour",
                    code='ROW["balance"] > more_than_balance',
                    slot="more_than_balance",
                    kind=float,
                    coarse=True,
                    pick=lambda rng, rows: rng.choice([row["balance"] for row in rows if row["balance"] > 0] or [None]),
                ),
                Condition(
                    word="under_balance",
                    says="of more than {debt_over} dollars in their favour",
                    about="that they owe",
                    code='ROW["balance"] < -debt_over',
                    slot="debt_over",
                    kind=float,
                    coarse=True,
                    pick=lambda rng, rows: rng.choice(
                        [-row["balance"] for row in rows if row["balance"] < 0] or [None]
                    ),
                ),
            ),
            whole=False,
        ),
    ),
    deeds=(replace(_TEXTING, word="write_to"), _CALLING),
)
_RELATIONSHIPS = ContainerKind(
    app="phone",
    word="relationships",
    row="relation",
    rows="relations",
    lists="apis.phone.show_relationships(access_token=phone_token)",
    one="relationship among my phone contacts",
    many="relationships among my phone contacts",
    whose="the",
    of="",
    key="ROW",
    name="ROW",
    called="name",
    insides=(
        Inside(
            word="contacts",
            row="contact",
            rows="contacts",
            look="all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=OUT)",
            one="contact",
            many="contacts",
            prep="with",
            name='ROW["name"]',
            called="name",
            conditions=(
                since("birthday", "born on or after {since}", "born since a day"),
                before("birthday", "born before {before}", "born before a day"),
                contains("address", 'with "{word}" in the address', "with a word in the address"),
            ),
            dated="birthday",
            happened="born",
            deeds=(_TEXTING, done_by(ASK, "phone"), _BEFRIENDING, _CALLING),
        ),
    ),
)
_DAYS = Inside(
    word="days",
    row="day",
    rows="days",
    look='OUT["repeat_days"]',
    one="repeat day",
    many="repeat days",
    prep="with",
    name="ROW",
    called="name",
    small=True,
    conditions=(
        Condition(
            word="called",
            says='called "{weekday}"',
            about="of a name",
            code="ROW == weekday",
            slot="weekday",
            coarse=True,
            pick=lambda rng, rows: rng.choice(rows),
        ),
    ),
)
_ALARM = 'alarm_id=ROW["alarm_id"]'
ALARMS = ContainerKind(
    app="phone",
    word="alarms",
    row="alarm",
    rows="alarms",
    lists="all_pages(apis.phone.show_alarms, access_token=phone_token)",
    one="alarm",
    many="alarms",
    key='ROW["alarm_id"]',
    name='ROW["label"]',
    called="label",
    filters=(
        ContainerFilter(word="on", adjective="active ", given="is_enabled=True"),
        ContainerFilter(word="off", adjective="switched-off ", given="is_enabled=False"),
    ),
    insides=(_DAYS,),
    deeds=(
        ContainerDeed(
            word="snooze",
            says="give OBJ a snooze of {minutes} minutes",
            call=f"apis.phone.update_alarm(access_token=phone_token, {_ALARM}, snooze_minutes=minutes)",
            app="phone",
            slot="minutes",
            kind=int,
            choose=one_of(3, 4, 7, 12, 20),
        ),
        ContainerDeed(
            word="silence",
            says="switch OBJ off",
            call=f"apis.phone.update_alarm(access_token=phone_token, {_ALARM}, is_enabled=False)",
            app="phone",
        ),
        ContainerDeed(
            word="delete",
            says="delete OBJ",
            call=f"apis.phone.delete_alarm(access_token=phone_token, {_ALARM})",
            app="phone",
        ),
    ),
)
PHONE = (CONTACTS, _OTHERS, _PAYERS, _OWING, _RELATIONSHIPS, ALARMS)
