"""The phone app: contacts, text and voice messages, calls and alarms."""

from __future__ import annotations

from opensage.worlds.desk.apps.phone.apis import phone
from opensage.worlds.desk.apps.phone.rows import (
    Alarm,
    Call,
    Contact,
    TextMessage,
    VoiceMessage,
    add_contact,
    change_alarm,
    change_contact,
    create_alarm,
    delete_alarm,
    delete_contact,
    delete_text,
    delete_voice,
    relationships_of,
    seconds_to_say,
    send_text,
    send_voice,
    weekdays,
)

__all__ = [
    "Alarm",
    "Call",
    "Contact",
    "TextMessage",
    "VoiceMessage",
    "add_contact",
    "change_alarm",
    "change_contact",
    "create_alarm",
    "delete_alarm",
    "delete_contact",
    "delete_text",
    "delete_voice",
    "phone",
    "relationships_of",
    "seconds_to_say",
    "send_text",
    "send_voice",
    "weekdays",
]
