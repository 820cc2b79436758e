"""The phone app: contacts, text and voice messages, calls and alarms."""

from __future__ import annotations

# Their APIs are documented in the order in which they are imported here.
from prowess_desk.apps.phone import contacts, messages, calls, alarms  # isort: skip
from prowess_desk.apps.phone.app import phone
from prowess_desk.apps.phone.rows import (
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
    "alarms",
    "calls",
    "change_alarm",
    "change_contact",
    "contacts",
    "create_alarm",
    "delete_alarm",
    "delete_contact",
    "delete_text",
    "delete_voice",
    "messages",
    "phone",
    "relationships_of",
    "seconds_to_say",
    "send_text",
    "send_voice",
    "weekdays",
]
