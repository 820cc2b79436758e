"""APIs of the phone app: contacts, messages, calls and alarms.

They are documented in the order in which they stand here.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.phone import rows
from prowess_desk.apps.phone.rows import DAYS, Alarm, Call, Contact, TextMessage, VoiceMessage
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, OneOf, PageIndex, PageLimit, Query, Span, conflict, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import DayFilter, day, matches, period, person_with, within

phone = with_accounts(App("phone", "Contacts, text and voice messages, calls and alarms."), by="phone")

Number = Annotated[str, "phone number, 10 digits"]
NumberFilter = Annotated[str | None, "only with this phone number"]

END = {"name": "string", "phone_number": "5550000000"}


def shown_end(person: Person) -> Json:
    return {"name": person.name, "phone_number": person.phone}


def somebody_else(ctx: Ctx, number: str) -> Person:
    person = person_with(ctx.state, phone=number) or missing("phone number", number)
    if person.id == ctx.me.id:
        invalid("That is your own phone number.")
    return person


# Contacts


ContactId = Annotated[int, "id of the contact"]
Relationships = Annotated[list[str], "what the person is to you, such as friend or coworker"]

_CONTACT = {
    "contact_id": 1,
    "name": "string",
    "phone_number": "5550000000",
    "email": "string",
    "relationships": ["friend"],
    "birthday": "1990-01-31 or null",
    "address": "string",
}


def _contact(contact: Contact) -> Json:
    return {
        "contact_id": contact.id,
        "name": contact.name,
        "phone_number": contact.phone,
        "email": contact.email,
        "relationships": list(contact.relationships),
        "birthday": contact.birthday.isoformat() if contact.birthday else None,
        "address": contact.address,
    }


def _my_contact(ctx: Ctx, contact_id: int) -> Contact:
    contact = ctx.state[Contact].get(contact_id)
    if contact is None or contact.owner != ctx.me.id:
        missing("contact", contact_id)
    return contact


def _free_number(ctx: Ctx, number: str, contact_id: int = 0) -> str:
    """A well-formed number that no other contact of this account has."""
    if len(number) != 10 or not (number.isascii() and number.isdigit()):
        invalid(f"phone_number must be 10 digits, not '{number[:40]}'.")
    for contact in ctx.state[Contact].of(ctx.me.id):
        if contact.phone == number and contact.id != contact_id:
            conflict(f"{contact.name} already has the phone number {number} in your contacts.")
    return number


def _named(name: str) -> str:
    if not name.strip():
        invalid("name must not be empty.")
    return name


@phone.api(returns=[_CONTACT])
def show_contacts(
    ctx: Ctx,
    query: Query = "",
    relationship: Annotated[str | None, "only people who are this to you, one of show_relationships"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List or search your contacts by words of name, e-mail address or phone number, and by relationship."""
    wanted = relationship.lower() if relationship is not None else None
    found = [
        contact
        for contact in ctx.state[Contact].of(ctx.me.id)
        if (wanted is None or wanted in contact.relationships)
        and matches(query, contact.name, contact.email, contact.phone)
    ]
    return [_contact(contact) for contact in page(found, page_index, page_limit)]


@phone.api(returns=_CONTACT)
def show_contact(ctx: Ctx, contact_id: ContactId) -> Json:
    """Show one of your contacts."""
    return _contact(_my_contact(ctx, contact_id))


@phone.api(returns=["friend"])
def show_relationships(ctx: Ctx) -> Json:
    """List the relationships that occur in your contacts."""
    return sorted({word for contact in ctx.state[Contact].of(ctx.me.id) for word in contact.relationships})


@phone.api(returns={"message": "Contact added.", "contact_id": 1})
def add_contact(
    ctx: Ctx,
    name: Annotated[str, "full name"],
    phone_number: Number,
    email: Annotated[str, "e-mail address, or empty"] = "",
    relationships: Relationships = [],  # noqa: B006 (never written to)
    birthday: Annotated[str | None, "as YYYY-MM-DD"] = None,
    address: Annotated[str, "street address, or empty"] = "",
) -> Json:
    """Add a contact."""
    contact = rows.add_contact(
        ctx.state,
        ctx.me.id,
        _named(name),
        _free_number(ctx, phone_number),
        email=email,
        relationships=relationships,
        birthday=day("birthday", birthday) if birthday is not None else None,
        address=address,
    )
    return {"message": "Contact added.", "contact_id": contact.id}


@phone.api(returns={"message": "Contact updated.", "contact_id": 1})
def update_contact(
    ctx: Ctx,
    contact_id: ContactId,
    name: Annotated[str | None, "new name, or null to keep it"] = None,
    phone_number: Annotated[str | None, "new phone number, 10 digits, or null to keep it"] = None,
    email: Annotated[str | None, "new e-mail address, or null to keep it"] = None,
    relationships: Annotated[list[str] | None, "all relationships from now on, or null to keep them"] = None,
    birthday: Annotated[str | None, "new birthday as YYYY-MM-DD, or null to keep it"] = None,
    address: Annotated[str | None, "new street address, or null to keep it"] = None,
) -> Json:
    """Change one of your contacts."""
    _my_contact(ctx, contact_id)
    fields = {
        "name": _named(name) if name is not None else None,
        "phone": _free_number(ctx, phone_number, contact_id) if phone_number is not None else None,
        "email": email,
        "relationships": relationships,
        "birthday": day("birthday", birthday) if birthday is not None else None,
        "address": address,
    }
    rows.change_contact(ctx.state, contact_id, **{name: value for name, value in fields.items() if value is not None})
    return {"message": "Contact updated.", "contact_id": contact_id}


@phone.api(returns={"message": "Contact deleted.", "contact_id": 1})
def delete_contact(ctx: Ctx, contact_id: ContactId) -> Json:
    """Delete one of your contacts; messages stay."""
    _my_contact(ctx, contact_id)
    rows.delete_contact(ctx.state, contact_id)
    return {"message": "Contact deleted.", "contact_id": contact_id}


# Messages


MessageId = Annotated[int, "id of the message"]
Direction = Annotated[str | None, "only what you sent or received", OneOf(("sent", "received"))]

_MESSAGE = {"message_id": 1, "sender": END, "receiver": END, "text": "string", "sent_at": "2025-01-31T10:00:00"}
_VOICE = {
    "message_id": 1,
    "sender": END,
    "receiver": END,
    "transcript": "string",
    "duration": "seconds",
    "sent_at": "2025-01-31T10:00:00",
}


def _text(ctx: Ctx, message: TextMessage) -> Json:
    return {
        "message_id": message.id,
        "sender": shown_end(ctx.state[Person][message.sender]),
        "receiver": shown_end(ctx.state[Person][message.receiver]),
        "text": message.text,
        "sent_at": message.sent_at.isoformat(),
    }


def _voice(ctx: Ctx, message: VoiceMessage) -> Json:
    return {
        "message_id": message.id,
        "sender": shown_end(ctx.state[Person][message.sender]),
        "receiver": shown_end(ctx.state[Person][message.receiver]),
        "transcript": message.transcript,
        "duration": message.seconds,
        "sent_at": message.sent_at.isoformat(),
    }


def _other(ctx: Ctx, sender: int, receiver: int) -> int:
    return receiver if sender == ctx.me.id else sender


@phone.api(returns=[{"name": "string", "phone_number": "5550000000", "message_count": 3, "last_message": _MESSAGE}])
def show_conversations(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the people you have texts with, latest first, with the last text of each."""
    talks: dict[int, list[TextMessage]] = {}
    for message in ctx.state[TextMessage].of(ctx.me.id):
        talks.setdefault(_other(ctx, message.sender, message.receiver), []).append(message)
    last = {other: max(texts, key=lambda text: (text.sent_at, text.id)) for other, texts in talks.items()}
    order = sorted(last, key=lambda other: (last[other].sent_at, last[other].id), reverse=True)
    return [
        {
            **shown_end(ctx.state[Person][other]),
            "message_count": len(talks[other]),
            "last_message": _text(ctx, last[other]),
        }
        for other in page(order, page_index, page_limit)
    ]


@phone.api(returns=[_MESSAGE])
def show_text_messages(
    ctx: Ctx,
    phone_number: NumberFilter = None,
    query: Query = "",
    direction: Direction = None,
    from_date: DayFilter = None,
    to_date: DayFilter = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List or search your text messages by other side, words, direction and day, latest first."""
    since, until = period(from_date, to_date)
    me = ctx.me.id
    other = somebody_else(ctx, phone_number).id if phone_number is not None else None
    found = [
        message
        for message in ctx.state[TextMessage].of(me)
        if (other is None or other in (message.sender, message.receiver))
        and (direction is None or (message.sender == me) == (direction == "sent"))
        and (since is until is None or within(message.sent_at, since, until))
        and matches(query, message.text)
    ]
    found.sort(key=lambda message: (message.sent_at, message.id), reverse=True)
    return [_text(ctx, message) for message in page(found, page_index, page_limit)]


@phone.api(returns={"message": "Text sent.", "message_id": 1})
def send_text_message(ctx: Ctx, phone_number: Number, text: Annotated[str, "what to say"]) -> Json:
    """Send a text message to a phone number."""
    receiver = somebody_else(ctx, phone_number)
    if not text.strip():
        invalid("text must not be empty.")
    return {"message": "Text sent.", "message_id": rows.send_text(ctx.state, ctx.me.id, receiver.id, text).id}


@phone.api(returns={"message": "Text deleted.", "message_id": 1})
def delete_text_message(ctx: Ctx, message_id: MessageId) -> Json:
    """Delete a text message from your phone; the other side keeps it."""
    message = ctx.state[TextMessage].get(message_id)
    if message is None or ctx.me.id not in message.holders:
        missing("text message", message_id)
    rows.delete_text(ctx.state, ctx.me.id, message_id)
    return {"message": "Text deleted.", "message_id": message_id}


@phone.api(returns=[_VOICE])
def show_voice_messages(
    ctx: Ctx,
    phone_number: NumberFilter = None,
    query: Query = "",
    direction: Direction = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List or search your voice messages by other side, words and direction, latest first."""
    me = ctx.me.id
    other = somebody_else(ctx, phone_number).id if phone_number is not None else None
    found = [
        message
        for message in ctx.state[VoiceMessage].of(me)
        if (other is None or other in (message.sender, message.receiver))
        and (direction is None or (message.sender == me) == (direction == "sent"))
        and matches(query, message.transcript)
    ]
    found.sort(key=lambda message: (message.sent_at, message.id), reverse=True)
    return [_voice(ctx, message) for message in page(found, page_index, page_limit)]


@phone.api(returns={"message": "Voice message sent.", "message_id": 1})
def send_voice_message(ctx: Ctx, phone_number: Number, transcript: Annotated[str, "what to say"]) -> Json:
    """Send a voice message, spoken from a text, to a phone number."""
    receiver = somebody_else(ctx, phone_number)
    if not transcript.strip():
        invalid("transcript must not be empty.")
    sent = rows.send_voice(ctx.state, ctx.me.id, receiver.id, transcript)
    return {"message": "Voice message sent.", "message_id": sent.id}


@phone.api(returns={"message": "Voice message deleted.", "message_id": 1})
def delete_voice_message(ctx: Ctx, message_id: MessageId) -> Json:
    """Delete a voice message from your phone; the other side keeps it."""
    message = ctx.state[VoiceMessage].get(message_id)
    if message is None or ctx.me.id not in message.holders:
        missing("voice message", message_id)
    rows.delete_voice(ctx.state, ctx.me.id, message_id)
    return {"message": "Voice message deleted.", "message_id": message_id}


# Calls


@phone.api(
    returns=[
        {
            "call_id": 1,
            "caller": END,
            "callee": END,
            "direction": "outgoing or incoming",
            "is_missed": False,
            "duration": "seconds",
            "started_at": "2025-01-31T10:00:00",
        }
    ]
)
def show_call_log(
    ctx: Ctx,
    phone_number: NumberFilter = None,
    direction: Annotated[str | None, "only these calls", OneOf(("outgoing", "incoming"))] = None,
    is_missed: Annotated[bool | None, "only missed or only answered calls"] = None,
    from_date: DayFilter = None,
    to_date: DayFilter = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your calls by other side, direction, day, and whether they were missed, latest first."""
    since, until = period(from_date, to_date)
    me = ctx.me.id
    other = somebody_else(ctx, phone_number).id if phone_number is not None else None
    found = [
        call
        for call in ctx.state[Call].of(me)
        if (other is None or other in call.parties)
        and (direction is None or (call.caller == me) == (direction == "outgoing"))
        and (is_missed is None or (call.seconds == 0) == is_missed)
        and (since is until is None or within(call.started_at, since, until))
    ]
    found.sort(key=lambda call: (call.started_at, call.id), reverse=True)
    return [
        {
            "call_id": call.id,
            "caller": shown_end(ctx.state[Person][call.caller]),
            "callee": shown_end(ctx.state[Person][call.callee]),
            "direction": "outgoing" if call.caller == me else "incoming",
            "is_missed": call.seconds == 0,
            "duration": call.seconds,
            "started_at": call.started_at.isoformat(),
        }
        for call in page(found, page_index, page_limit)
    ]


# Alarms


AlarmId = Annotated[int, "id of the alarm"]
Time = Annotated[str, "time of day as HH:MM, 00:00 to 23:59"]
Days = Annotated[list[str], "days of the week in lower case on which it repeats; empty for once"]

_ALARM = {
    "alarm_id": 1,
    "label": "string",
    "time": "07:30",
    "is_enabled": True,
    "repeat_days": ["monday"],
    "snooze_minutes": 10,
}


def _alarm(alarm: Alarm) -> Json:
    return {
        "alarm_id": alarm.id,
        "label": alarm.label,
        "time": alarm.time,
        "is_enabled": alarm.enabled,
        "repeat_days": list(alarm.repeat_days),
        "snooze_minutes": alarm.snooze_minutes,
    }


def _my_alarm(ctx: Ctx, alarm_id: int) -> Alarm:
    alarm = ctx.state[Alarm].get(alarm_id)
    if alarm is None or alarm.owner != ctx.me.id:
        missing("alarm", alarm_id)
    return alarm


def _clock(time: str) -> str:
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", time):
        invalid(f"time must be HH:MM from 00:00 to 23:59, not '{time[:40]}'.")
    return time


def _weekdays(days: list[str]) -> list[str]:
    for name in days:
        if name not in DAYS:
            invalid(f"repeat_days takes {', '.join(DAYS)}, not '{name[:40]}'.")
    return days


@phone.api(returns=[_ALARM])
def show_alarms(
    ctx: Ctx,
    query: Query = "",
    is_enabled: Annotated[bool | None, "only alarms that are on or off"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your alarms by time of day."""
    found = [
        alarm
        for alarm in ctx.state[Alarm].of(ctx.me.id)
        if (is_enabled is None or alarm.enabled == is_enabled) and matches(query, alarm.label)
    ]
    found.sort(key=lambda alarm: (alarm.time, alarm.id))
    return [_alarm(alarm) for alarm in page(found, page_index, page_limit)]


@phone.api(returns=_ALARM)
def show_alarm(ctx: Ctx, alarm_id: AlarmId) -> Json:
    """Show one of your alarms."""
    return _alarm(_my_alarm(ctx, alarm_id))


@phone.api(returns={"message": "Alarm created.", "alarm_id": 1})
def create_alarm(
    ctx: Ctx,
    label: Annotated[str, "what the alarm is for"],
    time: Time,
    repeat_days: Days = [],  # noqa: B006 (never written to)
    is_enabled: Annotated[bool, "whether it is on"] = True,
    snooze_minutes: Annotated[int, "how long a snooze lasts", Span(1, 60)] = 10,
) -> Json:
    """Create an alarm."""
    alarm = rows.create_alarm(
        ctx.state,
        ctx.me.id,
        label,
        _clock(time),
        repeat_days=_weekdays(repeat_days),
        enabled=is_enabled,
        snooze_minutes=snooze_minutes,
    )
    return {"message": "Alarm created.", "alarm_id": alarm.id}


@phone.api(returns={"message": "Alarm updated.", "alarm_id": 1})
def update_alarm(
    ctx: Ctx,
    alarm_id: AlarmId,
    label: Annotated[str | None, "new label, or null to keep it"] = None,
    time: Annotated[str | None, "new time of day as HH:MM, or null to keep it"] = None,
    repeat_days: Annotated[list[str] | None, "all days it repeats on from now on, or null to keep them"] = None,
    is_enabled: Annotated[bool | None, "whether it is on, or null to keep it"] = None,
    snooze_minutes: Annotated[int | None, "how long a snooze lasts, or null to keep it", Span(1, 60)] = None,
) -> Json:
    """Change one of your alarms, or turn it on or off."""
    _my_alarm(ctx, alarm_id)
    fields = {
        "label": label,
        "time": _clock(time) if time is not None else None,
        "repeat_days": _weekdays(repeat_days) if repeat_days is not None else None,
        "enabled": is_enabled,
        "snooze_minutes": snooze_minutes,
    }
    rows.change_alarm(ctx.state, alarm_id, **{name: value for name, value in fields.items() if value is not None})
    return {"message": "Alarm updated.", "alarm_id": alarm_id}


@phone.api(returns={"message": "Alarm deleted.", "alarm_id": 1})
def delete_alarm(ctx: Ctx, alarm_id: AlarmId) -> Json:
    """Delete one of your alarms."""
    _my_alarm(ctx, alarm_id)
    rows.delete_alarm(ctx.state, alarm_id)
    return {"message": "Alarm deleted.", "alarm_id": alarm_id}


def _now(now: datetime) -> Json:
    return {"date": now.date().isoformat(), "time": f"{now:%H:%M}", "weekday": DAYS[now.weekday()]}


@phone.api(login=False, returns={"date": "2025-01-31", "time": "10:00", "weekday": "friday"})
def show_current_date_and_time(ctx: Ctx) -> Json:
    """Show today's date, the time and the day of the week."""
    return _now(ctx.now)
