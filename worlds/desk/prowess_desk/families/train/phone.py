"""Train families of the phone app: texts, voice messages, calls and contacts."""

from __future__ import annotations

from calendar import day_name
from collections import Counter
from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps import phone
from prowess_desk.apps.phone import (
    Call,
    Contact,
    TextMessage,
    VoiceMessage,
    change_contact,
    delete_contact,
    delete_text,
    delete_voice,
    send_text,
    send_voice,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import scene
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

RELATIONSHIPS = "neighbor|teammate|client|cousin|classmate|bandmate|tutor|volunteer".split("|")
"""What nobody is to anybody at first."""


TALK = {
    "train": ("I missed the train.", "Which train do you take?", "Train is late again", "The TRAIN was full, no seat."),
    "cat": ("The cat is on the roof.", "Can you feed my cat?", "CAT PICTURE!", "Your cat is so cute, and what a cat."),
    "key": ("I lost my key.", "Key is under the mat", "Who has the spare key?", "The KEY does not fit."),
    "park": ("Let us meet in the park.", "Park or beach?", "The park closes at eight.", "See you at the PARK."),
    "cake": ("The cake was great.", "Cake or pie?", "Who brings the cake?", "I ate the whole CAKE."),
}


# Text everybody of a relation.

_NEWS = """I will be away until Thursday.|My number stays the same, but I am moving on Saturday.|
Save the date: party at my place on June 7!|I am changing jobs next month.|Thanks for all your good wishes!|
I have lost my keys, please tell me if you find them.|The plumber comes at nine.""".replace("\n", "").split("|")


def _make_text_relation(draw: Draw) -> Values | None:
    relation, other = draw.rng.sample(("roommate", "coworker", "friend"), 2)
    if not in_contacts(draw.state, draw.me, other) or not widened(draw, relation, other):
        return None
    return {"relation": relation, "message": draw.rng.choice(_NEWS), "other_relation": other}


def _solve_text_relation(state: State, me: Person, values: Values) -> Json:
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
    make=_make_text_relation,
    solve=_solve_text_relation,
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


# Change the number of a contact.


def _make_new_number(draw: Draw) -> Values | None:
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


def _solve_new_number(state: State, me: Person, values: Values) -> Json:
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
    make=_make_new_number,
    solve=_solve_new_number,
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


# Delete the old texts of somebody.


def _make_delete_old_texts(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    days = draw.rng.randint(15, 80)
    before = (draw.state.now - timedelta(days=days)).date()
    lines = draw.rng.sample([line for lines in TALK.values() for line in lines], 12)
    for n in range(6):
        texted(draw, person, draw.me, lines[n], ago(draw, days + 1 + 8 * n))
    texted(draw, person, draw.me, lines[6], datetime(before.year, before.month, before.day, 7, 15))  # that day stays
    for n in range(5):
        texted(draw, person, draw.me, lines[7 + n], ago(draw, days * n / 6))
    texted(draw, draw.me, person, "I will tell you later.", ago(draw, days + 12))  # mine stay
    texted(draw, other, draw.me, "See you there.", ago(draw, days + 20))
    return {"person": person.name, "before": before.isoformat(), "other_person": other.name}


def _solve_delete_old_texts(state: State, me: Person, values: Values) -> Json:
    person, before = named(state, values["person"]), date.fromisoformat(values["before"])
    for row in state[TextMessage].of(me.id):
        if row.sender == person.id and row.sent_at.date() < before:
            delete_text(state, me.id, row.id)


def delete_old_texts_from(name: str, before: str) -> int:
    """Delete the text messages received from a contact before a day (YYYY-MM-DD) and return how many there were."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", to_date=before
    )
    old = [message for message in messages if message["sent_at"][:10] < before]
    for message in old:
        apis.phone.delete_text_message(access_token=token, message_id=message["message_id"])
    return len(old)


delete_old_texts = Family(
    name="delete_old_texts",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"person": str, "before": str},
    wordings=(
        "Delete all text messages I received from {person} before {before}.",
        "Clean up my phone: texts from {person} that arrived earlier than {before} can go. Keep what came on that day"
        " or later, and keep my own messages.",
        "What {person} texted me up to the day before {before} is no longer needed; erase those messages, not mine.",
    ),
    make=_make_delete_old_texts,
    solve=_solve_delete_old_texts,
    program=Program(
        functions=(delete_old_texts_from,), call="delete_old_texts_from(name={person!r}, before={before!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="own_texts_too", old=' direction="received",', new=""),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.phone.show_text_messages, ",
            new="apis.phone.show_text_messages(",
        ),
    ),
)


# Text everybody whose call was missed.

_SORRY = """Sorry that I missed your call. I will ring you tonight.|I could not pick up, is it urgent?|
Saw your call too late, please try again tomorrow.|I was in the cinema. What did you want to tell me?""".replace(
    "\n", ""
).split("|")


def _called(draw: Draw, caller: Person, callee: Person, seconds: int, when: datetime) -> None:
    draw.state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=callee.id, started_at=when, seconds=seconds))


def _make_answer_missed_calls(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    days = draw.rng.randint(4, 12)
    since = (draw.state.now - timedelta(days=days)).date()
    midnight = datetime(since.year, since.month, since.day)
    for row in draw.state[Call].of(me.id):
        if row.started_at > midnight - timedelta(days=2):
            draw.state[Call].remove(row.id)  # these days are told anew
    for n, person in enumerate((*people[:4], people[0], people[1])):  # two of them tried twice
        _called(draw, person, me, 0, ago(draw, 0.1 + days * n / 7))
    _called(draw, people[4], me, 0, midnight + timedelta(hours=7))  # on that day
    _called(draw, people[5], me, 0, midnight - timedelta(hours=3))  # the evening before it
    _called(draw, people[6], me, draw.rng.randint(30, 900), ago(draw, days / 3))  # answered
    _called(draw, me, people[7], 0, ago(draw, days / 2))  # they did not answer me
    return {
        "since": since.isoformat(),
        "message": draw.rng.choice(_SORRY),
        "other_since": (since + timedelta(days=2)).isoformat(),
    }


def _solve_answer_missed_calls(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    calls = [row for row in state[Call].of(me.id) if row.callee == me.id and row.seconds == 0]
    for person in sorted({row.caller for row in calls if row.started_at.date() >= since}):
        send_text(state, me.id, person, values["message"])


def text_missed_callers(since: str, message: str) -> int:
    """Text everybody whose call was missed since a day (YYYY-MM-DD), each once, and return how many they are."""
    token = login(app="phone")
    calls = all_pages(
        apis.phone.show_call_log, access_token=token, direction="incoming", is_missed=True, from_date=since
    )
    numbers = {call["caller"]["phone_number"] for call in calls}
    for number in sorted(numbers):
        apis.phone.send_text_message(access_token=token, phone_number=number, text=message)
    return len(numbers)


answer_missed_calls = Family(
    name="answer_missed_calls",
    split="train",
    difficulty=2,
    apps=("phone",),
    slots={"since": str, "message": str},
    wordings=(
        'Text "{message}" to everyone whose call I have missed since {since} (that day included), once per person.',
        "I did not pick up for a while. Look up the incoming calls from {since} on that I missed and send each caller"
        ' one text message: "{message}"',
        'Whoever tried to call me on {since} or later without reaching me should get a single text: "{message}"',
    ),
    make=_make_answer_missed_calls,
    solve=_solve_answer_missed_calls,
    program=Program(functions=(text_missed_callers,), call="text_missed_callers(since={since!r}, message={message!r})"),
    mistakes=(
        Mistake(name="two_days_late", swap={"since": "other_since"}),
        Mistake(name="answered_too", old=" is_missed=True,", new=""),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(
            name="first_page", old="all_pages(\n        apis.phone.show_call_log, ", new="apis.phone.show_call_log("
        ),
        Mistake(
            name="a_text_per_call",
            old='{call["caller"]["phone_number"] for call in calls}',
            new='[call["caller"]["phone_number"] for call in calls]',
        ),
    ),
)


# Delete the long voice messages of the past and say how long they were.

_SPEECH = """So I finally went to see the flat and it is lovely.|They say the road will be closed until late autumn.|
Anyway, the kitchen is tiny but the light is really nice.|I tried the recipe you sent me and everybody liked it.|
Then I met the old teacher at the bus stop, imagine that.|Oh, and please remind me to give back your blue bowl.|
The weather here has been awful for more than a week now.|You would not believe how long the line at customs was.
""".replace("\n", "").split("|")


def _make_purge_long_voices(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    days = rng.randint(20, 70)
    before = (draw.state.now - timedelta(days=days)).date()

    def left(sender: Person, receiver: Person, sentences: int, when: datetime) -> VoiceMessage:
        sent = send_voice(draw.state, sender.id, receiver.id, " ".join(rng.sample(_SPEECH, sentences)))
        return draw.state[VoiceMessage].change(sent.id, sent_at=when)

    few = rng.randint(2, 4)
    limit = left(people[0], me, few, ago(draw, days + 9)).seconds  # just as long is not longer
    for n in range(7):
        left(people[n % 5], me, rng.randint(few + 1, 8), ago(draw, days + 2 + 8 * n))
    left(people[1], me, few + 2, datetime(before.year, before.month, before.day, 8, 20))  # that day is not before it
    left(people[2], me, few + 1, ago(draw, days / 3))
    left(me, people[3], few + 2, ago(draw, days + 15))
    left(people[4], me, few - 1, ago(draw, days + 30))
    return {"before": before.isoformat(), "limit": limit, "other_before": (before - timedelta(days=25)).isoformat()}


def _solve_purge_long_voices(state: State, me: Person, values: Values) -> Json:
    total, before = 0, date.fromisoformat(values["before"])
    for row in state[VoiceMessage].of(me.id):
        if row.receiver == me.id and row.seconds > values["limit"] and row.sent_at.date() < before:
            total += row.seconds
            delete_voice(state, me.id, row.id)
    return total


def delete_long_voices(before: str, seconds: int) -> int:
    """Delete received voice messages from before a day (YYYY-MM-DD) that last longer; return their total seconds."""
    token = login(app="phone")
    voices = all_pages(apis.phone.show_voice_messages, access_token=token, direction="received")
    long = [voice for voice in voices if voice["sent_at"][:10] < before and voice["duration"] > seconds]
    for voice in long:
        apis.phone.delete_voice_message(access_token=token, message_id=voice["message_id"])
    return sum(voice["duration"] for voice in long)


purge_long_voices = Family(
    name="purge_long_voices",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"before": str, "limit": int},
    wordings=(
        "Delete the voice messages I received before {before} that last longer than {limit} seconds, and tell me how"
        " many seconds of recording those were altogether.",
        "How many seconds of talk do I get rid of if all voice messages of more than {limit} seconds that people sent"
        " me before {before} go? Tell me the sum, and do delete them. My own stay.",
        "Free some space on my phone: of the voice messages that came in earlier than {before}, not on the day itself,"
        " erase each one that runs over {limit} seconds. What is their total length in seconds?",
    ),
    make=_make_purge_long_voices,
    solve=_solve_purge_long_voices,
    program=Program(functions=(delete_long_voices,), call="delete_long_voices(before={before!r}, seconds={limit!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_day", swap={"before": "other_before"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="just_as_long", old='voice["duration"] > seconds', new='voice["duration"] >= seconds'),
        Mistake(name="own_ones_too", old=', direction="received"', new=""),
        Mistake(name="counted", old='sum(voice["duration"] for voice in long)', new="len(long)"),
        Mistake(
            name="first_page", old="all_pages(apis.phone.show_voice_messages, ", new="apis.phone.show_voice_messages("
        ),
    ),
)


# Make one contact of two.


def _make_merge_contacts(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    first, second = rng.sample(state[Contact].of(me.id), 2)  # the second becomes a double of the first
    number = f"555{rng.randrange(10**7):07d}"
    if any(person.phone == number for person in state[Person]):
        return None
    name, email = first.name.replace(" ", " J. "), f"{first.name.split()[0].lower()}@oldmail.example"
    kinds, address = rng.sample(RELATIONSHIPS, 2), f"{rng.randint(250, 400)} Quay Street, Harborton"
    born = date(rng.randint(1960, 2000), rng.randint(1, 12), rng.randint(1, 28))
    change_contact(state, first.id, relationships=[*first.relationships, kinds[0]])
    change_contact(state, second.id, name=name, phone=number, email=email, birthday=born, address=address)
    change_contact(state, second.id, relationships=kinds)
    kept, spare = rng.sample((first.id, second.id), 2)
    missing, _, free = rng.sample(("email", "birthday", "address"), 3)  # what is filled, what both have, and either
    change_contact(state, kept, **{missing: None if missing == "birthday" else ""})
    change_contact(state, rng.choice((kept, spare)), **{free: None if free == "birthday" else ""})
    return {"kept": kept, "spare": spare, "other_kept": spare, "other_spare": kept}


def _solve_merge_contacts(state: State, me: Person, values: Values) -> Json:
    kept, spare = state[Contact][values["kept"]], state[Contact][values["spare"]]
    email, birthday = kept.email or spare.email, kept.birthday or spare.birthday
    change_contact(state, kept.id, email=email, birthday=birthday, address=kept.address or spare.address)
    change_contact(state, kept.id, relationships=kept.relationships + spare.relationships)
    delete_contact(state, spare.id)


def merge_contact(contact_id: int, spare_id: int) -> list:
    """Fill what a contact lacks from a double of it, unite what they are, delete the double; return what was filled."""
    token = login(app="phone")
    contact = apis.phone.show_contact(access_token=token, contact_id=contact_id)
    spare = apis.phone.show_contact(access_token=token, contact_id=spare_id)
    fields = ("email", "birthday", "address")
    filled = {field: spare[field] for field in fields if spare[field] and not contact[field]}
    both = sorted({*contact["relationships"], *spare["relationships"]})
    apis.phone.update_contact(access_token=token, contact_id=contact_id, relationships=both, **filled)
    apis.phone.delete_contact(access_token=token, contact_id=spare_id)
    return sorted(filled)


merge_contacts = Family(
    name="merge_contacts",
    split="train",
    difficulty=2,
    apps=("phone",),
    slots={"kept": int, "spare": int},
    wordings=(
        "Merge contact {spare} into contact {kept} on my phone (these are their ids). {kept} keeps what it has. The"
        " e-mail, birthday or street address that it lacks it takes over from {spare}, and it gets the relationships of"
        " both. Then delete {spare}.",
        "My contacts with the ids {kept} and {spare} are the same person. I want to keep the first: add the second's"
        " relationships to its own, copy birthday, street address and e-mail from the second where it has none, and"
        " remove the second. Name and phone number do not change.",
        "Somebody is in my address book twice. Delete the entry with id {spare}, but before that, copy its e-mail,"
        " birthday and street address to entry {kept} where they are empty there, never over something, and let {kept}"
        " have all relationships that either of them has. The name and number of {kept} stay.",
    ),
    make=_make_merge_contacts,
    solve=_solve_merge_contacts,
    program=Program(functions=(merge_contact,), call="merge_contact(contact_id={kept!r}, spare_id={spare!r})"),
    mistakes=(
        Mistake(name="wrong_way_round", swap={"kept": "other_kept", "spare": "other_spare"}),
        Mistake(name="overwritten", old=" and not contact[field]", new=""),
        Mistake(name="nothing_filled", old=", **filled)", new=")"),
        Mistake(name="own_relationships_lost", old='{*contact["relationships"], *spare', new="{*spare"),
        Mistake(name="other_relationships_lost", old=', *spare["relationships"]}', new="}"),
        Mistake(name="double_stays", old="apis.phone.delete_contact(", new="apis.phone.show_contact("),
    ),
)


# What kind of people took the most time on the phone?


def _make_longest_circle(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    a, b, many = rng.sample(("roommate", "coworker", "friend"), 3)
    siblings = draw.known("sibling")
    if not siblings or any(len(draw.known(kind)) < 2 for kind in (a, b, many)):
        return None
    circle = [*rng.sample(draw.known(a), 2), *rng.sample(draw.known(b), 2)]
    (word, decoy), days = rng.sample(RELATIONSHIPS, 2), rng.randint(10, 40)
    words = dict.fromkeys((person.email for person in rng.sample(draw.known(many), 2)), decoy)
    words |= dict.fromkeys((person.email for person in circle), word)
    for row in state[Contact].of(me.id):
        if row.email in words:
            change_contact(state, row.id, relationships=(*row.relationships, words[row.email]))
    for call in state[Call].of(me.id):
        state[Call].remove(call.id)  # all calls are told anew

    def called(caller: Person, callee: Person, seconds: int, days: float) -> None:
        when = ago(draw, days)
        state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=callee.id, started_at=when, seconds=seconds))

    for n, person in enumerate(circle):  # the most in all; nobody of them, and neither half of them, is first
        pair = (me, person) if n % 2 else (person, me)
        called(*pair, rng.randint(800, 1000), days * (0.2 + n / 6))
    called(me, siblings[0], rng.randint(2200, 2600), days / 2)  # the longest call, with the person talked to longest
    for n in range(9):  # the most calls, and the latest
        called(rng.choice(draw.known(many)), me, rng.randint(20, 70) if n % 4 else 0, n / 8)
    for n in range(3):
        called(siblings[0], me, rng.randint(1300, 1700), days + 2 + n)  # too long ago
    since = (state.now - timedelta(days=days)).date()
    return {"since": since.isoformat(), "other_since": (since - timedelta(days=9)).isoformat()}


def _solve_longest_circle(state: State, me: Person, values: Values) -> Json:
    since, book = date.fromisoformat(values["since"]), {row.phone: row for row in state[Contact].of(me.id)}
    totals: Counter[str] = Counter()
    for call in state[Call].of(me.id):
        other = state[Person][call.callee if call.caller == me.id else call.caller]
        if call.started_at.date() >= since:
            totals.update(dict.fromkeys(book[other.phone].relationships, call.seconds))
    return totals.most_common(1)[0][0]


def longest_called_relationship(since: str) -> str:
    """Find the relationship whose people took the most time in calls since a day (YYYY-MM-DD)."""
    token = login(app="phone")
    seconds: Counter = Counter()
    for call in all_pages(apis.phone.show_call_log, access_token=token, from_date=since):
        other = call["caller"] if call["direction"] == "incoming" else call["callee"]
        seconds[other["phone_number"]] += call["duration"]
    totals = {}
    for relationship in apis.phone.show_relationships(access_token=token):
        people = all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship)
        totals[relationship] = sum(seconds[person["phone_number"]] for person in people)
    return max(totals, key=lambda relationship: totals[relationship])


longest_circle = Family(
    name="longest_circle",
    split="train",
    difficulty=3,
    apps=("phone",),
    slots={"since": str},
    wordings=(
        "For which of the relationships in my contacts (friend, coworker and so on) do my calls since {since}, that day"
        " included, add up to the most time? People who have several relationships count for each of them.",
        "Add up how long my calls from {since} on lasted, incoming and outgoing, for every kind of relationship that my"
        " contacts have; a contact of two kinds counts in both. Which relationship comes out on top?",
        "Who keeps me on the phone? For each relationship my phone knows, sum up how long the calls with the contacts"
        " who are that to me took, on {since} or later. Somebody may be two things to me and then counts for both. Just"
        " tell me the relationship with the greatest total.",
    ),
    make=_make_longest_circle,
    solve=_solve_longest_circle,
    program=Program(functions=(longest_called_relationship,), call="longest_called_relationship(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="nine_days_more", swap={"since": "other_since"}),
        Mistake(name="most_calls", old='+= call["duration"]', new="+= 1"),
        Mistake(name="one_person", old="= sum(seconds", new="= max(seconds"),
        Mistake(name="on_average", old="for person in people)", new="for person in people) / len(people)"),
        Mistake(name="own_calls_only", old=", from_date=since", new=', from_date=since, direction="outgoing"'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_call_log, ", new="apis.phone.show_call_log("),
    ),
)


# What do the calls cost that the plan does not include?


def _called_ago(draw: Draw, caller: Person, callee: Person, days: float, seconds: int) -> None:
    who, when = {"caller": caller.id, "callee": callee.id}, scene.ago(draw, days)
    draw.state[phone.Call].add(lambda id: phone.Call(id=id, **who, started_at=when, seconds=seconds))


def _make_phone_plan_charge(draw: Draw) -> Values | None:
    rng, me, people, days = draw.rng, draw.me, scene.acquaintances(draw), draw.rng.randint(20, 60)
    since = (draw.state.now - timedelta(days=days)).date()
    for n in range(16):  # six come in, one is missed, one is too old, two last whole minutes
        caller, callee = (people[n % 5], me) if n % 3 == 0 else (me, people[n % 5])
        seconds = {4: 0, 7: 240, 8: 60}.get(n, rng.randint(20, 900))
        _called_ago(draw, caller, callee, days + 1 if n == 10 else 0.5 + (days - 2) * n / 16, seconds)
    free, price = _minutes(draw.state, me, since.isoformat()) // rng.randint(2, 4), rng.randint(5, 40) / 100
    later = since + timedelta(days=days // 2)
    return {"since": since.isoformat(), "free": free, "price": price, "other_since": later.isoformat()}


def _minutes(state: State, me: Person, since: str) -> int:
    rows = [row for row in state[phone.Call].of(me.id) if row.caller == me.id]
    return sum((row.seconds + 59) // 60 for row in rows if row.started_at.date() >= date.fromisoformat(since))


def _solve_phone_plan_charge(state: State, me: Person, values: Values) -> Json:
    return (_minutes(state, me, values["since"]) - values["free"]) * round(values["price"] * 100) / 100


def cost_of_calls(since: str, free: int, price: float) -> float:
    """Return what the calls made since a day (YYYY-MM-DD) cost, in begun minutes, beyond those that are free."""
    token = login(app="phone")
    calls = all_pages(apis.phone.show_call_log, access_token=token, direction="outgoing", from_date=since)
    minutes = sum(-(-call["duration"] // 60) for call in calls)
    return round(max(0, minutes - free) * price, 2)


phone_plan_charge = Family(
    name="phone_plan_charge",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"since": str, "free": int, "price": float},
    wordings=(
        "My phone plan started anew on {since}. From that day on {free} minutes of calls I make are free, each further"
        " minute costs ${price}, and every call is rounded up to full minutes. How much do I have to pay so far?",
        "What do my calls since {since} (that day included) cost? Only outgoing ones count, each begun minute as a"
        " whole one, call by call; the first {free} minutes in all are free, the rest is ${price} a minute.",
        "They charge me ${price} for each minute of calling beyond {free} minutes. Take the calls I made on {since} or"
        " later, round each of them up to whole minutes on its own, add them up and tell me the charge in dollars.",
        "Please work out my phone bill from {since} on, with that day. Being called is free; of my own calls, one of 61"
        " seconds makes two minutes, one of 60 one. {free} are included, all others cost ${price} each. What is it?",
        "Count the minutes I have been calling people since {since}, that day too, where any part of a minute in a call"
        " is a minute. Less the {free} that my contract includes and at ${price} apiece, what does that come to?",
    ),
    make=_make_phone_plan_charge,
    solve=_solve_phone_plan_charge,
    program=Program(functions=(cost_of_calls,), call="cost_of_calls(since={since!r}, free={free!r}, price={price!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_day", swap={"since": "other_since"}),
        Mistake(name="both_ways", old=', direction="outgoing"', new=""),
        Mistake(name="rounded_down", old='-(-call["duration"] // 60)', new='call["duration"] // 60'),
        Mistake(name="one_more_each", old='-(-call["duration"] // 60)', new='call["duration"] // 60 + 1'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_call_log, ", new="apis.phone.show_call_log("),
    ),
)


# The weekday on which most calls were missed.


def _ring(draw: Draw, day: date, seconds: int = 0, *, mine: bool = False) -> None:
    ends = draw.rng.choice(acquaintances(draw)).id, draw.me.id
    caller, callee = ends[::-1] if mine else ends
    at = datetime.combine(day, time(draw.rng.randint(7, 21), draw.rng.randint(0, 59)))
    draw.state[Call].add(lambda id: Call(id=id, caller=caller, callee=callee, started_at=at, seconds=seconds))


def _make_weekday_of_missed_calls(draw: Draw) -> Values | None:
    rng, calls = draw.rng, draw.state[Call]
    last = draw.state.now.date() - timedelta(days=rng.randint(9, 20))
    first, eve, week = last - timedelta(days=rng.randint(29, 45)), last - timedelta(days=1), timedelta(days=7)
    for n in range(9):
        _ring(draw, eve if n < 3 else eve + week)  # most of them too late
        _ring(draw, eve, rng.randint(20, 900))  # answered
        _ring(draw, eve, mine=True)  # nobody answered me
        _ring(draw, eve - week * ((eve - first).days // 7 + 1))  # too early
    missed = [call.started_at.date() for call in calls.of(draw.me.id) if call.callee == draw.me.id and not call.seconds]
    counts = Counter(day.weekday() for day in missed if first <= day <= last)
    lead = max(counts.values()) + 1 - counts[last.weekday()]
    if lead < 2 or last in missed:
        return None
    for n in range(lead):
        _ring(draw, last if n < 2 else last - week)  # without the last day there are too few
    return {"first": first.isoformat(), "last": last.isoformat(), "other_last": eve.isoformat()}


def _solve_weekday_of_missed_calls(state: State, me: Person, values: Values) -> Json:
    first, last = date.fromisoformat(values["first"]), date.fromisoformat(values["last"])
    calls = [call for call in state[Call].of(me.id) if call.callee == me.id and call.seconds == 0]
    days = [call.started_at.weekday() for call in calls if first <= call.started_at.date() <= last]
    return day_name[max(range(7), key=days.count)]


def missed_calls_weekday(first: str, last: str) -> str:
    """Count the incoming calls missed from one day to another, both included, and return the weekday with most."""
    token = login(app="phone")
    period = {"from_date": first, "to_date": last}
    calls = all_pages(apis.phone.show_call_log, access_token=token, direction="incoming", is_missed=True, **period)
    counts = Counter(date.fromisoformat(call["started_at"][:10]).strftime("%A") for call in calls)
    return max(counts, key=lambda weekday: counts[weekday])


weekday_of_missed_calls = Family(
    name="weekday_of_missed_calls",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"first": str, "last": str},
    wordings=(
        "On which day of the week did I miss the most calls from {first} to {last}, both days included?",
        "Count the incoming calls that I missed between {first} and {last} (the first and the last day count, too) by"
        " day of the week. Which weekday leads?",
        "Calls keep slipping by me. Going by the call log of my phone from {first} up to and including {last}, which"
        " weekday had the most incoming calls that I did not take? Just name the day.",
        "I want to know when I am hardest to reach. Tell me the weekday with the most missed calls to me on my phone."
        " The time to look at starts with {first} and ends with {last}, and both of these days belong to it.",
        "Is it Mondays, or which other day? Find out on what day of the week people called me in vain most often, in"
        " the days from {first} through {last}, according to my phone.",
    ),
    make=_make_weekday_of_missed_calls,
    solve=_solve_weekday_of_missed_calls,
    program=Program(functions=(missed_calls_weekday,), call="missed_calls_weekday(first={first!r}, last={last!r})"),
    mistakes=(
        Mistake(name="last_day_left_out", swap={"last": "other_last"}),
        Mistake(name="answered_too", old=", is_missed=True", new=""),
        Mistake(name="own_calls_too", old=' direction="incoming",', new=""),
        Mistake(name="earlier_ones_too", old='"from_date": first, ', new=""),
        Mistake(name="until_today", old=', "to_date": last', new=""),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
    asks=True,
)


_TITLES = "confidant|chat partner|pen pal|regular|sounding board|night owl|gossip|vip"


_LINES = "On my way.|Did you get that?|See you there.|Ha, good one.|Any news?|Again tomorrow?|Sleep well!|Look at this."


# Who has the most texts with me gets a relationship, and nobody else has it.


def _make_top_texters(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, count, people = rng.choice(_TITLES.split("|")), rng.randint(2, 4), acquaintances(draw)
    (stranger, *tops), rest = people[:count], people[count + 2 :]
    if len(rest) < 5:
        return None
    winner, loser = sorted(people[count : count + 2], key=lambda person: person.name)
    talks = Counter(row.sender + row.receiver - me.id for row in state[TextMessage].of(me.id))
    wanted = {stranger: 16, winner: 10, loser: 10, **{top: 15 - n for n, top in enumerate(tops)}}
    for person, goal in (*wanted.items(), *((low, talks[low.id] + 1) for low in rest[:4])):
        for n in range(goal - talks[person.id]):
            late = n == 0 and person in (loser, *rest)  # these come first in the list of conversations
            ends = rng.sample((me, person), 2)
            texted(draw, ends[0], ends[1], rng.choice(_LINES.split("|")), ago(draw, 0.01 if late else 30 + 9 * n))
    for row in state[Contact].of(me.id):
        if row.phone == stranger.phone:
            delete_contact(state, row.id)
        elif row.phone in (tops[0].phone, loser.phone, rest[0].phone):
            change_contact(state, row.id, relationships=[*row.relationships, relation])
    return {"relation": relation, "count": count, "other_count": count + 1}


def _solve_top_texters(state: State, me: Person, values: Values) -> Json:
    talks = Counter(row.sender + row.receiver - me.id for row in state[TextMessage].of(me.id))
    counts = {person.phone: talks[person.id] for person in state[Person]}
    rows = sorted(state[Contact].of(me.id), key=lambda row: (-counts.get(row.phone, 0), row.name))
    for n, row in enumerate(rows):
        kinds = [kind for kind in row.relationships if kind != values["relation"]]
        change_contact(state, row.id, relationships=kinds + [values["relation"]] * (n < values["count"]))


def relate_top_texters(relation: str, count: int) -> int:
    """Let just the contacts with the most texts, ties by name, be this to the supervisor; return how many changed."""
    token = login(app="phone")
    contacts = {contact["phone_number"]: contact for contact in all_pages(apis.phone.show_contacts, access_token=token)}
    talks = all_pages(apis.phone.show_conversations, access_token=token)
    known = [talk for talk in talks if talk["phone_number"] in contacts]
    known.sort(key=lambda talk: (-talk["message_count"], talk["name"]))
    top = {talk["phone_number"] for talk in known[:count]}
    changed = 0
    for number, contact in contacts.items():
        kinds = set(contact["relationships"]) - {relation}
        if number in top:
            kinds.add(relation)
        if kinds != set(contact["relationships"]):
            contact_id = contact["contact_id"]
            apis.phone.update_contact(access_token=token, contact_id=contact_id, relationships=sorted(kinds))
            changed += 1
    return changed


top_texters = Family(
    name="top_texters",
    split="train",
    difficulty=2,
    apps=("phone",),
    slots={"relation": str, "count": int},
    wordings=(
        "Give the {count} contacts with whom I have the most texts, sent and received together, the relationship"
        ' "{relation}" in my phone, on top of what they are already, and take it from everybody else. Where numbers'
        " are equal, the name that comes first in the alphabet goes first.",
        'Exactly {count} of my phone contacts should be "{relation}" to me: those I exchanged the most texts with, both'
        " ways, ties by name from A to Z. Add or remove that relationship where needed, leave their others alone.",
        "I text some people all the time. Count the texts to and from each contact, take the top {count} (same number:"
        ' by name) and make these and nobody else a "{relation}" in my address book. Other relationships stay.',
        'Please update who is a "{relation}" in my phone contacts. That belongs to the {count} people in there with'
        " the most text messages between us; of two with the same count, the one earlier in the alphabet is ahead."
        " Whoever else has it loses it, whoever lacks it gets it besides what they are.",
        "Sort my contacts by how many texts there are between us, most first, and by name where that is the same. The"
        ' first {count} get the relationship "{relation}" besides the ones they have; all others must not have it.',
    ),
    make=_make_top_texters,
    solve=_solve_top_texters,
    program=Program(functions=(relate_top_texters,), call="relate_top_texters(relation={relation!r}, count={count!r})"),
    mistakes=(
        Mistake(name="one_too_many", swap={"count": "other_count"}),
        Mistake(name="strangers_rank_too", old=' if talk["phone_number"] in contacts', new=""),
        Mistake(name="ties_as_listed", old='(-talk["message_count"], talk["name"])', new='-talk["message_count"]'),
        Mistake(name="others_keep_it", old="if kinds != ", new="if kinds > "),
        Mistake(name="in_place_of_the_others", old=" - {relation}", new=" & {relation}"),
        Mistake(name="first_page", old="in talks if", new="in talks[:5] if"),
    ),
)

FAMILIES = (
    text_relation,
    new_number,
    delete_old_texts,
    answer_missed_calls,
    purge_long_voices,
    merge_contacts,
    longest_circle,
    phone_plan_charge,
    weekday_of_missed_calls,
    top_texters,
)
