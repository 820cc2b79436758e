"""Train families of the phone app: contacts, what they are to their owner, and talk with them; two with other apps."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.phone import Call, Contact, TextMessage, VoiceMessage, change_contact, send_voice
from prowess_desk.apps.phone.rows import add_contact, delete_contact
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, twin_groups
from prowess_desk.families.scene import acquaintances, ago, texted
from prowess_desk.families.toolbox import all_pages, apis, login

_CIRCLES = "neighbor|teammate|client|cousin|classmate|bandmate|tutor|volunteer".split("|")
"""What nobody is to anybody at first."""

# Make one contact of two.


def _make_merge(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    first, second = rng.sample(state[Contact].of(me.id), 2)  # the second becomes a double of the first
    number = f"555{rng.randrange(10**7):07d}"
    if any(person.phone == number for person in state[Person]):
        return None
    name, email = first.name.replace(" ", " J. "), f"{first.name.split()[0].lower()}@oldmail.example"
    kinds, address = rng.sample(_CIRCLES, 2), f"{rng.randint(250, 400)} Quay Street, Harborton"
    born = date(rng.randint(1960, 2000), rng.randint(1, 12), rng.randint(1, 28))
    change_contact(state, first.id, relationships=[*first.relationships, kinds[0]])
    change_contact(state, second.id, name=name, phone=number, email=email, birthday=born, address=address)
    change_contact(state, second.id, relationships=kinds)
    kept, spare = rng.sample((first.id, second.id), 2)
    missing, _, free = rng.sample(("email", "birthday", "address"), 3)  # what is filled, what both have, and either
    change_contact(state, kept, **{missing: None if missing == "birthday" else ""})
    change_contact(state, rng.choice((kept, spare)), **{free: None if free == "birthday" else ""})
    return {"kept": kept, "spare": spare, "other_kept": spare, "other_spare": kept}


def _solve_merge(state: State, me: Person, values: Values) -> Json:
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
    make=_make_merge,
    solve=_solve_merge,
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


def _make_circle(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    a, b, many = rng.sample(("roommate", "coworker", "friend"), 3)
    siblings = draw.known("sibling")
    if not siblings or any(len(draw.known(kind)) < 2 for kind in (a, b, many)):
        return None
    circle = [*rng.sample(draw.known(a), 2), *rng.sample(draw.known(b), 2)]
    (word, decoy), days = rng.sample(_CIRCLES, 2), rng.randint(10, 40)
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


def _solve_circle(state: State, me: Person, values: Values) -> Json:
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
    make=_make_circle,
    solve=_solve_circle,
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


# Add the people one has texts with to the contacts.

_HELLO = """Hi, this is about the bike you are selling.|Thanks again for the lift!|Is Thursday still fine?|
The key is with the caretaker.|Here is my number, as promised.|I have sent the form.""".replace("\n", "").split("|")


def _make_texters(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    known = {row.phone for row in state[Contact].of(me.id)}
    a, b, c, d, caller = rng.sample([each for each in draw.people if each != me and each.phone not in known], 5)
    sides = ((a, me, 190), (b, me, 120), (me, b, 119), (me, c, rng.randint(20, 60)), (d, me, 3), (d, me, 1))
    for line, (sender, receiver, days) in zip(rng.sample(_HELLO, 6), sides, strict=True):
        texted(draw, sender, receiver, line, ago(draw, days))
    state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=me.id, started_at=ago(draw, 2), seconds=95))
    friend = rng.choice(state[Contact].of(me.id))
    change_contact(state, friend.id, name=f"{friend.name.split()[0]} (mobile)")  # in the contacts all the same
    relation, other = rng.sample(_CIRCLES, 2)
    return {"relation": relation, "other_relation": other}


def _solve_texters(state: State, me: Person, values: Values) -> Json:
    people = {id for row in state[TextMessage].of(me.id) for id in (row.sender, row.receiver)} - {me.id}
    known = {row.phone for row in state[Contact].of(me.id)}
    for person in (state[Person][id] for id in sorted(people)):
        if person.phone not in known:
            relation = [values["relation"]]
            add_contact(state, me.id, person.name, person.phone, email=person.email, relationships=relation)


def add_texters_to_contacts(relation: str) -> int:
    """Add everybody with texts but no contact to the contacts, with the e-mail address in wallet; return how many."""
    token = login(app="phone")
    known = {contact["phone_number"] for contact in all_pages(apis.phone.show_contacts, access_token=token)}
    talks = all_pages(apis.phone.show_conversations, access_token=token)
    strangers = [talk for talk in talks if talk["phone_number"] not in known]
    wallet_token = login(app="wallet")
    for talk in strangers:
        name, number, kinds = talk["name"], talk["phone_number"], [relation]
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.phone.add_contact(access_token=token, name=name, phone_number=number, email=email, relationships=kinds)
    return len(strangers)


adopt_texters = Family(
    name="adopt_texters",
    split="train",
    difficulty=3,
    apps=("phone", "wallet"),
    slots={"relation": str},
    wordings=(
        "Add everyone I have texts from or to, but no contact with their number, to my contacts: name and number as in"
        ' the conversation, the e-mail address of the wallet user with this name, and the relationship "{relation}".',
        "There are numbers in my text conversations that my address book does not know. Save each of them as a contact"
        ' under the name shown there, with the relationship "{relation}". You find their e-mail addresses by searching'
        " the users of wallet for the names; put those in as well, nothing else.",
        'Make contacts, all of them "{relation}" to me, of the people in my text conversations, whoever wrote, that are'
        " not among my contacts by phone number. Each needs full name, number and e-mail address, no more; the latter"
        " you can look up in the wallet app.",
    ),
    make=_make_texters,
    solve=_solve_texters,
    program=Program(functions=(add_texters_to_contacts,), call="add_texters_to_contacts(relation={relation!r})"),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="no_relation", old=", relationships=kinds", new=""),
        Mistake(name="no_email", old="email=email, ", new=""),
        Mistake(name="more_than_one_text", old="known]", new='known and talk["message_count"] > 1]'),
        Mistake(
            name="theirs_last", old="known]", new='known and talk["last_message"]["sender"]["name"] == talk["name"]]'
        ),
        Mistake(
            name="first_page", old="all_pages(apis.phone.show_conversations, ", new="apis.phone.show_conversations("
        ),
    ),
)


# Send a voice message to a group.

_CALLS = """We meet an hour later than planned.|I have booked the table by the window.|We need another date.|
The key is in the blue box now.|Please send me your photos.|I bring the drinks.""".replace("\n", "").split("|")


def _make_group(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    pair, people = twin_groups(draw, least=5), acquaintances(draw)
    if pair is None or len({*pair[1].member_ids} - {*pair[0].member_ids}) < 2:
        return None
    mine, older = pair
    inside = [person for person in people if person.id in mine.member_ids]
    outside = [person for person in people if person.id not in mine.member_ids]
    told, *rest = inside
    first = {row.email for row in state[Contact].of(me.id)[:5]}
    if len(inside) < len(mine.member_ids) - 1 or all(person.email in first for person in rest):
        return None
    message, other = draw.rng.sample(_CALLS, 2)

    def said(sender: Person, receiver: Person, text: str, when: datetime) -> None:
        state[VoiceMessage].change(send_voice(state, sender.id, receiver.id, text).id, sent_at=when)

    said(me, told, message, ago(draw, 0.2))
    said(me, outside[0], message, ago(draw, 0.1))
    said(me, rest[0], f"Forget what I told you before: {message}", ago(draw, 9))  # not these words alone
    said(rest[1], me, message, ago(draw, 1))
    said(me, rest[1], other, ago(draw, 2))
    texted(draw, me, rest[2], message, ago(draw, 1))  # written, not said
    return {"group": mine.name, "message": message, "other_group": older.name, "other_message": other}


def _solve_group(state: State, me: Person, values: Values) -> Json:
    sent = [row for row in state[VoiceMessage].of(me.id) if row.transcript == values["message"]]
    told = {row.receiver for row in sent if row.sender == me.id}
    for id in group_called(state, me, values["group"]).member_ids:
        if id not in told | {me.id}:
            send_voice(state, me.id, id, values["message"])


def send_voice_to_group(group: str, message: str) -> int:
    """Send a voice message to the others of a splits group who do not have it from before; return how many."""
    splits_token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=group)
    emails = {person["email"] for each in groups if each["name"] == group for person in each["members"]}
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token)
    voices = all_pages(apis.phone.show_voice_messages, access_token=token, query=message, direction="sent")
    told = {voice["receiver"]["phone_number"] for voice in voices if voice["transcript"] == message}
    numbers = {contact["phone_number"] for contact in contacts if contact["email"] in emails} - told
    for number in sorted(numbers):
        apis.phone.send_voice_message(access_token=token, phone_number=number, transcript=message)
    return len(numbers)


voice_to_group = Family(
    name="voice_to_group",
    split="train",
    difficulty=2,
    apps=("splits", "phone"),
    slots={"group": str, "message": str},
    wordings=(
        'Send a voice message saying "{message}" to everybody else in my splits group "{group}", except those to whom I'
        " have sent a voice message of exactly these words already.",
        'All the other members of "{group}" in splits should hear this from me as a voice message: "{message}" I began'
        " and was interrupted, so leave out whoever already has a voice message with just this text from me.",
        'Look up who is in the group "{group}" of my splits app and leave each of them, not me of course, a voice'
        ' message with the words "{message}" Nobody should get it twice: skip a person who got precisely this from me'
        " by voice before. A text message does not count.",
    ),
    make=_make_group,
    solve=_solve_group,
    program=Program(functions=(send_voice_to_group,), call="send_voice_to_group(group={group!r}, message={message!r})"),
    mistakes=(
        Mistake(name="another_message", swap={"message": "other_message"}),
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="both_groups", old=' if each["name"] == group', new=""),
        Mistake(name="said_again", old="in emails} - told", new="in emails}"),
        Mistake(name="similar_words_count", old=' if voice["transcript"] == message', new=""),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)

FAMILIES = (merge_contacts, longest_circle, adopt_texters, voice_to_group)
