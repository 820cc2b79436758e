"""Train families of the phone app: contacts and alarms."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.phone import Alarm, Contact, change_alarm, change_contact, create_alarm, send_text
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import in_contacts, widened
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

# Text everybody of a relation.

_NEWS = """I will be away until Thursday.|My number stays the same, but I am moving on Saturday.|
Save the date: party at my place on June 7!|I am changing jobs next month.|Thanks for all your good wishes!|
I have lost my keys, please tell me if you find them.|The plumber comes at nine.""".replace("\n", "").split("|")


def _make_tell(draw: Draw) -> Values | None:
    relation, other = draw.rng.sample(("roommate", "coworker", "friend"), 2)
    if not in_contacts(draw.state, draw.me, other) or not widened(draw, relation, other):
        return None
    return {"relation": relation, "message": draw.rng.choice(_NEWS), "other_relation": other}


def _solve_tell(state: State, me: Person, values: Values) -> Json:
    for person in in_contacts(state, me, values["relation"]):
        send_text(state, me.id, person.id, values["message"])


def text_all_contacts_who_are(relationship: str, message: str) -> int:
    """Send a text message to every phone contact of a relationship and return how many were sent."""
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship)
    for contact in contacts:
        apis.phone.send_text_message(access_token=token, phone_number=contact["phone_number"], text=message)
    return len(contacts)


text_relation = Family(
    name="text_relation",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"relation": str, "message": str},
    wordings=(
        'Send a text saying "{message}" to each {relation} in my contacts.',
        'My phone knows who is a {relation} of mine. All of them should get this text message from me: "{message}"',
        'Please let everybody listed as {relation} in my phone know by text: "{message}"',
    ),
    make=_make_tell,
    solve=_solve_tell,
    program=Program(
        functions=(text_all_contacts_who_are,),
        call="text_all_contacts_who_are(relationship={relation!r}, message={message!r})",
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="every_contact", old=", relationship=relationship)", new=")"),
        Mistake(
            name="voice_instead",
            old='send_text_message(access_token=token, phone_number=contact["phone_number"], text=message)',
            new='send_voice_message(access_token=token, phone_number=contact["phone_number"], transcript=message)',
        ),
    ),
)


# Turn off the alarms before a time.

_EARLY = "Swim|Bake bread|Stretch|Bus to work|Walk the dog|Early call|Journal|Sunrise|Rowing|Check oven".split("|")


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _make_alarms(draw: Draw) -> Values | None:
    limit = 10 * draw.rng.randint(42, 66)
    labels = iter(draw.rng.sample(_EARLY, 10))
    times = [limit - 5 * n for n in draw.rng.sample(range(2, 36), 7)]
    for n, time in enumerate([*times, limit - 5]):
        create_alarm(draw.state, draw.me.id, next(labels), _clock(time), enabled=n > 0)
    create_alarm(draw.state, draw.me.id, next(labels), _clock(limit), repeat_days=("monday",))  # not before it
    create_alarm(draw.state, draw.me.id, next(labels), "21:35")
    return {"time": _clock(limit), "other_time": _clock(limit - 5)}


def _solve_alarms(state: State, me: Person, values: Values) -> Json:
    for alarm in state[Alarm].of(me.id):
        if alarm.enabled and alarm.time < values["time"]:
            change_alarm(state, alarm.id, enabled=False)


def turn_off_alarms_before(time: str) -> int:
    """Turn off every alarm that rings before a time of day (HH:MM) and return how many were on."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=True)
    early = [alarm for alarm in alarms if alarm["time"] < time]
    for alarm in early:
        apis.phone.update_alarm(access_token=token, alarm_id=alarm["alarm_id"], is_enabled=False)
    return len(early)


silence_early_alarms = Family(
    name="silence_early_alarms",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"time": str},
    wordings=(
        "Turn off all my alarms that ring before {time}.",
        "I want to sleep in. Whatever alarm on my phone is set to a time earlier than {time}, disable it, but do not"
        " delete it.",
        "No alarm of mine should be on ahead of {time}; switch those off. Those at {time} or later stay as they are.",
    ),
    make=_make_alarms,
    solve=_solve_alarms,
    program=Program(functions=(turn_off_alarms_before,), call="turn_off_alarms_before(time={time!r})"),
    mistakes=(
        Mistake(name="another_time", swap={"time": "other_time"}),
        Mistake(name="that_time_too", old='alarm["time"] < time', new='alarm["time"] <= time'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_alarms, ", new="apis.phone.show_alarms("),
        Mistake(
            name="deleted_instead",
            old='update_alarm(access_token=token, alarm_id=alarm["alarm_id"], is_enabled=False)',
            new='delete_alarm(access_token=token, alarm_id=alarm["alarm_id"])',
        ),
    ),
)


# Change the number of a contact.


def _make_number(draw: Draw) -> Values | None:
    state = draw.state
    contact, other = draw.rng.sample(state[Contact].of(draw.me.id), 2)
    numbers = [f"555{draw.rng.randrange(10**7):07d}" for _ in range(2)]
    if set(numbers) & {person.phone for person in state[Person]} or numbers[0] == numbers[1]:
        return None
    # The same person at work stands first in the list, and a search for the name finds both.
    change_contact(state, contact.id, name=f"{contact.name} (work)", phone=numbers[1], relationships=("coworker",))
    state[Contact].add(
        lambda id: Contact(
            id=id,
            owner=draw.me.id,
            name=contact.name,
            phone=contact.phone,
            email=contact.email,
            relationships=contact.relationships,
            birthday=contact.birthday,
            address=contact.address,
        )
    )
    return {"person": contact.name, "number": numbers[0], "other_person": other.name}


def _solve_number(state: State, me: Person, values: Values) -> Json:
    (contact,) = [contact for contact in state[Contact].of(me.id) if contact.name == values["person"]]
    change_contact(state, contact.id, phone=values["number"])


def change_number_of_contact(name: str, number: str) -> str:
    """Give the phone contact with this name a new phone number and return the old one."""
    contact = contact_named(name=name)
    token = login(app="phone")
    apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], phone_number=number)
    return contact["phone_number"]


new_number = Family(
    name="new_number",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"person": str, "number": str},
    wordings=(
        'The number of my contact "{person}" has changed to {number}. Please update it in my phone.',
        'Save {number} as the phone number of the contact "{person}" in place of the old one.',
        'In my contacts there is an entry named exactly "{person}": replace its number with {number}.',
    ),
    make=_make_number,
    solve=_solve_number,
    program=Program(
        functions=(change_number_of_contact,), call="change_number_of_contact(name={person!r}, number={number!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="first_match", old=' if contact["name"] == name', new=""),
        Mistake(
            name="added_instead",
            old='update_contact(access_token=token, contact_id=contact["contact_id"], phone_number=number)',
            new="add_contact(access_token=token, name=name, phone_number=number)",
        ),
    ),
)

FAMILIES = (text_relation, silence_early_alarms, new_number)
