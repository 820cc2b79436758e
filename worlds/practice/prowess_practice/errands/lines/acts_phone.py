"""What can be done in the phone app about contacts and alarms that a text names."""

from __future__ import annotations

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act

_PHONE = ("phone",)
_CONTACT = "the full name of a contact of mine"
_GREETINGS = (
    "I am moving on Saturday, come by!",
    "The party starts at eight.",
    "Please send me your new address.",
    "We meet at the north gate.",
    "The rehearsal is cancelled.",
    "Bring a sleeping bag.",
)
_NOBODY = (
    "Whoever is not among my contacts is skipped.",
    "A name that none of my contacts has is left out.",
)


def _each(call: str) -> str:
    return f"""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    chosen = [person for person in people if person["name"] in names]
    for person in chosen:
        {call}
    return len(chosen)
"""


def _alarms(filter: str, call: str) -> str:
    return f"""
    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token{filter})
    chosen = [alarm for alarm in alarms if alarm["label"] in names]
    for alarm in chosen:
        {call}
    return len(chosen)
"""


_UPDATE = 'apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm["alarm_id"], '
_LABEL = "the label of an alarm"

ACTS = (
    Act(
        word="delete_contacts",
        apps=_PHONE,
        a=_CONTACT,
        one="contact",
        do=("delete OBJ", "remove OBJ from my address book"),
        skips=_NOBODY,
        about="Delete the contacts",
        code=_each('apis.phone.delete_contact(access_token=phone_token, contact_id=person["contact_id"])'),
        pool=pools.contacts,
    ),
    Act(
        word="relate_contacts",
        apps=_PHONE,
        a=_CONTACT,
        one="contact",
        do=(
            'add "{relation}" to the relationships of OBJ, keeping those that are there',
            'let OBJ also be a "{relation}": add that relationship to what they have',
        ),
        skips=_NOBODY,
        about="Add a relationship to the contacts",
        code="""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    chosen = [person for person in people if person["name"] in names]
    for person in chosen:
        relationships = [*person["relationships"], relation]
        apis.phone.update_contact(
            access_token=phone_token, contact_id=person["contact_id"], relationships=relationships
        )
    return len(chosen)
""",
        pool=pools.contacts,
        slots={"relation": str},
        choose=lambda draw: {"relation": draw.rng.choice(("teammate", "neighbor", "bandmate", "classmate"))},
        matters=(('[*person["relationships"], relation]', "[relation]"),),
    ),
    Act(
        word="text_contacts",
        apps=_PHONE,
        a=_CONTACT,
        one="contact",
        do=('text "{message}" to OBJ', 'send the text message "{message}" to OBJ'),
        skips=_NOBODY,
        about="Text the contacts",
        code="""
    count = 0
    for name in names:
        people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=name)
        for person in people:
            if person["name"] == name:
                apis.phone.send_text_message(
                    access_token=phone_token, phone_number=person["phone_number"], text=message
                )
                count += 1
    return count
""",
        pool=pools.contacts,
        slots={"message": str},
        choose=lambda draw: {"message": draw.rng.choice(_GREETINGS)},
    ),
    Act(
        word="speak_to_contacts",
        apps=_PHONE,
        a=_CONTACT,
        one="contact",
        do=('leave a voice message saying "{message}" for OBJ', 'send the voice message "{message}" to OBJ'),
        skips=_NOBODY,
        about="Send a voice message to the contacts",
        code=_each(
            "apis.phone.send_voice_message(\n"
            '            access_token=phone_token, phone_number=person["phone_number"], transcript=message\n'
            "        )"
        ),
        pool=pools.contacts,
        slots={"message": str},
        choose=lambda draw: {"message": draw.rng.choice(_GREETINGS)},
    ),
    Act(
        word="clear_texts_with_contacts",
        apps=_PHONE,
        a=_CONTACT,
        one="contact",
        do=("delete all text messages that I received from OBJ", "delete every text that came from OBJ"),
        skips=_NOBODY,
        about="Delete the texts received from the contacts",
        code="""
    count = 0
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    for person in people:
        if person["name"] in names:
            texts = all_pages(
                apis.phone.show_text_messages,
                access_token=phone_token,
                phone_number=person["phone_number"],
                direction="received",
            )
            for text in texts:
                apis.phone.delete_text_message(access_token=phone_token, message_id=text["message_id"])
            count += len(texts)
    return count
""",
        pool=pools.contacts,
        matters=(),
        fewest=2,
        most=4,
    ),
    Act(
        word="delete_alarms",
        apps=_PHONE,
        a=_LABEL,
        one="alarm",
        do=("delete OBJ", "remove OBJ for good"),
        skips=("A label that none of my alarms has is ignored.", "If there is no such alarm, go on with the next."),
        about="Delete the alarms",
        code=_alarms("", 'apis.phone.delete_alarm(access_token=phone_token, alarm_id=alarm["alarm_id"])'),
        pool=pools.alarms,
        fewest=2,
        most=3,
    ),
    Act(
        word="switch_off_alarms",
        apps=_PHONE,
        a=_LABEL,
        one="alarm",
        do=("switch off OBJ", "disable OBJ"),
        skips=(
            "What is off already stays off, and labels that no alarm has are skipped.",
            "Alarms that are off, or that do not exist, need nothing.",
        ),
        about="Switch off the alarms",
        code=_alarms(", is_enabled=True", f"{_UPDATE}is_enabled=False)"),
        pool=pools.alarms_on,
        fewest=2,
        most=3,
    ),
    Act(
        word="switch_on_alarms",
        apps=_PHONE,
        a=_LABEL,
        one="alarm",
        do=("switch on OBJ", "enable OBJ"),
        skips=(
            "Alarms that are on stay so, and a label that no alarm has is ignored.",
            "Skip those that are on or do not exist.",
        ),
        about="Switch on the alarms",
        code=_alarms(", is_enabled=False", f"{_UPDATE}is_enabled=True)"),
        pool=pools.alarms_off,
        fewest=2,
        most=3,
    ),
    Act(
        word="set_snooze_of_alarms",
        apps=_PHONE,
        a=_LABEL,
        one="alarm",
        do=("set the snooze of OBJ to {minutes} minutes", "let OBJ snooze for {minutes} minutes"),
        skips=("Labels that no alarm has are skipped.", "There may be labels without an alarm: leave them."),
        about="Set the snooze of the alarms",
        code=_alarms("", f"{_UPDATE}snooze_minutes=minutes)"),
        pool=pools.alarms,
        slots={"minutes": int},
        choose=lambda draw: {"minutes": draw.rng.choice((3, 7, 12, 20))},
        fewest=2,
        most=4,
    ),
    Act(
        word="repeat_alarms_at_weekends",
        apps=_PHONE,
        a=_LABEL,
        one="alarm",
        do=(
            "let OBJ repeat on Saturday and Sunday, no other day",
            "have OBJ ring on Saturdays and Sundays only",
        ),
        skips=("Labels that no alarm has are skipped.", "What is no alarm of mine is left out."),
        about="Repeat at the weekend the alarms",
        code="""
    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token)
    chosen = [alarm for alarm in alarms if alarm["label"] in names]
    for alarm in chosen:
        apis.phone.update_alarm(
            access_token=phone_token, alarm_id=alarm["alarm_id"], repeat_days=["saturday", "sunday"]
        )
    return len(chosen)
""",
        pool=pools.alarms,
        fewest=2,
        most=4,
        places=3,
    ),
)
