"""Piles in the phone: contacts, messages, calls and alarms."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, since
from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_money import ASK, PAY, WORDS
from prowess_practice.drills.listings_phone import PHONE
from prowess_practice.errands.branches.pile import Pile, Size, alarm_of, people_tests, task_of

_LISTED = {listing.word: listing for listing in PHONE}
_CONTACTS, _ALARMS = _LISTED["contacts"], _LISTED["alarms"]


def _text(number: str) -> Action:
    return Action(
        api="send_text_message",
        verb="text",
        arguments=f"phone_number={number}, text=message",
        after=' the words "{message}"',
        slot="message",
        choices=WORDS,
    )


def _answer(number: str, whom: str) -> Action:
    return Action(
        api="send_text_message",
        verb="answer",
        arguments=f"phone_number={number}, text=reply",
        after=f' with a text message of its own that says "{{reply}}", sent to the {whom}',
        slot="reply",
        choices=WORDS,
    )


def _related(condition: Condition) -> Condition:
    """The same without a login of its own: programs of errands log in first."""
    return replace(condition, prelude=condition.prelude.replace('    phone_token = login(app="phone")\n', ""))


_SWITCH = Action(api="update_alarm", verb="switch", arguments='alarm_id=ROW["alarm_id"], is_enabled=True', after=" on")
_LATER = Condition(
    word="ringing_after",
    says='ringing later than "{clock}"',
    about="ringing after a time of day",
    code='ROW["time"] > clock',
    slot="clock",
    pick=lambda rng, rows: rng.choice(sorted(row["time"] for row in rows)[:-1]) if len(rows) > 1 else None,
)
_SHARED = Condition(
    word="repeating",
    says="set to repeat on at least one day of the week",
    about="that repeat",
    code='ROW["repeat_days"]',
)

PHONE_PILES = (
    Pile(
        word="contacts",
        app="phone",
        api="show_contacts",
        row="contact",
        rows="contacts",
        many="my phone contacts",
        it="them",
        tests=(*people_tests("ROW", "who")[1:], *_CONTACTS.conditions[1:]),
        acts=(
            _text('ROW["phone_number"]'),
            replace(
                _CONTACTS.actions[5],
                slot="spoken",
                arguments='phone_number=ROW["phone_number"], transcript=spoken',
                after=' a voice message that says "{spoken}"',
            ),
            PAY,
            replace(
                ASK,
                slot="asked_amount",
                arguments='payer_email=ROW["email"], amount=asked_amount',
                after=" for {asked_amount} dollars on wallet, without a note",
            ),
            task_of('ROW["name"]', "person's name"),
            alarm_of('ROW["name"]', "person's name"),
            _CONTACTS.actions[1],
        ),
    ),
    Pile(
        word="alarms",
        app="phone",
        api="show_alarms",
        row="alarm",
        rows="alarms",
        many="the alarms in my phone",
        tests=(_LATER, _ALARMS.flags[1], _ALARMS.conditions[0], _SHARED),
        acts=(_ALARMS.actions[0], _ALARMS.actions[1], _ALARMS.actions[2], task_of('ROW["label"]', "label")),
        sizes=(Size(field="snooze_minutes", noun="snooze time", unit=" minutes"),),
    ),
    Pile(
        word="silent_alarms",
        app="phone",
        api="show_alarms",
        given=", is_enabled=False",
        row="alarm",
        rows="alarms",
        many="the alarms in my phone that are switched off",
        tests=(_LATER, _SHARED),
        acts=(_SWITCH, _ALARMS.actions[0], _ALARMS.actions[2]),
    ),
    Pile(
        word="voice_messages",
        app="phone",
        api="show_voice_messages",
        given=', direction="received"',
        row="message",
        rows="messages",
        many="the voice messages that I received",
        tests=(*_LISTED["voice_messages"].conditions[:1], _LISTED["voice_messages"].conditions[2]),
        acts=(
            _LISTED["voice_messages"].actions[0],
            _answer('ROW["sender"]["phone_number"]', "sender"),
            task_of('ROW["transcript"]', "transcript"),
        ),
        sizes=(Size(field="duration", noun="duration", unit=" seconds"),),
    ),
    Pile(
        word="received_texts",
        app="phone",
        api="show_text_messages",
        given=', direction="received"',
        row="message",
        rows="messages",
        many="the text messages that I received",
        tests=(_LISTED["text_messages"].conditions[2], *map(_related, _LISTED["text_messages"].conditions[4:])),
        acts=(_LISTED["text_messages"].actions[0], task_of('ROW["text"]', "text")),
    ),
    Pile(
        word="missed_calls",
        app="phone",
        api="show_call_log",
        given=', direction="incoming", is_missed=True',
        row="call",
        rows="calls",
        many="the incoming calls that I missed",
        tests=(
            _related(_LISTED["calls"].conditions[3]),
            since("started_at", "begun on or after {since}", "begun since a day"),
            _LISTED["calls"].conditions[8],
        ),
        acts=(
            _answer('ROW["caller"]["phone_number"]', "caller"),
            replace(
                _CONTACTS.actions[5],
                slot="spoken",
                verb="answer",
                arguments='phone_number=ROW["caller"]["phone_number"], transcript=spoken',
                after=' with a voice message of its own that says "{spoken}", sent to the caller',
            ),
            task_of('"Call back " + ROW["caller"]["name"]', 'words "Call back" and the caller\'s full name'),
            alarm_of('ROW["caller"]["name"]', "caller's full name"),
        ),
    ),
)
