"""What can be done about contacts, alarms, payments and requests where a text gives each its own entry."""

from __future__ import annotations

from collections.abc import Callable

from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import STREETS

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings
from prowess_practice.errands.lines.pools import paired

_PHONE, _WALLET = ("phone",), ("wallet",)
_NOBODY = ("A name that none of my contacts has is left out.", "Whoever is not among my contacts is skipped.")
_NO_ALARM = ("Labels that no alarm has are skipped.", "If there is no such alarm, go on with the next.")
_WORDS = ("See you at the lake.", "Your scarf is here.", "Rehearsal at six.", "Thanks for the plums.", "Call grandma.")
_LABELS = ("Sound check", "Tide table", "Bread dough", "Choir warm-up", "Night feed", "Bus to town", "Oven off")
_NEW = ("Plumber Voss", "Piano tuner Hale", "Vet Orlow", "Bakery Pim", "Garage Stoll", "Doctor Remy", "Florist Quint")


def _number(draw: Draw, name: str) -> str:
    return f"5{draw.rng.randrange(10**9):09d}"


def _amount(draw: Draw, name: str) -> str:
    return f"{draw.rng.randint(310, 4_900) / 100:.2f}"


def _time(draw: Draw, name: str) -> str:
    return f"{draw.rng.randint(5, 22):02d}:{draw.rng.choice((2, 7, 18, 33, 41, 56)):02d}"


def _birthday(draw: Draw, name: str) -> str:
    return f"{draw.rng.randint(1960, 2003)}-{draw.rng.randint(1, 12):02d}-{draw.rng.randint(1, 28):02d}"


def _address(draw: Draw, name: str) -> str:
    return f"{draw.rng.randint(300, 480)} {draw.rng.choice(STREETS)} Lane"


def _verdicts(draw: Draw) -> NamedThings | None:
    pool = pools.askers(draw)
    if pool is None:
        return None
    words = ("yes", "no")
    return NamedThings(
        [(name, words[n % 2]) for n, name in enumerate(pool.good)], ([(one, "yes") for one in pool.idle[0]],)
    )


def _contacts(change: str) -> str:
    return f"""
    wanted = dict(pairs)
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    chosen = [person for person in people if person["name"] in wanted]
    for person in chosen:
        value = wanted[person["name"]]
        apis.phone.update_contact(access_token=phone_token, contact_id=person["contact_id"], {change}=value)
    return len(chosen)
"""


def _alarms(change: str) -> str:
    return f"""
    wanted = dict(pairs)
    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token)
    chosen = [alarm for alarm in alarms if alarm["label"] in wanted]
    for alarm in chosen:
        value = wanted[alarm["label"]]
        apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm["alarm_id"], {change})
    return len(chosen)
"""


def _users(call: str) -> str:
    return f"""
    for name, value in pairs:
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.wallet.{call}
    return len(pairs)
"""


def _contact_act(
    word: str, change: str, value: str, do: tuple[str, ...], pool: Callable[[Draw], NamedThings | None]
) -> Act:
    return Act(
        word=word,
        apps=_PHONE,
        one="contact",
        key="full name of a contact",
        value=value,
        do=do,
        skips=_NOBODY,
        about=f"Set the {value.split(' (')[0]} of the contacts",
        code=_contacts(change),
        pool=pool,
        places=3,
    )


ACTS = (
    _contact_act(
        "set_birthdays",
        "birthday",
        "birthday (YYYY-MM-DD)",
        ("enter the birthdays of OBJ", "correct the birthdays of OBJ to what is given there"),
        paired(pools.contacts, _birthday),
    ),
    _contact_act(
        "set_addresses",
        "address",
        "new address",
        ("change the addresses of OBJ to the new ones", "write down the new home of OBJ as their address"),
        paired(pools.contacts, _address),
    ),
    _contact_act(
        "set_numbers",
        "phone_number",
        "new phone number",
        (
            "change the phone numbers of OBJ to the new ones",
            "save the new phone numbers of OBJ, in place of the old ones",
        ),
        paired(pools.contacts, _number),
    ),
    Act(
        word="add_new_contacts",
        apps=_PHONE,
        one="person",
        ones="people",
        key="name",
        value="phone number",
        do=(
            'add OBJ as new contacts with the relationship "{relation}"',
            'make contacts of OBJ, with their numbers and "{relation}" as their only relationship,',
        ),
        about="Add as contacts the people",
        code="""
    for name, value in pairs:
        apis.phone.add_contact(
            access_token=phone_token, name=name, phone_number=value, relationships=[relation]
        )
    return len(pairs)
""",
        pool=paired(lambda draw: NamedThings(_NEW), _number),
        slots={"relation": str},
        choose=lambda draw: {"relation": draw.rng.choice(("service", "acquaintance", "supplier"))},
    ),
    Act(
        word="text_contacts_each",
        apps=_PHONE,
        one="contact",
        key="full name of a contact",
        value="message",
        do=("text OBJ what is written there for each", "send OBJ the text message that stands next to each"),
        skips=_NOBODY,
        about="Text the contacts",
        code="""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {person["name"]: person["phone_number"] for person in people}
    chosen = [(name, value) for name, value in pairs if name in numbers]
    for name, value in chosen:
        apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[name], text=value)
    return len(chosen)
""",
        pool=paired(pools.contacts, lambda draw, name: draw.rng.choice(_WORDS)),
    ),
    Act(
        word="set_new_alarms",
        apps=_PHONE,
        one="alarm",
        key="label",
        value="time",
        do=("create OBJ as new alarms that ring once", "set new alarms for OBJ, with no day on which they repeat,"),
        about="Create the alarms",
        code="""
    for name, value in pairs:
        apis.phone.create_alarm(access_token=phone_token, label=name, time=value)
    return len(pairs)
""",
        pool=paired(lambda draw: NamedThings(_LABELS), _time),
    ),
    Act(
        word="set_times_of_alarms",
        apps=_PHONE,
        one="alarm",
        key="label of an alarm",
        value="new time",
        do=("change the times of OBJ", "let OBJ ring at the new times, everything else unchanged,"),
        skips=_NO_ALARM,
        about="Set the times of the alarms",
        code=_alarms("time=value"),
        pool=paired(pools.alarms, _time),
        fewest=2,
        most=4,
        places=3,
    ),
    Act(
        word="set_days_of_alarms",
        apps=_PHONE,
        one="alarm",
        key="label of an alarm",
        value="day of the week",
        do=(
            "let OBJ repeat on the given day of the week and on no other",
            "set OBJ to repeat on just the day given there",
        ),
        skips=_NO_ALARM,
        about="Set the day of the alarms",
        code=_alarms("repeat_days=[value.lower()]"),
        pool=paired(pools.alarms, lambda draw, name: draw.rng.choice(("Monday", "Thursday", "Friday", "Saturday"))),
        fewest=2,
        most=4,
        places=3,
    ),
    Act(
        word="pay_people_each",
        apps=_WALLET,
        one="person",
        ones="people",
        key="full name",
        value="amount in dollars",
        do=(
            'pay OBJ the amounts given there, with the note "{memo}"',
            'send OBJ what stands next to each, note "{memo}",',
        ),
        about="Pay the people",
        code=_users(
            "send_payment(\n"
            "            access_token=wallet_token, receiver_email=email, amount=float(value), note=memo\n"
            "        )"
        ),
        pool=paired(pools.acquainted, _amount),
        slots={"memo": str},
        choose=lambda draw: {"memo": draw.rng.choice(("Ferry tickets", "Choir trip", "Costume hire"))},
    ),
    Act(
        word="bill_people_each",
        apps=_WALLET,
        one="person",
        ones="people",
        key="full name",
        value="amount in dollars",
        do=(
            'request the amounts given there from OBJ, with the note "{memo}"',
            'ask OBJ for what stands next to each, note "{memo}",',
        ),
        about="Request their amounts from the people",
        code=_users(
            "request_payment(\n"
            "            access_token=wallet_token, payer_email=email, amount=float(value), note=memo\n"
            "        )"
        ),
        pool=paired(pools.acquainted, _amount),
        slots={"memo": str},
        choose=lambda draw: {"memo": draw.rng.choice(("Ferry tickets", "Choir trip", "Costume hire"))},
    ),
    Act(
        word="answer_requests",
        apps=_WALLET,
        one="person",
        ones="people",
        key="full name",
        value="yes or no",
        do=(
            "answer the pending payment requests of OBJ: approve them where it says yes, deny them where it says no,",
            "approve (yes) or deny (no) the payment requests that are pending from OBJ",
        ),
        skips=("Who has no pending request is skipped.", "If nothing is pending from somebody, go on."),
        about="Answer the requests of the people",
        code="""
    answers = dict(pairs)
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    chosen = [request for request in requests if request["requester"]["name"] in answers]
    for request in chosen:
        if answers[request["requester"]["name"]] == "yes":
            apis.wallet.approve_request(access_token=wallet_token, request_id=request["request_id"])
        else:
            apis.wallet.deny_request(access_token=wallet_token, request_id=request["request_id"])
    return len(chosen)
""",
        pool=_verdicts,
        fewest=3,
        most=4,
    ),
)
