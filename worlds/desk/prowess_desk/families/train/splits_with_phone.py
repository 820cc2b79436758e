"""Train families of the splits app with contacts, texts and voice messages of the phone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import phone, splits
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import (
    Contact,
    TextMessage,
    VoiceMessage,
    add_contact,
    change_contact,
    send_text,
    send_voice,
)
from prowess_desk.apps.splits import Expense, Group, delete_expense, rows
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import (
    group_called,
    groups_of,
    jotted,
    older_twin,
    others_in,
    owed,
    spent,
    twin_groups,
)
from prowess_desk.families.scene import acquaintances, ago, named, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login, read_note
from prowess_desk.families.train.splits import CLUBS, evened, founded, lent_to

# Send a voice message to a group.

_CALLS = """We meet an hour later than planned.|I have booked the table by the window.|We need another date.|
The key is in the blue box now.|Please send me your photos.|I bring the drinks.""".replace("\n", "").split("|")


def _make_voice_to_group(draw: Draw) -> Values | None:
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


def _solve_voice_to_group(state: State, me: Person, values: Values) -> Json:
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
    make=_make_voice_to_group,
    solve=_solve_voice_to_group,
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


# Which groups are the expenses of whose numbers somebody texts me?

_TEXTS = """What was #{} for?|Could you look at #{} on splits?|I think #{} has the wrong amount.|Did you see #{}?|
Can you check #{} please, 2 of us were missing.|About #{}: is that for 3 or 4 people?""".replace("\n", "").split("|")


def _make_texted_expense_groups(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    (person, other, *_), groups = acquaintances(draw), groups_of(draw, least=2)
    if len(groups) < 3:
        return None
    for group in groups:
        rows.add_member(state, group.id, person.id, other.id)
    first, second, third = ([row.id for row in state[Expense].of(("group", each.id))][:4] for each in groups)
    alone = spent(draw, "Spare keys", person, {me.id: 1_200}, days=30)
    days = rng.randint(6, 20)
    since = (state.now - timedelta(days=days)).date()

    def wrote(sender: Person, receiver: Person, number: int, when: datetime) -> None:
        texted(draw, sender, receiver, rng.choice(_TEXTS).format(number), when)

    wrote(person, me, second[0], datetime(since.year, since.month, since.day, 8))
    for n, number in enumerate((alone.id, *first, first[0])):
        wrote(person, me, number, ago(draw, (days - 1) * (6 - n) / 7))
    texted(draw, person, me, f"See you at {rng.randint(1, 9)}!", ago(draw, 0.1))
    wrote(me, person, third[0], ago(draw, days / 2))
    wrote(other, me, third[1], ago(draw, days / 3))
    wrote(person, me, third[2], ago(draw, days + 1))
    return {"person": person.name, "since": since.isoformat(), "other_person": other.name}


def _solve_texted_expense_groups(state: State, me: Person, values: Values) -> Json:
    sender, found = named(state, values["person"]).id, set()
    for text in state[TextMessage].of(me.id):
        if text.sender == sender and text.sent_at.date() >= date.fromisoformat(values["since"]) and "#" in text.text:
            number = text.text.partition("#")[2].split()[0].rstrip("?:,.!")
            found.add(state[Expense][int(number)].group)
    return sorted(state[Group][group].name for group in found if group is not None)


def groups_of_texted_ids(name: str, since: str) -> list:
    """List the splits groups of the expenses whose numbers (#123) a contact texted since a day (YYYY-MM-DD)."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", from_date=since
    )
    numbers = {int(found) for message in messages for found in re.findall(r"#(\d+)", message["text"])}
    token = login(app="splits")
    expenses = [apis.splits.show_expense(access_token=token, expense_id=number) for number in sorted(numbers)]
    group_ids = {expense["group_id"] for expense in expenses if expense["group_id"] is not None}
    return [apis.splits.show_group(access_token=token, group_id=group_id)["name"] for group_id in sorted(group_ids)]


texted_expense_groups = Family(
    name="texted_expense_groups",
    split="train",
    difficulty=3,
    apps=("phone", "splits"),
    slots={"person": str, "since": str},
    wordings=(
        "{person} mentions expenses on splits in texts to me, by their id, as in #12. In which groups are the expenses"
        " from {person}'s texts since {since} (that day included)? List each group's name once; an expense without a"
        " group does not matter.",
        "Go through the text messages I got from {person} on {since} or later. A number after a # is the id of an"
        " expense on splits. Tell me the names of the groups those expenses are in, as far as they are in one.",
        "I need a list of splits groups, by name and each just once: those with an expense that {person} refers to (by"
        " # and its id) in a text to me from {since} onwards. Skip expenses outside of any group.",
    ),
    make=_make_texted_expense_groups,
    solve=_solve_texted_expense_groups,
    program=Program(functions=(groups_of_texted_ids,), call="groups_of_texted_ids(name={person!r}, since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="sent_ones_too", old=' direction="received",', new=""),
        Mistake(name="first_page", old="messages = all_pages(", new="messages = (lambda api, **a: api(**a))("),
    ),
)


# Set an old group aside and start it anew, with one person replaced.


def _make_restart_group(draw: Draw) -> Values | None:
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    leaver, other, *_ = others_in(draw, group)
    new = [person for person in acquaintances(draw) if person.id not in group.member_ids + older.member_ids]
    if len(new) < 2:
        return None
    name = f"{group.name} {draw.rng.choice(('(first season)', '(closed)', '(old accounts)', 'before the move'))}"
    values = {"group": group.name, "name": name, "leaver": leaver.name, "newcomer": new[0].name}
    return values | {"other_group": older.name, "other_leaver": other.name, "other_newcomer": new[1].name}


def _solve_restart_group(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    leaver, newcomer = named(state, values["leaver"]), named(state, values["newcomer"])
    rows.create_group(state, me.id, values["group"], {*group.member_ids, newcomer.id} - {leaver.id})
    rows.rename_group(state, group.id, values["name"])


def start_group_anew(group: str, old_name: str, leaver: str, newcomer: str) -> int:
    """Rename a splits group and create one of its former name, a contact in a member's place; return the new id."""
    contact = contact_named(name=newcomer)
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    emails = [member["email"] for member in found["members"] if member["name"] != leaver]
    apis.splits.rename_group(access_token=token, group_id=found["group_id"], name=old_name)
    created = apis.splits.create_group(access_token=token, name=group, member_emails=[*emails, contact["email"]])
    return created["group_id"]


restart_group = Family(
    name="restart_group",
    split="train",
    difficulty=2,
    apps=("phone", "splits"),
    slots={"group": str, "name": str, "leaver": str, "newcomer": str},
    wordings=(
        'Rename my splits group "{group}" to "{name}". Then create a new group called "{group}" with the same members,'
        " only without {leaver} and with {newcomer} from my phone contacts instead.",
        '{leaver} is leaving us and {newcomer}, whom you find in my phone, joins. Start "{group}" anew on splits: the'
        ' group we have is called "{name}" from now on, and a fresh one named "{group}" has everybody else from it plus'
        " {newcomer}.",
        'I want a clean slate for "{group}" on splits. Make a new group of that name for all who are in the present one'
        " except {leaver}, and add {newcomer} (the address is in my phone contacts). The present group stays as it is,"
        ' but under the name "{name}".',
    ),
    make=_make_restart_group,
    solve=_solve_restart_group,
    program=Program(
        functions=(start_group_anew,),
        call="start_group_anew(group={group!r}, old_name={name!r}, leaver={leaver!r}, newcomer={newcomer!r})",
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="another_leaver", swap={"leaver": "other_leaver"}),
        Mistake(name="another_newcomer", swap={"newcomer": "other_newcomer"}),
        Mistake(name="nobody_leaves", old=' if member["name"] != leaver', new=""),
        Mistake(name="nobody_joins", old='[*emails, contact["email"]]', new="emails"),
    ),
)


# Make a group's members those that a note lists, as far as that goes.

_ROSTERS = "Members this season|Who takes part|People on board|Sign-up list|Final head count".split("|")


def _make_group_as_in_note(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    if len(people) < 10:
        return None
    stays, settled, never, repaid, owing, between, old, *new = people[:10]
    if {person.name for person in new} <= {contact.name for contact in draw.state[Contact].of(me.id)[:5]}:
        return None
    name, title = rng.choice(CLUBS), rng.choice(_ROSTERS)
    older = founded(draw, f"{name} (until 2024)", stays, [stays, never, old], ago(draw, 280))
    group = founded(draw, name, me, [stays, settled, never, repaid, owing, between], ago(draw, 100))
    lent_to(draw, stays, old, older)
    cents = lent_to(draw, stays, between, group)
    lent_to(draw, between, owing, group, cents)  # what this one owes and is owed comes out at nothing, but is open
    evened(draw, settled, repaid, group)
    evened(draw, me, settled, group)
    lines = [f"- {person.name}" for person in rng.sample([stays, settled, *new], 5)]
    jotted(draw, title, "\n".join(("Besides me:", *lines)), days=rng.randint(1, 9))
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"- {person.name}" for person in (stays, never, repaid, old)), days=400)
    return {"group": name, "title": title, "other_group": older.name, "other_title": twin}


def _solve_group_as_in_note(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    content = note_titled(state, me.id, values["title"]).content
    listed = {person.id for person in state[Person] if f"- {person.name}" in content.split("\n")}
    for person in group.member_ids:
        even = all(owed(state, person, each, group.id) == 0 for each in group.member_ids)
        if person not in listed | {me.id} and even:
            rows.remove_member(state, group.id, person)
    rows.add_member(state, group.id, *listed)


def match_group_to_note(group: str, title: str) -> int:
    """Add whom a note lists (`- Name`) to a splits group, remove settled members it lacks; return the changes."""
    lines = read_note(title=title)["content"].splitlines()
    listed = {line.removeprefix("- ") for line in lines if line.startswith("- ")}
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    group_id, members = found["group_id"], found["members"]
    names = {member["name"] for member in members}
    added = [contact for contact in contacts if contact["name"] in listed - names]
    debts = apis.splits.show_group_balances(access_token=token, group_id=group_id)["debts"]
    kept = {debt[side]["email"] for debt in debts for side in ("debtor", "creditor")}
    kept.add(apis.supervisor.show_profile()["email"])
    removed = [member for member in members if member["name"] not in listed and member["email"] not in kept]
    for person in added:
        apis.splits.add_member(access_token=token, group_id=group_id, email=person["email"])
    for person in removed:
        apis.splits.remove_member(access_token=token, group_id=group_id, email=person["email"])
    return len(added) + len(removed)


group_as_in_note = Family(
    name="group_as_in_note",
    split="train",
    difficulty=3,
    apps=("notes", "phone", "splits"),
    slots={"group": str, "title": str},
    wordings=(
        'Bring the members of my splits group "{group}" in line with my note "{title}", which lists everybody besides'
        " me. Add who is missing (look in my phone contacts) and remove who is not on the list, but nobody who still"
        " owes another member something in the group or is owed something there.",
        'My note "{title}" says who, apart from myself, belongs to "{group}" on splits. Add those who are not in the'
        " group yet, with the e-mail address from my phone, and take out the members it does not name unless they have"
        " an open debt in the group, their own or somebody else's to them.",
        'Everybody in the note "{title}" should be in the splits group "{group}": add who is not, the addresses are in'
        " my phone contacts. Then remove all other members except me; only those who are not settled up with every"
        " member of the group have to stay for now.",
    ),
    make=_make_group_as_in_note,
    solve=_solve_group_as_in_note,
    program=Program(functions=(match_group_to_note,), call="match_group_to_note(group={group!r}, title={title!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="nobody_removed", old="for person in removed:", new="for person in []:"),
        Mistake(name="nobody_added", old="for person in added:", new="for person in []:"),
    ),
)


# On which evening can most of a group come?

_CLUBS = ("Tango Beginners", "Sauna Crew", "Film Circle", "Chess Table", "Karaoke Gang", "Soup Kitchen")


_WORDS = ("Evenings:", "Free on:", "Works for me:", "My days:", "I could make:")


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _make_evening_for_group(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people, name, (start, other) = acquaintances(draw), rng.choice(_CLUBS), rng.sample(_WORDS, 2)
    if len(people) < 10:
        return None
    for title, members in ((f"{name} 2024", people[5:10]), (name, people[:7])):
        splits.create_group(state, me.id, title, [person.id for person in members])
    a, b, c, d, e = rng.sample(_DAYS, 5)
    said = {5: [c, d], 6: [c, e], 4: [b, d], 7: [b], 0: [a, b], 8: [b, e], 1: [a], 9: [b], 2: [a, c], 3: [a, b]}
    replaced = {0: [c], 1: [c, e], 2: [c]}  # they changed their minds
    for n, (person, days) in enumerate([*said.items(), *replaced.items()]):  # the latest first
        texted(draw, people[person], me, f"{start} {', '.join(days)}", state.now - timedelta(hours=9 * n + 2))
    texted(draw, people[1], me, f"{other} {d}", ago(draw, 1))
    return {"group": name, "start": start, "other_group": f"{name} 2024", "other_start": other}


def _solve_evening_for_group(state: State, me: Person, values: Values) -> Json:
    votes = []
    for id in group_called(state, me, values["group"]).member_ids:
        texts = [row for row in state[phone.TextMessage].of(me.id) if row.sender == id]
        texts = sorted((row for row in texts if values["start"] in row.text), key=lambda row: row.sent_at)
        votes += [day for row in texts[-1:] for day in _DAYS if day in row.text]
    return max(_DAYS, key=votes.count)


def evening_for_most(group: str, start: str) -> str:
    """Return the weekday that most members of a group name in their latest text to me with this start."""
    groups = all_pages(apis.splits.show_groups, access_token=login(app="splits"), query=group)
    members = next(each["members"] for each in groups if each["name"] == group)
    token = login(app="phone")
    latest: dict = {}
    for text in all_pages(apis.phone.show_text_messages, access_token=token, query=start, direction="received"):
        if text["text"].startswith(start):
            latest.setdefault(text["sender"]["name"], text["text"].removeprefix(start))  # the latest come first
    days = [day for member in members for day in re.findall(r"\w+day", latest.get(member["name"], ""))]
    return max(days, key=days.count)


evening_for_group = Family(
    name="evening_for_group",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "start": str},
    wordings=(
        'On which day of the week can most members of my splits group "{group}" come? They texted me their days after'
        ' the words "{start}", with which such a text begins. If somebody sent several, only the last one counts.',
        'I asked around when to meet. The answers are texts to me that start with "{start}" and then name weekdays.'
        ' Count only people in "{group}" on splits, and of each only the most recent answer: which day has the most'
        " votes?",
        'Find the best weekday for "{group}" (my group in splits). Members have sent me texts beginning "{start}", then'
        " the days that suit; a later one replaces those before. I need the day that suits the most of them.",
        'Texts of the form "{start} Monday, Friday" tell me who is free when. People change their minds, so go by the'
        ' newest of each person, and ignore everybody outside the splits group "{group}". Which day gets named most?',
        'Which weekday should I propose to "{group}"? Take, for every member of that splits group, the latest text to'
        ' me that starts with "{start}", see what days it lists, and give me the day listed by most of them.',
    ),
    make=_make_evening_for_group,
    solve=_solve_evening_for_group,
    program=Program(functions=(evening_for_most,), call="evening_for_most(group={group!r}, start={start!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="other_texts", swap={"start": "other_start"}),
        Mistake(name="first_answers", old="latest.setdefault(", new="latest.__setitem__("),
        Mistake(name="anybody", old="for member in members", new='for member in [{"name": name} for name in latest]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)


# Tell the members of a group their parts of what I paid.


def _make_text_parts_paid(draw: Draw) -> Values | None:
    rng, state, me, found = draw.rng, draw.state, draw.me, papers.twin_groups(draw, least=4)
    if not found:
        return None
    (group, older), days = found, rng.randint(12, 40)
    people, since = papers.others_in(draw, group), (state.now - timedelta(days=days)).date()

    def buy(payer: Person, back: float, place: splits.Group | None = group) -> splits.Expense:
        shares = {one.id: rng.randint(150, 2_500) for one in (me, *rng.sample(people, 2))}
        return papers.spent(draw, rng.choice(("Ferry", "Firewood")), payer, shares, group=place, days=back)

    for n in range(6):
        buy(me, 1 + (days - 3) * n / 6)
    state[splits.Expense].change(buy(me, 9).id, created_at=datetime(since.year, since.month, since.day, 8))
    _ = buy(me, days + 1), buy(people[0], 2), buy(me, 3, None)
    papers.spent(draw, "Ferry", me, dict.fromkeys(older.member_ids, 900), group=older, days=4)
    return {"group": group.name, "since": since.isoformat(), "other_group": older.name}


def _solve_text_parts_paid(state: State, me: Person, values: Values) -> Json:
    group, since = papers.group_called(state, me, values["group"]), values["since"]
    rows = [row for row in state[splits.Expense].of(("group", group.id)) if str(row.created_at) >= since]
    for one in (state[Person][id] for id in group.member_ids if id != me.id):
        parts = [share for row in rows if row.payer == me.id for id, share in row.shares if id == one.id]
        paid = f"I paid ${sum(parts) / 100:.2f} for you (expenses: {len(parts)})."
        if parts:
            phone.send_text(state, me.id, one.id, f"Hi {one.first}, {group.name} since {since}: {paid}")


def text_parts_since(group: str, since: str) -> None:
    """Text each of the others in a group their part of what the supervisor paid there since a day (YYYY-MM-DD)."""
    token = login(app="splits")
    me = apis.supervisor.show_profile()["email"]
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    mine = {"group_id": group_id, "paid_by_email": me, "from_date": since}
    parts: defaultdict = defaultdict(list)
    for expense in all_pages(apis.splits.show_expenses, access_token=token, **mine):
        for share in expense["shares"]:
            parts[share["email"]].append(share["amount"])
    token = login(app="phone")
    for contact in all_pages(apis.phone.show_contacts, access_token=token):
        if amounts := parts.get(contact["email"]):
            text = f"Hi {contact['name'].split()[0]}, {group} since {since}: "
            text += f"I paid ${sum(amounts):.2f} for you (expenses: {len(amounts)})."
            apis.phone.send_text_message(access_token=token, phone_number=contact["phone_number"], text=text)


text_parts_paid = Family(
    name="text_parts_paid",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "since": str},
    wordings=(
        'To each other member of my splits group "{group}" with shares in what I paid there since {since} (included),'
        ' text name, sum and count, as in: "Hi Jane, {group} since {since}: I paid $41.20 for you (expenses: 3)."',
        'Those in "{group}" on splits should know what I paid there for them on {since} or later. Text their shares, if'
        ' any, added up and counted, to each: "Hi Jane, {group} since {since}: I paid $7.05 for you (expenses: 1)."',
        'Please text the others in my splits group "{group}" about what I paid there on and after {since}: "Hi FIRST,'
        ' {group} since {since}: I paid $SUM for you (expenses: COUNT)." FIRST is the first name, SUM what their shares'
        " come to (as in 30.00), COUNT in how many expenses. Leave out those with none.",
        'I have paid a lot for the splits group "{group}" since {since} (inclusive). Each person who has shares in that'
        ' gets a text of their sum and number: "Hi Jane, {group} since {since}: I paid $12.50 for you (expenses: 2)."',
        'Texts to the members of my splits group "{group}", please: "Hi Jane, {group} since {since}: I paid $18.00 for'
        ' you (expenses: 4)." if Jane has shares of $18.00 in all in 4 expenses that I paid there from {since} on.',
    ),
    make=_make_text_parts_paid,
    solve=_solve_text_parts_paid,
    program=Program(functions=(text_parts_since,), call="text_parts_since(group={group!r}, since={since!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="any_day", old=', "from_date": since', new=""),
        Mistake(name="whoever_paid", old=', "paid_by_email": me', new=""),
        Mistake(name="full_names", old="['name'].split()[0]", new="['name']"),
        Mistake(name="last_share_only", old="sum(amounts)", new="amounts[-1]"),
    ),
)


# Correct the e-mail addresses of a group's members in the contacts.


def _make_stale_group_emails(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    if (pair := papers.twin_groups(draw, least=4)) is None:
        return None
    contacts = state[phone.Contact].of(me.id)
    emails = [{person.email for person in papers.others_in(draw, group)} for group in pair]
    inside = [row for row in contacts if row.email in emails[0]]
    outside = [row for row in contacts if row.email in emails[1] - emails[0]]
    if len(inside) < 3 or inside[-1] not in contacts[5:] or not outside:
        return None
    gone, blank, *old = (*rng.sample(inside[:-1], min(3, len(inside) - 1)), inside[-1], outside[0])
    phone.delete_contact(state, gone.id)
    phone.change_contact(state, blank.id, email="")
    for row in old:
        phone.change_contact(state, row.id, email=row.email.replace("@", "@oldmail."))
    return {"group": pair[0].name, "other_group": pair[1].name}


def _solve_stale_group_emails(state: State, me: Person, values: Values) -> Json:
    members = papers.group_called(state, me, values["group"]).member_ids
    right = {state[Person][id].name: state[Person][id].email for id in members}
    for row in state[phone.Contact].of(me.id):
        phone.change_contact(state, row.id, email=right.get(row.name, row.email))


def correct_emails_from_group(group: str) -> int:
    """Set the e-mail of each contact who is a member of a splits group to the one on splits; return how many."""
    splits_token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=group)
    members = next(each["members"] for each in groups if each["name"] == group)
    emails = {member["name"]: member["email"] for member in members}
    token = login(app="phone")
    count = 0
    for contact in all_pages(apis.phone.show_contacts, access_token=token):
        email = emails.get(contact["name"], contact["email"])
        if email != contact["email"]:
            apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], email=email)
            count += 1
    return count


stale_group_emails = Family(
    name="stale_group_emails",
    split="train",
    difficulty=1,
    apps=("splits", "phone"),
    slots={"group": str},
    wordings=(
        'In my phone contacts, correct the e-mail address of every member of my splits group "{group}" whose address on'
        " splits is another. Members who are not in my contacts do not matter.",
        'What splits has as e-mail addresses for the people in "{group}" is right. Put these into my address book where'
        " it has something else for them, or nothing at all. Add no new contacts.",
        'Some of my contacts have stale e-mail addresses. Hold them against the members of the splits group "{group}",'
        " by name, and wherever the two differ take over the address from splits. Leave everyone else's entry alone.",
        'Whoever is in both my phone contacts and "{group}", a group of mine on splits, should have the same e-mail'
        " address in both. Splits is correct, so change the contacts that deviate, empty ones included.",
        'Please go through the members of "{group}" on splits: if I have a contact of that name in my phone and its'
        " e-mail is not the one shown there, update the contact. Nothing else needs to change.",
    ),
    make=_make_stale_group_emails,
    solve=_solve_stale_group_emails,
    program=Program(functions=(correct_emails_from_group,), call="correct_emails_from_group(group={group!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="first_match", old=' if each["name"] == group', new=""),
        Mistake(name="empty_ones_left", old="if email !=", new='if contact["email"] and email !='),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


_LENT = "Ladder|Winter tyres|Vet visit|Flight home|Deposit|Old bicycle|Dentist|Sofa|Laptop screen|Visa fee"


# The phone number of who comes so far down among those who owe me.


def _make_debtor_at_place(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    for friend in acquaintances(draw)[:10]:
        spent(draw, rng.choice(_LENT.split("|")), me, {friend.id: rng.randint(2_000, 40_000)}, days=rng.randint(2, 80))
    owing = {id: cents for id, cents in splits.rows.balances(state, me.id).items() if cents > 0}
    ranked, place = sorted(owing, key=lambda id: -owing[id]), rng.randint(2, 4)
    paid = ranked.pop(rng.randrange(place))  # ahead of the one who is asked for
    listed = [id for id in ranked if id in list(owing)[:5]]
    if len({*owing.values()}) < len(owing) or len(ranked) < 8 or listed[place - 1] == ranked[place - 1]:
        return None
    person = state[Person][ranked[place - 1]]
    double = next(row for row in state[Contact].of(me.id) if row.email == person.email)  # somebody else of that name
    email, number = f"{person.first.lower()}@postbag.example", f"554{rng.randrange(10**7):07d}"
    change_contact(state, double.id, email=email, phone=number)
    add_contact(state, me.id, person.name, person.phone, email=person.email, relationships=double.relationships)
    return {"person": state[Person][paid].name, "place": place, "other_place": place + 1}


def _solve_debtor_at_place(state: State, me: Person, values: Values) -> Json:
    owed: Counter[int] = Counter()
    for row in state[splits.Expense].of(me.id):
        if row.payer == me.id:
            owed.update(dict(row.shares))
        owed[row.payer] -= dict(row.shares).get(me.id, 0)
    for back in state[splits.Repayment].of(me.id):
        owed[back.receiver] += back.cents
        owed[back.payer] -= back.cents
    people = [state[Person][id] for id, _ in owed.most_common() if id != me.id]
    email = [person.email for person in people if person.name != values["person"]][values["place"] - 1]
    return next(contact.phone for contact in state[Contact].of(me.id) if contact.email == email)


def phone_of_debtor_at(place: int, left_out: str) -> str:
    """Find the contact's phone number of who is at a place, from 1, among those who owe most, one person left out."""
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=login(app="splits"))
    others = [person for person in debtors if person["name"] != left_out]
    ranked = sorted(others, key=lambda person: person["amount"], reverse=True)
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    person = ranked[place - 1]
    return next(contact["phone_number"] for contact in contacts if contact["email"] == person["email"])


debtor_at_place = Family(
    name="debtor_at_place",
    split="train",
    difficulty=1,
    apps=("splits", "phone"),
    slots={"place": int, "person": str},
    wordings=(
        "Sort the people who owe me on splits by how much that is in all, the largest sum first, without {person}. What"
        " is the phone number of whoever is at place {place}? It is in the contact with the same e-mail address.",
        "Who is number {place} among my debtors on splits, counted down from the one who owes me most over all groups?"
        " {person} does not count. I only need the phone number my contacts have for this person's e-mail address.",
        "I am calling those who owe me on splits, the biggest debt first, all groups taken together. {person} I skip."
        " Which number do I dial at place {place}? In my contacts go by e-mail address, for a name may be there twice.",
        "Without {person}, who will pay me in cash: rank the others who are in the red with me on splits by their"
        " total from high to low and give me the phone number of the one on rank {place}, as saved in my"
        " contacts under the e-mail address they use on splits.",
        "Find a number in my phone contacts, by e-mail address. It belongs to the person at position {place} when all"
        " who have a debt to me on splits, except {person}, are lined up from the highest total to the lowest.",
    ),
    make=_make_debtor_at_place,
    solve=_solve_debtor_at_place,
    program=Program(functions=(phone_of_debtor_at,), call="phone_of_debtor_at(place={place!r}, left_out={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="one_place_on", swap={"place": "other_place"}),
        Mistake(name="nobody_left_out", old=' if person["name"] != left_out', new=""),
        Mistake(name="smallest_first", old=", reverse=True", new=""),
        Mistake(name="by_name", old='contact["email"] == person["email"]', new='contact["name"] == person["name"]'),
        Mistake(name="first_page", old="person in debtors if", new="person in debtors[:5] if"),
    ),
)


_TURNS = "It is your turn to pay next time!|Could you get the next bill?|Next round is on you.|You pay next, all right?"


# Text the member of a group who has paid the least.


def _make_whose_turn_to_pay(draw: Draw) -> Values | None:
    rng, state, me, pair = draw.rng, draw.state, draw.me, papers.twin_groups(draw, least=5)
    if pair is None:
        return None
    group, days = pair[0], rng.randint(20, 70)
    since = state.now.date() - timedelta(days=days)
    for row in state[Expense].of(("group", group.id)):
        if row.created_at.date() >= since:
            delete_expense(state, row.id)
    one, two, *rest = papers.others_in(draw, group)
    first, second = sorted((one, two), key=lambda person: person.name)
    if first.id < second.id or first.id in pair[1].member_ids:
        return None
    bills = [(person, 900, days * n / 12) for n, person in enumerate((*rest, me, *rest, me))]
    for payer, cents, when in (*bills, (first, 90_000, days + 1)):  # the last too early
        shares = {id: rng.randint(cents, 2 * cents) for id in group.member_ids}
        papers.spent(draw, rng.choice(("Firewood", "Ferry", "Fondue", "Sushi")), payer, shares, group=group, days=when)
    papers.spent(draw, "Taxi", first, {me.id: 4_000}, days=days / 2)  # outside the group
    message = rng.choice(_TURNS.split("|"))
    return {"group": group.name, "since": since.isoformat(), "message": message, "other_group": pair[1].name}


def _solve_whose_turn_to_pay(state: State, me: Person, values: Values) -> Json:
    group, since = papers.group_called(state, me, values["group"]), date.fromisoformat(values["since"])
    people = sorted((state[Person][id] for id in group.member_ids if id != me.id), key=lambda person: person.name)
    rows = [row for row in state[Expense].of(("group", group.id)) if row.created_at.date() >= since]
    sums = [sum(row.cents for row in rows if row.payer == person.id) for person in people]
    send_text(state, me.id, people[sums.index(min(sums))].id, values["message"])


def nudge_payer(group: str, since: str, message: str) -> str:
    """Text the other member who has paid least for a group since a day, ties by name, and return the name."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    paid = {member["email"]: 0 for member in found["members"]}
    group_id = found["group_id"]
    for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id, from_date=since):
        paid[expense["paid_by"]["email"]] += round(expense["amount"] * 100)
    me = apis.supervisor.show_profile()["email"]
    others = [member for member in found["members"] if member["email"] != me]
    least = min(others, key=lambda member: (paid[member["email"]], member["name"]))
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, query=least["email"])
    number = next(contact["phone_number"] for contact in contacts if contact["email"] == least["email"])
    apis.phone.send_text_message(access_token=token, phone_number=number, text=message)
    return least["name"]


whose_turn_to_pay = Family(
    name="whose_turn_to_pay",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "since": str, "message": str},
    wordings=(
        'Add up what each member of my splits group "{group}" has paid for its expenses since {since}, that day'
        ' included, and text "{message}" to the one who has paid the least, not counting me. Who paid nothing has a'
        " sum of zero; if sums are equal, the name that comes first in the alphabet counts.",
        'Whose turn is it in "{group}"? Find the other member of that splits group with the lowest total of group'
        ' expenses paid from {since} on (0 is the lowest; ties by name from A to Z) and text them: "{message}"',
        'Send a text saying "{message}" to one person: the other member of "{group}" on splits who put in the least'
        " money as payer of group expenses dated {since} or later, perhaps none. Of several, take the first by name.",
        'It is not fair how we pay in my splits group "{group}". Since {since} (inclusive) somebody besides me has paid'
        ' the smallest sum, maybe 0. That person (of several, the first in the alphabet) gets my text: "{message}"',
        'Text message "{message}", please, for whoever is last when all members of "{group}" but me, payers or not, are'
        " ranked by what they have paid in this splits group on or after {since}; on equal sums, the earlier name.",
    ),
    make=_make_whose_turn_to_pay,
    solve=_solve_whose_turn_to_pay,
    program=Program(
        functions=(nudge_payer,), call="nudge_payer(group={group!r}, since={since!r}, message={message!r})"
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="ever", old=", from_date=since", new=""),
        Mistake(name="payers_only", old='(paid[member["email"]],', new='(paid[member["email"]] or 10**9,'),
        Mistake(name="ties_as_listed", old='(paid[member["email"]], member["name"])', new='paid[member["email"]]'),
        Mistake(name="who_paid_most", old="least = min(", new="least = max("),
    ),
)

FAMILIES = (
    voice_to_group,
    texted_expense_groups,
    restart_group,
    group_as_in_note,
    evening_for_group,
    text_parts_paid,
    stale_group_emails,
    debtor_at_place,
    whose_turn_to_pay,
)
