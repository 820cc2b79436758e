"""What the phone app holds at first: everybody's relations as contacts, talk between them, and alarms."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.phone import Alarm, Call, Contact, TextMessage, VoiceMessage, seconds_to_say
from prowess_desk.apps.phone.rows import DAYS
from prowess_desk.data.moments import moment, moments, pairs
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base

_TEXTS = {
    "roommate": """The sink is leaking again.|Can you take out the trash tonight?|I paid the landlord today.|
We are out of milk and eggs.|Did you see my blue scarf?|The new wifi password is {word}{number}.|
A parcel for you is at the door.|Please keep it quiet tonight, early start tomorrow.|I will cook on {day}.|
The heating is broken, the plumber comes on {day}.""",
    "coworker": """Can you send me the slides before {day}?|The meeting moved to {hour}:30.|Lunch at {hour}?|
I am running ten minutes late.|Please review my draft when you can.|The client called, nothing urgent.|
Are you coming to the farewell on {day}?|Meeting room {number} is booked for us.|The printer is down again.|
Great talk today!""",
    "friend": """Are you free on {day}?|I found tickets for the concert on {day}.|You have to hear this song.|
Table for two at {hour}, the usual place.|Happy birthday, have a great one!|I still have your umbrella.|
Want to go hiking on {day}?|That movie was amazing.|My new door code is {number}.|Call me when you can.""",
    "sibling": """Did you call home this week?|I got the present already.|Dinner at my place on {day}?|
Can I borrow your bike on {day}?|Look what I found in the attic.|The dog misses you.|
My train arrives at {hour}:15.|You owe me an ice cream.|Do you remember the alarm code? It is {number}.|
I passed the exam!""",
    "family": """Please call when you get home.|Dinner is at {hour} on {day}.|Did you eat well today?|
I sent you a parcel, box {number}.|The doctor's appointment is on {day}.|Do not forget your coat.|
Thank you for the flowers.|The car is back from the garage.|We are proud of you.|Can you fix my computer on {day}?""",
}
_VOICES = """Hi, it is me, call me back when you have a minute, nothing urgent.|
I am at the store and cannot find the list, what did you want me to bring?|
Just wanted to say the package arrived and everything is fine, thank you so much.|
The appointment moved to {day} at {hour}, please let me know whether that works.|
I left the spare key with the neighbor, ask for it at number {number}.|
The tickets are booked for {day}, I will send you the details tonight."""
_LABELS = """Wake up|Gym|Medicine|Water the plants|Team call|School run|Evening walk|Feed the cat|Laundry|
Piano practice|Trash day|Read before bed""".replace("\n", "").split("|")
_DAYS_OFTEN = (DAYS, DAYS[:5], DAYS[5:], ("monday", "wednesday", "friday"), ("tuesday", "thursday"), ("sunday",), ())
_WORDS = "otter maple comet tulip falcon pebble".split()


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """Contacts, texts, voice messages, calls and alarms."""
    rng = random.Random(derive(seed, "phone"))
    return [
        Base(Contact, _contacts(people)),
        Base(TextMessage, _texts(rng, people, now)),
        Base(VoiceMessage, _voices(rng, people, now)),
        Base(Call, _calls(rng, people, now)),
        Base(Alarm, _alarms(rng, people)),
    ]


def _contacts(people: Sequence[Person]) -> list[Contact]:
    """Everybody has exactly their relations as contacts, by name."""
    found: list[Contact] = []
    who = {person.id: person for person in people}
    for person in people:
        for other, relation in sorted(((who[id], kind) for id, kind in person.relations), key=lambda tie: tie[0].name):
            found.append(
                Contact(
                    id=len(found) + 1,
                    owner=person.id,
                    name=other.name,
                    phone=other.phone,
                    email=other.email,
                    relationships=(relation,),
                    birthday=other.birthday,
                    address=f"{other.address}, {other.city}",
                )
            )
    return found


def _fill(rng: random.Random, text: str) -> str:
    if "{" not in text:
        return text
    return text.format(
        day=rng.choice(DAYS).capitalize(),
        hour=rng.randint(12, 20),
        number=rng.randint(100, 999),
        word=rng.choice(_WORDS),
    )


def _texts(rng: random.Random, people: Sequence[Person], now: datetime) -> list[TextMessage]:
    """Three to seven texts for each pair of people who know each other, no two of a pair alike."""
    lines = {relation: text.replace("\n", "").split("|") for relation, text in _TEXTS.items()}
    drafts = []
    for a, b, relation in pairs(people):
        talk = rng.sample(lines.get(relation, lines["family"]), rng.randint(3, 7))
        for text, when in zip(talk, moments(rng, now, len(talk), days=200), strict=True):
            sender, receiver = (a, b) if rng.random() < 0.5 else (b, a)
            drafts.append((when, sender, receiver, _fill(rng, text)))
    return [
        TextMessage(id=n + 1, sender=sender, receiver=receiver, text=text, sent_at=when, holders=(sender, receiver))
        for n, (when, sender, receiver, text) in enumerate(sorted(drafts))
    ]


def _voices(rng: random.Random, people: Sequence[Person], now: datetime) -> list[VoiceMessage]:
    lines = _VOICES.replace("\n", "").split("|")
    drafts = []
    for a, b, _ in pairs(people):
        if rng.random() < 0.4:
            sender, receiver = (a, b) if rng.random() < 0.5 else (b, a)
            drafts.append((moment(rng, now, days=120), sender, receiver, _fill(rng, rng.choice(lines))))
    return [
        VoiceMessage(
            id=n + 1,
            sender=sender,
            receiver=receiver,
            transcript=text,
            seconds=seconds_to_say(text),
            sent_at=when,
            holders=(sender, receiver),
        )
        for n, (when, sender, receiver, text) in enumerate(sorted(drafts))
    ]


def _calls(rng: random.Random, people: Sequence[Person], now: datetime) -> list[Call]:
    drafts = []
    for a, b, _ in pairs(people):
        for _ in range(rng.randint(0, 3)):
            caller, callee = (a, b) if rng.random() < 0.5 else (b, a)
            drafts.append((moment(rng, now, days=90), caller, callee, rng.choice((0, rng.randint(15, 1_800)))))
    return [
        Call(id=n + 1, caller=caller, callee=callee, started_at=when, seconds=seconds)
        for n, (when, caller, callee, seconds) in enumerate(sorted(drafts))
    ]


def _alarms(rng: random.Random, people: Sequence[Person]) -> list[Alarm]:
    """Four to seven for everybody, of different labels and times."""
    found: list[Alarm] = []
    for person in people:
        labels = rng.sample(_LABELS, rng.randint(4, 7))
        for label, slot in zip(labels, rng.sample(range(5 * 12, 22 * 12), len(labels)), strict=True):
            found.append(
                Alarm(
                    id=len(found) + 1,
                    owner=person.id,
                    label=label,
                    time=f"{slot // 12:02d}:{slot % 12 * 5:02d}",
                    enabled=rng.random() < 0.6,
                    repeat_days=rng.choice(_DAYS_OFTEN),
                    snooze_minutes=rng.choice((5, 10, 15)),
                )
            )
    return found
