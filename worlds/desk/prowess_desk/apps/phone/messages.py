"""APIs on text and voice messages."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.phone import rows
from prowess_desk.apps.phone.app import END, Number, NumberFilter, phone, shown_end, somebody_else
from prowess_desk.apps.phone.rows import TextMessage, VoiceMessage
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, Query, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import DayFilter, matches, period, within

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
