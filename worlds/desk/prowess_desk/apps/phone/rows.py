"""What the phone app stores, and what can be done to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from prowess_desk.engine.reading import without
from prowess_desk.engine.tables import State

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """An entry of somebody's address book; an owner's phone numbers are unique."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    name: str
    phone: str
    email: str = ""
    relationships: tuple[str, ...] = ()
    """Sorted, in lower case."""
    birthday: date | None = None
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMessage:
    """A text from one person to another. It lies on the phones of its holders: deleting it there leaves the other's."""

    OWNER: ClassVar[str] = "holders"
    LOOSE: ClassVar[tuple[str, ...]] = ("sent_at",)

    id: int
    sender: int
    receiver: int
    text: str
    sent_at: datetime
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceMessage:
    """A spoken message from one person to another, written down; held as texts are."""

    OWNER: ClassVar[str] = "holders"
    LOOSE: ClassVar[tuple[str, ...]] = ("sent_at",)

    id: int
    sender: int
    receiver: int
    transcript: str
    seconds: int
    sent_at: datetime
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """An alarm; an owner's labels are unique at first."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    label: str
    time: str
    """HH:MM."""
    enabled: bool = True
    repeat_days: tuple[str, ...] = ()
    """In the order of the week; empty for once."""
    snooze_minutes: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call between two people; found by both."""

    OWNER: ClassVar[str] = "parties"
    LOOSE: ClassVar[tuple[str, ...]] = ("started_at",)

    id: int
    caller: int
    callee: int
    started_at: datetime
    seconds: int
    """0 when it was missed."""

    @property
    def parties(self) -> tuple[int, ...]:
        return self.caller, self.callee


def weekdays(days: Sequence[str]) -> tuple[str, ...]:
    """Days in the order of the week, each once."""
    return tuple(day for day in DAYS if day in days)


def relationships_of(words: Sequence[str]) -> tuple[str, ...]:
    """Relationships as rows keep them."""
    return tuple(sorted({word.strip().lower() for word in words if word.strip()}))


def add_contact(
    state: State,
    owner: int,
    name: str,
    phone: str,
    *,
    email: str = "",
    relationships: Sequence[str] = (),
    birthday: date | None = None,
    address: str = "",
) -> Contact:
    return state[Contact].add(
        lambda id: Contact(
            id=id,
            owner=owner,
            name=name,
            phone=phone,
            email=email,
            relationships=relationships_of(relationships),
            birthday=birthday,
            address=address,
        )
    )


def change_contact(state: State, contact: int, **fields: Any) -> Contact:
    """Change name, phone, email, relationships, birthday or address of a contact."""
    if "relationships" in fields:
        fields["relationships"] = relationships_of(fields["relationships"])
    return state[Contact].change(contact, **fields)


def delete_contact(state: State, contact: int) -> None:
    state[Contact].remove(contact)


def send_text(state: State, sender: int, receiver: int, text: str) -> TextMessage:
    return state[TextMessage].add(
        lambda id: TextMessage(
            id=id, sender=sender, receiver=receiver, text=text, sent_at=state.now, holders=(sender, receiver)
        )
    )


def delete_text(state: State, owner: int, message: int) -> None:
    """Delete a text from one of the two phones."""
    left = without(state[TextMessage][message].holders, owner)
    if left:
        state[TextMessage].change(message, holders=left)
    else:
        state[TextMessage].remove(message)


def seconds_to_say(transcript: str) -> int:
    """How long a spoken message takes: about two words a second."""
    return max(2, len(transcript.split()) // 2)


def send_voice(state: State, sender: int, receiver: int, transcript: str) -> VoiceMessage:
    return state[VoiceMessage].add(
        lambda id: VoiceMessage(
            id=id,
            sender=sender,
            receiver=receiver,
            transcript=transcript,
            seconds=seconds_to_say(transcript),
            sent_at=state.now,
            holders=(sender, receiver),
        )
    )


def delete_voice(state: State, owner: int, message: int) -> None:
    """Delete a voice message from one of the two phones."""
    left = without(state[VoiceMessage][message].holders, owner)
    if left:
        state[VoiceMessage].change(message, holders=left)
    else:
        state[VoiceMessage].remove(message)


def create_alarm(
    state: State,
    owner: int,
    label: str,
    time: str,
    *,
    repeat_days: Sequence[str] = (),
    enabled: bool = True,
    snooze_minutes: int = 10,
) -> Alarm:
    return state[Alarm].add(
        lambda id: Alarm(
            id=id,
            owner=owner,
            label=label,
            time=time,
            enabled=enabled,
            repeat_days=weekdays(repeat_days),
            snooze_minutes=snooze_minutes,
        )
    )


def change_alarm(state: State, alarm: int, **fields: Any) -> Alarm:
    """Change label, time, enabled, repeat_days or snooze_minutes of an alarm."""
    if "repeat_days" in fields:
        fields["repeat_days"] = weekdays(fields["repeat_days"])
    return state[Alarm].change(alarm, **fields)


def delete_alarm(state: State, alarm: int) -> None:
    state[Alarm].remove(alarm)
